//! Parameters of an operation: those of its path item and its own as one list, and how each value
//! is written on the wire. 2.0 and 3.x look the same from here on.

use super::Target;
use super::body::is_plain;
use super::dotted::{Pair, dotted};
use super::ledger::{NoteKind, Reason};
use super::refs::{Object, Scope, flag};
use super::schema::{Kinds, Role, kinds, union};
use super::text::clean;
use crate::model::{Style, is_forbidden_header, is_header_name, overrides_method};
use crate::source::{Kind, View};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Header,
    Cookie,
    /// `in: body` of 2.0.
    Body,
    /// `in: formData` of 2.0.
    Form,
}

/// A parameter of an operation.
#[derive(Clone)]
pub(super) struct Param<'d> {
    pub(super) wire: &'d str,
    pub(super) place: Place,
    pub(super) required: bool,
    pub(super) object: Object<'d>,
    pub(super) schema: Option<(View<'d>, Role)>,
    pub(super) send: Send,
}

/// How a value is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Send {
    /// As one text.
    One,
    /// As one text, once the alternatives that are lists are taken out.
    ScalarOnly,
    /// One pair for each item.
    Each,
    Styled(Style),
    /// One pair for each value inside: its name on the wire and its way from the argument.
    Dotted(Vec<Pair>),
    /// A text that the caller joins with this.
    Joined(char),
    /// An object as a text of names and values that the caller joins with commas, `name=value` if
    /// exploded.
    Paired {
        explode: bool,
        names: Vec<String>,
    },
    /// A JSON text that the caller writes.
    JsonText,
    /// A path parameter with a character before it: `.` or `;name=`.
    After(String),
    /// Not in this format.
    Unsayable,
    /// The released host does not say it; this program does.
    BeyondHost,
}

/// The parameters of an operation: the path item's, replaced in their place by the operation's.
pub(super) fn collect<'d>(scope: &Scope<'d>, item: Object<'d>, operation: Object<'d>, target: Target) -> Vec<Param<'d>> {
    let mut params: Vec<Param<'d>> = Vec::new();
    for list in [item.get("parameters"), operation.get("parameters")].into_iter().flatten() {
        let list = if list.kind() == Kind::Map {
            scope.object_or_note(list).map(Object::target)
        } else {
            Some(list)
        };
        for entry in list.into_iter().flat_map(View::items) {
            let Some(param) = read(scope, entry, target) else { continue };
            match params.iter_mut().find(|other| other.is_same(&param)) {
                Some(other) => *other = param,
                None => params.push(param),
            }
        }
    }
    params
}

impl<'d> Param<'d> {
    fn is_same(&self, other: &Self) -> bool {
        self.place == other.place
            && match self.place {
                Place::Header => self.wire.eq_ignore_ascii_case(other.wire),
                Place::Body => true,
                _ => self.wire == other.wire,
            }
    }

    pub(super) fn about(&self) -> &'d str {
        self.object.text("description").unwrap_or_default()
    }

    pub(super) fn is_file(&self) -> bool {
        self.object.text("type") == Some("file")
    }
}

fn read<'d>(scope: &Scope<'d>, entry: View<'d>, target: Target) -> Option<Param<'d>> {
    let object = scope.object_or_note(entry)?;
    let place = match object.text("in")? {
        "path" => Place::Path,
        "query" => Place::Query,
        "header" => Place::Header,
        "cookie" => Place::Cookie,
        "body" => Place::Body,
        "formData" | "form" => Place::Form,
        other => {
            scope.note(
                NoteKind::OddValue,
                entry,
                format!("`{}` is no place for a parameter", clean(other, 40)),
            );
            return None;
        }
    };
    let named = object.text("name").map(str::trim).filter(|name| !name.is_empty());
    let wire = named.or((place == Place::Body).then_some("body"))?;
    let (schema, json) = schema(object, place);
    let required = place == Place::Path || object.flag("required") == Some(true);
    let kinds = schema.map_or(Kinds::default(), |(schema, _)| kinds(scope, schema));
    let send = match place {
        // A list and an object become JSON text when they are sent, a number is its own.
        Place::Query if json => match schema {
            Some((schema, _)) if kinds == Kinds::LIST || kinds == Kinds::OBJECT || is_plain(scope, schema) => Send::One,
            _ => Send::JsonText,
        },
        Place::Path | Place::Header if json => match schema {
            Some((schema, _)) if is_plain(scope, schema) => Send::One,
            _ => Send::JsonText,
        },
        Place::Query => query(scope, object, wire, kinds, schema.map(|(schema, _)| schema), target),
        Place::Form => form(object, kinds),
        Place::Path => path(scope, object, wire, kinds, schema),
        Place::Header if kinds.only_scalar() => Send::One,
        Place::Header => simple(scope, object, kinds, schema),
        Place::Cookie | Place::Body => Send::One,
    };
    Some(Param {
        wire,
        place,
        required,
        object,
        schema,
        send,
    })
}

