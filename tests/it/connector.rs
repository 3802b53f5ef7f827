//! connector.json at the level of the author: what is accepted, what is refused and where.

use becket::diag::{Finding, Level};
use becket::rules::{Checked, read};
use becket::source::Source;
use serde_json::{Value, json};

fn base() -> Value {
    json!({
        "name": "shelf",
        "env": ["SHELF_TOKEN"],
        "http": {"base": "http://127.0.0.1:8000/api", "headers": {"X-Shelf": "tok {{env.SHELF_TOKEN}}"}},
        "capabilities": [{
            "name": "shelf.find", "risk": "read", "signature": "shelf.find({isbn?})", "returns": "[{title}]",
            "request": {"method": "GET", "path": "/b", "query": {"isbn": "{{isbn}}"}}
        }],
        "contract": [{"capability": "shelf.find", "keys": ["title"]}]
    })
}

/// The base connector with the value at a pointer replaced, or removed when it is null.
fn with(pointer: &str, value: Value) -> Value {
    let mut manifest = base();
    set(&mut manifest, pointer, value);
    manifest
}

fn set(manifest: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match manifest.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => drop(map.shift_remove(name)),
        Value::Object(map) => drop(map.insert(name.to_owned(), value)),
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = value,
        _ => panic!("{pointer}"),
    }
}

/// The base connector under another name, its capability with it.
fn named(name: &str) -> Value {
    let text = base().to_string().replace("\"shelf\"", &json!(name).to_string());
    serde_json::from_str(&text.replace("shelf.find", &format!("{name}.find"))).unwrap()
}

fn check(manifest: &Value) -> Checked {
    read(Source::new("connector.json", serde_json::to_string_pretty(manifest).unwrap()))
}

fn codes(checked: &Checked) -> Vec<&'static str> {
    checked.findings.iter().map(|finding| finding.rule.code).collect()
}

fn refused(manifest: &Value, code: &str) {
    let checked = check(manifest);
    let errors = checked.findings.iter().filter(|finding| finding.level == Level::Error);
    let errors: Vec<_> = errors.map(|finding| finding.rule.code).collect();
    assert_eq!(errors, [code], "{manifest}");
    assert!(checked.connector.is_none());
}

fn accepted(manifest: &Value) {
    let checked = check(manifest);
    assert_eq!(codes(&checked), [""; 0], "{manifest}");
    assert!(checked.connector.is_some());
}

#[test]
fn a1_a2_connector_names() {
    accepted(&base());
    for name in ["s", "Shelf", "shelf-x", "9lives", &"a".repeat(32)] {
        refused(&named(name), "P101");
    }
    for name in ["sh", &"a".repeat(31), "a1"] {
        accepted(&named(name));
    }
}

#[test]
fn a4_one_transport() {
    refused(&with("/http", Value::Null), "P201");
    refused(&with("/command", json!("python3")), "P201");
    refused(&with("/url", json!("https://mcp.example.com/mcp")), "P201");
}

#[test]
fn a5_a7_capability_names() {
    for name in ["shelf.books.list", "shelf.", "find", "other.find", ""] {
        let mut manifest = with("/capabilities/0/name", json!(name));
        set(&mut manifest, "/contract/0/capability", json!(name));
        refused(&manifest, "P102");
    }
}

#[test]
fn a8_built_in_names() {
    let text = named("rss").to_string().replace("rss.find", "rss.read");
    refused(&serde_json::from_str(&text).unwrap(), "P105");
    assert_eq!(codes(&check(&named("notes"))), ["P106"]);
}

#[test]
fn a10_risks() {
    for risk in ["Read", "readonly", "", "READ"] {
        refused(&with("/capabilities/0/risk", json!(risk)), "P401");
    }
}

#[test]
fn a11_reads_have_cases() {
    refused(&with("/contract", json!([])), "P501");
    refused(&with("/contract", Value::Null), "P501");
    let mut imported = with("/contract", json!([]));
    set(&mut imported, "/imported", json!(true));
    accepted(&imported);
}

