//! What no description may do: sink its other operations, or become a request that cannot be sent
//! or is wrong.

use becket::exec::plan;
use becket::keys::Keys;
use serde_json::json;

use super::*;

#[test]
fn a_path_that_no_connector_has_is_left_out_alone() {
    for path in ["/a://b", "/http://evil.example/x", "/{x}://y", "/../a", "/a/{x"] {
        let text = paths(&format!(
            "'{path}': {{get: {{operationId: bad}}}}, /ok: {{get: {{operationId: ok}}}}"
        ));
        assert_eq!(with(&text, &fetched(), left_out), [("bad".to_owned(), "path-shape")], "{path}");
        let made = lowered(&text, &fetched());
        let checked = becket::rules::read(Source::new("connector.json", becket::format::write::write(&made.connector)));
        assert_eq!(checked.errors(), 0, "{path}");
    }
}

#[test]
fn a_body_without_a_schema_is_any_json() {
    let body = "requestBody: {required: true, description: All of it, content: {application/json: {}}}";
    let three = paths(&format!("/a: {{post: {{{body}}}}}"));
    let two = "{swagger: '2.0', info: {title: S, version: '1'}, host: a.example, paths: {/a: {post: {parameters: \
               [{name: it, in: body, required: true, type: object}]}}}}";
    for text in [three.as_str(), two] {
        let made = lowered(text, &fetched());
        let schema = &capability(&made, 0)["schema"];
        assert_eq!(schema["properties"]["body"].get("type"), None, "{schema}");
        for body in [json!({"a": 1}), json!([1]), json!("text"), json!(7)] {
            let args = json!({"body": body.clone()});
            let planned = plan(
                &made.connector,
                "shelf.post_a",
                args.as_object().expect("arguments"),
                &Keys::default(),
            );
            assert!(planned.is_ok(), "{body}: {:?}", planned.err());
        }
    }
}

#[test]
fn a_matrix_parameter_is_sent() {
    let text = paths("'/m/{p}/x': {get: {parameters: [{name: p, in: path, required: true, style: matrix, schema: {type: integer}}]}}");
    let made = lowered(&text, &fetched());
    let args = json!({"p": 1});
    let name = made.connector.capabilities[0].name.clone();
    let plan = plan(&made.connector, &name, args.as_object().expect("arguments"), &Keys::default());
    assert_eq!(
        plan.map(|plan| plan.path).map_err(|error| error.to_string()),
        Ok("/m/;p=1/x".to_owned())
    );
}

#[test]
fn what_no_stored_key_can_do_is_said() {
    let text = |schemes: &str, security: &str| {
        format!(
            "{{openapi: 3.0.3, info: {{title: S, version: '1'}}, servers: [{{url: 'https://api.acme.dev'}}], security: {security}, \
             paths: {{/a: {{get: {{}}}}}}, components: {{securitySchemes: {{{schemes}}}}}}}"
        )
    };
    for (schemes, security) in [
        ("d: {type: http, scheme: Digest}", "[{d: []}]"),
        ("d: {type: http, scheme: scram-sha-256}", "[{d: []}]"),
        (
            "b: {type: http, scheme: bearer}, k: {type: apiKey, in: header, name: authorization}",
            "[{b: [], k: []}]",
        ),
        (
            "b: {type: apiKey, in: header, name: X-Key}, k: {type: apiKey, in: header, name: x-key}",
            "[{b: [], k: []}]",
        ),
    ] {
        let text = text(schemes, security);
        with(&text, &fetched(), |api| {
            assert!(kinds(&api.notes).contains(&NoteKind::UnsupportedScheme), "{text}");
        });
        let Transport::Http(http) = lowered(&text, &fetched()).connector.transport else {
            panic!("a connector of HTTP")
        };
        assert_eq!(http.headers.len(), 0, "{text}");
    }
    let other = text(
        "b: {type: http, scheme: bearer}, k: {type: apiKey, in: header, name: X-Key}",
        "[{b: [], k: []}]",
    );
    with(&other, &fetched(), |api| assert_eq!(kinds(&api.notes), []));
}
