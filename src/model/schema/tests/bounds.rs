use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn limits_hold() {
    let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert_eq!(checked(&nested(60)), []);
    assert_eq!(checked(&nested(70))[0].1, SchemaFault::TooLarge);
    let wide = |count: usize| json!({"oneOf": vec![true; count]});
    assert_eq!(checked(&wide(10_000)), []);
    assert_eq!(checked(&wide(10_001))[0].1, SchemaFault::TooLarge);
    let long = json!({"description": "x".repeat((1 << 20) + 1)});
    assert_eq!(checked(&long)[0].2, "the schema has more than 1 MB of text");
    let data = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(checked(&json!({"default": data}))[0].1, SchemaFault::TooLarge);
}

/// Each of the definitions judges the same value by the next one twice.
fn doubling(levels: usize) -> Value {
    let defs = (0..levels).map(|n| {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        (format!("d{n}"), json!({"allOf": [next.clone(), next]}))
    });
    let mut defs: Map<String, Value> = defs.collect();
    defs.insert(format!("d{levels}"), json!({"type": "string"}));
    json!({"$defs": defs, "$ref": "#/$defs/d0"})
}

#[test]
fn references_that_multiply_are_refused() {
    assert_eq!(compiled(&doubling(8)).judge(&json!("x")), []);
    let problem = Schema::compile(&doubling(40)).expect_err("refused");
    assert_eq!((problem.fault, problem.pointer.as_str()), (SchemaFault::TooLarge, ""));
}

/// A chain of 3,000 definitions would overflow an ordinary stack.
#[test]
fn long_chains_of_references_do_not_overflow() {
    let mut defs = Map::new();
    for n in 0..3_000 {
        defs.insert(format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)}));
    }
    defs.insert("d3000".to_owned(), json!({"type": "string"}));
    let schema = json!({"$defs": defs, "$ref": "#/$defs/d0"});
    if let Ok(schema) = Schema::compile(&schema) {
        let faults: Vec<_> = schema.judge(&json!(1)).into_iter().map(|problem| problem.fault).collect();
        assert!(faults == [ArgumentFault::Type] || faults == [ArgumentFault::Costly], "{faults:?}");
    }
}

#[test]
fn a_deep_value_is_judged_by_a_recursive_schema() {
    let schema = compiled(&json!({"type": "array", "items": {"$ref": "#"}}));
    let nested = |levels: usize| (0..levels).fold(json!([]), |inner, _| json!([inner]));
    assert_eq!(schema.judge(&nested(120)), []);
    assert_eq!(schema.judge(&nested(300))[0].fault, ArgumentFault::Costly);
}

#[test]
fn a_costly_pattern_is_its_own_fault() {
    let schema = compiled(&only(json!({"pattern": "^(?:(?=a)a|a)+$"})));
    let args = json!({"x": format!("{}!", "a".repeat(60))});
    let problems = schema.judge(&args);
    assert_eq!(problems[0].message, "`x` cannot be judged: its pattern is too costly");
    assert_eq!(problems[0].fault, ArgumentFault::Costly);
}

fn anything() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "allOf",
        "anyOf",
        "$ref",
        "$defs",
        "required",
        "enum",
        "pattern",
        "a",
        "#",
        "#/$defs/a",
        "string",
        "integer",
        "(?=a)",
        "additionalProperties",
        "not",
        "$id",
        "$dynamicRef",
        "$anchor",
        "unevaluatedProperties",
        "dependencies",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 50, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn checking_and_judging_never_panic(schema in anything(), value in anything()) {
        let sound = Schema::check(&schema).iter().all(|problem| problem.fault == SchemaFault::CostlyPattern);
        let compiled = Schema::compile(&schema);
        prop_assert_eq!(sound, compiled.is_ok(), "{} {:?}", schema, compiled.err());
        if let (Ok(compiled), Value::Object(args)) = (compiled, value) {
            let problems = compiled.coerce(args).err().unwrap_or_default();
            prop_assert!(problems.iter().all(|problem| !problem.message.is_empty()));
        }
    }

    #[test]
    fn whole_numbers_keep_their_digits(digits in "-?[1-9][0-9]{0,40}") {
        let schema = only(json!({"type": "integer"}));
        let as_text = coerced(&schema, &format!("{{\"x\":\"{digits}\"}}"));
        prop_assert_eq!(as_text, Ok(format!("{{\"x\":{digits}}}")));
        let back = coerced(&only(json!({"type": "string"})), &format!("{{\"x\":{digits}}}"));
        prop_assert_eq!(back, Ok(format!("{{\"x\":\"{digits}\"}}")));
    }
}
