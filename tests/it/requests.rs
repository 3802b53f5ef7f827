//! Building requests: the B vectors of the connector's specification, and the rules around them.

use becket::exec::{KeyForm, Piece, Plan, PlanError};
use becket::model::{Base, Each, Method, Risk, Style, TemplateError};
use serde_json::{Value, json};

use crate::build::{
    base, body, call, call_with, form, form_body, header, header_of, json_body, keys, one, parameter, path, query, segments, shelf, target,
    template, with, x,
};

fn at_path(text: &str, args: Value) -> Result<String, String> {
    let connector = with(|_, request| request.path = path(text));
    call(&connector, args).map(|plan| target(&plan)).map_err(|error| error.to_string())
}

fn at_query(name: &str, value: Each, args: Value) -> Result<String, String> {
    let connector = with(|_, request| request.query = vec![parameter(name, value)]);
    let sent = |plan: Plan| {
        target(&plan)
            .split_once('?')
            .map_or_else(String::new, |(_, query)| query.to_owned())
    };
    call(&connector, args).map(sent).map_err(|error| error.to_string())
}

fn sent_json(body_template: &Value, args: Value) -> Option<String> {
    let connector = with(|_, request| request.body = json_body(body_template));
    body(&call(&connector, args).unwrap())
}

fn every(text: &str) -> Each {
    Each::Every(vec![template(text)])
}

fn styled(style: Style) -> Each {
    Each::Styled(template("{{x}}"), style)
}

#[test]
fn b1_to_b5_a_path_argument_stays_in_its_segment() {
    assert_eq!(
        at_path("/b/{{isbn}}", json!({"isbn": "978/1 é"})).unwrap(),
        "/api/b/978%2F1%20%C3%A9"
    );
    assert_eq!(
        at_path("/b/{{isbn}}", json!({})).unwrap_err(),
        "missing isbn: `shelf.go` needs it for its path"
    );
    assert_eq!(
        at_path("/b/{{isbn}}", json!({"isbn": ".."})).unwrap_err(),
        "`isbn` would turn a part of the path into `.` or `..`"
    );
    assert_eq!(
        at_path("/b/{{isbn}}", json!({"isbn": ""})).unwrap_err(),
        "`isbn` is empty, and the path takes a value"
    );
    assert_eq!(at_path("/u/{{o.id}}", json!({"o": {"id": 7}})).unwrap(), "/api/u/7"); // B23
}

#[test]
fn a_path_takes_one_value_each() {
    let refused = |value: Value| at_path("/b/{{x}}", json!({"x": value})).unwrap_err();
    assert_eq!(refused(json!([1])), "`x` is a list, and the path takes one value");
    assert_eq!(refused(json!({"a": 1})), "`x` is an object, and the path takes one value");
    assert_eq!(refused(json!("a\tb")), "`x` has a control character, which a path may not have");
    assert_eq!(refused(Value::Null), "missing x: `shelf.go` needs it for its path");
    assert_eq!(
        at_path("/{{a}}/{{b.c}}", json!({})).unwrap_err(),
        "missing a, b.c: `shelf.go` needs them for its path"
    );
    let key = with(|_, request| request.path = path("/k/{{ env.SHELF_TOKEN }}"));
    assert_eq!(
        call(&key, json!({})).unwrap_err(),
        PlanError::KeyInPath {
            key: "SHELF_TOKEN".to_owned()
        }
    );
}

#[test]
fn a_filled_segment_is_judged_as_a_server_reads_it() {
    for (template, value) in [
        ("/{{x}}", "."),
        ("/{{x}}", ".."),
        ("/.{{x}}", "."),
        ("/%2e{{x}}", "."),
        ("/{{x}}%2E", "."),
        ("/{{x}};v=1", ".."),
        ("/a%2f{{x}}", ".."),
        ("/a\\{{x}}", ".."),
        ("/{{x}}%5cb", ".."),
        ("/{{x}}", ""),
        ("/a/{{x}};v=1/b", ""),
    ] {
        assert!(at_path(template, x(value)).is_err(), "{template} {value}");
    }
    for (template, value, target) in [
        ("/x{{x}}", "..", "/api/x.."),
        ("/{{x}}.json", "..", "/api/...json"),
        ("/x{{x}}", "", "/api/x"),
        ("/{{x}}", "%2e%2e", "/api/%252e%252e"),
        ("/{{x}}", "../admin", "/api/..%2Fadmin"),
        ("/{{x}}", "..;a", "/api/..%3Ba"),
        ("/{{x}}", "..\\a", "/api/..%5Ca"),
        ("/%2{{x}}", "e", "/api/%252e"),
        ("/v 1/{{x}}", "../admin", "/api/v%201/..%2Fadmin"),
        ("/a%2Fb/é?{{x}}/", "#", "/api/a%2Fb/%C3%A9%3F%23/"),
        ("/a//{{x}}", "{{env.SHELF_TOKEN}}", "/api/a//%7B%7Benv.SHELF_TOKEN%7D%7D"),
    ] {
        assert_eq!(at_path(template, x(value)).unwrap(), target, "{template} {value}");
    }
    for template in ["/a/../b", "/./a", "/a/%2e%2E/b", "/a/.%2e", "/a/..;/b"] {
        assert_eq!(
            at_path(template, json!({})).unwrap_err(),
            "the path of `shelf.go` has a part that is `.` or `..`"
        );
    }
}

