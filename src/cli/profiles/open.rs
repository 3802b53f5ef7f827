//! One profile without errors, at the address that its owner filled in.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::cli::args::Connection;
use crate::cli::exit::Exit;
use crate::cli::fault::Fault;
use crate::cli::io::variable;
use crate::cli::{Session, keys, paths};
use crate::diag::{Level, count};
use crate::exec::rate::{self, RateError};
use crate::format::pack;
use crate::keys::{Keys, Origin};
use crate::model::{Base, Capability, Connector, Transport, listed, nearest};
use crate::rules::pack::{FieldError, check, filled};
use crate::source::{Limits, Source, parse_yaml, read_file};

/// A profile that can be called.
pub(super) struct Open {
    pub(super) source: Source,
    pub(super) connector: Connector,
    pub(super) base: Base,
    pub(super) check: Option<String>,
}

/// The files of a pack whose profile has a tool, or all of them.
pub(super) fn with_tool(pack: &Path, tool: &str) -> Result<Source, Fault> {
    let mut found = Vec::new();
    let mut names = Vec::new();
    for file in super::profiles(pack)? {
        let source = read_file(&file, Limits::MANIFEST).map_err(|error| paths::unreadable(&error))?;
        let tools = tools(&source);
        if tools.iter().any(|name| name == tool) {
            found.push(source);
        }
        names.extend(tools);
    }
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(no_tool(pack, tool, &names)),
        _ => Err(Fault::usage(
            "ambiguous_tool",
            format!("{} profiles of {} have a tool `{tool}`", found.len(), pack.display()),
        )
        .hint("name the file of the one that you mean")),
    }
}

fn no_tool(pack: &Path, tool: &str, names: &[String]) -> Fault {
    let fault = Fault::usage("no_such_tool", format!("{} has no tool `{tool}`", pack.display()));
    let names = || names.iter().map(String::as_str);
    match nearest(tool, names()) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None if names().next().is_none() => fault.hint("`chatpilot profiles check` says what is wrong with it"),
        None => fault.hint(format!("it has {}", listed(names()))),
    }
}

fn tools(source: &Source) -> Vec<String> {
    let Ok(doc) = parse_yaml(source.clone(), Limits::MANIFEST) else {
        return Vec::new();
    };
    let loaded = pack::load(&doc);
    let tools = loaded.profile.api.iter().flat_map(|api| &api.tools);
    tools.map(|tool| tool.name.to_owned()).collect()
}

/// A profile with its address; one with errors is a failure that names `check`.
pub(super) fn open(source: Source, connection: &Connection) -> Result<Open, Fault> {
    let errors = check(source.clone()).iter().filter(|finding| finding.level == Level::Error).count();
    let name = source.name().to_owned();
    let wrong = || {
        Fault::new(Exit::Findings, "profile_wrong", format!("{name} has {}", count(errors, "error")))
            .hint(format!("`chatpilot profiles check {name}` shows them"))
    };
    if errors > 0 {
        return Err(wrong());
    }
    let doc = parse_yaml(source.clone(), Limits::MANIFEST).map_err(|_| wrong())?;
    let loaded = pack::load(&doc);
    let Some(api) = &loaded.profile.api else {
        return Err(Fault::usage("no_api", format!("{name} has no `api` block")).hint("only the tools of an `api` block can be called"));
    };
    let base_url = api.base_url.ok_or_else(wrong)?;
    let base = filled(&base_url, &values(&connection.fields)?).map_err(|error| unfilled(&error))?;
    let profile = loaded.profile.name.map(|name| name.text).unwrap_or_default();
    let key = connection.key.clone().unwrap_or_else(|| key_name(profile));
    let connector = pack::lower(&loaded.profile, base.clone(), &key).ok_or_else(wrong)?;
    Ok(Open {
        source,
        connector,
        base,
        check: api.check.map(|check| check.text.to_owned()),
    })
}

/// The name of a profile's key, as `secret set` takes it: `mcp_tracker_key`.
fn key_name(profile: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    format!("mcp_{}_key", profile.chars().map(letter).collect::<String>())
}

fn values(words: &[String]) -> Result<Vec<(String, String)>, Fault> {
    let pair = |word: &String| {
        let (name, value) = word.split_once('=')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    words
        .iter()
        .map(|word| {
            pair(word)
                .ok_or_else(|| Fault::usage("bad_field", "`--field` takes `name=value`").hint("write `--field domain=tracker.example.com`"))
        })
        .collect()
}

fn unfilled(error: &FieldError) -> Fault {
    let fault = Fault::usage("bad_field", error.to_string());
    match error {
        FieldError::Missing { name } => fault.hint(format!("add `--field {name}=…`")),
        FieldError::Letters { name } => fault.hint(format!("give the host alone, as in `--field {name}=tracker.example.com`")),
        FieldError::Local { .. } => fault.hint("only a `base_url` that is written with `http://` may lead to this computer"),
        FieldError::Unknown { .. } | FieldError::Address(_) => fault,
    }
}

impl Open {
    pub(super) fn capability(&self, tool: &str) -> Result<&Capability, Fault> {
        let found = self.connector.capabilities.iter().find(|capability| capability.name == tool);
        found.ok_or_else(|| Fault::usage("no_such_tool", format!("{} has no tool `{tool}`", self.connector.name)))
    }

    /// The profile's key, when it has one.
    pub(super) fn keys(&self, session: &mut Session) -> Result<keys::Loaded, Fault> {
        keys::load(&self.connector, session)
    }

    /// Counts one request against the profile's limit.
    pub(super) fn count(&self) -> Result<(), Fault> {
        let Transport::Http(http) = &self.connector.transport else {
            return Ok(());
        };
        let Some(per_minute) = http.per_minute else { return Ok(()) };
        let service = format!("{}@{}", self.connector.name, self.base.authority());
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        rate::enter(&state()?.join("rates"), &service, per_minute, clock).map_err(|error| match error {
            RateError::Full { .. } => {
                Fault::new(Exit::Service, "too_many_requests", error.to_string()).hint("wait, or raise `limits.per_minute`")
            }
            RateError::Unwritable { .. } => {
                Fault::usage("no_state", error.to_string()).hint("make it writable, or set XDG_STATE_HOME to another folder")
            }
        })
    }
}

/// Where this program keeps what outlives a run.
fn state() -> Result<PathBuf, Fault> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
        .map(|folder| folder.join("becket"))
        .ok_or_else(|| Fault::usage("no_state", "there is no folder to count requests in").hint("set HOME or XDG_STATE_HOME"))
}

/// What came from where, so that a shown request can say so.
pub(super) fn awaited(keys: &mut Keys, names: &[String]) {
    for name in names {
        if keys.origin(name).is_none_or(|origin| origin != Origin::Environment) {
            keys.await_value(name);
        }
    }
}
