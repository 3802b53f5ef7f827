//! The arguments of an operation and where each value goes: named, with the body's fields after
//! the parameters. What cannot be said is left out here, with a note.

use std::collections::HashSet;

use super::Operation;
use super::body::Body;
use super::dotted::dotted;
use super::form::Form;
use super::ledger::{NoteKind, Reason};
use super::names::{Names, argument_name};
use super::params::{Param, Place, Send};
use super::path::{Path, Piece};
use super::refs::Scope;
use super::schema::{Role, is_read_only, kinds, shape, union};
use super::taken::alternatives;
use super::text::clean;
use crate::model::FormKind;
use crate::source::View;

/// An argument of a capability.
pub(super) struct Argument<'d> {
    pub(super) name: String,
    pub(super) wire: &'d str,
    pub(super) required: bool,
    pub(super) to: To,
    /// What it is, in one or several schemas that all hold; none for "a text".
    pub(super) schemas: Vec<(View<'d>, Role)>,
    pub(super) about: Option<&'d str>,
    pub(super) send: Send,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Path,
    Query,
    Header,
    /// A field of a JSON body.
    Field,
    /// A field of a form.
    FormField,
    /// The whole body.
    Body,
}

impl To {
    /// Whether the value stands beside its name on the wire, where a name is there once.
    fn is_by_name(self) -> bool {
        matches!(self, Self::Query | Self::FormField)
    }
}

/// The arguments and the path that they go into.
pub(super) struct Arguments<'d> {
    pub(super) list: Vec<Argument<'d>>,
    pub(super) path: Path,
}

pub(super) fn arguments<'d>(scope: &Scope<'d>, operation: &Operation<'d>) -> Arguments<'d> {
    let mut made = Maker {
        scope,
        names: Names::default(),
        list: Vec::new(),
    };
    let mut path = super::path::parse(operation.path).unwrap_or_default();
    for param in &operation.params {
        made.parameter(param, &mut path);
    }
    made.undeclared(operation, &path);
    made.body(operation);
    made.say_once(operation, &path);
    Arguments { list: made.list, path }
}

struct Maker<'s, 'd> {
    scope: &'s Scope<'d>,
    names: Names,
    list: Vec<Argument<'d>>,
}

