//! Which arguments a schema declares.

use crate::model::ArgPath;
use crate::rules::lookup::Lookup;
use crate::source::{Field, Kind, View};

/// Subschemas that are looked at for one question. More is no hand-written schema.
const BUDGET: usize = 500;

/// The properties of an object schema, through local references and combinations.
pub(in crate::rules) struct Properties<'d> {
    root: View<'d>,
    pub(in crate::rules) declared: Vec<Field<'d>>,
    names: Lookup<'d, View<'d>>,
    /// What is required, wherever in the schema it says so.
    required: Lookup<'d>,
    /// Whether it allows more than it names.
    pub(in crate::rules) open: bool,
}

/// A step that the schema does not have.
#[derive(Debug)]
pub(in crate::rules) struct Missing<'d> {
    pub(in crate::rules) name: String,
    pub(in crate::rules) choices: Vec<&'d str>,
}

impl<'d> Properties<'d> {
    pub(in crate::rules) fn of(schema: View<'d>) -> Self {
        Self::at(schema, schema)
    }

    fn at(schema: View<'d>, root: View<'d>) -> Self {
        let mut properties = Self {
            root,
            declared: Vec::new(),
            names: Lookup::from_iter([]),
            required: Lookup::from_iter([] as [&str; 0]),
            open: false,
        };
        let mut budget = BUDGET;
        let mut required = Vec::new();
        let named = properties.gather(schema, &mut required, &mut budget);
        properties.required = required.into_iter().collect();
        properties.open |= !named || budget == 0;
        properties.names = properties.declared.iter().map(|field| (field.key, field.value)).collect();
        properties
    }

    /// Adds what one schema names; false when it names nothing.
    fn gather(&mut self, schema: View<'d>, required: &mut Vec<&'d str>, budget: &mut usize) -> bool {
        if schema.kind() != Kind::Map || *budget == 0 {
            self.open = true;
            return false;
        }
        *budget -= 1;
        let mut named = false;
        for field in schema.fields() {
            match field.key {
                "properties" => {
                    named = true;
                    self.declared.extend(field.value.fields());
                }
                "required" => required.extend(field.value.items().filter_map(View::as_str)),
                "additionalProperties" | "unevaluatedProperties" => self.open |= field.value.as_bool() != Some(false),
                "patternProperties" | "$dynamicRef" | "dependentSchemas" => self.open = true,
                "$ref" => match field.value.as_str().and_then(|text| local(self.root, text)) {
                    Some(target) => named |= self.gather(target, required, budget),
                    None => self.open = true,
                },
                "allOf" | "anyOf" | "oneOf" => {
                    for part in field.value.items() {
                        named |= self.gather(part, required, budget);
                    }
                }
                "then" | "else" => named |= self.gather(field.value, required, budget),
                _ => {}
            }
        }
        named
    }

    /// The schema at a path of arguments; `None` when the schema allows it without naming it.
    pub(in crate::rules) fn find(&self, path: &ArgPath) -> Result<Option<View<'d>>, Missing<'d>> {
        let mut found = self.step(&path.0[0])?;
        for step in &path.0[1..] {
            let Some(schema) = found.and_then(|schema| resolved(self.root, schema)) else {
                return Ok(None);
            };
            found = match step.parse::<usize>() {
                Ok(_) if shape(schema) == Some("an array") => schema.get("items"),
                _ => Self::at(schema, self.root).step(step)?,
            };
        }
        Ok(found.and_then(|schema| resolved(self.root, schema)))
    }

    /// Whether an argument is declared by its name.
    pub(in crate::rules) fn has(&self, name: &str) -> bool {
        self.names.has(name)
    }

    pub(in crate::rules) fn requires(&self, name: &str) -> bool {
        self.required.has(name)
    }

    fn step(&self, name: &str) -> Result<Option<View<'d>>, Missing<'d>> {
        match self.names.get(name) {
            Some(schema) => Ok(Some(schema)),
            None if self.open => Ok(None),
            None => Err(Missing {
                name: name.to_owned(),
                choices: self.declared.iter().map(|field| field.key).take(200).collect(),
            }),
        }
    }
}

/// The target of a reference inside the schema.
fn local<'d>(root: View<'d>, reference: &str) -> Option<View<'d>> {
    root.at(reference.strip_prefix('#')?)
}

/// The schema itself, or what it refers to.
fn resolved<'d>(root: View<'d>, schema: View<'d>) -> Option<View<'d>> {
    let mut schema = schema;
    for _ in 0..32 {
        match schema.get("$ref").and_then(View::as_str) {
            Some(reference) => schema = local(root, reference)?,
            None => return Some(schema),
        }
    }
    None
}

/// What a schema's values surely are, when that is a list or an object.
pub(in crate::rules) fn shape(schema: View<'_>) -> Option<&'static str> {
    let kind = schema.get("type")?;
    let mut kinds = kind
        .as_str()
        .into_iter()
        .chain(kind.items().filter_map(View::as_str))
        .filter(|kind| *kind != "null");
    match (kinds.next(), kinds.next()) {
        (Some("array"), None) => Some("an array"),
        (Some("object"), None) => Some("an object"),
        _ => None,
    }
}
