//! Expansion: one schema with everything in place. The result for a node and a remaining depth is
//! worked out once; the depth is chosen so that the result stays within a number of nodes.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use super::super::ledger::NoteKind;
use super::super::refs::{Key, Scope, flag, key, reference};
use super::Role;
use super::exclusive::are_exclusive;
use super::keywords::copy;
use super::merge::merge;
use super::peek::is_read_only;
use crate::source::{Kind, View};

/// Levels of properties and items below an argument.
const DEPTH: u8 = 6;
/// Longest chain of references, `allOf`, `oneOf` and `anyOf` on one way down.
const CHAIN: usize = 40;
/// What a measurement stops counting at.
const MANY: usize = 1 << 20;

/// An expanded schema and the properties that only answers have.
#[derive(Debug, Clone, Default)]
pub(in crate::openapi) struct Fragment {
    pub(in crate::openapi) schema: Map<String, Value>,
    /// `false`, or a schema that takes nothing.
    pub(in crate::openapi) never: bool,
    hidden: Vec<String>,
    /// Whether something below is not there.
    cut: bool,
}

impl Fragment {
    /// Takes anything: what stands for a schema that is cut.
    fn open() -> Self {
        Self {
            cut: true,
            ..Self::default()
        }
    }

    pub(in crate::openapi) fn value(&self) -> Value {
        if self.never {
            Value::Bool(false)
        } else {
            self.schema.clone().into()
        }
    }
}

/// Expands schemas of one description.
pub(in crate::openapi) struct Expander<'d, 's> {
    scope: &'s Scope<'d>,
    known: HashMap<(Key, u8, Role), Rc<Fragment>>,
    sizes: HashMap<(Key, u8), usize>,
    way: Vec<(Key, u8)>,
    expansions: usize,
}

impl<'d, 's> Expander<'d, 's> {
    pub(in crate::openapi) fn new(scope: &'s Scope<'d>) -> Self {
        Self {
            scope,
            known: HashMap::new(),
            sizes: HashMap::new(),
            way: Vec::new(),
            expansions: 0,
        }
    }

    /// How many schemas were expanded.
    pub(in crate::openapi) fn expansions(&self) -> usize {
        self.expansions
    }

    /// How many pairs of node and remaining depth there were: no fewer than expansions.
    pub(in crate::openapi) fn pairs(&self) -> usize {
        self.known.len()
    }

