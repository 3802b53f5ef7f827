//! JSON (RFC 8259) into a [`Doc`]: strict, with exact number text, duplicates and spans.

use super::{Builder, Doc, Limits, NodeId, Source, Span, SyntaxError, Text};

/// Reads a JSON text whole.
pub fn parse(source: Source, limits: Limits) -> Result<Doc, SyntaxError> {
    if source.text().len() > limits.bytes {
        return Err(error(
            0,
            0,
            format!("the file has {} bytes, more than the {} allowed", source.text().len(), limits.bytes),
        ));
    }
    let text = source.text().to_owned();
    let mut reader = Reader {
        bytes: text.as_bytes(),
        text: &text,
        at: 0,
        builder: Builder::new(source),
        limits,
    };
    reader.blank();
    let root = reader.value(0)?;
    reader.blank();
    if reader.at < reader.bytes.len() {
        return Err(reader.unexpected("the end of the file"));
    }
    Ok(reader.builder.finish(root))
}

struct Reader<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    builder: Builder,
    limits: Limits,
}

fn error(start: usize, end: usize, message: String) -> SyntaxError {
    SyntaxError {
        message,
        span: Span::new(start, end),
        help: None,
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        let Some(found) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
            return error(self.at, self.at, format!("the file ends where {wanted} should be"));
        };
        error(
            self.at,
            self.at + found.len_utf8(),
            format!("expected {wanted}, found `{}`", found.escape_debug()),
        )
    }

    fn value(&mut self, depth: usize) -> Result<NodeId, SyntaxError> {
        if depth > self.limits.depth {
            return Err(error(
                self.at,
                self.at + 1,
                format!("nested deeper than {} levels", self.limits.depth),
            ));
        }
        if self.builder.len() >= self.limits.nodes {
            return Err(error(self.at, self.at + 1, format!("more than {} values", self.limits.nodes)));
        }
        let start = self.at;
        match self.peek() {
            Some(b'{') => self.map(depth),
            Some(b'[') => self.list(depth),
            Some(b'"') => {
                let text = self.string()?;
                Ok(self.builder.string(text, Span::new(start, self.at)))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true").map(|span| self.builder.bool(true, span)),
            Some(b'f') => self.word("false").map(|span| self.builder.bool(false, span)),
            Some(b'n') => self.word("null").map(|span| self.builder.null(span)),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn word(&mut self, word: &str) -> Result<Span, SyntaxError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.unexpected("a value"));
        }
        let start = self.at;
        self.at += word.len();
        Ok(Span::new(start, self.at))
    }

    fn map(&mut self, depth: usize) -> Result<NodeId, SyntaxError> {
        let start = self.at;
        let mut fields = Vec::new();
        self.at += 1;
        self.blank();
        while self.peek() != Some(b'}') {
            if !fields.is_empty() {
                self.comma('}')?;
            }
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let key_start = self.at;
            let key = self.string()?;
            let key_span = Span::new(key_start, self.at);
            self.blank();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            self.blank();
            let value = self.value(depth + 1)?;
            fields.push((key, key_span, value));
            self.blank();
        }
        self.at += 1;
        Ok(self.builder.map(&fields, Span::new(start, self.at)))
    }

    fn list(&mut self, depth: usize) -> Result<NodeId, SyntaxError> {
        let start = self.at;
        let mut items = Vec::new();
        self.at += 1;
        self.blank();
        while self.peek() != Some(b']') {
            if !items.is_empty() {
                self.comma(']')?;
            }
            items.push(self.value(depth + 1)?);
            self.blank();
        }
        self.at += 1;
        Ok(self.builder.list(&items, Span::new(start, self.at)))
    }

    fn comma(&mut self, close: char) -> Result<(), SyntaxError> {
        if self.peek() != Some(b',') {
            return Err(self.unexpected(&format!("`,` or `{close}`")));
        }
        let comma = self.at;
        self.at += 1;
        self.blank();
        if self.peek() == Some(close as u8) {
            return Err(error(comma, comma + 1, format!("a comma before `{close}`")));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<NodeId, SyntaxError> {
        let start = self.at;
        self.skip(b"-");
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.skip(b"+-");
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(error(start, self.at + 1, "a number may not start with 0".into()));
        }
        let span = Span::new(start, self.at);
        let text = self.builder.verbatim(span);
        Ok(self.builder.number(text, span))
    }

    fn skip(&mut self, any: &[u8]) {
        if self.peek().is_some_and(|byte| any.contains(&byte)) {
            self.at += 1;
        }
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if start == self.at {
            Err(self.unexpected("a digit"))
        } else {
            Ok(())
        }
    }

    fn string(&mut self) -> Result<Text, SyntaxError> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek() {
                None => return Err(error(open, self.at, "a string without its closing quote".into())),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.builder.verbatim(Span::new(start, self.at - 1)));
                }
                Some(b'\\') => return self.escaped(open, start),
                Some(0..=0x1f) => return Err(self.control()),
                Some(_) => self.at += 1,
            }
        }
    }

    fn control(&self) -> SyntaxError {
        let byte = self.bytes[self.at];
        error(self.at, self.at + 1, format!("a raw control character (U+{byte:04X}) in a string"))
    }

    fn escaped(&mut self, open: usize, start: usize) -> Result<Text, SyntaxError> {
        let mut out = self.text[start..self.at].to_owned();
        loop {
            let from = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(&self.text[from..self.at]);
            match self.peek() {
                None => return Err(error(open, self.at, "a string without its closing quote".into())),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(self.builder.unescaped(&out));
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.control()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => {
                return Err(error(
                    start,
                    (start + 1).min(self.bytes.len()),
                    "not an escape that JSON has".into(),
                ));
            }
        })
    }

    fn unicode(&mut self, start: usize) -> Result<char, SyntaxError> {
        let high = self.hex(start)?;
        let mut code = u32::from(high);
        if (0xd800..0xdc00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.hex(start)?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
            }
        }
        char::from_u32(code).ok_or_else(|| error(start, self.at, "half of a surrogate pair".into()))
    }

    fn hex(&mut self, start: usize) -> Result<u16, SyntaxError> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            return Err(error(start, start + 2, "`\\u` needs four hexadecimal digits".into()));
        };
        self.at += 4;
        Ok(u16::from_str_radix(digits, 16).expect("four hexadecimal digits"))
    }
}
