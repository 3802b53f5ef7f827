use std::net::TcpListener;

use serde_json::json;

use super::*;

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
            json!({"$id": "#/$defs/a"}),
            "/$id",
            SchemaFault::Shape,
            "`$id` does not match the pattern `^[^#]*#?$`",
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
