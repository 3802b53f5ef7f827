//! Arguments that the newer era mirrors in headers: which ones a tool's schema names, and how a
//! value becomes one. Pure.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// The word in a schema.
const NAME: &str = "x-mcp-header";

/// An argument that goes into a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mirror {
    /// The fields that lead to it.
    pub(super) path: Vec<String>,
    /// What stands after `Mcp-Param-`.
    pub(super) name: String,
}

/// The mirrored arguments of a tool; what is wrong when one cannot be mirrored.
pub(super) fn mirrors(schema: &Value) -> Result<Vec<Mirror>, String> {
    let mut found = Vec::new();
    walk(schema, &mut Vec::new(), true, &mut found)?;
    Ok(found)
}

/// `reachable`: whether only `properties` lead here. Schemas come within the depth of a message.
fn walk(schema: &Value, path: &mut Vec<String>, reachable: bool, found: &mut Vec<Mirror>) -> Result<(), String> {
    let Some(fields) = schema.as_object() else { return Ok(()) };
    if let Some(name) = fields.get(NAME) {
        found.push(mirror(name, schema, path, reachable, found)?);
    }
    for (word, inner) in fields {
        match inner {
            Value::Object(properties) if word == "properties" => {
                for (name, property) in properties {
                    path.push(name.clone());
                    walk(property, path, reachable, found)?;
                    path.pop();
                }
            }
            Value::Array(list) => list.iter().try_for_each(|inner| walk(inner, path, false, found))?,
            inner => walk(inner, path, false, found)?,
        }
    }
    Ok(())
}

fn mirror(name: &Value, schema: &Value, path: &[String], reachable: bool, found: &[Mirror]) -> Result<Mirror, String> {
    let token = |name: &&str| !name.is_empty() && name.bytes().all(is_token);
    let Some(name) = name.as_str().filter(token) else {
        return Err(format!("`{NAME}` is no name of a header"));
    };
    if found.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
        return Err(format!("two arguments want the header `{name}`"));
    }
    if !reachable || !matches!(schema["type"].as_str(), Some("string" | "integer" | "boolean")) {
        return Err(format!("the header `{name}` is wanted for what no header can carry"));
    }
    Ok(Mirror {
        path: path.to_vec(),
        name: name.to_owned(),
    })
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(&byte)
}

/// Whether a mirrored argument sounds like a secret: headers are seen by everything on the way.
pub(super) fn sounds_secret(mirror: &Mirror) -> bool {
    const SECRETS: [&str; 6] = ["password", "secret", "token", "api-key", "apikey", "credential"];
    let name = mirror.name.to_lowercase();
    SECRETS.iter().any(|word| name.contains(word))
}

/// The headers of a call.
pub(super) fn headers(mirrors: &[Mirror], args: &Map<String, Value>) -> Vec<(String, String)> {
    let value = |mirror: &Mirror| {
        let (first, rest) = mirror.path.split_first()?;
        let value = rest.iter().try_fold(args.get(first)?, |value, name| value.get(name))?;
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
            _ => None,
        }
    };
    let header = |mirror: &Mirror| Some((format!("Mcp-Param-{}", mirror.name), encoded(&value(mirror)?)));
    mirrors.iter().filter_map(header).collect()
}

/// A text as a header's value: as it is where a header carries that, else in base64 with marks.
pub(super) fn encoded(text: &str) -> String {
    let inner = |byte: u8| matches!(byte, 0x20..=0x7e | b'\t');
    let outer = |byte: Option<u8>| matches!(byte, Some(0x21..=0x7e));
    let bytes = text.as_bytes();
    let plain = bytes.iter().all(|byte| inner(*byte)) && outer(bytes.first().copied()) && outer(bytes.last().copied());
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    match plain && !looks_encoded {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_encoded_where_a_header_would_change_them() {
        for plain in ["eu", "a b", "x\ty", "7"] {
            assert_eq!(encoded(plain), plain);
        }
        for (text, expected) in [
            ("a\nb", "=?base64?YQpi?="),
            (" a", "=?base64?IGE=?="),
            ("", "=?base64??="),
            ("météo", "=?base64?bcOpdMOpbw==?="),
            ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
        ] {
            assert_eq!(encoded(text), expected);
        }
    }

    #[test]
    fn only_what_a_header_can_carry_is_mirrored() {
        let one = |property: Value| mirrors(&json!({"properties": {"a": property}}));
        assert_eq!(
            one(json!({"type": "string", "x-mcp-header": "Region"})).map(|found| found.len()),
            Ok(1)
        );
        for wrong in [
            json!({"type": "string", "x-mcp-header": "A\r\nB"}),
            json!({"type": "string", "x-mcp-header": ""}),
            json!({"type": "string", "x-mcp-header": 7}),
            json!({"type": "number", "x-mcp-header": "N"}),
            json!({"items": {"type": "string", "x-mcp-header": "N"}}),
        ] {
            assert!(one(wrong.clone()).is_err(), "{wrong}");
        }
        let twice = json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Region"},
            "b": {"type": "string", "x-mcp-header": "REGION"}
        }});
        assert!(mirrors(&twice).is_err());
    }

    #[test]
    fn a_nested_argument_is_found() {
        let schema =
            json!({"properties": {"a": {"type": "object", "properties": {"b": {"type": "integer", "x-mcp-header": "Authorization"}}}}});
        let found = mirrors(&schema).expect("one");
        let Value::Object(args) = json!({"a": {"b": 7}}) else {
            unreachable!("an object")
        };
        assert_eq!(headers(&found, &args), [("Mcp-Param-Authorization".to_owned(), "7".to_owned())]);
        assert_eq!(headers(&found, &Map::new()), []);
    }
}
