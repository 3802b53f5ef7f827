//! Bug reports of this field, each with an input of our own.

use std::cell::RefCell;
use std::rc::Rc;

use becket::openapi::{Beside, Files, NoAddress, Options, Reason, lower};
use becket::source::{Doc, Limits, Source, parse};
use serde_json::{Value, json};

use super::*;

fn schemas(paths: &str, schemas: &str) -> String {
    format!("{{openapi: 3.0.3, info: {{title: S, version: '1'}}, paths: {{{paths}}}, components: {{schemas: {{{schemas}}}}}}}")
}

fn json_body(schema: &str) -> String {
    format!("requestBody: {{required: true, content: {{application/json: {{schema: {schema}}}}}}}")
}

#[test]
fn a1_circular_schemas_are_cut_with_a_note() {
    let node = "Node: {type: object, properties: {name: {type: string}, kids: {type: array, items: {$ref: '#/components/schemas/Node'}}}}";
    let text = schemas(
        &format!("/n: {{post: {{{}}}}}", json_body("{$ref: '#/components/schemas/Node'}")),
        node,
    );
    let (made, pointers) = with(&text, &fetched(), |api| {
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        let cut: Vec<String> = made
            .notes
            .iter()
            .filter(|note| note.kind == NoteKind::Cycle)
            .map(|note| api.pointer(note.at))
            .collect();
        (made, cut)
    });
    assert_eq!(pointers, ["/components/schemas/Node/properties/kids"]);
    let kid = &capability(&made, 0)["schema"]["properties"]["kids"]["items"];
    assert_eq!(kid["properties"]["name"], json!({"type": "string"}));
    let text = schemas(
        &format!("/n: {{post: {{{}}}}}", json_body("{$ref: '#/components/schemas/A'}")),
        "A: {allOf: [{$ref: '#/components/schemas/B'}]}, B: {properties: {a: {$ref: '#/components/schemas/A'}}}",
    );
    assert!(kinds(&lowered(&text, &fetched()).notes).contains(&NoteKind::Cycle));
}

#[test]
fn a2_parameters_of_the_path_item_count() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, paths: {'/t/{id}': {parameters: [{$ref: '#/components/parameters/Id'}, {name: X-A, in: header, schema: {type: string}}], get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}, {name: x-a, in: header, required: true, schema: {type: boolean}}]}, delete: {}}, '/v/{ver}': {get: {}}}, components: {parameters: {Id: {name: id, in: path, schema: {type: string}}}}}";
    let made = lowered(text, &fetched());
    let get = capability(&made, 0);
    assert_eq!(get["signature"], "shelf.get_t({id, x_a})");
    assert_eq!(get["schema"]["properties"]["id"], json!({"type": "integer"}));
    assert_eq!(get["request"]["headers"], json!({"x-a": "{{x_a}}"}));
    let delete = capability(&made, 1);
    assert_eq!(delete["signature"], "shelf.delete_t({X_A?, id})");
    let undeclared = capability(&made, 2);
    assert_eq!(undeclared["request"]["path"], "/v/{{ver}}");
    assert_eq!(undeclared["schema"]["required"], json!(["ver"]));
    assert!(kinds(&made.notes).contains(&NoteKind::UndeclaredPathParameter));
}

#[test]
fn a3_servers_with_variables_and_of_their_own() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, servers: [{url: 'https://{r}.ex.com/v1', variables: {r: {default: eu, enum: [eu, us]}}}], paths: {/a: {get: {}}, /b: {servers: [{url: 'https://up.ex.com'}], get: {}}, /c: {get: {servers: [{url: 'https://eu.ex.com/v2'}]}}}}";
    with(text, &fetched(), |api| {
        assert_eq!(api.servers[0].variables[0].values, ["eu", "us"]);
        assert_eq!(api.left_out[0].reason, Reason::OtherHost("up.ex.com".to_owned()));
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(http(&made.connector).base.text(), "https://eu.ex.com");
        assert_eq!(capability(&made, 0)["request"]["path"], "/v1/a");
        assert_eq!(capability(&made, 1)["request"]["path"], "/v2/c");
    });
    let us = Options {
        variables: vec![("r".to_owned(), "us".to_owned())],
        ..fetched()
    };
    assert_eq!(
        with(text, &us, |api| api.base.clone().map(|base| base.text())).as_deref(),
        Ok("https://us.ex.com/v1")
    );
    let relative = "{openapi: 3.0.3, info: {title: S, version: '1'}, servers: [{url: /v3}], paths: {}}";
    let base = with(relative, &Options::default(), |api| api.base.clone());
    assert!(matches!(base, Err(NoAddress::Relative { server }) if server == "/v3"));
}

