//! What a server offers against what the connector declares: an own one offers exactly that, an
//! imported one at least that, and each tool is still what its owner reviewed. Pure.

use std::fmt;

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::failure::Why;
use super::tool::{Part, Tool, quoted, sorted};
use crate::exec::shown;
use crate::keys::Redactor;
use crate::model::{Capability, Connector};

/// Names listed in a message.
const NAMED: usize = 20;
/// Lines shown of a difference.
const LINES: usize = 40;

/// The tools of two lists that should agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub connector: String,
    pub imported: bool,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
    pub declared: Vec<String>,
    pub offered: Vec<String>,
}

impl fmt::Display for Offer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            connector, missing, extra, ..
        } = self;
        if self.imported {
            return write!(out, "`{connector}` no longer offers {}", named(missing));
        }
        write!(out, "`{connector}` does not offer exactly what it declares:")?;
        let mut lead = " ";
        for (word, names) in [("it offers too", extra), ("it lacks", missing)] {
            if !names.is_empty() {
                write!(out, "{lead}{word} {}", named(names))?;
                lead = "; ";
            }
        }
        write!(out, " (declared {}; offered {})", named(&self.declared), named(&self.offered))
    }
}

fn named(names: &[String]) -> String {
    let listed = names
        .iter()
        .take(NAMED)
        .map(|name| format!("`{}`", quoted(name)))
        .collect::<Vec<_>>()
        .join(", ");
    match names.len() {
        0 => "nothing".to_owned(),
        1..=NAMED => listed,
        many => format!("{listed} and {} more", many - NAMED),
    }
}

/// One part of a tool that is not what was reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub part: &'static str,
    /// What it is now, or how it differs where the connector holds what it was.
    pub lines: Vec<String>,
}

/// The MCP tool of a capability.
pub fn tool_name(capability: &Capability) -> String {
    match &capability.tool {
        Some(tool) => tool.clone(),
        None => capability.name.replacen('.', "_", 1),
    }
}

/// Holds a server to what the connector declares.
pub(super) fn enforce(connector: &Connector, tools: &[Tool]) -> Result<(), Why> {
    let offered = || tools.iter().map(|tool| tool.name.clone());
    let declared: Vec<String> = connector.capabilities.iter().map(tool_name).collect();
    let missing: Vec<String> = declared
        .iter()
        .filter(|name| !offered().any(|tool| tool == **name))
        .cloned()
        .collect();
    let extra: Vec<String> = offered().filter(|name| !declared.contains(name)).collect();
    if !missing.is_empty() || !(connector.imported || extra.is_empty()) {
        return Err(Why::Offer(Box::new(Offer {
            connector: connector.name.clone(),
            imported: connector.imported,
            missing,
            extra,
            declared,
            offered: offered().collect(),
        })));
    }
    for (capability, name) in connector.capabilities.iter().zip(&declared) {
        if let (Some(reviewed), Some(tool)) = (&capability.reviewed, tools.iter().find(|tool| tool.name == *name)) {
            review(capability, reviewed, tool)?;
        }
    }
    Ok(())
}

/// Compares a tool with the marks of its review. A part without a mark was not reviewed by us.
fn review(capability: &Capability, reviewed: &str, tool: &Tool) -> Result<(), Why> {
    let mark = |part: Part| {
        reviewed
            .split(' ')
            .find_map(|mark| mark.strip_prefix(part.word())?.strip_prefix(':'))
    };
    let changes: Vec<Change> = Part::ALL
        .into_iter()
        .filter(|part| mark(*part).is_some_and(|mark| mark != tool.mark(*part)))
        .map(|part| Change {
            part: part.word(),
            lines: difference(capability, part, tool),
        })
        .collect();
    if changes.is_empty() {
        return Ok(());
    }
    Err(Why::Changed {
        tool: tool.shown_name(),
        changes,
    })
}

/// Only the schema of the arguments is in the connector; of the others we know that they differ.
fn difference(capability: &Capability, part: Part, tool: &Tool) -> Vec<String> {
    let now = tool.part(part);
    match (part, &capability.schema) {
        (Part::Input, Some(before)) => lines(before, &now),
        _ => vec![format!("now: {}", text(&now))],
    }
}

fn text(value: &Value) -> String {
    let text = match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    ends(&text, 500)
}

/// A long text by its beginning and its end: what was added may stand anywhere.
fn ends(text: &str, each: usize) -> String {
    let plain = Redactor::default();
    let letters = text.chars().count();
    if letters <= 2 * each {
        return shown(text, 2 * each, &plain);
    }
    let last: String = text.chars().skip(letters - each).collect();
    format!("{} … {}", shown(text, each, &plain), shown(&last, each, &plain))
}

fn lines(before: &Value, now: &Value) -> Vec<String> {
    let pretty = |value: &Value| serde_json::to_string_pretty(&sorted(value)).unwrap_or_default();
    let (before, now) = (pretty(before), pretty(now));
    let diff = TextDiff::from_lines(&before, &now);
    let changed = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let line = |change: similar::Change<&str>| {
        let sign = if change.tag() == ChangeTag::Insert { '+' } else { '-' };
        format!("{sign} {}", shown(change.value(), 200, &Redactor::default()))
    };
    changed.take(LINES).map(line).collect()
}
