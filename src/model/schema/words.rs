//! What the validator finds, in our words. A value is never quoted: it may be private.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::survey::TYPES;
use super::{ArgumentFault, ArgumentProblem};
use crate::model::{listed, nearest, quoted};

/// How many types a message names.
const NAMED: usize = 7;

/// A problem of the schema itself: the message and its help.
pub(super) fn of_keyword(error: &ValidationError<'_>) -> (String, Option<String>) {
    let pointer = error.instance_path().as_str();
    let last = pointer.rsplit('/').next().unwrap_or_default();
    if let (true, Some(word)) = (last == "type", no_type(error.instance())) {
        let help = nearest(word, TYPES).map_or_else(|| format!("use {}", listed(TYPES)), |meant| format!("write `{meant}`"));
        return (format!("{} is no type of JSON Schema", quoted(word)), Some(help));
    }
    let place = if last.is_empty() {
        "the schema".to_owned()
    } else {
        quoted(&unescaped(last))
    };
    (said(&place, error.kind(), error.instance()).1, None)
}

/// The first word of a `type` that is none.
fn no_type(value: &Value) -> Option<&str> {
    let words = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    words.iter().filter_map(Value::as_str).find(|word| !TYPES.contains(word))
}

/// A problem of a value, as one problem for each name that it is about.
pub(super) fn of_argument(root: &Value, error: &ValidationError<'_>) -> Vec<ArgumentProblem> {
    if let Some(nearer) = only_form(error) {
        return nearer.iter().flat_map(|error| of_argument(root, error)).collect();
    }
    let steps: Vec<String> = error.instance_path().as_str().split('/').skip(1).map(unescaped).collect();
    let place = if steps.is_empty() {
        "the arguments".to_owned()
    } else {
        quoted(&steps.join("."))
    };
    let problem = |steps: &[String], fault, message, help| ArgumentProblem {
        argument: steps.first().cloned().unwrap_or_default(),
        path: steps.join("."),
        fault,
        message,
        help,
    };
    let with = |name: &str| [steps.as_slice(), &[name.to_owned()]].concat();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = siblings(root, error.schema_path().as_str());
            let strange = unexpected.iter().map(|name| {
                let message = if steps.is_empty() {
                    format!("there is no argument {}", quoted(name))
                } else {
                    format!("{place} has no field {}", quoted(name))
                };
                let help = nearest(name, known.iter().copied()).map(|meant| format!("write `{meant}`"));
                problem(&with(name), ArgumentFault::Unknown, message, help)
            });
            strange.collect()
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let message = if steps.is_empty() {
                format!("needs the argument {}", quoted(name))
            } else {
                format!("{place} needs the field {}", quoted(name))
            };
            vec![problem(&with(name), ArgumentFault::Missing, message, None)]
        }
        kind => {
            let (fault, message) = said(&place, kind, error.instance());
            vec![problem(&steps, fault, message, remedy(kind, error.instance()))]
        }
    }
}

/// The schema is too costly for the value.
pub(super) fn too_costly() -> ArgumentProblem {
    ArgumentProblem {
        argument: String::new(),
        path: String::new(),
        fault: ArgumentFault::Costly,
        message: "the arguments cannot be judged: that takes more than 2 seconds".to_owned(),
        help: None,
    }
}

/// The errors of the only form of `anyOf` or `oneOf` that has the type of the value.
fn only_form<'e>(error: &'e ValidationError<'_>) -> Option<&'e [ValidationError<'static>]> {
    let (ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }) = error.kind() else {
        return None;
    };
    let here = error.instance_path().as_str();
    let of_another_type =
        |error: &ValidationError<'_>| matches!(error.kind(), ValidationErrorKind::Type { .. }) && error.instance_path().as_str() == here;
    let mut forms = context.iter().filter(|form| !form.iter().any(of_another_type));
    let only = forms.next()?;
    forms.next().is_none().then_some(only)
}

