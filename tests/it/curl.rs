//! The command of `--curl`, run by the real curl against a service that records what comes, beside
//! our own request. They are the same but for the order of headers, the boundary of a multipart
//! body, which is curl's own, and, where a query or a form has a key, how curl encodes it: `%2f` for
//! `%2F` and `+` for a blank. It needs `sh` and curl 7.87: where there is none, nothing is run,
//! unless BECKET_CURL names it; then a missing one fails.

use std::process::Command;

use becket::exec::{Client, Plan, curl};
use becket::model::{Connector, Each, FormKind, Method, Style};
use serde_json::{Value, json};

use crate::build::{base, call, form_body, form_of, header, json_body, keys, one, parameter, path, template, with};
use crate::service::{Seen, Service};

/// Letters that mean something to a shell, a query, a form or an address.
const KEY: &str = "k3y/+ &=%$(id)`;#?'~*";
const TEXT: &str = "it's \"$(x)\" {a,b}[1-3] 50% &é\n@next + ~*";

/// Nothing where there is no curl that can.
fn program() -> Option<String> {
    let asked = std::env::var("BECKET_CURL").ok();
    let name = asked.clone().unwrap_or_else(|| "curl".to_owned());
    let shown = Command::new(&name).arg("--help").arg("all").output();
    let can = shown.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("--url-query"));
    assert!(can || asked.is_none(), "{name} is no curl 7.87 or later");
    can.then_some(name)
}

/// What a service gets of a request, in an order that does not depend on who sends it.
fn facts(seen: &Seen) -> (String, String, Vec<(String, String)>, String) {
    let mut body = String::from_utf8_lossy(&seen.body).into_owned();
    let mut headers: Vec<_> = seen
        .headers
        .iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
        .collect();
    let boundary = seen
        .header("content-type")
        .and_then(|kind| kind.split_once("boundary="))
        .map(|(_, word)| word.to_owned());
    if let Some(boundary) = boundary {
        body = body.replace(&boundary, "BOUNDARY");
        headers
            .iter_mut()
            .for_each(|(_, value)| *value = value.replace(&boundary, "BOUNDARY"));
        headers.retain(|(name, _)| name != "content-length");
    }
    let (place, query) = seen.target.split_once('?').unwrap_or((&seen.target, ""));
    let mut target = seen.target.clone();
    if query.contains("k=") || body.contains("k=") && !body.contains("BOUNDARY") {
        target = format!("{place} {:?}", pairs(query));
        body = pairs(&body);
        headers.retain(|(name, _)| name != "content-length");
    }
    headers.sort();
    (seen.method.clone(), target, headers, body)
}

fn pairs(text: &str) -> String {
    format!("{:?}", url::form_urlencoded::parse(text.as_bytes()).collect::<Vec<_>>())
}

fn shelf(change: impl FnOnce(&mut becket::model::Http, &mut becket::model::Request)) -> Connector {
    with(change)
}

/// Requests of every kind, each with what makes it a hard one.
fn connectors() -> Vec<(&'static str, Connector)> {
    let mut all = vec![
        (
            "a plain read",
            shelf(|_, request| request.query = vec![one("q", "{{x}}"), one("page", "2")]),
        ),
        ("a path", shelf(|_, request| request.path = path("/a b/{{p}}/c"))),
        (
            "a key between parameters",
            shelf(|_, request| request.query = vec![one("a", "{{x}}"), one("k", "{{env.SHELF_TOKEN}}"), one("z", "{{x}}")]),
        ),
        (
            "headers of its own",
            shelf(|_, request| request.headers = vec![header("Accept", "text/csv"), header("User-Agent", "mine/1"), header("X-A", "a;b")]),
        ),
        (
            "a list in brackets",
            shelf(|_, request| request.query = vec![parameter("t", Each::Styled(template("{{o}}"), Style::DeepObject))]),
        ),
    ];
    for method in [Method::Post, Method::Put, Method::Patch, Method::Delete] {
        all.push(("no body", shelf(|_, request| request.method = method)));
        all.push((
            "JSON",
            shelf(|_, request| {
                request.method = method;
                request.body = json_body(&json!({"t": "{{x}}", "n": 1.10, "k": "{{env.SHELF_TOKEN}}"}));
            }),
        ));
    }
    all.push((
        "a text that looks like a file",
        shelf(|_, request| {
            request.method = Method::Post;
            request.body = json_body(&json!("@{{x}}"));
        }),
    ));
    all.push((
        "a form",
        shelf(|_, request| {
            request.method = Method::Post;
            request.body = form_body(&json!({"a b": "{{x}}", "z": 1}));
        }),
    ));
    all.push((
        "a form with a key",
        shelf(|_, request| {
            request.method = Method::Post;
            request.body = form_body(&json!({"a b": "{{x}}", "k": "Bearer {{env.SHELF_TOKEN}}", "z": 1}));
        }),
    ));
    all.push((
        "a multipart form",
        shelf(|_, request| {
            request.method = Method::Post;
            request.body = form_of(
                FormKind::Multipart,
                &json!({"a": "{{x}}", "o": "{{o}}", "k": "{{env.SHELF_TOKEN}}"}),
            );
        }),
    ));
    all
}

fn pointed(mut connector: Connector, port: u16) -> Plan {
    if let becket::model::Transport::Http(http) = &mut connector.transport {
        http.base = base(&format!("http://127.0.0.1:{port}/api?v=1"));
    }
    call(
        &connector,
        json!({"x": TEXT, "p": "it's {a,b}[1-3]/..%2f é", "o": {"a": [1, "b c"]}}),
    )
    .unwrap()
}

fn run(program: &str, command: &str) -> String {
    let script = format!("curl() {{ command '{program}' -q --silent --show-error \"$@\"; }}\n{command}");
    let output = Command::new("sh")
        .args(["-c", &script])
        .env_remove("http_proxy")
        .env("SHELF_TOKEN", KEY)
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn curl_sends_what_we_send() {
    let Some(program) = program() else { return };
    let mut wrong = String::new();
    for (name, connector) in connectors() {
        let service = Service::start(|_, line| line.answer(200, &[("Content-Type", "application/json")], b"{\"ok\": 1}"));
        let plan = pointed(connector, service.port());
        let answer = Client::default().send(&plan, &keys(KEY)).unwrap();
        assert_eq!(answer.value, json!({"ok": 1}));
        let command = curl(&plan);
        assert!(!command.contains("k3y"), "{command}");
        let printed: Value = serde_json::from_str(&run(&program, &command)).unwrap();
        assert_eq!(printed, answer.value);
        let seen = service.seen();
        let (ours, printed) = (facts(&seen[0]), facts(&seen[1]));
        if ours != printed {
            wrong += &format!("{name}: {command}{ours:?}\n{printed:?}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
