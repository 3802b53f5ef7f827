use std::net::TcpListener;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn exact(text: &str) -> Value {
    serde_json::from_str(text).expect("a test writes JSON")
}

fn compiled(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|problem| panic!("{schema}: {problem:?}"))
}

fn coerced(schema: &Value, args: &str) -> Result<String, Vec<String>> {
    let Value::Object(args) = exact(args) else {
        panic!("arguments are an object")
    };
    match compiled(schema).coerce(args) {
        Ok(args) => Ok(Value::Object(args).to_string()),
        Err(problems) => Err(problems
            .into_iter()
            .map(|problem| match problem.help {
                Some(help) => format!("{}: {} ({help})", problem.path, problem.message),
                None => format!("{}: {}", problem.path, problem.message),
            })
            .collect()),
    }
}

/// A schema with one argument `x`.
fn only(x: Value) -> Value {
    json!({"type": "object", "properties": {"x": x}})
}

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

fn checked(schema: &Value) -> Vec<(String, SchemaFault, String)> {
    let problems = Schema::check(schema);
    problems
        .into_iter()
        .map(|problem| (problem.pointer, problem.fault, problem.message))
        .collect()
}

#[test]
fn what_is_no_schema_is_named_at_its_place() {
    let table = [
        (
            json!(null),
            "",
            SchemaFault::Shape,
            "the schema needs a boolean or an object, not null",
        ),
        (
            json!([]),
            "",
            SchemaFault::Shape,
            "the schema needs a boolean or an object, not a list",
        ),
        (
            json!({"type": "objct"}),
            "/type",
            SchemaFault::Shape,
            "`objct` is no type of JSON Schema",
        ),
        (
            json!({"type": ["string", "nul"]}),
            "/type",
            SchemaFault::Shape,
            "`nul` is no type of JSON Schema",
        ),
        (
            json!({"required": "a"}),
            "/required",
            SchemaFault::Shape,
            "`required` needs a list, not a string",
        ),
        (
            json!({"properties": {"a/b": {"minimum": "1"}}}),
            "/properties/a~1b/minimum",
            SchemaFault::Shape,
            "`minimum` needs a number, not a string",
        ),
        (
            json!({"properties": {"a": 5}}),
            "/properties/a",
            SchemaFault::Shape,
            "`a` needs a boolean or an object, not a number",
        ),
        (
            json!({"minLength": -1}),
            "/minLength",
            SchemaFault::Shape,
            "`minLength` is less than 0",
        ),
        (json!({"enum": 1}), "/enum", SchemaFault::Shape, "`enum` needs a list, not a number"),
        (
            json!({"anyOf": []}),
            "/anyOf",
            SchemaFault::Shape,
            "`anyOf` has fewer than 1 element",
        ),
        (
            json!({"items": [{}]}),
            "/items",
            SchemaFault::Shape,
            "`items` needs a boolean or an object, not a list",
        ),
        (
            json!({"$schema": "http://example.com/mine"}),
            "/$schema",
            SchemaFault::Draft,
            "`http://example.com/mine` is not a draft of JSON Schema that is known",
        ),
        (json!({"$schema": 7}), "/$schema", SchemaFault::Draft, "`$schema` needs a string"),
        (
            json!({"items": {"$ref": "#/$defs/x"}}),
            "/items/$ref",
            SchemaFault::Reference,
            "`#/$defs/x` leads nowhere in the schema",
        ),
        (
            json!({"not": {"$ref": "file:///etc/passwd"}}),
            "/not/$ref",
            SchemaFault::Reference,
            "`file:///etc/passwd` leads out of the schema, and nothing is fetched",
        ),
        (
            json!({"$id": "https://a.example/", "$ref": "x.json"}),
            "/$ref",
            SchemaFault::Reference,
            "`x.json` leads out of the schema, and nothing is fetched",
        ),
        (
            json!({"$ref": "#"}),
            "/$ref",
            SchemaFault::Cycle,
            "`$ref` leads back to itself without a step into the value",
        ),
        (
            json!({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{}, {"$ref": "#/$defs/a"}]}}, "properties": {"x": {"$ref": "#/$defs/a"}}}),
            "/$defs/b/anyOf/1/$ref",
            SchemaFault::Cycle,
            "`$ref` leads back to itself without a step into the value",
        ),
        (
            json!({"properties": {"a": {"pattern": "(a"}}}),
            "/properties/a/pattern",
            SchemaFault::Pattern,
            "the pattern is no regular expression, or too large a one",
        ),
        (
            json!({"patternProperties": {"[": {}}}),
            "/patternProperties/[",
            SchemaFault::Pattern,
            "the pattern is no regular expression, or too large a one",
        ),
        (
            json!({"pattern": "^(?!x)y"}),
            "/pattern",
            SchemaFault::CostlyPattern,
            "the pattern looks around or back, which can be slow",
        ),
    ];
    for (schema, pointer, fault, message) in table {
        assert_eq!(checked(&schema), [(pointer.to_owned(), fault, message.to_owned())], "{schema}");
        let refused = Schema::compile(&schema).err().map(|problem| problem.pointer);
        let expected = (fault != SchemaFault::CostlyPattern).then(|| pointer.to_owned());
        assert_eq!(refused, expected, "{schema}");
    }
}

