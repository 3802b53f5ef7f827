//! What is sent and what an answer means, on the loopback service: the vectors B25 to B34 of the
//! specification, and what they leave out.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use becket::exec::{Class, Client, Content, Failure, KeyForm, Media, Piece, Plan, QueryPair, Wait};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{Limits, Method, Redirects, Scheme, Span};
use serde_json::{Value, json};

use crate::service::{Seen, Service, Then, base, get, header, text};

type Headers = &'static [(&'static str, &'static str)];

fn keys() -> Keys {
    let mut keys = Keys::default();
    keys.insert("SHELF_TOKEN", Secret::new("s3cret value"), Origin::Environment);
    keys
}

fn key(form: KeyForm) -> Piece {
    Piece::Key {
        name: "SHELF_TOKEN".to_owned(),
        form,
    }
}

/// A service with one answer.
fn always(status: u16, headers: Headers, body: impl Into<Vec<u8>>) -> Service {
    let body = body.into();
    Service::start(move |_, line| line.answer(status, headers, &body))
}

/// The value of an answer, or what the failure says with the service's address left out.
fn outcome(service: &Service, plan: &Plan) -> Result<Value, String> {
    let result = Client::default().send(plan, &keys());
    result.map(|answer| answer.value).map_err(|failure| {
        let text = failure.to_string();
        text.replace(&service.address().to_string(), "HOST")
    })
}

fn with_key(service: &Service) -> Plan {
    let mut plan = service.get("/api/b");
    plan.headers.push(header("X-Shelf", key(KeyForm::Header)));
    plan
}

#[test]
fn b25_to_b28_bodies() {
    let long = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
    let limit = Limits::CONNECTOR.bytes;
    let cases = [
        (204, String::new(), Ok(json!({"ok": true}))),
        (200, "  ".to_owned(), Ok(json!({"ok": true}))),
        (200, "<p>hi</p>".to_owned(), Ok(json!({"text": "<p>hi</p>"}))),
        (200, long(limit), Ok(json!("a".repeat(limit - 2)))),
        (200, long(limit + 1), Err("the answer of HOST is larger than 5 MB".to_owned())),
    ];
    for (status, body, expected) in cases {
        let service = always(status, &[], body);
        assert_eq!(outcome(&service, &service.get("/")), expected);
    }
}

#[test]
fn b29_refusals() {
    let cases: [(u16, Headers, &str, &str); 9] = [
        (401, &[], "", "HOST refused the key (401)"),
        (403, &[], "", "HOST refused the key (403)"),
        (
            403,
            &[],
            "{\"detail\":\"plan does not include this\"}",
            "HOST refused the key (403): plan does not include this",
        ),
        (429, &[], "", "HOST says too many requests"),
        (
            429,
            &[("Retry-After", "12")],
            "",
            "HOST says too many requests; it asks to wait 12 s",
        ),
        (
            429,
            &[
                ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"),
            ],
            "",
            "HOST says too many requests; it asks to wait 30 s",
        ),
        (500, &[], "boom", "HOST answered 500: boom"),
        (503, &[("Retry-After", "3")], "", "HOST answered 503; it asks to wait 3 s"),
        (304, &[], "", "HOST answered 304"),
    ];
    for (status, headers, body, expected) in cases {
        let service = always(status, headers, body);
        assert_eq!(outcome(&service, &with_key(&service)), Err(expected.to_owned()));
    }
}

#[test]
fn a_refusal_without_a_key_does_not_blame_one() {
    let service = always(403, &[], "{\"message\":\"blocked in your country\"}");
    let plan = service.get("/");
    assert_eq!(
        outcome(&service, &plan),
        Err("HOST refused the request (403: blocked in your country)".to_owned())
    );
    let failure = Client::default().send(&plan, &keys()).unwrap_err();
    assert_eq!((failure.class(), failure.status()), (Class::Service, Some(403)));
}

