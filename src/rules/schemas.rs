//! `schema`: a JSON Schema of an object, nothing fetched, patterns that stay fast; and the
//! arguments of cases against it. What a schema may be is known by the model; here every problem
//! gets its place in the file.

mod properties;

use std::collections::HashMap;

use serde_json::Value;

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, CaseBlock, Document};
use crate::model::{ArgumentFault, ArgumentProblem, Schema, SchemaFault, SchemaProblem};
use crate::source::{Field, Kind, NodeId, Span, View};

pub(super) use properties::{Properties, shape};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for schema in document.capabilities.iter().filter_map(|capability| capability.schema) {
        findings.extend(of_no_object(schema));
        if Schema::is_plain(schema) {
            continue;
        }
        findings.extend(Schema::check(&schema.value()).iter().map(|problem| bad(schema, problem)));
    }
}

fn of_no_object(schema: View<'_>) -> Option<Finding> {
    let message = "the arguments of a call are an object";
    let finding = |at: Span| Finding::new(&table::BAD_SCHEMA, at, message).help("write \"type\": \"object\"");
    match schema.kind() {
        Kind::Map => {
            let kind = schema.get("type")?;
            let other = kind.as_str().is_some_and(|kind| OTHER_TYPES.contains(&kind));
            other.then(|| finding(kind.span()))
        }
        _ => None,
    }
}

/// The types of JSON Schema that no arguments have.
const OTHER_TYPES: [&str; 6] = ["array", "boolean", "integer", "null", "number", "string"];

fn bad(schema: View<'_>, problem: &SchemaProblem) -> Finding {
    let rule = match problem.fault {
        SchemaFault::CostlyPattern => &table::COSTLY_PATTERN,
        _ => &table::BAD_SCHEMA,
    };
    let finding = Finding::new(rule, place(schema, &problem.pointer), problem.message.clone());
    match &problem.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}

/// The value at a pointer; the opening brace for the whole schema, which may be long.
fn place(schema: View<'_>, pointer: &str) -> Span {
    let whole = schema.span();
    match schema.at(pointer) {
        Some(view) if !pointer.is_empty() => view.span(),
        _ if schema.kind() == Kind::Map => Span {
            end: whole.start + 1,
            ..whole
        },
        _ => whole,
    }
}

/// The schemas of capabilities that have cases, each compiled once.
#[derive(Default)]
pub(super) struct Compiled(HashMap<NodeId, Option<Schema>>);

impl Compiled {
    /// What is wrong with a case's arguments.
    pub(super) fn arguments(&mut self, case: &CaseBlock<'_>, name: &Word<'_>, capability: &CapabilityBlock<'_>) -> Vec<Finding> {
        let Some(view) = capability.schema else { return Vec::new() };
        if Schema::is_plain(view) && Schema::fits_plainly(view, case.args) {
            return Vec::new();
        }
        let schema = self.0.entry(view.id()).or_insert_with(|| Schema::compile(&view.value()).ok());
        let Some(schema) = schema else { return Vec::new() };
        let args = match case.args.map(View::value) {
            Some(Value::Object(args)) => args,
            _ => serde_json::Map::new(),
        };
        let problems = schema.coerce(args).err().unwrap_or_default();
        problems.iter().map(|problem| bad_argument(case, name, problem)).collect()
    }
}

fn bad_argument(case: &CaseBlock<'_>, name: &Word<'_>, problem: &ArgumentProblem) -> Finding {
    let all = case.view.get("args").filter(|args| !args.is_null()).map_or(name.at(), View::span);
    let field = case.args.and_then(|args| args.field(&problem.argument));
    let place = match (problem.fault, field) {
        (_, None) => all,
        (ArgumentFault::Unknown, Some(field)) => field.key_span,
        (_, Some(field)) => inside(field, &problem.path),
    };
    let finding = Finding::new(&table::BAD_CASE_ARGUMENTS, place, problem.message.clone());
    match &problem.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    }
}

/// The value at a dot path that starts with the field's own name.
fn inside(field: Field<'_>, path: &str) -> Span {
    let steps = path.strip_prefix(field.key).unwrap_or_default().split('.').skip(1);
    let value = steps.fold(field.value, |view, step| view.at(&format!("/{step}")).unwrap_or(view));
    value.span()
}