fn said(place: &str, kind: &ValidationErrorKind, value: &Value) -> (ArgumentFault, String) {
    use ValidationErrorKind as Kind;
    let rule = |text: String| (ArgumentFault::Rule, format!("{place} {text}"));
    match kind {
        Kind::Type { kind } => (
            ArgumentFault::Type,
            format!("{place} needs {}, not {}", wanted(kind), article(JsonType::from(value))),
        ),
        Kind::Enum { options } => {
            let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
            let texts: Vec<String> = options.iter().map(shown).collect();
            (
                ArgumentFault::Choice,
                format!("{place} is not one of {}", listed(texts.iter().map(String::as_str))),
            )
        }
        Kind::Constant { expected_value } => (ArgumentFault::Choice, format!("{place} must be {}", quoted(&shown(expected_value)))),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => (
            ArgumentFault::Costly,
            format!("{place} cannot be judged: its pattern is too costly"),
        ),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => forms(place, context, value),
        Kind::OneOfMultipleValid { .. } => rule("fits more than one of the forms of which it may fit one".to_owned()),
        Kind::Minimum { limit } => rule(format!("is less than {limit}")),
        Kind::Maximum { limit } => rule(format!("is more than {limit}")),
        Kind::ExclusiveMinimum { limit } => rule(format!("is not more than {limit}")),
        Kind::ExclusiveMaximum { limit } => rule(format!("is not less than {limit}")),
        Kind::MultipleOf { multiple_of } => rule(format!("is not a multiple of {multiple_of}")),
        Kind::MinLength { limit } => rule(format!("is shorter than {}", counted(*limit, "character"))),
        Kind::MaxLength { limit } => rule(format!("is longer than {}", counted(*limit, "character"))),
        Kind::MinItems { limit } => rule(format!("has fewer than {}", counted(*limit, "element"))),
        Kind::MaxItems { limit } => rule(format!("has more than {}", counted(*limit, "element"))),
        Kind::AdditionalItems { limit } => rule(format!("has more than {}", counted(*limit as u64, "element"))),
        Kind::UnevaluatedItems { .. } => rule("has more elements than it may".to_owned()),
        Kind::MinProperties { limit } => rule(format!("has fewer than {}", counted(*limit, "field"))),
        Kind::MaxProperties { limit } => rule(format!("has more than {}", counted(*limit, "field"))),
        Kind::UniqueItems => rule("has one element twice".to_owned()),
        Kind::Contains => rule("lacks an element that it must have".to_owned()),
        Kind::Pattern { pattern } => rule(format!("does not match the pattern {}", quoted(pattern))),
        Kind::Format { format } => rule(format!("is not of the format {}", quoted(format))),
        Kind::PropertyNames { .. } => rule("has a field with a name that it may not have".to_owned()),
        Kind::Not { .. } | Kind::FalseSchema => rule("is what the schema does not allow".to_owned()),
        other => rule(format!("breaks {}", quoted(other.keyword()))),
    }
}

/// What to say when no form fits: the types, if that is all that is wrong with each.
fn forms(place: &str, context: &[Vec<ValidationError<'static>>], value: &Value) -> (ArgumentFault, String) {
    let types = context.iter().map(|form| match form.as_slice() {
        [error] => match error.kind() {
            ValidationErrorKind::Type { kind } if error.instance().as_ref() == value => Some(wanted(kind)),
            _ => None,
        },
        _ => None,
    });
    match types.collect::<Option<Vec<_>>>() {
        Some(types) if !types.is_empty() && types.len() <= NAMED => {
            let types = types.join(" or ");
            (
                ArgumentFault::Type,
                format!("{place} needs {types}, not {}", article(JsonType::from(value))),
            )
        }
        _ => (
            ArgumentFault::Rule,
            format!("{place} fits none of the forms that the schema allows"),
        ),
    }
}

fn remedy(kind: &ValidationErrorKind, value: &Value) -> Option<String> {
    match kind {
        ValidationErrorKind::Enum { options } => {
            let choices = options.as_array()?.iter().filter_map(Value::as_str);
            nearest(value.as_str()?, choices).map(|meant| format!("write {}", quoted(meant)))
        }
        ValidationErrorKind::Type {
            kind: TypeKind::Single(JsonType::Array),
        } => Some("give a list, also for one value".to_owned()),
        _ => None,
    }
}

/// The names that the schema has where it refused another.
fn siblings<'s>(root: &'s Value, keyword: &str) -> Vec<&'s str> {
    let schema = keyword.rsplit_once('/').and_then(|(schema, _)| root.pointer(schema));
    let properties = schema.and_then(|schema| schema.get("properties")?.as_object());
    properties.into_iter().flat_map(|map| map.keys()).map(String::as_str).collect()
}

fn wanted(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => article(*one).to_owned(),
        TypeKind::Multiple(set) => set.iter().map(article).collect::<Vec<_>>().join(" or "),
    }
}

fn article(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
