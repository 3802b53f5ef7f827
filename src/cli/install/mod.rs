//! `install`: a connector is taken from where it is, checked, shown against the one that is there,
//! tried, and put in its place whole.

mod arrival;
mod before;
mod manner;
mod place;
mod stored;
mod terms;

use serde_json::json;

use super::args::Install;
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::proof::{self, Lines};
use super::{Ending, Session, installed, interrupt, keys, show};
use crate::diag::count;
use crate::install::{Shelf, copy};
use crate::model::{Connector, Transport};
use crate::report::{FileReport, Format};
use crate::source::Source;
use arrival::Arrived;
use before::Before;
pub(super) use manner::manner;

pub(super) fn run(args: &Install, session: &mut Session) -> Ending {
    session.io.facts.quiet |= args.json;
    let arrived = arrival::open(&args.source, session)?;
    let connector = arrival::sound(&arrived, session)?;
    let shelf = installed::shelf(&args.placing)?;
    shelf.settle().map_err(|error| installed::fault(&error))?;
    let before = Before::look(&shelf, &connector.name)?;
    if before.is(&arrived.files) {
        told("same", &connector, &shelf, args, session);
        return Ok(Exit::Success);
    }
    if args.diff {
        return Ok(before.diff(&arrived, session));
    }
    terms::open_folder(&shelf, session);
    terms::agreed(args, &arrived, &connector, &before, session)?;
    stored::agreed(args, &connector, &before, session)?;
    if !args.offline {
        let exit = proven(args, &arrived, &connector, session)?;
        if exit != Exit::Success {
            session.io.progress("Nothing was installed.\n");
            return Ok(exit);
        }
    }
    place::put(&shelf, &connector.name, &arrived.files, &before)?;
    let done = if before.is_there() { "replaced" } else { "installed" };
    told(done, &connector, &shelf, args, session);
    Ok(Exit::Success)
}

/// Runs the contract; a program's, from a copy that goes again.
fn proven(args: &Install, arrived: &Arrived, connector: &Connector, session: &mut Session) -> Ending {
    let mut source = arrived.source.clone();
    let mut _scratch = None;
    if matches!(connector.transport, Transport::Program { .. }) {
        let cannot = |cause: String| Fault::usage("unwritable", "cannot make a copy to try it").cause(cause);
        let scratch = interrupt::scratch().map_err(|error| cannot(error.to_string()))?;
        let folder = scratch.path().join(&connector.name);
        copy(&arrived.files, &folder).map_err(|error| cannot(error.to_string()))?;
        source = Source::new(folder.join(super::paths::MANIFEST).display().to_string(), source.text());
        _scratch = Some(scratch);
    }
    let proof = proof::prove(connector, &source, args.speaking.era(), Lines::Install, session)?;
    if proof.exit != Exit::Success && !args.json {
        let report = FileReport::new(arrived.source.clone(), Vec::new()).cases(proof.cases);
        show::findings(&[report], Format::Human, session);
    }
    Ok(proof.exit)
}

/// `petstore: 8 capabilities, contract ok`, where it is, and what to do next.
fn told(done: &str, connector: &Connector, shelf: &Shelf, args: &Install, session: &Session) {
    let folder = shelf.place(&connector.name);
    if args.json {
        let names: Vec<&str> = connector.capabilities.iter().map(|one| one.name.as_str()).collect();
        let folder = folder.display().to_string();
        let written = json!({"version": 1, "done": done, "folder": folder, "name": connector.name, "capabilities": names});
        return session.io.out_json(&written, Layout::OneLine);
    }
    let place = installed::shown(&folder);
    if done == "same" {
        return session.io.say(&format!("Installed in {place} already, and the same.\n"));
    }
    let contract = match (args.offline, connector.cases.len()) {
        (true, _) => "contract not run",
        (false, 0) => "no contract",
        (false, _) => "contract ok",
    };
    let capabilities = count(connector.capabilities.len(), "capability");
    let verb = if done == "replaced" { "Replaced" } else { "Installed in" };
    session
        .io
        .say(&format!("{}: {capabilities}, {contract}\n{verb} {place}\n", connector.name));
    session.io.progress(&next(connector));
}

fn next(connector: &Connector) -> String {
    let keys = keys::names(connector);
    let fill = match keys.is_empty() {
        true => String::new(),
        false => format!(", then fill in {}", keys.join(", ")),
    };
    format!("\nnext: in Pimpo choose Connections › Reload the connectors folder{fill}\n")
}