#[test]
fn a13_key_names() {
    for name in ["shelf_token", "_X", "A=B", "", "1A"] {
        let mut manifest = with("/env", json!([name]));
        set(&mut manifest, "/http/headers", Value::Null);
        refused(&manifest, "P107");
    }
    for name in ["A", "A1_B"] {
        let mut manifest = with("/env", json!([name]));
        set(&mut manifest, "/http/headers/X-Shelf", json!(format!("tok {{{{env.{name}}}}}")));
        accepted(&manifest);
    }
}

#[test]
fn a14_a16_a17_addresses() {
    for address in [
        "http://shelf.example",
        "ftp://localhost",
        "https://{{tenant}}.shelf.example",
        "https://u:p@shelf.example",
        "/api",
        "",
    ] {
        refused(&with("/http/base", json!(address)), "P202");
    }
    for address in ["http://localhost:9", "http://[::1]:9", "http://127.9.9.9", "https://shelf.example"] {
        accepted(&with("/http/base", json!(address)));
    }
}

#[test]
fn remote_addresses_are_judged_alike() {
    let remote = |url: &str| {
        json!({
            "name": "shelf", "url": url, "headers": ["X-Key"],
            "capabilities": [{"name": "shelf.find", "risk": "read", "signature": "s", "returns": "r"}],
            "contract": [{"capability": "shelf.find", "keys": ["title"]}]
        })
    };
    for url in [
        "http://mcp.example",
        "https://user:pw@mcp.example",
        "http://127.0.0.1@evil.example",
        "http://localhost.evil.example",
        "http://127.0.0.1.evil.example",
    ] {
        refused(&remote(url), "P202");
    }
    for url in [
        "https://mcp.example.com/mcp?team=1",
        "http://127.0.0.1:8080/mcp",
        "http://localhost/mcp",
    ] {
        accepted(&remote(url));
    }
    let mut named = remote("https://mcp.example.com/mcp");
    set(&mut named, "/headers/0", json!("X Key"));
    refused(&named, "P208");
}

#[test]
fn a19_methods() {
    refused(&with("/capabilities/0/request/method", json!("HEAD")), "P204");
    refused(&with("/capabilities/0/request/method", Value::Null), "P002");
    accepted(&with("/capabilities/0/request/method", json!("get")));
}

#[test]
fn a20_paths() {
    for path in ["books", "/a/../b"] {
        refused(&with("/capabilities/0/request/path", json!(path)), "P205");
    }
    let checked = check(&with("/capabilities/0/request/path", json!("/x?u=http://y")));
    assert_eq!(codes(&checked), ["P207", "P205"]);
}

#[test]
fn a22_no_key_in_a_path() {
    for path in [
        "/k/{{ env.SHELF_TOKEN }}",
        "/k/{{env.SHELF_TOKEN}}",
        "/k/{{env.NOPE}}",
        "/{{\tenv.SHELF_TOKEN}}",
    ] {
        let checked = check(&with("/capabilities/0/request/path", json!(path)));
        assert!(codes(&checked).contains(&"P302"), "{path}: {:?}", codes(&checked));
    }
}

#[test]
fn a23_undeclared_keys() {
    let mut manifest = with("/capabilities/0/risk", json!("reversible"));
    set(&mut manifest, "/contract", Value::Null);
    set(&mut manifest, "/capabilities/0/request/method", json!("POST"));
    set(&mut manifest, "/capabilities/0/request/body", json!({"t": ["{{env.NOPE}}"]}));
    refused(&manifest, "P301");
}

#[test]
fn a25_field_names_have_a_case() {
    let text = serde_json::to_string_pretty(&base()).unwrap().replacen("\"name\"", "\"Name\"", 1);
    let checked = read(Source::new("connector.json", text));
    assert_eq!(codes(&checked), ["P002"]);
    let finding = &checked.findings[0];
    assert_eq!(finding.message, "the connector has no `name`");
    assert_eq!(finding.label.as_deref(), Some("did you mean `name`?"));
    assert_eq!(checked.source.slice(finding.span), "\"Name\"");
    assert_eq!(codes(&check(&with("/Name", json!("other")))), ["P005"]);
}