/// The schema, and whether the value is JSON (`content`).
fn schema<'d>(object: Object<'d>, place: Place) -> (Option<(View<'d>, Role)>, bool) {
    if let Some(schema) = object.get("schema") {
        return (Some((schema, Role::Schema)), false);
    }
    if let Some(content) = object.get("content").and_then(|content| content.fields().next()) {
        let schema = content.value.get("schema").map(|schema| (schema, Role::Schema));
        return (schema, content.key.contains("json"));
    }
    let typed = place != Place::Body
        && ["type", "enum", "items", "format", "default"]
            .iter()
            .any(|name| object.get(name).is_some());
    (typed.then(|| (object.target(), Role::Parameter)), false)
}

fn query<'d>(scope: &Scope<'d>, object: Object<'d>, wire: &str, kinds: Kinds, schema: Option<View<'d>>, target: Target) -> Send {
    if kinds.only_scalar() {
        return Send::One;
    }
    let style = object.text("style");
    let explode = object.flag("explode").unwrap_or(matches!(style, None | Some("form")));
    if kinds.list {
        let said = match (object.text("collectionFormat"), style) {
            (Some("multi"), _) => Send::Each,
            (Some("ssv"), _) => Send::Styled(Style::Space),
            (Some("pipes"), _) => Send::Styled(Style::Pipe),
            (Some("tsv"), _) => Send::Unsayable,
            (Some(_), _) => Send::Styled(Style::Comma),
            // 2.0 joins with commas where nothing is said.
            (None, _) if object.get("schema").is_none() && object.get("content").is_none() => Send::Styled(Style::Comma),
            (None, Some("deepObject")) => Send::Styled(Style::DeepObject),
            _ if explode => Send::Each,
            (None, Some("spaceDelimited")) => Send::Styled(Style::Space),
            (None, Some("pipeDelimited")) => Send::Styled(Style::Pipe),
            _ => Send::Styled(Style::Comma),
        };
        return match target {
            Target::Becket => said,
            Target::Pimpo if kinds.scalar => Send::ScalarOnly,
            Target::Pimpo if said == Send::Unsayable => said,
            Target::Pimpo => Send::BeyondHost,
        };
    }
    match (style, target) {
        (Some("deepObject"), Target::Becket) => Send::Styled(Style::DeepObject),
        (Some("deepObject"), Target::Pimpo) => match dotted(scope, schema, Some(wire)) {
            Send::Unsayable => Send::BeyondHost,
            said => said,
        },
        (None | Some("form"), _) if explode => match dotted(scope, schema, None) {
            Send::Unsayable if kinds.scalar => Send::ScalarOnly,
            said => said,
        },
        // Name, value, name, value.
        (None | Some("form"), Target::Becket) => Send::Styled(Style::Comma),
        (Some("pipeDelimited"), Target::Becket) if !explode => Send::Styled(Style::Pipe),
        (Some("spaceDelimited"), Target::Becket) if !explode => Send::Styled(Style::Space),
        _ if kinds.scalar => Send::ScalarOnly,
        (None | Some("form"), Target::Pimpo) => Send::BeyondHost,
        (Some("pipeDelimited" | "spaceDelimited"), Target::Pimpo) if !explode => Send::BeyondHost,
        _ => Send::Unsayable,
    }
}

