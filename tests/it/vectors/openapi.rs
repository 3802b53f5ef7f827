//! Hostile descriptions: made here from the vector's recipe, and judged by its words.

use becket::model::Connector;
use becket::openapi::{self, Api, Choice, Chosen, Files, NoAddress, NoteKind, Options, Reason, lower};
use becket::source::{Limits, Source, parse};
use serde_json::{Value, json};

use super::{figures, load};

fn head(rest: &Value) -> Value {
    let mut doc = json!({
        "openapi": "3.0.3",
        "info": {"title": "Vector", "version": "1"},
        "servers": [{"url": "https://api.vector.example/v1"}],
    });
    for (name, value) in rest.as_object().expect("an object") {
        doc[name] = value.clone();
    }
    doc
}

fn get(operation: Value) -> Value {
    head(&json!({"paths": {"/a": {"get": operation}}}))
}

/// The description that a recipe such as `oa_path:/a/../b` means.
fn made(recipe: &str) -> Value {
    let node = json!({"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}});
    let body = json!({"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}});
    if let Some(server) = recipe.strip_prefix("oa_server:").or_else(|| recipe.strip_prefix("oa_server")) {
        return head(&json!({"servers": [{"url": server}], "paths": {"/a": {"get": {}}}}));
    }
    if let Some(path) = recipe.strip_prefix("oa_path:") {
        return head(&json!({"paths": {path: {"get": {}}}}));
    }
    if let Some(id) = recipe.strip_prefix("oa_opid:") {
        return get(json!({"operationId": id}));
    }
    if let Some(length) = recipe.strip_prefix("oa_summary:") {
        return get(json!({"summary": "x".repeat(length.parse().expect("a number"))}));
    }
    if let Some(count) = recipe.strip_prefix("oa_ops:") {
        let count: usize = count.parse().expect("a number");
        let paths: serde_json::Map<_, _> = (0..count).map(|at| (format!("/p{at}"), json!({"get": {}}))).collect();
        return head(&json!({"paths": paths}));
    }
    match recipe {
        "oa_cycle" => head(&json!({"paths": {"/a": {"post": {"requestBody": body}}}, "components": {"schemas": {"Node": node}}})),
        "oa_file" => get(json!({"parameters": [{"$ref": "../../etc/passwd#/x"}], "requestBody": {"$ref": "../../etc/passwd"}})),
        "oa_dup" => head(&json!({"paths": {"/a": {"get": {"operationId": "same"}}, "/b": {"get": {"operationId": "same"}}}})),
        "oa_xsecret" => get(
            json!({"x-secret": "SECRETVALUE", "parameters": [{"name": "q", "in": "query", "x-key": "SECRETVALUE", "schema": {"type": "string", "x-key": "SECRETVALUE"}}]}),
        ),
        "oa_default_key" => get(
            json!({"parameters": [{"name": "upload_token", "in": "query", "required": true, "schema": {"type": "string", "default": "SECRETVALUE"}}]}),
        ),
        "oa_example_key" => head(&json!({
            "paths": {"/a": {"get": {}}},
            "components": {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Key", "example": "SECRETVALUE", "x-default": "SECRETVALUE"}}},
        })),
        other => panic!("no recipe for `{other}`"),
    }
}

fn connector(api: &Api<'_>) -> (Connector, Vec<NoteKind>) {
    let operations = api.operations.iter().map(|operation| Chosen {
        id: operation.id.clone(),
        risk: operation.risk,
    });
    let choice = Choice {
        name: "vector".to_owned(),
        description: None,
        source: None,
        operations: operations.collect(),
    };
    let lowered = lower(api, &choice).unwrap_or_else(|error| panic!("{error}"));
    let notes = lowered.notes.iter().map(|note| note.kind).collect();
    (lowered.connector, notes)
}

fn text(api: &Api<'_>) -> String {
    becket::format::write::write(&connector(api).0)
}

/// Whether the description is judged as the vector says.
fn holds(expect: &str, api: &Api<'_>) -> bool {
    let reason = |wanted: fn(&Reason) -> bool| api.left_out.len() == 1 && wanted(&api.left_out[0].reason);
    match expect {
        "operation written, schema cut at the cycle with a note" => {
            let (connector, notes) = connector(api);
            connector.capabilities.len() == 1 && notes.contains(&NoteKind::Cycle)
        }
        "refused; not opened" => {
            reason(|reason| matches!(reason, Reason::ExternalRef(_))) && api.notes.iter().any(|note| note.kind == NoteKind::ExternalRef)
        }
        "resolved as https, shown to the user" => {
            api.base.as_ref().is_ok_and(|base| base.text() == "https://evil.example")
                && api.notes.iter().any(|note| note.kind == NoteKind::ServerResolved)
        }
        "listed as needing a choice" => matches!(&api.base, Err(NoAddress::Variables { names, .. }) if names == &["h"]),
        "refused" => matches!(api.base, Err(NoAddress::NotHttp { .. })),
        "unsupported" => reason(|reason| matches!(reason, Reason::PathShape(_))),
        "cleaned to a method name" => api.operations[0].id == "x",
        "escaped" => api.operations[0].id == "op_31mx" && !text(api).contains('\u{1b}'),
        "cut" => api.operations[0].summary.chars().count() == 160 && text(api).len() < 1000,
        "listed within 10 s or refused" => api.operations.len() == 100_000,
        "both get distinct names" => api.operations[0].id == "same" && api.operations[1].id == "same_2",
        "not copied" => !text(api).contains("SECRETVALUE"),
        "not copied into contract; flagged" => {
            let (connector, notes) = connector(api);
            connector.cases.is_empty() && notes.contains(&NoteKind::SecretDefault) && !text(api).contains("SECRETVALUE")
        }
        other => panic!("no judgement for `{other}`"),
    }
}

#[test]
fn openapi() {
    let Some(vectors) = load("parse.json") else { return };
    let vectors: Vec<Value> = vectors.into_iter().filter(|vector| vector["cls"] == "openapi").collect();
    let failed = |vector: &&Value| {
        let recipe = vector["doc"].as_str().and_then(|doc| doc.strip_prefix("@gen:")).expect("a recipe");
        let doc = parse(Source::new("openapi.json", made(recipe).to_string()), Limits::DESCRIPTION).expect("JSON");
        let never = |beside: &openapi::Beside| -> Result<becket::source::Doc, String> { panic!("{beside} was opened") };
        let files = Files::new(doc, None, Box::new(never));
        let api = openapi::read(&files, &Options::default()).expect("a description");
        !holds(vector["expect"].as_str().unwrap_or_default(), &api)
    };
    let failures: Vec<String> = vectors
        .iter()
        .filter(failed)
        .map(|vector| format!("{} {}", vector["id"], vector["what"]))
        .collect();
    figures("parse openapi", vectors.len(), &failures);
}
