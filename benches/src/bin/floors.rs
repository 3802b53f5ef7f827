//! What the parts of a job cost when nothing else is done: the floors that Becket is measured
//! against. Written as a good author of a small tool would write them, no slower on purpose.
//!
//! `floors hello …` clap with two options; `floors read FILES…`; `floors typed FOLDER` reads each
//! manifest into typed structs and looks at a few things; `floors get URL` one bare GET;
//! `floors value FILE` a tree of `serde_json`, not dropped; `floors events FILE` the events of
//! libyaml (its port without unsafe code); `floors serve` an MCP server that always says the same;
//! `floors round COUNT PROGRAM WORDS…` starts one and calls its tool, with nothing beside the lines.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

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
        Some("serve") => ended(serve()),
        Some("round") => ended(round(&words[2..])),
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

fn ended(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Deserialize)]
struct Message<'a> {
    method: &'a str,
    id: Option<u64>,
}

/// Answers with what was written beforehand; only the id differs.
fn serve() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let message: Message = serde_json::from_str(&line)?;
        let Some(id) = message.id else { continue };
        let result = match message.method {
            "initialize" => {
                r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"constant","version":"1"}}"#
            }
            "tools/list" => {
                r#""result":{"tools":[{"name":"constant_get","description":"Gives one thing.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}"#
            }
            "tools/call" => {
                r#""result":{"content":[{"type":"text","text":"{\"id\":1007,\"title\":\"a thing of the bench\",\"state\":\"open\",\"updated\":12345}"}]}"#
            }
            _ => r#""error":{"code":-32601,"message":"no such method"}"#,
        };
        writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},{result}}}"#)?;
        out.flush()?;
    }
    Ok(())
}

/// One round trip after the other, each answer read as JSON and its id compared.
fn round(words: &[String]) -> io::Result<()> {
    let [count, program, words @ ..] = words else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let count: u64 = count.parse().map_err(io::Error::other)?;
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (mut input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut lines = BufReader::new(output).lines();
    let mut ask = |id: u64, method: &str, params: &str| -> io::Result<Value> {
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n");
        input.write_all(line.as_bytes())?;
        let answer: Value = serde_json::from_str(&lines.next().ok_or(io::ErrorKind::UnexpectedEof)??)?;
        (answer["id"] == id).then_some(answer).ok_or(io::ErrorKind::InvalidData.into())
    };
    ask(
        1,
        "initialize",
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}"#,
    )?;
    ask(2, "tools/list", "{}")?;
    let mut bytes = 0;
    for id in 0..count {
        let answer = ask(id + 3, "tools/call", r#"{"name":"constant_get","arguments":{"id":1007}}"#)?;
        bytes += answer["result"]["content"][0]["text"].as_str().map_or(0, str::len);
    }
    drop(input);
    child.wait()?;
    println!("{count} calls, {bytes} bytes");
    Ok(())
}
