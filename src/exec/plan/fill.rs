//! Fills the slots of a text with arguments and names of keys. What is filled in is never read as
//! a template again.

use serde_json::{Map, Value};

use super::{KeyForm, Piece};
use crate::keys::Keys;
use crate::model::{ArgPath, Slot, Template, text_form};

/// What one call has to fill templates with.
pub(super) struct Fill<'a> {
    pub(super) capability: &'a str,
    pub(super) args: &'a Map<String, Value>,
    pub(super) keys: &'a Keys,
}

impl<'a> Fill<'a> {
    pub(super) fn argument(&self, path: &ArgPath) -> Option<&'a Value> {
        path.find(self.args)
    }

    /// Whether everything that the text asks for is there.
    pub(super) fn has_all(&self, template: &Template) -> bool {
        template.slots.iter().all(|slot| match slot {
            Slot::Literal(_) => true,
            Slot::Arg(path) => self.argument(path).is_some(),
            Slot::Key(name) => self.keys.has(name),
        })
    }

    /// The filled text, encoded for its place; nothing when something is missing.
    pub(super) fn text(&self, template: &Template, form: KeyForm) -> Option<Vec<Piece>> {
        let mut pieces = Pieces::default();
        for slot in &template.slots {
            match slot {
                Slot::Literal(text) => pieces.text(&form.encode(text)),
                Slot::Arg(path) => pieces.text(&form.encode(&text_form(self.argument(path)?))),
                Slot::Key(name) => pieces.key(self.keys.has(name).then_some(name)?, form),
            }
        }
        Some(pieces.0)
    }
}

/// Pieces with neighbouring texts joined and no empty ones.
#[derive(Default)]
pub(in crate::exec) struct Pieces(pub(in crate::exec) Vec<Piece>);

impl Pieces {
    pub(in crate::exec) fn text(&mut self, more: &str) {
        match self.0.last_mut() {
            _ if more.is_empty() => {}
            Some(Piece::Text(text)) => text.push_str(more),
            _ => self.0.push(Piece::Text(more.to_owned())),
        }
    }

    pub(in crate::exec) fn key(&mut self, name: &str, form: KeyForm) {
        self.0.push(Piece::Key {
            name: name.to_owned(),
            form,
        });
    }

    pub(in crate::exec) fn extend(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.text(&text),
                key @ Piece::Key { .. } => self.0.push(key),
            }
        }
    }
}
