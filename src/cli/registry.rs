//! Asks a registry; `search` and `add` share it.

use serde_json::Value;
use url::Url;

use super::exit::Exit;
use super::fault::Fault;
use super::{Session, call_fault};
use crate::exec::{Client, Failure, PageError};
use crate::model::Limits;
use crate::registry::Unreadable;

/// One answer: 30 seconds and 5 MB, as a call.
const FETCH: Limits = Limits::CONNECTOR;

/// The JSON at an address of a registry.
pub(super) fn ask(client: &Client, url: &Url, session: &Session) -> Result<Value, Fault> {
    let host = url.host_str().unwrap_or_default();
    let fetched = session
        .io
        .waiting(&format!("asking {host}"), || client.fetch(url, "application/json", FETCH));
    let page = fetched.map_err(|error| unfetched(host, &error))?;
    serde_json::from_slice(&page.bytes).map_err(|_| unreadable(Unreadable("it is no JSON")))
}

pub(super) fn unreadable(why: Unreadable) -> Fault {
    Fault::new(Exit::Service, "not_a_registry", why.to_string())
        .hint("give the address of a registry with `--registry`: what stands before `/v0.1/servers`")
}

fn unfetched(host: &str, error: &PageError) -> Fault {
    let message = format!("the registry {host} does not answer as it should");
    let failure = match error {
        PageError::Address(why) => return Fault::usage("bad_address", message).cause(why.to_string()),
        PageError::Failure(failure) => failure,
    };
    let fault = call_fault::unfetched(message, failure);
    match failure {
        Failure::Answered { status: 404, .. } => fault.hint("check the name; `search` lists the servers of the registry"),
        Failure::Unreachable { .. } => fault.hint("check the network, or name another registry with `--registry`"),
        _ => fault,
    }
}
