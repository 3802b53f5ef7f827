//! What an operation answers: its shape as a text for the model, and where a list is in it.

use super::body::{essence, is_json, is_json_like};
use super::files::At;
use super::refs::{Object, Scope};
use super::schema::{is_write_only, items, kinds, shape, union};
use super::text::clean;
use crate::source::{Kind, View};

/// Names that are shown of an object.
const NAMES: usize = 12;
/// Properties that hold the list a caller asked for, in real descriptions.
const LISTS: &[&str] = &[
    "data",
    "items",
    "results",
    "value",
    "values",
    "entries",
    "resources",
    "result",
    "records",
    "list",
    "rows",
    "content",
    "hits",
    "objects",
    "elements",
];
/// Lists that come beside the answer.
const BESIDE: &[&str] = &[
    "errors",
    "warnings",
    "tags",
    "_links",
    "links",
    "permissions",
    "messages",
    "meta",
    "included",
    "notices",
];

/// What is known of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// `{id, name}`, `[{id, name}]`, `[…]` or nothing.
    pub(super) shape: String,
    pub(super) is_list: bool,
    /// The property that holds the list.
    pub(super) path: Option<String>,
    /// What leads to the next page beside the list that is kept: its dot path and its place.
    pub(super) next: Option<(String, At)>,
    /// The type to ask for, when it is not `application/json`.
    pub(super) accept: Option<String>,
}

pub(super) fn answer<'d>(scope: &Scope<'d>, operation: Object<'d>, path: &str) -> Answer {
    let mut out = Answer::default();
    let Some(response) = responses(scope, operation).into_iter().find_map(|response| json(scope, response)) else {
        return out;
    };
    out.accept = response.accept;
    let Some(schema) = response.schema else { return out };
    let kinds = kinds(scope, schema);
    if kinds.list && !kinds.object {
        out.is_list = true;
        out.shape = list(scope, schema);
        return out;
    }
    if let Some((name, inner)) = wrapped(scope, schema, path) {
        out.is_list = true;
        out.shape = list(scope, inner);
        out.next = next_page(scope, schema, name).map(|(field, view)| (field, scope.files.at(view)));
        out.path = Some(name.to_owned());
        return out;
    }
    out.shape = object(scope, schema).unwrap_or_default();
    out
}

struct Json<'d> {
    schema: Option<View<'d>>,
    accept: Option<String>,
}

/// The responses of success, the likeliest first.
fn responses<'d>(scope: &Scope<'d>, operation: Object<'d>) -> Vec<Object<'d>> {
    let Some(map) = scope.map(operation.get("responses")) else {
        return Vec::new();
    };
    let rank = |code: &str| match code.to_ascii_lowercase().as_str() {
        "200" => Some(0),
        "201" => Some(1),
        "2xx" => Some(400),
        "default" => Some(500),
        code if code.len() == 3 && code.starts_with('2') => code.parse::<usize>().ok(),
        _ => None,
    };
    let mut found: Vec<_> = map.fields().filter_map(|field| Some((rank(field.key)?, field.value))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().filter_map(|(_, view)| scope.object_or_note(view)).collect()
}

fn json<'d>(scope: &Scope<'d>, response: Object<'d>) -> Option<Json<'d>> {
    // 2.0
    if let Some(schema) = response.get("schema") {
        let file = schema.get("type").and_then(View::as_str) == Some("file");
        return (!file).then_some(Json {
            schema: Some(schema),
            accept: None,
        });
    }
    let content = response.get("content").filter(|content| content.kind() == Kind::Map)?;
    let mut offers: Vec<_> = content.fields().map(|field| (essence(field.key), field)).collect();
    offers.sort_by(|a, b| a.0.cmp(&b.0));
    let plain = offers.iter().find(|(essence, _)| is_json(essence));
    let any = || offers.iter().find(|(essence, _)| essence.contains('*'));
    let found = plain
        .or_else(|| offers.iter().find(|(essence, _)| is_json_like(essence)))
        .or_else(any)?;
    let own = plain.is_none() && !found.0.contains('*');
    Some(Json {
        schema: scope.object(found.1.value).ok()?.get("schema"),
        accept: own.then(|| found.0.clone()),
    })
}

fn list<'d>(scope: &Scope<'d>, schema: View<'d>) -> String {
    let inner = items(scope, schema).and_then(|items| object(scope, items));
    format!("[{}]", inner.unwrap_or_else(|| "…".to_owned()))
}

