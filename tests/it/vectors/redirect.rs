//! Redirects, played on 127.0.0.1: `api.example.com` of the vectors is `localhost` here, its other
//! port a second listener, and a foreign host a third one on 127.0.0.2. What was sent where is the
//! proof. The decision alone is judged with the addresses as written, too.

use becket::exec::redirect::{next, next_public};
use becket::exec::{Class, Client, Content, Failure, KeyForm, Media, Piece, Plan};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{Method, Redirects, Scheme, Span};
use serde_json::Value;

use super::response::together;
use super::{figures, load};
use crate::service::{Seen, Service, base, get, header, text};

const MARKER: &str = "SECRETVALUE";

#[test]
fn redirects() {
    let Some(vectors) = load("ssrf_redirect.json") else {
        return;
    };
    for class in ["same-host", "target", "chain", "odd-status", "header", "spec-fetch", "mcp-remote"] {
        let of_class: Vec<_> = vectors.iter().filter(|vector| vector["cls"] == class).collect();
        let failures = together(&of_class, |vector| match class {
            "spec-fetch" | "mcp-remote" => decision(vector),
            _ => decision(vector).and_then(|()| played(vector)),
        });
        figures(&format!("ssrf_redirect {class}"), of_class.len(), &failures);
    }
}

fn method(vector: &Value) -> Method {
    Method::parse(vector["method"].as_str().unwrap_or_default()).expect("a method")
}

/// The decision, with the addresses as written.
fn decision(vector: &Value) -> Result<(), String> {
    let base = base(Scheme::Https, "api.example.com", 443);
    let status = vector["status"].as_u64().unwrap_or_default() as u16;
    let location = vector["location"].as_str().map(str::as_bytes);
    if vector["location"].as_str().is_some_and(|text| text.starts_with("chain:")) {
        return Ok(());
    }
    let method = method(vector);
    let decide = |redirects| next(&base, redirects, (method, "/v1/one"), status, location);
    let (here, none) = (decide(Redirects::SameOrigin), decide(Redirects::None));
    let right = match vector["pimpo"].as_str().unwrap_or_default() {
        _ if vector["cls"] == "spec-fetch" => {
            next_public(&base, "/openapi.json", location.unwrap_or_default()).is_ok() == (vector["pimpo"] == "follow-public")
        }
        "follow" => matches!(&here, Ok(Some(hop)) if hop.method == method),
        "get" => matches!(&here, Ok(Some(hop)) if hop.method == Method::Get && !hop.body),
        "same-method-and-body" => matches!(&here, Ok(Some(hop)) if hop.method == method && hop.body),
        "refuse-or-same" => here
            .as_ref()
            .map_or(true, |hop| hop.as_ref().is_some_and(|hop| hop.method == method)),
        "refuse-or-get" => here
            .as_ref()
            .map_or(true, |hop| hop.as_ref().is_some_and(|hop| hop.method == Method::Get)),
        "refuse" => here.is_err(),
        "error-clean" => !matches!(here, Ok(Some(_))),
        _ => false,
    };
    let refused = vector["chatpilot"] != "refuse" || !matches!(none, Ok(Some(_)));
    (right && refused)
        .then_some(())
        .ok_or_else(|| format!("decided {here:?}, {none:?}"))
}

/// What one call did.
struct Run {
    result: Result<Value, Failure>,
    seen: Vec<Seen>,
    elsewhere: usize,
}

fn played(vector: &Value) -> Result<(), String> {
    let location = vector["location"].as_str();
    // On the wire a line break ends the header, so there is nothing left to refuse.
    if location.is_some_and(|text| text.contains('\n')) {
        return Ok(());
    }
    for reads in [true, false] {
        for foreign in [false, true] {
            let here = run(vector, reads, foreign, Redirects::SameOrigin);
            judge(vector, &here).map_err(|why| format!("{why}: {:?} {:?}", here.result, here.seen))?;
        }
    }
    let none = run(vector, true, true, Redirects::None);
    let refused = none.result.is_err() && none.seen.len() == 1 && none.elsewhere == 0;
    (vector["chatpilot"] != "refuse" || refused)
        .then_some(())
        .ok_or_else(|| "followed where none is followed".to_owned())
}

