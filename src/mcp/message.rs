//! JSON-RPC frames: what we write, and what a line or an event of a server holds. Limits on depth
//! and on the number of values are kept before anything is built. Knows no transport.

use serde::Deserialize;
use serde_json::{Value, json};

use super::input::Input;
use crate::source::{Excess, measure};

/// Levels of nesting that a message may have.
pub(super) const DEPTH: usize = 256;
/// Values that a message may hold: what one costs in memory is many times what it costs on the
/// wire.
pub(super) const VALUES: usize = 500_000;

/// The number of a request. Only a JSON integer is one; a text or a fraction never matches.
pub(super) type Id = u64;

/// What a server sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Incoming {
    Answer { id: Id, outcome: Outcome },
    Request { id: Value, method: String, params: Value },
    Notification { method: String },
}

/// What an answer holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    Result(Value),
    Error(RpcError),
    /// Neither a result nor an error.
    Neither,
}

/// An error object, as far as it can be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RpcError {
    pub(super) code: Option<i64>,
    pub(super) message: String,
    pub(super) data: Value,
}

impl RpcError {
    /// The versions that a server names when it refuses ours.
    pub(super) fn supported(&self) -> Vec<String> {
        texts(&self.data["supported"])
    }
}

/// The texts of a list.
pub(super) fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Why bytes are not messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// Not JSON-RPC at all.
    Noise,
    TooDeep,
    TooMany,
}

/// The messages in some bytes: one, or those of a batch (2025-03-26).
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Incoming>, Unread> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    if !matches!(bytes.first(), Some(b'{' | b'[')) {
        return Err(Unread::Noise);
    }
    within(bytes)?;
    let value = match parse(bytes) {
        Some(value) => value,
        None => parse(String::from_utf8_lossy(bytes).as_bytes()).ok_or(Unread::Noise)?,
    };
    let messages = match value {
        Value::Array(list) => list.into_iter().map(message).collect(),
        value => Some(vec![message(value).ok_or(Unread::Noise)?]),
    };
    messages.filter(|messages: &Vec<_>| !messages.is_empty()).ok_or(Unread::Noise)
}

/// One JSON value in a text, within the limits of a message.
pub(super) fn json_value(text: &str) -> Option<Value> {
    within(text.as_bytes()).ok()?;
    parse(text.as_bytes())
}

fn parse(bytes: &[u8]) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

fn within(bytes: &[u8]) -> Result<(), Unread> {
    measure(bytes, DEPTH, VALUES).map_err(|excess| match excess {
        Excess::TooDeep => Unread::TooDeep,
        Excess::TooMany => Unread::TooMany,
    })
}

fn message(value: Value) -> Option<Incoming> {
    let Value::Object(mut fields) = value else { return None };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return None;
    }
    let id = fields.remove("id");
    if let Some(Value::String(method)) = fields.remove("method") {
        return Some(match id {
            Some(id) => Incoming::Request {
                id,
                method,
                params: fields.remove("params").unwrap_or_default(),
            },
            None => Incoming::Notification { method },
        });
    }
    let outcome = match (fields.remove("result"), fields.remove("error")) {
        (_, Some(error)) if !error.is_null() => Outcome::Error(error_of(error)),
        (Some(result), _) => Outcome::Result(result),
        _ => Outcome::Neither,
    };
    Some(Incoming::Answer {
        id: id?.as_u64()?,
        outcome,
    })
}

fn error_of(mut error: Value) -> RpcError {
    if let Value::String(message) = error {
        return RpcError {
            message,
            ..RpcError::default()
        };
    }
    RpcError {
        code: error["code"].as_i64(),
        message: error["message"].as_str().unwrap_or("it gives no reason").to_owned(),
        data: error.get_mut("data").map(Value::take).unwrap_or_default(),
    }
}

pub(super) fn request(id: Id, method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    message["params"] = params;
    message
}

pub(super) fn notification(method: &str, params: Option<Value>) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "method": method});
    if let Some(params) = params {
        message["params"] = params;
    }
    message
}

/// The answer to a server's own request: a `ping` and a form that is answered have a result.
pub(super) fn reply(id: &Value, method: &str, params: &Value, input: Input) -> Value {
    let result = match method {
        "ping" => Some(json!({})),
        method => input.answer(method, params),
    };
    if let Some(result) = result {
        return json!({"jsonrpc": "2.0", "id": id, "result": result});
    }
    let error = json!({"code": -32601, "message": "this client offers no such method"});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Result<Incoming, Unread> {
        read(text.as_bytes()).map(|mut messages| messages.remove(0))
    }

    #[test]
    fn an_id_is_an_integer_and_nothing_else() {
        let answer = |id: &str| one(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        let outcome = Outcome::Result(json!({}));
        assert_eq!(answer("7"), Ok(Incoming::Answer { id: 7, outcome }));
        for id in ["\"7\"", "7.0", "null", "-7", "[7]", "1e1"] {
            assert_eq!(answer(id), Err(Unread::Noise), "{id}");
        }
    }

    #[test]
    fn noise_is_told_from_messages() {
        for noise in [
            "",
            "Starting server...",
            "null",
            "[]",
            "{}",
            "{\"id\":1,\"result\":{}}",
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{}}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} [INFO]",
            "[1]",
        ] {
            assert_eq!(one(noise), Err(Unread::Noise), "{noise}");
        }
        let ping = Incoming::Request {
            id: json!("a"),
            method: "ping".to_owned(),
            params: Value::Null,
        };
        assert_eq!(one("\u{feff} {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"} \r"), Ok(ping));
        let bytes = b"{\"jsonrpc\":\"2.0\",\"method\":\"x\xff\"}";
        let method = "x\u{fffd}".to_owned();
        assert_eq!(read(bytes), Ok(vec![Incoming::Notification { method }]));
    }

    #[test]
    fn an_error_in_any_shape_has_a_message() {
        let error = |text: &str| one(&format!(r#"{{"jsonrpc":"2.0","id":1,"error":{text}}}"#));
        let expect = |code, message: &str, data: Value| {
            let message = message.to_owned();
            let outcome = Outcome::Error(RpcError { code, message, data });
            Ok(Incoming::Answer { id: 1, outcome })
        };
        assert_eq!(error("\"boom\""), expect(None, "boom", Value::Null));
        assert_eq!(error(r#"{"code":-32000}"#), expect(Some(-32000), "it gives no reason", Value::Null));
        assert_eq!(error(r#"{"code":"x","message":"m"}"#), expect(None, "m", Value::Null));
        assert_eq!(
            error("null"),
            Ok(Incoming::Answer {
                id: 1,
                outcome: Outcome::Neither
            })
        );
    }

    #[test]
    fn limits_are_kept_before_anything_is_built() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(one(&deep), Err(Unread::TooDeep));
        assert_eq!(one(&format!("[0{}]", ",0".repeat(VALUES))), Err(Unread::TooMany));
        assert_eq!(json_value("[\"[[[,,,\"]"), Some(json!(["[[[,,,"])));
    }

    #[test]
    fn a_server_that_asks_is_answered() {
        assert_eq!(reply(&json!(1), "ping", &Value::Null, Input::Nobody)["result"], json!({}));
        assert_eq!(
            reply(&json!("s"), "sampling/createMessage", &Value::Null, Input::Defaults)["error"]["code"],
            -32601
        );
    }
}