#[test]
fn b7_and_b8_a_query_parameter_is_left_out_only_when_its_argument_is_missing() {
    let n = || Each::One(template("{{n}}"));
    assert_eq!(at_query("n", n(), json!({"n": 0})).unwrap(), "n=0");
    assert_eq!(at_query("n", n(), json!({"n": false})).unwrap(), "n=false");
    assert_eq!(at_query("n", n(), json!({"n": null})).unwrap(), "");
    assert_eq!(at_query("n", n(), json!({"n": ""})).unwrap(), "");
    assert_eq!(at_query("n", n(), json!({"n": [1, "a b"]})).unwrap(), "n=%5B1%2C%22a%20b%22%5D");
    assert_eq!(at_query("n[]", n(), json!({"n": 1})).unwrap(), "n%5B%5D=1");
    let f = || Each::One(template("year>={{y}}"));
    assert_eq!(at_query("f", f(), json!({})).unwrap(), "");
    assert_eq!(at_query("f", f(), json!({"y": 5})).unwrap(), "f=year%3E%3D5");
}

#[test]
fn b10_a_later_parameter_with_a_value_takes_the_place_of_an_earlier_one() {
    let connector = with(|http, request| {
        http.query = vec![one("lang", "en"), one("z", "1")];
        request.query = vec![one("a", "{{a}}"), one("lang", "{{l}}")];
    });
    let sent = |args| target(&call(&connector, args).unwrap());
    assert_eq!(sent(json!({})), "/api/b?lang=en&z=1");
    assert_eq!(sent(json!({"l": ""})), "/api/b?lang=en&z=1");
    assert_eq!(sent(json!({"l": "pt", "a": 1})), "/api/b?lang=pt&z=1&a=1");
}

#[test]
fn the_base_is_kept_as_written_and_its_query_comes_first() {
    let at = |address: &str, query: &[(&str, &str)]| {
        let connector = with(|http, request| {
            http.base = base(address);
            request.query = query.iter().map(|(name, value)| one(name, value)).collect();
        });
        target(&call(&connector, json!({})).unwrap())
    };
    assert_eq!(
        at("https://s.example/v%2f1/?k=a%20b&flag&a%5B%5D=1&a[]=2", &[("y", "2")]),
        "/v%2f1/b?k=a%20b&flag=&a%5B%5D=1&a[]=2&y=2"
    );
    assert_eq!(at("https://s.example?k=1&a%5B%5D=1&k=2", &[("a[]", "3")]), "/b?k=1&k=2&a%5B%5D=3");
}

#[test]
fn a_list_is_sent_as_its_style_says() {
    let sent = |value: Each, x: Value| at_query("t", value, json!({"x": x}));
    let list = json!([1, "b,c", null, true]);
    assert_eq!(sent(every("{{x}}"), list.clone()).unwrap(), "t=1&t=b%2Cc&t=true");
    assert_eq!(sent(every("{{x}}"), json!("one")).unwrap(), "t=one");
    assert_eq!(sent(every("{{x}}"), json!([])).unwrap(), "");
    assert_eq!(sent(every("a-{{x}}"), json!([1, 2])).unwrap(), "t=a-%5B1%2C2%5D");
    assert_eq!(sent(styled(Style::Comma), list.clone()).unwrap(), "t=1,b%2Cc,true");
    assert_eq!(sent(styled(Style::Pipe), json!(["a|b", "c"])).unwrap(), "t=a%7Cb|c");
    assert_eq!(sent(styled(Style::Space), json!([1, 2])).unwrap(), "t=1%202");
    assert_eq!(sent(styled(Style::Comma), json!([])).unwrap(), "");
    assert_eq!(sent(styled(Style::Comma), json!({"R": 100, "G": 200})).unwrap(), "t=R,100,G,200");
    assert_eq!(sent(styled(Style::Comma), json!("a,b")).unwrap(), "t=a%2Cb");
    assert_eq!(
        sent(styled(Style::Space), json!(["a b"])).unwrap_err(),
        "`x` has a blank inside, and its parameter joins values with blanks"
    );
    let mixed = Each::Every(vec![template("total"), template("{{x}}"), template("{{missing}}")]);
    assert_eq!(sent(mixed, json!(["a", "b"])).unwrap(), "t=total&t=a&t=b");
}

