//! References: any JSON Pointer into this document or one beside it, chains and cycles, and the
//! siblings of a `$ref`. Data under `example`, `default`, `enum` and `x-…` is never asked.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::files::{At, Files, Refused, decode};
use super::ledger::{NoteKind, Notes};
use crate::source::{Kind, NodeId, View};

/// Longest chain of references that is followed.
const HOPS: usize = 20;
/// Layers of one object: the siblings of its references and what they lead to.
const LAYERS: usize = 4;

/// Which node of which document.
pub(super) type Key = (usize, NodeId);

pub(super) fn key(view: View<'_>) -> Key {
    (std::ptr::from_ref(view.doc()).addr(), view.id())
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// It is not in the document that it names, or it leads back to itself.
    Missing(String),
    /// It leads out, and that is not allowed or not there.
    Outside(String, Refused),
}

impl Broken {
    pub(super) fn kind(&self) -> NoteKind {
        match self {
            Self::Missing(_) => NoteKind::BrokenRef,
            Self::Outside(..) => NoteKind::ExternalRef,
        }
    }

    pub(super) fn words(&self) -> String {
        match self {
            Self::Missing(reference) => format!("`{reference}` is not there"),
            Self::Outside(reference, Refused::Folder) => format!("`{reference}` is outside the folder of the description"),
            Self::Outside(reference, Refused::Origin) => format!("`{reference}` is on another origin and is not fetched"),
            Self::Outside(reference, Refused::TooMany) => format!("`{reference}` is one document too many"),
            Self::Outside(reference, Refused::Unopened(why)) => format!("`{reference}` is not read: {why}"),
        }
    }
}

/// Where one reference leads.
type Step<'d> = Result<View<'d>, Broken>;

/// The documents with their resolved references, and the notes made on the way.
pub(super) struct Scope<'d> {
    pub(super) files: &'d Files,
    resolved: RefCell<HashMap<(usize, &'d str), Step<'d>>>,
    notes: RefCell<Notes>,
    /// The operation that is being read.
    operation: Cell<Option<At>>,
}

/// An object seen through its references: the siblings of a `$ref` lie over what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Object<'d> {
    layers: [Option<View<'d>>; LAYERS],
}

impl<'d> Object<'d> {
    pub(super) fn plain(view: View<'d>) -> Self {
        Self {
            layers: [Some(view), None, None, None],
        }
    }

    /// The view that it was made from.
    pub(super) fn own(self) -> View<'d> {
        self.layers[0].expect("an object has a first layer")
    }

    /// What the last reference leads to.
    pub(super) fn target(self) -> View<'d> {
        self.layers.iter().flatten().last().copied().unwrap_or_else(|| self.own())
    }

    pub(super) fn get(self, name: &str) -> Option<View<'d>> {
        self.layers.iter().flatten().find_map(|layer| layer.get(name))
    }

    pub(super) fn text(self, name: &str) -> Option<&'d str> {
        self.get(name).and_then(View::as_str)
    }

    /// A boolean; the texts `"true"` and `"false"` count.
    pub(super) fn flag(self, name: &str) -> Option<bool> {
        self.get(name).and_then(flag)
    }
}

pub(super) fn flag(view: View<'_>) -> Option<bool> {
    view.as_bool().or_else(|| match view.as_str()? {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    })
}

/// The `$ref` of an object, when it is one: a property named `$ref` holds an object, not a text.
pub(super) fn reference(view: View<'_>) -> Option<&str> {
    view.get("$ref")?.as_str()
}

impl<'d> Scope<'d> {
    pub(super) fn new(files: &'d Files) -> Self {
        Self {
            files,
            resolved: RefCell::default(),
            notes: RefCell::default(),
            operation: Cell::default(),
        }
    }

    pub(super) fn note(&self, kind: NoteKind, view: View<'_>, text: impl Into<String>) {
        self.note_at(kind, self.files.at(view), text);
    }

    pub(super) fn note_at(&self, kind: NoteKind, at: At, text: impl Into<String>) {
        self.notes.borrow_mut().add(kind, at, self.operation.get(), text.into());
    }

    /// Does work whose notes are about the operation at this place.
    pub(super) fn within<T>(&self, operation: At, work: impl FnOnce() -> T) -> T {
        let before = self.operation.replace(Some(operation));
        let done = work();
        self.operation.set(before);
        done
    }

    /// Takes the notes made so far.
    pub(super) fn take_notes(&self) -> Notes {
        self.notes.take()
    }

    /// Where one step of a reference leads.
    pub(super) fn step(&self, from: View<'d>, reference: &'d str) -> Result<View<'d>, Broken> {
        let place = (std::ptr::from_ref(from.doc()).addr(), reference);
        if let Some(known) = self.resolved.borrow().get(&place) {
            return known.clone();
        }
        let found = self.find(from, reference);
        self.resolved.borrow_mut().insert(place, found.clone());
        found
    }

    fn find(&self, from: View<'d>, reference: &'d str) -> Result<View<'d>, Broken> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let missing = || Broken::Missing(reference.to_owned());
        let doc = if document.is_empty() {
            from.doc()
        } else if let Some(named) = old_name(from, document, fragment) {
            return Ok(named);
        } else {
            self.files
                .follow(from.doc(), document)
                .map_err(|why| Broken::Outside(reference.to_owned(), why))?
        };
        let fragment = decode(fragment);
        doc.at(&fragment).or_else(|| doc.at(&format!("/{fragment}"))).ok_or_else(missing)
    }

    /// Follows references until there is none, keeping siblings. A broken one is an error with the
    /// layers up to there.
    pub(super) fn object(&self, view: View<'d>) -> Result<Object<'d>, Broken> {
        let mut object = Object::plain(view);
        let mut used = 1;
        let mut here = view;
        for _ in 0..HOPS {
            let Some(next) = reference(here) else { return Ok(object) };
            here = self.step(here, next)?;
            if used < LAYERS {
                used += 1;
            }
            object.layers[used - 1] = Some(here);
        }
        Err(Broken::Missing(reference(view).unwrap_or_default().to_owned()))
    }

    /// Like [`Scope::object`], and a broken reference is noted.
    pub(super) fn object_or_note(&self, view: View<'d>) -> Option<Object<'d>> {
        self.object(view)
            .map_err(|broken| self.note(broken.kind(), view, broken.words()))
            .ok()
    }

    /// A map of named things, itself perhaps a reference.
    pub(super) fn map(&self, view: Option<View<'d>>) -> Option<View<'d>> {
        let view = view.filter(|view| view.kind() == Kind::Map)?;
        if reference(view).is_none() {
            return Some(view);
        }
        self.object_or_note(view).map(Object::target)
    }
}

/// `$ref: Pet`, as very old descriptions write it.
fn old_name<'d>(from: View<'d>, name: &str, fragment: &str) -> Option<View<'d>> {
    if !fragment.is_empty() || name.contains(['/', '.', ':']) {
        return None;
    }
    from.doc().root().get("definitions")?.get(name)
}
