//! The arena below [`super::Doc`]: nodes, the fields of maps, the members of lists and the texts
//! that had escapes. Readers fill it through [`Builder`]; they hand in leaves first and close
//! lists and maps around them. One stack serves all open lists and one all open maps, so a
//! document costs a handful of allocations.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::{Span, Trap};

/// Which node of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A text in the arena: a slice of the source, or of the unescaped texts beside it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    /// The highest bit tells which of the two.
    start: u32,
    end: u32,
}

/// The longest text that a reader takes: one bit of an offset is in use.
pub(super) const LONGEST: usize = 1 << 30;
const UNESCAPED: u32 = 1 << 31;
/// Keys of one map that are compared with each other as they are.
const FEW: usize = 8;

impl Text {
    /// A text that stands in the source as it is.
    pub(super) fn verbatim(span: Span) -> Self {
        Self {
            start: span.start,
            end: span.end,
        }
    }

    /// How many bytes it has.
    pub(super) fn len(self) -> usize {
        (self.end - (self.start & !UNESCAPED)) as usize
    }
}

/// A part of [`Tree::members`] or [`Tree::fields`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    first: u32,
    len: u32,
}

impl Run {
    fn from(first: usize, end: usize) -> Self {
        let span = Span::new(first, end);
        Self {
            first: span.start,
            len: span.end - span.start,
        }
    }

    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// As JSON writes it, digit for digit.
    Number(Text),
    String(Text),
    List(Run),
    Map(Run),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: Text,
    pub(super) key_span: Span,
    pub(super) value: NodeId,
}

/// A key that stands more than once in one map. The last value counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    pub key: String,
    pub first: Span,
    pub again: Span,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) fields: Vec<Entry>,
    pub(super) members: Vec<NodeId>,
    pub(super) duplicates: Vec<Duplicate>,
    pub(super) traps: Vec<Trap>,
    pub(super) root: NodeId,
    unescaped: String,
}

