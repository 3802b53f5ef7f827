//! Scalars of a YAML text: as keys, as values, with tags, and where they really stand.

use granit_parser::{ScalarStyle, Tag};

use super::super::tree::{Duplicate, NodeId, Text, Value};
use super::super::{Span, SyntaxError};
use super::scalar::{self, Plain};
use super::trap::{self, Trap};
use super::{Anchor, Open, Outcome, Reader, Slot, fault};

pub(super) struct Scalar<'e> {
    pub(super) text: &'e str,
    pub(super) style: ScalarStyle,
    pub(super) span: Span,
    pub(super) tag: Option<&'e Tag>,
    pub(super) tag_span: Span,
}

impl Scalar<'_> {
    /// Whether nothing is written: the parser gives `~` for it.
    fn left_out(&self) -> bool {
        self.style == ScalarStyle::Plain && self.span.start == self.span.end
    }

    fn is_bare(&self) -> bool {
        self.style == ScalarStyle::Plain && self.tag.is_none()
    }

    fn meaning(&self) -> Result<Plain<'_>, SyntaxError> {
        let Some(tag) = self.tag else {
            return Ok(match self.style {
                ScalarStyle::Plain => scalar::plain(self.text),
                _ => Plain::Text,
            });
        };
        let text = if self.left_out() { "" } else { self.text };
        let plain = match tag.core_suffix() {
            Some("str") => Some(Plain::Text),
            None if tag.original() == "!" => Some(Plain::Text),
            Some("int" | "float") => scalar::number(text).map(Plain::Number),
            Some("bool") => Some(scalar::plain(text)).filter(|plain| matches!(plain, Plain::Bool(_))),
            Some("null") => Some(scalar::plain(text)).filter(|plain| *plain == Plain::Null),
            _ => None,
        };
        plain.ok_or_else(|| fault::bad_tag(self.tag_span, &tag.original()))
    }
}

/// Whether a list or map may have this tag.
pub(super) fn fits(tag: Option<&Tag>, kind: &str, span: Span) -> Outcome {
    match tag {
        Some(tag) if tag.core_suffix() != Some(kind) && tag.original() != "!" => Err(fault::bad_tag(span, &tag.original())),
        _ => Ok(()),
    }
}

impl Reader<'_> {
    pub(super) fn scalar(&mut self, scalar: &Scalar<'_>, anchor: usize) -> Outcome {
        match self.open.last() {
            Some(Open { slot: Slot::Key, .. }) => self.key(scalar, anchor),
            None if scalar.left_out() && scalar.tag.is_none() && anchor == 0 => Err(fault::empty()),
            _ => {
                let node = self.leaf(scalar)?;
                self.share(anchor, node);
                self.place(node, 0, scalar.span)
            }
        }
    }

    fn share(&mut self, anchor: usize, node: NodeId) {
        self.anchor(anchor, Anchor { node, size: 1, height: 0 });
    }

    fn leaf(&mut self, scalar: &Scalar<'_>) -> Result<NodeId, SyntaxError> {
        self.room(scalar.span)?;
        let value = match scalar.meaning()? {
            Plain::Null => Value::Null,
            Plain::Bool(value) => Value::Bool(value),
            Plain::Number(digits) => Value::Number(self.keep(&digits, scalar.span)),
            Plain::Text => Value::String(self.keep_scalar(scalar)),
        };
        self.note_trap(scalar, false);
        Ok(self.builder.push(value, scalar.span))
    }

    fn key(&mut self, scalar: &Scalar<'_>, anchor: usize) -> Outcome {
        if scalar.left_out() && scalar.tag.is_none() {
            return Err(fault::no_key(scalar.span));
        }
        if scalar.is_bare() && scalar.text == "<<" {
            self.merge_key(scalar.span);
            return Ok(());
        }
        scalar.meaning()?;
        if anchor != 0 {
            let node = self.leaf(scalar)?;
            self.share(anchor, node);
        } else {
            self.note_trap(scalar, true);
        }
        let text = self.keep_scalar(scalar);
        self.await_value(Slot::Value(text, scalar.span));
        Ok(())
    }

    fn merge_key(&mut self, span: Span) {
        let Some(open) = self.open.last_mut() else { return };
        open.slot = Slot::Merge;
        match open.merge_key {
            None => open.merge_key = Some(span),
            Some(first) => self.builder.tree.duplicates.push(Duplicate {
                key: "<<".to_owned(),
                first,
                again: span,
            }),
        }
    }

    fn note_trap(&mut self, scalar: &Scalar<'_>, key: bool) {
        if !scalar.is_bare() {
            return;
        }
        if let Some(kind) = trap::kind(scalar.text) {
            self.builder.tree.traps.push(Trap {
                span: scalar.span,
                text: self.text.get(scalar.span.range()).unwrap_or_default().to_owned(),
                kind,
                key,
            });
        }
    }

    fn keep_scalar(&mut self, scalar: &Scalar<'_>) -> Text {
        let quoted = matches!(scalar.style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        let Span { start, end } = scalar.span;
        let inner = match quoted && end - start >= 2 {
            true => Span {
                start: start + 1,
                end: end - 1,
            },
            false => scalar.span,
        };
        let text = if scalar.left_out() { "" } else { scalar.text };
        self.keep(text, inner)
    }

    /// Points into the source where the text stands there as it is.
    fn keep(&mut self, text: &str, span: Span) -> Text {
        if self.text.get(span.range()) == Some(text) {
            return Text::verbatim(span);
        }
        let mark = self.builder.mark();
        self.builder.unescape(text);
        self.builder.unescaped(mark)
    }

    /// The parser gives the lines of a block scalar from their first letter on, with blank lines
    /// after them. To authors it starts with `|` or `>` and ends with its last letter.
    pub(super) fn scalar_span(&self, style: ScalarStyle, span: Span) -> Span {
        if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return span;
        }
        let before = self.text.get(self.end..span.start as usize).unwrap_or_default();
        let lines = self.text.get(span.range()).unwrap_or_default().trim_end();
        let Some(header) = header(before) else { return span };
        let end = match lines.is_empty() {
            true => self.end + header + 1,
            false => span.start as usize + lines.len(),
        };
        Span::new(self.end + header, end)
    }
}

/// Where the `|` or `>` of a block scalar stands in the text before its lines: in the last line
/// that has anything but a comment.
fn header(before: &str) -> Option<usize> {
    let mut end = before.len();
    for line in before.rsplit(['\n', '\r']) {
        let start = end - line.len();
        let written = line.trim_start();
        if !written.is_empty() && !written.starts_with('#') {
            return indicator(line).map(|at| start + at);
        }
        end = start.saturating_sub(1);
    }
    None
}

fn indicator(line: &str) -> Option<usize> {
    let alone = |at: &usize| *at == 0 || line.as_bytes()[at - 1].is_ascii_whitespace();
    line.match_indices(['|', '>']).map(|(at, _)| at).find(alone)
}