#[test]
fn an_object_is_sent_in_brackets() {
    let sent = |x: Value| {
        let connector = with(|_, request| request.query = vec![parameter("filter", styled(Style::DeepObject))]);
        call(&connector, json!({"x": x}))
            .map(|plan| query(&plan))
            .map_err(|error| error.to_string())
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        sent(json!({"a": 1, "b": {"c": true, "n": null}, "l": ["x", 2]})).unwrap(),
        [
            pair("filter[a]", "1"),
            pair("filter[b][c]", "true"),
            pair("filter[l][]", "x"),
            pair("filter[l][]", "2"),
        ]
    );
    assert_eq!(sent(json!(7)).unwrap(), [pair("filter", "7")]);
    assert_eq!(sent(json!({})).unwrap(), []);
    assert_eq!(
        sent(json!({"a][admin": 1})).unwrap_err(),
        "`x` has a field name that does not fit in brackets"
    );
    assert_eq!(
        sent(json!({"l": [[1]]})).unwrap_err(),
        "`x` is a list of lists or objects, and each part of a `deepObject` list takes one value"
    );
}

#[test]
fn b11_a_header_without_its_key_is_left_out() {
    let plan = call_with(&shelf(), json!({}), &keys("")).unwrap();
    assert_eq!(header_of(&plan, "x-shelf"), None);
    let plan = call(&shelf(), json!({})).unwrap();
    assert_eq!(header_of(&plan, "x-shelf").as_deref(), Some("tok <SHELF_TOKEN>"));
    assert_eq!(
        plan.headers[2].value,
        [
            Piece::Text("tok ".to_owned()),
            Piece::Key {
                name: "SHELF_TOKEN".to_owned(),
                form: KeyForm::Header
            }
        ]
    );
}

#[test]
fn b13_a_header_has_one_line_and_one_value() {
    let connector = with(|_, request| request.headers = vec![header("X-Who", " {{who}}")]);
    let sent = |who: Value| call(&connector, json!({"who": who})).map(|plan| header_of(&plan, "X-Who"));
    let refused = |who: Value| sent(who).unwrap_err().to_string();
    assert_eq!(refused(json!("a\r\nX-Admin: 1")), "`X-Who` has a line break");
    assert_eq!(refused(json!("a\0")), "`X-Who` has a control character");
    assert_eq!(refused(json!("a\u{85}")), "`X-Who` has a control character");
    assert_eq!(refused(json!([1])), "`who` is a list, and the header `X-Who` takes one value");
    assert_eq!(refused(json!("x".repeat(100_000))), "`X-Who` is longer than 16 KiB");
    assert_eq!(sent(json!("a\tb é ")).unwrap().as_deref(), Some("a\tb é"));
    assert_eq!(sent(json!("")).unwrap(), None);
    assert_eq!(sent(Value::Null).unwrap(), None);
}

#[test]
fn headers_have_an_order_and_later_ones_replace_earlier_ones() {
    let connector = with(|http, request| {
        request.method = Method::Post;
        request.body = json_body(&json!({}));
        http.headers = vec![header("X-A", "1"), header("accept", "text/csv"), header("Accept-Encoding", "zstd")];
        request.headers = vec![
            header("content-type", "application/merge-patch+json"),
            header("x-a", "{{a}}"),
            header("X-B", ""),
        ];
    });
    let sent = |args| {
        let plan = call(&connector, args).unwrap();
        let line = |header: &becket::exec::Header| format!("{}: {}", header.name, crate::build::text(&header.value));
        plan.headers.iter().map(line).collect::<Vec<_>>()
    };
    let agent = concat!("User-Agent: becket/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        sent(json!({})),
        ["accept: text/csv", agent, "content-type: application/merge-patch+json", "X-A: 1"]
    );
    assert_eq!(sent(json!({"a": 2}))[3], "x-a: 2");
}