#[test]
fn a4_names_fit_and_do_not_depend_on_the_order() {
    let long = "a".repeat(80);
    let operations = [
        format!("/a: {{get: {{operationId: {long}FirstOne}}}}"),
        format!("/b: {{get: {{operationId: {long}SecondOne}}}}"),
        "/c: {get: {operationId: with blanks.and dots}}".to_owned(),
        "/d: {get: {}}".to_owned(),
        "/e: {get: {operationId: get_a}}".to_owned(),
        "/f: {get: {operationId: getA}}".to_owned(),
    ];
    let names = |order: Vec<&String>| -> Vec<(String, String)> {
        let list: Vec<String> = order.into_iter().cloned().collect();
        let made = lowered(&paths(&list.join(", ")), &fetched());
        let pair = |capability: &Value| {
            (
                capability["request"]["path"].to_string(),
                capability["name"].as_str().unwrap_or_default().to_owned(),
            )
        };
        let mut names: Vec<_> = written(&made.connector)["capabilities"]
            .as_array()
            .into_iter()
            .flatten()
            .map(pair)
            .collect();
        names.sort();
        names
    };
    let there = names(operations.iter().collect());
    assert_eq!(there, names(operations.iter().rev().collect()));
    let mut unique: Vec<String> = there.iter().map(|(_, name)| name.to_lowercase()).collect();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), 6);
    for (_, name) in &there {
        let tool = format!("mcp__shelf__{}", name.replace('.', "_"));
        assert!(tool.len() <= 64, "{tool}");
    }
    assert_eq!(there[2].1, "shelf.with_blanks_and_dots");
}

const LISTS: &str = "/l: {get: {parameters: [
    {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}},
    {name: t, in: query, schema: {type: array, items: {type: string}}},
    {name: p, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: string}}},
    {name: s, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: string}}},
    {name: e, in: query, schema: {oneOf: [{type: string}, {type: array, items: {type: string}}]}}]}}";

#[test]
fn a6_lists_are_sent_right_or_not_at_all() {
    let query = |options: &Options| capability(&lowered(&paths(LISTS), options), 0)["request"]["query"].clone();
    assert_eq!(
        query(&becket()),
        json!({
            "ids": {"value": "{{ids}}", "style": "comma"},
            "t": ["{{t}}"],
            "p": {"value": "{{p}}", "style": "pipe"},
            "s": {"value": "{{s}}", "style": "space"},
            "e": ["{{e}}"],
        })
    );
    let made = lowered(&paths(LISTS), &fetched());
    assert_eq!(capability(&made, 0)["request"]["query"], json!({"e": "{{e}}"}));
    assert_eq!(
        capability(&made, 0)["schema"]["properties"],
        json!({"e": {"oneOf": [{"type": "string"}]}})
    );
    let mut expected = vec![NoteKind::DroppedArgument; 4];
    expected.push(NoteKind::DroppedAlternative);
    assert_eq!(kinds(&made.notes), expected);
    let required = paths("/l: {get: {parameters: [{name: ids, in: query, required: true, schema: {type: array}}]}}");
    assert_eq!(with(&required, &fetched(), left_out), [("get_l".to_owned(), "list-form")]);
    assert_eq!(with(&required, &becket(), ids), ["get_l"]);
}

/// Notes of this kind: the place and the text.
fn said(text: &str, options: &Options, kind: NoteKind) -> Vec<(String, String)> {
    with(text, options, |api| {
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        let notes = made.notes.iter().filter(|note| note.kind == kind);
        notes.map(|note| (api.pointer(note.at), note.text.clone())).collect()
    })
}

