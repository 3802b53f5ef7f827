//! The arguments that a schema names, read through its references, `allOf`, `anyOf` and `oneOf`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::types::{Reader, Types};

/// An argument that a schema names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Property<'s> {
    pub name: &'s str,
    /// What the schema says of it where it first names it.
    pub schema: &'s Value,
    pub required: bool,
    /// Whether it may be a list, as far as the schema says.
    pub list: bool,
    /// Whether it may be an object, as far as the schema says.
    pub object: bool,
}

pub(super) fn properties(schema: &Value) -> Vec<Property<'_>> {
    let reader = Reader::new(schema);
    let same = reader.same_value(schema);
    let required: HashSet<&str> = same
        .iter()
        .filter(|(_, always)| *always)
        .flat_map(|(map, _)| required(map))
        .collect();
    let mut seen = HashSet::new();
    let named = same
        .iter()
        .flat_map(|(map, _)| declarations(map))
        .filter(|(name, _)| seen.insert(*name));
    named
        .map(|(name, property)| {
            reader.ask();
            let types = reader.types(property);
            let may_be = |kind| types.is_some_and(|types| types.allows(kind));
            Property {
                name,
                schema: property,
                required: required.contains(name),
                list: may_be(Types::LIST),
                object: may_be(Types::OBJECT),
            }
        })
        .collect()
}

pub(super) fn is_closed(schema: &Value) -> bool {
    let reader = Reader::new(schema);
    let same = reader.same_value(schema);
    let opens = |map: &Map<String, Value>| {
        let others = [map.get("additionalProperties"), map.get("unevaluatedProperties")];
        map.contains_key("patternProperties") || others.into_iter().flatten().any(|others| *others != Value::Bool(false))
    };
    same.iter().any(|(map, _)| map.contains_key("properties")) && !same.iter().any(|(map, _)| opens(map))
}

fn declarations(map: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let properties = map.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties.map(|(name, property)| (name.as_str(), property))
}

fn required(map: &Map<String, Value>) -> impl Iterator<Item = &str> {
    map.get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}
