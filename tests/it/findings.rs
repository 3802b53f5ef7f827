//! Findings of single rules, as tables: what is refused, what is left alone.

use becket::rules;
use becket::source::Source;
use serde_json::{Value, json};

/// A sound connector.
fn sound() -> Value {
    json!({
        "name": "shelf",
        "env": ["A_KEY"],
        "http": {"base": "https://shelf.example.com", "headers": {"X-Shelf": "{{env.A_KEY}}"}, "query": {}},
        "capabilities": [{
            "name": "shelf.get", "risk": "read", "signature": "shelf.get({id, q?})", "returns": "{title}",
            "schema": {
                "type": "object", "required": ["id"],
                "properties": {"id": {"type": "string"}, "q": {"type": "string"}}, "additionalProperties": false
            },
            "request": {"method": "GET", "path": "/books/{{id}}", "query": {"q": "{{q}}"}}
        }],
        "contract": [{"capability": "shelf.get", "args": {"id": "1"}, "keys": ["title"]}]
    })
}

/// The findings with the value at a pointer replaced: `P305 "x"`, with the text of the place.
fn found(pointer: &str, value: Value) -> Vec<String> {
    let mut manifest = sound();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match manifest.pointer_mut(parent).expect("it is there") {
        Value::Array(list) => list[name.parse::<usize>().expect("an index")] = value,
        parent => parent[name] = value,
    }
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    let place = |finding: &becket::diag::Finding| format!("{} {}", finding.rule.code, checked.source.slice(finding.span));
    checked.findings.iter().map(place).collect()
}

/// What the fixes make of a manifest, and the value at a pointer in it.
fn mended(pointer: &str, value: Value) -> Value {
    let mut manifest = sound();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    manifest.pointer_mut(parent).expect("it is there")[name] = value;
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    let (text, _) = becket::diag::mend(checked.source.text(), &checked.findings);
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    manifest.pointer(pointer).expect("it is there").clone()
}

#[test]
fn any_literal_where_a_key_belongs_is_one() {
    let headers = "/http/headers";
    let query = "/http/query";
    let keep = |name: &str, value: &str| json!({"X-Shelf": "{{env.A_KEY}}", name: value});
    for (name, value, place) in [
        ("Authorization", "abc", "abc"),
        ("authorization", "Bearer abc", "abc"),
        ("Authorization", "Token  abc", "abc"),
        ("X-Api-Key", "1234", "1234"),
        ("Api-Key", "x", "x"),
        ("X-Auth-Token", "a b", "a b"),
        ("X-Goog-Api-Key", "abc", "abc"),
    ] {
        assert_eq!(found(headers, keep(name, value)), [format!("P305 {place}")], "{name}: {value}");
    }
    for (name, value) in [
        ("Authorization", "Bearer {{env.A_KEY}}"),
        ("Authorization", "{{env.A_KEY}}"),
        ("Authorization", "Bearer"),
        ("X-Api-Key", ""),
        ("Accept", "application/json"),
        ("X-Page-Token", "abc"),
        ("X-Api-Version", "2024-01-01"),
    ] {
        assert_eq!(found(headers, keep(name, value)), [] as [&str; 0], "{name}: {value}");
    }
    for name in ["api_key", "apikey", "access_token", "token", "key", "client_secret", "api-key"] {
        assert_eq!(found(query, json!({name: "abc"})), ["P305 abc"], "{name}");
        assert_eq!(found(query, json!({name: "{{env.A_KEY}}"})), [] as [&str; 0], "{name}");
    }
    for (name, value) in [
        ("page_token", "abc"),
        ("sort_key", "name"),
        ("keyword", "abc"),
        ("keys", "a,b"),
        ("token", "true"),
        ("response_type", "token"),
    ] {
        assert_eq!(found(query, json!({name: value})), [] as [&str; 0], "{name}");
    }
}

#[test]
fn a_body_names_keys_and_fields() {
    let body = |body: Value| {
        let request = json!({"method": "POST", "safe": true, "path": "/books/{{id}}", "query": {"q": "{{q}}"}, "body": body});
        found("/capabilities/0/request", request)
    };
    assert_eq!(body(json!({"auth": {"token": "abc"}})), ["P305 abc"]);
    assert_eq!(body(json!({"filter": [{"key": "status", "value": "open"}]})), [] as [&str; 0]);
    assert_eq!(body(json!({"token": "{{env.A_KEY}}", "type": "token"})), [] as [&str; 0]);
}

