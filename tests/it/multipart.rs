//! Forms sent as `multipart/form-data`: what a strict reader sees of them, whatever the arguments
//! hold, and how they are shown.

use becket::exec::{Boundary, Client, Failure, Mask, Media, Piece, Plan, PlanError, curl, dry_run};
use becket::model::{Connector, FormKind, Method, Scheme, Transport};
use becket::source::Source;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::build::{base, body, call, call_with, form_of, header, header_of, keys, with, x};
use crate::service::Service;

const KEY: &str = "s3 \"\r\n--$(x)'";

fn posting(fields: &Value) -> Connector {
    with(|http, request| {
        http.base = base("https://shelf.example/api");
        request.method = Method::Post;
        request.body = form_of(FormKind::Multipart, fields);
    })
}

/// Name, type and text of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part(String, Option<String>, String);

fn part(name: &str, text: &str) -> Part {
    Part(name.to_owned(), None, text.to_owned())
}

fn json_part(name: &str, text: &str) -> Part {
    Part(name.to_owned(), Some("application/json".to_owned()), text.to_owned())
}

/// Reads a body as RFC 2046 has it, without a preamble or an epilogue; panics on anything odd.
fn read(media: &str, body: &str) -> Vec<Part> {
    let boundary = media.strip_prefix("multipart/form-data; boundary=").expect(media);
    assert!((32..=70).contains(&boundary.len()) && boundary.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
    let body = format!("\r\n{body}");
    let mut texts = body.split(&format!("\r\n--{boundary}")).collect::<Vec<_>>();
    assert_eq!((texts.remove(0), texts.pop()), ("", Some("--\r\n")));
    texts.into_iter().map(read_part).collect()
}

fn read_part(text: &str) -> Part {
    let (head, value) = text.strip_prefix("\r\n").expect(text).split_once("\r\n\r\n").expect(text);
    let mut lines = head.split("\r\n");
    let first = lines.next().expect(head).strip_prefix("Content-Disposition: form-data; name=\"");
    let name = first.and_then(|line| line.strip_suffix('"')).expect(head);
    assert!(!name.contains(['"', '\r', '\n']), "{head:?}");
    let media = lines.next().map(|line| line.strip_prefix("Content-Type: ").expect(head).to_owned());
    assert_eq!(lines.next(), None, "{head:?}");
    let plain = name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
    Part(plain, media, value.to_owned())
}

fn parts(plan: &Plan) -> Vec<Part> {
    let Some(body) = body(plan) else {
        assert_eq!(header_of(plan, "Content-Type"), None);
        return Vec::new();
    };
    read(&header_of(plan, "Content-Type").unwrap(), &body)
}

fn sent(fields: Value, args: Value) -> Vec<Part> {
    parts(&call(&posting(&fields), args).unwrap())
}

#[test]
fn a_field_is_a_part() {
    for (fields, args, expected) in [
        (
            json!({"b": "{{b}}", "a": "x {{a}}"}),
            json!({"a": 1.5, "b": "é \r\n"}),
            vec![part("b", "é \r\n"), part("a", "x 1.5")],
        ),
        (
            json!({"a": "{{a}}", "b": "{{b}}", "c": "-{{a}}"}),
            json!({"a": null, "b": ""}),
            vec![part("b", "")],
        ),
        (
            json!({"t": true, "n": 1.5, "nil": null, "s": "007"}),
            json!({}),
            vec![part("t", "true"), part("n", "1.5"), part("s", "007")],
        ),
        (
            json!({"l": "{{l}}", "o": {"k": "{{m}}", "v": 1}}),
            json!({"l": [1, "é"]}),
            vec![json_part("l", "[1,\"é\"]"), json_part("o", "{\"v\":1}")],
        ),
        (json!({"l": "all {{l}}"}), json!({"l": [1]}), vec![part("l", "all [1]")]),
        (json!({"k": "k {{env.SHELF_TOKEN}}"}), json!({}), vec![part("k", "k <SHELF_TOKEN>")]),
        (
            json!({"a\"\r\n; b=\"é": "{{a}}", "": 2}),
            json!({"a": 1}),
            vec![part("a\"\r\n; b=\"é", "1"), part("", "2")],
        ),
        (json!({"a": "{{a}}"}), json!({}), vec![]),
        (json!({}), json!({}), vec![]),
    ] {
        assert_eq!(sent(fields.clone(), args), expected, "{fields}");
    }
    assert_eq!(
        call(&posting(&json!({"o": {"k": "{{env.SHELF_TOKEN}}"}})), json!({})),
        Err(PlanError::KeyInFormJson {
            key: "SHELF_TOKEN".to_owned()
        })
    );
    let without = call_with(&posting(&json!({"k": "{{env.SHELF_TOKEN}}"})), json!({}), &keys("")).unwrap();
    assert_eq!(parts(&without), []);
}

#[test]
fn the_body_is_written_as_browsers_do() {
    let plan = call(&posting(&json!({"a": "{{a}}", "l": [1]})), json!({"a": "x"})).unwrap();
    let boundary = boundary(&plan).to_string();
    assert_eq!(
        body(&plan).unwrap(),
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"l\"\r\nContent-Type: application/json\r\n\r\n[1]\r\n\
             --{boundary}--\r\n"
        )
    );
    assert_eq!(boundary.len(), "becket-".len() + 32);
}

