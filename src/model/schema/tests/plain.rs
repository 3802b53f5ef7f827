//! What is called plain, against what the rest of the folder says of it.

use proptest::prelude::*;

use super::super::plain;
use super::*;
use crate::source::{Limits, Source, parse_json};

/// Whether the short way says yes, in a file and in memory alike.
fn is_plain(schema: &Value) -> bool {
    let doc = parse_json(Source::new("x", schema.to_string()), Limits::MANIFEST).expect("a value prints as JSON");
    let plain = Schema::is_plain(doc.root());
    assert_eq!(plain::is_plain(schema), plain, "{schema}");
    plain
}

fn fits(schema: &Value, args: &Value) -> bool {
    let doc = |value: &Value| parse_json(Source::new("x", value.to_string()), Limits::MANIFEST).expect("a value prints as JSON");
    let fits = Schema::fits_plainly(doc(schema).root(), Some(doc(args).root()));
    assert_eq!(plain::fits_all(schema, Some(args)), fits, "{schema} {args}");
    fits
}

#[test]
fn an_everyday_schema_is_plain() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["id"],
        "additionalProperties": false,
        "properties": {
            "id": {"type": "integer", "minimum": 1, "description": "its number"},
            "state": {"type": ["string", "null"], "enum": ["open", "closed", null]},
            "labels": {"type": "array", "items": {"type": "string", "minLength": 2}, "maxItems": 2},
            "owner": {"type": "object", "properties": {"name": {"type": "string"}}}
        }
    });
    assert!(is_plain(&schema));
    for args in [
        json!({"id": 7}),
        json!({"id": 1, "state": "open", "labels": ["ab", "éé"], "owner": {"name": ""}}),
        json!({"id": 1, "state": null, "labels": []}),
    ] {
        assert!(fits(&schema, &args), "{args}");
    }
    for args in [
        json!({}),
        json!([]),
        json!({"id": 0}),
        json!({"id": "7"}),
        json!({"id": 1.0}),
        json!({"id": 7, "state": "shut"}),
        json!({"id": 7, "labels": ["a"]}),
        json!({"id": 7, "labels": ["ab", "ab", "ab"]}),
        json!({"id": 7, "owner": {"nome": "x"}}),
        json!({"id": 7, "other": 1}),
    ] {
        assert!(!fits(&schema, &args), "{args}");
    }
    assert_eq!(
        plain::accepted(&schema, json!({"id": "7"}).as_object().unwrap()).unwrap()["id"],
        json!(7)
    );
    assert_eq!(plain::accepted(&schema, json!({"id": "x"}).as_object().unwrap()), None);
}

#[test]
fn what_is_not_plain_is_left_to_others() {
    let deep = (0..20).fold(json!({}), |inner, _| json!({"items": inner}));
    for schema in [
        json!(true),
        json!({"$ref": "#"}),
        json!({"pattern": "a"}),
        json!({"type": "int"}),
        json!({"type": []}),
        json!({"type": ["string", "string"]}),
        json!({"required": true}),
        json!({"required": ["a", "a"]}),
        json!({"enum": []}),
        json!({"default": {}}),
        json!({"minLength": -1}),
        json!({"minLength": 1.5}),
        json!({"description": "x".repeat(70_000)}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
        deep,
    ] {
        assert!(!is_plain(&schema), "{schema}");
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..4).prop_map(Value::from),
        "[ab7]{0,3}".prop_map(Value::from),
        Just(exact("1.0")),
        Just(exact("1.5")),
        Just(exact("123456789012345678901234567890")),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn type_word() -> impl Strategy<Value = Value> {
    let words = ["string", "number", "integer", "boolean", "object", "array", "null", "int"];
    let word = prop::sample::select(words.to_vec()).prop_map(Value::from);
    prop_oneof![4 => word.clone(), 1 => prop::collection::vec(word, 0..3).prop_map(Value::from)]
}

fn keyword(inner: BoxedStrategy<Value>) -> impl Strategy<Value = (&'static str, Value)> {
    let bounds = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
    ];
    let texts = [
        "description",
        "title",
        "format",
        "$comment",
        "default",
        "deprecated",
        "additionalProperties",
        "uniqueItems",
        "const",
    ];
    let names = prop::collection::vec("[abc]", 0..3).prop_map(Value::from);
    prop_oneof![
        3 => type_word().prop_map(|value| ("type", value)),
        3 => prop::collection::btree_map("[abc]", inner.clone(), 0..3).prop_map(|map| ("properties", map.into_iter().collect())),
        1 => inner.prop_map(|value| ("items", value)),
        1 => names.prop_map(|value| ("required", value)),
        1 => prop::collection::vec(scalar(), 0..4).prop_map(|list| ("enum", list.into())),
        2 => (prop::sample::select(bounds.to_vec()), prop_oneof![4 => (0..4).prop_map(Value::from), 1 => scalar()]),
        1 => (prop::sample::select(texts.to_vec()), scalar()),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop::collection::vec(keyword(Just(json!({})).boxed()), 0..3);
    let build = |keywords: Vec<(&str, Value)>| {
        keywords
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<Value>()
    };
    leaf.prop_map(build).prop_recursive(3, 24, 4, move |inner| {
        prop::collection::vec(keyword(inner.boxed()), 1..5).prop_map(build)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn yes_is_what_the_validator_says(schema in schema(), args in prop::collection::btree_map("[abc]", value(), 0..3)) {
        let args: Map<String, Value> = args.into_iter().collect();
        if is_plain(&schema) {
            prop_assert_eq!(Schema::check(&schema), []);
            let full = compiled(&schema);
            if fits(&schema, &Value::Object(args.clone())) {
                prop_assert_eq!(full.coerce(args.clone()).ok(), Some(args.clone()));
            }
            if plain::fits_all(&schema, None) {
                prop_assert_eq!(full.coerce(Map::new()).ok(), Some(Map::new()));
            }
            if let Some(short) = plain::accepted(&schema, &args) {
                prop_assert_eq!(full.coerce(args).ok(), Some(short));
            }
        }
    }
}