#[test]
fn alternatives_that_cannot_be_sent_are_noted_where_they_stand() {
    let gt = "{type: object, properties: {gt: {type: integer}}}";
    let parameter = |how: &str, schema: &str| {
        paths(&format!(
            "/x: {{get: {{parameters: [{{name: v, in: query, {how}schema: {schema}}}]}}}}"
        ))
    };
    let deep = "style: deepObject, ";
    let place = "/paths/~1x/get/parameters/0/schema";
    let (single, list, object) = ("a single value", "a list", "an object");
    let rows = [
        (
            fetched(),
            deep,
            format!("{{anyOf: [{gt}, {{type: integer}}]}}"),
            "/anyOf/1",
            single,
            object,
        ),
        (
            fetched(),
            "",
            "{oneOf: [{type: string}, {type: array, items: {type: string}}]}".to_owned(),
            "/oneOf/1",
            list,
            single,
        ),
        (
            fetched(),
            "",
            "{type: [string, array], items: {type: string}}".to_owned(),
            "",
            list,
            single,
        ),
        (
            fetched(),
            "",
            format!("{{anyOf: [{{type: integer}}, {gt}]}}"),
            "/anyOf/0",
            single,
            object,
        ),
        (
            becket(),
            "",
            format!("{{anyOf: [{{type: integer}}, {gt}]}}"),
            "/anyOf/0",
            single,
            object,
        ),
        (
            becket(),
            "",
            format!("{{anyOf: [{{type: array}}, {gt}]}}"),
            "/anyOf/1",
            object,
            "a single value or a list",
        ),
        (
            fetched(),
            deep,
            format!("{{type: object, properties: {{at: {{oneOf: [{{type: string}}, {gt}]}}}}}}"),
            "/properties/at/oneOf/0",
            single,
            object,
        ),
        (
            fetched(),
            deep,
            format!("{{allOf: [{{anyOf: [{gt}, {{type: boolean}}]}}]}}"),
            "/allOf/0/anyOf/1",
            single,
            object,
        ),
    ];
    for (options, how, schema, at, lost, kept) in rows {
        let expected = (
            format!("{place}{at}"),
            format!("`v` cannot be {lost}: only {kept} can be sent in its form"),
        );
        let text = parameter(how, &schema);
        assert_eq!(said(&text, &options, NoteKind::DroppedAlternative), [expected], "{schema}");
    }
    assert!(NoteKind::DroppedAlternative.is_loss());
    let whole = [
        (deep, format!("{{anyOf: [{gt}, {{type: integer}}]}}")),
        ("", "{oneOf: [{type: string}, {type: array}]}".to_owned()),
    ];
    for (how, schema) in whole {
        assert_eq!(
            said(&parameter(how, &schema), &becket(), NoteKind::DroppedAlternative),
            [],
            "{schema}"
        );
    }
    let inner = parameter(
        deep,
        &format!("{{type: object, properties: {{at: {{oneOf: [{{type: string}}, {gt}]}}}}}}"),
    );
    assert_eq!(
        capability(&lowered(&inner, &fetched()), 0)["schema"]["properties"]["v"]["properties"]["at"],
        json!({"oneOf": [{"type": "object", "properties": {"gt": {"type": "integer"}}}]})
    );
}

/// Of a wrapped list only the list is kept, and that is said.
#[test]
fn the_way_to_the_next_page_is_noted_when_it_is_cut_off() {
    let list = "items: {type: array, items: {type: object, properties: {id: {}}}}";
    let answer = |fields: &str| {
        paths(&format!(
            "/x: {{get: {{responses: {{'200': {{content: {{application/json: {{schema: {{type: object, properties: {{{fields}}}}}}}}}}}}}}}}}"
        ))
    };
    for (beside, field, at) in [
        (
            "metadata: {type: object, properties: {continue: {}}}",
            "metadata.continue",
            "metadata/properties/continue",
        ),
        ("next_page: {type: object, properties: {offset: {}}}", "next_page", "next_page"),
        ("has_more: {}, nextCursor: {}", "nextCursor", "nextCursor"),
        ("has_more: {}", "has_more", "has_more"),
        ("'@odata.nextLink': {type: string}", "@odata.nextLink", "@odata.nextLink"),
        (
            "paging: {properties: {next: {type: object}}}",
            "paging.next",
            "paging/properties/next",
        ),
    ] {
        let place = format!("/paths/~1x/get/responses/200/content/application~1json/schema/properties/{at}");
        let text = format!("of the answer `items` is kept; `{field}`, which leads to the next page, is cut off");
        let made = said(&answer(&format!("{list}, {beside}")), &fetched(), NoteKind::NextPage);
        assert_eq!(made, [(place, text)], "{beside}");
    }
    for fields in [
        format!("{list}, total: {{}}, context: {{}}, next_run: {{}}"),
        "next: {}, name: {}".to_owned(),
    ] {
        assert_eq!(said(&answer(&fields), &fetched(), NoteKind::NextPage), [], "{fields}");
    }
}

