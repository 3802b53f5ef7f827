//! What a connector may do that the installed one of its name may not. Pure.

use serde_json::Value;

use crate::format::write::write;
use crate::model::{Connector, Risk, Transport};

/// How one connector differs from another of its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: Vec<(String, Risk)>,
    pub removed: Vec<String>,
    /// Name, old risk, new risk.
    pub risks: Vec<(String, Risk, Risk)>,
    /// Capabilities that do something else than before under the same name and risk.
    pub changed: Vec<String>,
    pub keys: Vec<String>,
    /// Where calls go: old and new, when they differ.
    pub reaches: Option<(String, String)>,
    pub source: Option<(String, String)>,
}

/// What a new connector may do that the old one might not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Widened {
    Added(String, Risk),
    /// A risk that asks less than before.
    Risk(String, Risk, Risk),
    Reaches(String, String),
    Key(String),
}

impl Difference {
    pub fn between(old: &Connector, new: &Connector) -> Self {
        let find = |connector: &'_ Connector, name: &str| connector.capabilities.iter().position(|one| one.name == name);
        let (old_parts, new_parts) = (parts(old), parts(new));
        let mut difference = Self::default();
        for (at, capability) in new.capabilities.iter().enumerate() {
            let Some(before) = find(old, &capability.name) else {
                difference.added.push((capability.name.clone(), capability.risk));
                continue;
            };
            let was = old.capabilities[before].risk;
            if was != capability.risk {
                difference.risks.push((capability.name.clone(), was, capability.risk));
            } else if old_parts.get(before) != new_parts.get(at) {
                difference.changed.push(capability.name.clone());
            }
        }
        let gone = old.capabilities.iter().filter(|one| find(new, &one.name).is_none());
        difference.removed = gone.map(|one| one.name.clone()).collect();
        let more = names(new).into_iter().filter(|key| !names(old).contains(key));
        difference.keys = more.collect();
        difference.reaches = differing(reaches(old), reaches(new));
        difference.source = differing(source(old), source(new));
        difference
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether keys that were given to the old one would go to somebody else.
    pub fn is_another(&self) -> bool {
        self.reaches.is_some() || self.source.is_some()
    }

    /// Everything that the new one may do beyond the old one.
    pub fn widened(&self) -> Vec<Widened> {
        let added = self.added.iter().map(|(name, risk)| Widened::Added(name.clone(), *risk));
        let less = self.risks.iter().filter(|(_, old, new)| new < old);
        let risks = less.map(|(name, old, new)| Widened::Risk(name.clone(), *old, *new));
        let reaches = self.reaches.iter().map(|(old, new)| Widened::Reaches(old.clone(), new.clone()));
        let keys = self.keys.iter().map(|key| Widened::Key(key.clone()));
        added.chain(risks).chain(reaches).chain(keys).collect()
    }
}

fn differing(old: String, new: String) -> Option<(String, String)> {
    (old != new).then_some((old, new))
}

fn source(connector: &Connector) -> String {
    connector.source.clone().unwrap_or_else(|| "no source".to_owned())
}

/// The address, or the command, that gets the calls and the keys.
pub fn reaches(connector: &Connector) -> String {
    match &connector.transport {
        Transport::Http(http) => format!("{}://{}", http.base.scheme.word(), http.base.authority()),
        Transport::Remote { url, .. } => format!("{}://{}", url.scheme.word(), url.authority()),
        Transport::Program { command, args } => [std::slice::from_ref(command), args].concat().join(" "),
    }
}

fn names(connector: &Connector) -> Vec<String> {
    let declared = connector.keys.iter().map(|key| key.text.clone());
    let headers = match &connector.transport {
        Transport::Remote { headers, .. } => headers.as_slice(),
        _ => &[],
    };
    declared.chain(headers.iter().map(|header| header.text.clone())).collect()
}

/// Each capability as it would be written, in order.
fn parts(connector: &Connector) -> Vec<Value> {
    let whole: Value = serde_json::from_str(&write(connector)).unwrap_or_default();
    match whole.get("capabilities") {
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    }
}
