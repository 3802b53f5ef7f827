//! Where the lines of a text are, counted once, so that a place is found fast in a file of any
//! size, one line of 7 MB included. Counts as [`Source::position`](crate::source::Source) does.

use crate::source::{Position, Span};

/// Bytes between two remembered character counts.
const BLOCK: usize = 4096;

/// The lines of one text.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Where each line starts.
    starts: Vec<usize>,
    /// How many characters start before each block.
    letters: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = |at: &usize| bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        let mut starts = vec![0];
        starts.extend((0..bytes.len()).filter(ends).map(|at| at + 1));
        let mut letters = vec![0];
        for block in bytes.chunks(BLOCK) {
            letters.push(letters[letters.len() - 1] + count_letters(block));
        }
        Self { text, starts, letters }
    }

    /// How many lines there are; an empty last one counts.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The bytes of a line, counted from 1, without its end.
    pub(super) fn bytes(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The byte offset itself, or the start of the character that it is in.
    pub(super) fn floor(&self, offset: usize) -> usize {
        let mut at = offset.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// The span cut to the text and to whole characters.
    pub(super) fn span(&self, span: Span) -> std::ops::Range<usize> {
        let start = self.floor(span.start as usize);
        start..self.floor(span.end as usize).max(start)
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        let at = self.floor(offset);
        let line = self.starts.partition_point(|start| *start <= at);
        Position {
            line,
            column: self.letters_before(at) - self.letters_before(self.starts[line - 1]) + 1,
        }
    }

    fn letters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.letters[block] + count_letters(&self.text.as_bytes()[block * BLOCK..offset])
    }
}

fn count_letters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn positions_agree_with_the_source() {
        let long = "é\"x\r\nß漢\r".repeat(1500) + "\n";
        for text in ["", "a", "\n", "é1\r\nb\rc\n", "\r\r\n\n", &long] {
            let source = Source::new("x", text);
            let lines = Lines::new(source.text());
            for offset in 0..=text.len() + 1 {
                let offset = u32::try_from(offset).expect("small");
                assert_eq!(lines.position(offset as usize), source.position(offset), "{offset}");
            }
        }
    }

    #[test]
    fn a_line_is_without_its_end() {
        let lines = Lines::new("ab\r\nc\rd\n");
        let all: Vec<_> = (1..=lines.len()).map(|line| &lines.text()[lines.bytes(line)]).collect();
        assert_eq!(all, ["ab", "c", "d", ""]);
    }
}
