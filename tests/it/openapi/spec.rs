//! The vectors D of the specification: what the released host's import makes of a description,
//! and where ours is better.

use becket::model::Risk;
use becket::openapi::{ChoiceError, KeyHeader, NoAddress, Options, lower};
use serde_json::{Value, json};

use super::*;

fn base(text: &str, options: &Options) -> Result<String, NoAddress> {
    with(text, options, |api| api.base.clone().map(|base| base.text()))
}

fn servers(list: &str) -> String {
    format!("{{openapi: 3.0.3, info: {{title: S, version: '1'}}, servers: {list}, paths: {{}}}}")
}

#[test]
fn d1_to_d5_where_requests_go() {
    for (list, expected) in [
        ("[{url: /v2}]", "https://docs.shelf.example/v2"),
        ("[]", "https://docs.shelf.example"),
        (
            "[{url: 'http://a.example/x'}, {url: 'https://b.example/y/'}]",
            "https://b.example/y",
        ),
        ("[{url: 'http://a.example/x'}]", "https://a.example/x"),
        ("[{url: '//cdn.example/v1'}]", "https://cdn.example/v1"),
        ("[{url: 'http://localhost:8080/v1'}]", "http://localhost:8080/v1"),
    ] {
        assert_eq!(base(&servers(list), &fetched()).as_deref(), Ok(expected), "{list}");
    }
    let alone = Options::default();
    let relative = NoAddress::Relative { server: "/v2".to_owned() };
    assert_eq!(base(&servers("[{url: /v2}]"), &alone), Err(relative));
    for (given, expected) in [
        ("https://api.shelf.example", "https://api.shelf.example/v2"),
        ("https://api.shelf.example/prefix", "https://api.shelf.example/prefix"),
    ] {
        let options = Options {
            base: Some(given.parse().unwrap()),
            ..Options::default()
        };
        assert_eq!(base(&servers("[{url: /v2}]"), &options).as_deref(), Ok(expected));
        for whole in [
            "'https://{host}/v1'",
            "'{scheme}://localhost', variables: {scheme: {default: http}}",
        ] {
            let text = servers(&format!("[{{url: {whole}}}]"));
            assert_eq!(base(&text, &options).as_deref(), Ok(given), "{whole}");
        }
    }
}

/// `--base` is the whole address; a relative server adds its path when it has none.
#[test]
fn base_is_one_rule_for_every_server() {
    let lost = "the path `/v1` of the server is not kept: `--base` says the whole address";
    for (server, given, expected, note) in [
        ("/v1", "https://b.dev", "https://b.dev/v1", None),
        ("/v1", "https://b.dev/", "https://b.dev/v1", None),
        ("/v1", "https://b.dev/x", "https://b.dev/x", Some(lost)),
        ("/v1", "https://b.dev/x/v1", "https://b.dev/x/v1", None),
        ("//h.dev/v1", "https://b.dev", "https://b.dev", Some(lost)),
        ("//h.dev/v1", "https://b.dev/v1", "https://b.dev/v1", None),
        ("//h.dev", "https://b.dev/x", "https://b.dev/x", None),
        ("https://h.dev/v1", "https://b.dev", "https://b.dev", Some(lost)),
        ("https://h.dev/v1/", "https://b.dev/v1", "https://b.dev/v1", None),
        ("https://{h}/v1", "https://b.dev/x", "https://b.dev/x", None),
    ] {
        for address in [None, fetched().address] {
            let options = Options {
                base: Some(given.parse().unwrap()),
                address,
                ..Options::default()
            };
            let made = with(&servers(&format!("[{{url: '{server}'}}]")), &options, |api| {
                let notes: Vec<String> = api.notes.iter().map(|note| note.text.clone()).collect();
                (api.base.clone().map(|base| base.text()), notes)
            });
            let notes: Vec<String> = note.into_iter().map(str::to_owned).collect();
            assert_eq!(made, (Ok(expected.to_owned()), notes), "{server} {given}");
        }
    }
}

