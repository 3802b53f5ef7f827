//! What a faulty service sends, played on 127.0.0.1. The class `time` runs two and a half times
//! as fast as written, with a limit of twelve seconds.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use becket::exec::{Answer, Client, Failure, KeyForm, Piece, Plan, Wait};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{Method, Scheme};
use serde_json::{Value, json};

use super::{figures, load, response_tls};
use crate::faults::Fault;
use crate::service::{Service, Then, base, get, header};

/// The limit of the class `time`, in seconds, and how much faster than 30 s that is.
const LIMIT: u32 = 12;
const PACE: f64 = 30.0 / LIMIT as f64;
/// Vectors played at the same time.
const TOGETHER: usize = 12;
const MARKER: &str = "SECRETVALUE";

/// What came of a call, and how many requests of it arrived.
pub(super) struct Outcome {
    pub(super) result: Result<Answer, Failure>,
    pub(super) requests: usize,
    pub(super) took: Duration,
}

#[test]
fn responses() {
    let Some(vectors) = load("response.json") else {
        return;
    };
    for class in ["size", "bomb", "time", "framing", "tls", "content", "status"] {
        let of_class: Vec<_> = vectors.iter().filter(|vector| vector["cls"] == class).collect();
        let failures = together(&of_class, judge);
        figures(&format!("response {class}"), of_class.len(), &failures);
    }
}

/// Plays vectors in a few threads and gathers what went wrong.
pub(super) fn together(vectors: &[&Value], judge: impl Fn(&Value) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || -> Vec<String> {
        std::iter::from_fn(|| vectors.get(next.fetch_add(1, Ordering::Relaxed)))
            .filter_map(|vector| judge(vector).err().map(|why| format!("{} {}: {why}", vector["id"], vector["name"])))
            .collect()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..TOGETHER).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no test panics"))
            .collect()
    })
}

fn judge(vector: &Value) -> Result<(), String> {
    let outcome = match (vector["cls"].as_str(), vector["server"]["keepalive"].as_str()) {
        (Some("tls"), _) => response_tls::play(vector["server"]["tls"].as_str().unwrap_or_default())?,
        (_, Some(_)) => keep_alive(vector["server"]["method"] == "POST"),
        _ if vector["server"]["closed"] == true => closed(),
        _ if vector["server"]["backlog_full"] == true => full(),
        _ => fault(vector),
    };
    let expect = vector["expect"].as_str().unwrap_or_default();
    let shown = match &outcome.result {
        Ok(answer) => format!("{:.80}", answer.value.to_string()),
        Err(failure) => failure.to_string(),
    };
    if outcome.took > Duration::from_secs(u64::from(LIMIT) + 2) && vector["cls"] == "time" {
        return Err(format!("took {:?}", outcome.took));
    }
    clean(&outcome.result).map_err(|why| format!("{why}: {shown:?}"))?;
    fits(expect, &outcome)
        .then_some(())
        .ok_or_else(|| format!("wanted {expect}, got {shown}"))
}

/// One line, no control characters, no key.
fn clean(result: &Result<Answer, Failure>) -> Result<(), &'static str> {
    let text = match result {
        Ok(answer) => answer.value.to_string(),
        Err(failure) if format!("{failure:?}").contains(MARKER) => return Err("shows the key"),
        Err(failure) => failure.to_string(),
    };
    match text {
        text if text.contains(char::is_control) && !text.contains('\u{7f}') => Err("has control characters"),
        text if result.is_err() && text.chars().count() > 420 => Err("is too long"),
        _ => Ok(()),
    }
}

fn fits(expect: &str, outcome: &Outcome) -> bool {
    let (words, rest) = match expect.find([' ', ',', ';']) {
        Some(at) if !expect.starts_with("refused key") && !expect.starts_with("too many") => expect.split_at(at),
        _ => (expect.split(';').next().unwrap_or_default(), expect),
    };
    words.split("-or-").any(|word| is(word, outcome)) && more(rest, outcome)
}

