//! Becket turns a REST API or an MCP server into a small, honest, tested set of tools for an
//! assistant, and proves it before anything is installed. The rooms and the direction of their
//! imports are in ARCHITECTURE.md.

pub mod adopt;
pub mod archive;
pub mod cli;
pub mod contract;
pub mod demo;
pub mod diag;
pub mod exec;
pub mod format;
pub mod install;
pub mod keys;
pub mod mcp;
pub mod model;
pub mod openapi;
pub mod registry;
pub mod report;
pub mod rules;
pub mod service;
pub mod source;
