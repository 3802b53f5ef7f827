//! Packages: of npm by `npx`, of PyPI by `uvx`, each in the one version that is listed.

use serde_json::Value;

use super::argument::{arguments, input, plain};
use super::text::{exact, list};
use super::{Input, Kind, Shape, Unsupported, Way, unsupported};
use crate::adopt;
use crate::keys::is_variable;

/// Variables that change which code runs or where it comes from.
const REFUSED: [&str; 21] = [
    "PATH",
    "HOME",
    "LANG",
    "SHELL",
    "IFS",
    "ENV",
    "BASH_ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_EXTRA_CA_CERTS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
];
/// Beginnings of such variables.
const REFUSED_FAMILIES: [&str; 8] = ["LD_", "DYLD_", "PYTHON", "NPM_CONFIG_", "UV_", "PIP_", "GIT_", "BECKET_"];

pub(super) fn way(package: &Value) -> Result<Way, Unsupported> {
    let kind = match package["registryType"].as_str() {
        Some("npm") => Kind::Npm,
        Some("pypi") => Kind::PyPi,
        Some(other) if other.len() < 20 => return unsupported(format!("is a package of `{other}`, which is not run here")),
        _ => return unsupported("is a package of no known kind"),
    };
    match package["transport"]["type"].as_str() {
        Some("stdio") => {}
        Some(other) if other.len() < 20 => {
            return unsupported(format!(
                "is a package that speaks `{other}`, not over its standard input and output"
            ));
        }
        _ => return unsupported("is a package that does not say how it speaks"),
    }
    let home = |labels: [&str; 3]| labels.join(".");
    let usual = match kind {
        Kind::Npm => [home(["registry", "npmjs", "org"]), home(["www", "npmjs", "com"])],
        _ => [["pypi", "org"].join("."), ["files", "pythonhosted", "org"].join(".")],
    };
    if let Some(base) = exact(&package["registryBaseUrl"]) {
        let host = url::Url::parse(base).ok().filter(|url| url.scheme() == "https");
        let host = host.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        if !usual.contains(&host) {
            return unsupported("comes from a registry of its own, not from the usual one");
        }
    }
    let (command, join) = match kind {
        Kind::Npm => ("npx", "@"),
        _ => ("uvx", "=="),
    };
    if let Some(hint) = exact(&package["runtimeHint"])
        && hint != command
    {
        return unsupported(format!("wants to be run by another program than `{command}`"));
    }
    let what = spec(kind, package, join)?;
    let before = words_before(kind, &package["runtimeArguments"], &what)?;
    let pinned = matches!(adopt::pin(command, &before), adopt::Pin::Exact(package) if package.exact == what);
    if !pinned {
        return unsupported("does not come down to one package in one version");
    }
    let mut inputs = Vec::new();
    let arguments = arguments(&package["packageArguments"], &mut inputs)?;
    Ok(Way {
        kind,
        what,
        shape: Shape::Program {
            command,
            before,
            arguments,
        },
        keys: variables(&package["environmentVariables"])?,
        inputs,
    })
}

/// The package with its version, each judged as what it becomes: a word of a command.
fn spec(kind: Kind, package: &Value, join: &str) -> Result<String, Unsupported> {
    let identifier = package["identifier"].as_str().unwrap_or_default();
    let known = match kind {
        Kind::Npm => is_npm(identifier),
        _ => is_pypi(identifier),
    };
    if !known {
        return unsupported("has an identifier that is no package's name");
    }
    let version = package["version"].as_str().unwrap_or_default();
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b".+-!_".contains(&byte);
    let exact = version.len() <= 255
        && version.bytes().all(letter)
        && version.starts_with(|first: char| first.is_ascii_digit())
        && version.contains('.');
    if !exact {
        return unsupported("does not name one exact version");
    }
    Ok(format!("{identifier}{join}{version}"))
}

/// `name` or `@scope/name`, in the letters of npm.
fn is_npm(name: &str) -> bool {
    let part = |part: &str| {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._~".contains(&byte);
        let first = part
            .bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        first && part.bytes().all(letter)
    };
    let known = match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        None => part(name),
    };
    known && name.len() <= 214
}

/// A name in the letters of PyPI.
fn is_pypi(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let end = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    name.len() <= 214 && end(name.bytes().next()) && end(name.bytes().next_back()) && name.bytes().all(letter)
}

/// The words of `npx` or `uvx` before the package, and the package. Only those that change nothing
/// about what is run.
fn words_before(kind: Kind, listed: &Value, what: &str) -> Result<Vec<String>, Unsupported> {
    let mut words = Vec::new();
    if kind == Kind::Npm {
        words.push("-y".to_owned());
    }
    for argument in list(listed) {
        let name = argument["name"].as_str().unwrap_or_default();
        let word = match argument["value"].as_str() {
            Some(value) => format!("{name} {value}").trim().to_owned(),
            None => name.to_owned(),
        };
        let word = word.as_str();
        match (kind, word) {
            (Kind::Npm, "-y" | "--yes" | "y" | "yes") => {}
            (_, "-q" | "--quiet" | "quiet") => words.push("--quiet".to_owned()),
            // Packages are sometimes listed as their own runtime argument.
            _ if word == what => {}
            _ => {
                plain(word)?;
                let shown: String = word.chars().take(60).collect();
                return unsupported(format!("has `{shown}` before its package, which can change what is run"));
            }
        }
    }
    words.push(what.to_owned());
    Ok(words)
}

fn variables(listed: &Value) -> Result<Vec<Input>, Unsupported> {
    let mut keys: Vec<Input> = Vec::new();
    for variable in list(listed).iter().take(100) {
        let name = variable["name"].as_str().unwrap_or_default();
        let key = input(name, variable);
        if !is_variable(name) || name.len() > 100 {
            return unsupported("wants a variable whose name no connector can hold: upper-case letters, digits and `_`");
        }
        if REFUSED.contains(&name) || REFUSED_FAMILIES.iter().any(|family| name.starts_with(family)) {
            return unsupported(format!("sets `{name}`, which changes what is run"));
        }
        if key.default.iter().any(|value| value.chars().any(char::is_control)) {
            return unsupported(format!("gives `{name}` a value with control characters"));
        }
        if keys.iter().all(|other| other.name != name) {
            keys.push(key);
        }
    }
    Ok(keys)
}