#[test]
fn servers_that_are_no_address_are_told_as_they_are() {
    for (server, expected) in [
        (
            "https://api.acme.dev/{{env.HOME}}",
            "the server `https://api.acme.dev/{{env.HOME}}` has braces that are no variable",
        ),
        (
            "https://{}.acme.dev",
            "the server `https://{}.acme.dev` has braces that are no variable",
        ),
        (
            "https://api.acme.dev/{v",
            "the server `https://api.acme.dev/{v` has braces that are no variable",
        ),
        ("https://{a}.acme.dev", "the server `https://{a}.acme.dev` needs a choice for `a`"),
    ] {
        let error = base(&servers(&format!("[{{url: '{server}'}}]")), &fetched()).expect_err(server);
        assert_eq!(error.to_string(), expected);
    }
    let error = base(&servers("[{url: 'http://192.168.1.5:8123/api'}]"), &fetched()).expect_err("a private address");
    assert!(
        error
            .to_string()
            .starts_with("`http://192.168.1.5:8123/api` cannot be a connector's address: "),
        "{error}"
    );
}

#[test]
fn d6_the_address_of_a_swagger_description() {
    for (head, expected) in [
        (
            "host: api.shelf.example, basePath: /v1, schemes: [http, https]",
            "https://api.shelf.example/v1",
        ),
        ("host: api.shelf.example", "https://api.shelf.example"),
        ("basePath: /v1", "https://docs.shelf.example/v1"),
        ("host: 'localhost:9', schemes: [http]", "http://localhost:9"),
    ] {
        let text = format!("{{swagger: '2.0', info: {{title: S, version: '1'}}, {head}, paths: {{}}}}");
        assert_eq!(base(&text, &fetched()).as_deref(), Ok(expected), "{head}");
    }
}

#[test]
fn d7_and_d8_names_of_methods() {
    let text = paths("/books: {get: {}, post: {}}, '/books/{isbn}': {get: {}}");
    assert_eq!(with(&text, &fetched(), ids), ["get_books", "post_books", "get_books_2"]);
    let text = paths(
        "/a: {get: {operationId: listAPIKeys}}, /b: {get: {operationId: Books.Search v2}}, /c: {get: {operationId: 42answers}}, /d: {get: {operationId: 日本}}",
    );
    assert_eq!(
        with(&text, &fetched(), ids),
        ["list_apikeys", "books_search_v2", "op_42answers", "get"]
    );
}

#[test]
fn d10_names_of_arguments() {
    let names = ["page[number]", "$select", "2fa", "_"];
    let params: Vec<String> = names
        .iter()
        .map(|name| format!("{{name: '{name}', in: query, schema: {{type: string}}}}"))
        .collect();
    let made = lowered(&paths(&format!("/x: {{get: {{parameters: [{}]}}}}", params.join(", "))), &fetched());
    assert_eq!(
        capability(&made, 0)["request"]["query"],
        json!({"page[number]": "{{page_number}}", "$select": "{{select}}", "2fa": "{{p_2fa}}", "_": "{{p_}}"})
    );
}

#[test]
fn d11_every_scheme_is_a_key() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, paths: {/x: {get: {}}}, components: {securitySchemes: {shelfAuth: {type: http, scheme: bearer}, x.token: {type: apiKey, in: query, name: t}}}}";
    let written = written(&lowered(text, &fetched()).connector);
    assert_eq!(written["env"], json!(["SHELFAUTH_KEY", "X_TOKEN"]));
    assert_eq!(written["http"]["headers"], json!({"Authorization": "Bearer {{env.SHELFAUTH_KEY}}"}));
    assert_eq!(written["http"]["query"], json!({"t": "{{env.X_TOKEN}}"}));
}

