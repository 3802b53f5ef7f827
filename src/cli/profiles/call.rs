//! `chatpilot profiles call`: one tool of a profile, once.

use serde_json::{Map, Value};

use super::open::{self, Open, awaited};
use crate::cli::args::ProfilesCall;
use crate::cli::call_arguments::{self, Around, Unread};
use crate::cli::exit::Exit;
use crate::cli::fault::Fault;
use crate::cli::io::Layout;
use crate::cli::{Ending, Session, call_fault};
use crate::exec::{CallError, Client, Mask, Plan, Reply, dry_run, fetch, prepare};
use crate::keys::Keys;
use crate::model::Capability;

pub(crate) fn run(args: &ProfilesCall, session: &mut Session) -> Ending {
    let source = open::with_tool(&args.pack, &args.tool)?;
    let open = open::open(source, &args.connection)?;
    let mut loaded = open.keys(session)?;
    let capability = open.capability(&args.tool)?;
    if args.dry_run {
        let lacking = loaded.lacking(&open.connector, capability);
        awaited(&mut loaded.keys, &lacking);
    }
    let plan = prepare(&open.connector, capability, arguments(&args.arguments)?, &loaded.keys)
        .map_err(|error| told(&error, &open, &loaded.keys, session))?;
    if args.dry_run {
        session.io.say(&shown(&plan, &loaded.keys, &open, session));
        return Ok(Exit::Success);
    }
    loaded.given(&open.connector, capability, "`--dry-run` to see the request", session)?;
    let reply = sent(&open, capability, &plan, &loaded.keys, session)?;
    let layout = if session.io.facts.stdout_terminal {
        Layout::Pretty
    } else {
        Layout::OneLine
    };
    session.io.out_json(&reply.value, layout);
    Ok(Exit::Success)
}

/// Counts the request and sends it.
pub(super) fn sent(open: &Open, capability: &Capability, plan: &Plan, keys: &Keys, session: &Session) -> Result<Reply, Fault> {
    open.count()?;
    let reply = session.io.waiting(&format!("calling {}", capability.name), || {
        fetch(capability, plan, keys, &Client::default())
    });
    reply.map_err(|error| told(&error, open, keys, session))
}

pub(super) fn told(error: &CallError, open: &Open, keys: &Keys, session: &Session) -> Fault {
    match error {
        CallError::Pick(error) => Fault::new(Exit::Service, "not_the_answer", format!("{}: {error}", open.base.authority()))
            .hint("the service may say so when a request failed; if not, correct `items` and `returns`"),
        error => call_fault::of(error, &open.connector, keys, session),
    }
}

fn shown(plan: &Plan, keys: &Keys, open: &Open, session: &Session) -> String {
    let mask = if session.io.facts.unicode { Mask::Dots } else { Mask::Stars };
    dry_run(plan, keys, &open.source, mask)
}

fn arguments(words: &[String]) -> Result<Map<String, Value>, Fault> {
    let around = Around {
        read: &mut |_| {
            Err(Unread {
                reason: "a tool takes no files".to_owned(),
                help: None,
            })
        },
        lists: &|_| false,
    };
    call_arguments::parse(words, None, around).map_err(|error| {
        let fault = Fault::usage("bad_arguments", error.to_string());
        error.help().into_iter().fold(fault, Fault::hint)
    })
}
