//! `chatpilot profiles check --live`: the `check` tool of each profile, called once.

use serde_json::{Map, Value};

use super::call::{sent, told};
use super::open::open;
use crate::cli::Session;
use crate::cli::args::Connection;
use crate::cli::fault::Fault;
use crate::diag::count;
use crate::exec::prepare;
use crate::source::Source;

/// Calls the `check` tool of a profile without errors.
pub(super) fn run(source: Source, connection: &Connection, session: &mut Session) -> Result<(), Fault> {
    let name = source.name().to_owned();
    let open = open(source, connection)?;
    let Some(check) = &open.check else {
        return Err(Fault::usage("no_check", format!("{name} has no `check`"))
            .hint("add `check:` with a tool that needs no arguments, or leave out `--live`"));
    };
    let loaded = open.keys(session)?;
    let capability = open.capability(check)?;
    let plan =
        prepare(&open.connector, capability, Map::new(), &loaded.keys).map_err(|error| told(&error, &open, &loaded.keys, session))?;
    loaded.given(&open.connector, capability, "leave out `--live`", session)?;
    let reply = sent(&open, capability, &plan, &loaded.keys, session)?;
    let got = match &reply.value {
        Value::Array(rows) => count(rows.len(), "row"),
        _ => "an answer".to_owned(),
    };
    let host = open.base.authority();
    session
        .io
        .progress(&format!("{}: `{check}` at {host} gave {got}\n", open.connector.name));
    Ok(())
}
