use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::model::{PickField, Span};

fn exact(text: &str) -> Value {
    serde_json::from_str(text).expect("a test writes JSON")
}

fn rule(path: &str, max: usize, fields: &[(&str, &str)]) -> Pick {
    let fields = fields.iter().map(|(name, path)| PickField {
        name: (*name).to_owned(),
        path: (*path).to_owned(),
        at: Span::default(),
    });
    Pick {
        path: path.to_owned(),
        path_at: None,
        fields: fields.collect(),
        max,
        expects: Expects::Anything,
    }
}

#[test]
fn paths_are_parsed_or_refused() {
    assert_eq!(Path::parse(""), Err(PathError::Empty));
    for text in [".", "a.", ".a", "a..b"] {
        assert_eq!(Path::parse(text), Err(PathError::EmptyStep), "{text}");
    }
    assert_eq!(Path::parse(&"a.".repeat(100)), Err(PathError::TooLong));
    assert_eq!(Path::parse("a.*.0").map(|path| path.to_string()), Ok("a.*.0".to_owned()));
}

#[test]
fn paths_find_keys_indexes_and_every_element() {
    let value = json!({
        "a": {"b": [10, {"c": null}], "7": "seven", "*": 1},
        "rows": [{"n": 1, "t": [{"x": 1}, {}]}, {"t": [{"x": 3}]}, 5, {"n": null}],
        "é": true
    });
    let table = [
        ("a.b.0", Some(json!(10))),
        ("a.b.00", Some(json!(10))),
        ("a.b.1.c", Some(json!(null))),
        ("a.b.2", None),
        ("a.b.-1", None),
        ("a.b.+1", None),
        ("a.b.99999999999999999999999", None),
        ("a.7", Some(json!("seven"))),
        ("é", Some(json!(true))),
        ("é.x", None),
        ("a.*", None),
        ("A.b", None),
        ("rows.*", Some(value["rows"].clone())),
        ("rows.*.n", Some(json!([1, null]))),
        ("rows.*.t.*.x", Some(json!([[1], [3]]))),
        ("rows.*.t.0.x", Some(json!([1, 3]))),
        ("rows.*.nothing", Some(json!([]))),
        ("rows.n", None),
    ];
    for (path, expected) in table {
        let path = Path::parse(path).expect("a path");
        assert_eq!(path.find(&value).map(Cow::into_owned), expected, "{path}");
    }
}

#[test]
fn find_borrows_without_a_star() {
    let value = json!({"a": [1]});
    let found = |path: &str| {
        Path::parse(path)
            .expect("a path")
            .find(&value)
            .map(|found| matches!(found, Cow::Borrowed(_)))
    };
    assert_eq!(found("a.0"), Some(true));
    assert_eq!(found("a.*"), Some(false));
}

/// Spec B35.
#[test]
fn a_list_is_cut_then_every_element_is_picked() {
    let answer = json!({"page": {"rows": [
        {"title": "A", "by": {"name": "Ann"}, "labels": [{"n": "x"}, {"m": 1}, {"n": "y"}]},
        {"title": "B"},
        {"title": "C", "by": {"name": "Cy"}, "labels": []}
    ]}});
    let picked = pick(
        &rule("page.rows", 2, &[("t", "title"), ("who", "by.name"), ("tags", "labels.*.n")]),
        answer,
    );
    let expected = json!([{"t": "A", "who": "Ann", "tags": ["x", "y"]}, {"t": "B", "who": null, "tags": null}]);
    assert_eq!(picked, Ok(expected));
}

