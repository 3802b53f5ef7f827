//! Manifests that look like real ones: about 10.7 kB each, without a finding, each a little
//! different from the others, the same in every run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

const THINGS: [&str; 8] = ["invoice", "parcel", "ticket", "member", "booking", "article", "sensor", "payment"];
const ACTIONS: [&str; 8] = ["search", "list", "get", "history", "create", "update", "archive", "notes"];

/// How many capabilities and cases each manifest has.
pub const CAPABILITIES: usize = ACTIONS.len();
pub const CASES: usize = 4;

/// Writes `count` folders of one connector each, and gives the folder that holds them.
pub fn folder(parent: &Path, count: usize) -> io::Result<PathBuf> {
    let folder = parent.join(format!("manifests-{count}"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for index in 0..count {
        write(&folder.join(name(index)), &manifest(index))?;
    }
    Ok(folder)
}

/// Writes one connector.json into a folder of its own.
pub fn write(folder: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("connector.json"), text)
}

pub fn name(index: usize) -> String {
    format!("{}s{index:04}", THINGS[index % THINGS.len()])
}

pub fn manifest(index: usize) -> String {
    let (name, thing) = (name(index), THINGS[index % THINGS.len()]);
    let capabilities: Vec<Value> = ACTIONS.iter().map(|action| capability(&name, thing, action)).collect();
    let cases: Vec<Value> = ACTIONS
        .iter()
        .filter(|action| reads(action))
        .map(|action| case(&name, thing, action))
        .collect();
    let connector = json!({
        "name": name,
        "description": format!("Reads and changes the {thing}s of an office: finds them, shows one with its history, keeps notes."),
        "env": [format!("{}_KEY", name.to_uppercase())],
        "http": {
            "base": format!("https://api.{thing}s.example.com/v{}", index % 4 + 1),
            "headers": {"Authorization": format!("Bearer {{{{env.{}_KEY}}}}", name.to_uppercase()), "Accept": "application/json"},
            "query": {"locale": "en-GB"}
        },
        "capabilities": capabilities,
        "contract": cases
    });
    serde_json::to_string_pretty(&connector).expect("text keys") + "\n"
}

fn reads(action: &str) -> bool {
    ["search", "list", "get", "history"].contains(&action)
}

fn capability(name: &str, thing: &str, action: &str) -> Value {
    let mut capability = json!({
        "name": format!("{name}.{action}"),
        "risk": if reads(action) { "read" } else { "reversible" },
        "signature": format!("{name}.{action}({{{}}})", arguments(action).join(", ")),
        "returns": "[{id, title, state, owner, updated}]",
        "schema": schema(thing, action),
        "request": request(thing, action)
    });
    if reads(action) {
        capability["result"] = json!({
            "path": if action == "get" { "data" } else { "data.entries" },
            "max": 50,
            "fields": {"id": "id", "title": "attributes.title", "state": "attributes.state", "owner": "relationships.owner.name", "updated": "attributes.updated_at"}
        });
    }
    capability
}

fn arguments(action: &str) -> Vec<&'static str> {
    match action {
        "search" => vec!["text", "state", "owner", "limit"],
        "list" => vec!["state", "since", "limit"],
        "get" => vec!["id", "expand"],
        "history" => vec!["id", "since", "limit"],
        "create" => vec!["text", "owner", "labels"],
        "update" => vec!["id", "text", "state"],
        "archive" => vec!["id"],
        _ => vec!["id", "text"],
    }
}

fn schema(thing: &str, action: &str) -> Value {
    let arguments = arguments(action);
    let properties: Map<String, Value> = arguments.iter().map(|name| ((*name).to_owned(), property(thing, name))).collect();
    json!({"type": "object", "required": [arguments[0]], "additionalProperties": false, "properties": properties})
}

fn property(thing: &str, name: &str) -> Value {
    match name {
        "id" => json!({"type": "integer", "minimum": 1, "description": format!("The number of the {thing}, as lists give it")}),
        "limit" => json!({"type": "integer", "minimum": 1, "maximum": 100, "description": "How many to give at most"}),
        "state" => json!({"type": "string", "enum": ["open", "waiting", "closed"], "description": format!("Only {thing}s in this state")}),
        "since" => json!({"type": "string", "description": "A day such as 2024-05-31; nothing before it is given"}),
        "labels" => json!({"type": "array", "items": {"type": "string"}, "description": "Words to find it by later"}),
        "expand" => json!({"type": "boolean", "description": "Whether to give the parts as well"}),
        _ => {
            json!({"type": "string", "description": format!("What the {thing} says, in plain words and without any markup; short texts are found more easily")})
        }
    }
}

fn request(thing: &str, action: &str) -> Value {
    let names: Vec<&str> = arguments(action).into_iter().filter(|name| *name != "id").collect();
    let given: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!(format!("{{{{{name}}}}}"))))
        .collect();
    match action {
        "search" => json!({"method": "GET", "path": format!("/{thing}s/search"), "query": given}),
        "list" => json!({"method": "GET", "path": format!("/{thing}s"), "query": given}),
        "get" => json!({"method": "GET", "path": format!("/{thing}s/{{{{id}}}}"), "query": given}),
        "history" => json!({"method": "GET", "path": format!("/{thing}s/{{{{id}}}}/history"), "query": given}),
        "create" => json!({"method": "POST", "path": format!("/{thing}s"), "body": {"data": {"type": thing, "attributes": given}}}),
        "update" => json!({"method": "PATCH", "path": format!("/{thing}s/{{{{id}}}}"), "body": {"data": {"attributes": given}}}),
        "archive" => json!({"method": "DELETE", "path": format!("/{thing}s/{{{{id}}}}")}),
        _ => json!({"method": "POST", "path": format!("/{thing}s/{{{{id}}}}/notes"), "body": given}),
    }
}

fn case(name: &str, thing: &str, action: &str) -> Value {
    let args = match arguments(action)[0] {
        "id" => json!({"id": 1007}),
        "state" => json!({"state": "open", "limit": 5}),
        _ => json!({"text": format!("the first {thing}"), "limit": 5}),
    };
    json!({"capability": format!("{name}.{action}"), "args": args, "keys": ["id", "title", "state"]})
}

/// A connector that reads one thing from a service on this computer.
pub fn local(base: &str) -> String {
    let connector = json!({
        "name": "local",
        "description": "One thing of a service on this computer.",
        "http": {"base": base},
        "capabilities": [{
            "name": "local.thing",
            "risk": "read",
            "signature": "local.thing({id})",
            "returns": "{id, title}",
            "schema": schema("thing", "get"),
            "request": request("thing", "get")
        }],
        "contract": [{"capability": "local.thing", "args": {"id": 1007}, "keys": ["id"]}]
    });
    serde_json::to_string_pretty(&connector).expect("text keys") + "\n"
}

/// A connector of the MCP server that always says the same, with so many cases.
pub fn program(server: &[&str]) -> String {
    let case = json!({"capability": "constant.get", "args": {"id": 1007}, "keys": ["id", "title"]});
    let connector = json!({
        "name": "constant",
        "description": "One thing of a program on this computer.",
        "command": server[0],
        "args": server[1..],
        "capabilities": [{"name": "constant.get", "risk": "read", "signature": "constant.get({id})", "returns": "{id, title}"}],
        "contract": [case]
    });
    serde_json::to_string_pretty(&connector).expect("text keys") + "\n"
}