    /// The depths for schemas that together stay within `budget` nodes.
    pub(in crate::openapi) fn depths(&mut self, schemas: &[View<'d>], budget: usize) -> Vec<u8> {
        let mut depths = vec![DEPTH; schemas.len()];
        let mut sizes: Vec<usize> = schemas.iter().map(|schema| self.measure(*schema, DEPTH, 0)).collect();
        while sizes.iter().sum::<usize>() > budget {
            let largest = (0..sizes.len())
                .filter(|at| depths[*at] > 0)
                .max_by_key(|at| (sizes[*at], usize::MAX - at));
            let Some(at) = largest else { break };
            depths[at] -= 1;
            sizes[at] = self.measure(schemas[at], depths[at], 0);
        }
        depths
    }

    /// How many nodes a schema has when it is expanded so far.
    fn measure(&mut self, schema: View<'d>, depth: u8, chain: usize) -> usize {
        let place = (key(schema), depth);
        if let Some(size) = self.sizes.get(&place) {
            return *size;
        }
        if chain > CHAIN || schema.kind() != Kind::Map {
            return 1;
        }
        // Coming back here at the same depth adds nothing: expansion stops there too.
        self.sizes.insert(place, 0);
        let mut size = 1;
        let next = reference(schema).and_then(|text| self.scope.step(schema, text).ok());
        let same = ["allOf", "oneOf", "anyOf"]
            .into_iter()
            .filter_map(|name| schema.get(name))
            .flat_map(View::items);
        for part in same.chain(next) {
            size += self.measure(part, depth, chain + 1);
            size = size.min(MANY);
        }
        if let Some(below) = depth.checked_sub(1) {
            for part in parts_below(schema) {
                size += self.measure(part, below, chain + 1);
                size = size.min(MANY);
            }
        }
        self.sizes.insert(place, size);
        size
    }

    /// The schema with everything in place, `depth` levels down.
    pub(in crate::openapi) fn expand(&mut self, schema: View<'d>, depth: u8, role: Role) -> Rc<Fragment> {
        self.way.clear();
        self.visit(schema, depth, role)
    }

    fn visit(&mut self, schema: View<'d>, depth: u8, role: Role) -> Rc<Fragment> {
        let place = (key(schema), depth);
        if let Some(known) = self.known.get(&(place.0, depth, role)) {
            return known.clone();
        }
        if self.way.contains(&place) {
            self.scope.note(NoteKind::Cycle, schema, "a schema that contains itself is cut");
            return Rc::new(Fragment::open());
        }
        if self.way.len() > CHAIN {
            self.scope.note(NoteKind::Cut, schema, "a chain of schemas is cut");
            return Rc::new(Fragment::open());
        }
        self.way.push(place);
        self.expansions += 1;
        let fragment = Rc::new(self.build(schema, depth, role));
        self.way.pop();
        self.known.insert((place.0, depth, role), fragment.clone());
        fragment
    }

    fn build(&mut self, schema: View<'d>, depth: u8, role: Role) -> Fragment {
        if schema.kind() != Kind::Map {
            if !matches!(schema.kind(), Kind::Null | Kind::Bool) {
                self.scope.note(
                    NoteKind::OddValue,
                    schema,
                    format!("{} is no schema; any value is taken", schema.kind().words()),
                );
            }
            return Fragment {
                never: schema.as_bool() == Some(false),
                ..Fragment::default()
            };
        }
        let mut out = Fragment {
            schema: copy(self.scope, schema, role),
            ..Fragment::default()
        };
        if depth > 0 {
            self.children(schema, depth - 1, &mut out);
        } else {
            out.cut = self.cut(schema);
        }
        self.required(schema, role, depth, &mut out);
        self.parts(schema, depth, &mut out);
        self.alternatives(schema, depth, &mut out);
        if ["nullable", "x-nullable"]
            .iter()
            .any(|name| schema.get(name).and_then(flag) == Some(true))
        {
            nullable(&mut out.schema);
        }
        out
    }

    /// Notes what a schema at the last level loses.
    fn cut(&self, schema: View<'d>) -> bool {
        if parts_below(schema).next().is_none() {
            return false;
        }
        let here = key(schema);
        let again = self.way.iter().filter(|(node, _)| *node == here).count() > 1;
        if again {
            self.scope.note(NoteKind::Cycle, schema, "a schema that contains itself is cut");
        } else {
            self.scope
                .note(NoteKind::Cut, schema, "a schema is cut here: it is too deep or too large");
        }
        true
    }

    fn below(&mut self, schema: View<'d>, below: u8, out: &mut Fragment) -> Value {
        let fragment = self.visit(schema, below, Role::Schema);
        out.cut |= fragment.cut;
        fragment.value()
    }

    fn children(&mut self, schema: View<'d>, below: u8, out: &mut Fragment) {
        if let Some(map) = self.scope.map(schema.get("properties")) {
            let mut properties = Map::new();
            for field in map.fields() {
                if is_read_only(self.scope, field.value) {
                    out.hidden.push(field.key.to_owned());
                } else {
                    properties.insert(field.key.to_owned(), self.below(field.value, below, out));
                }
            }
            out.schema.insert("properties".to_owned(), properties.into());
        }
        if let Some(items) = schema.get("items") {
            self.items(items, below, out);
        }
        for name in ["additionalProperties", "not", "contains", "propertyNames"] {
            let Some(value) = schema.get(name).filter(|value| !value.is_null()) else {
                continue;
            };
            let fragment = self.visit(value, below, Role::Schema);
            out.cut |= fragment.cut;
            let value = match (value.as_bool(), name) {
                (Some(true), "additionalProperties") => continue,
                (Some(word), _) => word.into(),
                // What is cut takes more than it should, and its opposite less.
                (None, "not") if fragment.schema.is_empty() || fragment.cut => continue,
                (None, _) => fragment.value(),
            };
            out.schema.insert(name.to_owned(), value);
        }
        if let Some(list) = schema.get("prefixItems").filter(|list| list.items().len() > 0) {
            let list: Vec<Value> = list.items().map(|item| self.below(item, below, out)).collect();
            out.schema.insert("prefixItems".to_owned(), list.into());
        }
    }

    fn items(&mut self, items: View<'d>, below: u8, out: &mut Fragment) {
        if items.kind() == Kind::List {
            let list: Vec<Value> = items.items().map(|item| self.below(item, below, out)).collect();
            if !list.is_empty() {
                out.schema.insert("prefixItems".to_owned(), list.into());
            }
            return;
        }
        let fragment = self.visit(items, below, Role::Schema);
        out.cut |= fragment.cut;
        let any = fragment.schema.is_empty() && !fragment.never;
        if !any {
            out.schema.insert("items".to_owned(), fragment.value());
        }
    }

    fn required(&self, schema: View<'d>, role: Role, depth: u8, out: &mut Fragment) {
        let Some(list) = schema.get("required").filter(|_| role == Role::Schema) else {
            return;
        };
        if list.kind() != Kind::List {
            self.scope.note(NoteKind::OddValue, list, "`required` is no list of names");
            return;
        }
        let mut names: Vec<&str> = list.items().filter_map(View::as_str).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() && depth > 0 {
            let names: Vec<Value> = names.into_iter().map(Value::from).collect();
            out.schema.insert("required".to_owned(), names.into());
        }
    }

    /// `$ref` and `allOf`: both hold beside the schema's own keywords.
    fn parts(&mut self, schema: View<'d>, depth: u8, out: &mut Fragment) {
        let mut parts: Vec<View<'d>> = Vec::new();
        if let Some(text) = reference(schema) {
            match self.scope.step(schema, text) {
                Ok(target) => parts.push(target),
                Err(broken) => self.scope.note(broken.kind(), schema, broken.words()),
            }
        }
        parts.extend(schema.get("allOf").into_iter().flat_map(View::items));
        for part in parts {
            let part = self.visit(part, depth, Role::Schema);
            merge(&mut out.schema, &part.schema);
            out.never |= part.never;
            out.cut |= part.cut;
            out.hidden.extend(part.hidden.iter().cloned());
        }
        hide(out);
    }

    fn alternatives(&mut self, schema: View<'d>, depth: u8, out: &mut Fragment) {
        for name in ["oneOf", "anyOf"] {
            let Some(list) = schema.get(name).filter(|list| list.items().len() > 0) else {
                continue;
            };
            let branches: Vec<Value> = list.items().map(|branch| self.below(branch, depth, out)).collect();
            // Branches that have lost something may no longer exclude each other.
            let name = if are_exclusive(&branches) { name } else { "anyOf" };
            if name == "anyOf" && branches.iter().any(|branch| branch.as_object().is_some_and(Map::is_empty)) {
                continue;
            }
            let part = Map::from_iter([(name.to_owned(), Value::Array(branches))]);
            merge(&mut out.schema, &part);
        }
    }
}

/// Schemas one level down.
fn parts_below(schema: View<'_>) -> impl Iterator<Item = View<'_>> {
    let properties = schema.get("properties").into_iter().flat_map(View::fields).map(|field| field.value);
    let items = schema.get("items").into_iter().flat_map(|items| {
        let one = (items.kind() == Kind::Map).then_some(items);
        items.items().chain(one)
    });
    let others = ["additionalProperties", "not", "contains", "propertyNames"]
        .into_iter()
        .filter_map(move |name| schema.get(name));
    let list = schema.get("prefixItems").into_iter().flat_map(View::items);
    properties
        .chain(items)
        .chain(others.filter(|part| part.kind() == Kind::Map))
        .chain(list)
}

/// Properties that only answers have are neither there nor required.
fn hide(out: &mut Fragment) {
    let unique: HashSet<&String> = out.hidden.iter().collect();
    if unique.is_empty() {
        return;
    }
    if let Some(properties) = out.schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !unique.contains(name));
    }
    if let Some(required) = out.schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !name.as_str().is_some_and(|name| unique.contains(&name.to_owned())));
        if required.is_empty() {
            out.schema.shift_remove("required");
        }
    }
}

fn nullable(schema: &mut Map<String, Value>) {
    let null = Value::from("null");
    match schema.get_mut("type") {
        Some(Value::Array(words)) if !words.contains(&null) => words.push(null),
        Some(word @ Value::String(_)) if *word != null => *word = vec![word.take(), null].into(),
        Some(_) => {}
        None => {
            for name in ["oneOf", "anyOf"] {
                if let Some(branches) = schema.get_mut(name).and_then(Value::as_array_mut) {
                    branches.push(serde_json::json!({"type": "null"}));
                }
            }
        }
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut)
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}