fn form<'d>(object: Object<'d>, kinds: Kinds) -> Send {
    match object.text("collectionFormat") {
        _ if kinds.only_scalar() => Send::One,
        Some("multi") => Send::Each,
        _ => Send::Joined(separator(object)),
    }
}

/// What stands between the values of a list in 2.0; a comma in 3.x.
fn separator(object: Object<'_>) -> char {
    match object.text("collectionFormat") {
        Some("tsv") => '\t',
        Some("ssv") => ' ',
        Some("pipes") => '|',
        _ => ',',
    }
}

/// A list or an object in a path or a header: one text.
fn simple<'d>(scope: &Scope<'d>, object: Object<'d>, kinds: Kinds, schema: Option<(View<'d>, Role)>) -> Send {
    let Some((schema, _)) = schema.filter(|_| kinds.object && !kinds.list) else {
        return Send::Joined(separator(object));
    };
    Send::Paired {
        explode: object.flag("explode") == Some(true),
        names: union(scope, schema).properties.keys().map(|name| clean(name, 40)).collect(),
    }
}

fn path<'d>(scope: &Scope<'d>, object: Object<'d>, wire: &str, kinds: Kinds, schema: Option<(View<'d>, Role)>) -> Send {
    match (object.text("style"), kinds.only_scalar()) {
        (Some("label"), true) => Send::After(".".to_owned()),
        (Some("matrix"), true) => Send::After(format!(";{wire}=")),
        (Some("label" | "matrix"), false) => Send::Unsayable,
        (_, true) => Send::One,
        (_, false) => simple(scope, object, kinds, schema),
    }
}

impl Send {
    pub(super) fn is_dotted(&self) -> bool {
        matches!(self, Self::Dotted(_))
    }

    /// How the caller writes the text, when the argument is one whatever the schema says.
    pub(super) fn help(&self) -> Option<String> {
        Some(match self {
            Self::Joined(with) => {
                let name = match with {
                    ',' => "commas",
                    '|' => "`|`",
                    ' ' => "blanks",
                    _ => "tabs",
                };
                format!("(several values are joined with {name})")
            }
            Self::Paired { explode, names } => {
                let how = if *explode {
                    "`name=value` for each value, separated by commas"
                } else {
                    "names and values alternate, separated by commas"
                };
                match names.as_slice() {
                    [] => format!("({how})"),
                    names => format!("({how}; the names are {})", names[..names.len().min(12)].join(", ")),
                }
            }
            Self::JsonText => "(JSON as text)".to_owned(),
            _ => return None,
        })
    }
}

/// Why the operation cannot be imported because of its parameters.
pub(super) fn refusal(params: &[Param<'_>]) -> Option<Reason> {
    params
        .iter()
        .filter(|param| param.required)
        .find_map(|param| match (param.place, &param.send) {
            (Place::Cookie, _) => Some(Reason::CookieParameter(param.wire.to_owned())),
            (Place::Path | Place::Query | Place::Header, Send::Unsayable) => Some(Reason::Form(param.wire.to_owned())),
            (Place::Query, Send::BeyondHost) => Some(Reason::HostForm(param.wire.to_owned())),
            _ => None,
        })
}

/// Headers that no connector sends: those of the connection, cookies, what is set by the sender,
/// what hides the method, and what is no name.
pub(super) fn is_unsendable_header(name: &str) -> bool {
    let other = || ["cookie", "accept-encoding"].iter().any(|own| name.eq_ignore_ascii_case(own));
    is_forbidden_header(name) || !is_header_name(name) || overrides_method(name) || other()
}

/// Headers that the host itself sends, or that carry a key.
pub(super) fn is_own_header(name: &str) -> bool {
    ["accept", "content-type", "authorization"]
        .iter()
        .any(|own| name.eq_ignore_ascii_case(own))
}

/// Whether the description marks something as deprecated.
pub(super) fn is_deprecated(object: Object<'_>) -> bool {
    object.get("deprecated").and_then(flag) == Some(true)
}