fn object<'d>(scope: &Scope<'d>, schema: View<'d>) -> Option<String> {
    let properties = union(scope, schema).properties;
    let names: Vec<&&str> = properties
        .iter()
        .filter(|(_, schemas)| !schemas.iter().any(|schema| is_write_only(scope, *schema)))
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        return None;
    }
    let mut shown: Vec<String> = names.iter().take(NAMES).map(|name| clean(name, 60)).collect();
    if names.len() > NAMES {
        shown.push("…".to_owned());
    }
    Some(format!("{{{}}}", shown.join(", ")))
}

/// The one list of an object, when its name says that it is what was asked for.
fn wrapped<'d>(scope: &Scope<'d>, schema: View<'d>, path: &str) -> Option<(&'d str, View<'d>)> {
    let shape = shape(scope, schema);
    if shape.alternatives {
        return None;
    }
    let is_list = |schemas: &Vec<View<'d>>| schemas.iter().any(|schema| kinds(scope, *schema).list);
    let mut lists = shape
        .properties
        .into_iter()
        .filter(|(name, schemas)| !BESIDE.contains(name) && is_list(schemas));
    let (name, schemas) = lists.next()?;
    let last = path.rsplit('/').find(|step| !step.is_empty() && !step.starts_with('{'));
    let asked = LISTS.contains(&name) || last.is_some_and(|last| last.eq_ignore_ascii_case(name));
    let plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    (lists.next().is_none() && asked && plain).then(|| (name, schemas[0]))
}

/// A property beside the list, or one step inside such a property, that leads to the next page.
fn next_page<'d>(scope: &Scope<'d>, schema: View<'d>, list: &str) -> Option<(String, View<'d>)> {
    let mut found = Vec::new();
    for (name, schemas) in shape(scope, schema).properties {
        if name == list {
            continue;
        }
        if leads_on(name) {
            found.push((name.to_owned(), schemas[0]));
            continue;
        }
        let inner = union(scope, schemas[0]).properties;
        let inner = inner.into_iter().filter(|(name, _)| leads_on(name));
        found.extend(inner.map(|(field, schemas)| (format!("{name}.{field}"), schemas[0])));
    }
    // A cursor says more than that there is one.
    found.sort_by_key(|(field, _)| field.to_ascii_lowercase().contains("has"));
    found.into_iter().next().map(|(field, view)| (clean(&field, 60), view))
}

/// Names of cursors, and of what says that there is more.
fn leads_on(name: &str) -> bool {
    let name: String = name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let cursors = [
        "next",
        "cursor",
        "continue",
        "after",
        "marker",
        "bookmark",
        "scrollid",
        "endcursor",
        "pagetoken",
        "continuationtoken",
        "paginationtoken",
        "lastevaluatedkey",
        "hasmore",
        "hasnext",
        "hasnextpage",
    ];
    let ways = [
        "page", "cursor", "token", "link", "url", "uri", "href", "offset", "marker", "key", "start", "results",
    ];
    let next = name.rfind("next").map(|at| &name[at + 4..]);
    cursors.contains(&name.as_str()) || next.is_some_and(|rest| ways.iter().any(|way| rest.starts_with(way)))
}

/// What the model reads about the answer: shape, summary, description.
pub(super) fn returns(answer: &Answer, summary: &str, description: &str) -> String {
    let mut out = answer.shape.clone();
    if !summary.is_empty() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(summary);
    }
    let bare = summary.strip_prefix("(deprecated)").unwrap_or(summary).trim().trim_end_matches('…');
    let repeats = !bare.is_empty() && description.starts_with(bare);
    if !description.is_empty() && !repeats {
        if !out.is_empty() {
            out.push_str(if out.ends_with(['.', '!', '?']) { " " } else { ". " });
        }
        out.push_str(description);
    }
    if out.is_empty() { "the service's answer".to_owned() } else { out }
}
