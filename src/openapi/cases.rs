//! Contract cases: only for reads whose required arguments have a default or a fixed set of
//! values. No value is made up, and nothing that looks like a key is written.

use serde_json::{Map, Value};

use super::arguments::{Argument, Arguments, To};
use super::body::Body;
use super::key_words::{is_like_a_key, is_secret_name};
use super::refs::Scope;
use super::schema::{fitting, fixed};
use super::{Chosen, Operation};
use crate::model::{Case, Method, Risk, Span};

/// Cases of one connector.
pub(super) const CASES: usize = 5;

/// The case of a read, when its required arguments are known.
pub(super) fn case<'d>(
    scope: &Scope<'d>,
    capability: &str,
    operation: &Operation<'d>,
    chosen: &Chosen,
    arguments: &Arguments<'d>,
) -> Option<Case> {
    let reads = operation.method == Method::Get && chosen.risk == Risk::Read;
    if !reads || !matches!(operation.body, Body::None) {
        return None;
    }
    let required = arguments.list.iter().filter(|argument| argument.required);
    let args = required
        .map(|argument| Some((argument.name.clone(), value(scope, argument)?)))
        .collect::<Option<Map<_, _>>>()?;
    Some(Case {
        capability: capability.to_owned(),
        args,
        keys: Vec::new(),
        at: Span::default(),
    })
}

fn value<'d>(scope: &Scope<'d>, argument: &Argument<'d>) -> Option<Value> {
    if !matches!(argument.to, To::Path | To::Query) || is_secret_name(argument.wire) || argument.send.help().is_some() {
        return None;
    }
    let (schema, _) = argument.schemas.first()?;
    let value = fixed(scope, *schema)?.value();
    let types: Vec<&str> = super::schema::named_types(scope, *schema);
    let value = fitting(&value, &types).filter(|value| !value.is_null())?;
    if value.as_str().is_some_and(is_like_a_key) {
        return None;
    }
    let empty = argument.to == To::Path && value.as_str().is_some_and(|text| text.is_empty() || text == "." || text == "..");
    (!empty).then_some(value)
}
