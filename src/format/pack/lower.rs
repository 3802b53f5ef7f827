//! From a profile without errors to the model: one connector whose capabilities are the tools of
//! the `api` block. The address comes filled in, since only its owner knows the fields of the host.

use serde_json::{Map, Value, json};

use super::body::put;
use super::{ApiBlock, Auth, ParamBlock, ParamType, Profile, ToolBlock, sent_in};
use crate::format::Word;
use crate::model::{
    ArgPath, Base, Body, Capability, Connector, Each, Expects, Http, KeyText, Limits, Method, Name, Pair, Parameter, PathTemplate, Pick,
    PickField, Redirects, Request, Risk, Slot, Span, Template, Transport, Tree, text_form,
};
use crate::source::{Kind, View};

/// What holds where `limits` says nothing. The documentation gives no numbers but those of its
/// example; these are ours.
pub struct Defaults;

impl Defaults {
    pub const TIMEOUT: u32 = 20;
    pub const PER_MINUTE: u32 = 30;
    pub const MAX_BYTES: usize = 1 << 20;
    pub const MAX_ITEMS: usize = 100;
}

/// The connector that a profile describes, at an address. `key` is the name of its key. Nothing
/// when a part is absent or wrong: the caller has the finding that says so.
pub fn lower(profile: &Profile<'_>, base: Base, key: &str) -> Option<Connector> {
    let api = profile.api.as_ref()?;
    let auth = match &api.auth {
        Some(auth) => auth.form()?,
        None => Auth::None,
    };
    let at = api.auth.as_ref().map_or_else(|| api.view.span(), |auth| auth.at);
    let (headers, query) = placed(&auth, key, at);
    let max = limit(api, "max_items").unwrap_or(Defaults::MAX_ITEMS);
    Some(Connector {
        name: profile.name?.text.to_owned(),
        description: profile.title.map(|title| title.text.to_owned()).unwrap_or_default(),
        source: None,
        imported: false,
        transport: Transport::Http(Http {
            base,
            headers,
            query,
            limits: Limits {
                seconds: limit(api, "timeout").unwrap_or(Defaults::TIMEOUT),
                bytes: limit(api, "max_bytes").unwrap_or(Defaults::MAX_BYTES),
            },
            redirects: Redirects::None,
            per_minute: Some(limit(api, "per_minute").unwrap_or(Defaults::PER_MINUTE)),
        }),
        keys: match auth {
            Auth::None => Vec::new(),
            _ => vec![Name { text: key.to_owned(), at }],
        },
        capabilities: api.tools.iter().map(|tool| capability(tool, max)).collect::<Option<_>>()?,
        cases: Vec::new(),
    })
}

fn limit<T: std::str::FromStr>(api: &ApiBlock<'_>, name: &str) -> Option<T> {
    let limit = api.limits.iter().find(|limit| limit.name == name)?;
    limit.value.as_number()?.parse().ok()
}

fn placed(auth: &Auth<'_>, key: &str, at: Span) -> (Vec<Pair>, Vec<Parameter>) {
    let key = Slot::Key(key.to_owned());
    let header = |name: &str, lead: Option<&str>, keys| {
        let slots = lead.map(|lead| Slot::Literal(lead.to_owned())).into_iter().chain([key.clone()]);
        Pair {
            name: name.to_owned(),
            value: Template {
                slots: slots.collect(),
                at,
            },
            keys,
            at,
        }
    };
    match auth {
        Auth::Header(name) => (vec![header(name, None, KeyText::AsIs)], Vec::new()),
        Auth::Bearer => (vec![header("Authorization", Some("Bearer "), KeyText::AsIs)], Vec::new()),
        Auth::Basic => (vec![header("Authorization", Some("Basic "), KeyText::Base64)], Vec::new()),
        Auth::Query(name) => {
            let value = Each::One(Template { slots: vec![key], at });
            let name = (*name).to_owned();
            (Vec::new(), vec![Parameter { name, value, at }])
        }
        Auth::None => (Vec::new(), Vec::new()),
    }
}

fn capability(tool: &ToolBlock<'_>, max: usize) -> Option<Capability> {
    let path = tool.path?;
    let in_path = path_arguments(path.text);
    let default = |param: &ParamBlock<'_>| Some((param.name.to_owned(), param.default?.value()));
    Some(Capability {
        name: tool.name.to_owned(),
        tool: Some(tool.name.to_owned()),
        risk: Risk::Read,
        reviewed: None,
        signature: signature(tool, &in_path),
        returns: returned(tool),
        schema: Some(schema(tool, &in_path)),
        schema_at: None,
        defaults: tool.params.iter().filter_map(default).collect(),
        request: Some(request(tool, &path, &in_path)?),
        pick: Some(Pick {
            path: tool.items.map(|items| items.text.to_owned()).unwrap_or_default(),
            path_at: tool.items.map(|items| items.at()),
            fields: tool.kept().map(kept).collect(),
            max,
            expects: if tool.items.is_some() { Expects::List } else { Expects::Fields },
        }),
        at: tool.name_at,
    })
}