/// The executor sets or refuses these; an argument would change nothing.
#[test]
fn headers_that_have_no_effect_are_dropped_with_a_note() {
    for name in [
        "Host",
        "Accept-Encoding",
        "accept-encoding",
        "X-HTTP-Method-Override",
        "Content-Length",
    ] {
        let text = paths(&format!(
            "/h: {{post: {{parameters: [{{name: {name}, in: header, schema: {{type: string}}}}]}}}}"
        ));
        let made = with(&text, &fetched(), |api| {
            let dropped: Vec<String> = api
                .notes
                .iter()
                .filter(|note| note.kind == NoteKind::DroppedArgument)
                .map(|note| note.text.clone())
                .collect();
            let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
            (capability(&made, 0)["request"]["headers"].clone(), dropped)
        });
        assert_eq!(made, (Value::Null, vec![format!("`{name}` is not sent")]));
    }
}

/// The reason is the type of the body, also where it is text under another name.
#[test]
fn bodies_are_left_out_for_what_they_are() {
    for (media, expected) in [
        ("application/x-ndjson", "text-body"),
        ("application/json-seq", "text-body"),
        ("message/cpim", "text-body"),
        ("application/javascript", "text-body"),
        ("text/csv", "text-body"),
        ("application/octet-stream", "binary-body"),
        ("application/sql+gzip", "binary-body"),
        ("application/soap+xml", "xml-body"),
        ("image/png", "binary-body"),
    ] {
        let text = paths(&format!(
            "/b: {{post: {{requestBody: {{content: {{{media}: {{schema: {{type: string}}}}}}}}}}}}"
        ));
        assert_eq!(with(&text, &fetched(), left_out), [("post_b".to_owned(), expected)], "{media}");
        let text = format!(
            "{{swagger: '2.0', info: {{title: S, version: '1'}}, host: s.dev, paths: {{/b: {{post: {{consumes: [{media}], parameters: [{{in: body, name: b, schema: {{type: string}}}}]}}}}}}}}"
        );
        assert_eq!(with(&text, &fetched(), left_out), [("post_b".to_owned(), expected)], "{media}");
    }
    let fields = |file: &str| {
        format!(
            "{{swagger: '2.0', info: {{title: S, version: '1'}}, host: s.dev, paths: {{/b: {{post: {{consumes: [multipart/form-data], parameters: [{file}]}}}}}}}}"
        )
    };
    let text = "{in: formData, name: t, type: string}";
    for (file, expected) in [
        (format!("{{in: formData, name: f, type: file}}, {text}"), "multipart-body"),
        (
            format!("{{in: formData, name: f, type: file, required: true}}, {text}"),
            "file-upload",
        ),
        ("{in: formData, name: f, type: file}".to_owned(), "file-upload"),
    ] {
        assert_eq!(
            with(&fields(&file), &fetched(), left_out),
            [("post_b".to_owned(), expected)],
            "{file}"
        );
    }
}

#[test]
fn a7_a_name_that_two_parameters_say_is_sent_once() {
    let text = paths(
        "/o: {get: {parameters: [\
         {name: filter, in: query, schema: {type: object, required: [limit], properties: {limit: {type: integer}, kind: {type: string}}}}, \
         {name: page, in: query, required: true, schema: {type: object, properties: {kind: {type: integer}, limit: {type: integer}}}}, \
         {name: limit, in: query, schema: {type: integer}}]}}",
    );
    let made = capability(&lowered(&text, &fetched()), 0);
    assert_eq!(made["request"]["query"], json!({"kind": "{{filter.kind}}", "limit": "{{limit}}"}));
    assert_eq!(
        made["schema"],
        json!({"type": "object", "properties": {
            "filter": {"type": "object", "properties": {"kind": {"type": "string"}}},
            "limit": {"type": "integer"}}})
    );
    let lost = said(&text, &fetched(), NoteKind::DroppedField);
    let lost: Vec<&str> = lost.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(
        lost,
        [
            "`filter.limit` has the name of another parameter",
            "`page.kind` has the name of another parameter",
            "`page.limit` has the name of another parameter"
        ]
    );
}

