//! A key typed anywhere into a manifest, in values and in names, is in no report and no difference,
//! in none of its forms.

use std::fs;

use serde_json::{Map, Value, json};

use crate::canary::encodings;
use crate::program::{Ended, becket, run};

const FORMATS: [&str; 6] = ["human", "concise", "json", "github", "sarif", "junit"];
/// Keys as people paste them, each with the part that gives it away.
const TYPED: [(&str, &str); 5] = [
    ("sk-live-CANARYabcdefghijklmnop", "CANARY"),
    ("sk_live_CANARY7f3a9b2c4d5e6f70", "CANARY"),
    ("Bearer eyJCANARYhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N", "CANARY"),
    ("Bearer CANARY/+abcdefgh==", "CANARY"),
    ("3c59dc048e8850243be8079a5c74d079", "8850243be807"),
];

/// A manifest with a text in every place where one may stand.
fn manifest() -> Value {
    json!({
        "$schema": "a", "name": "shelf", "description": "a", "source": "a", "env": ["A_KEY"],
        "command": "a", "args": ["--token", "a", "b=c"], "url": "https://a.example", "headers": ["X-A"],
        "http": {
            "base": "https://shelf.example.com",
            "headers": {"X-A": "a", "Authorization": "Bearer {{env.A_KEY}}"},
            "query": {"a": "{{b}}", "every": ["{{c}}"], "styled": {"value": "{{d}}", "style": "comma"}}
        },
        "capabilities": [
            {
                "name": "shelf.get", "tool": "get", "reviewed": "a", "risk": "read", "signature": "shelf.get({id})",
                "returns": "{id}",
                "schema": {
                    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["id"],
                    "properties": {"id": {"type": "string", "pattern": "a", "enum": ["a"], "const": "a", "format": "date", "$ref": "#/x"}},
                    "additionalProperties": false
                },
                "request": {
                    "method": "GET", "path": "/a/{{id}}", "query": {"a": "b"}, "headers": {"X-B": "c"},
                    "body": {"a": "b", "list": ["c"]}, "form": "multipart"
                },
                "result": {"path": "a.b", "fields": {"a": "b.c"}}
            },
            {"name": "shelf.put", "risk": "irreversible", "signature": "shelf.put()", "returns": "a", "request": {"method": "POST", "path": "/a"}}
        ],
        "contract": [{"capability": "shelf.get", "args": {"id": "a", "deep": {"er": ["a"]}}, "keys": ["a"]}]
    })
}

/// What may be done with the key in one place.
#[derive(Clone, Copy)]
enum How {
    /// The text is the key.
    Whole,
    /// It stands in braces.
    Braced,
    /// It stands behind the text.
    Behind,
    /// The name of the field is the key.
    Name,
}

/// The pointers of every text and of every field.
fn places(value: &Value, at: &str, found: &mut Vec<(String, How)>) {
    match value {
        Value::String(_) => found.extend([How::Whole, How::Braced, How::Behind].map(|how| (at.to_owned(), how))),
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(index, value)| places(value, &format!("{at}/{index}"), found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let at = format!("{at}/{}", name.replace('/', "~1"));
                found.push((at.clone(), How::Name));
                places(value, &at, found);
            }
        }
        _ => {}
    }
}

fn with(at: &str, how: How, key: &str) -> Value {
    let mut manifest = manifest();
    if let How::Name = how {
        let (parent, name) = at.rsplit_once('/').expect("a field");
        let fields = manifest.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
        let renamed: Map<String, Value> = std::mem::take(fields)
            .into_iter()
            .map(|(field, value)| (if field == name { key.to_owned() } else { field }, value))
            .collect();
        *fields = renamed;
        return manifest;
    }
    let text = manifest.pointer_mut(at).expect("a text");
    *text = match how {
        How::Whole => key.into(),
        How::Braced => format!("{{{{{key}}}}}").into(),
        _ => format!("{}{key}", text.as_str().unwrap_or_default()).into(),
    };
    manifest
}

fn is_clean(ended: &Ended, key: &str, part: &str, from: &str) {
    for text in [&ended.out, &ended.err] {
        assert!(!text.to_lowercase().contains(&part.to_lowercase()), "{from}: {text}");
        for form in encodings(key) {
            assert!(!text.contains(&form), "{form} in {from}: {text}");
        }
    }
    assert_ne!(ended.code, 70, "{from}: {ended:?}");
}

