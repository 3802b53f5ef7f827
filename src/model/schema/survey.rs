//! One cheap walk over a schema: how large it is, where its references and patterns are, and
//! whether it holds anything that only the meta-schema can judge. An ordinary schema needs no more
//! than this to be checked.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::graph::Graph;
use super::{Draft, SchemaFault, SchemaProblem};

/// Bytes of text, levels of subschemas, levels of other values, subschemas below the root.
const BYTES: usize = 1 << 20;
const LEVELS: usize = 64;
const DEPTH: usize = 128;
const SUBSCHEMAS: usize = 10_000;
/// What is judged on the caller's own stack: levels of nesting that references may add up to, and
/// patterns to compile.
const SHALLOW: usize = 500;
const FEW_PATTERNS: usize = 50;

pub(super) const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// A step of the way to where the walk is.
#[derive(Clone, Copy)]
enum Part<'s> {
    Key(&'s str),
    At(usize),
}

/// A `$ref` or another keyword that points.
pub(super) struct Reference<'s> {
    pub(super) pointer: String,
    pub(super) text: &'s str,
    /// The schema that has it.
    pub(super) holder: &'s Value,
}

/// What a schema holds.
pub(super) struct Survey<'s> {
    pub(super) root: &'s Value,
    pub(super) draft: Option<Draft>,
    pub(super) references: Vec<Reference<'s>>,
    /// A pattern and its pointer.
    pub(super) patterns: Vec<(String, &'s str)>,
    /// Something has a shape that the meta-schema has to judge.
    pub(super) unusual: bool,
    /// Something moves or names references: only a full build can judge them.
    pub(super) exotic: bool,
    pub(super) unevaluated: bool,
    pub(super) subschemas: usize,
    pub(super) levels: usize,
    bytes: usize,
    walked: Vec<usize>,
    /// Where the walk began, as a pointer.
    start: String,
    path: Vec<Part<'s>>,
    too_large: Option<SchemaProblem>,
}

impl<'s> Survey<'s> {
    pub(super) fn of(root: &'s Value) -> Self {
        let draft = Draft::of(root);
        let mut survey = Self {
            root,
            draft,
            references: Vec::new(),
            patterns: Vec::new(),
            unusual: !matches!(draft, Some(Draft::V2020 | Draft::V7)),
            exotic: false,
            unevaluated: false,
            subschemas: 0,
            levels: 0,
            bytes: 0,
            walked: Vec::new(),
            start: String::new(),
            path: Vec::new(),
            too_large: None,
        };
        survey.schema(root, 0);
        survey.follow();
        survey
    }

    /// The limit that the schema breaks. Nothing else may be asked of such a schema.
    pub(super) fn too_large(&self) -> Option<&SchemaProblem> {
        self.too_large.as_ref()
    }

    /// Whether judging the schema needs a stack or a time of its own.
    pub(super) fn heavy(&self) -> bool {
        self.levels * (self.references.len() + 1) > SHALLOW || self.patterns.len() > FEW_PATTERNS
    }

    /// Walks what references lead to outside of the places where schemas usually are.
    fn follow(&mut self) {
        if self.references.is_empty() || self.too_large.is_some() {
            return;
        }
        let mut walked: HashSet<usize> = self.walked.drain(..).collect();
        let graph = Graph::new(self.root);
        let mut at = 0;
        while at < self.references.len() && self.too_large.is_none() {
            if let Some(target) = graph
                .target(self.references[at].text)
                .filter(|target| !walked.contains(&address(target)))
            {
                self.exotic = true;
                self.start = self.references[at].text.trim_start_matches('#').to_owned();
                self.schema(target, 0);
            }
            walked.extend(self.walked.drain(..));
            at += 1;
        }
    }

    fn schema(&mut self, schema: &'s Value, level: usize) {
        if self.too_large.is_some() {
            return;
        }
        self.levels = self.levels.max(level + 1);
        self.walked.push(address(schema));
        if level > LEVELS {
            return self.stop(format!("the schema is nested deeper than {LEVELS} levels"));
        }
        self.subschemas += 1;
        if self.subschemas > SUBSCHEMAS + 1 {
            return self.stop(format!("the schema has more than {SUBSCHEMAS} subschemas"));
        }
        match schema {
            Value::Object(map) => self.keywords(schema, map, level),
            Value::Bool(_) => {}
            _ => self.misshapen(schema),
        }
    }

    /// What the meta-schema will refuse.
    fn misshapen(&mut self, value: &Value) {
        self.unusual = true;
        self.weigh(value, 0);
    }

    fn keywords(&mut self, schema: &'s Value, map: &'s Map<String, Value>, level: usize) {
        for (name, value) in map {
            self.bytes += name.len();
            self.path.push(Part::Key(name));
            self.keyword(schema, name, value, level);
            self.path.pop();
        }
    }