#[test]
fn d12_keys_have_names_of_their_own() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, paths: {/x: {get: {}}}, components: {securitySchemes: {a-key: {type: apiKey, in: header, name: X-A}, a.key: {type: apiKey, in: header, name: X-B}}}}";
    let written = written(&lowered(text, &fetched()).connector);
    assert_eq!(written["env"], json!(["A_KEY", "A_KEY_2"]));
    assert_eq!(
        written["http"]["headers"],
        json!({"X-A": "{{env.A_KEY}}", "X-B": "{{env.A_KEY_2}}"})
    );
}

#[test]
fn d13_and_d14_fields_of_a_body() {
    let text = paths(
        "'/b/{id}': {post: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], requestBody: {content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}}}",
    );
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["signature"], "shelf.post_b({id, id_2?})");
    assert_eq!(made["request"]["path"], "/b/{{id}}");
    assert_eq!(made["request"]["body"], json!({"id": "{{id_2}}"}));
    let text = paths(
        "/b: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title, isbn], properties: {title: {type: string}, isbn: {type: string, readOnly: true}, pages: {type: integer}}}}}}}}",
    );
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["signature"], "shelf.post_b({pages?, title})");
    assert_eq!(
        made["schema"],
        json!({"type": "object", "properties": {"pages": {"type": "integer"}, "title": {"type": "string"}}, "required": ["title"]})
    );
}

#[test]
fn a_json_body_is_always_sent_so_its_fields_are_required_though_it_is_optional() {
    let field = "{schema: {type: object, required: [title], properties: {title: {type: string}, pages: {type: integer}}}}";
    for (media, signature) in [
        ("application/json", "shelf.post_b({pages?, title})"),
        ("application/x-www-form-urlencoded", "shelf.post_b({pages?, title?})"),
    ] {
        let text = paths(&format!("/b: {{post: {{requestBody: {{content: {{{media}: {field}}}}}}}}}"));
        assert_eq!(capability(&lowered(&text, &fetched()), 0)["signature"], signature);
    }
}

#[test]
fn d16_a_body_that_is_no_object() {
    let text =
        paths("/b: {put: {requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: string}}}}}}}");
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["signature"], "shelf.put_b({body})");
    assert_eq!(made["request"]["body"], "{{body}}");
    assert_eq!(
        made["schema"]["properties"]["body"],
        json!({"type": "array", "items": {"type": "string"}})
    );
}

#[test]
fn a_body_of_plain_text_is_sent_when_its_json_is_the_same() {
    let body = |schema: &str| {
        paths(&format!(
            "/b: {{put: {{requestBody: {{required: true, content: {{text/plain: {{schema: {schema}}}}}}}}}}}"
        ))
    };
    for (schema, expected) in [
        ("{type: integer}", Some("integer")),
        ("{type: boolean}", Some("boolean")),
        ("{type: string}", None),
        ("{type: [integer, string]}", None),
        ("{type: object}", None),
        ("{}", None),
    ] {
        let text = body(schema);
        let Some(kind) = expected else {
            assert_eq!(with(&text, &fetched(), left_out), [("put_b".to_owned(), "text-body")], "{schema}");
            continue;
        };
        let made = capability(&lowered(&text, &fetched()), 0);
        assert_eq!(made["request"]["body"], "{{body}}");
        assert_eq!(made["request"]["headers"], json!({"Content-Type": "text/plain"}));
        assert_eq!(made["schema"]["properties"]["body"], json!({"type": kind}));
    }
}

#[test]
fn d17_multipart_is_left_out_when_it_is_the_only_type() {
    let body = |required: bool, types: &str| format!("{{requestBody: {{required: {required}, content: {{{types}}}}}}}");
    let file = "multipart/form-data: {schema: {type: object, properties: {f: {type: string, format: binary}}}}";
    let json = "application/json: {schema: {type: object, properties: {a: {type: string}}}}";
    let text = paths(&format!(
        "/a: {{post: {}}}, /b: {{post: {}}}, /c: {{post: {}}}",
        body(true, file),
        body(false, file),
        body(true, &format!("{file}, {json}"))
    ));
    with(&text, &fetched(), |api| {
        assert_eq!(
            left_out(api),
            [("post_a".to_owned(), "file-upload"), ("post_b".to_owned(), "file-upload")]
        );
        assert_eq!(ids(api), ["post_c"]);
    });
}

