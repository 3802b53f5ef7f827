//! Packages of npm, as `npx` names them: `[@scope/]name[@version]`, or an address.

use super::Spec;

pub(super) fn spec(text: &str) -> Spec {
    if text.starts_with(['.', '/', '~']) || text.starts_with("file:") {
        return Spec::Local;
    }
    let (before, bare) = match text.strip_prefix("npm:") {
        Some(bare) => ("npm:", bare),
        None => ("", text),
    };
    let scope = bare.starts_with('@').then(|| bare.find('/')).flatten().map_or(0, |slash| slash + 1);
    let end = bare[scope..].find('@').map_or(bare.len(), |at| scope + at);
    let (name, version) = (&bare[..end], bare[end..].trim_start_matches('@'));
    if !is_name(name) || version.contains(':') {
        return Spec::address(text, text.rsplit_once('#').map(|(_, commit)| commit));
    }
    // What `deno` runs of a package: `npm:name@1.2.3/bin`.
    let plain = version.split('/').next().unwrap_or_default();
    match is_exact(plain) {
        true => Spec::Exact { name: name.to_owned() },
        false => Spec::Loose {
            name: name.to_owned(),
            asked: version.to_owned(),
            lead: Some(format!("{before}{name}@")),
        },
    }
}

fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        !part.is_empty() && !part.starts_with(['.', '-']) && part.bytes().all(letter)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(name),
    }
}

/// `1.2.3`, `1.2.3-beta.1`, `1.2.3+build`.
fn is_exact(version: &str) -> bool {
    numbers(version).is_some()
}

/// The three numbers of a version, and what follows them.
fn numbers(version: &str) -> Option<([u64; 3], &str)> {
    let end = version.find(['-', '+']).unwrap_or(version.len());
    let (core, rest) = version.split_at(end);
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let parts: Vec<u64> = core.split('.').map(number).collect::<Option<_>>()?;
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-.+".contains(&byte);
    let whole = rest.is_empty() || (rest.len() > 1 && rest.bytes().all(letter));
    whole.then_some((parts.try_into().ok()?, rest))
}

/// The version in an answer of `npm view … version --json`: one, or the newest of several.
pub(super) fn newest(text: &str) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_str(text).ok()?;
    let versions: Vec<&str> = match &answer {
        serde_json::Value::String(version) => vec![version],
        serde_json::Value::Array(versions) => versions.iter().filter_map(|version| version.as_str()).collect(),
        _ => return None,
    };
    let known = versions.into_iter().filter_map(|version| Some((numbers(version)?, version)));
    // A finished version before one that is being tried, as npm itself prefers.
    let newest = known.max_by_key(|((numbers, rest), _)| (rest.is_empty() || rest.starts_with('+'), *numbers));
    newest.map(|(_, version)| version.to_owned())
}
