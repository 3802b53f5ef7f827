//! From chosen tools to a connector. A tool's texts are somebody else's: what a model reads is one
//! line, cut and without what hides; the schema stays as it came, because it is what was reviewed.

use serde_json::{Map, Value};

use super::{Chosen, Described, Offered};
use crate::exec::shown;
use crate::keys::Redactor;
use crate::mcp::{Part, Tool};
use crate::model::{Capability, Connector, Reviewed, Span, credential};
use crate::source::measure;

/// Characters of a description that a model reads.
const RETURNS: usize = 1000;
/// Bytes of a reviewed part that is kept, and how deep it may be.
const PART: usize = 10_000;
const DEPTH: usize = 64;

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
        reviewed: Some(Reviewed {
            marks: tool.marks(),
            parts: parts(tool),
        }),
        returns: returns(tool),
        schema: (!tool.input.is_null()).then(|| tool.input.clone()),
        name,
        defaults: Map::new(),
        schema_at: None,
        request: None,
        pick: None,
        at: Span::default(),
    }
}

/// What a later difference is shown from. A part that is long, deep or looks like a key is not
/// kept: its mark stays.
fn parts(tool: &Tool) -> Map<String, Value> {
    let kept = |part: &Part| *part != Part::Input && fits(&tool.part(*part));
    let named = |part: Part| (part.word().to_owned(), tool.part(part));
    Part::ALL.into_iter().filter(kept).map(named).collect()
}

fn fits(part: &Value) -> bool {
    let text = part.to_string();
    !part.is_null() && text.len() <= PART && measure(text.as_bytes(), DEPTH, PART).is_ok() && credential::find(&text).next().is_none()
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_reviewed_is_kept_where_it_fits() {
        let deep = (0..70).fold(json!(1), |inner, _| json!([inner]));
        let tool = Tool {
            name: "x".to_owned(),
            title: Some("y".repeat(PART)),
            description: Some("Reads\u{200b}\n a shelf.".to_owned()),
            input: json!({"type": "object"}),
            output: Some(json!({"example": "ghp_0123456789abcdefghijABCDEFGHIJ012345"})),
            annotations: json!({ "deep": deep }),
            task_only: false,
        };
        assert_eq!(Value::from(parts(&tool)), json!({"description": "Reads\u{200b}\n a shelf."}));
    }
}