#[test]
fn multipart_without_a_required_file_is_imported_for_this_program() {
    let schema = |fields: &str, required: &str| format!("{{schema: {{type: object, properties: {{{fields}}}, required: [{required}]}}}}");
    let body = |path: &str, required: bool, media: &str| {
        format!("/{path}: {{post: {{requestBody: {{required: {required}, content: {{multipart/form-data: {media}}}}}}}}}")
    };
    let file = "f: {type: string, format: binary}";
    let rows = [
        ("text", true, schema("a: {type: string}, o: {type: object, properties: {k: {}}}", "a"), None),
        ("either", true, schema(&format!("{file}, a: {{type: integer}}"), "a"), None),
        ("needed", false, schema(&format!("{file}, a: {{type: integer}}"), "f"), Some("file-upload")),
        ("only", true, schema(file, ""), Some("file-upload")),
        ("encoded", true, schema("f: {type: string, contentEncoding: binary}", "f"), Some("file-upload")),
        ("files", true, schema("f: {type: array, items: {type: string, format: binary}}", "f"), Some("file-upload")),
        ("image", true, "{schema: {type: object, properties: {f: {type: string}}, required: [f]}, encoding: {f: {contentType: 'image/png, image/gif'}}}".to_owned(), Some("file-upload")),
        ("csv", true, "{schema: {type: object, properties: {f: {type: string}}, required: [f]}, encoding: {f: {contentType: text/csv}}}".to_owned(), None),
        ("json", true, "{schema: {type: object, properties: {f: {type: string}}, required: [f]}, encoding: {f: {contentType: application/json}}}".to_owned(), Some("list-form")),
        ("list", true, schema("l: {type: array, items: {type: string}}, a: {type: string}", "l"), Some("list-form")),
        ("lists", true, schema("l: {type: array, items: {type: string}}, a: {type: string}", ""), None),
        ("nothing", true, "{}".to_owned(), Some("multipart-body")),
        ("open", true, "{schema: {type: object}}".to_owned(), Some("multipart-body")),
    ];
    for (path, required, media, reason) in rows {
        let text = paths(&body(path, required, &media));
        let expected: Vec<_> = reason.into_iter().map(|reason| (format!("post_{path}"), reason)).collect();
        assert_eq!(with(&text, &becket(), left_out), expected, "{path}");
        let released = with(&text, &fetched(), left_out);
        // The released host has no such form: a file is the reason only where nothing goes without it.
        let reason = reason.filter(|reason| *reason == "file-upload").unwrap_or("multipart-body");
        assert_eq!(released, [(format!("post_{path}"), reason)], "{path}");
    }
    let made = lowered(
        &paths(&body(
            "either",
            true,
            &schema(&format!("{file}, a: {{type: integer}}, l: {{type: array}}"), "a"),
        )),
        &becket(),
    );
    let request = &capability(&made, 0)["request"];
    assert_eq!((&request["form"], &request["body"]), (&json!("multipart"), &json!({"a": "{{a}}"})));
    assert_eq!(
        kinds(&made.notes),
        [NoteKind::DroppedField, NoteKind::DroppedField, NoteKind::BeyondHost]
    );
    let texts: Vec<&str> = made.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts[0], "a file is not sent");
    let both = body("b", true, &schema("a: {type: string}", "a")).replace(
        "content: {",
        "content: {application/x-www-form-urlencoded: {schema: {properties: {u: {type: string}}}}, ",
    );
    assert_eq!(capability(&lowered(&paths(&both), &becket()), 0)["request"]["form"], true);
}

