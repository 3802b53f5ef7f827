//! The request of a capability, put together from parts: no text is searched for names, and none
//! becomes a template again.

use super::arguments::{Argument, Arguments, To};
use super::dotted::Pair;
use super::params::Send;
use super::path::{Path, Piece};
use super::security::{ApiKey, Place, Prefix};
use crate::model::{
    ArgPath, Body, Each, FormKind, Method, Pair as HeaderPair, Parameter, PathTemplate, Request, Slot, Span, Template, Tree,
};

const NOWHERE: Span = Span { start: 0, end: 0 };

pub(super) fn argument(name: &str) -> ArgPath {
    ArgPath(vec![name.to_owned()])
}

fn template(slots: Vec<Slot>) -> Template {
    Template { slots, at: NOWHERE }
}

/// A text as a literal: braces that would read as a placeholder are kept apart.
fn literal(text: &str) -> Slot {
    Slot::Literal(text.replace("{{", "{ {"))
}

/// What a request takes beside its arguments.
pub(super) struct Extras<'a> {
    pub(super) method: Method,
    pub(super) safe: bool,
    /// Segments before the path.
    pub(super) before: &'a str,
    pub(super) keys: Vec<&'a ApiKey>,
    pub(super) accept: Option<&'a str>,
    /// The type of the body, when it is not the usual one.
    pub(super) media: Option<&'a str>,
    /// How a form is written; nothing for JSON.
    pub(super) form: Option<FormKind>,
}

pub(super) fn request(arguments: &Arguments<'_>, extras: &Extras<'_>) -> Request {
    let list = &arguments.list;
    let mut query: Vec<Parameter> = arguments.path.query.iter().map(|(name, value)| fixed(name, value, list)).collect();
    query.extend(list.iter().filter(|argument| argument.to == To::Query).flat_map(parameters));
    let mut headers = Vec::new();
    for (name, value) in [("Accept", extras.accept), ("Content-Type", extras.media)] {
        headers.extend(value.map(|value| pair(name, vec![literal(value)])));
    }
    headers.extend(list.iter().filter(|argument| argument.to == To::Header).map(header));
    for key in &extras.keys {
        place(key, &mut headers, &mut query);
    }
    Request {
        method: extras.method,
        path: path(&arguments.path, extras.before, list),
        query,
        headers,
        body: body(list, extras),
        safe: extras.safe,
        at: NOWHERE,
    }
}

/// Puts a key where it goes.
pub(super) fn place(key: &ApiKey, headers: &mut Vec<HeaderPair>, query: &mut Vec<Parameter>) {
    match &key.place {
        Place::Header(name) => {
            let mut slots = Vec::new();
            if let Prefix::Known(prefix) = &key.prefix {
                slots.push(literal(&format!("{prefix} ")));
            }
            slots.push(Slot::Key(key.env.clone()));
            headers.push(pair(name, slots));
        }
        Place::Query(name) => query.push(parameter(name, vec![Slot::Key(key.env.clone())])),
    }
}

fn pair(name: &str, slots: Vec<Slot>) -> HeaderPair {
    HeaderPair {
        name: name.to_owned(),
        value: template(slots),
        keys: crate::model::KeyText::AsIs,
        at: NOWHERE,
    }
}

fn parameter(name: &str, slots: Vec<Slot>) -> Parameter {
    Parameter {
        name: name.to_owned(),
        value: Each::One(template(slots)),
        at: NOWHERE,
    }
}

fn header(argument: &Argument<'_>) -> HeaderPair {
    pair(argument.wire, vec![Slot::Arg(self::argument(&argument.name))])
}

fn parameters(argument: &Argument<'_>) -> Vec<Parameter> {
    let whole = || template(vec![Slot::Arg(self::argument(&argument.name))]);
    let value = match &argument.send {
        Send::Each => Each::Every(vec![whole()]),
        Send::Styled(style) => Each::Styled(whole(), *style),
        Send::Dotted(properties) => {
            let dotted = |(wire, way): &Pair| parameter(wire, vec![Slot::Arg(inside(argument, way))]);
            return properties.iter().map(dotted).collect();
        }
        _ => Each::One(whole()),
    };
    vec![Parameter {
        name: argument.wire.to_owned(),
        value,
        at: NOWHERE,
    }]
}

fn inside(argument: &Argument<'_>, way: &[String]) -> ArgPath {
    ArgPath(std::iter::once(&argument.name).chain(way).cloned().collect())
}

/// A query that the path itself has.
fn fixed(name: &str, value: &[Piece], list: &[Argument<'_>]) -> Parameter {
    parameter(name, value.iter().flat_map(|piece| slot(piece, list)).collect())
}

fn slot(piece: &Piece, list: &[Argument<'_>]) -> Vec<Slot> {
    match piece {
        Piece::Text(text) => vec![literal(text)],
        Piece::Blank(wire) => {
            let Some(argument) = list.iter().find(|argument| argument.to == To::Path && argument.wire == wire) else {
                return Vec::new();
            };
            let value = Slot::Arg(self::argument(&argument.name));
            match &argument.send {
                Send::After(before) => vec![literal(before), value],
                _ => vec![value],
            }
        }
    }
}

fn path(path: &Path, before: &str, list: &[Argument<'_>]) -> PathTemplate {
    let before = before.split('/').filter(|step| !step.is_empty()).map(|step| vec![literal(step)]);
    let own = path
        .segments
        .iter()
        .map(|segment| joined(segment.iter().flat_map(|piece| slot(piece, list)).collect()));
    PathTemplate {
        segments: before.chain(own).collect(),
        at: NOWHERE,
    }
}

/// Neighbouring literals as one.
fn joined(slots: Vec<Slot>) -> Vec<Slot> {
    let mut out: Vec<Slot> = Vec::new();
    for slot in slots {
        match (out.last_mut(), slot) {
            (Some(Slot::Literal(before)), Slot::Literal(text)) => before.push_str(&text),
            (_, slot) => out.push(slot),
        }
    }
    out
}

fn body(list: &[Argument<'_>], extras: &Extras<'_>) -> Option<Body> {
    if let Some(whole) = list.iter().find(|argument| argument.to == To::Body) {
        return Some(Body::Json {
            tree: filled(argument(&whole.name)),
            at: NOWHERE,
        });
    }
    let fields: Vec<(String, Tree)> = list
        .iter()
        .filter(|argument| matches!(argument.to, To::Field | To::FormField))
        .flat_map(field)
        .collect();
    if fields.is_empty() {
        return None;
    }
    Some(match extras.form {
        Some(kind) => Body::Form { kind, fields, at: NOWHERE },
        None => Body::Json {
            tree: Tree::Map(fields),
            at: NOWHERE,
        },
    })
}

fn filled(path: ArgPath) -> Tree {
    Tree::Arg { path, at: NOWHERE }
}

fn field(argument: &Argument<'_>) -> Vec<(String, Tree)> {
    match &argument.send {
        Send::Dotted(properties) => properties
            .iter()
            .map(|(wire, way)| (wire.clone(), filled(inside(argument, way))))
            .collect(),
        _ => vec![(argument.wire.to_owned(), filled(self::argument(&argument.name)))],
    }
}