#[test]
fn a7_objects_are_never_sent_as_text() {
    let object = "{type: object, properties: {a: {type: integer}, b: {type: object, properties: {c: {type: boolean}}}}}";
    let text = paths(&format!(
        "/o: {{get: {{parameters: [{{name: filter, in: query, style: deepObject, explode: true, schema: {object}}}, {{name: o, in: query, schema: {{type: object, properties: {{x: {{type: boolean}}}}}}}}, {{name: j, in: query, content: {{application/json: {{schema: {object}}}}}}}]}}}}"
    ));
    let query = |options: &Options| capability(&lowered(&text, options), 0)["request"]["query"].clone();
    assert_eq!(
        query(&fetched()),
        json!({"filter[a]": "{{filter.a}}", "filter[b][c]": "{{filter.b.c}}", "x": "{{o.x}}", "j": "{{j}}"})
    );
    assert_eq!(
        query(&becket()),
        json!({"filter": {"value": "{{filter}}", "style": "deepObject"}, "x": "{{o.x}}", "j": "{{j}}"})
    );
    let either = paths(
        "/e: {get: {parameters: [{name: at, in: query, style: deepObject, schema: {anyOf: [{type: object, properties: {gt: {type: integer}}}, {type: integer}]}}]}}",
    );
    let made = capability(&lowered(&either, &fetched()), 0);
    assert_eq!(made["request"]["query"], json!({"at[gt]": "{{at.gt}}"}));
    assert_eq!(
        made["schema"]["properties"]["at"],
        json!({"anyOf": [{"type": "object", "properties": {"gt": {"type": "integer"}}}]})
    );
    let flat = paths(
        "/h: {get: {parameters: [{name: h, in: query, required: true, explode: false, schema: {type: object, properties: {x: {type: integer}, y: {}}}}]}}",
    );
    assert_eq!(
        capability(&lowered(&flat, &becket()), 0)["request"]["query"],
        json!({"h": {"value": "{{h}}", "style": "comma"}})
    );
    assert_eq!(with(&flat, &fetched(), left_out), [("get_h".to_owned(), "list-form")]);
    let form = |encoding: &str| {
        paths(&format!(
            "/f: {{post: {{requestBody: {{content: {{application/x-www-form-urlencoded: {{schema: {{type: object, properties: {{meta: {{type: object, properties: {{k: {{type: string}}}}}}, tags: {{type: array, items: {{type: string}}}}, n: {{type: integer}}}}}}, encoding: {{{encoding}}}}}}}}}}}}}"
        ))
    };
    let declared = lowered(&form("meta: {style: deepObject, explode: true}"), &fetched());
    assert_eq!(
        capability(&declared, 0)["request"]["body"],
        json!({"meta[k]": "{{meta.k}}", "n": "{{n}}"})
    );
    assert!(kinds(&declared.notes).contains(&NoteKind::DroppedField));
    assert_eq!(
        capability(&lowered(&form(""), &fetched()), 0)["request"]["body"],
        json!({"meta": "{{meta}}", "n": "{{n}}"})
    );
}

#[test]
fn a8_forms_are_forms() {
    let body = |media: &str, field: &str| {
        format!(
            "{{post: {{requestBody: {{required: true, content: {{{media}: {{schema: {{type: object, properties: {{a: {field}}}}}}}}}}}}}}}"
        )
    };
    let text = paths(&format!(
        "/a: {}, /b: {}, /c: {}, /d: {}",
        body("application/x-www-form-urlencoded", "{type: string}"),
        body("multipart/form-data", "{type: string, format: binary}"),
        body("application/merge-patch+json", "{type: string}"),
        body("'*/*'", "{type: string}"),
    ));
    let made = lowered(&text, &fetched());
    assert_eq!(capability(&made, 0)["request"]["form"], true);
    assert_eq!(
        capability(&made, 1)["request"]["headers"],
        json!({"Content-Type": "application/merge-patch+json"})
    );
    assert_eq!(capability(&made, 2)["request"]["headers"], Value::Null);
    assert_eq!(with(&text, &fetched(), left_out), [("post_b".to_owned(), "file-upload")]);
}