#[test]
fn multipart_of_2_0() {
    let field = |name: &str, rest: &str| format!("{{name: {name}, in: formData, {rest}}}");
    let (text, file, must) = (
        field("a", "type: string"),
        field("f", "type: file"),
        field("f", "type: file, required: true"),
    );
    for (consumes, fields, becket_says, released_says) in [
        ("multipart/form-data", vec![&text], Ok("multipart"), Err("multipart-body")),
        ("multipart/form-data", vec![&text, &file], Ok("multipart"), Err("multipart-body")),
        ("", vec![&file, &text], Ok("multipart"), Err("multipart-body")),
        (
            "multipart/form-data",
            vec![&file, &text, &must],
            Err("file-upload"),
            Err("file-upload"),
        ),
        ("multipart/form-data", vec![&file], Err("file-upload"), Err("file-upload")),
        ("multipart/mixed", vec![&text], Err("multipart-body"), Err("multipart-body")),
        (
            "multipart/form-data, application/x-www-form-urlencoded",
            vec![&text, &file],
            Ok("true"),
            Ok("true"),
        ),
        ("", vec![&text], Ok("true"), Ok("true")),
    ] {
        let parameters: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
        let text = format!(
            "{{swagger: '2.0', info: {{title: S, version: '1'}}, host: h.example, paths: {{/a: {{post: {{consumes: [{consumes}], parameters: [{}]}}}}}}}}",
            parameters.join(", ")
        );
        for (options, says) in [(becket(), becket_says), (fetched(), released_says)] {
            let left = with(&text, &options, left_out);
            match says {
                Err(reason) => assert_eq!(left, [("post_a".to_owned(), reason)], "{text}"),
                Ok(form) => {
                    assert_eq!(left, [], "{text}");
                    let request = capability(&lowered(&text, &options), 0)["request"].clone();
                    assert_eq!(request["form"].to_string().trim_matches('"'), form, "{text}");
                    assert_eq!(request["body"], json!({"a": "{{a}}"}), "{text}");
                }
            }
        }
    }
}

#[test]
fn d19_what_an_answer_looks_like() {
    let names: Vec<String> = (b'a'..=b'm')
        .map(|letter| format!("{}: {{type: string}}", char::from(letter)))
        .collect();
    let object = format!("{{type: object, properties: {{{}}}}}", names.join(", "));
    let answer = |schema: &str| format!("{{responses: {{200: {{content: {{application/json: {{schema: {schema}}}}}}}}}}}");
    for (schema, summary, expected, result) in [
        (object.as_str(), "", "{a, b, c, d, e, f, g, h, i, j, k, l, …}", Value::Null),
        (
            "{type: array, items: {type: object, properties: {id: {}, b: {}}}}",
            "",
            "[{b, id}]",
            json!({"max": 50}),
        ),
        ("{type: array, items: {type: string}}", "", "[…]", json!({"max": 50})),
        ("{type: string}", "", "the service's answer", Value::Null),
        (
            "{type: object, properties: {data: {type: array, items: {type: object, properties: {id: {}}}}, next: {type: string}}}",
            "",
            "[{id}]",
            json!({"path": "data", "max": 50}),
        ),
        (
            "{type: object, properties: {errors: {type: array, items: {}}}}",
            "",
            "{errors}",
            Value::Null,
        ),
        (
            "{type: object, properties: {data: {type: array}, rows: {type: array}}}",
            "",
            "{data, rows}",
            Value::Null,
        ),
    ] {
        let _ = summary;
        let made = capability(&lowered(&paths(&format!("/y: {{get: {}}}", answer(schema))), &fetched()), 0);
        assert_eq!((&made["returns"], &made["result"]), (&json!(expected), &result), "{schema}");
    }
    let text = paths(
        "/y: {get: {summary: List them, description: List them. All of them., responses: {200: {description: ok}, 201: {content: {application/json: {schema: {type: array}}}}}}, post: {summary: Add one, description: It is kept.}}",
    );
    let made = lowered(&text, &fetched());
    assert_eq!(capability(&made, 0)["returns"], "[…] List them");
    assert_eq!(capability(&made, 1)["returns"], "Add one. It is kept.");
}

