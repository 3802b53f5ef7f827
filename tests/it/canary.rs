//! A key that must not be seen: whatever goes wrong with a call, no text of ours holds it in any
//! of its encodings. The causes are those of the vectors' class `error-text` that are about HTTP.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use becket::exec::{Client, KeyForm, Piece, Plan, QueryPair};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{Scheme, Span};

use crate::authority::Authority;
use crate::service::{Service, base, get, header};

pub(crate) const KEY: &str = "sk/SECRETVALUE+7f\"3a=CANARY";

pub(crate) fn encodings(key: &str) -> Vec<String> {
    let every: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let form: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
    let quoted = serde_json::Value::from(key).to_string();
    let hex: String = key.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut encodings = vec![
        key.to_owned(),
        quoted[1..quoted.len() - 1].to_owned(),
        form.to_lowercase(),
        form,
        hex.to_uppercase(),
        hex,
        every,
    ];
    encodings.extend([&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD].map(|engine| engine.encode(key)));
    encodings
}

fn keys(value: &str) -> Keys {
    let mut keys = Keys::default();
    keys.insert("CANARY_KEY", Secret::new(value), Origin::Environment);
    keys
}

/// The key in a header and in the query.
fn plan(mut plan: Plan) -> Plan {
    let key = |form| Piece::Key {
        name: "CANARY_KEY".to_owned(),
        form,
    };
    plan.headers.push(header("Authorization", key(KeyForm::Header)));
    plan.query.push(QueryPair {
        name: "key".to_owned(),
        value: vec![key(KeyForm::Query)],
        at: Span::default(),
    });
    plan
}

/// Everything that a failed call could show.
fn shown(client: &Client, call: Plan, value: &str) -> String {
    let failure = client.send(&plan(call), &keys(value)).expect_err("a failure");
    format!("{failure}\n{failure:?}\n{:?}", failure.class())
}

fn is_clean(text: &str) {
    let small = text.to_lowercase();
    for encoding in encodings(KEY) {
        assert!(!text.contains(&encoding), "{encoding} in {text}");
    }
    assert!(!small.contains("secretvalue") && !small.contains("canary="), "{text}");
}

#[test]
fn an_echo_is_cleaned() {
    for status in [400, 401, 403, 429, 500] {
        let mut echoes = encodings(KEY);
        let escaped: String = KEY.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
        echoes.push(format!("{{\"message\":\"bad key {escaped}\"}}"));
        echoes.push(format!("cut {{\"k\":\"{escaped}"));
        echoes.push(KEY[..KEY.len() / 2].to_owned());
        echoes.push(KEY[KEY.len() / 2..].to_owned());
        echoes.push(format!("{}{KEY}", "x".repeat(295)));
        for echo in echoes {
            let body = echo.clone();
            let service = Service::start(move |_, line| line.answer(status, &[], body.as_bytes()));
            let text = shown(&Client::default(), service.get("/"), KEY);
            is_clean(&text);
            assert!(text.contains("***"), "{echo}: {text}");
        }
    }
}

#[test]
fn an_echo_of_the_request_is_cleaned() {
    let service = Service::start(|seen, line| {
        let body = format!("cannot GET {} with {:?}", seen.target, seen.headers);
        line.answer(404, &[], body.as_bytes())
    });
    is_clean(&shown(&Client::default(), service.get("/"), KEY));
}

#[test]
fn a_text_that_is_not_json_is_cleaned() {
    let service = Service::start(|_, line| line.answer(200, &[], format!("<p>{KEY}</p>").as_bytes()));
    let answer = Client::default().send(&plan(service.get("/")), &keys(KEY)).expect("an answer");
    assert_eq!(answer.value, serde_json::json!({"text": "<p>***</p>"}));
}

#[test]
fn a_location_is_not_repeated() {
    for location in [
        format!("https://evil.example/?key={KEY}"),
        "https://sksecretvalue.evil.example/".to_owned(),
        "https://SECRETVALUE.evil.example/".to_owned(),
        format!("https://evil.example/{}", STANDARD.encode(KEY)),
        format!("https://{}@evil.example/", URL_SAFE_NO_PAD.encode(KEY)),
    ] {
        let key = if location.contains("//SECRET") || location.contains("//sksecret") {
            "skSECRETVALUE"
        } else {
            KEY
        };
        let key = if location.contains("//SECRET") { "SECRETVALUE" } else { key };
        let service = Service::start(move |_, line| line.answer(302, &[("Location", &location)], b""));
        is_clean(&shown(&Client::default(), service.get("/"), key));
    }
}

#[test]
fn a_call_that_does_not_arrive_shows_no_address() {
    let unknown = format!("{}.example", "a".repeat(64));
    is_clean(&shown(&Client::default(), get(base(Scheme::Https, &unknown, 443), "/"), KEY));
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port();
    for scheme in [Scheme::Http, Scheme::Https] {
        is_clean(&shown(&Client::default(), get(base(scheme, "127.0.0.1", port), "/"), KEY));
    }
    is_clean(&shown(&Client::default(), get(base(Scheme::Https, "10.0.0.1", 443), "/"), KEY));
}

#[test]
fn a_certificate_is_not_repeated() {
    let authority = Authority::new();
    let config = authority.server(&["secretvalue.example"], |_| {});
    let service = Service::secure(config, |_, line| line.answer(200, &[], b"{}"));
    let client = Client::new(authority.roots());
    let text = shown(&client, get(base(Scheme::Https, "localhost", service.port()), "/"), "SECRETVALUE");
    is_clean(&text);
    assert!(text.contains("its certificate is for another name"), "{text}");
}

#[test]
fn a_key_that_does_not_fit_is_named_only() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{}"));
    for value in [format!("{KEY}\nX-Admin: 1"), format!("{KEY}\u{1b}[31m"), format!("{KEY}é")] {
        let text = shown(&Client::default(), service.get("/"), &value);
        is_clean(&text);
        assert!(text.contains("the key `CANARY_KEY` has a "), "{text}");
    }
    assert_eq!(service.connections(), 0);
}

#[test]
fn a_plan_holds_no_key() {
    is_clean(&format!("{:?}", plan(get(base(Scheme::Https, "api.example.com", 443), "/"))));
}