fn boundary(plan: &Plan) -> Boundary {
    match plan.body.as_ref().unwrap().media {
        Media::Multipart(boundary) => boundary,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_type_is_ours_to_name() {
    let mut connector = posting(&json!({"a": 1}));
    let request = connector.capabilities[0].request.as_mut().unwrap();
    request.headers = vec![header("content-type", "multipart/form-data")];
    let Transport::Http(http) = &mut connector.transport else {
        panic!("an API")
    };
    http.headers.push(header("Content-Type", "application/json"));
    let plan = call(&connector, json!({})).unwrap();
    assert_eq!(parts(&plan), [part("a", "1")]);
    let named = |header: &&becket::exec::Header| header.name.eq_ignore_ascii_case("content-type");
    assert_eq!(plan.headers.iter().filter(named).count(), 1);
}

#[test]
fn a_text_that_holds_its_boundary_gets_another() {
    let field = json!({"a": "{{x}}", "b": "{{y}}"});
    let planned = |x: &str, y: &str| call(&posting(&field), json!({"x": x, "y": y})).unwrap();
    let first = planned("1", "2");
    assert_eq!(boundary(&planned("1", "2")), boundary(&first));
    assert_ne!(boundary(&planned("1", "3")), boundary(&first));
    let other = boundary(&first).to_string();
    let plan = planned("1", &format!("\r\n--{other}--\r\n"));
    assert_ne!(boundary(&plan), boundary(&first));
    assert_eq!(parts(&plan)[1], part("b", &format!("\r\n--{other}--\r\n")));
}

#[test]
fn the_service_gets_the_keys_in_place() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{}"));
    let mut connector = posting(&json!({"a": "{{x}}", "k": "<{{env.SHELF_TOKEN}}>"}));
    let Transport::Http(http) = &mut connector.transport else {
        panic!("an API")
    };
    http.base = service.base(Scheme::Http);
    http.headers.clear();
    let plan = call(&connector, x("é\r\n")).unwrap();
    Client::default().send(&plan, &keys(KEY)).unwrap();
    let seen = service.seen().remove(0);
    let text = String::from_utf8(seen.body.clone()).unwrap();
    let expected = [part("a", "é\r\n"), part("k", &format!("<{KEY}>"))];
    assert_eq!(read(seen.header("content-type").unwrap(), &text), expected);
    assert_eq!(seen.header("content-length").unwrap(), text.len().to_string());
    assert_eq!(seen.method, "POST");
}

#[test]
fn a_key_that_holds_the_boundary_is_not_sent() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{}"));
    let mut connector = posting(&json!({"k": "becket-{{env.SHELF_TOKEN}}"}));
    let Transport::Http(http) = &mut connector.transport else {
        panic!("an API")
    };
    http.base = service.base(Scheme::Http);
    http.headers.clear();
    let plan = call(&connector, json!({})).unwrap();
    let boundary = boundary(&plan).to_string();
    for key in [boundary.as_str(), boundary.strip_prefix("becket-").unwrap()] {
        let failure = Client::default().send(&plan, &keys(key)).unwrap_err();
        let problem = "a key holds the boundary of its body".to_owned();
        assert_eq!(
            failure,
            Failure::Unsendable {
                host: plan.base.authority(),
                problem
            }
        );
    }
    assert_eq!(service.seen().len(), 0);
}

