//! What is sent for the values of arguments: the plan of a call to an imported operation.

use becket::exec::{Piece, plan};
use becket::keys::Keys;
use serde_json::{Value, json};

use super::*;

/// Path and query of the first operation, called with these arguments.
fn sent(text: &str, options: &Options, args: Value) -> String {
    let made = lowered(text, options);
    let name = made.connector.capabilities[0].name.clone();
    let args = args.as_object().expect("arguments").clone();
    let plan = plan(&made.connector, &name, &args, &Keys::default()).unwrap_or_else(|error| panic!("{error}"));
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Key { name, .. } => format!("<{name}>"),
    };
    let pair = |name: &str, value: &[Piece]| format!("{name}={}", value.iter().map(piece).collect::<String>());
    let query: Vec<String> = plan.query.iter().map(|sent| pair(&sent.name, &sent.value)).collect();
    format!("{}?{}", plan.path, query.join("&"))
}

#[test]
fn lists_are_joined_or_repeated_as_declared() {
    let list = |name: &str, how: &str| format!("{{name: {name}, in: query, {how}schema: {{type: array, items: {{}}}}}}");
    for (how, value, expected) in [
        ("explode: false, ", json!([1, 2]), "/l?v=1,2"),
        ("explode: false, ", json!(["a,b", true]), "/l?v=a%2Cb,true"),
        ("", json!([1, 2]), "/l?v=1&v=2"),
        ("", json!([1]), "/l?v=1"),
        ("", json!([]), "/l?"),
        ("style: pipeDelimited, explode: false, ", json!([1, 2]), "/l?v=1|2"),
        ("style: spaceDelimited, explode: false, ", json!([1, 2]), "/l?v=1%202"),
    ] {
        let text = paths(&format!("/l: {{get: {{parameters: [{}]}}}}", list("v", how)));
        assert_eq!(sent(&text, &becket(), json!({"v": value})), expected, "{how}");
    }
}

#[test]
fn objects_are_sent_by_their_values() {
    let object = "{type: object, properties: {a: {type: integer}, b: {type: object, properties: {c: {type: boolean}}}}}";
    let text = paths(&format!(
        "/o: {{get: {{parameters: [{{name: filter, in: query, style: deepObject, schema: {object}}}]}}}}"
    ));
    let args = json!({"filter": {"a": 1, "b": {"c": true}}});
    for options in [fetched(), becket()] {
        assert_eq!(sent(&text, &options, args.clone()), "/o?filter%5Ba%5D=1&filter%5Bb%5D%5Bc%5D=true");
    }
}

#[test]
fn paths_are_sent_as_declared() {
    for (path, name, args, expected) in [
        ("/v 1/{id}", "id", json!({"id": "../x"}), "/v%201/..%2Fx?"),
        ("/a/{Sid}.json", "Sid", json!({"Sid": "q"}), "/a/q.json?"),
        ("/a/{id}/?public", "id", json!({"id": 7}), "/a/7/?public="),
        ("/x:{id}", "id", json!({"id": 1}), "/x:1?"),
        ("/a/:id", "id", json!({"id": 1}), "/a/1?"),
    ] {
        let text = paths(&format!(
            "'{path}': {{get: {{parameters: [{{name: {name}, in: path, required: true}}]}}}}"
        ));
        assert_eq!(sent(&text, &fetched(), args), expected, "{path}");
    }
    let twins = paths("'/x/{a-b}/{a_b}': {get: {}}");
    assert_eq!(sent(&twins, &fetched(), json!({"a_b": 1, "a_b_2": 2})), "/x/1/2?");
}

/// The schema of the one argument of a GET of `/s/{v}` or `/s`, and what is sent for a value.
fn one(param: &str, value: &str) -> (Value, String, Value) {
    let path = if param.contains("in: path") { "/s/{v}/x" } else { "/s" };
    let text = paths(&format!("'{path}': {{get: {{parameters: [{{name: v, {param}}}]}}}}"));
    let made = capability(&lowered(&text, &fetched()), 0);
    let schema = made["schema"]["properties"]["v"].clone();
    (
        schema,
        sent(&text, &fetched(), json!({"v": value})),
        made["request"]["headers"].clone(),
    )
}

#[test]
fn texts_that_the_caller_joins_say_how() {
    let object = "{type: object, properties: {x: {type: integer}, y: {type: string}}}";
    for (param, about) in [
        (
            format!("in: path, schema: {object}"),
            "(names and values alternate, separated by commas; the names are x, y)",
        ),
        (
            format!("in: header, explode: true, schema: {object}"),
            "(`name=value` for each value, separated by commas; the names are x, y)",
        ),
        (
            "in: header, type: array, items: {type: string}, collectionFormat: pipes".to_owned(),
            "(several values are joined with `|`)",
        ),
        (
            "in: path, type: array, items: {type: string}, collectionFormat: ssv".to_owned(),
            "(several values are joined with blanks)",
        ),
        (
            "in: path, content: {application/json: {schema: {type: object}}}".to_owned(),
            "(JSON as text)",
        ),
        (
            "in: header, required: true, content: {application/json: {schema: {type: object}}}".to_owned(),
            "(JSON as text)",
        ),
        (
            "in: query, content: {application/json: {schema: {type: string}}}".to_owned(),
            "(JSON as text)",
        ),
        ("in: query, content: {application/json: {}}".to_owned(), "(JSON as text)"),
    ] {
        let (schema, ..) = one(&param, "a");
        assert_eq!(schema, json!({"type": "string", "description": about}), "{param}");
    }
    let (_, sent, _) = one("in: query, content: {application/json: {schema: {type: string}}}", "\"abc\"");
    assert_eq!(sent, "/s?v=%22abc%22");
    let (schema, ..) = one("in: query, content: {application/json: {schema: {type: integer}}}", "1");
    assert_eq!(schema, json!({"type": "integer"}));
}

#[test]
fn a_matrix_parameter_is_sent() {
    let (_, sent, _) = one("in: path, style: matrix, schema: {type: integer}", "5");
    assert_eq!(sent, "/s/;v=5/x?");
}

#[test]
fn a_parameter_takes_the_place_of_the_query_in_the_path() {
    let text = paths("'/qs?kind=a&b={b}': {get: {operationId: qs, parameters: [{name: b, in: query, schema: {type: string}}]}}");
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["signature"], "shelf.qs({b?})");
    assert_eq!(sent(&text, &fetched(), json!({"b": "x"})), "/qs?kind=a&b=x");
    assert_eq!(sent(&text, &fetched(), json!({})), "/qs?kind=a");
}
