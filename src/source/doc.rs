//! A document as the floors above see it: a [`View`] is a place in the tree, cheap to copy. Text
//! stays in the source where it can.

use super::json::is_number;
use super::tree::{Duplicate, Entry, Node, NodeId, Text, Tree, Value};
use super::{Source, Span, Trap};

/// A document: its source and the tree read from it.
#[derive(Clone)]
pub struct Doc {
    source: Source,
    tree: Tree,
}

impl std::fmt::Debug for Doc {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?}, {} nodes", self.source, self.len())
    }
}

/// What kind of value a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Null,
    Bool,
    Number,
    String,
    List,
    Map,
}

impl Kind {
    /// The JSON word with its article, for messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::List => "an array",
            Self::Map => "an object",
        }
    }
}

/// A node seen in its document.
#[derive(Clone, Copy)]
pub struct View<'d> {
    doc: &'d Doc,
    id: NodeId,
}

/// A key and its value.
#[derive(Debug, Clone, Copy)]
pub struct Field<'d> {
    pub key: &'d str,
    pub key_span: Span,
    pub value: View<'d>,
}

impl Doc {
    pub(super) fn new(source: Source, tree: Tree) -> Self {
        Self { source, tree }
    }

    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn root(&self) -> View<'_> {
        self.view(self.tree.root)
    }

    /// Keys that stand twice in one map, in the order of the text.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.tree.duplicates
    }

    /// Plain YAML texts that other readers take for something else, in the order of the text.
    pub fn traps(&self) -> &[Trap] {
        &self.tree.traps
    }

    /// How many nodes were read. A value that aliases share counts once.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tree.nodes.is_empty()
    }

    fn view(&self, id: NodeId) -> View<'_> {
        View { doc: self, id }
    }

    fn field(&self, entry: &Entry) -> Field<'_> {
        Field {
            key: self.text(entry.key),
            key_span: entry.key_span,
            value: self.view(entry.value),
        }
    }

    fn text(&self, text: Text) -> &str {
        self.tree.text(self.source.text(), text)
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?} at {:?}", self.kind(), self.span())
    }
}

impl<'d> View<'d> {
    fn node(self) -> &'d Node {
        self.doc.tree.node(self.id)
    }

    pub fn id(self) -> NodeId {
        self.id
    }

    pub fn doc(self) -> &'d Doc {
        self.doc
    }

    /// The whole value, quotes and brackets included. For a value that an alias stands for, it is
    /// the place of the anchor.
    pub fn span(self) -> Span {
        self.node().span
    }

    pub fn kind(self) -> Kind {
        match self.node().value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::List(_) => Kind::List,
            Value::Map(_) => Kind::Map,
        }
    }

    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    pub fn as_str(self) -> Option<&'d str> {
        match self.node().value {
            Value::String(text) => Some(self.doc.text(text)),
            _ => None,
        }
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.node().value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A number as JSON writes it, digit for digit as in the file.
    pub fn as_number(self) -> Option<&'d str> {
        match self.node().value {
            Value::Number(text) => Some(self.doc.text(text)),
            _ => None,
        }
    }

    /// The items of a list; nothing for any other kind.
    pub fn items(self) -> impl ExactSizeIterator<Item = View<'d>> + use<'d> {
        let members = match self.node().value {
            Value::List(run) => &self.doc.tree.members[run.range()],
            _ => &[],
        };
        members.iter().map(move |id| self.doc.view(*id))
    }

    /// The fields of a map in the order of the text; nothing for any other kind.
    pub fn fields(self) -> impl ExactSizeIterator<Item = Field<'d>> + use<'d> {
        self.entries().iter().map(move |entry| self.doc.field(entry))
    }

    fn entries(self) -> &'d [Entry] {
        match self.node().value {
            Value::Map(run) => &self.doc.tree.fields[run.range()],
            _ => &[],
        }
    }

    pub fn field(self, key: &str) -> Option<Field<'d>> {
        let doc = self.doc;
        let is_it = |entry: &&Entry| entry.key.len() == key.len() && doc.text(entry.key) == key;
        self.entries().iter().find(is_it).map(|entry| doc.field(entry))
    }

    pub fn get(self, key: &str) -> Option<View<'d>> {
        self.field(key).map(|field| field.value)
    }

    /// The value as serde_json has it; numbers keep their text.
    pub fn value(self) -> serde_json::Value {
        match self.node().value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => value.into(),
            Value::Number(text) => exact_number(self.doc.text(text)).map_or_else(|| self.doc.text(text).into(), serde_json::Value::Number),
            Value::String(text) => self.doc.text(text).into(),
            Value::List(_) => self.items().map(View::value).collect(),
            Value::Map(_) => self
                .fields()
                .map(|field| (field.key.to_owned(), field.value.value()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

/// A number of JSON with its letters as they are: serde_json's own reader would write `1e400` as `1e+400`.
pub fn exact_number(text: &str) -> Option<serde_json::Number> {
    is_number(text).then(|| serde_json::Number::from_string_unchecked(text.to_owned()))
}