#[test]
fn several_problems_come_at_once() {
    let schema = json!({"type": "objct", "properties": {"a": {"minimum": "x", "pattern": "*"}}, "required": "a"});
    let mut pointers: Vec<String> = Schema::check(&schema).into_iter().map(|problem| problem.pointer).collect();
    pointers.sort();
    assert_eq!(pointers, ["/properties/a/minimum", "/properties/a/pattern", "/required", "/type"]);
    let help = Schema::check(&json!({"type": "strng"})).pop().and_then(|problem| problem.help);
    assert_eq!(help.as_deref(), Some("write `string`"));
}

#[test]
fn drafts_are_honoured() {
    let fits = |schema: Value, value: Value| compiled(&schema).judge(&value).is_empty();
    let seven = |rest: Value| {
        let mut schema = rest;
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema
    };
    assert!(!fits(seven(json!({"items": [{"type": "string"}]})), json!([1])));
    assert!(fits(json!({"prefixItems": [{"type": "string"}]}), json!(["a", 1])));
    assert!(!fits(json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1})));
    assert!(!fits(seven(json!({"dependencies": {"a": ["b"]}})), json!({"a": 1})));
    let four = json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true});
    assert!(!fits(four, json!(1)));
    assert_eq!(checked(&json!({"minimum": 1, "exclusiveMinimum": true})).len(), 1);
}

#[test]
fn ordinary_and_unusual_schemas_pass() {
    let schemas = [
        json!(true),
        json!({}),
        json!({"type": "object", "properties": {"a": {"type": ["string", "null"], "description": "x", "default": 1, "examples": [1]}}, "required": ["a"]}),
        json!({"properties": {"$ref": {"type": "string"}, "pattern": {"type": "string"}, "type": {"enum": ["a"]}}}),
        json!({"enum": [{"$ref": "file:///x"}], "const": {"$ref": "file:///x"}}),
        json!({"$defs": {"n": {"properties": {"c": {"items": {"$ref": "#/$defs/n"}}}}}, "$ref": "#/$defs/n"}),
        json!({"properties": {"a": {"$ref": "#"}}}),
        json!({"x-parts": {"p": {"type": "string"}}, "$ref": "#/x-parts/p"}),
        json!({"$defs": {"a": {"$anchor": "here", "type": "string"}}, "$ref": "#here"}),
        json!({"$id": "https://a.example/s", "$defs": {"a": {"$id": "part", "type": "string"}}, "$ref": "part"}),
        json!({"$id": "https://a.example/s", "$defs": {"a": {}}, "$ref": "https://a.example/s#/$defs/a"}),
        json!({"nullable": true, "example": [[[]]], "x-any": {"$ref": 7}}),
        json!({"multipleOf": 0.01, "pattern": "^\\d{4}-\\d{2}$"}),
    ];
    for schema in schemas {
        assert_eq!(checked(&schema), [], "{schema}");
        assert!(Schema::compile(&schema).is_ok(), "{schema}");
    }
}

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

#[test]
fn nothing_is_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("not blocking");
    let address = format!("http://{}/x", listener.local_addr().expect("an address"));
    let schemas = [
        json!({ "$ref": address }),
        json!({ "$schema": address }),
        json!({"$id": address, "$ref": "other"}),
        json!({"$id": address, "$defs": {"a": {"$id": "part"}}, "$ref": "nothing/part"}),
        json!({"$dynamicRef": address}),
        json!({"x-part": {"$ref": address}, "$ref": "#/x-part"}),
    ];
    for schema in schemas {
        assert!(Schema::compile(&schema).is_err(), "{schema}");
    }
    let inner = json!({"properties": {"a": {"$schema": address, "$id": "part", "type": "string"}}});
    assert_eq!(coerced(&inner, r#"{"a":"x"}"#), Ok(r#"{"a":"x"}"#.to_owned()));
    assert!(listener.accept().is_err(), "something was fetched");
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
