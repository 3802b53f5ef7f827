//! `call`: one capability, once.

use std::path::Path;

use serde_json::{Map, Value};

use super::args::Call;
use super::call_arguments::{self, Around, Unread};
use super::call_target::{self, Target};
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::manifest::{self, Manifest};
use super::{Ending, Session, call_fault, keys, surroundings};
use crate::exec::{CallError, Client, Mask, Plan, accepted, curl, dry_run, fetch, idle_arguments, prepare};
use crate::keys::Keys;
use crate::mcp;
use crate::model::{Capability, Risk, Schema, Transport};
use crate::report::visible;
use crate::service::{Service, Trouble};
use crate::source::{Limits, ReadError, Source, read_file, read_stream};

/// For `--args -` and `name=@file`.
const LIMITS: Limits = Limits {
    bytes: 5 << 20,
    ..Limits::MANIFEST
};

pub(super) fn run(args: &Call, session: &mut Session) -> Ending {
    let target = call_target::read(args, session)?;
    let manifest = manifest::sound(target.path, session)?;
    let mut loaded = keys::load(&manifest.connector, session)?;
    let capability = manifest::capability(&manifest.connector, target.capability)?;
    if !matches!(manifest.connector.transport, Transport::Http(_)) {
        return serve(args, &target, &manifest, capability, &loaded.keys, session);
    }
    let only_shown = args.dry_run || args.curl;
    let lacking = loaded.lacking(&manifest.connector, capability);
    if only_shown {
        lacking.iter().for_each(|name| loaded.keys.await_value(name));
    }
    let told = |error: &CallError, session: &Session| call_fault::of(error, &manifest.connector, &loaded.keys, session);
    let arguments = arguments(args, &target, capability)?;
    idle(&idle_arguments(&manifest.connector, capability, &arguments), session);
    let question = question(capability, &arguments);
    let plan = prepare(&manifest.connector, capability, arguments, &loaded.keys).map_err(|error| told(&error, session))?;
    if only_shown {
        unset(&lacking, session);
        say_masked(&shown(args, &plan, &loaded.keys, &manifest, session), session);
        return Ok(Exit::Success);
    }
    loaded.given(&manifest.connector, capability, "`--dry-run` to see the request", session)?;
    agreed(args, capability, &question, session)?;
    let reply = session.io.waiting(&format!("calling {}", capability.name), || {
        fetch(capability, &plan, &loaded.keys, &Client::default())
    });
    let reply = reply.map_err(|error| told(&error, session))?;
    session.io.out_json(&reply.value, layout(session));
    Ok(Exit::Success)
}

/// A call to an MCP server.
fn serve(args: &Call, target: &Target<'_>, manifest: &Manifest, capability: &Capability, keys: &Keys, session: &Session) -> Ending {
    let connector = &manifest.connector;
    let told = |error: &Trouble| call_fault::told(error, connector, keys, session);
    let values = accepted(capability, arguments(args, target, capability)?).map_err(|error| told(&error.into()))?;
    if args.curl {
        return Err(Fault::usage("not_http", format!("`{}` is no HTTP request", capability.name)).hint("`--dry-run` shows the message"));
    }
    if args.dry_run {
        session.io.out_json(&mcp::Session::message(capability, &values), Layout::Pretty);
        return Ok(Exit::Success);
    }
    agreed(args, capability, &question(capability, &values), session)?;
    let settings = mcp::Settings {
        era: args.speaking.era(),
        ..surroundings::settings(&manifest.source, connector)?
    };
    let mut service = Service::new(connector, keys, settings);
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

/// Says which keys a shown request still needs.
fn unset(keys: &[String], session: &Session) {
    if !keys.is_empty() {
        session
            .io
            .progress(&format!("note: no value for {}; set it before you send this\n", keys.join(", ")));
    }
}

/// A request whose own text is the same as a key is not shown as it is sent.
fn say_masked(request: &str, session: &Session) {
    if session.io.clean(request) != request {
        let note = "note: a part of the request is the same as a key; it is masked, so what is shown is not what is sent\n";
        session.io.progress(note);
    }
    session.io.say(request);
}

fn arguments(args: &Call, target: &Target<'_>, capability: &Capability) -> Result<Map<String, Value>, Fault> {
    let mut taken = (args.path == Path::new("-")).then_some("the manifest");
    let text = match args.args.as_deref() {
        Some("-") => Some(input(&mut taken, "the arguments").map_err(|unread| {
            let fault = Fault::usage("bad_arguments", unread.reason);
            unread.help.into_iter().fold(fault, Fault::hint)
        })?),
        text => text.map(str::to_owned),
    };
    let around = Around {
        read: &mut |path| match path {
            "-" => input(&mut taken, "a value"),
            path => file(path),
        },
        lists: &|name| may_be_list(capability, name),
    };
    call_arguments::parse(&target.arguments, text.as_deref(), around).map_err(|error| {
        let fault = Fault::usage("bad_arguments", error.to_string());
        error.help().into_iter().fold(fault, Fault::hint)
    })
}

/// Whether the schema has an argument that may be a list. Without a schema, any may be.
fn may_be_list(capability: &Capability, name: &str) -> bool {
    let Some(schema) = &capability.schema else { return true };
    let properties = Schema::properties(schema);
    let named = properties.iter().find(|property| property.name == name);
    named.is_some_and(|property| property.list || !says_type(property.schema))
}

fn says_type(schema: &Value) -> bool {
    ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|word| schema.get(word).is_some())
}

/// The text of standard input, for the one who asks first.
fn input(taken: &mut Option<&'static str>, what: &'static str) -> Result<String, Unread> {
    if let Some(other) = taken.replace(what) {
        return Err(Unread {
            reason: format!("standard input cannot give both {other} and {what}"),
            help: Some("name a file for one of them".to_owned()),
        });
    }
    read_stream("standard input", std::io::stdin().lock(), LIMITS)
        .map_err(|error| unread(&error))
        .map(text)
}

/// The text of a file that an argument names.
fn file(path: &str) -> Result<String, Unread> {
    let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
    read_file(Path::new(path), LIMITS).map(text).map_err(|error| match folder {
        Some(folder) if matches!(error, ReadError::NotFound { .. }) && !folder.exists() => Unread {
            reason: format!("there is no folder `{}`", folder.display()),
            help: None,
        },
        _ => unread(&error),
    })
}

fn text(source: Source) -> String {
    source.text().to_owned()
}

/// What is not there may be a text that starts with `@`: that is for the arguments to say.
fn unread(error: &ReadError) -> Unread {
    let is_absent = matches!(error, ReadError::NotFound { .. });
    Unread {
        reason: error.to_string(),
        help: error.help().filter(|_| !is_absent).map(str::to_owned),
    }
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
