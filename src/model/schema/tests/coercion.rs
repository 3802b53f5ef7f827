use serde_json::json;

use super::*;

/// Bug reports 24 and 25 and spec J25: types change only where nothing is lost.
#[test]
fn values_are_coerced_without_loss_or_not_at_all() {
    let table = [
        (json!({"type": "integer"}), r#""7""#, Some("7")),
        (json!({"type": "integer"}), r#""-7""#, Some("-7")),
        (json!({"type": "integer"}), r#""725653563933458433""#, Some("725653563933458433")),
        (
            json!({"type": "integer"}),
            r#""123456789012345678901234567890""#,
            Some("123456789012345678901234567890"),
        ),
        (
            json!({"type": "integer"}),
            "123456789012345678901234567890",
            Some("123456789012345678901234567890"),
        ),
        (json!({"type": "integer"}), "7.0", Some("7.0")),
        (json!({"type": "integer"}), r#""7.0""#, Some("7.0")),
        (json!({"type": "integer"}), r#""7e2""#, Some("7e2")),
        (json!({"type": "number"}), r#""1e400""#, Some("1e400")),
        (json!({"type": "integer"}), r#""007""#, None),
        (json!({"type": "integer"}), r#""+7""#, None),
        (json!({"type": "integer"}), r#"" 7""#, None),
        (json!({"type": "integer"}), r#""7.5""#, None),
        (json!({"type": "integer"}), r#""0x7""#, None),
        (json!({"type": "integer"}), r#""""#, None),
        (json!({"type": "integer"}), "true", None),
        (json!({"type": "integer"}), "[7]", None),
        (json!({"type": "number"}), r#""1.10""#, Some("1.10")),
        (json!({"type": "number"}), r#""7""#, Some("7")),
        (json!({"type": "number"}), r#""NaN""#, None),
        (json!({"type": "boolean"}), r#""true""#, Some("true")),
        (json!({"type": "boolean"}), r#""false""#, Some("false")),
        (json!({"type": "boolean"}), r#""True""#, None),
        (json!({"type": "boolean"}), "1", None),
        (json!({"type": "string"}), r#""0123""#, Some(r#""0123""#)),
        (json!({"type": "string"}), r#""true""#, Some(r#""true""#)),
        (json!({"type": "string"}), r#""null""#, Some(r#""null""#)),
        (json!({"type": "string"}), "478", Some(r#""478""#)),
        (json!({"type": "string"}), "1.10", Some(r#""1.10""#)),
        (
            json!({"type": "string"}),
            "123456789012345678901234567890",
            Some(r#""123456789012345678901234567890""#),
        ),
        (json!({"type": "string"}), "1e21", Some(r#""1000000000000000000000""#)),
        (json!({"type": "string"}), "true", None),
        (json!({"type": "string"}), "[1]", None),
        (json!({"type": ["string", "integer"]}), r#""7""#, Some(r#""7""#)),
        (json!({"type": ["integer", "null"]}), r#""null""#, Some("null")),
        (json!({"type": ["integer", "null"]}), "null", Some("null")),
        (json!({"type": "array", "items": {"type": "integer"}}), r#"["1",2]"#, Some("[1,2]")),
        (json!({"type": "array", "items": {"type": "integer"}}), r#""1""#, None),
        (json!({"type": "array", "items": {"type": "string"}}), "1", None),
        (
            json!({"type": "object", "properties": {"id": {"type": "integer"}}}),
            r#"{"id":"7"}"#,
            Some(r#"{"id":7}"#),
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "integer"}}),
            r#"{"k":"7"}"#,
            Some(r#"{"k":7}"#),
        ),
        (
            json!({"prefixItems": [{"type": "integer"}, {"type": "string"}]}),
            r#"["1",2]"#,
            Some(r#"[1,"2"]"#),
        ),
        (json!({"enum": [1, 2]}), r#""2""#, Some("2")),
        (json!({"enum": ["1", "2"]}), "2", Some(r#""2""#)),
        (json!({"enum": [1, "1"]}), r#""1""#, Some(r#""1""#)),
        (json!({"const": true}), r#""true""#, Some("true")),
        (json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), r#""7""#, Some("7")),
        (
            json!({"anyOf": [{"type": "integer"}, {"pattern": "^7$"}]}),
            r#""7""#,
            Some(r#""7""#),
        ),
        (
            json!({"allOf": [{"type": ["integer", "string"]}, {"type": "integer"}]}),
            r#""7""#,
            Some("7"),
        ),
        (json!({}), r#""7""#, Some(r#""7""#)),
        (json!(true), r#""7""#, Some(r#""7""#)),
    ];
    for (schema, value, expected) in table {
        let result = coerced(&only(schema.clone()), &format!("{{\"x\":{value}}}"));
        let expected = expected.map(|value| format!("{{\"x\":{value}}}"));
        assert_eq!(result.ok(), expected, "{schema} {value}");
    }
}

#[test]
fn references_are_read_through() {
    let schema = json!({
        "$defs": {"id": {"type": "integer"}, "args": {"properties": {"id": {"$ref": "#/$defs/id"}}, "required": ["id"]}},
        "allOf": [{"$ref": "#/$defs/args"}, {"properties": {"name": {"type": "string"}}}]
    });
    assert_eq!(coerced(&schema, r#"{"id":"9","name":5}"#), Ok(r#"{"id":9,"name":"5"}"#.to_owned()));
    assert_eq!(
        coerced(&schema, r#"{"nam":"x"}"#),
        Err(vec![
            "nam: there is no argument `nam` (write `name`)".to_owned(),
            "id: needs the argument `id`".to_owned()
        ])
    );
}

#[test]
fn a_null_that_is_not_allowed_was_not_given() {
    let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {}}, "required": []});
    assert_eq!(
        coerced(&schema, r#"{"a":null,"b":null,"c":null}"#),
        Ok(r#"{"b":null,"c":null}"#.to_owned())
    );
    let schema = json!({"properties": {"a": {"type": "string"}}, "required": ["a"]});
    assert_eq!(coerced(&schema, r#"{"a":null}"#), Err(vec!["a: needs the argument `a`".to_owned()]));
}

#[test]
fn problems_name_the_place_and_not_the_value() {
    let eight: Vec<String> = (1..=9).map(|n| format!("c{n}")).collect();
    let table = [
        (json!({"type": "integer"}), r#""s3cret""#, "x: `x` needs an integer, not a string"),
        (
            json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}),
            r#"[{"n":1},{"n":"s3cret"}]"#,
            "x.1.n: `x.1.n` needs an integer, not a string",
        ),
        (
            json!({"type": "array"}),
            r#""s3cret""#,
            "x: `x` needs a list, not a string (give a list, also for one value)",
        ),
        (
            json!({"enum": ["red", "green"]}),
            r#""gren""#,
            "x: `x` is not one of `red`, `green` (write `green`)",
        ),
        (
            json!({"enum": ["red", "green"]}),
            r#""Red""#,
            "x: `x` is not one of `red`, `green` (write `red`)",
        ),
        (
            json!({"enum": eight}),
            r#""s3cret""#,
            "x: `x` is not one of `c1`, `c2`, `c3`, `c4`, `c5`, `c6`, `c7` and 2 more",
        ),
        (json!({"const": "a"}), r#""s3cret""#, "x: `x` must be `a`"),
        (json!({"minimum": 1}), "0", "x: `x` is less than 1"),
        (json!({"maximum": 50}), "51", "x: `x` is more than 50"),
        (json!({"exclusiveMinimum": 0}), "0", "x: `x` is not more than 0"),
        (json!({"multipleOf": 5}), "7", "x: `x` is not a multiple of 5"),
        (json!({"minLength": 1}), r#""""#, "x: `x` is shorter than 1 character"),
        (json!({"maxItems": 2}), "[1,2,3]", "x: `x` has more than 2 elements"),
        (json!({"uniqueItems": true}), "[1,1]", "x: `x` has one element twice"),
        (
            json!({"pattern": "^[a-z]+$"}),
            r#""S3CRET""#,
            "x: `x` does not match the pattern `^[a-z]+$`",
        ),
        (
            json!({"type": ["integer", "boolean"]}),
            r#""s3cret""#,
            "x: `x` needs a boolean or an integer, not a string",
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            r#""s3cret""#,
            "x: `x` needs an integer or null, not a string",
        ),
        (
            json!({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]}),
            r#""s3cret""#,
            "x: `x` is longer than 2 characters",
        ),
        (
            json!({"oneOf": [{"type": "string", "maxLength": 2}, {"type": "string", "minLength": 9}]}),
            r#""s3cret""#,
            "x: `x` fits none of the forms that the schema allows",
        ),
        (
            json!({"type": "object", "properties": {"lang": {}}, "additionalProperties": false}),
            r#"{"lagn":"s3cret"}"#,
            "x.lagn: `x` has no field `lagn` (write `lang`)",
        ),
        (json!({"required": ["a"]}), "{}", "x.a: `x` needs the field `a`"),
        (json!(false), "1", "x: `x` is what the schema does not allow"),
    ];
    for (schema, value, expected) in table {
        let problems = coerced(&only(schema.clone()), &format!("{{\"x\":{value}}}")).expect_err("a problem");
        assert_eq!(problems, [expected], "{schema} {value}");
    }
}

/// Spec J25.
#[test]
fn arguments_that_nothing_names_are_problems() {
    let named = json!({"properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}});
    let unknown = |args: &str| coerced(&named, args).expect_err("a problem");
    assert_eq!(
        unknown(r#"{"querry":"x"}"#),
        ["querry: there is no argument `querry` (write `query`)"]
    );
    assert_eq!(
        unknown(r#"{"page":1}"#),
        ["page: there is no argument `page` (use `query`, `limit`)"]
    );
    let with = |word: &str, value: Value| {
        let mut schema = named.clone();
        schema[word] = value;
        coerced(&schema, r#"{"page":1}"#).is_ok()
    };
    assert!(with("additionalProperties", json!(true)));
    assert!(with("additionalProperties", json!({"type": "integer"})));
    assert!(!with("additionalProperties", json!({"type": "boolean"})));
    assert!(!with("additionalProperties", json!(false)));
    assert!(with("patternProperties", json!({"^p": {}})));
    assert!(!with("title", json!("x")));
    assert!(coerced(&json!({"type": "object"}), r#"{"page":1}"#).is_ok());
    assert!(coerced(&json!(true), r#"{"page":1}"#).is_ok());
    assert_eq!(
        coerced(&json!({"properties": {}, "additionalProperties": false}), r#"{"page":1}"#),
        Err(vec![
            "page: there is no argument `page` (leave it out: the capability has no arguments)".to_owned()
        ])
    );
}

#[test]
fn every_problem_is_reported_once() {
    let schema = json!({
        "properties": {"a": {"type": "integer"}, "b": {"enum": ["x"]}, "c": {}},
        "required": ["c"], "additionalProperties": false
    });
    let mut problems = coerced(&schema, r#"{"a":"one","b":"y","d":1}"#).expect_err("problems");
    problems.sort();
    assert_eq!(
        problems,
        [
            "a: `a` needs an integer, not a string",
            "b: `b` is not one of `x`",
            "c: needs the argument `c`",
            "d: there is no argument `d` (use `a`, `b`, `c`)",
        ]
    );
}

#[test]
fn declared_arguments() {
    let schema = json!({
        "$defs": {"tags": {"type": "array"}},
        "properties": {"tags": {"$ref": "#/$defs/tags"}, "ids": {"type": ["array", "null"]}, "o": {"type": "object"}},
        "required": ["ids"],
        "anyOf": [{"properties": {"q": {"type": "string"}}, "required": ["q"]}, {}]
    });
    let seen: Vec<_> = Schema::properties(&schema)
        .into_iter()
        .map(|p| (p.name, p.required, p.list, p.object))
        .collect();
    assert_eq!(
        seen,
        [
            ("tags", false, true, false),
            ("ids", true, true, false),
            ("o", false, false, true),
            ("q", false, false, false)
        ]
    );
    assert!(Schema::is_closed(&schema));
    assert!(!Schema::is_closed(&json!({"type": "object"})));
    assert_eq!(Schema::properties(&json!(5)), []);
}
