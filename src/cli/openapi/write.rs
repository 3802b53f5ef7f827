//! Writes the connector and tells what was written.

use std::path::PathBuf;

use serde_json::json;

use super::super::Session;
use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::io::Layout;
use super::super::write_connector::{Over, Place, Written, shown};
use super::listing;
use crate::diag::count;
use crate::format::write::write;
use crate::openapi::{Api, Lowered};
use crate::report::visible;

pub(super) fn run(api: &Api<'_>, lowered: &Lowered, args: &OpenApi, session: &Session) -> Result<Exit, Fault> {
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from(&lowered.connector.name));
    let place = Place::look(folder, Over::of(args.output.force, args.output.diff))?;
    let help = "with the description; `--except` leaves an operation out";
    match place.write(&write(&lowered.connector), help, session)? {
        Written::Shown(exit) => Ok(exit),
        Written::Done(done) => {
            told(api, lowered, (done, &place), args, session);
            Ok(Exit::Success)
        }
    }
}

fn told(api: &Api<'_>, lowered: &Lowered, (done, place): (&str, &Place), args: &OpenApi, session: &Session) {
    let capabilities = lowered.connector.capabilities.len();
    let file = place.file.display().to_string();
    if args.output.json {
        let names: Vec<&str> = lowered
            .connector
            .capabilities
            .iter()
            .map(|capability| capability.name.as_str())
            .collect();
        let keys: Vec<&str> = lowered.keys.iter().map(|key| key.env.as_str()).collect();
        let written = json!({"version": 1, "file": file, "capabilities": names, "keys": keys});
        session.io.out_json(&written, Layout::OneLine);
        return;
    }
    session.io.say(&listing::head(api));
    session.io.say(&listing::keys(&lowered.keys));
    session.io.say(&format!(
        "{done} {} with {}; review each risk, then: {}\n",
        visible(&file),
        count(capabilities, "capability"),
        visible(&session.brand.command(&format!("check {}", shown(&place.folder))))
    ));
}