#[test]
fn a_failure_knows_its_class_and_wait() {
    let cases: [(u16, Headers, Class, Option<Wait>); 4] = [
        (401, &[], Class::Key, None),
        (429, &[("Retry-After", "7")], Class::Service, Some(Wait::Seconds(7))),
        (500, &[], Class::Service, None),
        (302, &[("Location", "https://evil.example/")], Class::Unreachable, None),
    ];
    for (status, headers, class, wait) in cases {
        let service = always(status, headers, "");
        let failure = Client::default().send(&with_key(&service), &keys()).unwrap_err();
        assert_eq!((failure.class(), failure.wait().cloned()), (class, wait), "{failure}");
    }
}

fn hops(seen: &Seen, all: usize) -> Option<String> {
    let step: usize = seen.target.trim_start_matches("/hop/").parse().unwrap_or(0);
    (step < all).then(|| format!("/hop/{}", step + 1))
}

#[test]
fn b31_redirects() {
    for (all, expected) in [
        (5, Ok(json!({"ok": true}))),
        (6, Err("HOST sends more than 5 redirects".to_owned())),
    ] {
        let service = Service::start(move |seen, line| match hops(seen, all) {
            Some(location) => line.answer(302, &[("Location", &location)], b"moved"),
            None => line.answer(200, &[], b""),
        });
        assert_eq!(outcome(&service, &service.get("/")), expected);
        assert_eq!(service.seen().len(), 6);
    }
}

#[test]
fn b32_another_port_gets_nothing() {
    let other = always(200, &[], "{}");
    let location = format!("http://{}/x", other.address());
    let service = Service::start(move |_, line| line.answer(307, &[("Location", &location)], b""));
    let mut plan = with_key(&service);
    plan.method = Method::Post;
    plan.reads = false;
    plan.body = Some(json_body(vec![text("{}")]));
    let expected = format!("redirect to http://{} is outside HOST", other.address());
    assert_eq!(outcome(&service, &plan), Err(expected));
    assert_eq!((service.seen().len(), other.connections()), (1, 0));
}

#[test]
fn b34_a_cut_answer_is_an_error() {
    let service = Service::start(|_, line| {
        line.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"a\":12345")?;
        Ok(Then::Close)
    });
    assert_eq!(
        outcome(&service, &service.get("/")),
        Err("the answer of HOST was cut short".to_owned())
    );
}

#[test]
fn a_redirect_elsewhere_names_the_host_only() {
    let service = always(302, &[("Location", "https://evil.example/a?token=1")], "");
    assert_eq!(
        outcome(&service, &service.get("/")),
        Err("redirect to evil.example is outside HOST".to_owned())
    );
    let mut plan = service.get("/");
    plan.redirects = Redirects::None;
    assert_eq!(
        outcome(&service, &plan),
        Err("HOST answered 302 with a redirect, which is not followed".to_owned())
    );
}

fn json_body(pieces: Vec<Piece>) -> Content {
    Content {
        media: Media::Json,
        pieces,
        at: Span::default(),
    }
}

#[test]
fn the_parts_of_a_plan_go_out_as_they_are() {
    let service = always(200, &[], "{}");
    let mut plan = service.get("/api/b/978%2F1%20%C3%A9/$&+:=@/~");
    let pair = |name: &str, value| QueryPair {
        name: name.to_owned(),
        value: vec![value],
        at: Span::default(),
    };
    plan.query = vec![
        pair("a%5B%5D", text("x%20y+z")),
        pair("a%5B%5D", text("")),
        pair("token", key(KeyForm::Query)),
    ];
    plan.headers.push(header("X-SHELF-id", key(KeyForm::Header)));
    plan.method = Method::Delete;
    plan.reads = false;
    plan.body = Some(json_body(vec![text("{\"k\":\""), key(KeyForm::Json), text("\"}")]));
    assert_eq!(outcome(&service, &plan), Ok(json!({})));
    let seen = service.seen().remove(0);
    assert_eq!(seen.method, "DELETE");
    assert_eq!(
        seen.target,
        "/api/b/978%2F1%20%C3%A9/$&+:=@/~?a%5B%5D=x%20y+z&a%5B%5D=&token=s3cret%20value"
    );
    assert_eq!(String::from_utf8_lossy(&seen.body), "{\"k\":\"s3cret value\"}");
    let host = service.address().to_string();
    let expected = [
        ("accept-encoding", "gzip, br"),
        ("content-length", "20"),
        ("host", &host),
        ("Accept", "application/json"),
        ("User-Agent", "becket-test"),
        ("X-SHELF-id", "s3cret value"),
        ("Content-Type", "application/json"),
    ];
    let sent: Vec<(&str, &str)> = seen.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut sorted = sent.clone();
    sorted.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted);
}

