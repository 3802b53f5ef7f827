//! How a conversation begins, in either era. The first message fixes the era: a server that has
//! answered one way is never asked the other way on the same connection, unless it has said that
//! it does not know the question.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::failure::{Failure, Why};
use super::limits::Limits;
use super::link::{Answered, Link};
use super::message::{RpcError, texts};
use super::version::{Dialect, LEGACY, MODERN, MODERN_CODES, WRONG_VERSION, client, common, known};

/// How an opening went on.
pub(super) enum Opened {
    Ready,
    /// The server is of the other era; a fresh connection is to be opened that way.
    Other,
}

/// `initialize` and its notification.
pub(super) fn initialize(link: &mut Link<'_>, limits: &Limits, notes: &mut Vec<String>) -> Result<Opened, Failure> {
    let mut answer = ask_to_initialize(link, LEGACY[0], limits.call)?;
    if let Err(error) = &answer {
        if error.code == Some(WRONG_VERSION) {
            return Ok(Opened::Other);
        }
        if let Some(version) = common(&LEGACY, &error.supported()) {
            answer = ask_to_initialize(link, version, limits.call)?;
        }
    }
    let (result, _) = answer.map_err(|error| link.refused("initialize", &error))?;
    let version = match &result["protocolVersion"] {
        Value::String(version) if LEGACY.contains(&version.as_str()) => version.clone(),
        Value::String(version) if !version.is_empty() => return Err(wrong_version(link, version)),
        Value::Null => return Err(link.malformed("initialize", "names no version of the protocol (`protocolVersion`)")),
        _ => return Err(link.malformed("initialize", "has a `protocolVersion` that is no version")),
    };
    if result["capabilities"].is_null() {
        notes.push(format!("`{}` does not say what it can do (`capabilities`)", link.server));
    } else if !result["capabilities"]["tools"].is_object() {
        let server = link.server.clone();
        return Err(Why::NoTools { server }.into());
    }
    if !result["serverInfo"].is_object() {
        notes.push(format!("`{}` does not say what it is (`serverInfo`)", link.server));
    }
    link.speak(Dialect::Legacy(version));
    link.notify("notifications/initialized", None);
    link.listen();
    Ok(Opened::Ready)
}

fn ask_to_initialize(link: &mut Link<'_>, version: &str, limit: Duration) -> Result<Answered, Failure> {
    let params = json!({"protocolVersion": version, "capabilities": link.input.capabilities(), "clientInfo": client()});
    link.ask("initialize", object(params), limit)
}

/// `server/discover`, for a server that is known to be of the newer era.
pub(super) fn discover(link: &mut Link<'_>, limits: &Limits) -> Result<Opened, Failure> {
    link.speak(Dialect::Modern(MODERN[0].to_owned()));
    let answer = link.ask("server/discover", Map::new(), limits.call)?;
    discovered(link, answer, limits)
}

/// `server/discover`, to see which era a server is of. Silence and every error but those of the
/// newer era mean the older one.
pub(super) fn probe(link: &mut Link<'_>, limits: &Limits) -> Result<Opened, Failure> {
    link.speak(Dialect::Modern(MODERN[0].to_owned()));
    match link.probe("server/discover", limits.silence)? {
        Some(Err(error)) if !is_modern(&error) => Ok(Opened::Other),
        Some(answer) => discovered(link, answer, limits),
        None => Ok(Opened::Other),
    }
}

pub(super) fn is_modern(error: &RpcError) -> bool {
    error.code.is_some_and(|code| MODERN_CODES.contains(&code))
}

fn discovered(link: &mut Link<'_>, answer: Answered, limits: &Limits) -> Result<Opened, Failure> {
    let (result, again) = match answer {
        Ok((result, _)) => (Ok(result), false),
        Err(error) if error.code == Some(WRONG_VERSION) => (Err(error.supported()), true),
        Err(error) => return Err(link.refused("server/discover", &error)),
    };
    let versions = match &result {
        Ok(result) => texts(&result["supportedVersions"]),
        Err(versions) => versions.clone(),
    };
    if versions.is_empty() {
        return Err(link.malformed("server/discover", "names no version of the protocol"));
    }
    let Some(version) = common(&MODERN, &versions) else {
        return match (result.is_ok(), common(&LEGACY, &versions)) {
            (true, Some(_)) => Ok(Opened::Other),
            _ => Err(wrong_version(link, &versions.join(", "))),
        };
    };
    link.speak(Dialect::Modern(version.to_owned()));
    let result = match result {
        Ok(result) => result,
        Err(_) if again => link.result("server/discover", Map::new(), limits.call)?.0,
        Err(_) => Value::Null,
    };
    if result.is_object() && !result["capabilities"]["tools"].is_object() {
        let server = link.server.clone();
        return Err(Why::NoTools { server }.into());
    }
    Ok(Opened::Ready)
}

fn wrong_version(link: &Link<'_>, offered: &str) -> Failure {
    Why::Version {
        server: link.server.clone(),
        offered: link.shown(offered),
        known: known(),
    }
    .into()
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
