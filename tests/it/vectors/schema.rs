//! `parse.json`, classes schema and regex: a schema is refused or answers, in time, and nothing
//! that it names is fetched.

use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

use becket::model::{ArgumentFault, Schema, SchemaFault};
use serde_json::{Value, json};

use super::{figures, load};

/// What came of judging an instance by a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    Refused(SchemaFault, String),
    Fits,
    Fails,
    Costly,
}

impl Outcome {
    fn is_answer(&self) -> bool {
        matches!(self, Self::Fits | Self::Fails)
    }

    fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(..))
    }
}

#[test]
fn schemas() {
    play("schema");
}

#[test]
fn patterns() {
    play("regex");
}

fn play(class: &str) {
    let Some(vectors) = load("parse.json") else { return };
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("not blocking");
    let port = listener.local_addr().expect("an address").port();
    let vectors: Vec<&Value> = vectors.iter().filter(|vector| vector["cls"] == class).collect();
    let mut failed = Vec::new();
    for vector in &vectors {
        let (schema, instance) = (made(&vector["doc"], port), made(&vector["instance"], port));
        let expected = vector["expect"].as_str().expect("a text");
        match judged_in(seconds(expected), schema, instance) {
            Some(outcome) if is_right(expected, &outcome) => {}
            outcome => failed.push(format!("{} {}: {expected}, got {outcome:?}", vector["id"], vector["what"])),
        }
    }
    assert!(listener.accept().is_err(), "a schema was fetched");
    figures(&format!("parse {class}"), vectors.len(), &failed);
}

/// Judges on the small stack of an ordinary thread; nothing when it takes too long.
fn judged_in(seconds: u64, schema: Value, instance: Value) -> Option<Outcome> {
    let (answer, answered) = mpsc::channel();
    std::thread::spawn(move || answer.send(judged(&schema, &instance)));
    answered.recv_timeout(Duration::from_secs(seconds)).ok()
}

fn judged(schema: &Value, instance: &Value) -> Outcome {
    let schema = match Schema::compile(schema) {
        Ok(schema) => schema,
        Err(problem) => return Outcome::Refused(problem.fault, problem.pointer),
    };
    let problems = schema.judge(instance);
    match problems.first() {
        None => Outcome::Fits,
        Some(problem) if problem.fault == ArgumentFault::Costly => Outcome::Costly,
        Some(_) => Outcome::Fails,
    }
}

/// The seconds that a vector allows, and some for a busy machine.
fn seconds(expected: &str) -> u64 {
    if expected.contains("5 s") { 6 } else { 4 }
}

fn is_right(expected: &str, outcome: &Outcome) -> bool {
    match expected {
        "ok" | "yes" => *outcome == Outcome::Fits,
        "ok: invalid instance" | "no (ECMA)" => *outcome == Outcome::Fails,
        "refuse or embedded copy; no request" | "refuse; no request" => matches!(outcome, Outcome::Refused(SchemaFault::Reference, _)),
        "refuse; file not opened" => *outcome == Outcome::Refused(SchemaFault::Reference, "/$ref".to_owned()),
        "refuse, no stack overflow" | "refuse" | "refused" | "refused: too big" => outcome.is_refusal(),
        "named draft honoured or refused" => *outcome == Outcome::Fails || outcome.is_refusal(),
        "answer<1s or pattern refused" => outcome.is_answer() || outcome.is_refusal() || *outcome == Outcome::Costly,
        "answer" | "answer, no panic" | "answer<1s" => outcome.is_answer(),
        // In time is what counts: "too costly to judge" is an answer too.
        "answer within 2 s" | "answer within 5 s" => outcome.is_answer() || *outcome == Outcome::Costly,
        "refused or answer" | "refused or answer<1s" | "answer or refused" | "ECMA only: refused or answer" => {
            outcome.is_answer() || outcome.is_refusal()
        }
        other => panic!("unknown expectation {other}"),
    }
}

/// A vector's value, with the port put in and `@gen:kind:n` made.
fn made(value: &Value, port: u16) -> Value {
    if let Some(recipe) = value.as_str().and_then(|text| text.strip_prefix("@gen:")) {
        let (kind, count) = recipe.split_once(':').expect("kind:n");
        return generated(kind, count.parse().expect("a number"));
    }
    serde_json::from_str(&value.to_string().replace("@PORT", &port.to_string())).expect("still JSON")
}

fn generated(kind: &str, count: usize) -> Value {
    match kind {
        "oneof" => json!({"oneOf": (0..count).map(|n| json!({"const": n})).collect::<Vec<_>>()}),
        "enum" => json!({"enum": (0..count).map(|n| format!("value-{n:012}")).collect::<Vec<_>>()}),
        "objs" => (0..count).map(|n| json!({"a": n, "b": [n]})).collect(),
        "schemadepth" => (0..count).fold(json!({"type": "object"}), |inner, _| field("properties", field("a", inner))),
        // Each level asks again what the levels below have evaluated.
        "uneval" => (0..count).fold(json!({"properties": {"a": true}}), |inner, _| {
            let mut level = field("allOf", Value::Array(vec![inner]));
            level["unevaluatedProperties"] = Value::Bool(false);
            level
        }),
        other => panic!("unknown recipe {other}"),
    }
}

/// An object of one field, made without a walk through its value.
fn field(name: &str, value: Value) -> Value {
    Value::Object([(name.to_owned(), value)].into_iter().collect())
}
