//! A quick look at a schema without expanding it: what kinds of value it takes and which
//! properties it has.

use std::collections::{BTreeMap, HashSet};

use super::super::refs::{Scope, flag, key, reference};
use super::types;
use crate::source::{Kind, View};

/// How far a quick look goes.
const STEPS: usize = 24;
/// Parts of an `allOf` and references that are looked through for properties.
const PARTS: usize = 200;

/// What kinds of value a schema takes. Nothing at all stands for "any".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::openapi) struct Kinds {
    pub(in crate::openapi) list: bool,
    pub(in crate::openapi) object: bool,
    pub(in crate::openapi) scalar: bool,
}

impl Kinds {
    pub(in crate::openapi) const SCALAR: Self = Self {
        list: false,
        object: false,
        scalar: true,
    };
    pub(in crate::openapi) const LIST: Self = Self {
        list: true,
        object: false,
        scalar: false,
    };
    pub(in crate::openapi) const OBJECT: Self = Self {
        list: false,
        object: true,
        scalar: false,
    };

    /// What only this one takes.
    pub(in crate::openapi) fn without(self, other: Self) -> Self {
        Self {
            list: self.list && !other.list,
            object: self.object && !other.object,
            scalar: self.scalar && !other.scalar,
        }
    }

    /// `a list or an object`.
    pub(in crate::openapi) fn words(self) -> String {
        let words = [(self.scalar, "a single value"), (self.list, "a list"), (self.object, "an object")];
        let words: Vec<&str> = words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
        words.join(" or ")
    }

    /// What either takes.
    pub(in crate::openapi) fn or(self, other: Self) -> Self {
        Self {
            list: self.list || other.list,
            object: self.object || other.object,
            scalar: self.scalar || other.scalar,
        }
    }

    pub(in crate::openapi) fn is_any(self) -> bool {
        self == Self::default()
    }

    pub(in crate::openapi) fn only_scalar(self) -> bool {
        !self.list && !self.object
    }
}

pub(in crate::openapi) fn kinds<'d>(scope: &Scope<'d>, schema: View<'d>) -> Kinds {
    look(scope, schema, STEPS)
}

fn look<'d>(scope: &Scope<'d>, schema: View<'d>, steps: usize) -> Kinds {
    if steps == 0 {
        return Kinds::default();
    }
    let own = own(schema);
    if !own.is_any() {
        return own;
    }
    if let Some(target) = target(scope, schema) {
        let found = look(scope, target, steps - 1);
        if !found.is_any() {
            return found;
        }
    }
    // Steps are shared out, so that a schema of many branches ends as soon as a chain.
    let parts = schema.get("allOf").into_iter().flat_map(View::items).take(8);
    if let Some(found) = parts.map(|part| look(scope, part, steps / 2)).find(|found| !found.is_any()) {
        return found;
    }
    ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|name| schema.get(name))
        .flat_map(View::items)
        .take(8)
        .map(|branch| look(scope, branch, steps / 2))
        .fold(Kinds::default(), Kinds::or)
}

pub(super) fn own(schema: View<'_>) -> Kinds {
    let named = types(schema);
    if named.is_empty() {
        return Kinds {
            list: schema.get("items").is_some(),
            object: schema.get("properties").is_some_and(|map| map.kind() == Kind::Map),
            scalar: schema.get("enum").is_some() || schema.get("const").is_some(),
        };
    }
    Kinds {
        list: named.contains(&"array"),
        object: named.contains(&"object"),
        scalar: named
            .iter()
            .any(|word| matches!(*word, "string" | "integer" | "number" | "boolean")),
    }
}

fn target<'d>(scope: &Scope<'d>, schema: View<'d>) -> Option<View<'d>> {
    scope.step(schema, reference(schema)?).ok()
}

/// What an object schema says through references and `allOf`.
#[derive(Debug, Default)]
pub(in crate::openapi) struct Shape<'d> {
    /// By name; one that several parts describe has several schemas.
    pub(in crate::openapi) properties: BTreeMap<&'d str, Vec<View<'d>>>,
    pub(in crate::openapi) required: HashSet<&'d str>,
    /// Whether alternatives say more than which properties are required.
    pub(in crate::openapi) alternatives: bool,
    /// Whether it takes properties that are not named.
    pub(in crate::openapi) open: bool,
}

