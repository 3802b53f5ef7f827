//! Narrows a schema to some kinds of value, and finds the alternatives that are lost by it.

use serde_json::{Map, Value};

use super::super::refs::{Scope, reference};
use super::peek::{Kinds, kinds, own};
use crate::source::View;

/// How deep alternatives are looked through.
const STEPS: usize = 8;

/// Takes out the alternatives of other kinds, in the alternatives as well.
pub(in crate::openapi) fn keep(schema: &mut Map<String, Value>, only: Kinds) {
    if let Some(Value::Array(words)) = schema.get_mut("type") {
        words.retain(|word| word.as_str().is_some_and(|word| takes(word, only)));
    }
    for name in ["oneOf", "anyOf"] {
        let Some(branches) = schema.get_mut(name).and_then(Value::as_array_mut) else {
            continue;
        };
        branches.retain(|branch| takes_branch(branch, only));
        for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
            keep(branch, only);
        }
        if branches.is_empty() {
            schema.shift_remove(name);
        }
    }
    for (other, kept) in [("items", only.list), ("properties", only.object)] {
        if !kept {
            schema.shift_remove(other);
        }
    }
}

fn takes(word: &str, only: Kinds) -> bool {
    match word {
        "object" => only.object,
        "array" => only.list,
        "null" => true,
        _ => only.scalar,
    }
}

fn takes_branch(branch: &Value, only: Kinds) -> bool {
    let mut inner = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|name| branch.get(name)?.as_array())
        .flatten()
        .peekable();
    match branch.get("type") {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).any(|word| takes(word, only)),
        Some(word) => word.as_str().is_some_and(|word| takes(word, only)),
        None if branch.get("properties").is_some() => only.object,
        None if branch.get("items").is_some() => only.list,
        None if inner.peek().is_some() => inner.any(|branch| takes_branch(branch, only)),
        None => only.scalar,
    }
}

/// The alternatives of other kinds, each where it stands with what it takes.
pub(in crate::openapi) fn lost<'d>(scope: &Scope<'d>, schema: View<'d>, only: Kinds) -> Vec<(View<'d>, Kinds)> {
    let mut found = Vec::new();
    look(scope, schema, only, STEPS, &mut found);
    found
}

fn look<'d>(scope: &Scope<'d>, schema: View<'d>, only: Kinds, steps: usize, found: &mut Vec<(View<'d>, Kinds)>) {
    let more = kinds(scope, schema).without(only);
    if more.is_any() || steps == 0 {
        return;
    }
    let before = found.len();
    if own(schema).is_any() {
        let target = reference(schema).and_then(|text| scope.step(schema, text).ok());
        let parts = schema.get("allOf").into_iter().flat_map(View::items);
        for part in target.into_iter().chain(parts) {
            look(scope, part, only, steps - 1, found);
        }
        let branches = ["oneOf", "anyOf"].into_iter().filter_map(|name| schema.get(name));
        for branch in branches.flat_map(View::items) {
            let named = kinds(scope, branch);
            // One that says nothing stays only where single values do.
            let own = if named.is_any() { Kinds::SCALAR } else { named };
            if own.without(only) == own {
                found.push((branch, own));
            } else {
                look(scope, branch, only, steps - 1, found);
            }
        }
    }
    if found.len() == before {
        found.push((schema, more));
    }
}
