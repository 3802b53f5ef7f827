//! What is a description, and the keys of one.

use becket::openapi::{self, Files, NotADescription, Options, Place, Prefix};
use becket::source::{Limits, Source, parse};
use serde_json::json;

use super::*;

fn refusal(text: &str) -> Option<NotADescription> {
    let doc = parse(Source::new("x", text), Limits::DESCRIPTION).expect("YAML");
    openapi::read(&Files::single(doc, None), &Options::default()).err()
}

#[test]
fn only_descriptions_are_read() {
    for text in [
        "openapi: 3.0.3",
        "openapi: 3.1",
        "openapi: 3.0.0-RC1",
        "swagger: '2.0'",
        "swagger: 2.0",
        "openapi: 3.2.0\npaths: []",
    ] {
        assert_eq!(refusal(text), None, "{text}");
    }
    assert_eq!(refusal("openapi: 4.0.0"), Some(NotADescription::Version("4.0.0".to_owned())));
    assert_eq!(refusal("asyncapi: 2.0.0"), Some(NotADescription::NoVersion));
    assert_eq!(refusal("[1]"), Some(NotADescription::NotAnObject("an array")));
}

fn keyed(security: &str, operations: &str) -> String {
    format!(
        "{{openapi: 3.0.3, info: {{title: S, version: '1'}}, security: {security}, paths: {{{operations}}}, components: {{securitySchemes: {{
            one: {{type: apiKey, in: header, name: X-One}}, two: {{type: apiKey, in: query, name: two}}, sign: {{type: oauth2, flows: {{}}}},
            cook: {{type: apiKey, in: cookie, name: c}}, user: {{type: http, scheme: Basic}},
            auth: {{type: apiKey, in: header, name: Authorization, description: 'Send `Authorization: Token <key>`'}}}}}}}}"
    )
}

#[test]
fn only_the_keys_that_are_needed_are_asked_for() {
    for (security, operations, env, headers, query) in [
        (
            "[{one: [], two: []}]",
            "/a: {get: {}}",
            json!(["ONE_KEY", "TWO_KEY"]),
            json!({"X-One": "{{env.ONE_KEY}}"}),
            json!({"two": "{{env.TWO_KEY}}"}),
        ),
        (
            "[{sign: []}, {one: []}]",
            "/a: {get: {}}",
            json!(["ONE_KEY"]),
            json!({"X-One": "{{env.ONE_KEY}}"}),
            json!(null),
        ),
        (
            "[{sign: []}, {one: []}]",
            "/a: {get: {}}, /b: {get: {security: [{sign: []}]}}",
            json!(["SIGN_KEY"]),
            json!({"Authorization": "Bearer {{env.SIGN_KEY}}"}),
            json!(null),
        ),
        (
            "[{cook: []}, {user: []}]",
            "/a: {get: {}}",
            json!(["USER_KEY"]),
            json!({"Authorization": "Basic {{env.USER_KEY}}"}),
            json!(null),
        ),
        (
            "[{auth: []}]",
            "/a: {get: {}}",
            json!(["AUTH_KEY"]),
            json!({"Authorization": "Token {{env.AUTH_KEY}}"}),
            json!(null),
        ),
        ("[]", "/a: {get: {}}", json!(null), json!(null), json!(null)),
        ("[{}]", "/a: {get: {}}", json!(null), json!(null), json!(null)),
    ] {
        let written = written(&lowered(&keyed(security, operations), &fetched()).connector);
        assert_eq!(
            (&written["env"], &written["http"]["headers"], &written["http"]["query"]),
            (&env, &headers, &query),
            "{security} {operations}"
        );
    }
}

#[test]
fn an_operation_without_a_key_gets_none() {
    let made = lowered(&keyed("[{one: []}]", "/a: {get: {}}, /b: {get: {security: []}}"), &fetched());
    assert_eq!(written(&made.connector)["http"]["headers"], json!(null));
    assert_eq!(capability(&made, 0)["request"]["headers"], json!({"X-One": "{{env.ONE_KEY}}"}));
    assert_eq!(capability(&made, 1)["request"]["headers"], json!(null));
}

#[test]
fn a_cookie_as_the_only_key_leaves_out() {
    let reasons = with(
        &keyed("[{cook: []}]", "/a: {get: {}}, /b: {get: {security: [{gone: []}]}}"),
        &fetched(),
        |api| {
            assert!(kinds(&api.notes).contains(&NoteKind::UndeclaredScheme));
            left_out(api)
        },
    );
    assert_eq!(reasons, [("get_a".to_owned(), "cookie-key")]);
}

#[test]
fn parameters_that_are_keys_become_keys() {
    let text = paths(
        "/a: {get: {parameters: [{name: X-API-Key, in: header, required: true, schema: {type: string}}, {name: Accept, in: header}, {name: Host, in: header}, {name: api_key, in: query}]}}, '/u/{api_key}': {get: {parameters: [{name: api_key, in: query}]}}",
    );
    with(&text, &fetched(), |api| {
        let keys: Vec<(&str, &Place)> = api.keys.iter().map(|key| (key.env.as_str(), &key.place)).collect();
        assert_eq!(
            keys,
            [
                ("X_API_KEY", &Place::Header("X-API-Key".to_owned())),
                ("API_KEY", &Place::Query("api_key".to_owned()))
            ]
        );
        assert_eq!(api.keys[0].prefix, Prefix::None);
    });
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["signature"], "shelf.get_a({})");
    let path = paths(
        "'/bot{bot_token}/a': {get: {parameters: [{name: bot_token, in: path, required: true}]}}, '/bot{bot_token}/b': {get: {parameters: [{name: bot_token, in: path, required: true}]}}",
    );
    assert_eq!(
        with(&path, &fetched(), left_out).iter().map(|(_, code)| *code).collect::<Vec<_>>(),
        ["key-in-path"; 2]
    );
}

#[test]
fn the_text_of_a_description_is_made_fit() {
    let text = "{openapi: 3.0.3, info: {title: \"A [shelf](https://x.example)\\n\\e[31m\", description: \"<p>Books</p>\", version: '1'}, paths: {/a: {get: {summary: \"List\\n<b>all</b>\"}}}}";
    let made = lowered(text, &fetched());
    assert_eq!(made.connector.description, "A shelf [31m: Books");
    assert_eq!(made.connector.source.as_deref(), Some(ADDRESS));
    assert_eq!(capability(&made, 0)["returns"], "List all");
}
