//! YAML into a tree: the core schema of YAML 1.2, aliases shared and not copied, merge keys
//! applied. `leaf` reads scalars, `scalar` says what plain ones mean, `trap` which of them other
//! readers see differently, `fault` what is wrong. Only this folder knows the parser underneath.

mod fault;
mod leaf;
mod scalar;
mod trap;

pub use trap::{Trap, TrapKind};

use granit_parser::{Event, Parser, StrInput};

use self::leaf::{Scalar, fits};
use super::tree::{Builder, NodeId, Text, Tree, Value};
use super::{Limits, Source, Span, SyntaxError};

/// Reads a YAML text whole: one document.
pub(super) fn read(source: &Source, limits: Limits) -> Result<Tree, SyntaxError> {
    let text = source.text();
    if let Some((at, byte)) = raw_control(text) {
        return Err(fault::control(at, byte));
    }
    let options = granit_parser::options! {
        flow_nesting_limit: limits.depth,
        block_nesting_limit: limits.depth,
        emit_comments: false,
        // As the libraries of both hosts do.
        block_scalar_eof_without_line_feed: true,
    };
    let reader = Reader {
        text,
        builder: Builder::new(text),
        limits,
        open: Vec::new(),
        anchors: Vec::new(),
        merges: Vec::new(),
        aliased: 0,
        end: 0,
        documents: 0,
        root: None,
    };
    reader.document(Parser::new_from_str_with_options(text, options))
}

/// The first character that no YAML text may hold as it is.
fn raw_control(text: &str) -> Option<(usize, u8)> {
    let control = |byte: u8| (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7f;
    text.bytes().enumerate().find(|(_, byte)| control(*byte))
}

/// A list or map whose end has not come yet.
struct Open {
    slot: Slot,
    start: usize,
    /// Where its members or fields begin on the builder's stack.
    mark: usize,
    /// Where its merged maps begin on the reader's stack.
    merges: usize,
    /// Its first `<<`.
    merge_key: Option<Span>,
    anchor: usize,
    /// What the whole document counted before it.
    before: usize,
    /// Levels below it.
    height: usize,
}

/// What the next value is for.
#[derive(Clone, Copy)]
enum Slot {
    Member,
    Key,
    Value(Text, Span),
    /// The value of `<<`.
    Merge,
}

/// A value that aliases may stand for.
#[derive(Clone, Copy)]
struct Anchor {
    node: NodeId,
    /// The nodes in it, counting what aliases in it stand for.
    size: usize,
    height: usize,
}

struct Reader<'s> {
    text: &'s str,
    builder: Builder<'s>,
    limits: Limits,
    open: Vec<Open>,
    /// By the parser's number of the anchor; `None` while its value is open.
    anchors: Vec<Option<Anchor>>,
    /// The maps that open maps merge.
    merges: Vec<NodeId>,
    /// The nodes that aliases stood for so far.
    aliased: usize,
    /// Where the last value or bracket ended.
    end: usize,
    documents: usize,
    root: Option<NodeId>,
}

type Outcome = Result<(), SyntaxError>;

impl<'s> Reader<'s> {
    fn document(mut self, mut parser: Parser<'s, StrInput<'s>>) -> Result<Tree, SyntaxError> {
        while let Some(next) = parser.next_event() {
            let (event, place) = next.map_err(|error| fault::of_parser(&error, self.text, self.limits))?;
            let bytes = place.byte_range().unwrap_or_default();
            let span = Span::new(bytes.start, bytes.end);
            let tag_span = place.tag_span().and_then(|tag| tag.byte_range());
            let tag_span = tag_span.map_or(span, |tag| Span::new(tag.start, tag.end));
            self.event(&event, span, tag_span)?;
        }
        match self.root {
            Some(root) => Ok(self.builder.finish(root)),
            None => Err(fault::empty()),
        }
    }

