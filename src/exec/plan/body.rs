//! Fills a body: JSON text with its types and number texts kept, or form fields in their order
//! (as parts: `multipart`).

use serde_json::Value;

use super::encode::form;
use super::fill::{Fill, Pieces};
use super::multipart;
use super::{Content, KeyForm, Media, Piece, PlanError};
use crate::model::{Body, FormKind, Need, Span, Tree, text_form};

/// Nothing when the whole body is missing.
pub(super) fn content(fill: &Fill<'_>, body: &Body) -> Result<Option<Content>, PlanError> {
    Ok(match body {
        Body::Json { tree, .. } if is_absent(fill, tree) => None,
        Body::Json { tree, at } => Some(json(fill, tree, *at)),
        Body::Form { kind, fields, at } => match kind {
            FormKind::UrlEncoded => Some(fields_text(fill, fields, *at)?),
            FormKind::Multipart => multipart::content(fill, fields, *at)?,
        },
    })
}

fn json(fill: &Fill<'_>, tree: &Tree, at: Span) -> Content {
    let mut pieces = Pieces::default();
    write(fill, tree, &mut pieces);
    Content {
        media: Media::Json,
        pieces: pieces.0,
        at,
    }
}

/// Whether the field or element asks for something that is missing. Lists and objects stay when
/// they become empty.
fn is_absent(fill: &Fill<'_>, tree: &Tree) -> bool {
    match tree {
        Tree::Arg { path, .. } => fill.argument(path).is_none(),
        Tree::Text(template) => !fill.has_all(template),
        Tree::Literal(_) | Tree::List(_) | Tree::Map(_) => false,
    }
}

fn write(fill: &Fill<'_>, tree: &Tree, out: &mut Pieces) {
    match tree {
        Tree::Literal(value) => out.text(&value.to_string()),
        Tree::Arg { path, .. } => out.text(&fill.argument(path).unwrap_or(&Value::Null).to_string()),
        Tree::Text(template) => {
            out.text("\"");
            out.extend(fill.text(template, KeyForm::Json).unwrap_or_default());
            out.text("\"");
        }
        Tree::List(items) => {
            out.text("[");
            for (at, tree) in items.iter().filter(|tree| !is_absent(fill, tree)).enumerate() {
                out.text(if at == 0 { "" } else { "," });
                write(fill, tree, out);
            }
            out.text("]");
        }
        Tree::Map(fields) => {
            out.text("{");
            for (at, (key, tree)) in fields.iter().filter(|(_, tree)| !is_absent(fill, tree)).enumerate() {
                out.text(if at == 0 { "" } else { "," });
                out.text(&Value::from(key.as_str()).to_string());
                out.text(":");
                write(fill, tree, out);
            }
            out.text("}");
        }
    }
}

fn fields_text(fill: &Fill<'_>, fields: &[(String, Tree)], at: Span) -> Result<Content, PlanError> {
    let mut out = Pieces::default();
    for (name, tree) in fields {
        let Some(value) = field(fill, tree, KeyForm::Form)? else { continue };
        out.text(if out.0.is_empty() { "" } else { "&" });
        out.text(&form(name));
        out.text("=");
        out.extend(value);
    }
    Ok(Content {
        media: Media::Form,
        pieces: out.0,
        at,
    })
}

/// The text form of a field, or nothing when it is missing; a literal null has no text form.
pub(super) fn field(fill: &Fill<'_>, tree: &Tree, place: KeyForm) -> Result<Option<Vec<Piece>>, PlanError> {
    let text = |text: &str| Some(vec![Piece::Text(place.encode(text))]);
    Ok(match tree {
        Tree::Literal(Value::Null) => None,
        Tree::Literal(value) => text(&text_form(value)),
        Tree::Arg { path, .. } => fill.argument(path).and_then(|value| text(&text_form(value))),
        Tree::Text(template) => fill.text(template, place),
        Tree::List(_) | Tree::Map(_) => {
            without_keys(tree)?;
            let mut json = Pieces::default();
            write(fill, tree, &mut json);
            text(
                &json
                    .0
                    .into_iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => text,
                        Piece::Key { name, .. } => name,
                    })
                    .collect::<String>(),
            )
        }
    })
}

/// JSON text in a form field would need a key in two forms at once.
fn without_keys(tree: &Tree) -> Result<(), PlanError> {
    tree.needs().into_iter().try_for_each(|(need, _)| match need {
        Need::Key(key) => Err(PlanError::KeyInFormJson { key: key.to_owned() }),
        Need::Argument(_) => Ok(()),
    })
}
