//! The quick answer for ordinary cases: arguments that surely fit an ordinary schema. Whatever is
//! not sure is left to the validator, which costs far more to build than a whole file to read.

use crate::source::{Kind, View};

/// Keywords of an object schema that are understood here.
const OF_OBJECTS: [&str; 8] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "title",
    "$comment",
    "$schema",
];
/// Keywords of an argument's schema that never refuse a value, or are understood here.
const OF_VALUES: [&str; 8] = ["type", "enum", "description", "title", "default", "examples", "items", "$comment"];

/// Whether the arguments surely fit; no means only that it has to be looked at.
pub(super) fn surely_fits(schema: View<'_>, args: Option<View<'_>>) -> bool {
    if !understood(schema, &OF_OBJECTS) || schema.get("type").is_some_and(|kind| kind.as_str() != Some("object")) {
        return false;
    }
    let Some(properties) = schema.get("properties").filter(|view| view.kind() == Kind::Map) else {
        return false;
    };
    let given = |name: &str| args.is_some_and(|args| args.get(name).is_some());
    let required = schema.get("required").into_iter().flat_map(View::items);
    let complete = required.map(View::as_str).all(|name| name.is_some_and(given));
    let known = args.into_iter().flat_map(View::fields).all(|field| {
        let property = properties.get(field.key);
        property.is_some_and(|property| value_fits(property, field.value))
    });
    complete && known
}

fn understood(schema: View<'_>, keywords: &[&str]) -> bool {
    schema.kind() == Kind::Map && schema.fields().all(|field| keywords.contains(&field.key))
}

fn value_fits(schema: View<'_>, value: View<'_>) -> bool {
    if !understood(schema, &OF_VALUES) {
        return false;
    }
    let kind = schema
        .get("type")
        .is_none_or(|kind| kind.as_str().is_some_and(|kind| has_type(kind, value)));
    let listed = schema
        .get("enum")
        .is_none_or(|list| list.items().any(|choice| same_text(choice, value)));
    let items = schema
        .get("items")
        .is_none_or(|items| value.items().all(|item| value_fits(items, item)));
    kind && listed && items
}

fn has_type(kind: &str, value: View<'_>) -> bool {
    match kind {
        "string" => value.kind() == Kind::String,
        "boolean" => value.kind() == Kind::Bool,
        "number" => value.kind() == Kind::Number,
        "integer" => value.as_number().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit())),
        "array" => value.kind() == Kind::List,
        _ => false,
    }
}

fn same_text(choice: View<'_>, value: View<'_>) -> bool {
    value.kind() == Kind::String && choice.as_str() == value.as_str()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::model::Schema;
    use crate::source::{Limits, Source, parse_json};

    fn kind() -> impl Strategy<Value = Value> {
        let words = ["string", "integer", "number", "boolean", "array", "object", "null"];
        proptest::sample::select(words.to_vec()).prop_map(Value::from)
    }

    fn property() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!({})),
            kind().prop_map(|kind| json!({"type": kind})),
            kind().prop_map(|kind| json!({"type": "array", "items": {"type": kind}})),
            Just(json!({"type": "string", "enum": ["a", "b"]})),
            Just(json!({"type": "string", "minLength": 2})),
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let scalars = [json!("a"), json!("7"), json!(7), json!(-7), json!(7.5), json!(true), json!(null)];
        let scalar = proptest::sample::select(scalars.to_vec());
        prop_oneof![scalar.clone(), proptest::collection::vec(scalar, 0..3).prop_map(Value::from)]
    }

    proptest! {
        #[test]
        fn what_surely_fits_is_accepted(
            (a, b) in (property(), property()),
            args in proptest::collection::btree_map("[abc]", value(), 0..3),
            required in proptest::sample::subsequence(vec!["a", "b"], 0..=2),
        ) {
            let schema = json!({"type": "object", "properties": {"a": a, "b": b}, "required": required});
            let text = json!({"schema": schema, "args": args}).to_string();
            let doc = parse_json(Source::new("x", text), Limits::MANIFEST).unwrap();
            if surely_fits(doc.root().get("schema").unwrap(), doc.root().get("args")) {
                let args = args.into_iter().collect();
                prop_assert!(Schema::compile(&schema).unwrap().coerce(args).is_ok());
            }
        }
    }
}
