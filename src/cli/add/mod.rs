//! `add`: a connector from an MCP server of others, by hand or as a registry lists it.

mod by_hand;
mod consent;
mod listed;
mod listing;
mod next;
mod pick;
mod probe;
mod version;

use std::path::PathBuf;

use serde_json::json;

use super::args::{Add, Adding};
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::write_connector::{Place, Written};
use super::{Ending, Session, keys};
use crate::adopt::{ChoiceError, Chosen, Described, Offered, Selection, choose, lower, offered};
use crate::diag::count;
use crate::format::write::write;
use crate::mcp::Era;
use crate::model::Connector;
use crate::report::{escaped, visible};

pub(super) fn run(args: &Add, session: &mut Session) -> Ending {
    let (described, folder) = match &args.listed.from {
        Some(server) => {
            by_hand::names_only(args, session)?;
            listed::described(server, args, session)?
        }
        None => by_hand::described(args, session)?,
    };
    server(described, folder, &args.adding, session)
}

/// Adds a server that somebody described: asks, lists its tools, takes the chosen ones, looks
/// again, and writes. Nothing is started before the yes and nothing is written before the end.
pub(super) fn server(described: Described, folder: PathBuf, args: &Adding, session: &mut Session) -> Ending {
    // What is told of a run that is read by a program is its result, or its failure.
    session.io.facts.quiet |= args.json;
    let place = Place::look(folder, args.over())?;
    let described = version::settled(described, session)?;
    let draft = described.connector(Vec::new());
    let loaded = keys::load_given(&draft, session)?;
    let given = keys::long(&loaded.keys);
    consent::no_key_in(&described, &given)?;
    consent::ask(&described, args, session)?;
    consent::without_value(&loaded, session);
    let first = probe::list(&draft, &loaded.keys, args.speaking.era(), session)?;
    let offers = offered(&described, &first.tools, &given);
    listing::show(&described, &offers, &first.notes, session);
    any_fit(&described, &offers)?;
    let chosen = chosen(&offers, args, session)?;
    let connector = lower(&described, &offers, &chosen);
    let text = escaped(&write(&connector));
    place.allows(&text)?;
    listing::cautions(&text, session);
    probe::again(&connector, &loaded.keys, first.era, session)?;
    let help = "with the server's name; `--tools` leaves a tool out";
    match place.write(&text, help, session)? {
        Written::Shown(exit) => Ok(exit),
        Written::Done(done) => {
            told(&connector, first.era, (done, &place), args, session);
            Ok(Exit::Success)
        }
    }
}

fn any_fit(described: &Described, offers: &[Offered]) -> Result<(), Fault> {
    match offers.iter().any(|offer| offer.unfit.is_none()) {
        true => Ok(()),
        false => Err(Fault::new(
            Exit::Findings,
            "no_tools",
            format!("`{}` offers no tool that a connector can have", described.name),
        )),
    }
}

/// The tools that the flags choose; without `--tools`, those ticked in a terminal.
fn chosen(offers: &[Offered], args: &Adding, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let selection = Selection {
        tools: &args.tools,
        risks: &args.risks,
    };
    if args.tools.is_empty() {
        if session.io.facts.can_ask {
            return pick::ask(offers, selection, session);
        }
        let names: Vec<&str> = offers
            .iter()
            .filter(|offer| offer.unfit.is_none())
            .map(|offer| offer.method.as_str())
            .collect();
        let some = names.get(..2).unwrap_or(&names).join(",");
        return Err(Fault::usage("nothing_chosen", "choose the tools: this is not a terminal")
            .hint(format!("add `--tools {some}` or `--tools all`")));
    }
    choose(offers, selection).map_err(|error| refused(&error))
}

fn refused(error: &ChoiceError) -> Fault {
    let fault = Fault::usage("bad_choice", error.to_string());
    match error {
        ChoiceError::NoSuch { nearest: Some(near), .. } => fault.hint(format!("did you mean `{near}`?")),
        ChoiceError::NoSuch { nearest: None, .. } | ChoiceError::Unfit { .. } => fault.hint("choose among the tools above"),
        ChoiceError::TooMany { .. } => fault.hint("name fewer with `--tools`"),
        ChoiceError::Nothing => fault,
    }
}

fn told(connector: &Connector, era: Option<Era>, (done, place): (&str, &Place), args: &Adding, session: &Session) {
    let file = place.file.display().to_string();
    if args.json {
        let names: Vec<&str> = connector.capabilities.iter().map(|capability| capability.name.as_str()).collect();
        let written = json!({
            "version": 1,
            "file": file,
            "capabilities": names,
            "keys": keys::names(connector),
            "era": era.unwrap_or_default().word(),
        });
        return session.io.out_json(&written, Layout::OneLine);
    }
    session.io.say(&format!(
        "{done} {} ({}, imported)\n",
        visible(&file),
        count(connector.capabilities.len(), "capability")
    ));
    session.io.progress(&next::steps(connector, &place.folder, session));
}
