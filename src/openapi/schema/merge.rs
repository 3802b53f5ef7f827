//! Two schemas that both hold, as one: what `allOf` and the siblings of a `$ref` mean.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::Fragment;

/// Levels of properties that are merged in each other.
const LEVELS: usize = 8;

/// Adds `part` to `schema`. Texts and defaults of `schema` win; constraints of both hold, in an
/// `allOf` where one keyword cannot say both.
pub(super) fn merge(schema: &mut Map<String, Value>, part: &Map<String, Value>) {
    merge_at(schema, part, LEVELS);
}

fn merge_at(schema: &mut Map<String, Value>, part: &Map<String, Value>, levels: usize) {
    let mut left = Map::new();
    for (name, value) in part {
        let Some(own) = schema.get_mut(name) else {
            schema.insert(name.clone(), value.clone());
            continue;
        };
        if !joined(name, own, value, levels) {
            left.insert(name.clone(), value.clone());
        }
    }
    if !left.is_empty()
        && let Some(list) = schema.entry("allOf").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
    {
        list.push(left.into());
    }
}

/// Whether `own` now says what both say.
fn joined(name: &str, own: &mut Value, value: &Value, levels: usize) -> bool {
    if own == value {
        return true;
    }
    match (name, &mut *own, value) {
        ("description" | "default" | "format" | "title", ..) => true,
        ("properties", Value::Object(own), Value::Object(more)) => {
            for (name, schema) in more {
                match (own.get_mut(name), schema) {
                    (None, _) => drop(own.insert(name.clone(), schema.clone())),
                    (Some(Value::Object(own)), Value::Object(more)) if levels > 0 => merge_at(own, more, levels - 1),
                    (Some(_), _) => {}
                }
            }
            true
        }
        ("required" | "allOf", Value::Array(own), Value::Array(more)) => {
            let new: Vec<Value> = more.iter().filter(|name| !own.contains(name)).cloned().collect();
            own.extend(new);
            true
        }
        ("type", ..) => narrow(own, value),
        ("enum", Value::Array(own), Value::Array(more)) => {
            let both: Vec<Value> = own.iter().filter(|value| more.contains(value)).cloned().collect();
            if both.is_empty() {
                return true;
            }
            *own = both;
            true
        }
        // Real descriptions close a part and mean the whole.
        ("additionalProperties", Value::Bool(false), _) => true,
        ("additionalProperties", ..) => {
            if value == &Value::Bool(false) {
                *own = value.clone();
            }
            true
        }
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", ..) => extreme(own, value, |own, other| own < other),
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", ..) => extreme(own, value, |own, other| own > other),
        ("items", Value::Object(own), Value::Object(more)) if levels > 0 => {
            merge_at(own, more, levels - 1);
            true
        }
        _ => false,
    }
}

fn extreme(own: &mut Value, other: &Value, replace: impl Fn(f64, f64) -> bool) -> bool {
    if let (Some(mine), Some(theirs)) = (own.as_f64(), other.as_f64())
        && replace(mine, theirs)
    {
        *own = other.clone();
    }
    true
}

/// Several schemas that all hold, as one.
pub(in crate::openapi) fn conjoin(parts: &[Rc<Fragment>]) -> Map<String, Value> {
    let mut schema = parts.first().map(|part| part.schema.clone()).unwrap_or_default();
    for part in parts.iter().skip(1) {
        merge(&mut schema, &part.schema);
    }
    schema
}

/// The types that both name. Where there is none, the first stays: real descriptions mean it.
fn narrow(own: &mut Value, other: &Value) -> bool {
    let list = |value: &Value| match value {
        Value::Array(words) => words.clone(),
        word => vec![word.clone()],
    };
    let others = list(other);
    let fits = |word: &Value| others.contains(word) || (word == "integer" && others.iter().any(|other| other == "number"));
    let mut both: Vec<Value> = list(own).into_iter().filter(fits).collect();
    if both.is_empty() && list(own).iter().any(|word| word == "number") && others.iter().any(|word| word == "integer") {
        both.push("integer".into());
    }
    match both.len() {
        0 => {}
        1 => *own = both.remove(0),
        _ => *own = both.into(),
    }
    true
}