#[test]
fn names_that_belong_to_the_connection_are_refused() {
    let refused = |name: &str| {
        let connector = with(|http, _| http.headers = vec![header(name, "x")]);
        call(&connector, json!({})).map(|_| ()).map_err(|error| error.to_string())
    };
    for name in ["Host", "CONTENT-LENGTH", "te", "Proxy-Anything", "Expect"] {
        assert_eq!(refused(name).unwrap_err(), format!("`{name}` may not be set by a connector"));
    }
    assert_eq!(refused("X Y").unwrap_err(), "`X Y` is not a header name");
    assert_eq!(
        refused("X-HTTP-Method-Override").unwrap_err(),
        "`X-HTTP-Method-Override` may not be set by a read: it can turn it into a change"
    );
    assert_eq!(refused("X-Forwarded-For"), Ok(()));
}

#[test]
fn b14_to_b17_a_body_keeps_types_and_drops_what_is_missing() {
    let b14 = json!({"n": "{{n}}", "l": "{{l}}", "s": "id {{n}}"});
    assert_eq!(
        sent_json(&b14, json!({"n": 3, "l": [1, 2]})).unwrap(),
        r#"{"n":3,"l":[1,2],"s":"id 3"}"#
    );
    assert_eq!(sent_json(&json!({"s": "id {{n}}"}), json!({})).unwrap(), "{}"); // B16
    let b17 = json!({"a": {"b": "{{x}}"}, "c": ["{{x}}", 1]});
    assert_eq!(sent_json(&b17, json!({})).unwrap(), r#"{"a":{},"c":[1]}"#);
    let nulls = json!({"a": null, "b": [null, "{{x}}"], "c": " {{x}} "});
    assert_eq!(sent_json(&nulls, x(5)).unwrap(), r#"{"a":null,"b":[null,5],"c":5}"#);
    assert_eq!(sent_json(&nulls, x(Value::Null)).unwrap(), r#"{"a":null,"b":[null]}"#);
}

#[test]
fn literals_never_change_type_and_only_a_whole_placeholder_takes_one() {
    let body = json!({"a": "478", "b": "{{x}}", "c": "n-{{x}}", "d": "007", "e": "true", "f": "null"});
    let rest = r#""d":"007","e":"true","f":"null"}"#;
    for (value, middle) in [
        (json!("0123"), r#""b":"0123","c":"n-0123","#),
        (json!(123), r#""b":123,"c":"n-123","#),
        (json!(true), r#""b":true,"c":"n-true","#),
        (json!([1]), r#""b":[1],"c":"n-[1]","#),
        (Value::Null, ""),
    ] {
        assert_eq!(sent_json(&body, x(value)).unwrap(), format!(r#"{{"a":"478",{middle}{rest}"#));
    }
}

#[test]
fn numbers_keep_their_digits_everywhere() {
    for digits in ["725653563933458433", "123456789012345678901234567890", "1.10", "-7", "0.1"] {
        let number: Value = serde_json::from_str(digits).unwrap();
        assert_eq!(at_path("/{{x}}", x(number.clone())).unwrap(), format!("/api/{digits}"));
        assert_eq!(
            at_query("q", Each::One(template("{{x}}")), x(number.clone())).unwrap(),
            format!("q={digits}")
        );
        assert_eq!(sent_json(&json!("{{x}}"), x(number.clone())).unwrap(), digits);
        assert_eq!(sent_json(&json!("id {{x}}"), x(number)).unwrap(), format!("\"id {digits}\""));
    }
    let big: Value = serde_json::from_str("[1e21]").unwrap();
    assert_eq!(at_path("/{{x.0}}", x(big.clone())).unwrap(), "/api/1000000000000000000000");
    let literal: Value = serde_json::from_str(r#"{"p": 1.10, "n": 123456789012345678901234567890}"#).unwrap();
    assert_eq!(
        sent_json(&literal, json!({})).unwrap(),
        r#"{"p":1.10,"n":123456789012345678901234567890}"#
    );
}

#[test]
fn b19_a_body_that_is_one_missing_argument_is_no_body() {
    let connector = with(|_, request| request.body = json_body(&json!("{{doc}}")));
    let plan = call(&connector, json!({})).unwrap();
    assert_eq!((body(&plan), header_of(&plan, "Content-Type")), (None, None));
    let plan = call(&connector, json!({"doc": {"z": 1}})).unwrap();
    assert_eq!(body(&plan).as_deref(), Some(r#"{"z":1}"#));
    assert_eq!(header_of(&plan, "Content-Type").as_deref(), Some("application/json"));
}

#[test]
fn keys_of_objects_are_never_templates_and_arguments_never_become_keys() {
    let args = json!({"t": "\"{{env.SHELF_TOKEN}}\\", "k": "x"});
    let connector =
        with(|_, request| request.body = json_body(&json!({"{{k}}": "pre {{t}}", "u": "{{t}}", "key": "B {{env.SHELF_TOKEN}}"})));
    let plan = call(&connector, args).unwrap();
    let text = r#""{{k}}":"pre \"{{env.SHELF_TOKEN}}\\","u":"\"{{env.SHELF_TOKEN}}\\","#;
    assert_eq!(body(&plan).unwrap(), format!(r#"{{{text}"key":"B <SHELF_TOKEN>"}}"#));
    let keyed: Vec<_> = plan
        .body
        .unwrap()
        .pieces
        .into_iter()
        .filter(|piece| !matches!(piece, Piece::Text(_)))
        .collect();
    assert_eq!(
        keyed,
        [Piece::Key {
            name: "SHELF_TOKEN".to_owned(),
            form: KeyForm::Json
        }]
    );
    let plan = call_with(&connector, json!({}), &keys("")).unwrap();
    assert_eq!(body(&plan).as_deref(), Some("{}"));
}

#[test]
fn b20_a_form_has_its_fields_in_order_as_text() {
    let connector = with(|_, request| request.body = form_body(&json!({"a": "{{a}}", "l": "{{l}}"})));
    let plan = call(&connector, json!({"a": "x y", "l": [1]})).unwrap();
    assert_eq!(body(&plan).as_deref(), Some("a=x+y&l=%5B1%5D"));
    assert_eq!(
        header_of(&plan, "Content-Type").as_deref(),
        Some("application/x-www-form-urlencoded")
    );
    let more = json!({"z[0]": true, "n": "1.50", "o": {"k": "{{a}}", "m": "{{l}}"}, "nil": null, "e": "", "t": "{{env.SHELF_TOKEN}}"});
    let connector = with(|_, request| request.body = form_body(&more));
    let plan = call(&connector, json!({"a": "é&+"})).unwrap();
    assert_eq!(
        body(&plan).unwrap(),
        "z%5B0%5D=true&n=1.50&o=%7B%22k%22%3A%22%C3%A9%26%2B%22%7D&e=&t=<SHELF_TOKEN>"
    );
    assert_eq!(form(&plan)[2].1, "{\"k\":\"é&+\"}");
    let nested = with(|_, request| request.body = form_body(&json!({"o": {"k": ["{{env.SHELF_TOKEN}}"]}})));
    assert_eq!(
        call(&nested, json!({})).unwrap_err(),
        PlanError::KeyInFormJson {
            key: "SHELF_TOKEN".to_owned()
        }
    );
}

#[test]
fn b22_a_text_that_is_no_placeholder_is_refused_when_it_is_read() {
    let error = becket::model::Template::parse("x {{first-name}}", becket::model::Span::default()).unwrap_err();
    let text = "{{first-name}}".to_owned();
    assert_eq!(error, TemplateError::NotAName { start: 2, end: 16, text });
}

#[test]
fn a_plan_says_what_it_is_for() {
    let mut connector = with(|_, request| request.method = Method::Post);
    let reads = |connector: &becket::model::Connector| call(connector, json!({})).unwrap().reads;
    assert!(reads(&connector));
    connector.capabilities[0].risk = Risk::Notify;
    assert!(!reads(&connector));
    let plan = call(&connector, json!({})).unwrap();
    assert_eq!((plan.capability.as_str(), plan.method), ("shelf.go", Method::Post));
    assert_eq!(Base::authority(&plan.base), "127.0.0.1:9");
    assert_eq!(segments(&plan), ["api", "b"]);
    connector.capabilities[0].name = "shelf.other".to_owned();
    assert_eq!(
        call(&connector, json!({})).unwrap_err().to_string(),
        "`shelf` has no capability `shelf.go`"
    );
}