#[test]
fn a_change_without_a_body_has_the_length_zero_and_a_read_none() {
    for (method, length) in [
        (Method::Post, Some("0")),
        (Method::Put, Some("0")),
        (Method::Delete, None),
        (Method::Get, None),
    ] {
        let service = always(200, &[], "{}");
        let mut plan = service.get("/");
        plan.method = method;
        plan.reads = method == Method::Get;
        assert_eq!(outcome(&service, &plan), Ok(json!({})));
        let seen = service.seen().remove(0);
        assert_eq!(seen.header("content-length"), length, "{method:?}");
        assert_eq!((seen.header("content-type"), seen.header("transfer-encoding")), (None, None));
    }
}

#[test]
fn connections_are_kept() {
    let service = always(200, &[], "{}");
    let client = Client::default();
    for _ in 0..20 {
        client.send(&service.get("/"), &Keys::default()).expect("an answer");
    }
    assert_eq!((service.seen().len(), service.connections()), (20, 1));
    assert!(service.seen().iter().all(|seen| seen.connection == 0));
}

#[test]
fn only_a_read_is_sent_again_and_only_on_a_kept_connection() {
    for (method, reads, kept, requests) in [
        (Method::Get, true, true, 3),
        (Method::Get, true, false, 1),
        (Method::Get, false, true, 2),
        (Method::Post, true, true, 2),
        (Method::Delete, false, true, 2),
    ] {
        let count = Arc::new(AtomicUsize::new(usize::from(!kept)));
        let service = Service::start(move |_, line| match count.fetch_add(1, Ordering::Relaxed) {
            1 => Ok(Then::Close),
            _ => line.answer(200, &[], b"{}"),
        });
        let client = Client::default();
        let mut plan = service.get("/");
        (plan.method, plan.reads) = (method, reads);
        if kept {
            client.send(&plan, &Keys::default()).expect("the first answer");
        }
        let second = client.send(&plan, &Keys::default());
        assert_eq!(second.is_ok(), requests == 3);
        assert_eq!(service.seen().len(), requests, "{method:?} {reads} {kept}");
    }
}

#[test]
fn an_answer_says_what_was_followed() {
    let service = Service::start(|seen, line| match seen.method.as_str() {
        "POST" => line.answer(303, &[("Location", "/made/1")], b""),
        _ => line.answer(200, &[], b"{\"id\":1}"),
    });
    let mut plan = service.get("/");
    plan.method = Method::Post;
    plan.reads = false;
    let answer = Client::default().send(&plan, &Keys::default()).expect("an answer");
    assert_eq!(
        (answer.status, answer.redirects, answer.method, answer.bytes),
        (200, 1, Method::Get, 8)
    );
}

#[test]
fn a_private_address_is_not_reached() {
    for (host, expected) in [
        (
            "10.0.0.5",
            "10.0.0.5 is a private address; a connector may reach one only if its base is this computer",
        ),
        (
            "[::ffff:169.254.169.254]",
            "::ffff:169.254.169.254 is not a public address (link local); a connector may reach one only if its base is this computer",
        ),
    ] {
        let failure = Client::default()
            .send(&get(base(Scheme::Https, host, 443), "/"), &keys())
            .unwrap_err();
        assert_eq!((failure.to_string().as_str(), failure.class()), (expected, Class::Unreachable));
    }
    let service = always(200, &[], "{}");
    let mut public = service.get("/");
    public.base.local = false;
    assert!(matches!(Client::default().send(&public, &keys()), Err(Failure::Blocked(_))));
    assert_eq!(service.connections(), 0);
}