impl Tree {
    pub(super) fn text<'t>(&'t self, source: &'t str, text: Text) -> &'t str {
        let (from, start) = match text.start & UNESCAPED {
            0 => (source, text.start),
            _ => (self.unescaped.as_str(), text.start & !UNESCAPED),
        };
        &from[start as usize..text.end as usize]
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

#[derive(Debug)]
pub(super) struct Builder<'t> {
    pub(super) tree: Tree,
    source: &'t str,
    /// The members of lists that are still open, outermost first.
    members: Vec<NodeId>,
    /// The fields of maps that are still open, outermost first.
    fields: Vec<Entry>,
    /// Room for comparing keys.
    prints: Vec<(u64, u32)>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(source: &'t str) -> Self {
        let tree = Tree {
            nodes: Vec::with_capacity(source.len() / 24 + 4),
            fields: Vec::with_capacity(source.len() / 32 + 4),
            ..Tree::default()
        };
        Self {
            tree,
            source,
            members: Vec::new(),
            fields: Vec::new(),
            prints: Vec::new(),
        }
    }

    /// Adds to the text that [`Self::unescaped`] closes.
    pub(super) fn unescape(&mut self, part: &str) {
        self.tree.unescaped.push_str(part);
    }

    pub(super) fn unescape_char(&mut self, part: char) {
        self.tree.unescaped.push(part);
    }

    /// Where the next unescaped text starts.
    pub(super) fn mark(&self) -> usize {
        self.tree.unescaped.len()
    }

    /// The text that was added since `mark`.
    pub(super) fn unescaped(&self, mark: usize) -> Text {
        let span = Span::new(mark, self.tree.unescaped.len());
        Text {
            start: span.start | UNESCAPED,
            end: span.end,
        }
    }

    pub(super) fn push(&mut self, value: Value, span: Span) -> NodeId {
        let id = NodeId(u32::try_from(self.tree.nodes.len()).expect("limits keep nodes below 2^32"));
        self.tree.nodes.push(Node { value, span });
        id
    }

    /// How many members of open lists there are; a list is closed back to this mark.
    pub(super) fn open_members(&self) -> usize {
        self.members.len()
    }

    pub(super) fn open_fields(&self) -> usize {
        self.fields.len()
    }

    pub(super) fn member(&mut self, member: NodeId) {
        self.members.push(member);
    }

    pub(super) fn field(&mut self, key: Text, key_span: Span, value: NodeId) {
        self.fields.push(Entry { key, key_span, value });
    }

    /// Closes the list whose members stand from `mark` on.
    pub(super) fn list(&mut self, mark: usize, span: Span) -> NodeId {
        let first = self.tree.members.len();
        self.tree.members.extend_from_slice(&self.members[mark..]);
        self.members.truncate(mark);
        self.push(Value::List(Run::from(first, self.tree.members.len())), span)
    }

    /// Closes the map whose fields stand from `mark` on. A key that comes again replaces the
    /// earlier value in its place, and both places are kept as a [`Duplicate`].
    pub(super) fn map(&mut self, mark: usize, span: Span) -> NodeId {
        if self.repeats(mark) {
            self.keep_last(mark);
        }
        let first = self.tree.fields.len();
        self.tree.fields.extend_from_slice(&self.fields[mark..]);
        self.fields.truncate(mark);
        self.push(Value::Map(Run::from(first, self.tree.fields.len())), span)
    }

    /// Whether two of the open fields from `mark` on have one key.
    fn repeats(&mut self, mark: usize) -> bool {
        let (tree, source, fields) = (&self.tree, self.source, &self.fields[mark..]);
        let key = |at: u32| tree.text(source, fields[at as usize].key);
        if fields.len() <= FEW {
            let same =
                |one: &Entry, other: &Entry| one.key.len() == other.key.len() && tree.text(source, one.key) == tree.text(source, other.key);
            let mut pairs = fields.iter().enumerate();
            return pairs.any(|(at, one)| fields[at + 1..].iter().any(|other| same(one, other)));
        }
        self.prints.clear();
        self.prints.extend(
            (0u32..)
                .zip(fields)
                .map(|(at, field)| (fingerprint(tree.text(source, field.key)), at)),
        );
        if fields.len() <= 24 {
            let mut rest = self.prints.as_slice();
            while let Some((one, after)) = rest.split_first() {
                if after.iter().any(|other| one.0 == other.0 && key(one.1) == key(other.1)) {
                    return true;
                }
                rest = after;
            }
            return false;
        }
        // Equal fingerprints are told apart by the keys themselves, so that keys made to collide
        // cost no more than a sort.
        let order = |one: &(u64, u32), other: &(u64, u32)| one.0.cmp(&other.0).then_with(|| key(one.1).cmp(key(other.1)));
        self.prints.sort_unstable_by(order);
        self.prints.windows(2).any(|pair| order(&pair[0], &pair[1]) == Ordering::Equal)
    }

    fn keep_last(&mut self, mark: usize) {
        let (tree, source) = (&mut self.tree, self.source);
        let mut seen = HashMap::new();
        let mut kept: Vec<Entry> = Vec::new();
        let mut firsts = Vec::new();
        let mut found = Vec::new();
        for &entry in &self.fields[mark..] {
            let at = *seen.entry(tree.text(source, entry.key)).or_insert(kept.len());
            if at == kept.len() {
                kept.push(entry);
                firsts.push(entry.key_span);
            } else {
                kept[at] = entry;
                found.push(Duplicate {
                    key: tree.text(source, entry.key).to_owned(),
                    first: firsts[at],
                    again: entry.key_span,
                });
            }
        }
        tree.duplicates.append(&mut found);
        self.fields.truncate(mark);
        self.fields.append(&mut kept);
    }

    /// Adds the fields of these maps to the open map from `mark` on, but for keys that it has.
    pub(super) fn merge(&mut self, mark: usize, maps: &[NodeId]) {
        let (tree, source) = (&self.tree, self.source);
        let own = self.fields[mark..].iter().map(|entry| tree.text(source, entry.key));
        let mut seen: HashSet<&str> = own.collect();
        for map in maps {
            let Value::Map(run) = tree.node(*map).value else { continue };
            let news = tree.fields[run.range()]
                .iter()
                .filter(|entry| seen.insert(tree.text(source, entry.key)));
            self.fields.extend(news);
        }
    }

    pub(super) fn finish(mut self, root: NodeId) -> Tree {
        self.tree.root = root;
        self.tree.duplicates.sort_by_key(|duplicate| duplicate.again);
        self.tree
    }
}

/// A number that equal keys share and other keys seldom do: length, first and last bytes.
fn fingerprint(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let head = bytes
        .first_chunk::<8>()
        .map_or_else(|| short(bytes), |head| u64::from_le_bytes(*head));
    let tail = bytes.last_chunk::<8>().map_or(0, |tail| u64::from_le_bytes(*tail));
    let mixed = (head ^ tail.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (bytes.len() as u64).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

fn short(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |all, byte| (all << 8) | u64::from(*byte))
}