#[test]
fn a10_schemas_of_3_1() {
    let schema = |schema: &str| {
        let text = paths(&format!(
            "/s: {{post: {{{}}}}}",
            json_body(&format!("{{type: object, properties: {{v: {schema}}}}}"))
        ));
        capability(&lowered(&text.replace("3.0.3", "3.1.0"), &fetched()), 0)["schema"]["properties"]["v"].clone()
    };
    for (given, expected) in [
        (
            "{type: [string, 'null'], enum: [a, null]}",
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            "{type: number, exclusiveMinimum: 0}",
            json!({"type": "number", "exclusiveMinimum": 0}),
        ),
        (
            "{type: number, minimum: 0, exclusiveMinimum: true}",
            json!({"type": "number", "exclusiveMinimum": 0}),
        ),
        ("{const: x}", json!({"const": "x"})),
        ("{type: array, items: true}", json!({"type": "array"})),
        (
            "{oneOf: [{type: object, properties: {a: {type: string}}}, {type: 'null'}]}",
            json!({"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]}),
        ),
        ("{type: [string, integer]}", json!({"type": ["string", "integer"]})),
        (
            "{type: string, nullable: true, enum: [a]}",
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        ("{type: file}", json!({})),
        (
            "{type: integer, maximum: 18446744073709552000}",
            serde_json::from_str("{\"type\": \"integer\", \"maximum\": 18446744073709552000}").unwrap(),
        ),
        (
            "{type: integer, default: '5', minimum: '1'}",
            json!({"type": "integer", "default": 5, "minimum": 1}),
        ),
        (
            "{type: string, pattern: '(', enum: [1, true]}",
            json!({"type": "string", "enum": ["1", "true"]}),
        ),
        (
            "{allOf: [{type: object, required: [a, id], properties: {a: {type: string}, id: {readOnly: true}}}], properties: {b: {type: integer}}}",
            json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}),
        ),
        (
            "{required: true, properties: {properties: {type: string}, default: {type: integer}}}",
            json!({"properties": {"default": {"type": "integer"}, "properties": {"type": "string"}}}),
        ),
    ] {
        assert_eq!(schema(given).to_string(), expected.to_string(), "{given}");
    }
    let none = "{openapi: 3.1.0, info: {title: S, version: '1'}, webhooks: {a: {post: {}}}}";
    assert_eq!(with(none, &fetched(), |api| api.operations.len() + api.left_out.len()), 0);
}

/// Reads with files beside the description, and tells which were asked for.
fn beside<T>(text: &str, address: Option<&str>, files: &'static [(&str, &str)], see: impl FnOnce(&Api<'_>) -> T) -> (T, Vec<String>) {
    let doc =
        |text: &str| -> Result<Doc, String> { parse(Source::new("x.yaml", text), Limits::DESCRIPTION).map_err(|error| error.message) };
    let asked: Rc<RefCell<Vec<String>>> = Rc::default();
    let log = asked.clone();
    let open = move |beside: &Beside| {
        log.borrow_mut().push(beside.to_string());
        let found = files.iter().find(|(name, _)| beside.to_string() == *name);
        found.map_or_else(|| Err("no such file".to_owned()), |(_, text)| doc(text))
    };
    let address = address.map(|address| address.parse().expect("an address"));
    let options = Options {
        address: address.clone(),
        base: Some("https://api.shelf.example".parse().expect("an address")),
        ..Options::default()
    };
    let files = Files::new(doc(text).expect("YAML"), address, Box::new(open));
    let seen = see(&becket::openapi::read(&files, &options).expect("a description"));
    let asked = asked.borrow().clone();
    (seen, asked)
}

