//! What an answer means: a value, and what it took to get it. Pure; which fields of a value are
//! kept is decided elsewhere.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::Failure;
use crate::keys::Redactor;
use crate::model::Method;
use crate::source::measure;

/// Characters kept of an answer that is not JSON.
const TEXT: usize = 20_000;
/// Levels of nesting that a value may have.
const DEPTH: usize = 256;

/// What a service answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub shape: Shape,
    /// The JSON with its numbers exact, `{"text": …}` when it is none, `{"ok": true}` when it is
    /// empty.
    pub value: Value,
    /// Bytes of answer after decoding.
    pub bytes: usize,
    /// From the first connection to the last byte.
    pub elapsed: Duration,
    /// Redirects that were followed.
    pub redirects: usize,
    /// The method that was answered: not the plan's when a redirect turned it into a GET.
    pub method: Method,
}

/// What an answer was before it became a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Json,
    Text,
    Empty,
}

/// The value of a body, and what it was.
pub(super) fn value(bytes: &[u8], host: &str, redactor: &Redactor) -> Result<(Value, Shape), Failure> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Ok((json!({"ok": true}), Shape::Empty));
    }
    if is_too_deep(bytes) {
        return Err(Failure::TooDeep {
            host: host.to_owned(),
            limit: DEPTH,
        });
    }
    Ok(match parse(bytes) {
        Some(value) => (value, Shape::Json),
        None => (text(bytes, redactor), Shape::Text),
    })
}

/// The whole text as one JSON value. The caller has looked at its depth.
fn parse(bytes: &[u8]) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

fn text(bytes: &[u8], redactor: &Redactor) -> Value {
    let text = String::from_utf8_lossy(bytes);
    let text: String = redactor.clean(&text).chars().take(TEXT).collect();
    json!({ "text": text })
}

/// What starts like a list or an object is JSON, which has a limit; a text has none.
fn is_too_deep(bytes: &[u8]) -> bool {
    matches!(bytes.trim_ascii_start().first(), Some(b'[' | b'{')) && measure(bytes, DEPTH, usize::MAX).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, Failure> {
        value(text.as_bytes(), "h", &Redactor::default()).map(|(value, _)| value)
    }

    #[test]
    fn a_body_becomes_a_value() {
        let cases = [
            ("", json!({"ok": true})),
            (" \r\n\t", json!({"ok": true})),
            ("\u{feff}{\"a\":1}", json!({"a": 1})),
            ("{\"a\":1,\"a\":2}", json!({"a": 2})),
            ("null", json!(null)),
            ("{} {}", json!({"text": "{} {}"})),
            ("<p>hi</p>", json!({"text": "<p>hi</p>"})),
            ("[Infinity]", json!({"text": "[Infinity]"})),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn numbers_keep_every_digit() {
        for number in ["9007199254740993", "123456789012345678901234567890", "1.10", "1E400", "-0"] {
            assert_eq!(
                read(number).map(|value| value.to_string()),
                Ok(number.replace('E', "e+")),
                "{number}"
            );
        }
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&nested(DEPTH)).is_ok());
        assert_eq!(
            read(&nested(DEPTH + 1)),
            Err(Failure::TooDeep {
                host: "h".to_owned(),
                limit: DEPTH
            })
        );
    }

    #[test]
    fn a_text_is_cut_between_characters_and_without_keys() {
        let secret = crate::keys::Secret::new("SECRETVALUE");
        let long = format!("SECRETVALUE {}", "€".repeat(TEXT));
        let (value, _) = value(long.as_bytes(), "h", &Redactor::new([&secret])).expect("a text");
        assert_eq!(value["text"], json!(format!("*** {}", "€".repeat(TEXT - 4))));
    }
}
