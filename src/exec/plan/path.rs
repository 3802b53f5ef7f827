//! Fills a path. Every value stays inside its segment: it is percent-encoded, and the filled
//! segment is judged once as a server would read it.

use super::PlanError;
use super::encode::{decoded, literal, percent};
use super::error::Place;
use super::fill::Fill;
use crate::model::{ArgPath, Base, PathTemplate, Slot, text_form};
use serde_json::Value;

/// The base's path as written, then each segment after one slash.
pub(super) fn path(fill: &Fill<'_>, base: &Base, template: &PathTemplate) -> Result<String, PlanError> {
    let names: Vec<_> = template.slots().filter_map(|slot| missing(fill, slot)).collect();
    if !names.is_empty() {
        return Err(PlanError::MissingArgument {
            capability: fill.capability.to_owned(),
            names,
        });
    }
    template.segments.iter().try_fold(base.path.clone(), |mut path, slots| {
        path.push('/');
        path.push_str(&segment(fill, slots)?);
        Ok(path)
    })
}

fn missing(fill: &Fill<'_>, slot: &Slot) -> Option<ArgPath> {
    match slot {
        Slot::Arg(path) if fill.argument(path).is_none() => Some(path.clone()),
        _ => None,
    }
}

fn segment(fill: &Fill<'_>, slots: &[Slot]) -> Result<String, PlanError> {
    let mut wire = String::new();
    // What a server sees after decoding; separators count only where the manifest wrote them.
    let mut seen = String::new();
    for slot in slots {
        match slot {
            Slot::Literal(text) => {
                let text = literal(text);
                seen.push_str(&decoded(&text));
                wire.push_str(&text);
            }
            Slot::Arg(argument) => {
                let text = value(argument, fill.argument(argument).unwrap_or(&Value::Null))?;
                wire.push_str(&percent(&text));
                seen.push_str(&text.replace(SEPARATORS, "_"));
            }
            Slot::Key(name) => return Err(PlanError::KeyInPath { key: name.clone() }),
        }
    }
    judge(fill, slots, &seen)?;
    Ok(wire)
}

/// The ends of a name in a segment: `%2f` and `\` where servers decode them, `;` where servers cut
/// off parameters.
const SEPARATORS: [char; 3] = ['/', '\\', ';'];

fn value(argument: &ArgPath, value: &Value) -> Result<String, PlanError> {
    let argument = argument.clone();
    let kind = match value {
        Value::Null => "null",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
        _ => {
            let text = text_form(value);
            let control = text.contains(char::is_control);
            return if control { Err(PlanError::Control { argument }) } else { Ok(text) };
        }
    };
    Err(PlanError::NotAScalar {
        argument,
        kind,
        place: Place::Path,
    })
}

fn judge(fill: &Fill<'_>, slots: &[Slot], seen: &str) -> Result<(), PlanError> {
    let arguments: Vec<_> = slots
        .iter()
        .filter_map(|slot| match slot {
            Slot::Arg(path) => Some(path.clone()),
            _ => None,
        })
        .collect();
    let name = |part: &str| part.split(';').next().unwrap_or_default().to_owned();
    if seen.split(['/', '\\']).any(|part| matches!(name(part).as_str(), "." | "..")) {
        return Err(if arguments.is_empty() {
            PlanError::DotInPath {
                capability: fill.capability.to_owned(),
            }
        } else {
            PlanError::DotSegment { arguments }
        });
    }
    // The author wrote a segment of parameters alone: `/;port={{port}}`.
    let unnamed = matches!(slots.first(), Some(Slot::Literal(text)) if text.starts_with(';'));
    match arguments.into_iter().next().filter(|_| !unnamed && name(seen).is_empty()) {
        Some(argument) => Err(PlanError::EmptySegment { argument }),
        None => Ok(()),
    }
}
