//! Remote servers: streamable HTTP over https, at a public address.

use serde_json::Value;

use super::argument::{input, parts, plain};
use super::text::{exact, list};
use super::{Input, Kind, Part, Shape, Unsupported, Way, unsupported};
use crate::model::{Base, is_forbidden_header, is_header_name};

pub(super) fn way(remote: &Value) -> Result<Way, Unsupported> {
    match remote["type"].as_str() {
        Some("streamable-http") => {}
        Some(other) if other.len() < 20 => return unsupported(format!("is a remote server that speaks `{other}`, not streamable HTTP")),
        _ => return unsupported("is a remote server that does not say how it speaks"),
    }
    let Some(text) = exact(&remote["url"]) else {
        return unsupported("is a remote server without an address");
    };
    plain(text)?;
    let mut inputs = Vec::new();
    let url = parts(text, &remote["variables"], &mut inputs)?;
    for input in &mut inputs {
        // An address with a hole in it is none.
        input.required = true;
    }
    if let [Part::Text(whole)] = url.as_slice() {
        address(whole)?;
    } else if !text.starts_with("https://") && !text.starts_with('{') {
        return unsupported("has an address that is not `https`");
    }
    Ok(Way {
        kind: Kind::Remote,
        what: text.to_owned(),
        shape: Shape::Remote { url },
        keys: headers(&remote["headers"])?,
        inputs,
    })
}

/// A public address of https; never this computer or an inner network.
pub(super) fn address(text: &str) -> Result<Base, Unsupported> {
    if text.contains('#') {
        return unsupported("has an address with a fragment");
    }
    match Base::target(text) {
        Ok(base) => Ok(base),
        Err(why) => unsupported(format!("has an address that cannot be used: {why}")),
    }
}

fn headers(listed: &Value) -> Result<Vec<Input>, Unsupported> {
    let mut keys: Vec<Input> = Vec::new();
    for header in list(listed).iter().take(50) {
        let name = header["name"].as_str().unwrap_or_default();
        if !is_header_name(name) || is_forbidden_header(name) || name.len() > 100 {
            return unsupported("wants a header that cannot be sent");
        }
        if keys.iter().all(|other| !other.name.eq_ignore_ascii_case(name)) {
            keys.push(input(name, header));
        }
    }
    Ok(keys)
}
