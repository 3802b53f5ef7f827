//! The arena that JSON and YAML are read into. A [`View`] is a place in it: cheap to copy, and all
//! that the floors above use. Text stays in the source where it can; only what had escapes is
//! kept beside it.

use super::{Source, Span};

/// Which node of a [`Doc`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// A text in the arena: a slice of the source, or of the unescaped texts beside it.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    start: u32,
    end: u32,
    unescaped: bool,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Null,
    Bool(bool),
    /// The digits as written.
    Number(Text),
    String(Text),
    List {
        first: u32,
        len: u32,
    },
    Map {
        first: u32,
        len: u32,
    },
}

#[derive(Debug, Clone, Copy)]
struct Node {
    value: Value,
    span: Span,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: Text,
    key_span: Span,
    value: NodeId,
}

/// A key that stands more than once in one map. The last value counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub key: String,
    pub first: Span,
    pub again: Span,
}

/// A document: its source and the tree read from it.
#[derive(Debug, Clone)]
pub struct Doc {
    source: Source,
    unescaped: String,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    items: Vec<NodeId>,
    root: NodeId,
    duplicates: Vec<Duplicate>,
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
    pub fn source(&self) -> &Source {
        &self.source
    }

    pub fn root(&self) -> View<'_> {
        View { doc: self, id: self.root }
    }

    /// Keys that stand twice in one map, in the order of the text.
    pub fn duplicates(&self) -> &[Duplicate] {
        &self.duplicates
    }

    /// The node at a JSON Pointer (RFC 6901).
    pub fn at(&self, pointer: &str) -> Option<View<'_>> {
        self.root().at(pointer)
    }

    /// How many nodes were read.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn text(&self, text: Text) -> &str {
        let from = if text.unescaped { &self.unescaped } else { self.source.text() };
        &from[text.start as usize..text.end as usize]
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?} at {:?}", self.kind(), self.span())
    }
}

