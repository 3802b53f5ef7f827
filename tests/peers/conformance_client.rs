//! The client under the official conformance suite: lists a server's tools and calls them, as
//! `MCP_CONFORMANCE_CONTEXT` says or with arguments made from their schemas. The suite judges what
//! its server saw.

use std::io::Write;
use std::process::ExitCode;

use becket::keys::Keys;
use becket::mcp::{Era, Input, Session, Settings, Tool, Why};
use becket::model::Capability;
use becket::rules;
use becket::source::Source;
use serde_json::{Map, Value, json};

fn main() -> ExitCode {
    let url = std::env::args().next_back().unwrap_or_default();
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let context: Value = serde_json::from_str(&variable("MCP_CONFORMANCE_CONTEXT")).unwrap_or_default();
    let era = match variable("MCP_CONFORMANCE_PROTOCOL_VERSION").as_str() {
        "" => Era::Auto,
        version if version < "2026-07-28" => Era::Legacy,
        _ => Era::Modern,
    };
    match run(&url, era, &variable("MCP_CONFORMANCE_SCENARIO"), &context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(url: &str, era: Era, scenario: &str, context: &Value) -> Result<(), String> {
    let manifest = json!({
        "name": "peer",
        "description": "A server of others.",
        "url": url,
        "imported": true,
        "capabilities": [{"name": "peer.any", "risk": "read", "signature": "peer.any({})", "returns": "x"}],
    });
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    let connector = checked.connector.ok_or("no connector")?;
    let keys = Keys::default();
    let settings = Settings {
        era,
        input: Input::Defaults,
        ..Settings::default()
    };
    let mut session = Session::new(&connector, &keys, settings);
    let tools = match session.tools() {
        Ok(tools) => tools.to_vec(),
        // Some scenarios look at the beginning only, and their servers have no tools.
        Err(failure) if matches!(*failure.why, Why::NoTools { .. } | Why::Refused { .. } | Why::Malformed { .. }) => Vec::new(),
        Err(failure) => return Err(failure.to_string()),
    };
    if scenario == "json-schema-ref-no-deref" {
        return Ok(());
    }
    for (tool, args) in calls(&tools, context) {
        let capability = Capability {
            tool: Some(tool.name.clone()),
            ..connector.capabilities[0].clone()
        };
        // A tool may answer with an error; the suite knows what it asked for.
        let _ = session.call(&capability, &args);
    }
    Ok(())
}

fn calls<'t>(tools: &'t [Tool], context: &Value) -> Vec<(&'t Tool, Map<String, Value>)> {
    let asked = context["toolCalls"].as_array().map(Vec::as_slice).unwrap_or_default();
    let asked: Vec<_> = asked
        .iter()
        .filter_map(|call| {
            let tool = tools.iter().find(|tool| call["name"] == tool.name.as_str())?;
            Some((tool, call["arguments"].as_object().cloned().unwrap_or_default()))
        })
        .collect();
    if !asked.is_empty() {
        return asked;
    }
    let echoed = tools
        .iter()
        .find(|tool| tool.name != "json_schema_echo")
        .map(|tool| tool.input.clone());
    let args = |tool: &Tool| match (tool.name.as_str(), &echoed) {
        ("json_schema_echo", Some(schema)) => json!({ "schema": schema }),
        _ => sample(&tool.input),
    };
    tools
        .iter()
        .map(|tool| (tool, args(tool).as_object().cloned().unwrap_or_default()))
        .collect()
}

/// A value that a schema allows.
fn sample(schema: &Value) -> Value {
    if let Some(default) = schema.get("default") {
        return default.clone();
    }
    match schema["type"].as_str() {
        Some("number" | "integer") => 7.into(),
        Some("boolean") => true.into(),
        Some("array") => json!([]),
        Some("object") | None if schema.is_object() => {
            let properties = schema["properties"].as_object();
            let fields = properties
                .into_iter()
                .flatten()
                .map(|(name, property)| (name.clone(), sample(property)));
            Value::Object(fields.collect())
        }
        _ => schema["enum"][0].as_str().unwrap_or("x").into(),
    }
}
