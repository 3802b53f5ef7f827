//! JSON (RFC 8259) into a tree: strict, with exact number text, duplicates and spans. Reads
//! without recursion, so that depth costs no stack. `text` reads strings, `number` numbers, and
//! `fault` words what is wrong.

mod fault;
mod number;
mod text;

pub(super) use number::is_number;

use super::tree::{Builder, NodeId, Text, Tree, Value};
use super::{Limits, Source, Span, SyntaxError};

/// Reads a JSON text whole.
pub(super) fn read(source: &Source, limits: Limits) -> Result<Tree, SyntaxError> {
    Reader {
        bytes: source.text().as_bytes(),
        source,
        at: 0,
        open: Vec::new(),
        builder: Builder::new(source.text()),
        limits,
    }
    .document()
}

/// A list or map whose end has not come yet.
struct Open {
    start: usize,
    /// Where its members or fields begin on the builder's stack.
    mark: usize,
    /// The key whose value comes next.
    key: Option<(Text, Span)>,
}

impl Open {
    fn close(&self) -> u8 {
        if self.key.is_some() { b'}' } else { b']' }
    }
}

struct Reader<'s> {
    bytes: &'s [u8],
    source: &'s Source,
    at: usize,
    open: Vec<Open>,
    builder: Builder<'s>,
    limits: Limits,
}

impl Reader<'_> {
    fn document(mut self) -> Result<Tree, SyntaxError> {
        self.blank();
        if self.at == self.bytes.len() {
            return Err(self.empty());
        }
        loop {
            if let Some(node) = self.value()?
                && let Some(root) = self.place(node)?
            {
                return self.end(root);
            }
        }
    }

    fn end(mut self, root: NodeId) -> Result<Tree, SyntaxError> {
        self.blank();
        match self.peek() {
            None => Ok(self.builder.finish(root)),
            Some(_) => Err(self.more_text()),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        loop {
            self.spaces();
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                _ => return,
            }
        }
    }

    /// Indentation is a large part of most files: eight bytes at a time. The last few bytes of a
    /// file are left to the caller.
    fn spaces(&mut self) {
        while let Some(chunk) = self.bytes[self.at..].first_chunk() {
            let others = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes(*b"        ");
            if others != 0 {
                self.at += others.trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
    }

    /// Reads a value that has no parts, or opens one that has and stops before its first part.
    fn value(&mut self) -> Result<Option<NodeId>, SyntaxError> {
        if self.builder.tree.nodes.len() + self.open.len() >= self.limits.nodes {
            return Err(self.too_many());
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'{') => return self.map(),
            Some(b'[') => return self.list(),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word(b"true", Value::Bool(true))?,
            Some(b'f') => self.word(b"false", Value::Bool(false))?,
            Some(b'n') => self.word(b"null", Value::Null)?,
            _ => return Err(self.no_value()),
        };
        Ok(Some(self.builder.push(value, Span::new(start, self.at))))
    }

    fn word(&mut self, word: &[u8], value: Value) -> Result<Value, SyntaxError> {
        let rest = &self.bytes[self.at..];
        let longer = rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric);
        if longer || !rest.starts_with(word) {
            return Err(self.no_value());
        }
        self.at += word.len();
        Ok(value)
    }

    fn map(&mut self) -> Result<Option<NodeId>, SyntaxError> {
        let start = self.enter()?;
        let mark = self.builder.open_fields();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Some(self.builder.map(mark, Span::new(start, self.at))));
        }
        let key = self.key(start)?;
        let key = Some(key);
        self.open.push(Open { start, mark, key });
        Ok(None)
    }

    fn list(&mut self) -> Result<Option<NodeId>, SyntaxError> {
        let start = self.enter()?;
        let mark = self.builder.open_members();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Some(self.builder.list(mark, Span::new(start, self.at))));
        }
        self.open.push(Open { start, mark, key: None });
        Ok(None)
    }

    fn enter(&mut self) -> Result<usize, SyntaxError> {
        if self.open.len() >= self.limits.depth {
            return Err(self.too_deep());
        }
        let start = self.at;
        self.at += 1;
        self.blank();
        Ok(start)
    }

    /// Reads a key and its colon.
    fn key(&mut self, map: usize) -> Result<(Text, Span), SyntaxError> {
        if self.peek() != Some(b'"') {
            return Err(self.no_key(map));
        }
        let start = self.at;
        let key = self.string()?;
        let span = Span::new(start, self.at);
        if self.peek() != Some(b':') {
            self.blank();
        }
        if self.peek() != Some(b':') {
            return Err(self.no_colon());
        }
        self.at += 1;
        self.blank();
        Ok((key, span))
    }

    /// Puts a value where it belongs and closes what ends after it, up to the place of the next
    /// value, or to the root.
    fn place(&mut self, node: NodeId) -> Result<Option<NodeId>, SyntaxError> {
        let mut node = node;
        while let Some(open) = self.open.last() {
            match open.key {
                Some((key, span)) => self.builder.field(key, span, node),
                None => self.builder.member(node),
            }
            let close = open.close();
            if self.goes_on(close)? {
                return Ok(None);
            }
            node = self.close(close);
        }
        Ok(Some(node))
    }

    /// Whether another part follows in the innermost list or map; reads up to its value.
    fn goes_on(&mut self, close: u8) -> Result<bool, SyntaxError> {
        if self.peek() != Some(b',') {
            self.blank();
        }
        match self.peek() {
            Some(b',') => {}
            Some(byte) if byte == close => return Ok(false),
            _ => return Err(self.no_comma(close)),
        }
        let comma = self.at;
        self.at += 1;
        self.blank();
        if self.peek() == Some(close) {
            return Err(fault::last_comma(comma, close));
        }
        if close == b'}' {
            self.next_key()?;
        }
        Ok(true)
    }

    fn next_key(&mut self) -> Result<(), SyntaxError> {
        let map = self.open.last().map_or(0, |open| open.start);
        let key = self.key(map)?;
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
        Ok(())
    }

    fn close(&mut self, close: u8) -> NodeId {
        self.at += 1;
        let open = self.open.pop().expect("a part closes inside what holds it");
        let span = Span::new(open.start, self.at);
        match close {
            b'}' => self.builder.map(open.mark, span),
            _ => self.builder.list(open.mark, span),
        }
    }
}

#[cfg(test)]
mod tests;
