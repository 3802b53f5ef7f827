//! Objects and short lists as one pair for each value inside: `filter[a]=1`, `tags[0]=x`. The dot
//! paths of the format say it, on the released host as well.

use serde_json::{Map, Value};

use super::params::Send;
use super::refs::Scope;
use super::schema::{items, kinds, union};
use crate::source::View;

/// A name on the wire and the steps from the argument to the value.
pub(super) type Pair = (String, Vec<String>);

/// Values of a list that get a pair.
const ITEMS: usize = 10;
const LEVELS: usize = 3;
const PAIRS: usize = 80;

/// The pairs of an object, under bracketed names or, without a name, under those of its
/// properties.
pub(super) fn dotted<'d>(scope: &Scope<'d>, schema: Option<View<'d>>, wire: Option<&str>) -> Send {
    let mut pairs = Vec::new();
    let Some(schema) = schema else { return Send::Unsayable };
    let levels = if wire.is_some() { LEVELS } else { 1 };
    if inside(scope, schema, wire, &[], levels, &mut pairs) && !pairs.is_empty() && pairs.len() <= PAIRS {
        Send::Dotted(pairs)
    } else {
        Send::Unsayable
    }
}

/// Whether every value inside can be said.
fn inside<'d>(scope: &Scope<'d>, schema: View<'d>, wire: Option<&str>, way: &[String], levels: usize, pairs: &mut Vec<Pair>) -> bool {
    let kinds = kinds(scope, schema);
    if kinds.list && wire.is_some() {
        return list(scope, schema, wire.unwrap_or_default(), way, pairs);
    }
    let shape = union(scope, schema);
    if levels == 0 || pairs.len() > PAIRS || shape.properties.is_empty() || shape.open {
        return false;
    }
    shape.properties.iter().all(|(name, schemas)| {
        let way: Vec<String> = way.iter().cloned().chain([(*name).to_owned()]).collect();
        let wire = wire.map_or_else(|| (*name).to_owned(), |wire| format!("{wire}[{name}]"));
        let single = schemas.iter().all(|schema| super::schema::kinds(scope, *schema).only_scalar());
        if !is_step(name) {
            return false;
        }
        if single {
            pairs.push((wire, way));
            return true;
        }
        levels > 1 && inside(scope, schemas[0], Some(&wire), &way, levels - 1, pairs)
    })
}

fn list<'d>(scope: &Scope<'d>, schema: View<'d>, wire: &str, way: &[String], pairs: &mut Vec<Pair>) -> bool {
    let single = items(scope, schema).is_some_and(|items| kinds(scope, items).only_scalar());
    for index in (0..ITEMS).filter(|_| single) {
        let way = way.iter().cloned().chain([index.to_string()]).collect();
        pairs.push((format!("{wire}[{index}]"), way));
    }
    single
}

/// Whether a template can take this step.
fn is_step(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Says in the schema how many values a list may have.
pub(super) fn bound(schema: &mut Map<String, Value>, pairs: &[Pair]) {
    for (_, way) in pairs {
        let Some((last, before)) = way.split_last() else { continue };
        if last != "0" {
            continue;
        }
        let list = before.iter().try_fold(&mut *schema, |schema, step| {
            schema.get_mut("properties")?.get_mut(step)?.as_object_mut()
        });
        if let Some(list) = list
            && list.get("maxItems").and_then(Value::as_u64).is_none_or(|most| most > ITEMS as u64)
        {
            list.insert("maxItems".to_owned(), ITEMS.into());
        }
    }
}