    fn event(&mut self, event: &Event<'s>, span: Span, tag_span: Span) -> Outcome {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(fault::second_document(span));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = Scalar {
                    text,
                    style: *style,
                    span: self.scalar_span(*style, span),
                    tag: tag.as_deref(),
                    tag_span,
                };
                self.scalar(&scalar, *anchor)?;
                self.end = self.end.max(scalar.span.end as usize);
            }
            Event::Alias(anchor) => {
                self.alias(*anchor, span)?;
                self.end = span.end as usize;
            }
            Event::SequenceStart(_, anchor, tag) => {
                fits(tag.as_deref(), "seq", tag_span)?;
                let span = self.list_span(span);
                self.enter(Slot::Member, *anchor, span)?;
            }
            Event::MappingStart(_, anchor, tag) => {
                fits(tag.as_deref(), "map", tag_span)?;
                self.enter(Slot::Key, *anchor, span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(span)?,
            _ => {}
        }
        Ok(())
    }

    fn enter(&mut self, slot: Slot, anchor: usize, span: Span) -> Outcome {
        if matches!(self.open.last(), Some(Open { slot: Slot::Key, .. })) {
            let kind = if matches!(slot, Slot::Key) { "an object" } else { "an array" };
            return Err(fault::key_with_parts(span, kind));
        }
        if self.open.len() >= self.limits.depth {
            return Err(fault::too_deep(span, self.limits));
        }
        self.room(span)?;
        let mark = match slot {
            Slot::Member => self.builder.open_members(),
            _ => self.builder.open_fields(),
        };
        self.open.push(Open {
            slot,
            start: span.start as usize,
            mark,
            merges: self.merges.len(),
            merge_key: None,
            anchor,
            before: self.size(),
            height: 0,
        });
        self.end = self.end.max(span.end as usize);
        Ok(())
    }

    /// Closes the innermost list or map. A bracket counts to it; a block ends with its last part.
    fn leave(&mut self, span: Span) -> Outcome {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if span.end > span.start {
            self.end = span.end as usize;
        }
        let whole = Span::new(open.start, self.end.max(open.start));
        let node = match open.slot {
            Slot::Member => self.builder.list(open.mark, whole),
            _ => {
                let merges = self.merges.split_off(open.merges);
                if !merges.is_empty() {
                    self.builder.merge(open.mark, &merges);
                }
                self.builder.map(open.mark, whole)
            }
        };
        let size = self.size() - open.before;
        let height = open.height + 1;
        self.anchor(open.anchor, Anchor { node, size, height });
        self.place(node, height, whole)
    }

    /// The parser starts a list whose dashes stand right below its key at the first item; to
    /// authors it starts at the dash.
    fn list_span(&self, span: Span) -> Span {
        let below_key = matches!(
            self.open.last(),
            Some(Open {
                slot: Slot::Value(..) | Slot::Merge,
                ..
            })
        );
        if span.end > span.start || !below_key {
            return span;
        }
        let before = self.text.get(self.end..span.start as usize).unwrap_or_default();
        let dash = before.match_indices(['\n', '\r']).map(|(at, _)| at + 1);
        let mut dash = dash.filter_map(|at| {
            let line = &before[at..];
            let blank = line.len() - line.trim_start_matches(' ').len();
            line[blank..].starts_with('-').then_some(self.end + at + blank)
        });
        dash.next().map_or(span, |at| Span::new(at, at))
    }

    /// The nodes of the document so far, counting what aliases stand for.
    fn size(&self) -> usize {
        self.builder.tree.nodes.len() + self.aliased
    }

    /// Open lists and maps become nodes too.
    fn room(&self, span: Span) -> Outcome {
        if self.builder.tree.nodes.len() + self.open.len() >= self.limits.nodes {
            return Err(fault::too_many(span, self.limits));
        }
        Ok(())
    }

    fn anchor(&mut self, number: usize, anchor: Anchor) {
        if number == 0 {
            return;
        }
        if self.anchors.len() <= number {
            self.anchors.resize(number + 1, None);
        }
        self.anchors[number] = Some(anchor);
    }

    fn place(&mut self, node: NodeId, height: usize, span: Span) -> Outcome {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.height = open.height.max(height);
        match open.slot {
            Slot::Member => self.builder.member(node),
            Slot::Value(key, key_span) => {
                open.slot = Slot::Key;
                self.builder.field(key, key_span, node);
            }
            Slot::Merge => {
                open.slot = Slot::Key;
                return self.merge(node, span);
            }
            Slot::Key => return Err(fault::no_key(span)),
        }
        Ok(())
    }

    fn merge(&mut self, node: NodeId, span: Span) -> Outcome {
        let tree = &self.builder.tree;
        let maps = match &tree.node(node).value {
            Value::List(run) => &tree.members[run.range()],
            _ => std::slice::from_ref(&node),
        };
        if maps.iter().any(|map| !matches!(tree.node(*map).value, Value::Map(_))) {
            return Err(fault::bad_merge(span));
        }
        self.merges.extend_from_slice(maps);
        Ok(())
    }

    fn alias(&mut self, number: usize, span: Span) -> Outcome {
        let Some(anchor) = self.anchors.get(number).copied().flatten() else {
            return Err(fault::own_alias(span));
        };
        self.aliased = self.aliased.saturating_add(anchor.size);
        if self.aliased > self.limits.aliased {
            return Err(fault::too_much(span, self.limits));
        }
        if self.open.len() + anchor.height > self.limits.depth {
            return Err(fault::too_deep(span, self.limits));
        }
        if matches!(self.open.last(), Some(Open { slot: Slot::Key, .. })) {
            return self.alias_key(anchor.node, span);
        }
        self.place(anchor.node, anchor.height, span)
    }

    fn alias_key(&mut self, node: NodeId, span: Span) -> Outcome {
        let key = match self.builder.tree.node(node).value {
            Value::String(text) | Value::Number(text) => text,
            Value::List(_) => return Err(fault::key_with_parts(span, "an array")),
            Value::Map(_) => return Err(fault::key_with_parts(span, "an object")),
            Value::Null | Value::Bool(_) => Text::verbatim(self.builder.tree.node(node).span),
        };
        self.await_value(Slot::Value(key, span));
        Ok(())
    }

    fn await_value(&mut self, slot: Slot) {
        if let Some(open) = self.open.last_mut() {
            open.slot = slot;
        }
    }
}

#[cfg(test)]
mod tests;
