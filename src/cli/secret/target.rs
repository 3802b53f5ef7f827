//! Which key the words of a command line mean. A word that is too many, or no name, may be a value
//! that somebody typed there: it is refused without being shown.

use std::ffi::OsString;
use std::path::Path;

use super::super::fault::Fault;
use super::super::{Brand, Session, installed, keys, manifest};
use crate::keys::{KeyName, is_connector};
use crate::model::{Connector, credential, nearest};

pub(super) fn key(name: &OsString, words: &[OsString], session: &Session) -> Result<KeyName, Fault> {
    let Some(text) = name.to_str() else { return Err(no_name(session)) };
    match words {
        [] => alone(text, session),
        [key] if session.brand != Brand::ChatPilot => {
            let key = key
                .to_str()
                .filter(|key| !looks_like_a_value(key))
                .ok_or_else(|| stray(text, session))?;
            pair(text, key, session)
        }
        _ => Err(stray(text, session)),
    }
}

/// The keys that one word means: all of a connector's, or the one of that name.
pub(super) fn keys_of(name: &OsString, session: &Session) -> Result<Vec<KeyName>, Fault> {
    let Some(text) = name.to_str() else { return Err(no_name(session)) };
    match connector(text, session)? {
        Some(connector) => Ok(declared(&connector)),
        None => own(text, session).map(|name| vec![name]),
    }
}

fn alone(text: &str, session: &Session) -> Result<KeyName, Fault> {
    let Some(connector) = connector(text, session)? else {
        return own(text, session);
    };
    let mut names = declared(&connector);
    match names.len() {
        1 => Ok(names.remove(0)),
        0 => Err(Fault::usage("no_keys", format!("{} declares no keys", connector.name))),
        _ => {
            let keys: Vec<&str> = names.iter().map(KeyName::key).collect();
            Err(Fault::usage(
                "which_key",
                format!("{} declares several keys: {}", connector.name, keys.join(", ")),
            )
            .hint(format!(
                "name one: `{}`",
                session.brand.command(&format!("secret set {text} {}", keys[0]))
            )))
        }
    }
}

fn pair(text: &str, key: &str, session: &Session) -> Result<KeyName, Fault> {
    let Some(connector) = connector(text, session)? else {
        // Not installed yet: what it will declare is not known.
        if !is_connector(text) {
            return Err(stray(text, session));
        }
        return KeyName::of_connector(text, key).ok_or_else(|| stray(text, session));
    };
    let names = declared(&connector);
    if let Some(at) = names.iter().position(|name| name.key() == key) {
        return Ok(names[at].clone());
    }
    let fault = Fault::usage("no_such_key", format!("{} declares no key of that name", connector.name));
    Err(match nearest(key, names.iter().map(KeyName::key)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None if names.is_empty() => fault.hint("it declares none; keys stand in `env`"),
        None => fault.hint(format!(
            "it declares {}",
            names.iter().map(KeyName::key).collect::<Vec<_>>().join(", ")
        )),
    })
}

/// The connector at a path, or the installed one of that name.
fn connector(text: &str, session: &Session) -> Result<Option<Connector>, Fault> {
    if session.brand == Brand::ChatPilot {
        return Ok(None);
    }
    let path = Path::new(text);
    let is_path = text.contains(['/', '\\']) || text.starts_with('.') || path.extension().is_some();
    if is_path && path.exists() {
        return manifest::sound(path, session).map(|manifest| Some(manifest.connector));
    }
    if !is_connector(text) {
        return Ok(None);
    }
    Ok(installed::connector(text))
}

fn declared(connector: &Connector) -> Vec<KeyName> {
    let names = keys::names(connector);
    names.iter().filter_map(|key| KeyName::of_connector(&connector.name, key)).collect()
}

fn own(text: &str, session: &Session) -> Result<KeyName, Fault> {
    if text.contains('=') || looks_like_a_value(text) {
        return Err(stray("NAME", session));
    }
    if session.brand != Brand::ChatPilot && is_connector(text) {
        let hint = format!("name the key: `{}`", session.brand.command(&format!("secret set {text} KEY")));
        return Err(Fault::usage("which_key", format!("`{text}` is not installed, so its keys are not known")).hint(hint));
    }
    KeyName::own(text).ok_or_else(|| no_name(session))
}

/// Keys of services that are known by their letters, and what looks random.
fn looks_like_a_value(word: &str) -> bool {
    credential::masked(word) != word || credential::find(word).next().is_some() || credential::is_random(word)
}

fn no_name(session: &Session) -> Fault {
    let hint = match session.brand {
        Brand::ChatPilot => "a name is letters, digits and `_`, such as mcp_tracker_key",
        _ => "give a connector and its key, such as `tides TIDES_KEY`, a path, or a name of letters, digits and `_`",
    };
    Fault::usage("bad_name", "that is no name of a key").hint(hint)
}

fn stray(name: &str, session: &Session) -> Fault {
    let known = KeyName::own(name)
        .filter(|_| !looks_like_a_value(name))
        .map_or_else(|| "NAME".to_owned(), |_| name.to_owned());
    let known = if is_connector(&known) { format!("{known} KEY") } else { known };
    Fault::usage(
        "value_in_words",
        "a secret is not given on the command line: it would stay in your shell history",
    )
    .hint(format!(
        "run `{}` and paste it, or pipe it in. If that value was real, replace it at the service.",
        session.brand.command(&format!("secret set {known}"))
    ))
}
