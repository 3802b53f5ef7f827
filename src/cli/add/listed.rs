//! A server as a registry lists it.

use std::path::PathBuf;

use super::super::args::Add;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::{Session, registry, tick};
use super::by_hand;
use crate::adopt::Described;
use crate::exec::Client;
use crate::model::Transport;
use crate::registry::{self as entries, Entry, FillError, Input, Kind, Status, Way, connector_name};
use crate::report::visible;

/// Looks the server up; what its command or address needs comes from `--input`, or is asked for.
pub(super) fn described(server: &str, args: &Add, session: &Session) -> Result<(Described, PathBuf), Fault> {
    let folder = folder(args, session)?;
    let entry = look_up(server, args, session)?;
    let note = |text: &str| session.io.progress(&format!("{}\n", visible(text)));
    entry.remarks().iter().for_each(|remark| note(&format!("warning: {remark}")));
    let way = choose(&entry, args.listed.kind)?;
    let others: Vec<&str> = entry
        .takeable()
        .filter(|other| *other != way)
        .map(|other| other.kind.word())
        .collect();
    if !others.is_empty() && args.listed.kind.is_none() {
        note(&format!(
            "note: taken as {}; it is there as {} too: `--as`",
            way.kind.word(),
            others.join(", ")
        ));
    }
    let given = given(way, args, session)?;
    let filled = way.fill(&given).map_err(|error| unfilled(&error, session))?;
    for key in &way.keys {
        if let Some(suggested) = &key.default {
            note(&format!("note: for {} the registry suggests `{suggested}`", key.name));
        }
    }
    let name = args.name.clone().unwrap_or_else(|| connector_name(&entry.name));
    let described = Described {
        description: match entry.description.is_empty() {
            true => format!("The MCP server {}", entry.name),
            false => entry.description.clone(),
        },
        source: Some(format!("registry:{}@{}", entry.name, entry.version)),
        keys: match &filled.transport {
            Transport::Program { .. } => with(filled.variables, &args.keys.env),
            _ => Vec::new(),
        },
        transport: filled.transport,
        name,
    };
    by_hand::sound(&described)?;
    let folder = folder.unwrap_or_else(|| PathBuf::from(&described.name));
    Ok((described, folder))
}

fn with(mut names: Vec<String>, more: &[String]) -> Vec<String> {
    for name in more {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn folder(args: &Add, session: &Session) -> Result<Option<PathBuf>, Fault> {
    match args.places.as_slice() {
        [] => Ok(None),
        [folder] if !folder.contains("://") => Ok(Some(PathBuf::from(folder))),
        [command, ..] if !command.contains("://") => {
            let line = session.brand.command(&format!("add {} -- {command} …", args.name()));
            Err(Fault::usage("bad_usage", "two folders, or a command without `--` before it").hint(format!("`{line}` for a command")))
        }
        _ => Err(Fault::usage("bad_usage", "the registry says where the server is").hint("leave the address out, or `--from`")),
    }
}

fn look_up(server: &str, args: &Add, session: &Session) -> Result<Entry, Fault> {
    let (name, version) = server.split_once('@').unwrap_or((server, "latest"));
    let url = entries::version(&args.listed.registry.registry, name, version);
    let answer = registry::ask(&Client::default(), &url, session)?;
    let entry = entries::single(&answer).map_err(registry::unreadable)?;
    if entry.name != name {
        return Err(registry::unreadable(entries::Unreadable("it is about another server")));
    }
    if version != "latest" && entry.version != version {
        return Err(registry::unreadable(entries::Unreadable("it is about another version")));
    }
    if entry.status == Status::Deleted {
        return Err(Fault::new(Exit::Service, "deleted", format!("the registry has deleted `{name}`")).hint("ask its makers why"));
    }
    Ok(entry)
}

fn choose(entry: &Entry, kind: Option<Kind>) -> Result<&Way, Fault> {
    let mut ways = entry.takeable().filter(|way| kind.is_none_or(|kind| way.kind == kind));
    ways.next().ok_or_else(|| {
        let fault = Fault::usage("unsupported", format!("`{}` cannot be added", entry.name));
        match (kind, entry.way()) {
            (Some(_), Some(other)) => fault.hint(format!("it is there with `--as {}`", other.kind.word())),
            _ => fault.cause(format!("it {}", entry.why_not().trim_start_matches("it "))),
        }
    })
}

/// The inputs of the flags, and in a terminal the required ones that are still open.
fn given(way: &Way, args: &Add, session: &Session) -> Result<Vec<(String, String)>, Fault> {
    let mut given = args.listed.inputs.clone();
    if session.io.facts.can_ask {
        for input in way.inputs.iter().filter(|input| input.required) {
            if given.iter().all(|(name, _)| *name != input.name) {
                given.push((input.name.clone(), ask(input)?));
            }
        }
    }
    Ok(given)
}

fn ask(input: &Input) -> Result<String, Fault> {
    let title = visible(&input.name);
    let help = visible(&input.description);
    match input.choices.is_empty() {
        true => tick::text(&title, &help, input.default.as_deref(), "--input"),
        false => tick::one_of(&title, &input.choices, "--input"),
    }
}

fn unfilled(error: &FillError, session: &Session) -> Fault {
    let fault = Fault::usage("bad_input", error.to_string());
    match error {
        FillError::Missing(input) => fault.hint(format!("add `--input {}=…`", input.name)),
        FillError::Unknown { nearest: Some(near), .. } => fault.hint(format!("did you mean `{near}`?")),
        FillError::Unknown { nearest: None, .. } => {
            fault.hint(format!("`{}` tells the inputs", session.brand.command("search NAME --json")))
        }
        _ => fault,
    }
}