#[test]
fn flags_of_a_program_name_keys() {
    let args = |args: Value| {
        let manifest = json!({
            "name": "shelf", "command": "x", "args": args,
            "capabilities": [{"name": "shelf.put", "risk": "irreversible", "signature": "shelf.put()", "returns": "a"}]
        });
        let checked = rules::read(Source::new("connector.json", manifest.to_string()));
        checked
            .findings
            .iter()
            .map(|finding| format!("{} {}", finding.rule.code, finding.message))
            .collect::<Vec<_>>()
    };
    for typed in [json!(["--api-key", "abc"]), json!(["--token=abc"])] {
        assert_eq!(args(typed), ["P305 a key is typed into the file"]);
    }
    for plain in [
        json!(["--key", "server.pem"]),
        json!(["--token", "--other"]),
        json!(["--page-token=abc"]),
        json!(["server.py"]),
    ] {
        assert_eq!(args(plain), [] as [&str; 0]);
    }
    assert_eq!(
        args(json!(["--port", "{{port}}"])),
        ["P213 `{{port}}` stays as it is: nothing fills placeholders in what is started"]
    );
}

#[test]
fn signatures_agree_with_schemas() {
    let signature = "/capabilities/0/signature";
    for (text, expected) in [
        ("shelf.get({id, q})", &[][..]),
        ("shelf.get({id: string, q?: string})", &[]),
        ("gives one book", &[]),
        ("shelf.get({id, …})", &[]),
        ("shelf.get({id})", &["P109 \"shelf.get({id})\""]),
        ("shelf.get({id, q?, year?})", &["P109 year"]),
        ("shelf.get({idd, q?})", &["P109 idd"]),
        ("shelf.get()", &["P109 \"shelf.get()\""]),
    ] {
        assert_eq!(found(signature, json!(text)), expected, "{text}");
    }
}

#[test]
fn the_path_needs_its_arguments() {
    let required = "/capabilities/0/schema/required";
    assert_eq!(found(required, json!([])), ["P222 {{id}}"]);
    assert_eq!(found(required, json!(["q"])), ["P222 {{id}}", "P504 {\"id\":\"1\"}"]);
    assert_eq!(found(required, json!(["id", "q"])), ["P504 {\"id\":\"1\"}"]);
    assert_eq!(found("/capabilities/0/schema", json!({"type": "object"})), [] as [&str; 0]);
}

#[test]
fn a_method_in_a_parameter_is_not_a_read() {
    let request = |request: Value| found("/capabilities/0/request", request);
    let get = |path: &str, query: Value| request(json!({"method": "GET", "path": path, "query": query}));
    let q = || json!({"q": "{{q}}"});
    assert_eq!(
        get("/books/{{id}}", json!({"q": "{{q}}", "_method": "DELETE"})),
        ["P402 \"_method\""]
    );
    assert_eq!(
        get("/books/{{id}}", json!({"q": "{{q}}", "_METHOD": "{{id}}"})),
        ["P402 \"_METHOD\""]
    );
    assert_eq!(get("/books/{{id}}", json!({"q": "{{q}}", "_method": "get"})), [] as [&str; 0]);
    assert_eq!(
        get("/books/{{id}}?_method=DELETE", q()),
        ["P207 ?_method=DELETE", "P402 _method=DELETE"]
    );
    assert_eq!(
        get("/books/{{id}}?a=b&%5Fmethod=PUT", q()),
        ["P207 ?a=b&%5Fmethod=PUT", "P402 %5Fmethod=PUT"]
    );
    let post = json!({"method": "POST", "safe": true, "path": "/books/{{id}}", "query": q(), "body": {"_method": "DELETE"}});
    assert_eq!(request(post), ["P402 \"_method\""]);
    assert_eq!(found("/http/query", json!({"_method": "DELETE"})), ["P402 \"_method\""]);
}

#[test]
fn placeholders_that_nothing_fills_are_pointed_out() {
    let result = |path: &str| found("/capabilities/0/result", json!({"path": path}));
    assert_eq!(result("data.{{q}}"), ["P213 \"data.{{q}}\""]);
    assert_eq!(
        found("/capabilities/0/result", json!({"fields": {"title": "{{q}}"}})),
        ["P213 \"{{q}}\""]
    );
    assert_eq!(
        found("/contract/0/args", json!({"id": "{{env.A_KEY}}"})),
        ["P213 \"{{env.A_KEY}}\""]
    );
    assert_eq!(found("/contract/0/args", json!({"id": "{{ states('x') }}"})), [] as [&str; 0]);
}