#[test]
fn a_misspelt_field_is_read_as_the_one_that_was_meant() {
    let text = base()
        .to_string()
        .replace("\"request\"", "\"reqest\"")
        .replace("{{isbn}}", "{{first-name}}");
    let checked = read(Source::new("connector.json", text));
    assert_eq!(codes(&checked), ["P002", "P212"]);
    let fix = checked.findings[0].fix.as_ref().unwrap();
    assert_eq!(
        (fix.edits[0].text.as_str(), checked.source.slice(fix.edits[0].span)),
        ("\"request\"", "\"reqest\"")
    );
    assert_eq!(checked.source.slice(checked.findings[1].span), "{{first-name}}");
}

fn one(text: &str) -> Vec<(String, Option<String>)> {
    let checked = read(Source::new("connector.json", text));
    checked
        .findings
        .into_iter()
        .map(|finding| (format!("{} {}", finding.rule.code, finding.message), finding.label))
        .collect()
}

#[test]
fn par_048_060_061_066_067_shapes_of_the_whole_file() {
    assert!(one("[]").contains(&("P003 the connector: expected an object, found an array".into(), None)));
    assert!(one("\"x\"").contains(&("P003 the connector: expected an object, found a string".into(), None)));
    assert_eq!(one("[]").len(), 1);
    assert!(one(r#"{"name":7}"#).contains(&("P003 `name`: expected a string, found a number".into(), None)));
    let twice = one(r#"{"name":"ab","name":"cd"}"#);
    assert!(twice.contains(&("P005 `name` stands here twice".into(), Some("only this one counts".into()))));
    let misspelt = one(r#"{"name":"ab","nmae":"cd"}"#);
    assert!(misspelt.contains(&("P001 unknown field `nmae`".into(), Some("did you mean `name`?".into()))));
}

#[test]
fn par_063_ten_thousand_capabilities() {
    let capabilities: Vec<Value> = (0..10_000)
        .map(|number| json!({"name": format!("shelf.c{number}"), "risk": "notify", "signature": "s", "returns": "r", "request": {"method": "POST", "path": "/c"}}))
        .collect();
    let mut manifest = with("/capabilities", json!(capabilities));
    set(&mut manifest, "/contract", Value::Null);
    let checked = check(&manifest);
    assert_eq!(codes(&checked), [""; 0]);
    assert_eq!(checked.connector.unwrap().capabilities.len(), 10_000);
    let unknown: Vec<Value> = (0..10_000)
        .map(|number| json!({"capability": format!("shelf.x{number}"), "keys": ["a"]}))
        .collect();
    set(&mut manifest, "/contract", json!(unknown));
    assert_eq!(check(&manifest).findings.len(), 10_000);
}

#[test]
fn null_is_absent() {
    let mut manifest = base();
    for pointer in ["/description", "/url", "/command", "/capabilities/0/schema", "/contract/0/args"] {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        manifest.pointer_mut(parent).unwrap()[name] = Value::Null;
    }
    accepted(&manifest);
}

/// What one change of the base connector raises: pointer, value, the findings as code and place.
#[test]
fn other_rules() {
    type Row = (&'static str, Value, &'static [(&'static str, &'static str)]);
    let schema = |properties: Value| json!({"type": "object", "properties": properties});
    let rows: Vec<Row> = vec![
        ("/licence", json!("MIT"), &[("P001", "\"licence\"")]),
        ("/args", json!(["x"]), &[("P007", "\"args\"")]),
        ("/capabilities/0/returns", json!(" "), &[("P006", "\" \"")]),
        ("/env", json!(["SHELF_TOKEN", "OTHER"]), &[("P304", "\"OTHER\"")]),
        ("/env/0", json!(7), &[("P003", "7"), ("P301", "{{env.SHELF_TOKEN}}")]),
        (
            "/http/headers/X-Shelf",
            json!("tok 9f86d081884c7d659a2feaa0c55ad015"),
            &[("P304", "\"SHELF_TOKEN\"")],
        ),
        (
            "/http/headers/Authorization",
            json!("token 9f86d081884c7d659a2feaa0c55ad015"),
            &[("P305", "9f86d081884c7d659a2feaa0c55ad015")],
        ),
        ("/http/headers/x-shelf", json!("1"), &[("P005", "\"x-shelf\"")]),
        (
            "/http/query",
            json!({"api_key": "9f86d081884c7d659a2feaa0c55ad015"}),
            &[("P305", "9f86d081884c7d659a2feaa0c55ad015")],
        ),
        (
            "/http/base",
            json!("https://shelf.example/api?key=9f86d081884c7d659a2f"),
            &[
                ("P203", "\"https://shelf.example/api?key=9f86d081884c7d659a2f\""),
                ("P305", "9f86d081884c7d659a2f"),
            ],
        ),
        (
            "/http/base",
            json!("https://shelf.example:8080"),
            &[("P203", "\"https://shelf.example:8080\"")],
        ),
        ("/capabilities/0/schema", schema(json!({"isbn": {"type": "string"}})), &[]),
        (
            "/capabilities/0/schema",
            schema(json!({"isnb": {"type": "string"}})),
            &[("P214", "{{isbn}}")],
        ),
        ("/capabilities/0/schema", json!({"type": "object"}), &[]),
        (
            "/capabilities/0/schema",
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            &[],
        ),
        (
            "/capabilities/0/schema",
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"isbn": {}}}}}),
            &[],
        ),
        (
            "/capabilities/0/schema",
            json!({"allOf": [{"properties": {"isbn": {}}}, {"properties": {"x": {}}}]}),
            &[("P215", "\"x\"")],
        ),
        (
            "/capabilities/0/schema",
            schema(json!({"isbn": {"type": "array"}})),
            &[("P217", "{{isbn}}")],
        ),
        ("/capabilities/0/schema", json!("x"), &[("P220", "\"x\"")]),
        (
            "/capabilities/0/schema",
            schema(json!({"isbn": {"$ref": "https://example.com/s.json"}})),
            &[("P220", "\"https://example.com/s.json\"")],
        ),
        ("/capabilities/0/request/query/isbn", json!("{{o.id}}"), &[]),
        (
            "/capabilities/0/request/query/isbn",
            json!(["{{isbn}}"]),
            &[("P216", "[\n            \"{{isbn}}\"\n          ]")],
        ),
        ("/capabilities/0/request/query/isbn", json!(5), &[("P003", "5")]),
        ("/capabilities/0/request/query/isbn", json!("{{isbn"), &[("P212", "{{isbn")]),
        ("/capabilities/0/request/safe", json!(true), &[("P008", "\"safe\"")]),
        ("/capabilities/0/request/safe", json!("true"), &[("P003", "\"true\"")]),
        ("/capabilities/0/request/body", json!({"a": 1}), &[("P218", "\"body\"")]),
        ("/capabilities/0/request/form", json!(true), &[("P008", "\"form\"")]),
        ("/capabilities/0/request/form", json!(false), &[]),
        (
            "/capabilities/0/request/form",
            json!("multipart"),
            &[("P008", "\"form\""), ("P216", "\"multipart\"")],
        ),
        ("/capabilities/0/request/form", json!("parts"), &[("P003", "\"parts\"")]),
        ("/capabilities/0/request/method", json!("PUT"), &[("P402", "\"read\"")]),
        ("/capabilities/0/result", json!({}), &[("P008", "{}")]),
        ("/capabilities/0/result", json!({"max": 1.5}), &[("P601", "1.5")]),
        ("/capabilities/0/result", json!({"path": "a..b"}), &[("P701", "\"a..b\"")]),
        (
            "/capabilities/0/result",
            json!({"fields": {"name": "title"}}),
            &[("P506", "\"title\"")],
        ),
        ("/contract/0/keys", json!([]), &[("P505", "[]")]),
        (
            "/contract/0/capability",
            json!("shelf.fnd"),
            &[("P501", "\"shelf.find\""), ("P502", "\"shelf.fnd\"")],
        ),
    ];
    for (pointer, value, expected) in rows {
        let manifest = with(pointer, value);
        let checked = check(&manifest);
        let place = |finding: &Finding| (finding.rule.code, checked.source.slice(finding.span).to_owned());
        // What the signature says beside another schema has a table of its own.
        let of_schema = checked.findings.iter().filter(|finding| finding.rule.code != "P109");
        let found: Vec<_> = of_schema.map(place).collect();
        let expected: Vec<_> = expected.iter().map(|(code, text)| (*code, (*text).to_owned())).collect();
        assert_eq!(found, expected, "{pointer}: {:#?}", checked.findings);
    }
}

