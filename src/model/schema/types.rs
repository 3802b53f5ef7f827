//! The types of value that a schema allows, read through references, `allOf`, `anyOf` and `oneOf`,
//! and through the values that it lists.

use std::cell::Cell;
use std::ops::{BitAnd, BitOr};

use serde_json::{Map, Number, Value};

use super::graph::Graph;

/// Schemas that are looked at for one question.
const MOST: usize = 2_000;

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// A number is an integer too.
    pub(super) const NUMBER: Self = Self(8 | 4);
    pub(super) const STRING: Self = Self(16);
    pub(super) const LIST: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    const NONE: Self = Self(0);

    /// Whether all of `other` is in this set.
    pub(super) fn allows(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_integer(number) => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::LIST,
            Value::Object(_) => Self::OBJECT,
        }
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::LIST,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }
}

impl BitOr for Types {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Types {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// As JSON Schema has it: also `7.0`, as far as a float can say.
pub(super) fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Answers questions about the parts of one document, within a budget for each document.
pub(super) struct Reader<'s> {
    root: &'s Value,
    graph: std::cell::OnceCell<Graph<'s>>,
    looks: Cell<usize>,
}

impl<'s> Reader<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        Self {
            root,
            graph: std::cell::OnceCell::new(),
            looks: Cell::new(0),
        }
    }

    /// Starts the budget of a new question.
    pub(super) fn ask(&self) {
        self.looks.set(0);
    }

    fn look(&self) -> Option<()> {
        self.looks.set(self.looks.get() + 1);
        (self.looks.get() <= MOST).then_some(())
    }

    pub(super) fn target(&self, schema: &Map<String, Value>) -> Option<&'s Value> {
        let text = schema.get("$ref")?.as_str()?;
        self.graph.get_or_init(|| Graph::new(self.root)).target(text)
    }

    /// The types that a schema allows; nothing when it does not say.
    pub(super) fn types(&self, schema: &'s Value) -> Option<Types> {
        self.types_within(schema, 0)
    }

    fn types_within(&self, schema: &'s Value, hops: usize) -> Option<Types> {
        self.look().filter(|()| hops < 32)?;
        let map = schema.as_object()?;
        let mut known = own_types(map);
        let mut narrow = |types: Option<Types>| {
            known = match (known, types) {
                (Some(known), Some(types)) => Some(known & types),
                (known, types) => known.or(types),
            };
        };
        narrow(self.target(map).and_then(|target| self.types_within(target, hops + 1)));
        for part in list(map, "allOf") {
            narrow(self.types_within(part, hops + 1));
        }
        for word in ["anyOf", "oneOf"] {
            let mut forms = list(map, word).map(|form| self.types_within(form, hops + 1));
            let first = forms.next().flatten();
            narrow(first.and_then(|first| forms.try_fold(first, |all, types| Some(all | types?))));
        }
        known
    }

    /// The schemas that judge the same value as `schema`, itself first, and whether each always
    /// does (`false` below `anyOf`, `oneOf`, `if`).
    pub(super) fn same_value(&self, schema: &'s Value) -> Vec<(&'s Map<String, Value>, bool)> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        self.gather(schema, true, &mut seen, &mut found);
        found
    }

    fn gather(&self, schema: &'s Value, always: bool, seen: &mut Vec<usize>, found: &mut Vec<(&'s Map<String, Value>, bool)>) {
        let Some(map) = schema.as_object().filter(|_| seen.len() < 500) else {
            return;
        };
        let address = super::survey::address(schema);
        if seen.contains(&address) {
            return;
        }
        seen.push(address);
        found.push((map, always));
        if let Some(target) = self.target(map) {
            self.gather(target, always, seen, found);
        }
        for part in list(map, "allOf") {
            self.gather(part, always, seen, found);
        }
        for part in list(map, "anyOf").chain(list(map, "oneOf")) {
            self.gather(part, false, seen, found);
        }
        for part in ["if", "then", "else"].into_iter().filter_map(|word| map.get(word)) {
            self.gather(part, false, seen, found);
        }
        for part in map
            .get("dependentSchemas")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|map| map.values())
        {
            self.gather(part, false, seen, found);
        }
    }
}

fn own_types(map: &Map<String, Value>) -> Option<Types> {
    let named = match map.get("type") {
        Some(Value::String(name)) => Types::named(name),
        Some(Value::Array(names)) => {
            let all = names.iter().filter_map(|name| Types::named(name.as_str()?));
            Some(all.fold(Types::NONE, |all, one| all | one))
        }
        _ => None,
    };
    let listed = map.get("enum").and_then(Value::as_array);
    let listed = listed.map(|values| values.iter().fold(Types::NONE, |all, value| all | Types::of(value)));
    let constant = map.get("const").map(Types::of);
    [named, listed, constant].into_iter().flatten().reduce(|all, one| all & one)
}

fn list<'s>(map: &'s Map<String, Value>, word: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    map.get(word).and_then(Value::as_array).into_iter().flatten()
}
