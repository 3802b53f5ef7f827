//! Numbers of a JSON text. Their digits are never turned into a machine number.

use super::super::tree::Text;
use super::super::{Span, SyntaxError};
use super::Reader;

impl Reader<'_> {
    pub(super) fn number(&mut self) -> Result<Text, SyntaxError> {
        let start = self.at;
        match number_end(self.bytes, start) {
            Ok(end) => {
                self.at = end;
                Ok(Text::verbatim(Span::new(start, end)))
            }
            Err(at) => Err(self.bad_number(start, at)),
        }
    }
}

/// Whether this is a number in JSON's grammar, whole.
pub(in crate::source) fn is_number(text: &str) -> bool {
    number_end(text.as_bytes(), 0) == Ok(text.len())
}

/// Where the number from `start` on ends, or where it goes wrong.
fn number_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let at = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut end = digits(bytes, at)?;
    if bytes[at] == b'0' && end > at + 1 {
        return Err(at);
    }
    if bytes.get(end) == Some(&b'.') {
        end = digits(bytes, end + 1)?;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        end = digits(bytes, end + 1 + sign)?;
    }
    match bytes.get(end) {
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => Err(end),
        _ => Ok(end),
    }
}

/// Past the digits from `at` on, of which there must be one.
fn digits(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let count = bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 { Err(at) } else { Ok(at + count) }
}
