//! Forms of 3.x: which multipart bodies can be sent as texts, and which of their fields are files.

use super::body::{Body, essence, is_json_like};
use super::ledger::Reason;
use super::refs::{Object, Scope};
use super::schema::{is_read_only, items, keyword, union};
use crate::model::FormKind;
use crate::source::View;

/// A form of 3.x.
#[derive(Clone)]
pub(super) struct Form<'d> {
    pub(super) kind: FormKind,
    pub(super) schema: View<'d>,
    pub(super) encoding: Option<View<'d>>,
    pub(super) required: bool,
}

/// A multipart form of texts: no file is required, and something beside files is there to send.
pub(super) fn multipart<'d>(scope: &Scope<'d>, object: Option<Object<'d>>, required: bool) -> Result<Body<'d>, Reason> {
    let schema = object.and_then(|object| object.get("schema")).ok_or(Reason::Multipart)?;
    let form = Form {
        kind: FormKind::Multipart,
        schema,
        encoding: object.and_then(|object| object.get("encoding")),
        required,
    };
    let shape = union(scope, schema);
    let sent = shape
        .properties
        .iter()
        .filter(|(_, schemas)| !schemas.iter().any(|schema| is_read_only(scope, *schema)));
    let (files, texts): (Vec<_>, Vec<_>) = sent.partition(|(name, schemas)| form.is_file(scope, name, schemas[0]));
    if files.iter().any(|(name, _)| shape.required.contains(*name)) || texts.is_empty() && !files.is_empty() {
        return Err(Reason::File);
    }
    if texts.is_empty() {
        return Err(Reason::Multipart);
    }
    Ok(Body::Form(form))
}

impl<'d> Form<'d> {
    /// How the form writes one of its fields.
    pub(super) fn encoding(&self, name: &str) -> Option<View<'d>> {
        self.encoding?.get(name)
    }

    /// Whether a field is a file: by its schema or by the type of its part.
    pub(super) fn is_file(&self, scope: &Scope<'d>, name: &str, schema: View<'d>) -> bool {
        let media = self
            .encoding(name)
            .and_then(|encoding| encoding.get("contentType"))
            .and_then(View::as_str);
        let text = |media: &str| {
            let essence = essence(media);
            essence.starts_with("text/") || is_json_like(&essence)
        };
        self.kind == FormKind::Multipart && (is_file(scope, schema) || media.is_some_and(|media| !media.split(',').all(text)))
    }
}

/// A file or a list of files.
fn is_file<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    is_one_file(scope, schema) || items(scope, schema).is_some_and(|items| is_one_file(scope, items))
}

fn is_one_file<'d>(scope: &Scope<'d>, schema: View<'d>) -> bool {
    let word = |name| keyword(scope, schema, name).and_then(View::as_str);
    matches!(word("format"), Some("binary" | "base64" | "file" | "byte"))
        || word("contentMediaType").or_else(|| word("contentEncoding")).is_some()
        || word("type") == Some("file")
}