#[test]
fn other_languages_of_paths_are_translated() {
    let pointer = "/capabilities/0/result";
    for (path, right) in [
        ("$.items", "items"),
        ("$.items[0].id", "items.0.id"),
        ("items[*].id", "items.*.id"),
        ("items[]", "items.*"),
        ("['items']['a']", "items.a"),
        ("a..b", "a.b"),
        ("a.", "a"),
        (".a", "a"),
        ("$[0]", "0"),
    ] {
        assert_eq!(found(pointer, json!({"path": path})), [format!("P701 {}", json!(path))], "{path}");
        assert_eq!(mended(pointer, json!({"path": path})), json!({"path": right}), "{path}");
    }
    for path in ["a.b", "$schema", "filter[name]", "a.0.*.b", "a-b"] {
        assert_eq!(found(pointer, json!({"path": path})), [] as [&str; 0], "{path}");
    }
    assert_eq!(found(pointer, json!({"path": "$"})), ["P701 \"$\""]);
    assert_eq!(found(pointer, json!({"path": "a", "max": 0})), ["P008 0"]);
    assert_eq!(found(pointer, json!({"path": "a", "max": 1})), [] as [&str; 0]);
}

#[test]
fn a_misspelt_argument_is_one_finding() {
    let request = json!({"method": "GET", "path": "/books/{{id}}", "query": {"q": "{{qq}}"}});
    assert_eq!(found("/capabilities/0/request", request), ["P215 \"q\"", "P214 {{qq}}"]);
    let schema = json!({
        "type": "object", "required": ["id"],
        "properties": {"id": {"type": "string"}, "query": {"type": "string"}}, "additionalProperties": false
    });
    let mut manifest = sound();
    manifest["capabilities"][0]["schema"] = schema;
    manifest["capabilities"][0]["signature"] = json!("shelf.get({id, query?})");
    manifest["capabilities"][0]["request"]["query"] = json!({"q": "{{qurey}}"});
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    let codes: Vec<_> = checked.findings.iter().map(|finding| finding.rule.code).collect();
    assert_eq!(codes, ["P214"]);
}

/// Text as it is written, not escaped once more.
#[test]
fn a_pattern_is_shown_as_written() {
    let mut manifest = sound();
    manifest["capabilities"][0]["schema"]["properties"]["id"] = json!({"type": "string", "pattern": "^\\d{3}\\.x$"});
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    let messages: Vec<_> = checked.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages, ["`id` does not match the pattern `^\\d{3}\\.x$`"]);
}

#[test]
fn half_an_escape_is_pointed_out() {
    let pointer = "/capabilities/0/request/path";
    for (path, places) in [
        ("/a%zz/{{id}}", &["P206 %"][..]),
        ("/100%/{{id}}", &["P206 %"]),
        ("/a%2/{{id}}", &["P206 %"]),
        ("/a%20b/{{id}}", &[]),
        ("/a%c3%a9/{{id}}", &[]),
    ] {
        assert_eq!(found(pointer, json!(path)), places, "{path}");
    }
}

#[test]
fn what_is_required_is_there() {
    let pointer = "/capabilities/0/schema/required";
    assert_eq!(found(pointer, json!(["id", "qq"])), ["P223 \"qq\"", "P504 {\"id\":\"1\"}"]);
    let all = "/capabilities/0/schema/allOf";
    assert_eq!(found(all, json!([{"required": ["q"]}])), ["P504 {\"id\":\"1\"}"]);
    let open =
        json!({"type": "object", "required": ["id", "other"], "properties": {"id": {}, "q": {}, "more": {}}, "additionalProperties": true});
    let findings = found("/capabilities/0/schema", open);
    assert!(!findings.iter().any(|finding| finding.starts_with("P223")), "{findings:?}");
}

#[test]
fn one_mistake_is_one_finding() {
    assert_eq!(found("/name", json!("Shelf")), ["P101 \"Shelf\""]);
    assert_eq!(found("/env", json!({"A_KEY": ""})), ["P003 {\"A_KEY\":\"\"}"]);
    assert_eq!(found("/env", json!(["B_KEY"])), ["P301 {{env.A_KEY}}"]);
    assert_eq!(found("/capabilities", json!([])), ["P002 \"capabilities\""]);
}
