//! The classes of request.json that are judged in the file, before anything is sent.

use becket::diag::Level;
use becket::rules;
use becket::source::Source;
use serde_json::{Value, json};

fn connector(request: Value, risk: &str, keys: &[&str]) -> Value {
    let mut contract = Vec::new();
    if risk == "read" {
        contract.push(json!({"capability": "shelf.find", "keys": ["title"]}));
    }
    json!({
        "name": "shelf",
        "env": keys,
        "http": {"base": "https://api.example.com"},
        "capabilities": [{"name": "shelf.find", "risk": risk, "signature": "shelf.find()", "returns": "[{title}]", "request": request}],
        "contract": contract
    })
}

/// What a check says of a connector: error, warn or ok. A key that is declared and not used is not
/// what a vector asks about.
fn verdict(manifest: &Value) -> &'static str {
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    worst(
        checked
            .findings
            .iter()
            .filter(|finding| finding.rule.code != "P304")
            .map(|finding| finding.level),
    )
}

fn worst(levels: impl Iterator<Item = Level>) -> &'static str {
    match levels.max() {
        Some(Level::Error) => "error",
        Some(Level::Warning) => "warn",
        _ => "ok",
    }
}

/// Whether a verdict is among those that a vector accepts.
fn fits(expected: &str, verdict: &str) -> bool {
    match expected {
        "ok-escaped" | "dropped" | "trimmed-or-error" | "error-or-utf8" | "ok-or-error" => verdict != "warn",
        "error-or-kept" | "error-for-read" | "error-without-read" | "error-unless-http-local" | "trim-or-error" => verdict == "error",
        "error-or-warn" => verdict != "ok",
        "ok-or-warn" => verdict != "error",
        "either" => true,
        exact => exact == verdict,
    }
}

fn play(kind: &str, judge: impl Fn(&Value) -> &'static str) {
    let Some(vectors) = super::load("request.json") else { return };
    let class: Vec<_> = vectors.iter().filter(|vector| vector["what"] == kind).collect();
    let failures: Vec<String> = class
        .iter()
        .filter_map(|vector| {
            let expected = vector["expect"]["check"].as_str().unwrap();
            let found = judge(vector);
            (!fits(expected, found)).then(|| format!("{vector}: {found}"))
        })
        .collect();
    super::figures(&format!("request {kind}"), class.len(), &failures);
}

#[test]
fn manifest_path() {
    play("manifest-path", |vector| {
        verdict(&connector(json!({"method": "GET", "path": vector["template"]}), "read", &["KEY"]))
    });
}

#[test]
fn manifest_header() {
    play("manifest-header", |vector| {
        let name = vector["name"].as_str().unwrap();
        let headers = json!({name: vector["value"]});
        verdict(&connector(
            json!({"method": "GET", "path": "/x", "headers": headers}),
            "read",
            &["K"],
        ))
    });
}

#[test]
fn method() {
    play("method", |vector| {
        let mut request = json!({"method": vector["method"], "path": "/x"});
        if let Some(safe) = vector.get("safe") {
            request["safe"] = safe.clone();
        }
        verdict(&connector(request, vector["risk"].as_str().unwrap(), &[]))
    });
}

/// Bases that a call joins are accepted, one with a query of its own with a warning.
#[test]
fn base_join() {
    let Some(vectors) = super::load("request.json") else { return };
    let class: Vec<_> = vectors.iter().filter(|vector| vector["what"] == "base-join").collect();
    let mut failures = Vec::new();
    for vector in &class {
        let mut manifest = connector(json!({"method": "GET", "path": "/search", "query": vector["query"]}), "read", &[]);
        manifest["http"]["base"] = vector["base"].clone();
        let expected = if vector["base"].as_str().unwrap().contains('?') {
            "warn"
        } else {
            "ok"
        };
        if verdict(&manifest) != expected {
            failures.push(vector.to_string());
        }
    }
    super::figures("request base-join in the file", class.len(), &failures);
}

/// A header that takes a key is accepted whatever the key turns out to be.
#[test]
fn header_secret() {
    let Some(vectors) = super::load("request.json") else { return };
    let class = vectors.iter().filter(|vector| vector["what"] == "header-secret").count();
    let request = json!({"method": "GET", "path": "/x", "headers": {"X-Key": "{{env.K}}"}});
    let failures: Vec<String> = Some(verdict(&connector(request, "read", &["K"])))
        .filter(|verdict| *verdict != "ok")
        .map(str::to_owned)
        .into_iter()
        .collect();
    super::figures("request header-secret in the file", class, &failures);
}

const PROFILE: &str = "name: example-tracker
api:
  base_url: BASE
  auth: {type: header, name: X-Api-Key}
  check: all_offers
  limits: {LIMITS}
  tools:
    all_offers:
      about: Offers by name
      path: /offers
      returns: {id: id}
    TOOL:
      about: More offers
      method: METHOD
      path: PATH
      returns: {id: id}
";

/// A profile with one value of a vector put in.
fn profile(field: &str, value: &Value) -> String {
    let defaults = [
        ("BASE", "base_url", "https://{domain}/api/v1"),
        ("TOOL", "tool", "find_offers"),
        ("METHOD", "method", "GET"),
        ("PATH", "path", "/offers"),
    ];
    let text = defaults.iter().fold(PROFILE.to_owned(), |text, (mark, name, default)| {
        let value = if *name == field { value.clone() } else { json!(default) };
        text.replacen(mark, &value.to_string(), 1)
    });
    let limit = field.strip_prefix("limits.").map(|name| format!("{name}: {value}"));
    text.replace("LIMITS", &limit.unwrap_or_else(|| "timeout: 20".to_owned()))
}

#[test]
fn pack() {
    play("pack", |vector| {
        let field = vector["field"].as_str().unwrap();
        if let Some(name) = field.strip_prefix("field:") {
            let value = vector["value"].as_str().unwrap();
            let filled = rules::pack::host_field("https://{domain}/api/v1", name, value);
            return if filled.is_err() { "error" } else { "ok" };
        }
        let text = profile(field, &vector["value"]);
        worst(
            rules::pack::check(Source::new("profile.yaml", text))
                .iter()
                .map(|finding| finding.level),
        )
    });
}
