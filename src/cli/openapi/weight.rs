//! How much a connector's tools weigh in a model's context, and which of them weigh most.

use crate::diag::count;
use crate::model::{Capability, Connector};

/// Bytes of tools from which a word is said: about 25,000 tokens.
const MUCH: usize = 100_000;
/// Bytes of English and JSON for one token, roughly.
const TOKEN: usize = 4;
/// How many tools are named.
const NAMED: usize = 10;

/// A warning when the tools weigh much; otherwise nothing.
pub(super) fn warning(connector: &Connector) -> String {
    let mut weights: Vec<(usize, &str)> = connector.capabilities.iter().map(weight).collect();
    let total: usize = weights.iter().map(|(bytes, _)| bytes).sum();
    if total < MUCH {
        return String::new();
    }
    weights.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let heaviest: Vec<String> = weights
        .iter()
        .take(NAMED)
        .map(|(bytes, name)| format!("{name} ({bytes} bytes)"))
        .collect();
    format!(
        "warning: {} fill about {} tokens of a model's context ({total} bytes); choose fewer with `--only`; the heaviest: {}\n",
        count(weights.len(), "tool"),
        total / TOKEN,
        heaviest.join(", ")
    )
}

/// What a model reads of a capability, in bytes.
fn weight(capability: &Capability) -> (usize, &str) {
    let schema = capability.schema.as_ref().map_or(0, |schema| schema.to_string().len());
    (capability.signature.len() + capability.returns.len() + schema, &capability.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;
    use crate::source::Source;

    #[test]
    fn only_much_is_warned_of() {
        let tool = |name: &str, length: usize| {
            format!(
                r#"{{"name": "shelf.{name}", "risk": "read", "signature": "s", "returns": "{}", "request": {{"method": "GET", "path": "/"}}}}"#,
                "x".repeat(length)
            )
        };
        let warned = |tools: &[String]| {
            let text = format!(
                r#"{{"name": "shelf", "imported": true, "http": {{"base": "https://a.example"}}, "capabilities": [{}]}}"#,
                tools.join(", ")
            );
            warning(&rules::read(Source::new("x", text)).connector.expect("a connector"))
        };
        assert_eq!(warned(&[tool("a", 90_000)]), "");
        assert_eq!(
            warned(&[tool("a", 1_000), tool("b", 99_000)]),
            "warning: 2 tools fill about 25000 tokens of a model's context (100002 bytes); choose fewer with `--only`; the heaviest: shelf.b (99001 bytes), shelf.a (1001 bytes)\n"
        );
    }
}