fn is(word: &str, outcome: &Outcome) -> bool {
    let (word, detail) = word.split_once(':').unwrap_or((word, ""));
    let status = |failure: &Failure| detail.is_empty() || failure.status().is_some_and(|status| status.to_string() == detail);
    match (word, &outcome.result) {
        ("ok", Ok(answer)) if detail.is_empty() => !is_text(&answer.value),
        ("ok", Ok(answer)) => answer.value == json!({"ok": true}),
        ("text" | "text-escaped", Ok(answer)) => is_text(&answer.value),
        ("ok-escaped", Ok(_)) | ("error" | "error-clean" | "clean-error", Err(_)) => true,
        ("too-large", Err(Failure::TooLarge { .. })) | ("not-offered", Err(Failure::Encoding { .. })) => true,
        ("timeout", Err(Failure::TooSlow { .. })) | ("tls", Err(Failure::Insecure { .. })) => true,
        ("network", Err(Failure::Unreachable { .. } | Failure::CutShort { .. } | Failure::Malformed { .. })) => true,
        ("network", Err(Failure::Encoding { .. })) => true,
        ("http-error", Err(failure @ Failure::Answered { .. })) => status(failure),
        ("refused key 401", Err(Failure::KeyRefused { status, .. })) => *status == 401,
        ("refused key 403", Err(Failure::KeyRefused { status, .. })) => *status == 403,
        ("too many requests", Err(Failure::TooManyRequests { .. })) => true,
        _ => false,
    }
}

fn is_text(value: &Value) -> bool {
    value["text"].is_string() && value.as_object().is_some_and(|fields| fields.len() == 1)
}

/// What an expectation says beyond its first words.
fn more(rest: &str, outcome: &Outcome) -> bool {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let value = |text: &str| outcome.result.as_ref().is_ok_and(|answer| answer.value == parsed(text));
    let wait = |wait: &Wait| outcome.result.as_ref().is_err_and(|failure| failure.wait() == Some(wait));
    let said = || outcome.result.as_ref().err().map(ToString::to_string).unwrap_or_default();
    match rest.trim_matches([' ', ',', ';']) {
        "exact" => value("{\"a\":9007199254740993}"),
        "last" => value("{\"a\":2}"),
        "null" => value("null"),
        "7" => value("7"),
        "escaped" => said().contains("\\u{1b}"),
        "redacted" => said().contains("***"),
        "(one retry for GET only)" => outcome.requests == 3,
        "(never sent twice)" => outcome.requests == 2,
        "(the second answer is never used)" => value("{}"),
        "too many requests; retry hint 5 s" => wait(&Wait::Seconds(5)),
        "too many requests; hint 0" => wait(&Wait::Seconds(0)),
        "too many requests; capped" => wait(&Wait::MoreThanADay),
        _ => true,
    }
}

/// Sends a plan with a key in a header.
pub(super) fn send(client: &Client, mut plan: Plan, requests: impl FnOnce() -> usize) -> Outcome {
    let form = KeyForm::Header;
    plan.headers.push(header(
        "X-Key",
        Piece::Key {
            name: "K".to_owned(),
            form,
        },
    ));
    let mut keys = Keys::default();
    keys.insert("K", Secret::new(MARKER), Origin::Environment);
    let started = Instant::now();
    let result = client.send(&plan, &keys);
    Outcome {
        result,
        took: started.elapsed(),
        requests: requests(),
    }
}

fn fault(vector: &Value) -> Outcome {
    let timed = vector["cls"] == "time" || vector["expect"] == "timeout";
    let fault = Fault::new(vector["server"].clone(), if timed { PACE } else { 1.0 });
    let post = vector["server"]["method"] == "POST";
    let service = Service::start(move |seen, line| fault.play(seen, line));
    let mut plan = service.get("/x/0");
    if timed {
        plan.limits.seconds = LIMIT;
    }
    if post {
        plan.method = Method::Post;
        plan.reads = false;
    }
    send(&Client::default(), plan, || service.seen().len())
}

/// Nobody listens.
fn closed() -> Outcome {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a port")
        .port();
    send(&Client::default(), get(base(Scheme::Http, "127.0.0.1", port), "/"), || 0)
}

/// A listener whose queue is full, so that a new connection gets no answer.
fn full() -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("a bound socket");
    let dial = || TcpStream::connect_timeout(&address, Duration::from_millis(300));
    let waiting: Vec<_> = (0..8192).map_while(|_| dial().ok()).collect();
    let mut plan = get(base(Scheme::Http, "127.0.0.1", address.port()), "/");
    plan.limits.seconds = 2;
    let outcome = send(&Client::default(), plan, || 0);
    drop(waiting);
    outcome
}

/// The second call finds a connection that the service closes instead of answering.
fn keep_alive(post: bool) -> Outcome {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let service = Service::start(move |_, line| match counted.fetch_add(1, Ordering::Relaxed) {
        1 => Ok(Then::Close),
        _ => line.answer(200, &[], b"{\"ok\":true}"),
    });
    let mut plan = service.get("/");
    if post {
        plan.method = Method::Post;
        plan.reads = false;
    }
    let client = Client::default();
    let first = send(&client, plan.clone(), || 0);
    assert!(first.result.is_ok(), "{:?}", first.result);
    send(&client, plan, || service.seen().len())
}