#[test]
fn the_text_of_a_typed_key_is_in_no_message() {
    let canary = "9f86d081884c7d659a2feaa0c55ad015";
    let typed = [
        ("/http/base", json!(format!("https://user:{canary}@shelf.example"))),
        ("/http/base", json!(format!("https://shelf.example/?token={canary}"))),
        ("/http/headers/Authorization", json!(format!("Bearer {canary}"))),
        (
            "/capabilities/0/request/path",
            json!("/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx/x?y"),
        ),
        (
            "/capabilities/0/request/query/isbn",
            json!("{{isbn}} sk_live_4eC39HqLyjWDarjtT1zdp7dc {{"),
        ),
        ("/description", json!("use ghp_16C7e42F292c6912E7710c838347Ae178B4a")),
        (
            "/description",
            json!("AKIAIOSFODNN7EXAMPLE and ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ),
    ];
    for (pointer, value) in typed {
        let secrets = [
            canary,
            "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx",
            "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        ];
        let text = value.as_str().unwrap().to_owned();
        let checked = check(&with(pointer, value));
        let secret = secrets.into_iter().find(|secret| text.contains(secret)).unwrap();
        let hidden = checked.findings.iter().flat_map(|finding| &finding.hidden);
        assert!(hidden.clone().any(|span| checked.source.slice(*span).contains(secret)), "{pointer}");
        for finding in &checked.findings {
            let said = format!(
                "{} {:?} {:?} {:?} {:?}",
                finding.message, finding.label, finding.related, finding.help, finding.fix
            );
            assert!(!said.contains(secret), "{said}");
        }
    }
}

#[test]
fn twelve_mistakes_are_twelve_findings_each_at_its_place() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/twelve/connector.json");
    let checked = read(Source::new("connector.json", std::fs::read_to_string(path).unwrap()));
    let place = |finding: &Finding| {
        let position = checked.source.position(finding.span.start);
        let shown = checked.source.slice(finding.span).to_owned();
        (finding.rule.code, position.line, position.column, shown)
    };
    let found: Vec<_> = checked.findings.iter().map(place).collect();
    let expected = [
        ("P004", 3, 3, "\"descripton\""),
        ("P107", 4, 26, "\"shelf_id\""),
        ("P202", 6, 13, "\"http://shelf.example.com/api\""),
        ("P209", 8, 7, "\"Host\""),
        ("P301", 9, 21, "{{env.SHELF_TOKN}}"),
        ("P401", 16, 15, "\"Read\""),
        ("P214", 20, 92, "{{tittle}}"),
        ("P501", 23, 15, "\"shelf.book\""),
        ("P003", 26, 18, "7"),
        ("P302", 27, 44, "\"/book/{{env.SHELF_TOKEN}}/{{id}}\""),
        ("P601", 28, 25, "-5"),
        ("P502", 31, 31, "\"shelf.fnd\""),
    ];
    assert_eq!(
        found,
        expected.map(|(code, line, column, shown)| (code, line, column, shown.to_owned()))
    );
}

/// A list under a name may be meant as JSON: no other form is advised without saying when.
#[test]
fn the_help_on_a_list_as_text_leaves_json_alone() {
    let help = |kind: &str| {
        let schema = json!({"type": "object", "required": ["isbn"], "properties": {"isbn": {"type": kind}}});
        let checked = check(&with("/capabilities/0/schema", schema));
        let found = checked.findings.iter().find(|finding| finding.rule.code == "P217");
        found.and_then(|finding| finding.help.clone()).unwrap_or_default()
    };
    assert_eq!(
        help("array"),
        "leave it if the service reads JSON here; for one pair for each entry write `\"isbn\": [\"{{isbn}}\"]` (beyond-host)"
    );
    assert_eq!(
        help("object"),
        "leave it if the service reads JSON here; a `style` writes other forms (beyond-host)"
    );
}
