//! JSON Schema: is a capability's `schema` one, which arguments does it name, and do the arguments
//! of a call fit it. This folder alone knows the validator behind it. Nothing is ever fetched:
//! a reference that leads out of the document is a problem of the schema.
//!
//! Drafts: 2020-12, which is meant when `$schema` is absent, draft-07, and as `$schema` names them
//! also 2019-09, draft-06 and draft-04. `format` asserts where its draft says so (draft-07 and
//! older). Numbers beyond 64 bits keep their digits but are judged as the nearest 64-bit float.

mod bounded;
mod check;
mod coerce;
mod declared;
mod engine;
mod graph;
mod plain;
mod survey;
mod types;
mod words;

use std::sync::Arc;

use serde_json::{Map, Value};

use self::bounded::bounded;
use self::check::{Facts, examine};
use crate::source::View;

pub use self::declared::Property;

/// What kind of thing is wrong with a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaFault {
    /// Over a limit: 1 MB of text, 64 levels, 10,000 subschemas, or references that multiply.
    TooLarge,
    /// `$schema` names a draft that is not known.
    Draft,
    /// A keyword has a value that it may not have.
    Shape,
    /// A `$ref` leads nowhere, or out of the document.
    Reference,
    /// A `$ref` leads back to itself without a step into the value.
    Cycle,
    /// No regular expression, or too large a one.
    Pattern,
    /// A pattern with look-around or back-references: it works, but a value may be found too
    /// costly to judge. The only fault that [`Schema::compile`] lets pass.
    CostlyPattern,
}

/// One thing that is wrong with a schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SchemaProblem {
    /// A JSON Pointer into the schema.
    pub pointer: String,
    pub fault: SchemaFault,
    pub message: String,
    pub help: Option<String>,
}

/// What kind of thing is wrong with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentFault {
    Unknown,
    Missing,
    Type,
    /// Not one of the values that the schema lists.
    Choice,
    /// Against another rule of the schema: a limit, a pattern, a form.
    Rule,
    /// Its pattern or its schema costs too much to judge.
    Costly,
}

/// One thing that is wrong with the arguments of a call. Says nothing of the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ArgumentProblem {
    /// The argument; empty when it is all of them together.
    pub argument: String,
    /// The dot path to the place, from the argument on: `owner.ids.0`.
    pub path: String,
    pub fault: ArgumentFault,
    pub message: String,
    pub help: Option<String>,
}

/// The version of JSON Schema that a schema is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Draft {
    V4,
    V6,
    V7,
    V2019,
    V2020,
}

impl Draft {
    fn of(schema: &Value) -> Option<Self> {
        let Some(named) = schema.get("$schema") else {
            return Some(Self::V2020);
        };
        let name = named.as_str()?.trim_end_matches('#');
        match name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"))? {
            "json-schema.org/draft/2020-12/schema" => Some(Self::V2020),
            "json-schema.org/draft/2019-09/schema" => Some(Self::V2019),
            "json-schema.org/draft-07/schema" => Some(Self::V7),
            "json-schema.org/draft-06/schema" => Some(Self::V6),
            "json-schema.org/draft-04/schema" => Some(Self::V4),
            _ => None,
        }
    }
}

/// A schema that is ready to judge values.
#[derive(Debug, Clone)]
pub struct Schema {
    root: Arc<Value>,
    validator: Arc<engine::Validator>,
    facts: Facts,
}

impl Schema {
    /// Everything that is wrong with a schema, for a linter: cheap when the schema is ordinary.
    pub fn check(schema: &Value) -> Vec<SchemaProblem> {
        check::check(schema)
    }

    /// Whether a schema is so plain that one look tells that nothing is wrong with it. Where this
    /// says no, [`Schema::check`] judges.
    pub fn is_plain(schema: View<'_>) -> bool {
        plain::is_plain(schema)
    }

