//! `schema`: a JSON Schema whose keywords are right, nothing fetched, patterns that stay fast; and
//! the arguments of cases against it. Judged on the tree of the file, so that every finding has its
//! exact place; what only a validator knows is asked of `model`.

mod keywords;
mod properties;

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, CaseBlock, Document};
use crate::model::nearest;
use crate::source::Kind;

use super::listed;

pub(super) use properties::{Properties, shape};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for schema in document.capabilities.iter().filter_map(|capability| capability.schema) {
        keywords::check(schema, findings);
    }
}

/// What a case's arguments get wrong: names that the schema does not have, required ones that are
/// not given.
pub(super) fn arguments(case: &CaseBlock<'_>, name: &Word<'_>, capability: &CapabilityBlock<'_>) -> Vec<Finding> {
    let Some(schema) = capability.schema.filter(|schema| schema.kind() == Kind::Map) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    unknown(case, &Properties::of(schema), &mut findings);
    let given = |argument: &str| case.args.and_then(|args| args.get(argument)).is_some();
    let required = schema.get("required").into_iter().flat_map(|list| list.items());
    for argument in required.filter_map(|view| view.as_str()).filter(|argument| !given(argument)) {
        let place = case.view.get("args").map_or(name.at(), |args| args.span());
        let message = format!("`{}` needs the argument `{argument}`", name.text);
        findings.push(Finding::new(&table::BAD_CASE_ARGUMENTS, place, message).help("give it in `args`"));
    }
    findings
}

fn unknown(case: &CaseBlock<'_>, properties: &Properties<'_>, findings: &mut Vec<Finding>) {
    if properties.open {
        return;
    }
    let names = || properties.declared.iter().map(|field| field.key);
    for field in case.args.into_iter().flat_map(|args| args.fields()) {
        if names().any(|name| name == field.key) {
            continue;
        }
        let message = format!("`schema` has no argument `{}`", field.key);
        let finding = Finding::new(&table::BAD_CASE_ARGUMENTS, field.key_span, message);
        findings.push(match nearest(field.key, names()) {
            Some(right) => finding.label(format!("did you mean `{right}`?")),
            None if properties.declared.is_empty() => finding,
            None => finding.help(format!("it has {}", listed(names()))),
        });
    }
}