fn run(vector: &Value, reads: bool, foreign: bool, redirects: Redirects) -> Run {
    let silent = |_: &Seen, line: &mut crate::service::Line| line.answer(200, &[], b"{}");
    let port = Service::start(silent);
    let host = Service::on("127.0.0.2:0".parse().expect("an address"), None, silent).expect("a loopback port");
    let status = vector["status"].as_u64().unwrap_or_default() as u16;
    let written = vector["location"].as_str().map(str::to_owned);
    let (other_port, other_host) = (port.port(), host.address().to_string());
    let service = Service::start(move |seen, line| {
        let own = seen.header("host").unwrap_or_default();
        let location = written
            .as_deref()
            .and_then(|text| location(text, &seen.target, own, other_port, foreign.then_some(&other_host)));
        match location {
            Some(location) if seen.target == "/v1/one" || written.as_deref().is_some_and(|text| text.starts_with("chain:")) => {
                line.answer(status, &[("Location", &location), ("Set-Cookie", "a=b")], b"")
            }
            None if written.is_none() => line.answer(status, &[], b""),
            _ => line.answer(200, &[], b"{\"ok\":true}"),
        }
    });
    let (plan, keys) = plan(&service, vector, reads, redirects);
    let result = Client::default().send(&plan, &keys).map(|answer| answer.value);
    Run {
        result,
        seen: service.seen(),
        elsewhere: port.connections() + host.connections(),
    }
}

fn plan(service: &Service, vector: &Value, reads: bool, redirects: Redirects) -> (Plan, Keys) {
    let key = |form| Piece::Key {
        name: "K".to_owned(),
        form,
    };
    let mut plan = get(base(Scheme::Http, "localhost", service.port()), "/v1/one");
    plan.method = method(vector);
    plan.reads = reads && matches!(plan.method, Method::Get | Method::Post);
    plan.redirects = redirects;
    for name in ["Authorization", "X-Api-Key", "Cookie"] {
        plan.headers.push(header(name, key(KeyForm::Header)));
    }
    if plan.method == Method::Post {
        plan.headers.push(header("Content-Type", text("application/json")));
        plan.body = Some(Content {
            media: Media::Json,
            pieces: vec![text("{\"k\":\""), key(KeyForm::Json), text("\"}")],
            at: Span::default(),
        });
    }
    let mut keys = Keys::default();
    keys.insert("K", Secret::new(MARKER), Origin::Environment);
    (plan, keys)
}

/// The `Location` of a vector with this test's hosts in it; nothing at the end of a chain.
fn location(written: &str, target: &str, own: &str, other_port: u16, other_host: Option<&String>) -> Option<String> {
    if let Some(length) = written.strip_prefix("chain:") {
        let length: usize = length.parse().expect("a number");
        let step: usize = target.strip_prefix("/step/").and_then(|text| text.parse().ok()).unwrap_or(0);
        return match length {
            1 => Some(target.to_owned()),
            2 => Some(format!("/step/{}", 1 - step.min(1))),
            _ if step >= length => None,
            _ => Some(format!("/step/{}", step + 1)),
        };
    }
    let foreign = other_host.map_or("evil.example.net", String::as_str);
    let Some((authority, path)) = written.strip_prefix("https://").and_then(|rest| rest.split_once('/')) else {
        return Some(written.replace("evil.example.net", foreign));
    };
    let authority = match authority {
        "api.example.com" => own.to_owned(),
        "API.EXAMPLE.COM" => own.to_uppercase(),
        "api.example.com:8443" => format!("localhost:{other_port}"),
        "user:pw@api.example.com" => format!("user:pw@{own}"),
        "evil.example.net" if other_host.is_some() => foreign.to_owned(),
        other => return Some(format!("https://{other}/{path}")),
    };
    Some(format!("http://{authority}/{path}"))
}

fn judge(vector: &Value, run: &Run) -> Result<(), &'static str> {
    if run.elsewhere > 0 {
        return Err("something was sent elsewhere");
    }
    if let Err(failure) = &run.result {
        let text = format!("{failure} {failure:?}");
        if text.contains(MARKER) || failure.to_string().contains(char::is_control) || failure.class() == Class::Key {
            return Err("not a clean error");
        }
    }
    let refused = run.result.is_err() && run.seen.len() == 1;
    let followed = run.result.is_ok() && run.seen.len() > 1;
    let (first, last) = (&run.seen[0], &run.seen[run.seen.len() - 1]);
    let same = followed && last.method == first.method && last.body == first.body;
    let got = followed && last.method == "GET" && last.body.is_empty() && last.header("content-type").is_none();
    let right = match vector["pimpo"].as_str().unwrap_or_default() {
        "follow" if vector["location"] == "chain:5" => run.seen.len() == 6 && same,
        "follow" | "same-method-and-body" => same,
        "get" => got,
        "refuse-or-same" => refused || same,
        "refuse-or-get" => refused || got,
        "refuse" if vector["cls"] == "chain" => matches!(run.result, Err(Failure::TooManyRedirects { .. })) && run.seen.len() == 6,
        "refuse" | "error-clean" => refused,
        "either" => run.seen.len() <= 7,
        _ => false,
    };
    let kept = |name| last.header(name) == Some(MARKER);
    if vector["keeps_key"] == true && !["authorization", "x-api-key", "cookie"].into_iter().all(kept) {
        return Err("the key was not kept");
    }
    right.then_some(()).ok_or("not as expected")
}