#[test]
fn a11_references_stay_at_home() {
    let text = paths(
        "/a: {get: {parameters: [{$ref: './common.yaml#/P'}]}}, /b: {get: {$ref: 'http://169.254.169.254/x'}}, /c: {get: {$ref: 'file:///etc/passwd'}}, /d: {get: {$ref: '../up.yaml'}}, /e: {$ref: 'items/e.yaml'}, /f: {get: {$ref: 'gone.yaml'}}",
    );
    const FILES: &[(&str, &str)] = &[
        ("common.yaml", "P: {name: q, in: query, schema: {$ref: '#/S'}}\nS: {type: integer}"),
        ("items/e.yaml", "get: {parameters: [{$ref: '../common.yaml#/P'}]}"),
    ];
    let (reasons, asked) = beside(&text, None, FILES, |api| {
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        for at in 0..2 {
            assert_eq!(capability(&made, at)["schema"]["properties"]["q"], json!({"type": "integer"}));
        }
        left_out(api)
    });
    assert_eq!(reasons.iter().map(|(_, code)| *code).collect::<Vec<_>>(), ["external-ref"; 4]);
    assert_eq!(asked, ["common.yaml", "items/e.yaml", "gone.yaml"]);
    const SAME: &[(&str, &str)] = &[("http://localhost:8080/common.yaml", "P: {name: q, in: query}")];
    let (count, asked) = beside(&text, Some("http://localhost:8080/openapi.yaml"), SAME, |api| api.operations.len());
    assert_eq!(count, 1);
    assert!(asked.iter().all(|asked| asked.starts_with("http://localhost:8080/")), "{asked:?}");
}

#[test]
fn a15_no_operation_is_lost_without_a_word() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, x-top: 1, paths: {x-note: {get: {}}, /a: {x-key: {get: {}}, get: {}}, /b: {get: {operationId: same}, post: {operationId: same}}, /c: {post: {requestBody: {$ref: '#/components/requestBodies/Gone'}}}, /d: {get: {parameters: [{name: sid, in: cookie, required: true}]}}, /e: {get: {}, trace: {}}, /f: {$ref: '#/components/pathItems/F'}, /t: {get: {}}, /t/: {get: {}}, /n: {get: null}}, components: {pathItems: {F: {put: {}}}}}";
    with(text, &fetched(), |api| {
        assert_eq!(api.operations.len() + api.left_out.len(), 11);
        assert_eq!(ids(api), ["get_a", "same", "same_2", "get_e", "put_f", "get_t", "get_t_2"]);
        assert_eq!(
            left_out(api),
            [
                ("post_c".to_owned(), "broken-ref"),
                ("get_d".to_owned(), "cookie-parameter"),
                ("get_n".to_owned(), "malformed"),
                ("trace_e".to_owned(), "method"),
            ]
        );
        assert_eq!(api.pointer(api.left_out[1].at), "/paths/~1d/get");
        assert_eq!(
            api.left_out[3].reason.words(),
            "is a TRACE; connectors send GET, POST, PUT, PATCH and DELETE"
        );
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(capability(&made, 6)["request"]["path"], "/t/");
    });
}

#[test]
fn a16_tools_stay_small() {
    let fields: Vec<String> = (0..40)
        .map(|at| {
            format!("f{at}: {{type: object, properties: {{a: {{$ref: '#/components/schemas/F'}}, b: {{$ref: '#/components/schemas/F'}}}}}}")
        })
        .collect();
    let list: Vec<String> = (0..90)
        .map(|at| format!("/p{at}: {{post: {{{}}}}}", json_body("{$ref: '#/components/schemas/F'}")))
        .collect();
    let text = schemas(
        &list.join(", "),
        &format!("F: {{type: object, properties: {{{}}}}}", fields.join(", ")),
    );
    let made = lowered(&text, &fetched());
    assert_eq!(made.connector.capabilities.len(), 90);
    assert!(made.work.largest <= 400, "{}", made.work.largest);
    assert!(made.work.expansions <= 2000, "{}", made.work.expansions);
}