/// Plays one key in every place, each place in one of the formats by turns and in the difference.
fn play(key: &str, part: &str) {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let mut found = Vec::new();
    places(&manifest(), "", &mut found);
    assert!(found.len() > 150, "{}", found.len());
    // One folder for each place: all are read by one run of the program.
    for (index, (at, how)) in found.iter().enumerate() {
        let home = folder.path().join(format!("{index}"));
        fs::create_dir(&home).expect("a folder of this test");
        let text = with(at, *how, key).to_string();
        let text = if index % 2 == 0 { text } else { text.replace(",\"", ",\n\"") };
        fs::write(home.join("connector.json"), text).expect("a file of this test");
    }
    for words in FORMATS.map(|format| ["--format", format]) {
        let ended = run(becket().current_dir(folder.path()).args(["check", "--offline", "."]).args(words));
        assert_eq!(ended.code, i32::from(words[1] != "sarif"));
        is_clean(&ended, key, part, &format!("{words:?}"));
    }
    let narrow = run(becket()
        .current_dir(folder.path())
        .envs([("COLUMNS", "60"), ("LANG", "C")])
        .args(["check", "--offline", "."]));
    is_clean(&narrow, key, part, "60 columns");
    let diff = run(becket().current_dir(folder.path()).args(["check", "--diff", "."]));
    is_clean(&diff, key, part, "--diff");
    let test = run(becket().current_dir(folder.path()).args(["test", "--format", "json", "."]));
    is_clean(&test, key, part, "test");
}

#[test]
fn a_key_with_a_known_beginning_is_nowhere() {
    TYPED[..2].iter().for_each(|(key, part)| play(key, part));
}

#[test]
fn a_key_behind_a_scheme_is_nowhere() {
    TYPED[2..4].iter().for_each(|(key, part)| play(key, part));
}

#[test]
fn a_key_without_a_beginning_is_nowhere() {
    TYPED[4..].iter().for_each(|(key, part)| play(key, part));
}

#[test]
fn an_escaped_key_is_nowhere() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let (key, part) = TYPED[0];
    let escaped: String = key.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    for (at, how) in [
        ("/env/0", How::Whole),
        ("/capabilities/0/risk", How::Whole),
        ("/contract/0/args/id", How::Name),
    ] {
        let text = with(at, how, "KEYHERE").to_string().replace("KEYHERE", &escaped);
        fs::write(folder.path().join("connector.json"), text).expect("a file of this test");
        for format in FORMATS {
            let ended = run(becket().current_dir(folder.path()).args(["check", "--offline", "--format", format]));
            is_clean(&ended, key, part, format);
            assert!(!ended.out.contains("\\u0043\\u0041\\u004e"), "{ended:?}");
        }
    }
}

/// A short key that only its place gives away, in what else may show it.
#[test]
fn a_short_key_is_not_shown() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    for (at, value) in [("Authorization", "Bearer zebra"), ("X-Api-Key", "zebra"), ("X-Auth-Token", "zebra")] {
        let manifest = json!({
            "name": "shelf", "http": {"base": "https://shelf.example.com", "headers": {at: value}, "query": {"access_token": "zebra"}},
            "capabilities": [{
                "name": "shelf.get", "risk": "raed", "signature": "shelf.get()", "returns": "zebra",
                "request": {"method": "GET", "path": "/a", "body": {"token": "zebra"}}
            }],
            "contract": [{"capability": "zebra", "keys": ["zebra"]}]
        });
        fs::write(folder.path().join("connector.json"), manifest.to_string()).expect("a file of this test");
        for words in [
            &["check", "--offline", "--format", "concise"][..],
            &["check", "--offline", "--format", "json"],
            &["check", "--offline", "--diff"],
            &["test", "--format", "junit"],
            &["call", ".", "get", "--dry-run"],
            &["call", ".", "get", "--curl"],
        ] {
            let ended = run(becket().current_dir(folder.path()).args(words));
            is_clean(&ended, "zebra", "zebra", &format!("{words:?}"));
        }
    }
}
