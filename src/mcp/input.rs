//! What a server is told when it asks for input: nothing, or the values that its own form has
//! already filled in. Pure.

use serde_json::{Map, Value, json};

/// Who answers a server that asks for input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Input {
    /// Nobody: the client says that it cannot be asked.
    #[default]
    Nobody,
    /// The defaults of the form. One without a default for every field that it wants is declined.
    Defaults,
}

impl Input {
    /// What the client says that it can do.
    pub(super) fn capabilities(self) -> Value {
        match self {
            Self::Nobody => json!({}),
            Self::Defaults => json!({"elicitation": {}}),
        }
    }

    /// The result for a request, if it is one that we answer.
    pub(super) fn answer(self, method: &str, params: &Value) -> Option<Value> {
        let is_form = params["mode"].as_str().is_none_or(|mode| mode == "form");
        if self == Self::Nobody || method != "elicitation/create" || !is_form {
            return None;
        }
        Some(match filled(&params["requestedSchema"]) {
            Some(content) => json!({"action": "accept", "content": content}),
            None => json!({"action": "decline"}),
        })
    }

    /// The responses to all requests of a result; nothing when there is one that we do not answer.
    pub(super) fn responses(self, requests: &Map<String, Value>) -> Option<Map<String, Value>> {
        let respond = |(key, request): (&String, &Value)| {
            let answer = self.answer(request["method"].as_str()?, &request["params"])?;
            Some((key.clone(), answer))
        };
        requests.iter().map(respond).collect()
    }
}

/// The defaults of a form, if it can be sent with them.
fn filled(schema: &Value) -> Option<Map<String, Value>> {
    let properties = schema["properties"].as_object()?;
    let content: Map<String, Value> = properties
        .iter()
        .filter_map(|(name, property)| Some((name.clone(), property.get("default")?.clone())))
        .collect();
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let full = required.iter().filter_map(Value::as_str).all(|name| content.contains_key(name));
    full.then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_sent_with_its_defaults_or_declined() {
        let ask = |input: Input, required: Value| {
            let schema = json!({"properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "integer"}}, "required": required});
            input.answer("elicitation/create", &json!({"requestedSchema": schema}))
        };
        assert_eq!(ask(Input::Nobody, json!(["a"])), None);
        assert_eq!(
            ask(Input::Defaults, json!(["a"])),
            Some(json!({"action": "accept", "content": {"a": "x"}}))
        );
        assert_eq!(ask(Input::Defaults, json!(["b"])), Some(json!({"action": "decline"})));
        assert_eq!(Input::Defaults.answer("sampling/createMessage", &json!({})), None);
        assert_eq!(Input::Defaults.answer("elicitation/create", &json!({"mode": "url"})), None);
    }
}
