//! What a server offers: for each tool its method, the risk that its hints suggest, what it claims
//! in so many words, and why it cannot be taken, if it cannot.

use serde_json::Value;

use super::names::methods;
use super::{Chosen, Described, lower};
use crate::diag::Level;
use crate::format::write::write;
use crate::keys::Redactor;
use crate::mcp::{Part, Tool};
use crate::model::{Risk, text_form};
use crate::rules;
use crate::source::Source;

/// Letters of a tool's name.
const NAME: usize = 128;
/// Bytes of the schema of a tool's arguments.
const SCHEMA: usize = 100_000;

/// A tool as it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    pub tool: Tool,
    /// The method that the capability of this tool has.
    pub method: String,
    /// What the hints suggest.
    pub risk: Risk,
    pub unfit: Option<Unfit>,
}

/// Why a tool cannot become a capability.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("its name is empty")]
    NoName,
    #[error("its name is longer than {NAME} letters")]
    LongName,
    #[error("its name has characters that cannot be seen")]
    HiddenName,
    #[error("it can only be called as a task, which is not supported")]
    Task,
    #[error("the schema of its arguments is larger than {} kB", SCHEMA / 1000)]
    LargeSchema,
    #[error("the schema of its arguments is no schema of an object")]
    NoObject,
    #[error("what it says of itself holds the value of a key")]
    HoldsKey,
    /// What `check` would say of its capability.
    #[error("{0}")]
    Unsound(String),
}

/// The tools of a server's list, in its order. `keys` knows the values that it was given: none of
/// them may come into the file.
pub fn offered(described: &Described, tools: &[Tool], keys: &Redactor) -> Vec<Offered> {
    let methods = methods(tools.iter().map(|tool| tool.name.as_str()));
    let offer = |(tool, method): (&Tool, String)| {
        let offer = Offered {
            tool: tool.clone(),
            method,
            risk: tool.risk(),
            unfit: unfit(tool).or_else(|| holds_key(tool, keys)),
        };
        match offer.unfit {
            Some(_) => offer,
            None => Offered {
                unfit: unsound(described, &offer),
                ..offer
            },
        }
    };
    tools.iter().zip(methods).map(offer).collect()
}

fn holds_key(tool: &Tool, keys: &Redactor) -> Option<Unfit> {
    let holds = |text: &str| keys.clean(text) != text;
    let said = Part::ALL.map(|part| text_form(&tool.part(part)));
    (holds(&tool.name) || said.iter().any(|text| holds(text))).then_some(Unfit::HoldsKey)
}

/// What would keep the connector from passing `check` with this tool.
fn unsound(described: &Described, offer: &Offered) -> Option<Unfit> {
    let chosen = Chosen { at: 0, risk: offer.risk };
    let text = write(&lower(described, std::slice::from_ref(offer), &[chosen]));
    let checked = rules::read(Source::new("a tool", text));
    let first = checked.findings.into_iter().find(|finding| finding.level == Level::Error)?;
    Some(Unfit::Unsound(first.message))
}

fn unfit(tool: &Tool) -> Option<Unfit> {
    let hidden = |name: &str| name.chars().any(|letter| letter.is_control()) || tool.shown_name() != name;
    match tool.name.as_str() {
        "" => return Some(Unfit::NoName),
        name if name.chars().count() > NAME => return Some(Unfit::LongName),
        name if hidden(name) => return Some(Unfit::HiddenName),
        _ => {}
    }
    match &tool.input {
        _ if tool.task_only => Some(Unfit::Task),
        Value::Null => None,
        Value::Object(schema) if schema.get("type").is_some_and(|kind| kind != "object") => Some(Unfit::NoObject),
        Value::Object(_) => (tool.input.to_string().len() > SCHEMA).then_some(Unfit::LargeSchema),
        _ => Some(Unfit::NoObject),
    }
}

impl Offered {
    /// What the server claims with its hints, for whoever chooses. They are claims: nothing holds
    /// a server to them.
    pub fn claim(&self) -> &'static str {
        let hint = |name: &str| self.tool.annotations[name].as_bool();
        match (hint("readOnlyHint"), hint("destructiveHint")) {
            (Some(true), Some(true)) => "claims to only read, and to destroy",
            (Some(true), _) => "claims to only read",
            (_, Some(false)) => "claims to destroy nothing",
            (_, Some(true)) => "says that it may destroy",
            (Some(false), None) => "says that it changes something",
            (None, None) => "claims nothing",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn described() -> Described {
        Described {
            name: "rss".to_owned(),
            description: String::new(),
            source: None,
            transport: crate::model::Transport::Program {
                command: "x".to_owned(),
                args: Vec::new(),
            },
            keys: Vec::new(),
        }
    }

    fn tool(name: &str, annotations: Value, input: Value) -> Tool {
        Tool {
            name: name.to_owned(),
            title: None,
            description: None,
            input,
            output: None,
            annotations,
            task_only: false,
        }
    }

    #[test]
    fn hints_are_told_as_claims() {
        for (hints, risk, claim) in [
            (json!({"readOnlyHint": true}), Risk::Read, "claims to only read"),
            (
                json!({"readOnlyHint": true, "destructiveHint": true}),
                Risk::Irreversible,
                "claims to only read, and to destroy",
            ),
            (json!({"destructiveHint": false}), Risk::Reversible, "claims to destroy nothing"),
            (json!({"destructiveHint": true}), Risk::Irreversible, "says that it may destroy"),
            (json!({"readOnlyHint": false}), Risk::Irreversible, "says that it changes something"),
            (json!({"readOnlyHint": "true"}), Risk::Irreversible, "claims nothing"),
            (Value::Null, Risk::Irreversible, "claims nothing"),
        ] {
            let offer = &offered(&described(), &[tool("x", hints, Value::Null)], &Redactor::default())[0];
            assert_eq!((offer.risk, offer.claim()), (risk, claim));
        }
    }

    #[test]
    fn what_cannot_be_taken_says_why() {
        let object = || json!({"type": "object"});
        let large = json!({"type": "object", "description": "x".repeat(SCHEMA)});
        for (name, input, unfit) in [
            ("x", object(), None),
            ("x", json!({}), None),
            ("a b/c", Value::Null, None),
            ("", object(), Some(Unfit::NoName)),
            (&"x".repeat(129), object(), Some(Unfit::LongName)),
            ("x\u{1b}[2J", object(), Some(Unfit::HiddenName)),
            ("x\u{200b}", object(), Some(Unfit::HiddenName)),
            ("x ", object(), Some(Unfit::HiddenName)),
            ("x", json!({"type": "string"}), Some(Unfit::NoObject)),
            ("x", json!([1]), Some(Unfit::NoObject)),
            ("x", large, Some(Unfit::LargeSchema)),
            (
                "x",
                json!({"type": "object", "properties": {"a": {"type": "strin"}}}),
                Some(Unfit::Unsound("`strin` is no type of JSON Schema".to_owned())),
            ),
            (
                "read",
                object(),
                Some(Unfit::Unsound("`rss.read` is a capability of the host itself".to_owned())),
            ),
        ] {
            assert_eq!(
                offered(&described(), &[tool(name, Value::Null, input)], &Redactor::default())[0].unfit,
                unfit,
                "{name}"
            );
        }
    }
}