    fn keyword(&mut self, schema: &'s Value, name: &'s str, value: &'s Value, level: usize) {
        match name {
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
                self.schema_map(name, value, level + 1);
            }
            "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "additionalItems"
            | "contentSchema" => {
                self.schema(value, level + 1);
            }
            "unevaluatedProperties" | "unevaluatedItems" => {
                self.unevaluated = true;
                self.schema(value, level + 1);
            }
            "items" if !value.is_array() => self.schema(value, level + 1),
            "allOf" | "anyOf" | "oneOf" | "prefixItems" | "items" => self.schema_list(name, value, level + 1),
            "$ref" | "$dynamicRef" | "$recursiveRef" => self.reference(schema, name, value),
            "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary" | "$schema" => self.naming(name, value),
            "pattern" if value.is_string() => self.pattern(value.as_str().unwrap_or_default()),
            _ => {
                self.unusual |= !has_usual_shape(name, value);
                self.weigh(value, 0);
            }
        }
    }

    fn schema_map(&mut self, name: &'s str, value: &'s Value, level: usize) {
        let Value::Object(map) = value else {
            return self.misshapen(value);
        };
        for (key, value) in map {
            self.bytes += key.len();
            self.path.push(Part::Key(key));
            match name {
                "patternProperties" => self.pattern(key),
                // A list of names, in the older drafts.
                "dependencies" => self.unusual = true,
                _ => {}
            }
            if name != "dependencies" || !value.is_array() {
                self.schema(value, level);
            }
            self.path.pop();
        }
    }

    fn schema_list(&mut self, name: &str, value: &'s Value, level: usize) {
        let Value::Array(list) = value else {
            return self.misshapen(value);
        };
        self.unusual |= list.is_empty() || (name == "items" && self.draft == Some(Draft::V2020));
        for (at, value) in list.iter().enumerate() {
            self.path.push(Part::At(at));
            self.schema(value, level);
            self.path.pop();
        }
    }

    fn reference(&mut self, schema: &'s Value, name: &str, value: &'s Value) {
        self.exotic |= name != "$ref";
        match value.as_str() {
            Some(text) => {
                self.bytes += text.len();
                let pointer = self.pointer();
                self.references.push(Reference {
                    pointer,
                    text,
                    holder: schema,
                });
            }
            None => self.misshapen(value),
        }
    }

    fn naming(&mut self, name: &str, value: &Value) {
        // A fragment is judged by the draft: an identifier may have none.
        let has_fragment = |text: &str| text.strip_suffix('#').unwrap_or(text).contains('#');
        self.unusual |= value.as_str().is_none_or(has_fragment);
        let at_root = self.path.len() == 1;
        self.exotic |= !(at_root && matches!(name, "$id" | "$schema") || name == "id" && self.draft != Some(Draft::V4));
    }

    fn pattern(&mut self, text: &'s str) {
        self.bytes += text.len();
        self.patterns.push((self.pointer(), text));
    }

    /// Counts the text of a value that is no schema.
    fn weigh(&mut self, value: &Value, depth: usize) {
        if self.too_large.is_some() {
            return;
        }
        if depth > DEPTH {
            return self.stop(format!("a value in the schema is nested deeper than {DEPTH} levels"));
        }
        match value {
            Value::String(text) => self.bytes += text.len(),
            Value::Array(list) => list.iter().for_each(|value| self.weigh(value, depth + 1)),
            Value::Object(map) => {
                for (key, value) in map {
                    self.bytes += key.len();
                    self.weigh(value, depth + 1);
                }
            }
            _ => {}
        }
        if self.bytes > BYTES {
            self.stop("the schema has more than 1 MB of text".to_owned());
        }
    }

    fn stop(&mut self, message: String) {
        let pointer = self.pointer();
        self.too_large.get_or_insert(SchemaProblem {
            pointer,
            fault: SchemaFault::TooLarge,
            message,
            help: None,
        });
    }

    fn pointer(&self) -> String {
        let mut pointer = self.start.clone();
        for part in &self.path {
            pointer.push('/');
            match part {
                Part::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Part::At(at) => pointer.push_str(&at.to_string()),
            }
        }
        pointer
    }
}

/// Where a schema is in memory: its name while the document is borrowed.
pub(super) fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

/// Whether a keyword that holds no schemas looks as every draft wants it.
fn has_usual_shape(name: &str, value: &Value) -> bool {
    match name {
        "type" => match value {
            Value::String(text) => TYPES.contains(&text.as_str()),
            Value::Array(list) => !list.is_empty() && are_distinct_names(list) && list.iter().all(is_type),
            _ => false,
        },
        "required" => value.as_array().is_some_and(|list| are_distinct_names(list)),
        "enum" | "examples" => value.is_array(),
        "title" | "description" | "format" | "$comment" | "contentMediaType" | "contentEncoding" => value.is_string(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains" | "maxContains" => {
            value.is_u64()
        }
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => value.is_boolean(),
        "pattern" | "multipleOf" | "dependentRequired" => false,
        _ => true,
    }
}

fn is_type(value: &Value) -> bool {
    value.as_str().is_some_and(|text| TYPES.contains(&text))
}

fn are_distinct_names(list: &[Value]) -> bool {
    let mut seen = HashSet::new();
    list.iter().all(|value| value.as_str().is_some_and(|text| seen.insert(text)))
}
