//! Calls the tools of MCP servers, blocking and with std threads: a program over stdio, or a remote
//! server over streamable HTTP, in both eras of the protocol. A [`Session`] is one connector's
//! server: started when it is needed, held to what the connector declares, and ended whole.

mod client;
mod difference;
mod enforce;
mod failure;
mod handshake;
mod http;
mod input;
mod limits;
mod link;
mod list;
mod message;
mod mirror;
mod result;
mod sse;
mod stdio;
mod tool;
mod version;

pub use client::{First, Session, Settings};
pub use enforce::{Change, Offer, tool_name};
pub use failure::{Class, Failure, Noise, Said, Why};
pub use http::header_key;
pub use input::Input;
pub use limits::Limits;
pub use stdio::{LAUNCH, Surroundings, WATCH, kill_all, launch, output, watch};
pub use tool::{Part, Tool};
pub use version::Era;
