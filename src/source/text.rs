//! A text with its name, and places in it. A [`Span`] is cheap and kept everywhere; a
//! [`Position`] is worked out only when something is shown.

/// Bytes `start..end` of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).expect("a source is smaller than 4 GiB");
        Self {
            start: narrow(start),
            end: narrow(end),
        }
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether `other` lies inside this span.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A line and a column as people count them: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// A text and the name that it is shown under (a path as the author wrote it, or an address).
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// Takes the text as it is, less a byte order mark.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Self { name: name.into(), text }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Where a byte offset is. Lines end at LF, CRLF or a lone CR.
    pub fn position(&self, offset: u32) -> Position {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let mut line = 1;
        let mut start = 0;
        let bytes = before.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && self.text.as_bytes().get(at + 1) != Some(&b'\n'));
            if ends {
                line += 1;
                start = at + 1;
            }
        }
        Position {
            line,
            column: before[start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_every_line_end() {
        let source = Source::new("x", "\u{feff}é1\r\nb\rc\n");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!(source.text(), "é1\r\nb\rc\n");
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(7), (3, 1));
        assert_eq!(at(99), (4, 1));
    }
}