#[test]
fn a17_corners_of_swagger_2() {
    let assumed = "{swagger: '2.0', info: {title: S, version: '1'}, host: api.shelf.dev, paths: {}}";
    with(assumed, &fetched(), |api| {
        let said: Vec<(&str, &str)> = api.notes.iter().map(|note| (note.kind.code(), note.text.as_str())).collect();
        assert_eq!(said, [("server-resolved", "no scheme is said; https is taken")]);
    });
    let node = "{swagger: '2.0', info: {title: S, version: '1'}, host: h.dev, paths: {/n: {post: {parameters: [{in: body, name: b, schema: {$ref: '#/definitions/N'}}]}}}, definitions: {N: {type: object, properties: {a: {$ref: '#/definitions/N'}, b: {$ref: '#/definitions/N'}}}}}";
    let made = lowered(node, &fetched());
    assert!(made.work.expansions <= 20, "{}", made.work.expansions);
    let operation = |parameters: &str| format!("{{parameters: [{parameters}]}}");
    let form = "{in: formData, name: tags, type: array, items: {type: string}, collectionFormat: pipes, required: true}, {in: formData, name: kind, type: string, enum: [a, b]}";
    let text = format!(
        "{{swagger: '2.0', info: {{title: S, version: '1'}}, consumes: [application/x-www-form-urlencoded], paths: {{/a: {{post: {}}}, /b: {{post: {}}}, /c: {{post: {}}}, /d: {{post: {{consumes: [application/xml], parameters: [{{in: body, name: b, schema: {{type: object}}}}]}}}}}}}}",
        operation(form),
        operation("{in: body, name: b, schema: {type: object}}, {in: formData, name: x, type: string}"),
        operation("{in: formData, name: f, type: file, required: true}"),
    );
    with(&text, &fetched(), |api| {
        assert_eq!(
            api.base.clone().map(|base| base.text()).as_deref(),
            Ok("https://docs.shelf.example")
        );
        assert_eq!(
            left_out(api),
            [
                ("post_b".to_owned(), "mixed-body"),
                ("post_c".to_owned(), "file-upload"),
                ("post_d".to_owned(), "xml-body")
            ]
        );
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        let made = capability(&made, 0);
        assert_eq!(made["request"]["body"], json!({"tags": "{{tags}}", "kind": "{{kind}}"}));
        assert_eq!(made["schema"]["properties"]["kind"], json!({"type": "string", "enum": ["a", "b"]}));
        assert_eq!(
            made["schema"]["properties"]["tags"],
            json!({"type": "string", "description": "(several values are joined with `|`)"})
        );
    });
}

#[test]
fn a18_words_and_numbers_of_yaml() {
    let head = "openapi: 3.1.0\ninfo: {title: S, version: '1'}\npaths: {}\n";
    let marked = format!("\u{feff}{head}");
    assert_eq!(with(&marked, &fetched(), |api| api.title.clone()), "S");
    let two = parse(Source::new("x.yaml", format!("{head}---\n{head}")), Limits::DESCRIPTION);
    assert_eq!(two.expect_err("two documents").message, "a second document starts here");
    let text = "openapi: 3.1\ninfo: {title: S, version: 1.0}\nx-base: &base {description: from the anchor}\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: w, in: query, schema: {type: string, enum: [no, yes, on]}}\n        - {name: b, in: query, schema: {type: integer, minimum: -9223372036854776000}}\n        - {name: d, in: query, schema: {type: string, default: 2024-01-02}}\n        - {name: m, in: query, <<: *base, schema: {type: string}}\n      summary: one\n      summary: two\n      responses:\n        200: {content: {application/json: {schema: {type: object, properties: {y: {}, on: {}}}}}}\n";
    with(text, &fetched(), |api| {
        assert_eq!((api.format.as_str(), api.version.as_str()), ("3.1", "1.0"));
        assert!(kinds(&api.notes).contains(&NoteKind::DuplicateKey));
        let made = lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"));
        let made = capability(&made, 0);
        assert_eq!(made["returns"], "{on, y} two");
        let properties = &made["schema"]["properties"];
        assert_eq!(properties["w"], json!({"type": "string", "enum": ["no", "yes", "on"]}));
        assert_eq!(properties["d"], json!({"type": "string", "default": "2024-01-02"}));
        assert_eq!(properties["m"], json!({"type": "string", "description": "from the anchor"}));
        assert_eq!(
            properties["b"].to_string(),
            "{\"type\":\"integer\",\"minimum\":-9223372036854776000}"
        );
    });
}
