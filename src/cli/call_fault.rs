//! A call that gave no value, as text, hint and exit code.

use super::exit::Exit;
use super::fault::Fault;
use super::keys::names;
use super::{Session, server_fault};
use crate::diag::plural;
use crate::exec::{CallError, Class, Failure, PlanError};
use crate::keys::{Keys, Origin, Unfit};
use crate::model::{Connector, Transport};
use crate::service::Trouble;

/// As [`of`], for a service of any kind.
pub(super) fn told(error: &Trouble, connector: &Connector, keys: &Keys, session: &Session) -> Fault {
    match error {
        Trouble::Call(error) => of(error, connector, keys, session),
        Trouble::Mcp(failure) => server_fault::of(failure, connector, keys, session),
    }
}

/// A text that could not be fetched: no connector and no key is in it.
pub(super) fn unfetched(message: String, failure: &Failure) -> Fault {
    Fault::new(exit(failure), code(failure), message)
        .cause(failure.to_string())
        .status(failure.status())
}

pub(super) fn of(error: &CallError, connector: &Connector, keys: &Keys, session: &Session) -> Fault {
    let message = error.to_string();
    match error {
        CallError::Arguments { capability, problems } => arguments(capability, problems, connector),
        CallError::Schema { .. } => Fault::new(Exit::Findings, "bad_schema", message),
        CallError::Pick(_) => {
            Fault::new(Exit::Findings, "missing_path", message).hint("set `result.path` to where the answer has what you want")
        }
        CallError::Plan(error) => plan(error, connector),
        CallError::Failure(failure) => sent(failure, connector, keys, session),
    }
}

fn arguments(capability: &str, problems: &[crate::model::ArgumentProblem], connector: &Connector) -> Fault {
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let fault = match texts.as_slice() {
        [text] if text.starts_with("needs ") => Fault::usage("bad_arguments", format!("`{capability}` {text}")),
        [text] => Fault::usage("bad_arguments", format!("`{capability}`: {text}")),
        _ => problems.iter().fold(
            Fault::usage("bad_arguments", format!("`{capability}` cannot be called like this")),
            |fault, problem| match &problem.help {
                Some(help) => fault.cause(format!("{problem}: {help}")),
                None => fault.cause(problem.to_string()),
            },
        ),
    };
    let hint = problems
        .first()
        .filter(|_| problems.len() == 1)
        .and_then(|problem| problem.help.clone());
    match hint.or_else(|| signature(capability, connector)) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

fn signature(capability: &str, connector: &Connector) -> Option<String> {
    connector
        .capabilities
        .iter()
        .find(|one| one.name == capability)
        .map(|one| one.signature.clone())
}

fn plan(error: &PlanError, connector: &Connector) -> Fault {
    let fault = Fault::usage("cannot_plan", error.to_string());
    match error {
        PlanError::MissingArgument { capability, names } => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let arguments = plural(names.len(), "argument");
            let message = format!("`{capability}` needs the {arguments} {} for its path", names.join(" and "));
            let fault = Fault { message, ..fault };
            match signature(capability, connector) {
                Some(signature) => fault.hint(signature),
                None => fault,
            }
        }
        _ => fault,
    }
}

fn sent(failure: &Failure, connector: &Connector, keys: &Keys, session: &Session) -> Fault {
    let lacks_key = matches!(failure, Failure::Refused { .. }) && without_value(connector, keys).is_some();
    let exit = if lacks_key { Exit::Key } else { exit(failure) };
    let fault = Fault::new(exit, code(failure), failure.to_string()).status(failure.status());
    match hint(failure, connector, keys, session) {
        Some(hint) => fault.hint(hint),
        None => fault,
    }
}

pub(super) fn exit(failure: &Failure) -> Exit {
    match failure.class() {
        Class::Key => Exit::Key,
        Class::Unreachable => Exit::Unreachable,
        Class::Service => Exit::Service,
    }
}

pub(super) fn code(failure: &Failure) -> &'static str {
    match failure {
        Failure::KeyMissing { .. } => "key_missing",
        Failure::KeyUnfit { .. } => "key_unfit",
        Failure::KeyRefused { .. } => "key_refused",
        Failure::Refused { .. } => "refused",
        Failure::TooManyRequests { .. } => "too_many_requests",
        Failure::Answered { .. } => "answered",
        Failure::RedirectOutside { .. } | Failure::TooManyRedirects { .. } | Failure::RedirectUnfit { .. } => "redirect",
        Failure::Blocked(_) => "blocked",
        Failure::Unreachable { .. } => "unreachable",
        Failure::Insecure { .. } => "insecure",
        Failure::TooSlow { .. } => "too_slow",
        Failure::TooLarge { .. } => "too_large",
        Failure::CutShort { .. } => "cut_short",
        Failure::Malformed { .. } => "malformed",
        Failure::Encoding { .. } => "encoding",
        Failure::TooDeep { .. } => "too_deep",
        Failure::Unsendable { .. } => "unsendable",
    }
}

pub(super) fn hint(failure: &Failure, connector: &Connector, keys: &Keys, session: &Session) -> Option<String> {
    match failure {
        Failure::KeyMissing { name } => Some(format!("{}, or set {name} for this run", kept(name, connector, session))),
        Failure::KeyUnfit { name, problem } => Some(match problem {
            Unfit::LineBreak => format!("set {name} again, as one line"),
            Unfit::Control => format!("set {name} again, without tabs and other control characters"),
            Unfit::NotAscii => format!("copy {name} again from the service: a letter, dash or quote in it has been changed"),
        }),
        Failure::KeyRefused { .. } => origin(connector, keys, session),
        Failure::Refused { .. } => unset(connector, keys, session),
        Failure::RedirectOutside { .. } => Some(match connector.transport {
            Transport::Http(_) => "if the service has moved, set `http.base` to its new address".to_owned(),
            _ => "if the server has moved, give its new address as `url`".to_owned(),
        }),
        Failure::TooLarge { .. } => Some("ask for less: a page size, a filter".to_owned()),
        Failure::Insecure { .. } => Some("SSL_CERT_FILE names a file of certificates to trust in place of the system's".to_owned()),
        Failure::Answered { status: 404 | 405, .. } => Some(format!("`{}` shows the request", session.brand.command("call … --dry-run"))),
        _ => None,
    }
}

/// Where the refused key came from.
pub(super) fn origin(connector: &Connector, keys: &Keys, session: &Session) -> Option<String> {
    let names = names(connector);
    let (name, origin) = names.iter().find_map(|name| Some((name, keys.origin(name)?)))?;
    let again = match origin {
        Origin::Environment => "set it again".to_owned(),
        _ => format!("set it again with {}", kept(name, connector, session)),
    };
    Some(format!(
        "{name} came from {}; {again}, or look whether it may do this",
        origin.words()
    ))
}

/// The command that keeps a key.
fn kept(name: &str, connector: &Connector, session: &Session) -> String {
    format!("`{}`", session.brand.command(&format!("secret set {} {name}", connector.name)))
}

/// The declared keys that were not sent.
pub(super) fn unset(connector: &Connector, keys: &Keys, session: &Session) -> Option<String> {
    let names = without_value(connector, keys)?;
    let first = names.split(", ").next().unwrap_or(&names);
    Some(format!(
        "{}, or set {names} for this run; it was sent without",
        kept(first, connector, session)
    ))
}

/// The declared keys that have no value, if there are any.
pub(super) fn without_value(connector: &Connector, keys: &Keys) -> Option<String> {
    let names: Vec<String> = names(connector).into_iter().filter(|name| !keys.has(name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