    /// Whether one look tells that nothing is wrong with arguments, as they are, under a schema
    /// that [is plain](Schema::is_plain). Where this says no, [`Schema::coerce`] judges.
    pub fn fits_plainly(schema: View<'_>, args: Option<View<'_>>) -> bool {
        plain::fits_all(schema, args)
    }

    /// What [`Schema::coerce`] gives, if schema and arguments are plain: no validator is built.
    pub fn coerce_plainly(schema: &Value, args: &Map<String, Value>) -> Option<Map<String, Value>> {
        plain::accepted(schema, args)
    }

    /// The arguments that a schema names, in its order, read through its references, `allOf`,
    /// `anyOf` and `oneOf`.
    pub fn properties(schema: &Value) -> Vec<Property<'_>> {
        declared::properties(schema)
    }

    /// Whether a schema takes only the arguments that it names: it has `properties`, and nothing
    /// in it says that there are others (`additionalProperties`, `unevaluatedProperties`,
    /// `patternProperties`). Silence, which JSON Schema reads as "others may pass", is read as a
    /// complete list: a misspelt argument would otherwise be dropped without a word.
    pub fn is_closed(schema: &Value) -> bool {
        declared::is_closed(schema)
    }

    /// A schema that values can be judged by, or the first thing that is wrong with it.
    ///
    /// ```
    /// use becket::model::Schema;
    /// use serde_json::json;
    /// let schema = Schema::compile(&json!({"properties": {"n": {"type": "integer"}}})).unwrap();
    /// let Ok(args) = schema.coerce(serde_json::Map::from_iter([("n".to_owned(), json!("7"))])) else { panic!() };
    /// assert_eq!(args["n"], json!(7));
    /// ```
    pub fn compile(schema: &Value) -> Result<Self, SchemaProblem> {
        let (problems, facts) = examine(schema);
        if let Some(problem) = problems.into_iter().find(|problem| problem.fault != SchemaFault::CostlyPattern) {
            return Err(problem);
        }
        let root = Arc::new(schema.clone());
        let built = if facts.heavy {
            let root = Arc::clone(&root);
            bounded(move || engine::build(&root)).unwrap_or_else(|| Err(check::too_costly()))
        } else {
            engine::build(&root)
        };
        Ok(Self {
            root,
            validator: Arc::new(built?),
            facts,
        })
    }

    /// The arguments of a call as the schema wants them, or everything that is wrong with them.
    ///
    /// Changed is only what loses nothing: the text `7` becomes a number where no text is allowed,
    /// a number its digits where only text is, `true` and `false` booleans. A null that the schema
    /// does not allow is an argument that was not given. An argument that the schema does not name
    /// is a problem, unless its `additionalProperties` says that there are others.
    pub fn coerce(&self, args: Map<String, Value>) -> Result<Map<String, Value>, Vec<ArgumentProblem>> {
        let mut problems = coerce::unknown(&self.root, &args);
        let args = Value::Object(coerce::coerce(&self.root, args));
        for problem in self.judge(&args) {
            let again = problems
                .iter()
                .any(|known| (known.fault, &known.path) == (problem.fault, &problem.path));
            if !again {
                problems.push(problem);
            }
        }
        match args {
            Value::Object(args) if problems.is_empty() => Ok(args),
            _ => Err(problems),
        }
    }

    /// Everything that is wrong with a value as it is. At most 50 problems.
    pub fn judge(&self, value: &Value) -> Vec<ArgumentProblem> {
        let size = bounded::Size::of(value);
        if self.facts.is_light(size) {
            return engine::judge(&self.validator, &self.root, value);
        }
        if self.facts.is_endless(size) {
            return vec![words::too_costly()];
        }
        let (root, validator, value) = (Arc::clone(&self.root), Arc::clone(&self.validator), value.clone());
        bounded(move || engine::judge(&validator, &root, &value)).unwrap_or_else(|| vec![words::too_costly()])
    }
}

#[cfg(test)]
mod tests;
