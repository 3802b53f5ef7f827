//! From a connector and a call to bytes on the wire and a value back: [`plan()`] is pure, [`http`]
//! sends a plan, [`guard`] decides which addresses may be reached.

mod answer;
mod call;
mod failure;
pub mod guard;
mod http;
mod plan;
pub mod rate;
pub mod redirect;
mod retry;
mod said;
mod show;

pub use answer::{Answer, Shape};
pub use call::{CallError, Reply, accepted, fetch, idle_arguments, needed_keys, prepare};
pub use failure::{Class, Failure};
pub use http::{Client, Incoming, Page, PageError, Roots, Stream};
pub use plan::{Boundary, Content, Header, KeyForm, Media, Piece, Place, Plan, PlanError, QueryPair, plan};
pub use retry::Wait;
pub use said::shown;
pub use show::{Mask, curl, dry_run};
