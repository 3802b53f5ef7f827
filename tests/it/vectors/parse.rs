//! The classes `json` and `yaml` of the parse vectors, as far as reading goes: what is a
//! document, what is noted about it. What only a manifest's own rules can refuse (an unknown
//! field, a number for a name) is no matter of this floor and is counted apart.

use becket::source::{Doc, Limits, Source, parse_json, parse_yaml, read_stream};
use serde_json::Value;

use super::{figures, load};

/// What reading made of a text.
enum Outcome {
    Refused,
    Read(Box<Doc>),
}

#[test]
fn json() {
    play("json");
}

#[test]
fn yaml() {
    play("yaml");
}

#[expect(clippy::print_stdout, reason = "figures are what these tests are run for")]
fn play(class: &str) {
    let Some(vectors) = load("parse.json") else { return };
    let mut total = 0;
    let mut for_rules = Vec::new();
    let mut failures = Vec::new();
    for vector in vectors.iter().filter(|vector| vector["cls"] == class) {
        let name = format!("{} {}", text(vector, "id"), text(vector, "what"));
        let judged = outcome(&bytes(text(vector, "doc")), text(vector, "format")).and_then(|outcome| judge(vector, &outcome));
        match judged {
            Ok(true) => total += 1,
            Ok(false) => for_rules.push(name),
            Err(fault) => {
                total += 1;
                failures.push(format!("{name}: {fault}"));
            }
        }
    }
    println!(
        "parse {class}: {} more for the rules of a manifest: {}",
        for_rules.len(),
        for_rules.join(", ")
    );
    figures(&format!("parse {class}"), total, &failures);
}

fn text<'v>(vector: &'v Value, key: &str) -> &'v str {
    vector[key].as_str().unwrap_or_default()
}

/// The text of a vector: as it stands, from hexadecimal digits, or made here.
fn bytes(doc: &str) -> Vec<u8> {
    if let Some(digits) = doc.strip_prefix("@hex:") {
        let pairs = digits.as_bytes().chunks(2);
        return pairs
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
    }
    let Some((kind, count)) = doc.strip_prefix("@gen:").and_then(|made| made.split_once(':')) else {
        return doc.as_bytes().to_vec();
    };
    let count: usize = count.parse().unwrap();
    let nested = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(count), close.repeat(count));
    let made = match kind {
        "arr" | "flow" => nested("[", "", "]"),
        "arropen" => nested("[", "", ""),
        "obj" => nested("{\"a\":", "1", "}"),
        "dash" => nested("- ", "x", ""),
        "yaml_scalar" => nested("", "a: ", "x"),
        "jsonpad" => format!("{{\"name\":\"a\"{}}}", " ".repeat(count)),
        "caps" => {
            let capability = |n| format!("{{\"name\":\"a.c{n}\",\"risk\":\"read\"}}");
            let capabilities: Vec<_> = (0..count).map(capability).collect();
            format!("{{\"name\":\"a\",\"capabilities\":[{}]}}", capabilities.join(","))
        }
        other => panic!("the vectors have a new kind of text: {other}"),
    };
    made.into_bytes()
}

/// Reads as `check` would, and holds every refusal to its form and every document to its size.
fn outcome(bytes: &[u8], format: &str) -> Result<Outcome, String> {
    let Ok(source) = read_stream("vector", bytes, Limits::MANIFEST) else {
        return Ok(Outcome::Refused);
    };
    let text = source.text().to_owned();
    let read = if format == "json" { parse_json } else { parse_yaml };
    match read(source, Limits::MANIFEST) {
        Ok(doc) if doc.len() > text.len() + 1 => Err(format!("{} nodes from {} bytes", doc.len(), text.len())),
        Ok(doc) => Ok(Outcome::Read(Box::new(doc))),
        Err(error) => {
            let placed = text.get(error.span.range()).is_some();
            let worded = !error.message.is_empty() && !error.message.ends_with('.');
            if placed && worded {
                Ok(Outcome::Refused)
            } else {
                Err(format!("not a clear error: {error:?}"))
            }
        }
    }
}

/// Whether the outcome is one that the vector allows; `false` where only rules can tell.
fn judge(vector: &Value, outcome: &Outcome) -> Result<bool, String> {
    let expect = text(vector, "expect");
    if expect.starts_with("YAML 1.2 core") {
        return core_schema(outcome);
    }
    let words: Vec<&str> = expect.split([':', ' ']).next().unwrap_or_default().split("-or-").collect();
    let allowed = |word: &str| words.contains(&word);
    let doc = match outcome {
        Outcome::Refused if allowed("refuse") => return Ok(true),
        Outcome::Refused => return Err(format!("refused, not {expect}")),
        Outcome::Read(doc) => doc,
    };
    let noted = !doc.duplicates().is_empty() || !doc.traps().is_empty();
    if !doc.duplicates().is_empty() {
        duplicates_stand_where_they_say(doc)?;
        return if allowed("refuse") || allowed("warn") {
            Ok(true)
        } else {
            Err("a duplicate".into())
        };
    }
    if allowed("ok") || (allowed("warn") && noted) || (allowed("text") && doc.root().get("a").is_some_and(|a| a.as_str().is_some())) {
        return Ok(true);
    }
    let is_json = text(vector, "format") == "json" && serde_json::from_str::<Value>(doc.source().text()).is_ok();
    if is_json {
        Ok(false)
    } else {
        Err(format!("read without a word, not {expect}"))
    }
}

fn duplicates_stand_where_they_say(doc: &Doc) -> Result<(), String> {
    for duplicate in doc.duplicates() {
        let written = |span| doc.source().slice(span).trim_matches('"').to_owned();
        if written(duplicate.first) != duplicate.key || written(duplicate.again) != duplicate.key || duplicate.first >= duplicate.again {
            return Err(format!("{duplicate:?} is not there"));
        }
    }
    Ok(())
}

/// Plain words stay text, and each text that YAML 1.1 reads differently is a trap.
fn core_schema(outcome: &Outcome) -> Result<bool, String> {
    let Outcome::Read(doc) = outcome else {
        return Err("refused".into());
    };
    let differs = ["no", "yes", "on", "off", "017", "0o17", "1_000", "12:30:45", "1e3", ".inf", ".nan"];
    for field in doc.root().fields() {
        let written = doc.source().slice(field.value.span());
        let trapped = doc
            .traps()
            .iter()
            .any(|trap| trap.span == field.value.span() && trap.text == written);
        let text = field.value.as_str();
        let right = match written {
            "0o17" => field.value.as_number() == Some("15"),
            "0x1F" => field.value.as_number() == Some("31"),
            "1e3" => field.value.as_number() == Some("1e3"),
            "~" => field.value.is_null(),
            _ => text == Some(written),
        };
        if !right || trapped != differs.contains(&written) {
            return Err(format!("`{written}` came out as {:?}, trap: {trapped}", field.value));
        }
    }
    Ok(true)
}

#[test]
fn texts_are_made_as_the_vectors_say() {
    assert_eq!(bytes("@hex:6120ff"), b"a \xff");
    assert_eq!(bytes("@gen:arr:2"), b"[[]]");
    assert_eq!(bytes("@gen:arropen:2"), b"[[");
    assert_eq!(bytes("@gen:obj:2"), b"{\"a\":{\"a\":1}}");
    assert_eq!(bytes("@gen:dash:2"), b"- - x");
    assert_eq!(bytes("@gen:yaml_scalar:2"), b"a: xx");
    assert!(parse_json(Source::new("x", String::from_utf8(bytes("@gen:caps:2")).unwrap()), Limits::MANIFEST).is_ok());
}