impl<'d> Maker<'_, 'd> {
    fn parameter(&mut self, param: &Param<'d>, path: &mut Path) {
        let to = match param.place {
            Place::Path => {
                if !bind(path, param.wire) {
                    let text = format!("`{}` is not in the path", clean(param.wire, 60));
                    self.scope.note(NoteKind::UnusedPathParameter, param.object.own(), text);
                    return;
                }
                To::Path
            }
            Place::Query => {
                // The path repeats in its query what the parameter says.
                path.query.retain(|(name, _)| name != param.wire);
                To::Query
            }
            Place::Header => To::Header,
            Place::Form if param.is_file() => return,
            Place::Form => To::FormField,
            Place::Cookie | Place::Body => return,
        };
        let unsayable = match (to, &param.send) {
            (To::FormField, Send::Each) | (_, Send::Unsayable) => Some("has a form that cannot be sent"),
            (_, Send::BeyondHost) => Some("has a form that the released host cannot send; `--target becket` can"),
            _ => None,
        };
        if let Some(why) = unsayable {
            let text = format!("`{}` {why}", clean(param.wire, 60));
            self.scope.note(NoteKind::DroppedArgument, param.object.own(), text);
            return;
        }
        let schemas: Vec<_> = param.schema.into_iter().collect();
        self.add(
            param.wire,
            param.required,
            to,
            schemas,
            Some(param.about()),
            param.send.clone(),
            param.object.own(),
        );
    }

    #[expect(clippy::too_many_arguments, reason = "one for each field of an argument")]
    fn add(
        &mut self,
        wire: &'d str,
        required: bool,
        to: To,
        schemas: Vec<(View<'d>, Role)>,
        about: Option<&'d str>,
        send: Send,
        at: View<'d>,
    ) {
        let joined = match send {
            Send::Joined(_) => Some("a list that the caller joins in one text"),
            Send::Paired { .. } => Some("an object that the caller joins in one text"),
            Send::JsonText => Some("JSON that the caller writes as text"),
            _ => None,
        };
        if let Some(what) = joined {
            let text = format!("`{}` is {what}", clean(wire, 60));
            self.scope.note(NoteKind::JoinedList, at, text);
        }
        for (schema, _) in &schemas {
            for (lost, why) in alternatives(self.scope, *schema, &send) {
                let text = format!("`{}` {why}", clean(wire, 60));
                self.scope.note(NoteKind::DroppedAlternative, lost, text);
            }
        }
        self.list.push(Argument {
            name: self.names.take(argument_name(wire)),
            wire,
            required,
            to,
            schemas,
            about: about.filter(|about| !about.trim().is_empty()),
            send,
        });
    }

    /// Blanks of the path that no parameter declares.
    fn undeclared(&mut self, operation: &Operation<'d>, path: &Path) {
        let mut seen = HashSet::new();
        for name in path.blanks() {
            let known = self.list.iter().any(|argument| argument.to == To::Path && argument.wire == name);
            // The name is a piece of the path as the description writes it.
            let Some(start) = operation.path.find(name) else { continue };
            if known || !seen.insert(name.to_owned()) {
                continue;
            }
            let wire = &operation.path[start..start + name.len()];
            let view = operation.object.own();
            let text = format!("`{}` of the path is declared nowhere; a text is asked for", clean(wire, 60));
            self.scope.note(NoteKind::UndeclaredPathParameter, view, text);
            self.add(wire, true, To::Path, Vec::new(), None, Send::One, view);
        }
    }

    /// Takes out of objects that are sent value by value what has the name of another parameter: a
    /// name has one value, the parameter's own or the first object's.
    fn say_once(&mut self, operation: &Operation<'d>, path: &Path) {
        let group = |to: To| matches!(to, To::FormField);
        let mut said: HashSet<(bool, String)> = path.query.iter().map(|(name, _)| (false, name.clone())).collect();
        let whole = self
            .list
            .iter()
            .filter(|argument| argument.to.is_by_name() && !argument.send.is_dotted());
        said.extend(whole.map(|argument| (group(argument.to), argument.wire.to_owned())));
        for argument in &mut self.list {
            let Send::Dotted(pairs) = &mut argument.send else { continue };
            let at = argument
                .schemas
                .first()
                .map_or_else(|| operation.object.own(), |(schema, _)| *schema);
            pairs.retain(|(wire, way)| {
                let first = said.insert((group(argument.to), wire.clone()));
                if !first {
                    let text = format!("`{}.{}` has the name of another parameter", argument.name, way.join("."));
                    self.scope.note(NoteKind::DroppedField, at, text);
                }
                first
            });
        }
        self.list.retain(|argument| argument.send != Send::Dotted(Vec::new()));
    }

    fn body(&mut self, operation: &Operation<'d>) {
        match &operation.body {
            Body::None | Body::Params(_) => {}
            Body::Json {
                schema, required, about, ..
            } => self.json(*schema, *required, *about, operation),
            Body::Form(form) => self.form(form),
        }
    }

    fn json(&mut self, schema: Option<View<'d>>, required: bool, about: Option<&'d str>, operation: &Operation<'d>) {
        let at = schema.unwrap_or_else(|| operation.object.own());
        let Some(shape) = schema
            .map(|schema| shape(self.scope, schema))
            .filter(|shape| is_flat(self.scope, at, shape))
        else {
            let schemas = schema.into_iter().map(|schema| (schema, Role::Schema)).collect();
            self.add("body", required, To::Body, schemas, about, Send::One, at);
            return;
        };
        if shape.open {
            self.scope
                .note(NoteKind::DroppedField, at, "other fields than those that are named are not sent");
        }
        for (name, schemas) in shape.properties {
            if schemas.iter().any(|schema| is_read_only(self.scope, *schema)) {
                continue;
            }
            let at = schemas[0];
            // Also for an optional body: the object is sent even when it is empty.
            let must = shape.required.contains(name);
            let schemas = schemas.into_iter().map(|schema| (schema, Role::Schema)).collect();
            self.add(name, must, To::Field, schemas, None, Send::One, at);
        }
    }

    fn form(&mut self, form: &Form<'d>) {
        let shape = union(self.scope, form.schema);
        for (name, schemas) in shape.properties {
            if schemas.iter().any(|schema| is_read_only(self.scope, *schema)) {
                continue;
            }
            let at = schemas[0];
            if form.is_file(self.scope, name, at) {
                self.scope.note(NoteKind::DroppedField, at, "a file is not sent");
                continue;
            }
            let send = field_send(self.scope, name, at, form);
            if send == Send::Unsayable {
                self.scope.note(
                    NoteKind::DroppedField,
                    at,
                    format!("`{}` has a form that cannot be sent", clean(name, 60)),
                );
                continue;
            }
            let must = form.required && shape.required.contains(name);
            let schemas = schemas.into_iter().map(|schema| (schema, Role::Schema)).collect();
            self.add(name, must, To::FormField, schemas, None, send, at);
        }
    }
}