#[test]
fn a_dry_run_shows_the_lines_of_the_body() {
    let plan = call(
        &posting(&json!({"a": "{{x}}", "o": {"v": 1}, "k": "{{env.SHELF_TOKEN}}"})),
        x("1\r\n2"),
    )
    .unwrap();
    let shown = dry_run(&plan, &keys("s3"), &Source::new("c.json", "{}"), Mask::Stars);
    let boundary = boundary(&plan);
    let expected = format!(
        "\n# c.json:1\n\
         --{boundary}\nContent-Disposition: form-data; name=\"a\"\n\n1\\u000d\\u000a2\n\
         --{boundary}\nContent-Disposition: form-data; name=\"o\"\nContent-Type: application/json\n\n{{\"v\":1}}\n\
         --{boundary}\nContent-Disposition: form-data; name=\"k\"\n\n*** (SHELF_TOKEN, from the keyring)\n\
         --{boundary}--\n"
    );
    assert!(shown.ends_with(&expected), "{shown}");
    assert!(
        shown.contains(&format!("Content-Type: multipart/form-data; boundary={boundary}\n")),
        "{shown}"
    );
}

#[test]
fn curl_makes_a_form_of_its_own() {
    let fields = json!({"a\"b": "{{x}}", "o": {"v": "\\ \"'"}, "k": "t {{env.SHELF_TOKEN}}"});
    assert_eq!(
        curl(&call(&posting(&fields), x("@it's; <b")).unwrap()),
        "curl -X POST --compressed -H 'Accept-Encoding: gzip, br' -H 'Accept: application/json' -H 'User-Agent: becket/0.1.0' -H \"X-Shelf: tok $SHELF_TOKEN\" --form-string 'a%22b=@it'\\''s; <b' \
         --form 'o=\"{\\\"v\\\":\\\"\\\\\\\\ \\\\\\\"'\\''\\\"}\";type=application/json' --form-string \"k=t $SHELF_TOKEN\" \
         'https://shelf.example/api/b'\n"
    );
    for fields in [json!({"a=b": "{{x}}"}), json!({"": "{{x}}"})] {
        let plan = call(&posting(&fields), x("1")).unwrap();
        let command = curl(&plan);
        assert!(command.contains(&format!("--data-raw '{}'", body(&plan).unwrap())), "{command}");
        assert!(
            command.contains("-H 'Content-Type: multipart/form-data; boundary=becket-"),
            "{command}"
        );
    }
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "(--|becket-|[0-9a-f]{32}|\r\n|Content-Disposition: form-data; name=\"|[\r\n\"%é-]){0,9}",
        Just("{{env.SHELF_TOKEN}}".to_owned()),
    ]
}

proptest! {
    #[test]
    fn each_text_arrives_as_it_is(first in texts(), second in texts(), name in "[a-z\"\r\n=;%é -]{0,9}", inner in texts()) {
        prop_assume!(name != "b" && name != "c" && name != "k" && !name.contains('%'));
        let fields = json!({name.clone(): "{{x}}", "b": "<{{y}}>", "c": "{{o}}", "k": "{{x}}{{env.SHELF_TOKEN}}", "gone": "{{z}}"});
        let args = json!({"x": first, "y": second, "o": {inner.clone(): [second]}});
        let plan = call(&posting(&fields), args).unwrap();
        let object = json!({inner: [second]}).to_string();
        let expected = [
            part(&name, &first),
            part("b", &format!("<{second}>")),
            json_part("c", &object),
            part("k", &format!("{first}<SHELF_TOKEN>")),
        ];
        prop_assert_eq!(parts(&plan), expected);
        let keys = plan.body.as_ref().unwrap().pieces.iter().filter(|piece| matches!(piece, Piece::Key { .. })).count();
        prop_assert_eq!(keys, 1);
        // What is shown is read back from the pieces; no value has lines.
        let shown = dry_run(&plan, &crate::build::keys("s3"), &Source::new("c.json", "{}"), Mask::Stars);
        let (_, shown) = shown.split_once("\n\n").unwrap();
        prop_assert_eq!(shown.lines().count(), 1 + 4 * 4 + 1 + 1);
    }
}
