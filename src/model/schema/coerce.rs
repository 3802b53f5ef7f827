//! Changes the types of arguments where that loses nothing, and finds those that nothing names.

use serde_json::{Map, Value};

use super::declared::{is_closed, properties};
use super::types::{Reader, Types, is_integer};
use super::{ArgumentFault, ArgumentProblem};
use crate::model::{listed, nearest, quoted, text_form};
use crate::source::exact_number;

/// Values nested deeper than this are left as they are.
const DEEPEST: usize = 64;

/// The arguments that the schema does not name.
pub(super) fn unknown(root: &Value, args: &Map<String, Value>) -> Vec<ArgumentProblem> {
    if !is_closed(root) {
        return Vec::new();
    }
    let known: Vec<&str> = properties(root).into_iter().map(|property| property.name).collect();
    let strange = args.keys().filter(|name| !known.contains(&name.as_str()));
    strange
        .map(|name| ArgumentProblem {
            argument: name.clone(),
            path: name.clone(),
            fault: ArgumentFault::Unknown,
            message: format!("there is no argument {}", quoted(name)),
            help: Some(match nearest(name, known.iter().copied()) {
                Some(meant) => format!("write `{meant}`"),
                None if known.is_empty() => "leave it out: the capability has no arguments".to_owned(),
                None => format!("use {}", listed(known.iter().copied())),
            }),
        })
        .collect()
}

/// The arguments with the types that the schema allows, where they can be had without loss.
pub(super) fn coerce(root: &Value, args: Map<String, Value>) -> Map<String, Value> {
    let coercer = Coercer { reader: Reader::new(root) };
    let mut out = Map::new();
    for (name, value) in args {
        let schemas = coercer.fields(&[root], &name);
        if value.is_null() && coercer.is_no_value(&schemas) {
            continue;
        }
        let value = coercer.value(&schemas, value, 0);
        out.insert(name, value);
    }
    out
}

struct Coercer<'s> {
    reader: Reader<'s>,
}

impl<'s> Coercer<'s> {
    /// Whether null is not allowed, and so means that nothing was given.
    fn is_no_value(&self, schemas: &[&'s Value]) -> bool {
        self.types(schemas).is_some_and(|types| !types.allows(Types::NULL))
    }

    fn types(&self, schemas: &[&'s Value]) -> Option<Types> {
        self.reader.ask();
        let mut all = schemas.iter().map(|schema| self.reader.types(schema));
        let first = all.next()??;
        all.try_fold(first, |all, types| Some(all | types?))
    }

    fn value(&self, schemas: &[&'s Value], value: Value, depth: usize) -> Value {
        if schemas.is_empty() || depth > DEEPEST {
            return value;
        }
        match value {
            Value::Object(map) => {
                let fields = map.into_iter().map(|(name, value)| {
                    let value = self.value(&self.fields(schemas, &name), value, depth + 1);
                    (name, value)
                });
                Value::Object(fields.collect())
            }
            Value::Array(list) => {
                let elements = list.into_iter().enumerate();
                elements
                    .map(|(at, value)| self.value(&self.elements(schemas, at), value, depth + 1))
                    .collect()
            }
            value => match self.types(schemas) {
                Some(types) if !types.allows(Types::of(&value)) => converted(value, types),
                _ => value,
            },
        }
    }

    /// What the schemas of an object say of one of its fields.
    fn fields(&self, schemas: &[&'s Value], name: &str) -> Vec<&'s Value> {
        let same = schemas.iter().flat_map(|schema| self.reader.same_value(schema));
        same.filter_map(|(map, _)| {
            let named = map.get("properties").and_then(|properties| properties.get(name));
            named.or_else(|| map.get("additionalProperties").filter(|others| others.is_object()))
        })
        .collect()
    }

    /// What the schemas of a list say of one of its elements.
    fn elements(&self, schemas: &[&'s Value], at: usize) -> Vec<&'s Value> {
        let same = schemas.iter().flat_map(|schema| self.reader.same_value(schema));
        same.filter_map(|(map, _)| match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(first)), _) if at < first.len() => first.get(at),
            (None, Some(Value::Array(first))) => first.get(at).or_else(|| map.get("additionalItems")),
            (_, items) => items,
        })
        .collect()
    }
}

/// A value as one of the types, or as it is.
fn converted(value: Value, types: Types) -> Value {
    match &value {
        Value::String(text) => from_text(text, types).unwrap_or(value),
        Value::Number(_) if types.allows(Types::STRING) => Value::String(text_form(&value)),
        _ => value,
    }
}

fn from_text(text: &str, types: Types) -> Option<Value> {
    match text {
        "true" | "false" if types.allows(Types::BOOLEAN) => Some(Value::Bool(text == "true")),
        "null" if types.allows(Types::NULL) => Some(Value::Null),
        _ if types.allows(Types::INTEGER) => exact_number(text)
            .filter(|number| types.allows(Types::NUMBER) || is_integer(number))
            .map(Value::Number),
        _ => None,
    }
}
