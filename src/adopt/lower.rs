//! From chosen tools to a connector. A tool's texts are somebody else's: what a model reads is one
//! line, cut and without what hides; the schema stays as it came, because it is what was reviewed.

use serde_json::Value;

use super::{Chosen, Described, Offered};
use crate::exec::shown;
use crate::keys::Redactor;
use crate::mcp::Tool;
use crate::model::{Capability, Connector, Span};

/// Characters of a description that a model reads.
const RETURNS: usize = 1000;

/// The connector of the chosen tools.
pub fn lower(described: &Described, offers: &[Offered], chosen: &[Chosen]) -> Connector {
    let capability = |one: &Chosen| capability(&described.name, &offers[one.at], one);
    described.connector(chosen.iter().map(capability).collect())
}

fn capability(connector: &str, offer: &Offered, chosen: &Chosen) -> Capability {
    let (tool, name) = (&offer.tool, format!("{connector}.{}", offer.method));
    let usual = name.replacen('.', "_", 1) == tool.name;
    Capability {
        signature: format!("{name}({{{}}})", arguments(&tool.input)),
        tool: (!usual).then(|| tool.name.clone()),
        risk: chosen.risk,
        reviewed: Some(tool.marks()),
        returns: returns(tool),
        schema: (!tool.input.is_null()).then(|| tool.input.clone()),
        name,
        defaults: serde_json::Map::new(),
        schema_at: None,
        request: None,
        pick: None,
        at: Span::default(),
    }
}

/// `a, b?`: in the order of the schema.
fn arguments(schema: &Value) -> String {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(|properties| properties.keys());
    let argument = |name: &String| {
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        format!("{}{optional}", shown(name, name.len(), &Redactor::default()))
    };
    names.map(argument).collect::<Vec<_>>().join(", ")
}

fn returns(tool: &Tool) -> String {
    let text = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
    match shown(text, RETURNS, &Redactor::default()) {
        none if none.is_empty() => format!("the result of {}", tool.shown_name()),
        text => text,
    }
}
