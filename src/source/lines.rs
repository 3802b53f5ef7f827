//! Where lines start in a text, and how many characters stand before any byte of it. Built once
//! for a text, on the first question.

use super::Position;

/// Bytes between two counts of characters.
const STRIDE: usize = 1024;

#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// The byte at which each line starts.
    starts: Vec<usize>,
    /// Characters before byte 0, `STRIDE`, 2 × `STRIDE` …
    characters: Vec<usize>,
}

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let mut before = 0;
        let count = |chunk: &[u8]| {
            let here = before;
            before += characters(chunk);
            here
        };
        Self {
            characters: text.as_bytes().chunks(STRIDE).map(count).collect(),
            starts: starts(text.as_bytes()),
        }
    }

    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        Position {
            line,
            column: self.characters_before(text, offset) - self.characters_before(text, start) + 1,
        }
    }

    /// The bytes of a line, counted from 1, without its end.
    pub(super) fn line(&self, text: &str, line: usize) -> Option<std::ops::Range<usize>> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let next = self.starts.get(line).copied().unwrap_or(text.len());
        Some(start..start + text[start..next].trim_end_matches(['\n', '\r']).len())
    }

    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let block = (offset / STRIDE).min(self.characters.len().saturating_sub(1));
        let counted = self.characters.get(block).copied().unwrap_or_default();
        counted + characters(&text.as_bytes()[block * STRIDE..offset])
    }
}

/// The characters that begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count()
}

fn starts(bytes: &[u8]) -> Vec<usize> {
    let ends = |(at, byte): (usize, &u8)| {
        let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        ends.then_some(at + 1)
    };
    std::iter::once(0).chain(bytes.iter().enumerate().filter_map(ends)).collect()
}

#[cfg(test)]
mod tests {
    use crate::source::Source;

    #[test]
    fn positions_count_characters_and_every_line_end() {
        let source = Source::new("x", "\u{feff}é1\r\nb\rc\n");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!(source.text(), "é1\r\nb\rc\n");
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(1), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(4), (1, 4));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(7), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(99), (4, 1));
    }

    #[test]
    fn positions_agree_with_counting_on_long_lines() {
        let text = format!("{}\nx{}\n", "aé€😀".repeat(700), "é".repeat(3000));
        let source = Source::new("x", text.clone());
        for (offset, _) in text.char_indices().step_by(7) {
            let before = &text[..offset];
            let line = before.matches('\n').count() + 1;
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let got = source.position(u32::try_from(offset).unwrap());
            assert_eq!((got.line, got.column), (line, text[start..offset].chars().count() + 1));
        }
    }

    #[test]
    fn a_line_is_without_its_end() {
        let source = Source::new("x", "ab\r\nc\rd\n");
        let line = |line| source.line(line).map(|span| source.slice(span));
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(line),
            [None, Some("ab"), Some("c"), Some("d"), Some(""), None]
        );
    }

    #[test]
    fn an_empty_text_has_one_place() {
        let source = Source::new("x", "");
        assert_eq!((source.position(0).line, source.position(0).column), (1, 1));
    }
}
