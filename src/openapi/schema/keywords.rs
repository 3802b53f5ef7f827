//! The keywords of one schema that hold no schema: copied when they can be, mended when what was
//! meant is clear, dropped with a note otherwise.

use serde_json::{Map, Number, Value};

use super::super::key_words::is_like_a_key;
use super::super::ledger::NoteKind;
use super::super::refs::{Scope, flag};
use super::super::text::{clean, prose};
use super::{Role, type_word, types};
use crate::model::{Schema, SchemaFault};
use crate::source::{Kind, View};

/// Characters of a description inside a schema, and of an argument's own.
const ABOUT: usize = 160;
const ABOUT_PARAMETER: usize = 200;
/// Values of an `enum` and levels of a default that are kept.
const VALUES: usize = 200;
const LEVELS: usize = 32;
const LONGEST_PATTERN: usize = 2000;

const NUMBERS: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const COUNTS: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minContains",
    "maxContains",
];
/// Handled elsewhere, or says nothing about what may be sent.
const QUIET: &[&str] = &[
    "$ref",
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "$defs",
    "definitions",
    "type",
    "format",
    "description",
    "enum",
    "const",
    "default",
    "pattern",
    "uniqueItems",
    "nullable",
    "required",
    "properties",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "additionalProperties",
    "prefixItems",
    "title",
    "example",
    "examples",
    "externalDocs",
    "xml",
    "discriminator",
    "readOnly",
    "writeOnly",
    "deprecated",
    "contentMediaType",
    "contentEncoding",
    "summary",
];
/// What a parameter of 2.0 or 3.x has beside its schema.
const PARAMETER: &[&str] = &[
    "name",
    "in",
    "required",
    "collectionFormat",
    "allowEmptyValue",
    "schema",
    "style",
    "explode",
    "allowReserved",
    "content",
];

/// The plain keywords of `schema`.
pub(super) fn copy<'d>(scope: &Scope<'d>, schema: View<'d>, role: Role) -> Map<String, Value> {
    let mut out = Map::new();
    let named = types(schema);
    match named.as_slice() {
        [] => {}
        [one] => drop(out.insert("type".to_owned(), (*one).into())),
        several => drop(out.insert("type".to_owned(), distinct(several.iter().map(|word| Value::from(*word))).into())),
    }
    odd_types(scope, schema);
    for field in schema.fields() {
        one(scope, field.key, field.value, role, &named, &mut out);
    }
    exclusive(schema, &mut out);
    out
}

fn odd_types(scope: &Scope<'_>, schema: View<'_>) {
    let Some(value) = schema.get("type") else { return };
    let words: Vec<View<'_>> = if value.kind() == Kind::List {
        value.items().collect()
    } else {
        vec![value]
    };
    for word in words.iter().filter(|word| word.as_str().and_then(type_word).is_none()) {
        let shown = word.as_str().unwrap_or(word.kind().words());
        scope.note(
            NoteKind::OddValue,
            *word,
            format!("`{}` is no type; any value is taken", clean(shown, 40)),
        );
    }
}

fn one<'d>(scope: &Scope<'d>, name: &str, value: View<'d>, role: Role, types: &[&str], out: &mut Map<String, Value>) {
    let kept = match name {
        "format" => value.as_str().map(Value::from),
        "description" => {
            let most = if role == Role::Parameter { ABOUT_PARAMETER } else { ABOUT };
            value
                .as_str()
                .map(|text| prose(text, most))
                .filter(|text| !text.is_empty())
                .map(Value::from)
        }
        "enum" => return choices(scope, value, types, out),
        "const" => Some(literal(value)),
        "default" => return default(scope, value, types, out),
        "pattern" => return pattern(scope, value, out),
        "uniqueItems" => flag(value).filter(|unique| *unique).map(Value::from),
        name if NUMBERS.contains(&name) => {
            let Some(number) = number(value) else {
                if value.as_bool().is_none() {
                    scope.note(NoteKind::OddValue, value, format!("`{name}` is no number"));
                }
                return;
            };
            let positive = name != "multipleOf" || number.as_f64().is_some_and(|number| number > 0.0);
            positive.then_some(Value::Number(number))
        }
        name if COUNTS.contains(&name) => number(value).and_then(|number| count(&number)).map(Value::from),
        name if QUIET.contains(&name) || name.starts_with("x-") => None,
        name if role == Role::Parameter && PARAMETER.contains(&name) => None,
        name => {
            scope.note(NoteKind::DroppedKeyword, value, format!("`{}` is not kept", clean(name, 60)));
            None
        }
    };
    if let Some(kept) = kept {
        out.insert(name.to_owned(), kept);
    }
}

/// A number, or a text that is one.
fn number(value: View<'_>) -> Option<Number> {
    let text = value.as_number().or_else(|| value.as_str().map(str::trim))?;
    let number: Number = serde_json::from_str(text).ok()?;
    number.as_f64().filter(|value| value.is_finite()).map(|_| number)
}

