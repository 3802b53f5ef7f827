//! A text with its name, and places in it. A [`Span`] is cheap and kept everywhere; a
//! [`Position`] is worked out only when something is shown.

use std::sync::{Arc, OnceLock};

use super::lines::Lines;

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
/// Cheap to clone: all clones share the text.
#[derive(Clone)]
pub struct Source(Arc<Named>);

struct Named {
    name: String,
    text: String,
    lines: OnceLock<Lines>,
}

/// The text stays out: it may hold a key that its author typed.
impl std::fmt::Debug for Source {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} ({} bytes)", self.0.name, self.0.text.len())
    }
}

impl Source {
    /// Takes the text as it is, less a byte order mark.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Self(Arc::new(Named {
            name: name.into(),
            text,
            lines: OnceLock::new(),
        }))
    }

    /// The name alone, of a file that no more is said about.
    #[must_use]
    pub fn without_text(&self) -> Self {
        Self::new(self.name(), "")
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.0.text.get(span.range()).unwrap_or_default()
    }

    /// Where a byte offset is. Lines end at LF, CRLF or a lone CR. The first call reads the whole
    /// text once; later ones cost the same however long a line is.
    pub fn position(&self, offset: u32) -> Position {
        self.lines().position(&self.0.text, offset as usize)
    }

    /// The text of a line, counted from 1, without its end.
    pub fn line(&self, line: usize) -> Option<Span> {
        let bytes = self.lines().line(&self.0.text, line)?;
        Some(Span::new(bytes.start, bytes.end))
    }

    fn lines(&self) -> &Lines {
        self.0.lines.get_or_init(|| Lines::of(&self.0.text))
    }
}

/// A letter of an author's text in a message: one that cannot be seen is named.
pub(super) fn letter(letter: char) -> String {
    match letter {
        _ if letter.is_control() => format!("U+{:04X}", u32::from(letter)),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
            format!("U+{:04X}", u32::from(letter))
        }
        _ => letter.to_string(),
    }
}