/// Whether each property can be an argument of its own.
fn is_flat<'d>(scope: &Scope<'d>, schema: View<'d>, shape: &super::schema::Shape<'d>) -> bool {
    let kinds = kinds(scope, schema);
    let named = |(_, schemas): (&&str, &Vec<View<'d>>)| !schemas.iter().any(|schema| is_read_only(scope, *schema));
    !shape.alternatives && !kinds.list && !kinds.scalar && shape.properties.iter().any(named)
}

/// How a field of a form is written.
fn field_send<'d>(scope: &Scope<'d>, name: &str, schema: View<'d>, form: &Form<'d>) -> Send {
    let kinds = kinds(scope, schema);
    let text = |field: &str| form.encoding(name).and_then(|encoding| encoding.get(field)).and_then(View::as_str);
    let json = text("contentType").is_some_and(|media| media.contains("json"));
    if kinds.only_scalar() {
        // JSON text of one value would stand in a part of that type, and ours has none.
        let lost = json && form.kind == FormKind::Multipart;
        return if lost { Send::Unsayable } else { Send::One };
    }
    match (text("style"), kinds.list) {
        _ if json => Send::One,
        (_, true) if kinds.scalar => Send::ScalarOnly,
        (Some("deepObject"), _) => dotted(scope, Some(schema), Some(name)),
        (_, true) => Send::Unsayable,
        // JSON is what 3.x says for an object without an encoding.
        (None, false) => Send::One,
        (Some(_), false) => Send::Unsayable,
    }
}

/// A required field of a form that cannot be sent.
pub(super) fn refusal<'d>(scope: &Scope<'d>, body: &Body<'d>, params: &[Param<'d>]) -> Option<Reason> {
    match body {
        Body::Form(form) if form.required => {
            let shape = union(scope, form.schema);
            if shape.properties.is_empty() {
                return Some(Reason::Form("body".to_owned()));
            }
            let must = shape.properties.iter().filter(|(name, _)| shape.required.contains(*name));
            let mut lost = must.filter(|(name, schemas)| field_send(scope, name, schemas[0], form) == Send::Unsayable);
            lost.next().map(|(name, _)| Reason::Form((*name).to_owned()))
        }
        Body::Params(_) => {
            let mut lost = params
                .iter()
                .filter(|param| param.place == Place::Form && param.required && param.send == Send::Each);
            lost.next().map(|param| Reason::Form(param.wire.to_owned()))
        }
        _ => None,
    }
}

/// Finds the blank of a path parameter; one that is written in other case or as `:name` becomes
/// one.
fn bind(path: &mut Path, wire: &str) -> bool {
    if path.blanks().any(|blank| blank == wire) {
        return true;
    }
    let colon = format!(":{wire}");
    let pieces = path
        .segments
        .iter_mut()
        .flatten()
        .chain(path.query.iter_mut().flat_map(|(_, value)| value));
    for piece in pieces {
        let same = match piece {
            Piece::Blank(name) => name.eq_ignore_ascii_case(wire),
            Piece::Text(text) => *text == colon,
        };
        if same {
            *piece = Piece::Blank(wire.to_owned());
            return true;
        }
    }
    false
}