pub(in crate::openapi) fn shape<'d>(scope: &Scope<'d>, schema: View<'d>) -> Shape<'d> {
    let mut shape = Shape::default();
    let mut todo = vec![schema];
    let mut seen = HashSet::new();
    while let Some(schema) = todo.pop() {
        if seen.len() > PARTS || !seen.insert(key(schema)) {
            continue;
        }
        for field in scope.map(schema.get("properties")).into_iter().flat_map(View::fields) {
            shape.properties.entry(field.key).or_default().push(field.value);
        }
        shape
            .required
            .extend(schema.get("required").into_iter().flat_map(View::items).filter_map(View::as_str));
        let branches = ["oneOf", "anyOf"]
            .into_iter()
            .filter_map(|name| schema.get(name))
            .flat_map(View::items);
        shape.alternatives |= branches
            .into_iter()
            .any(|branch| branch.fields().any(|field| field.key != "required"));
        shape.open |= schema
            .get("additionalProperties")
            .is_some_and(|more| more.kind() == Kind::Map || more.as_bool() == Some(true));
        todo.extend(schema.get("allOf").into_iter().flat_map(View::items));
        todo.extend(target(scope, schema));
    }
    shape
}

/// Like [`shape`], with the properties of every alternative as well: what a place without
/// alternatives can say of them. Required is what is required in each.
pub(in crate::openapi) fn union<'d>(scope: &Scope<'d>, schema: View<'d>) -> Shape<'d> {
    let mut whole = shape(scope, schema);
    if !whole.alternatives {
        return whole;
    }
    let mut common: Option<HashSet<&'d str>> = None;
    let branches = ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|name| keyword(scope, schema, name))
        .flat_map(View::items);
    for branch in branches.take(PARTS) {
        let branch = shape(scope, branch);
        common = Some(match common {
            None => branch.required,
            Some(common) => common.intersection(&branch.required).copied().collect(),
        });
        for (name, mut schemas) in branch.properties {
            // Alternatives of one property do not all hold: the first speaks for them.
            whole.properties.entry(name).or_insert_with(|| vec![schemas.remove(0)]);
        }
    }
    whole.required.extend(common.unwrap_or_default());
    whole.alternatives = false;
    whole
}

/// The schema of a list's items, looked for through references and `allOf`.
pub(in crate::openapi) fn items<'d>(scope: &Scope<'d>, schema: View<'d>) -> Option<View<'d>> {
    keyword(scope, schema, "items")
}

/// The `default` or the only value of a schema, then its first value.
pub(in crate::openapi) fn fixed<'d>(scope: &Scope<'d>, schema: View<'d>) -> Option<View<'d>> {
    keyword(scope, schema, "default")
        .or_else(|| keyword(scope, schema, "const"))
        .or_else(|| keyword(scope, schema, "enum")?.items().next())
}

/// A keyword of a schema, looked for through references and `allOf`.
pub(in crate::openapi) fn keyword<'d>(scope: &Scope<'d>, schema: View<'d>, name: &str) -> Option<View<'d>> {
    search(scope, schema, name, STEPS)
}

fn search<'d>(scope: &Scope<'d>, schema: View<'d>, name: &str, steps: usize) -> Option<View<'d>> {
    if steps == 0 {
        return None;
    }
    if let Some(found) = schema.get(name) {
        return Some(found);
    }
    if let Some(found) = target(scope, schema).and_then(|target| search(scope, target, name, steps - 1)) {
        return Some(found);
    }
    let mut parts = schema.get("allOf").into_iter().flat_map(View::items).take(8);
    parts.find_map(|part| search(scope, part, name, steps / 2))
}

/// Whether a property is left out of what is sent.
pub(in crate::openapi) fn is_read_only<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    is_marked(scope, schema, "readOnly")
}

/// Whether a property is left out of answers.
pub(in crate::openapi) fn is_write_only<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    is_marked(scope, schema, "writeOnly")
}

fn is_marked<'d>(scope: &Scope<'d>, schema: View<'d>, mark: &str) -> bool {
    keyword(scope, schema, mark).and_then(flag) == Some(true)
}
