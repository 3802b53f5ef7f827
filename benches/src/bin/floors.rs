//! What the parts of a job cost when nothing else is done: the floors that Becket is measured
//! against. Written as a good author of a small tool would write them, no slower on purpose.
//!
//! `floors hello …` clap with two options; `floors read FILES…`; `floors typed FOLDER` reads each
//! manifest into typed structs and looks at a few things; `floors get URL` one bare GET;
//! `floors value FILE` a tree of `serde_json`, not dropped; `floors events FILE` the events of
//! libyaml (its port without unsafe code).

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use serde::Deserialize;
use serde_json::Value;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match words.get(1).map(String::as_str) {
        Some("read") => read(&words[2..]),
        Some("typed") => typed(&words[2..]),
        Some("get") => get(&words[2..]),
        Some("value") => value(&words[2..]),
        Some("events") => events(&words[2..]),
        _ => hello(),
    }
}

/// Greets someone
#[derive(Parser)]
#[command(name = "hello", version)]
struct Hello {
    /// Who is greeted
    #[arg(value_name = "NAME", default_value = "world")]
    name: String,
    /// Greet in capitals
    #[arg(short, long)]
    loud: bool,
}

fn hello() -> ExitCode {
    let words = std::env::args_os()
        .enumerate()
        .filter(|(index, _)| *index != 1)
        .map(|(_, word)| word);
    let hello = Hello::parse_from(words);
    let name = if hello.loud { hello.name.to_uppercase() } else { hello.name };
    println!("hello, {name}");
    ExitCode::SUCCESS
}

/// The manifests of a folder of connectors, by name.
fn manifests(folders: &[String]) -> Vec<PathBuf> {
    let entries = folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path().join("connector.json")).collect();
    paths.sort();
    paths
}

fn read(folders: &[String]) -> ExitCode {
    let bytes: usize = manifests(folders).iter().flat_map(std::fs::read).map(|text| text.len()).sum();
    println!("{bytes} bytes");
    ExitCode::SUCCESS
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Connector {
    name: String,
    description: String,
    #[serde(default)]
    env: Vec<String>,
    http: Http,
    capabilities: Vec<Capability>,
    #[serde(default)]
    contract: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Http {
    base: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    query: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Capability {
    name: String,
    risk: Risk,
    signature: String,
    returns: String,
    schema: Value,
    request: Request,
    result: Option<Kept>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Risk {
    Read,
    Notify,
    Reversible,
    Irreversible,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    method: String,
    path: String,
    #[serde(default)]
    query: BTreeMap<String, String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    #[serde(default)]
    safe: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    path: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, String>,
    #[serde(default)]
    max: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    capability: String,
    #[serde(default)]
    args: BTreeMap<String, Value>,
    #[serde(default)]
    keys: Vec<String>,
}

/// One line for each manifest: how many capabilities and cases it has, and what is wrong.
fn typed(folders: &[String]) -> ExitCode {
    let mut out = String::new();
    let mut wrong = 0;
    for path in manifests(folders) {
        match one(&path) {
            Ok(line) => out.push_str(&line),
            Err(problem) => {
                wrong += 1;
                out.push_str(&format!("{}: {problem}\n", path.display()));
            }
        }
    }
    print!("{out}");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn one(path: &Path) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let connector: Connector = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    match problem(&connector) {
        Some(problem) => Err(problem),
        None => Ok(format!(
            "{}: {} capabilities, {} contract cases\n",
            connector.name,
            connector.capabilities.len(),
            connector.contract.len()
        )),
    }
}

fn problem(connector: &Connector) -> Option<String> {
    if connector.description.is_empty() || !connector.http.base.starts_with("https://") {
        return Some("no description or no address".to_owned());
    }
    let keys: HashSet<&str> = connector.env.iter().map(String::as_str).collect();
    let covered: HashSet<&str> = connector.contract.iter().map(|case| case.capability.as_str()).collect();
    let shared = connector.http.headers.values().chain(connector.http.query.values());
    let foreign = |text: &String| key(text).is_some_and(|key| !keys.contains(key));
    if shared.into_iter().any(foreign) {
        return Some("a key that is not declared".to_owned());
    }
    if connector.contract.iter().any(|case| case.keys.is_empty() && case.args.is_empty()) {
        return Some("a case that looks at nothing".to_owned());
    }
    connector
        .capabilities
        .iter()
        .find_map(|capability| of_capability(capability, &connector.name, &covered))
}

fn key(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("{{env.")?;
    rest.split_once("}}").map(|(key, _)| key)
}

fn of_capability(capability: &Capability, family: &str, covered: &HashSet<&str>) -> Option<String> {
    let request = &capability.request;
    let named = capability.name.strip_prefix(family).is_some_and(|rest| rest.starts_with('.'));
    let texts = [&capability.signature, &capability.returns];
    let reads = request.method == "GET" || request.safe;
    let declared = capability.schema["properties"].as_object();
    let body = request.body.as_ref().and_then(Value::as_object);
    let mut used = request.query.values().chain(request.headers.values());
    let kept = capability.result.as_ref();
    match () {
        () if !named || texts.iter().any(|text| text.is_empty()) => Some(format!("{} is not named well", capability.name)),
        () if !request.path.starts_with('/') || key(&request.path).is_some() => Some(format!("{} has no path", capability.name)),
        () if capability.risk == Risk::Read && !reads => Some(format!("{} is no read", capability.name)),
        () if capability.risk == Risk::Read && !covered.contains(capability.name.as_str()) => {
            Some(format!("{} has no case", capability.name))
        }
        () if used.any(|text| argument(text).is_some_and(|name| declared.is_none_or(|map| !map.contains_key(name)))) => {
            Some(format!("{} uses what it does not declare", capability.name))
        }
        () if body.is_some_and(|body| body.is_empty()) => Some(format!("{} has an empty body", capability.name)),
        () if kept.is_some_and(|kept| kept.path.as_deref() == Some("") || kept.max > 100_000 || kept.fields.contains_key("")) => {
            Some(format!("{} keeps nothing", capability.name))
        }
        () => None,
    }
}

fn argument(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("{{")?;
    rest.split_once("}}").map(|(name, _)| name).filter(|name| !name.starts_with("env."))
}

fn get(words: &[String]) -> ExitCode {
    let Some(url) = words.first() else { return ExitCode::from(2) };
    let text = ureq::get(url).call().and_then(|mut response| response.body_mut().read_to_string());
    match text {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn value(files: &[String]) -> ExitCode {
    let Some(Ok(text)) = files.first().map(std::fs::read) else {
        return ExitCode::from(2);
    };
    let Ok(value) = serde_json::from_slice::<Value>(&text) else {
        return ExitCode::FAILURE;
    };
    println!("{} paths", value["paths"].as_object().map_or(0, |paths| paths.len()));
    std::mem::forget(value);
    ExitCode::SUCCESS
}

fn events(files: &[String]) -> ExitCode {
    let Some(Ok(text)) = files.first().map(std::fs::read) else {
        return ExitCode::from(2);
    };
    let mut input = text.as_slice();
    let mut parser = libyaml_safer::Parser::new();
    parser.set_input_string(&mut input);
    let mut count = 0_usize;
    for event in &mut parser {
        if event.is_err() {
            return ExitCode::FAILURE;
        }
        count += 1;
    }
    println!("{count} events");
    ExitCode::SUCCESS
}