/// Spec B37 and bug report 24.
#[test]
fn numbers_keep_their_digits() {
    let text = r#"{"id":725653563933458433,"n":123456789012345678901234567890,"p":1.10,"i":9007199254740993}"#;
    assert_eq!(
        pick(&Pick::default(), exact(text)).map(|value| value.to_string()),
        Ok(text.to_owned())
    );
    let picked = pick(&rule("", 0, &[("n", "n"), ("p", "p")]), exact(text)).map(|value| value.to_string());
    assert_eq!(picked, Ok(r#"{"n":123456789012345678901234567890,"p":1.10}"#.to_owned()));
}

#[test]
fn fields_of_what_is_no_list() {
    let one = rule("", 5, &[("a", "a")]);
    assert_eq!(pick(&one, json!({"a": 1, "b": 2})), Ok(json!({"a": 1})));
    assert_eq!(pick(&one, json!("text")), Ok(json!({"a": null})));
    assert_eq!(pick(&one, json!(null)), Ok(json!({"a": null})));
    assert_eq!(pick(&one, json!([1, {"a": 2}])), Ok(json!([{"a": null}, {"a": 2}])));
    assert_eq!(pick(&rule("a", 0, &[]), json!({"a": null})), Ok(json!(null)));
    assert_eq!(pick(&rule("a.1", 0, &[]), json!({"a": [1, 2, 3]})), Ok(json!(2)));
    assert_eq!(pick(&rule("a.*.b", 1, &[]), json!({"a": [{"b": 1}, {"b": 2}]})), Ok(json!([1])));
}

#[test]
fn a_path_that_is_not_there_names_what_is() {
    let keys: Map<String, Value> = (0..9).map(|n| (format!("k{n}"), json!(n))).collect();
    let table = [
        (
            "hits",
            json!({"items": [], "total": 0}),
            "`hits` is not in the answer: it has `items`, `total`",
        ),
        (
            "data.rows",
            json!({"data": keys}),
            "`data.rows` is not in the answer: `data` has `k0`, `k1`, `k2`, `k3`, `k4`, `k5`, `k6` and 2 more",
        ),
        ("a.b", json!({"a": {}}), "`a.b` is not in the answer: `a` is an object without keys"),
        ("a.b", json!([1, 2]), "`a.b` is not in the answer: it is a list of 2"),
        ("a.b", json!({"a": null}), "`a.b` is not in the answer: `a` is null"),
        ("a.*", json!({"a": "x"}), "`a.*` is not in the answer: `a` is a string"),
        ("a", json!({"b\u{1b}[1m": 1}), "`a` is not in the answer: it has `b\\u{1b}[1m`"),
        (
            "a..b",
            json!({}),
            "`a..b` is not a dot path: the path has nothing between two dots, or a dot at an end",
        ),
    ];
    for (path, answer, expected) in table {
        let message = pick(&rule(path, 0, &[]), answer).expect_err("not there").to_string();
        assert_eq!(message, expected);
    }
    let long = json!({"x".repeat(1000): 1});
    let message = pick(&rule("a", 0, &[]), long).expect_err("not there").to_string();
    assert_eq!(message, format!("`a` is not in the answer: it has `{}…`", "x".repeat(40)));
}

#[test]
fn a_field_that_is_no_path_is_an_error() {
    let error = pick(&rule("", 0, &[("a", "")]), json!({})).expect_err("no path");
    assert_eq!(error.to_string(), "`` is not a dot path: the path is empty");
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-c]", inner), 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn picking_never_panics_and_keeps_to_its_maximum(answer in values(), path in "([a-c0-2*]\\.){0,3}[a-c0-2*]?", field in "[a-c*.]{0,4}", max in 0_usize..4) {
        let fields: &[(&str, &str)] = if field.is_empty() { &[] } else { &[("f", &field)] };
        match pick(&rule(&path, max, fields), answer) {
            Ok(Value::Array(list)) if max > 0 => prop_assert!(list.len() <= max),
            Ok(_) => {}
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn finding_and_picking_agree(answer in values(), path in "([a-c0-2]\\.){0,3}[a-c0-2*]") {
        let found = Path::parse(&path).expect("a path").find(&answer).map(Cow::into_owned);
        prop_assert_eq!(pick(&rule(&path, 0, &[]), answer).ok(), found);
    }
}
