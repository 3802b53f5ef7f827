//! What a server offers against what the connector declares: an own one offers exactly that, an
//! imported one at least that, and each tool is still what its owner reviewed. Pure.

use std::fmt;

use serde_json::Value;

use super::difference::difference;
use super::failure::Why;
use super::tool::{Part, Tool, mark, quoted};
use crate::model::{Capability, Connector, Reviewed};

/// Names listed in a message.
const NAMED: usize = 20;

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
    /// What it was and what it is now.
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
fn review(capability: &Capability, reviewed: &Reviewed, tool: &Tool) -> Result<(), Why> {
    let changed = |part: Part| {
        let word = part.word();
        let marked = reviewed
            .marks
            .split(' ')
            .find_map(|one| one.strip_prefix(word)?.strip_prefix(':'))?;
        let now = tool.part(part);
        (mark(&now) != marked).then(|| Change {
            part: word,
            lines: difference(was(capability, reviewed, part, marked), &now),
        })
    };
    let changes: Vec<Change> = Part::ALL.into_iter().filter_map(changed).collect();
    if changes.is_empty() {
        return Ok(());
    }
    Err(Why::Changed {
        tool: tool.shown_name(),
        changes,
    })
}

/// What a part was, if the connector still holds it: nobody can put other words there, because
/// their digest would be another.
fn was<'c>(capability: &'c Capability, reviewed: &'c Reviewed, part: Part, marked: &str) -> Option<&'c Value> {
    let kept = match part {
        Part::Input => capability.schema.as_ref(),
        _ => reviewed.parts.get(part.word()),
    };
    Some(kept.unwrap_or(&Value::Null)).filter(|was| mark(was) == marked)
}
