//! The OpenAPI descriptions of the bench: real ones that `benches/peers` fetched, and one that is
//! made here, always the same, for runs without a network.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::package;

/// How large the made one is.
const OPERATIONS: usize = 300;
const SCHEMAS: usize = 200;

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

pub struct Description {
    pub name: &'static str,
    pub path: PathBuf,
    /// Flags that the description needs.
    pub flags: &'static [&'static str],
}

impl Description {
    pub fn mebibytes(&self) -> io::Result<f64> {
        Ok(fs::metadata(&self.path)?.len() as f64 / 1048576.0)
    }
}

/// Those that were fetched, and the names of those that were not.
pub fn fetched() -> (Vec<Description>, Vec<&'static str>) {
    let room = package().join("bench-peers/descriptions");
    let known = ["stripe", "k8s", "github", "msgraph", "msgraph-beta", "github-inlined"];
    let (mut found, mut absent) = (Vec::new(), Vec::new());
    for name in known {
        let path = room.join(format!("{name}.json"));
        match path.is_file() {
            true => found.push(Description {
                name,
                path,
                flags: if name == "k8s" {
                    &["--base", "https://kubernetes.local/"]
                } else {
                    &[]
                },
            }),
            false => absent.push(name),
        }
    }
    (found, absent)
}

/// Methods and paths as the document has them, read without any of our own code.
pub fn operations(document: &Value) -> BTreeSet<(String, String)> {
    let mut all = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS.iter().filter(|method| methods[**method].is_object()) {
            all.insert((method.to_uppercase(), path.clone()));
        }
    }
    all
}

/// Writes the description that is made here.
pub fn made(room: &Path) -> io::Result<Description> {
    let paths: Map<String, Value> = (0..OPERATIONS / 2)
        .map(|index| {
            let path = format!("/shelves/{{shelf}}/things{index}");
            (path, json!({"get": reading(index), "post": writing(index)}))
        })
        .collect();
    let schemas: Map<String, Value> = (0..SCHEMAS).map(|index| (format!("Thing{index}"), schema(index))).collect();
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "Things", "version": "1"},
        "servers": [{"url": "https://things.example.com/v1"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}}
        }
    });
    let path = room.join("things.json");
    fs::write(&path, serde_json::to_string_pretty(&document)?)?;
    Ok(Description {
        name: "made",
        path,
        flags: &[],
    })
}

fn thing(index: usize) -> Value {
    json!({"$ref": format!("#/components/schemas/Thing{}", index % SCHEMAS)})
}

fn shelf() -> Value {
    json!({"name": "shelf", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 1}})
}

fn reading(index: usize) -> Value {
    let answer = json!({"type": "array", "items": thing(index)});
    let state = json!({"name": "state", "in": "query", "schema": {"type": "string", "enum": ["open", "closed"], "default": "open"}});
    let limit =
        json!({"name": "limit", "in": "query", "description": "How many to give at most", "schema": {"type": "integer", "maximum": 100}});
    json!({
        "operationId": format!("listThings{index}"),
        "summary": format!("Lists the things of kind {index}"),
        "parameters": [shelf(), state, limit],
        "responses": {"200": {"description": "Things", "content": {"application/json": {"schema": answer}}}}
    })
}

fn writing(index: usize) -> Value {
    json!({
        "operationId": format!("addThing{index}"),
        "summary": format!("Adds a thing of kind {index}"),
        "parameters": [shelf()],
        "requestBody": {"required": true, "content": {"application/json": {"schema": thing(index)}}},
        "responses": {"201": {"description": "The thing", "content": {"application/json": {"schema": thing(index + 1)}}}}
    })
}

/// A schema that shares two others and comes back to itself.
fn schema(index: usize) -> Value {
    json!({
        "type": "object",
        "required": ["title"],
        "properties": {
            "id": {"type": "integer", "readOnly": true},
            "title": {"type": "string", "maxLength": 200, "description": "What it is called, in plain words and without any markup"},
            "parent": thing(index),
            "next": thing(index + 1),
            "parts": {"type": "array", "items": thing(index * 7 + 3)},
            "owner": {"allOf": [thing(index * 3 + 1), {"type": "object", "properties": {"since": {"type": "string", "format": "date"}}}]}
        }
    })
}

/// Writes a description as YAML in the layout that people use: blocks, two spaces, plain keys.
pub fn as_yaml(from: &Path, to: &Path) -> io::Result<()> {
    let document: Value = serde_json::from_slice(&fs::read(from)?)?;
    let mut out = io::BufWriter::new(fs::File::create(to)?);
    block(&mut out, &document, 0)?;
    out.flush()
}

/// What stands after `key:` or `-`.
fn block(out: &mut impl Write, node: &Value, depth: usize) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    match node {
        Value::Object(map) if !map.is_empty() => {
            for (at, (key, value)) in map.iter().enumerate() {
                write!(out, "{}{}:", if at == 0 && depth == 0 { "" } else { &indent }, scalar(key))?;
                nested(out, value, depth + 1)?;
            }
            Ok(())
        }
        Value::Array(list) if !list.is_empty() => {
            for value in list {
                write!(out, "{indent}-")?;
                nested(out, value, depth + 1)?;
            }
            Ok(())
        }
        Value::String(text) => writeln!(out, "{}", scalar(text)),
        other => writeln!(out, "{other}"),
    }
}

fn nested(out: &mut impl Write, value: &Value, depth: usize) -> io::Result<()> {
    let is_block = value.as_object().is_some_and(|map| !map.is_empty()) || value.as_array().is_some_and(|list| !list.is_empty());
    write!(out, "{}", if is_block { "\n" } else { " " })?;
    block(out, value, depth)
}

/// Plain where nothing can be misread, else in double quotes, whose escapes YAML shares with JSON.
fn scalar(text: &str) -> String {
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || " _-/.()".contains(letter))
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if plain { text.to_owned() } else { Value::from(text).to_string() }
}
