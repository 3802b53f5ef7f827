//! Where references lead inside one schema document, and what following them adds up to: cycles
//! that never reach a part of the value, and chains too long or too many to follow.

use std::collections::HashMap;

use serde_json::Value;

use super::survey::{Reference, address};
use crate::model::percent_decoded;

/// Schemas that apply to one and the same value.
const SPREAD: u64 = 1_000_000;

/// A schema document and its anchors.
pub(super) struct Graph<'s> {
    root: &'s Value,
    anchors: HashMap<&'s str, &'s Value>,
}

/// Which way a walk goes from a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// To the schemas that judge the same value.
    SameValue,
    /// To those that judge parts of it too.
    All,
}

/// The longest chain of schemas from one, and the number of chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    pub(super) height: usize,
    pub(super) spread: u64,
}

/// A walk came back to a schema that it was in: the address of the schema whose reference led it
/// there, once that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cycle(pub(super) Option<usize>);

type Seen = HashMap<usize, Option<Reach>>;

impl<'s> Graph<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        let mut graph = Self {
            root,
            anchors: HashMap::new(),
        };
        graph.name(root);
        graph
    }

    fn name(&mut self, value: &'s Value) {
        match value {
            Value::Object(map) => {
                for word in ["$anchor", "$dynamicAnchor", "$id"] {
                    if let Some(name) = map.get(word).and_then(Value::as_str) {
                        self.anchors.entry(name.trim_start_matches('#')).or_insert(value);
                    }
                }
                map.values().for_each(|value| self.name(value));
            }
            Value::Array(list) => list.iter().for_each(|value| self.name(value)),
            _ => {}
        }
    }

    /// What a reference inside the document leads to.
    pub(super) fn target(&self, reference: &str) -> Option<&'s Value> {
        let fragment = self.fragment(reference)?;
        if fragment.is_empty() {
            return Some(self.root);
        }
        let fragment = percent_decoded(fragment)?;
        if fragment.starts_with('/') {
            self.root.pointer(&fragment)
        } else {
            self.anchors.get(fragment.as_str()).copied()
        }
    }

    /// The part after `#`, when the part before it is empty or the document's own name.
    pub(super) fn fragment<'r>(&self, reference: &'r str) -> Option<&'r str> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.root.get("$id").and_then(Value::as_str).map(|id| id.trim_end_matches('#'));
        (document.is_empty() && reference.starts_with('#') || own.is_some_and(|own| !own.is_empty() && own == document)).then_some(fragment)
    }

    /// Whether a reference names a part of the document that has a name of its own.
    pub(super) fn has_part(&self, reference: &str) -> bool {
        let document = reference.split('#').next().unwrap_or_default();
        let matches = |id: &str| id == document || id.strip_suffix(document).is_some_and(|rest| rest.ends_with('/'));
        !document.is_empty() && self.anchors.keys().any(|id| matches(id))
    }

    /// What can be reached from a schema.
    pub(super) fn reach(&self, schema: &'s Value, edges: Edges, seen: &mut Seen) -> Result<Reach, Cycle> {
        if let Some(Some(known)) = seen.get(&address(schema)) {
            return Ok(*known);
        }
        seen.insert(address(schema), None);
        let mut reach = Reach { height: 1, spread: 1 };
        for next in self.next(schema, edges) {
            let here = || self.refers(schema, next).then(|| address(schema));
            if seen.get(&address(next)) == Some(&None) {
                return Err(Cycle(here()));
            }
            let beyond = self.reach(next, edges, seen).map_err(|cycle| Cycle(cycle.0.or_else(here)))?;
            reach.height = reach.height.max(beyond.height + 1);
            reach.spread = reach.spread.saturating_add(beyond.spread);
        }
        seen.insert(address(schema), Some(reach));
        Ok(reach)
    }

    fn refers(&self, schema: &Value, next: &Value) -> bool {
        let references = ["$ref", "$dynamicRef"].into_iter().filter_map(|word| schema.get(word)?.as_str());
        references
            .filter_map(|text| self.target(text))
            .any(|target| std::ptr::eq(target, next))
    }

    /// The schemas one step on.
    fn next(&self, schema: &'s Value, edges: Edges) -> Vec<&'s Value> {
        let mut next = Vec::new();
        for (name, value) in schema.as_object().into_iter().flatten() {
            match name.as_str() {
                "$ref" | "$dynamicRef" => next.extend(value.as_str().and_then(|text| self.target(text))),
                "not" | "if" | "then" | "else" => next.push(value),
                "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => next.extend(parts(value)),
                _ if edges == Edges::SameValue => {}
                "items" if !value.is_array() => next.push(value),
                "properties" | "patternProperties" | "prefixItems" | "items" => next.extend(parts(value)),
                "additionalProperties" | "contains" | "propertyNames" | "additionalItems" => next.push(value),
                "unevaluatedProperties" | "unevaluatedItems" => next.push(value),
                _ => {}
            }
        }
        next
    }

    /// The greatest reach over the whole document: nothing when a part of a value leads back to the
    /// schema of the whole.
    pub(super) fn over_all(&self) -> Option<Reach> {
        self.reach(self.root, Edges::All, &mut Seen::new()).ok()
    }

    /// The greatest reach over one value, from the root and from every reference, or the reference
    /// that makes a cycle.
    pub(super) fn over_one_value(&self, references: &[Reference<'s>]) -> Result<Reach, Cycle> {
        let mut seen = Seen::new();
        let mut most = self.reach(self.root, Edges::SameValue, &mut seen)?;
        for reference in references {
            let reach = self.reach(reference.holder, Edges::SameValue, &mut seen)?;
            most.height = most.height.max(reach.height);
            most.spread = most.spread.max(reach.spread);
        }
        Ok(most)
    }
}

impl Reach {
    pub(super) fn is_too_wide(self) -> bool {
        self.spread > SPREAD
    }
}

fn parts(value: &Value) -> impl Iterator<Item = &Value> {
    let list = value.as_array().into_iter().flatten();
    list.chain(value.as_object().into_iter().flat_map(|map| map.values()))
}
