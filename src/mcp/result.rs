//! What a tool's result means: one value. Structured content as it is; else the texts joined, and
//! read as JSON where they are that; images and resources named, never fetched. Pure.

use serde_json::{Map, Value, json};

use super::message::json_value;

/// What came of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    Value(Value),
    /// `isError`, with the tool's words.
    Error(String),
    /// The server wants something first (2026-07-28).
    NeedsInput {
        requests: Map<String, Value>,
        state: Option<Value>,
    },
    /// Not a result: what is wrong completes "the answer …".
    Malformed(String),
}

/// Reads a result.
pub(super) fn meaning(mut result: Value) -> Meaning {
    if !result.is_object() {
        return Meaning::Malformed("is no object".to_owned());
    }
    match result["resultType"].take() {
        Value::Null => {}
        Value::String(kind) if kind == "complete" => {}
        Value::String(kind) if kind == "input_required" => return needs_input(result),
        kind => return Meaning::Malformed(format!("has an unknown `resultType`: {}", cut(&kind.to_string()))),
    }
    let content = match result["content"].take() {
        Value::Null => None,
        Value::Array(content) => Some(content),
        _ => return Meaning::Malformed("has a `content` that is no list".to_owned()),
    };
    let structured = result["structuredContent"].take();
    if result["isError"] == true {
        return Meaning::Error(words(content.unwrap_or_default(), &structured));
    }
    match (structured, content) {
        (Value::Null, Some(content)) => Meaning::Value(value(content)),
        (Value::Null, None) => Meaning::Malformed("has neither `content` nor `structuredContent`".to_owned()),
        (structured, _) => Meaning::Value(structured),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

fn needs_input(mut result: Value) -> Meaning {
    let requests = match result["inputRequests"].take() {
        Value::Object(requests) => requests,
        _ => Map::new(),
    };
    let state = result.get_mut("requestState").map(Value::take);
    Meaning::NeedsInput { requests, state }
}

fn words(content: Vec<Value>, structured: &Value) -> String {
    let (text, _) = split(content);
    match (text.trim().is_empty(), structured) {
        (false, _) => text,
        (true, Value::Null) => "the tool says that it failed, and not why".to_owned(),
        (true, structured) => structured.to_string(),
    }
}

fn value(content: Vec<Value>) -> Value {
    let (text, others) = split(content);
    if !others.is_empty() {
        return json!({"text": text, "parts": others});
    }
    match json_value(&text) {
        Some(value) => value,
        None => json!({ "text": text }),
    }
}

/// The texts, joined, and the parts that are something else.
fn split(content: Vec<Value>) -> (String, Vec<Value>) {
    let mut text = String::new();
    let mut others = Vec::new();
    for part in content {
        match (part["type"].as_str(), part["text"].as_str()) {
            (Some("text"), Some(more)) => text.push_str(more),
            _ => others.push(named(part)),
        }
    }
    (text, others)
}

/// A part without its bytes: they are counted.
fn named(mut part: Value) -> Value {
    let holder = match part["type"].as_str() {
        Some("resource") => part.get_mut("resource"),
        _ => Some(&mut part),
    };
    if let Some(fields) = holder.and_then(Value::as_object_mut) {
        for name in ["data", "blob"] {
            if let Some(Value::String(encoded)) = fields.remove(name) {
                fields.insert("bytes".to_owned(), (encoded.trim_end_matches('=').len() * 3 / 4).into());
            }
        }
    }
    part
}

/// What an `input_required` asks for, in words.
pub(super) fn asks(requests: &Map<String, Value>) -> String {
    let ask = |request: &Value| {
        let params = &request["params"];
        let message = params["message"].as_str().unwrap_or_default();
        match (request["method"].as_str(), params["mode"].as_str()) {
            (Some("elicitation/create"), Some("url")) => {
                format!("to open {} ({message})", params["url"].as_str().unwrap_or_default())
            }
            (Some("elicitation/create"), _) => format!("{message}{}", secret_note(&params["requestedSchema"])),
            (Some(method), _) => format!("`{method}`, which this client does not offer"),
            (None, _) => "something that it does not name".to_owned(),
        }
    };
    requests.values().map(ask).collect::<Vec<_>>().join("; ")
}

/// A server may not ask for secrets in a form.
fn secret_note(schema: &Value) -> &'static str {
    const SECRETS: [&str; 5] = ["password", "secret", "token", "passphrase", "api_key"];
    let names = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
    let secret = names
        .map(|name| name.to_lowercase())
        .any(|name| SECRETS.iter().any(|word| name.contains(word)));
    if secret {
        " (a server may not ask for a secret this way)"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Value {
        json!({"content": texts.iter().map(|text| json!({"type": "text", "text": text})).collect::<Vec<_>>()})
    }

    #[test]
    fn texts_are_joined_and_read_as_json() {
        assert_eq!(meaning(texts(&["{\"a\":", "1}"])), Meaning::Value(json!({"a": 1})));
        assert_eq!(meaning(texts(&["hello ", "you"])), Meaning::Value(json!({"text": "hello you"})));
        assert_eq!(meaning(texts(&[])), Meaning::Value(json!({"text": ""})));
        let number = meaning(texts(&["9007199254740993"]));
        assert_eq!(number, Meaning::Value(serde_json::from_str("9007199254740993").unwrap()));
    }

    #[test]
    fn structured_content_of_any_type_comes_first() {
        for value in [json!([1]), json!({"a": 1}), json!("x"), json!(false)] {
            let result = json!({"content": [{"type": "text", "text": "other"}], "structuredContent": value});
            assert_eq!(meaning(result), Meaning::Value(value));
        }
    }

    #[test]
    fn errors_carry_the_tools_words() {
        let mut result = texts(&["no such ", "shelf"]);
        result["isError"] = true.into();
        assert_eq!(meaning(result), Meaning::Error("no such shelf".to_owned()));
        assert!(matches!(meaning(json!({"isError": true})), Meaning::Error(_)));
    }

    #[test]
    fn other_parts_are_named_and_not_kept_whole() {
        let content = json!({"content": [
            {"type": "text", "text": "see"},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "resource_link", "uri": "file:///etc/passwd", "name": "x"},
            {"type": "resource", "resource": {"uri": "a:b", "blob": "AAAAAAA="}},
            {"type": "video", "x": 1}
        ]});
        let parts = json!([
            {"type": "image", "mimeType": "image/png", "bytes": 3},
            {"type": "resource_link", "uri": "file:///etc/passwd", "name": "x"},
            {"type": "resource", "resource": {"uri": "a:b", "bytes": 5}},
            {"type": "video", "x": 1}
        ]);
        assert_eq!(meaning(content), Meaning::Value(json!({"text": "see", "parts": parts})));
    }

    #[test]
    fn what_is_no_result_says_why() {
        let wrong = |result: Value| match meaning(result) {
            Meaning::Malformed(why) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(wrong(json!([])), "is no object");
        assert_eq!(wrong(json!({"content": "x"})), "has a `content` that is no list");
        assert_eq!(wrong(json!({})), "has neither `content` nor `structuredContent`");
        assert!(wrong(json!({"resultType": "weird", "content": []})).contains("weird"));
    }

    #[test]
    fn input_is_asked_for_in_words() {
        let request = |method: &str, params: Value| json!({"method": method, "params": params});
        let Value::Object(requests) = json!({
            "a": request("elicitation/create", json!({"message": "Your password?", "requestedSchema": {"properties": {"password": {}}}})),
            "b": request("sampling/createMessage", json!({})),
            "c": request("elicitation/create", json!({"mode": "url", "url": "https://x/$(id)&calc", "message": "x"})),
        }) else {
            unreachable!("an object")
        };
        assert_eq!(
            asks(&requests),
            "Your password? (a server may not ask for a secret this way); `sampling/createMessage`, which this client does not offer; \
             to open https://x/$(id)&calc (x)"
        );
    }
}