impl<'d> View<'d> {
    fn node(self) -> &'d Node {
        &self.doc.nodes[self.id.0 as usize]
    }

    pub fn id(self) -> NodeId {
        self.id
    }

    pub fn doc(self) -> &'d Doc {
        self.doc
    }

    /// The whole value, quotes and brackets included.
    pub fn span(self) -> Span {
        self.node().span
    }

    pub fn kind(self) -> Kind {
        match self.node().value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::List { .. } => Kind::List,
            Value::Map { .. } => Kind::Map,
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

    /// A number, digit for digit as written.
    pub fn as_number(self) -> Option<&'d str> {
        match self.node().value {
            Value::Number(text) => Some(self.doc.text(text)),
            _ => None,
        }
    }

    /// The items of a list; nothing for any other kind.
    pub fn items(self) -> impl ExactSizeIterator<Item = View<'d>> + use<'d> {
        let items = match self.node().value {
            Value::List { first, len } => &self.doc.items[first as usize..(first + len) as usize],
            _ => &[],
        };
        items.iter().map(move |id| View { doc: self.doc, id: *id })
    }

    /// The fields of a map in the order of the text; nothing for any other kind.
    pub fn fields(self) -> impl ExactSizeIterator<Item = Field<'d>> + use<'d> {
        self.entries().iter().map(move |entry| Field {
            key: self.doc.text(entry.key),
            key_span: entry.key_span,
            value: View {
                doc: self.doc,
                id: entry.value,
            },
        })
    }

    fn entries(self) -> &'d [Entry] {
        match self.node().value {
            Value::Map { first, len } => &self.doc.entries[first as usize..(first + len) as usize],
            _ => &[],
        }
    }

    pub fn field(self, key: &str) -> Option<Field<'d>> {
        self.fields().find(|field| field.key == key)
    }

    pub fn get(self, key: &str) -> Option<View<'d>> {
        self.field(key).map(|field| field.value)
    }

    /// The node at a JSON Pointer, from here.
    pub fn at(self, pointer: &str) -> Option<View<'d>> {
        let Some(path) = pointer.strip_prefix('/') else {
            return pointer.is_empty().then_some(self);
        };
        path.split('/').try_fold(self, |view, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match view.kind() {
                Kind::List => {
                    let exact = step == "0" || !step.starts_with(['0', '+']);
                    view.items().nth(step.parse().ok().filter(|_| exact)?)
                }
                _ => view.get(&step),
            }
        })
    }

    /// The value as serde_json has it; numbers keep their text.
    pub fn value(self) -> serde_json::Value {
        match self.node().value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => value.into(),
            Value::Number(text) => number(self.doc.text(text)),
            Value::String(text) => self.doc.text(text).into(),
            Value::List { .. } => self.items().map(View::value).collect(),
            Value::Map { .. } => self
                .fields()
                .map(|field| (field.key.to_owned(), field.value.value()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}

fn number(text: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Number>(text).map_or_else(|_| text.into(), serde_json::Value::Number)
}

/// Fills a [`Doc`]. Readers hand in leaves first and close lists and maps around them.
#[derive(Debug)]
pub struct Builder {
    doc: Doc,
}

impl Builder {
    pub fn new(source: Source) -> Self {
        Self {
            doc: Doc {
                source,
                unescaped: String::new(),
                nodes: Vec::new(),
                entries: Vec::new(),
                items: Vec::new(),
                root: NodeId(0),
                duplicates: Vec::new(),
            },
        }
    }

    pub fn len(&self) -> usize {
        self.doc.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.doc.nodes.is_empty()
    }

    /// A text that stands in the source as it is.
    pub fn verbatim(&self, span: Span) -> Text {
        Text {
            start: span.start,
            end: span.end,
            unescaped: false,
        }
    }

    /// A text that had escapes.
    pub fn unescaped(&mut self, text: &str) -> Text {
        let start = self.doc.unescaped.len();
        self.doc.unescaped.push_str(text);
        let span = Span::new(start, self.doc.unescaped.len());
        Text {
            start: span.start,
            end: span.end,
            unescaped: true,
        }
    }

    pub fn null(&mut self, span: Span) -> NodeId {
        self.push(Value::Null, span)
    }

    pub fn bool(&mut self, value: bool, span: Span) -> NodeId {
        self.push(Value::Bool(value), span)
    }

    pub fn number(&mut self, text: Text, span: Span) -> NodeId {
        self.push(Value::Number(text), span)
    }

    pub fn string(&mut self, text: Text, span: Span) -> NodeId {
        self.push(Value::String(text), span)
    }

    pub fn list(&mut self, items: &[NodeId], span: Span) -> NodeId {
        let first = self.doc.items.len();
        self.doc.items.extend_from_slice(items);
        let range = Span::new(first, self.doc.items.len());
        self.push(
            Value::List {
                first: range.start,
                len: range.end - range.start,
            },
            span,
        )
    }

    /// Closes a map. A key that comes again replaces the earlier value in its place, and both
    /// places are kept as a [`Duplicate`].
    pub fn map(&mut self, fields: &[(Text, Span, NodeId)], span: Span) -> NodeId {
        let first = self.doc.entries.len();
        let mut seen = std::collections::HashMap::new();
        for &(key, key_span, value) in fields {
            let earlier = if fields.len() > 8 {
                seen.insert(self.doc.text(key).to_owned(), self.doc.entries.len())
            } else {
                (first..self.doc.entries.len()).find(|at| self.doc.text(self.doc.entries[*at].key) == self.doc.text(key))
            };
            if let Some(at) = earlier {
                let entry = &mut self.doc.entries[at];
                let first = entry.key_span;
                *entry = Entry { key, key_span, value };
                let key = self.doc.text(key).to_owned();
                self.doc.duplicates.push(Duplicate {
                    key: key.clone(),
                    first,
                    again: key_span,
                });
                if fields.len() > 8 {
                    seen.insert(key, at);
                }
            } else {
                self.doc.entries.push(Entry { key, key_span, value });
            }
        }
        let range = Span::new(first, self.doc.entries.len());
        self.push(
            Value::Map {
                first: range.start,
                len: range.end - range.start,
            },
            span,
        )
    }

    fn push(&mut self, value: Value, span: Span) -> NodeId {
        let id = NodeId(Span::new(self.doc.nodes.len(), self.doc.nodes.len()).start);
        self.doc.nodes.push(Node { value, span });
        id
    }

    pub fn finish(mut self, root: NodeId) -> Doc {
        self.doc.root = root;
        self.doc.duplicates.sort_by_key(|duplicate| duplicate.again);
        self.doc
    }
}
