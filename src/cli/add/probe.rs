//! Looks at a server: starts it in an empty folder, or reaches it, lists its tools, and ends it.

use std::path::Path;
use std::time::Duration;

use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::{Session, call_fault, interrupt, server_fault, surroundings};
use crate::exec;
use crate::keys::Keys;
use crate::mcp::{self, Era, Failure, Limits, Settings, Tool, Why};
use crate::model::{Connector, Transport, nearest};

/// How long a server may take for its first answer: a package may have to be fetched.
const FIRST: Duration = Duration::from_secs(60);
/// Commands that start servers, for one that is misspelt.
const RUNNERS: [&str; 12] = [
    "npx", "uvx", "node", "python3", "python", "docker", "podman", "bunx", "deno", "pipx", "npm", "uv",
];

/// What was seen.
pub(super) struct Seen {
    pub(super) tools: Vec<Tool>,
    pub(super) notes: Vec<String>,
    pub(super) era: Option<Era>,
}

/// The tools of a server.
pub(super) fn list(connector: &Connector, keys: &Keys, era: Era, session: &Session) -> Result<Seen, Fault> {
    within(connector, keys, era, session, |server| {
        let tools = server.tools()?.to_vec();
        Ok(Seen {
            tools,
            notes: server.notes(),
            era: server.era(),
        })
    })
}

/// Starts it anew and holds it to what was reviewed, as every later call does.
pub(super) fn again(connector: &Connector, keys: &Keys, era: Option<Era>, session: &Session) -> Result<(), Fault> {
    within(connector, keys, era.unwrap_or_default(), session, |server| server.refresh())
}

fn within<T>(
    connector: &Connector,
    keys: &Keys,
    era: Era,
    session: &Session,
    look: impl FnOnce(&mut mcp::Session<'_>) -> Result<T, Failure>,
) -> Result<T, Fault> {
    let folder = interrupt::scratch()
        .map_err(|error| Fault::new(Exit::Usage, "no_folder", "cannot make an empty folder to start it in").cause(error.to_string()))?;
    let settings = Settings {
        limits: Limits {
            call: FIRST,
            ..Limits::default()
        },
        era,
        ..surroundings::settings_in(folder.path().to_owned())
    };
    let mut server = mcp::Session::new(connector, keys, settings);
    let what = format!("listing the tools of {}", connector.name);
    let looked = session.io.waiting(&what, || look(&mut server));
    server.close();
    looked.map_err(|failure| told(&failure, connector, keys, session))
}

/// A word of the command that is a path from here, which is not where it starts.
fn here(connector: &Connector) -> Option<String> {
    let Transport::Program { command, args } = &connector.transport else {
        return None;
    };
    let words = std::iter::once(command).filter(|word| word.contains('/')).chain(args);
    let mut relative = words.filter(|word| !word.is_empty() && Path::new(word).is_relative());
    let (word, path) = relative.find_map(|word| Some((word, Path::new(word).canonicalize().ok()?)))?;
    Some(format!(
        "it starts in a folder of its own, where there is no `{word}`: write {}",
        path.display()
    ))
}

fn told(failure: &Failure, connector: &Connector, keys: &Keys, session: &Session) -> Fault {
    let fault = server_fault::of(failure, connector, keys, session);
    let hint = match &*failure.why {
        Why::NotInPath { command, .. } => match nearest(command, RUNNERS) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => Some(format!("install `{command}`, or give its whole path")),
        },
        Why::Ended { .. } | Why::NoProgram { .. } if here(connector).is_some() => here(connector),
        Why::SignIn { .. } | Why::Http(exec::Failure::Refused { .. }) => {
            let unset = call_fault::without_value(connector, keys);
            let given = unset.map(|names| format!("set {names} in the environment of this run: `add` asks no store"));
            given.or_else(|| fault.hint.clone())
        }
        Why::NoProgram { .. } => Some("give the whole path of a program".to_owned()),
        Why::Offer(_) | Why::Changed { .. } => {
            Some("it changed while you looked at it, so nothing was written; do not trust it without asking its makers why".to_owned())
        }
        _ => fault.hint.clone(),
    };
    Fault { hint, ..fault }
}
