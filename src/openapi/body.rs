//! The body of an operation: which of the offered types is sent, or why none can be.

use super::Target;
use super::form::{self, Form};
use super::ledger::{NoteKind, Reason};
use super::params::{Param, Place};
use super::refs::{Broken, Object, Scope};
use super::schema::{kinds, named_types, shape};
use crate::model::FormKind;
use crate::source::{Kind, View};

/// What is sent.
#[derive(Clone)]
pub(super) enum Body<'d> {
    None,
    Json {
        /// The media type, when it is not plain `application/json`.
        media: Option<&'d str>,
        schema: Option<View<'d>>,
        required: bool,
        about: Option<&'d str>,
    },
    Form(Form<'d>),
    /// `formData` of 2.0, among the parameters.
    Params(FormKind),
}

impl Body<'_> {
    pub(super) fn form_kind(&self) -> Option<FormKind> {
        match self {
            Self::Form(Form { kind, .. }) | Self::Params(kind) => Some(*kind),
            Self::None | Self::Json { .. } => None,
        }
    }
}

/// The type without its parameters, in lower case.
pub(super) fn essence(media: &str) -> String {
    media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a type is JSON without being `application/json`.
pub(super) fn is_json_like(essence: &str) -> bool {
    essence.contains("json") && !essence.contains("json-seq") && !essence.contains("jsonl") && !essence.contains("ndjson")
}

pub(super) fn is_json(essence: &str) -> bool {
    essence == "application/json"
}

fn is_any(essence: &str) -> bool {
    matches!(essence, "*/*" | "application/*" | "*")
}

fn is_multipart(essence: &str) -> bool {
    essence == "multipart/form-data"
}

fn is_form(essence: &str) -> bool {
    essence == "application/x-www-form-urlencoded"
}

/// The body of an operation of 3.x.
pub(super) fn of_content<'d>(scope: &Scope<'d>, operation: Object<'d>, reads: bool, target: Target) -> Result<Body<'d>, Reason> {
    let Some(view) = operation.get("requestBody").filter(|view| view.kind() == Kind::Map) else {
        return Ok(Body::None);
    };
    let body = scope.object(view).map_err(|broken| {
        scope.note(broken.kind(), view, broken.words());
        match broken {
            Broken::Missing(reference) => Reason::BrokenRef(reference),
            Broken::Outside(reference, _) => Reason::ExternalRef(reference),
        }
    })?;
    let required = body.flag("required") == Some(true);
    let Some(content) = body.get("content").and_then(|content| scope.map(Some(content))) else {
        return Ok(Body::None);
    };
    let offers: Vec<(String, &'d str, Option<Object<'d>>)> = content
        .fields()
        .map(|field| (essence(field.key), field.key, scope.object_or_note(field.value)))
        .collect();
    if offers.is_empty() {
        return Ok(Body::None);
    }
    let find = |wanted: &dyn Fn(&str) -> bool| offers.iter().find(|(essence, ..)| wanted(essence));
    let about = body.text("description");
    let json = |media, object: &Option<Object<'d>>| {
        let schema = object.and_then(|object| object.get("schema"));
        let empty = schema.is_none_or(|schema| is_empty(scope, schema));
        if reads && empty && !required {
            Body::None
        } else {
            Body::Json {
                media,
                schema,
                required,
                about,
            }
        }
    };
    if let Some((_, _, object)) = find(&is_json) {
        return Ok(json(None, object));
    }
    if let Some((_, _, object)) = find(&is_form) {
        return Ok(form(scope, *object, required));
    }
    if let Some((essence, _, object)) = find(&is_json_like) {
        // A pattern such as `application/*+json` is no type to send.
        let media = (!essence.contains('*'))
            .then(|| offers.iter().find(|(other, ..)| other == essence).map(|(_, media, _)| *media))
            .flatten();
        return Ok(json(media, object));
    }
    if let Some((_, _, object)) = find(&is_any) {
        return Ok(json(None, object));
    }
    let number = |(essence, _, object): &&(String, &'d str, Option<Object<'d>>)| {
        let schema = object.and_then(|object| object.get("schema"));
        essence == "text/plain" && schema.is_some_and(|schema| is_plain(scope, schema))
    };
    if let Some((_, media, object)) = offers.iter().find(number) {
        return Ok(json(Some(*media), object));
    }
    match find(&is_multipart) {
        Some((_, _, object)) if target == Target::Becket => form::multipart(scope, *object, required),
        _ => Err(unsendable(scope, &offers)),
    }
}

fn form<'d>(scope: &Scope<'d>, object: Option<Object<'d>>, required: bool) -> Body<'d> {
    let Some(schema) = object.and_then(|object| object.get("schema")) else {
        return Body::None;
    };
    if is_empty(scope, schema) {
        return Body::None;
    }
    Body::Form(Form {
        kind: FormKind::UrlEncoded,
        schema,
        encoding: object.and_then(|object| object.get("encoding")),
        required,
    })
}

/// A number, or true or false: its JSON is the same text.
pub(super) fn is_plain<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    let types = named_types(scope, schema);
    !types.is_empty() && types.iter().all(|name| matches!(*name, "integer" | "number" | "boolean"))
}

