//! What an MCP server did not do, as text, hint and exit code, with what the program wrote.

use super::Session;
use super::call_fault;
use super::exit::Exit;
use super::fault::Fault;
use crate::diag::count;
use crate::keys::Keys;
use crate::mcp::{Change, Class, Failure, Said, Why};
use crate::model::Connector;

pub(super) fn of(failure: &Failure, connector: &Connector, keys: &Keys, session: &Session) -> Fault {
    let (exit, code) = (exit(failure.class()), code(&failure.why));
    let mut fault = Fault::new(exit, code, failure.to_string()).status(status(&failure.why));
    if let Why::Changed { changes, .. } = &*failure.why {
        fault = changes.iter().fold(fault, changed);
    }
    fault = wrote(&failure.said, fault);
    match hint(failure, connector, keys, session) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

fn exit(class: Class) -> Exit {
    match class {
        Class::Key => Exit::Key,
        Class::Unreachable => Exit::Unreachable,
        Class::Service => Exit::Service,
        Class::Connector => Exit::Findings,
    }
}

fn code(why: &Why) -> &'static str {
    match why {
        Why::NotInPath { .. } | Why::NoProgram { .. } => "no_program",
        Why::Ended { .. } => "program_ended",
        Why::TooSlow { .. } => "too_slow",
        Why::TooLarge { .. } => "too_large",
        Why::Malformed { .. } => "malformed",
        Why::Refused { .. } => "refused",
        Why::Version { .. } => "version",
        Why::NoTools { .. } => "no_tools",
        Why::Paging { .. } => "endless_list",
        Why::Offer(_) => "tools_differ",
        Why::Changed { .. } => "tool_changed",
        Why::Tool { .. } => "tool_error",
        Why::NeedsInput { .. } | Why::InputRefused { .. } => "needs_input",
        Why::SessionLost { .. } => "session_lost",
        Why::OldTransport { .. } => "old_transport",
        Why::SignIn { refused, .. } if !refused.is_empty() => "key_refused",
        Why::SignIn { .. } => "sign_in",
        Why::Http(failure) => call_fault::code(failure),
    }
}

fn status(why: &Why) -> Option<u16> {
    match why {
        Why::Http(failure) => failure.status(),
        Why::SignIn { status, .. } => Some(*status),
        _ => None,
    }
}

fn changed(fault: Fault, change: &Change) -> Fault {
    let has = if change.part.ends_with('s') { "have" } else { "has" };
    let fault = fault.cause(format!("its {} {has} changed", change.part));
    change.lines.iter().fold(fault, |fault, line| fault.cause(line.clone()))
}

fn wrote(said: &Said, fault: Fault) -> Fault {
    let fault = said
        .stderr
        .iter()
        .fold(fault, |fault, line| fault.cause(format!("it wrote: {line}")));
    match &said.noise {
        Some(noise) => fault.cause(format!(
            "{} on its standard output were no messages; the first is `{}`",
            count(noise.lines, "line"),
            noise.first
        )),
        None => fault,
    }
}

fn hint(failure: &Failure, connector: &Connector, keys: &Keys, session: &Session) -> Option<String> {
    match &*failure.why {
        Why::NotInPath { command, .. } => Some(format!("install `{command}`, or set `command` to where it is")),
        Why::NoProgram { .. } => Some("set `command` to a program; a relative path starts at the connector's folder".to_owned()),
        Why::Ended { .. } => unset(connector, keys),
        Why::TooSlow { .. } => Some("the program is stopped; the next call starts it again".to_owned()),
        Why::Offer(_) if connector.imported => Some("add the server again and review its tools".to_owned()),
        Why::Offer(_) => Some("declare every tool that the program offers as a capability, and no other".to_owned()),
        Why::Changed { .. } => Some("add the server again and review the tool before you use it".to_owned()),
        Why::SignIn { .. } => call_fault::origin(connector, keys, session)
            .or_else(|| call_fault::unset(connector, keys, session))
            .or_else(|| Some("where a token does too, declare its header: `--header Authorization` of `add`, or `headers`".to_owned())),
        Why::Http(failure) => call_fault::hint(failure, connector, keys, session),
        _ => None,
    }
}

/// The declared keys that the program was given empty.
fn unset(connector: &Connector, keys: &Keys) -> Option<String> {
    call_fault::without_value(connector, keys).map(|names| format!("perhaps it needs {names}, which had no value"))
}