fn kept((name, path): (&str, Word<'_>)) -> PickField {
    PickField {
        name: name.to_owned(),
        path: path.text.to_owned(),
        at: path.at(),
    }
}

/// The names in braces of a path, in order and once each.
pub fn path_arguments(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for part in path.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or_default();
        if part.contains('}') && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a call has to give an argument.
fn is_required(tool: &ToolBlock<'_>, name: &str, in_path: &[&str]) -> bool {
    let declared = tool.params.iter().find(|param| param.name == name);
    let flagged = declared.is_some_and(|param| param.required.is_some_and(|flag| flag.value));
    let has_default = declared.is_some_and(|param| param.default.is_some());
    (in_path.contains(&name) || flagged) && !has_default
}

/// The arguments: those of the path first, then the others as they stand.
fn arguments<'t>(tool: &'t ToolBlock<'_>, in_path: &[&'t str]) -> Vec<&'t str> {
    let others = tool.params.iter().map(|param| param.name).filter(|name| !in_path.contains(name));
    in_path.iter().copied().chain(others).collect()
}

fn signature(tool: &ToolBlock<'_>, in_path: &[&str]) -> String {
    let words = arguments(tool, in_path).into_iter().map(|name| {
        let mark = if is_required(tool, name, in_path) { "" } else { "?" };
        format!("{name}{mark}")
    });
    format!("{}({{{}}})", tool.name, words.collect::<Vec<_>>().join(", "))
}

fn returned(tool: &ToolBlock<'_>) -> String {
    let fields = tool.kept().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    match tool.items {
        Some(_) => format!("[{{{fields}}}]"),
        None => format!("{{{fields}}}"),
    }
}

fn schema(tool: &ToolBlock<'_>, in_path: &[&str]) -> Value {
    let names = arguments(tool, in_path);
    let declared = |name: &str| tool.params.iter().find(|param| param.name == name);
    let property = |name: &&str| {
        (
            (*name).to_owned(),
            declared(name).map_or_else(|| json!({"type": ["string", "integer"]}), argument),
        )
    };
    let required: Vec<&str> = names.iter().copied().filter(|name| is_required(tool, name, in_path)).collect();
    let properties: Map<String, Value> = names.iter().map(property).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Months and days in their ranges; a service knows the lengths of months.
const DATE: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

fn argument(param: &ParamBlock<'_>) -> Value {
    let mut schema = match param.kind() {
        Some(ParamType::Date) => json!({"type": "string", "format": "date", "pattern": DATE, "description": "YYYY-MM-DD"}),
        kind => json!({"type": kind.unwrap_or(ParamType::String).word()}),
    };
    if let Some(options) = param.options {
        schema["enum"] = options.value();
    }
    if let Some(default) = param.default {
        schema["default"] = default.value();
    }
    schema
}

fn request(tool: &ToolBlock<'_>, path: &Word<'_>, in_path: &[&str]) -> Option<Request> {
    let method = tool.method()?;
    let mut query = Vec::new();
    let mut body = Vec::new();
    match method {
        Method::Get => query.extend(fixed_fields(tool).map(|field| Parameter {
            name: field.key.to_owned(),
            value: always(field.value),
            at: field.key_span,
        })),
        _ => fixed_fields(tool)
            .try_for_each(|field| put(&mut body, field.key, literal(field.value)))
            .ok()?,
    }
    for param in tool.params.iter().filter(|param| !in_path.contains(&param.name)) {
        let name = param.sent_as();
        let argument = ArgPath(vec![param.name.to_owned()]);
        if sent_in(param, method) == "body" {
            let at = param.name_at;
            put(&mut body, name, Tree::Arg { path: argument, at }).ok()?;
        } else {
            let slots = vec![Slot::Arg(argument)];
            query.push(Parameter {
                name: name.to_owned(),
                value: Each::One(Template { slots, at: param.name_at }),
                at: param.name_at,
            });
        }
    }
    let at = tool.name_at;
    Some(Request {
        method,
        path: PathTemplate::parse(&path.text.replace('{', "{{").replace('}', "}}"), path.at()).ok()?,
        query,
        headers: Vec::new(),
        body: (!body.is_empty()).then_some(Body::Json { tree: Tree::Map(body), at }),
        safe: method == Method::Post,
        at,
    })
}

fn fixed_fields<'d>(tool: &ToolBlock<'d>) -> impl Iterator<Item = crate::source::Field<'d>> + use<'d> {
    tool.fixed.into_iter().flat_map(View::fields)
}

/// A fixed value of a query: a list repeats the name. Braces mean nothing in it.
fn always(view: View<'_>) -> Each {
    let template = |view: View<'_>| {
        let text = if view.is_null() { String::new() } else { text_form(&view.value()) };
        let slots = if text.is_empty() { Vec::new() } else { vec![Slot::Literal(text)] };
        Template { slots, at: view.span() }
    };
    match view.kind() {
        Kind::List => Each::Every(view.items().map(template).collect()),
        _ => Each::One(template(view)),
    }
}

/// A fixed value of a body, with lists and objects that arguments can go into.
pub fn literal(view: View<'_>) -> Tree {
    match view.kind() {
        Kind::List => Tree::List(view.items().map(literal).collect()),
        Kind::Map => Tree::Map(view.fields().map(|field| (field.key.to_owned(), literal(field.value))).collect()),
        _ => Tree::Literal(view.value()),
    }
}