fn count(number: &Number) -> Option<u64> {
    number.as_u64().or_else(|| {
        let value = number.as_f64()?;
        (value >= 0.0 && value.fract() == 0.0 && value < 9e15)
            .then(|| format!("{value:.0}").parse().ok())
            .flatten()
    })
}

/// `exclusiveMinimum: true` of 3.0 beside `minimum`.
fn exclusive(schema: View<'_>, out: &mut Map<String, Value>) {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if schema.get(exclusive).and_then(flag) == Some(true)
            && let Some(value) = out.shift_remove(bound)
        {
            out.insert(exclusive.to_owned(), value);
        }
    }
}

/// The values of an `enum`: texts where the type is text, each once.
fn choices<'d>(scope: &Scope<'d>, value: View<'d>, types: &[&str], out: &mut Map<String, Value>) {
    if value.items().len() > VALUES {
        scope.note(NoteKind::Cut, value, format!("{} values are not listed", value.items().len()));
        return;
    }
    let texts = types.first() == Some(&"string");
    let values = distinct(value.items().map(|value| match (texts, value.kind()) {
        (true, Kind::Bool | Kind::Number) => as_text(value),
        _ => literal(value),
    }));
    if values.is_empty() {
        return;
    }
    if values.iter().any(Value::is_null)
        && let [only] = types
        && *only != "null"
    {
        out.insert("type".to_owned(), vec![Value::from(*only), Value::from("null")].into());
    }
    out.insert("enum".to_owned(), values.into());
}

fn as_text(value: View<'_>) -> Value {
    match value.as_number() {
        Some(digits) => digits.into(),
        None => value.as_bool().unwrap_or_default().to_string().into(),
    }
}

fn distinct(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for value in values {
        if !out.contains(&value) {
            out.push(value);
        }
    }
    out
}

fn default<'d>(scope: &Scope<'d>, value: View<'d>, types: &[&str], out: &mut Map<String, Value>) {
    let literal = literal(value);
    if literal.as_str().is_some_and(is_like_a_key) {
        scope.note(NoteKind::SecretDefault, value, "the default looks like a key and is not written");
        return;
    }
    match fitting(&literal, types) {
        Some(fitting) => drop(out.insert("default".to_owned(), fitting)),
        None => scope.note(NoteKind::OddValue, value, "the default is not of the type"),
    }
}

/// The value when it is of one of the types, or its only reading that is.
pub(in crate::openapi) fn fitting(value: &Value, types: &[&str]) -> Option<Value> {
    let is = |word: &str| match value {
        Value::Null => word == "null",
        Value::Bool(_) => word == "boolean",
        Value::Number(number) => {
            word == "number" || (word == "integer" && (number.is_i64() || number.is_u64() || !number.to_string().contains(['.', 'e', 'E'])))
        }
        Value::String(_) => word == "string",
        Value::Array(_) => word == "array",
        Value::Object(_) => word == "object",
    };
    if types.is_empty() || types.iter().any(|word| is(word)) {
        return Some(value.clone());
    }
    match value {
        Value::String(text) if types.iter().any(|word| matches!(*word, "integer" | "number" | "boolean")) => {
            serde_json::from_str::<Value>(text.trim())
                .ok()
                .filter(|read| !read.is_string() && !read.is_null() && fitting(read, types).is_some())
        }
        Value::Number(number) if types.contains(&"string") => Some(number.to_string().into()),
        Value::Bool(word) if types.contains(&"string") => Some(word.to_string().into()),
        _ => None,
    }
}

/// A literal of the description; what is nested too deep is not one.
pub(super) fn literal(value: View<'_>) -> Value {
    if depth_within(value, LEVELS) { value.value() } else { Value::Null }
}

fn depth_within(value: View<'_>, levels: usize) -> bool {
    let mut todo = vec![(value, levels)];
    while let Some((value, levels)) = todo.pop() {
        if levels == 0 || todo.len() > 10_000 {
            return false;
        }
        todo.extend(value.items().map(|value| (value, levels - 1)));
        todo.extend(value.fields().map(|field| (field.value, levels - 1)));
    }
    true
}

fn pattern<'d>(scope: &Scope<'d>, value: View<'d>, out: &mut Map<String, Value>) {
    let Some(text) = value.as_str() else { return };
    let problem = if text.len() > LONGEST_PATTERN {
        Some(SchemaFault::Pattern)
    } else {
        fault(text)
    };
    match problem {
        None => drop(out.insert("pattern".to_owned(), text.into())),
        Some(SchemaFault::CostlyPattern) => scope.note(NoteKind::OddValue, value, "the pattern can take very long and is not kept"),
        Some(_) => scope.note(NoteKind::OddValue, value, "the pattern is not a regular expression"),
    }
}

fn fault(pattern: &str) -> Option<SchemaFault> {
    let schema = serde_json::json!({"type": "string", "pattern": pattern});
    Schema::check(&schema).first().map(|problem| problem.fault)
}
