//! One order for every schema that is written, so that it does not depend on the order of the
//! description: keywords in a fixed order, properties by name.

use serde_json::{Map, Value};

const ORDER: &[&str] = &[
    "type",
    "format",
    "description",
    "const",
    "enum",
    "default",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "prefixItems",
    "items",
    "minProperties",
    "maxProperties",
    "properties",
    "additionalProperties",
    "required",
];

/// The schema with its keywords and properties in order.
pub(in crate::openapi) fn tidy(schema: Value) -> Value {
    match schema {
        Value::Object(map) => keywords(map).into(),
        other => other,
    }
}

fn keywords(mut map: Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    let known: Vec<String> = ORDER
        .iter()
        .filter(|name| map.contains_key(**name))
        .map(|name| (*name).to_owned())
        .collect();
    let mut others: Vec<String> = map.keys().filter(|name| !ORDER.contains(&name.as_str())).cloned().collect();
    others.sort_unstable();
    for name in known.into_iter().chain(others) {
        if let Some(value) = map.shift_remove(&name) {
            let value = inside(&name, value);
            out.insert(name, value);
        }
    }
    out
}

fn inside(name: &str, value: Value) -> Value {
    match (name, value) {
        ("properties" | "patternProperties" | "dependentSchemas", Value::Object(map)) => {
            let mut fields: Vec<(String, Value)> = map.into_iter().collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            fields
                .into_iter()
                .map(|(name, schema)| (name, tidy(schema)))
                .collect::<Map<_, _>>()
                .into()
        }
        ("required", Value::Array(mut names)) => {
            names.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            names.into()
        }
        ("allOf" | "oneOf" | "anyOf" | "prefixItems", Value::Array(list)) => list.into_iter().map(tidy).collect(),
        ("items" | "additionalProperties" | "not" | "contains" | "propertyNames", schema) => tidy(schema),
        (_, value) => value,
    }
}
