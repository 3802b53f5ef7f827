//! What kinds of value each way of sending takes: narrows an argument's schema to them and tells
//! which alternatives of the description are lost by it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::params::Send;
use super::refs::Scope;
use super::schema::{Kinds, keep, lost, union};
use crate::source::View;

/// Steps from the argument to a value inside, and what can be sent there.
type Taken = (Vec<String>, Kinds);

fn taken(send: &Send) -> Vec<Taken> {
    match send {
        Send::ScalarOnly => vec![(Vec::new(), Kinds::SCALAR)],
        // An object has no pairs of its own here.
        Send::Each => vec![(Vec::new(), Kinds::LIST.or(Kinds::SCALAR))],
        Send::Dotted(pairs) => {
            let mut places = BTreeSet::new();
            for (_, way) in pairs {
                places.extend((0..way.len()).map(|steps| (&way[..steps], way[steps] == "0")));
            }
            let lists: BTreeSet<&[String]> = places.iter().filter(|(_, first)| *first).map(|(way, _)| *way).collect();
            let ways: BTreeSet<&[String]> = places.iter().map(|(way, _)| *way).collect();
            let kinds = |way: &[String]| if lists.contains(way) { Kinds::LIST } else { Kinds::OBJECT };
            ways.into_iter().map(|way| (way.to_vec(), kinds(way))).collect()
        }
        _ => Vec::new(),
    }
}

/// Takes out of an argument's schema what its way of sending cannot say.
pub(super) fn narrow(schema: &mut Map<String, Value>, send: &Send) {
    if let Send::Dotted(pairs) = send {
        let ways: Vec<&[String]> = pairs.iter().map(|(_, way)| way.as_slice()).collect();
        said(schema, &ways);
    }
    for (way, kinds) in taken(send) {
        within(schema, &way, kinds);
    }
}

/// Keeps the properties that a way leads to.
fn said(schema: &mut Map<String, Value>, ways: &[&[String]]) {
    for name in ["oneOf", "anyOf"] {
        let branches = schema.get_mut(name).and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten().filter_map(Value::as_object_mut) {
            said(branch, ways);
        }
    }
    let leads = |name: &str| ways.iter().any(|way| way.first().is_some_and(|step| step == name));
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| leads(name));
        for (name, inner) in properties {
            let rest: Vec<&[String]> = ways
                .iter()
                .filter_map(|way| way.split_first())
                .filter_map(|(step, rest)| (step == name).then_some(rest))
                .collect();
            if let Some(inner) = inner.as_object_mut() {
                said(inner, &rest);
            }
        }
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str().is_none_or(leads));
        if required.is_empty() {
            schema.remove("required");
        }
    }
}

fn within(schema: &mut Map<String, Value>, way: &[String], kinds: Kinds) {
    let Some((step, rest)) = way.split_first() else {
        return keep(schema, kinds);
    };
    for name in ["oneOf", "anyOf"] {
        let branches = schema.get_mut(name).and_then(Value::as_array_mut);
        for branch in branches.into_iter().flatten().filter_map(Value::as_object_mut) {
            within(branch, way, kinds);
        }
    }
    let inner = schema.get_mut("properties").and_then(|properties| properties.get_mut(step));
    if let Some(inner) = inner.and_then(Value::as_object_mut) {
        within(inner, rest, kinds);
    }
}

/// Each alternative that is lost, with why.
pub(super) fn alternatives<'d>(scope: &Scope<'d>, schema: View<'d>, send: &Send) -> Vec<(View<'d>, String)> {
    let mut out = Vec::new();
    for (way, kinds) in taken(send) {
        let inner = way.iter().try_fold(schema, |schema, step| {
            union(scope, schema).properties.get(step.as_str()).map(|found| found[0])
        });
        let found = inner.map(|inner| lost(scope, inner, kinds)).unwrap_or_default();
        let why = |lost: Kinds| format!("cannot be {}: only {} can be sent in its form", lost.words(), kinds.words());
        out.extend(found.into_iter().map(|(at, kinds)| (at, why(kinds))));
    }
    out
}
