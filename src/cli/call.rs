//! `call`: one capability, once.

use std::path::Path;

use serde_json::{Map, Value};

use super::args::Call;
use super::call_arguments;
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::manifest::{self, Manifest};
use super::{Ending, Session, call_fault, keys, surroundings};
use crate::exec::{CallError, Client, Mask, Plan, accepted, curl, dry_run, fetch, idle_arguments, prepare};
use crate::keys::Keys;
use crate::mcp;
use crate::model::{Capability, Risk, Transport};
use crate::report::visible;
use crate::service::{Service, Trouble};
use crate::source::{Limits, read_file};

/// The largest `--args -` and `name=@file`.
const ARGUMENTS: usize = 5 << 20;

pub(super) fn run(args: &Call, session: &mut Session) -> Ending {
    let manifest = manifest::sound(&args.path, session)?;
    let loaded = keys::load(&manifest.connector, session)?;
    let capability = manifest::capability(&manifest.connector, &args.capability)?;
    if !matches!(manifest.connector.transport, Transport::Http(_)) {
        return serve(args, &manifest, capability, &loaded.keys, session);
    }
    let told = |error: &CallError, session: &Session| call_fault::of(error, &manifest.connector, &loaded.keys, session);
    let arguments = arguments(args)?;
    idle(&idle_arguments(&manifest.connector, capability, &arguments), session);
    let question = question(capability, &arguments);
    let plan = prepare(&manifest.connector, capability, arguments, &loaded.keys).map_err(|error| told(&error, session))?;
    if args.dry_run || args.curl {
        left_out(&loaded.lacking(&manifest.connector, capability), session);
        session.io.say(&shown(args, &plan, &loaded.keys, &manifest, session));
        return Ok(Exit::Success);
    }
    loaded.given(&manifest.connector, capability, "`--dry-run` to see the request")?;
    agreed(args, capability, &question, session)?;
    let reply = session.io.waiting(&format!("calling {}", capability.name), || {
        fetch(capability, &plan, &loaded.keys, &Client::default())
    });
    let reply = reply.map_err(|error| told(&error, session))?;
    session.io.out_json(&reply.value, layout(session));
    Ok(Exit::Success)
}

/// A call to an MCP server.
fn serve(args: &Call, manifest: &Manifest, capability: &Capability, keys: &Keys, session: &Session) -> Ending {
    let connector = &manifest.connector;
    let told = |error: &Trouble| call_fault::told(error, connector, keys, session);
    let values = accepted(capability, arguments(args)?).map_err(|error| told(&error.into()))?;
    if args.curl {
        return Err(Fault::usage("not_http", format!("`{}` is no HTTP request", capability.name)).hint("`--dry-run` shows the message"));
    }
    if args.dry_run {
        session.io.out_json(&mcp::Session::message(capability, &values), Layout::Pretty);
        return Ok(Exit::Success);
    }
    agreed(args, capability, &question(capability, &values), session)?;
    let mut service = Service::new(connector, keys, surroundings::settings(&manifest.source));
    let given = session.io.waiting(&format!("calling {}", capability.name), || {
        service.call(connector, capability, values, keys)
    });
    let given = given.map_err(|error| told(&error))?;
    session.io.out_json(&given.value, layout(session));
    Ok(Exit::Success)
}

fn question(capability: &Capability, arguments: &Map<String, Value>) -> String {
    let arguments = Value::Object(arguments.clone());
    format!("Call {} with {arguments}? It cannot be undone. (same as --yes)", capability.name)
}

/// Says which arguments change nothing: one may be misspelt.
fn idle(names: &[String], session: &Session) {
    if !names.is_empty() {
        session
            .io
            .progress(&format!("note: nothing in the request takes `{}`\n", visible(&names.join("`, `"))));
    }
}

/// Says which keys a shown request lacks, since it would not be sent like this.
fn left_out(keys: &[String], session: &Session) {
    if !keys.is_empty() {
        session
            .io
            .progress(&format!("note: no value for {}; what needs it is left out\n", keys.join(", ")));
    }
}

fn arguments(args: &Call) -> Result<Map<String, Value>, Fault> {
    let text = match args.args.as_deref() {
        Some("-") if args.path == Path::new("-") => {
            return Err(
                Fault::usage("bad_arguments", "standard input cannot give both the manifest and the arguments")
                    .hint("name the manifest's file"),
            );
        }
        Some("-") => Some(
            super::io::Io::input(ARGUMENTS)
                .map_err(|error| Fault::usage("bad_arguments", "cannot read standard input").cause(error.to_string()))?,
        ),
        text => text.map(str::to_owned),
    };
    call_arguments::parse(&args.arguments, text.as_deref(), file).map_err(|error| {
        let fault = Fault::usage("bad_arguments", error.to_string());
        match error.help() {
            Some(help) => fault.hint(help),
            None => fault,
        }
    })
}

/// The text of a file that an argument names.
fn file(path: &str) -> Result<String, String> {
    let limits = Limits {
        bytes: ARGUMENTS,
        ..Limits::MANIFEST
    };
    read_file(Path::new(path), limits)
        .map(|source| source.text().to_owned())
        .map_err(|error| error.to_string())
}

fn shown(args: &Call, plan: &Plan, keys: &Keys, manifest: &Manifest, session: &Session) -> String {
    let mask = if session.io.facts.unicode { Mask::Dots } else { Mask::Stars };
    match args.curl {
        true => curl(plan),
        false => dry_run(plan, keys, &manifest.source, mask),
    }
}

/// Asks before what cannot be undone.
fn agreed(args: &Call, capability: &Capability, question: &str, session: &Session) -> Result<(), Fault> {
    if capability.risk != Risk::Irreversible || args.yes {
        return Ok(());
    }
    if !session.io.facts.can_ask {
        return Err(Fault::usage("needs_yes", format!("`{}` is irreversible and needs a yes", capability.name)).hint("add `--yes`"));
    }
    match session.io.confirm(&visible(question)) {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was sent")),
    }
}

/// On a terminal with indentation, elsewhere on one line.
fn layout(session: &Session) -> Layout {
    match session.io.facts.stdout_terminal {
        true => Layout::Pretty,
        false => Layout::OneLine,
    }
}
