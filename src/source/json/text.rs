//! Strings of a JSON text: found eight bytes at a time, kept where they stand unless they have
//! escapes.

use super::super::tree::Text;
use super::super::{Span, SyntaxError};
use super::Reader;
use super::fault;

impl Reader<'_> {
    /// Reads the string whose opening quote is here.
    pub(super) fn string(&mut self) -> Result<Text, SyntaxError> {
        let open = self.at;
        let start = open + 1;
        self.at = plain_end(self.bytes, start);
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Ok(Text::verbatim(Span::new(start, self.at - 1)))
            }
            Some(b'\\') => self.escaped(open, start),
            _ => Err(self.bad_string(open)),
        }
    }

    fn escaped(&mut self, open: usize, start: usize) -> Result<Text, SyntaxError> {
        let mark = self.builder.mark();
        let mut from = start;
        loop {
            self.builder.unescape(&self.source.text()[from..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let char = self.escape()?;
                    self.builder.unescape_char(char);
                }
                _ => return Err(self.bad_string(open)),
            }
            from = self.at;
            self.at = plain_end(self.bytes, from);
        }
        self.at += 1;
        Ok(self.builder.unescaped(mark))
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        let char = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.bad_escape(start)),
        };
        self.at += 2;
        Ok(char)
    }

    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        let first = self.unit(start)?;
        self.at += 6;
        if !(0xd800..0xdc00).contains(&first) || !self.bytes[self.at..].starts_with(b"\\u") {
            return char::from_u32(first).ok_or_else(|| fault::half_pair(start));
        }
        let second = self.unit(self.at)?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(fault::half_pair(start));
        }
        self.at += 6;
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        char::from_u32(code).ok_or_else(|| fault::half_pair(start))
    }

    /// The UTF-16 unit that `\uXXXX` at `start` writes.
    fn unit(&self, start: usize) -> Result<u32, SyntaxError> {
        let digits = self.bytes.get(start + 2..start + 6).unwrap_or_default();
        let value = digits
            .iter()
            .try_fold(0, |all, digit| Some(all * 16 + char::from(*digit).to_digit(16)?));
        value.filter(|_| digits.len() == 4).ok_or_else(|| self.bad_escape(start))
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The first quote, backslash or control character from `at` on, or the end.
fn plain_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(chunk) = bytes[at..].first_chunk::<8>() {
        let stops = stops(u64::from_le_bytes(*chunk));
        if stops != 0 {
            return at + stops.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
    rest.map_or(bytes.len(), |rest| at + rest)
}

/// The high bit of each byte that ends a plain run; right up to the first such byte.
fn stops(word: u64) -> u64 {
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero(word ^ (ONES * b'"' as u64));
    let backslash = zero(word ^ (ONES * b'\\' as u64));
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (quote | backslash | control) & HIGHS
}

#[cfg(test)]
mod tests {
    use super::plain_end;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=255u8 {
            for place in 0..20 {
                let mut bytes = [b'a'; 24];
                bytes[place] = byte;
                bytes[20] = b'"';
                let stops = matches!(byte, b'"' | b'\\' | 0..=0x1f);
                assert_eq!(plain_end(&bytes, 0), if stops { place } else { 20 }, "{byte} at {place}");
            }
        }
        assert_eq!(plain_end(b"abc", 0), 3);
        assert_eq!(plain_end(b"", 0), 0);
    }
}