/// An object without properties: nothing to send.
fn is_empty<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    let shape = shape(scope, schema);
    let kinds = kinds(scope, schema);
    shape.properties.is_empty() && !shape.open && !shape.alternatives && !kinds.list && !kinds.scalar
}

fn unsendable<'d>(scope: &Scope<'d>, offers: &[(String, &'d str, Option<Object<'d>>)]) -> Reason {
    let (essence, media, _) = &offers[0];
    let multipart = offers.iter().find(|(essence, ..)| essence.starts_with("multipart/"));
    if let Some((_, _, object)) = multipart {
        // With a file that may be left out the reason is the form.
        let file = matches!(form::multipart(scope, *object, false), Err(Reason::File));
        return if file { Reason::File } else { Reason::Multipart };
    }
    let media = super::text::clean(media, 60);
    if essence.ends_with("/xml") || essence.ends_with("+xml") {
        Reason::Xml
    } else if is_text(essence) {
        Reason::Text(media)
    } else {
        Reason::Binary(media)
    }
}

/// Types that are text under another name than `text/…`; JSON and XML are asked for before.
const TEXTS: &[&str] = &[
    "json-seq",
    "jsonl",
    "json-lines",
    "ndjson",
    "jsonlines",
    "javascript",
    "ecmascript",
    "graphql",
    "yaml",
    "toml",
    "sql",
    "csv",
    "sparql-query",
    "sparql-update",
];

fn is_text(essence: &str) -> bool {
    let Some((kind, name)) = essence.split_once('/') else {
        return false;
    };
    let last = name.rsplit_once('+').map_or(name, |(_, last)| last);
    matches!(kind, "text" | "message") || kind == "application" && TEXTS.contains(&last.strip_prefix("x-").unwrap_or(last))
}

/// The body of an operation of 2.0: its parameters and what it consumes.
pub(super) fn of_params<'d>(
    scope: &Scope<'d>,
    params: &[Param<'d>],
    consumes: Option<View<'d>>,
    target: Target,
) -> Result<Body<'d>, Reason> {
    let types: Vec<(String, &'d str)> = consumes
        .into_iter()
        .flat_map(View::items)
        .filter_map(View::as_str)
        .map(|media| (essence(media), media))
        .collect();
    let offers = |wanted: fn(&str) -> bool| types.iter().find(|(essence, _)| wanted(essence));
    let body = params.iter().find(|param| param.place == Place::Body);
    let fields: Vec<&Param<'d>> = params.iter().filter(|param| param.place == Place::Form).collect();
    if body.is_some() && !fields.is_empty() {
        return Err(Reason::MixedBody);
    }
    if let Some(body) = body {
        return json_of(body, &types);
    }
    if fields.is_empty() {
        return Ok(Body::None);
    }
    let files: Vec<&&Param<'d>> = fields.iter().filter(|field| field.is_file()).collect();
    let multipart = if types.is_empty() {
        !files.is_empty()
    } else {
        offers(is_multipart).is_some()
    };
    let plain = offers(is_form).is_some();
    let sends = target == Target::Becket && multipart && files.len() < fields.len();
    let only_files = files.len() == fields.len();
    if files.iter().any(|file| file.required) || !files.is_empty() && !plain && !sends && (only_files || !multipart) {
        return Err(Reason::File);
    }
    let other = || types.iter().any(|(essence, _)| essence.starts_with("multipart/"));
    if !plain && !sends && (multipart || other()) {
        return Err(Reason::Multipart);
    }
    for file in files {
        scope.note(NoteKind::DroppedField, file.object.own(), "a file is not sent");
    }
    let kind = if sends && !plain {
        FormKind::Multipart
    } else {
        FormKind::UrlEncoded
    };
    Ok(Body::Params(kind))
}

fn json_of<'d>(body: &Param<'d>, types: &[(String, &'d str)]) -> Result<Body<'d>, Reason> {
    let plain = types.is_empty() || types.iter().any(|(essence, _)| is_json(essence) || is_any(essence));
    let like = types.iter().find(|(essence, _)| is_json_like(essence) && !essence.contains('*'));
    let pattern = types.iter().any(|(essence, _)| is_json_like(essence));
    if !plain && like.is_none() && !pattern {
        return Err(other_type(types));
    }
    Ok(Body::Json {
        media: if plain { None } else { like.map(|(_, media)| *media) },
        schema: body.schema.map(|(schema, _)| schema),
        required: body.required,
        about: body.object.text("description"),
    })
}

fn other_type(types: &[(String, &str)]) -> Reason {
    let media = |at: usize| super::text::clean(types[at].1, 60);
    if types
        .iter()
        .any(|(essence, _)| essence.ends_with("/xml") || essence.ends_with("+xml"))
    {
        Reason::Xml
    } else if types.iter().any(|(essence, _)| essence.starts_with("multipart/")) {
        Reason::Multipart
    } else if types.iter().any(|(essence, _)| is_text(essence)) {
        Reason::Text(media(0))
    } else {
        Reason::Binary(media(0))
    }
}