#[test]
fn d20_cases_only_where_nothing_is_made_up() {
    let text = paths(
        "/y: {get: {parameters: [{name: lang, in: query, required: true, schema: {type: string, enum: [pt, en]}}, {name: n, in: query, schema: {type: integer}}]}}, '/z/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}]}}, /h: {get: {parameters: [{name: X-V, in: header, required: true, schema: {type: string, default: a}}]}}",
    );
    assert_eq!(
        written(&lowered(&text, &fetched()).connector)["contract"],
        json!([{"capability": "shelf.get_y", "args": {"lang": "pt"}}])
    );
    let many: Vec<String> = (0..8).map(|at| format!("/p{at}: {{get: {{}}}}")).collect();
    assert_eq!(lowered(&paths(&many.join(", ")), &fetched()).connector.cases.len(), 5);
}

#[test]
fn d22_at_most_a_hundred() {
    let many = |count: usize| {
        let list: Vec<String> = (0..count).map(|at| format!("/p{at}: {{get: {{}}}}")).collect();
        paths(&list.join(", "))
    };
    with(&many(101), &fetched(), |api| {
        let error = lower(api, &everything(api)).err();
        assert!(matches!(error, Some(ChoiceError::TooMany { count: 101, .. })), "{error:?}");
    });
    assert_eq!(lowered(&many(100), &fetched()).connector.capabilities.len(), 100);
}

#[test]
fn d23_a_post_that_reads_says_so() {
    let text =
        paths("/search: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {q: {type: string}}}}}}}}");
    let made = with(&text, &fetched(), |api| {
        lower(api, &all_as(api, Risk::Read)).unwrap_or_else(|error| panic!("{error}"))
    });
    let made = capability(&made, 0);
    assert_eq!((&made["request"]["safe"], &made["risk"]), (&json!(true), &json!("read")));
}

#[test]
fn d25_an_asked_for_header_replaces_what_is_there() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, paths: {/x: {get: {}}}, security: [{k: []}], components: {securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}}}";
    let header = |name: &str, prefix: Option<&str>| Options {
        headers: vec![KeyHeader {
            name: name.to_owned(),
            prefix: prefix.map(str::to_owned),
        }],
        ..fetched()
    };
    let plain = written(&lowered(text, &header("x-key", None)).connector);
    assert_eq!(
        (&plain["env"], &plain["http"]["headers"]),
        (&json!(["AUTH_HEADER"]), &json!({"x-key": "{{env.AUTH_HEADER}}"}))
    );
    let prefixed = written(&lowered(text, &header("Authorization", Some("Token"))).connector);
    assert_eq!(
        prefixed["http"]["headers"],
        json!({"Authorization": "Token {{env.AUTH_HEADER}}", "X-Key": "{{env.K_KEY}}"})
    );
    let query = Options {
        query_keys: vec!["appid".to_owned()],
        ..fetched()
    };
    assert_eq!(
        written(&lowered(&paths("/x: {get: {}}"), &query).connector)["http"]["query"],
        json!({"appid": "{{env.APPID_KEY}}"})
    );
}

#[test]
fn a_path_with_a_query_or_a_fragment_is_taken_apart() {
    let text = paths("'/a?beta=true': {get: {}}, '/b?public': {get: {}}, '/c#two': {get: {}}, '/d/{x}...{y}': {get: {}}");
    let made = lowered(&text, &fetched());
    let request = |at: usize| capability(&made, at)["request"].clone();
    assert_eq!(
        (&request(0)["path"], &request(0)["query"]),
        (&json!("/a"), &json!({"beta": "true"}))
    );
    assert_eq!((&request(1)["path"], &request(1)["query"]), (&json!("/b"), &json!({"public": ""})));
    assert_eq!((&request(2)["path"], &request(2)["query"]), (&json!("/c"), &Value::Null));
    assert_eq!(request(3)["path"], "/d/{{x}}...{{y}}");
    assert!(kinds(&made.notes).contains(&NoteKind::HostRefuses));
}
