//! Schemas of a description as plain JSON Schema (draft 2020-12): references and `allOf` are put
//! in place, recursion and size are bounded, what only an answer holds is left out. Works on the
//! arena; nothing is expanded before an operation is lowered.

mod exclusive;
mod expand;
mod keywords;
mod merge;
mod only;
mod peek;
mod tidy;

pub(in crate::openapi) use expand::{Expander, Fragment};
pub(in crate::openapi) use peek::{Kinds, Shape, fixed, is_read_only, is_write_only, items, keyword, kinds, shape, union};
pub(in crate::openapi) use tidy::tidy;

pub(in crate::openapi) use keywords::fitting;
pub(in crate::openapi) use merge::conjoin;
pub(in crate::openapi) use only::{keep, lost};

use super::refs::Scope;
use crate::source::{Kind, View};

/// Whether the node is a schema of its own or a parameter of 2.0 with the keywords of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::openapi) enum Role {
    Schema,
    Parameter,
}

/// The word of one `type`, when it is one of JSON Schema's.
fn type_word(word: &str) -> Option<&'static str> {
    ["string", "integer", "number", "boolean", "array", "object", "null"]
        .into_iter()
        .find(|known| *known == word)
}

/// The types that a schema itself names; unknown words are not there.
fn types(schema: View<'_>) -> Vec<&'static str> {
    let Some(value) = schema.get("type") else { return Vec::new() };
    match value.kind() {
        Kind::String => value.as_str().and_then(type_word).into_iter().collect(),
        _ => value.items().filter_map(|word| word.as_str().and_then(type_word)).collect(),
    }
}

/// The types that a schema names, looked for through its references.
pub(in crate::openapi) fn named_types<'d>(scope: &Scope<'d>, schema: View<'d>) -> Vec<&'static str> {
    let own = types(schema);
    if !own.is_empty() {
        return own;
    }
    let Some(value) = keyword(scope, schema, "type") else { return own };
    let words: Vec<&str> = value.as_str().into_iter().chain(value.items().filter_map(View::as_str)).collect();
    words.into_iter().filter_map(type_word).collect()
}
