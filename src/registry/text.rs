//! Texts of an entry: cut, on one line.

use serde_json::Value;

/// Letters kept of a text that somebody reads.
const READ: usize = 300;
/// Letters that a word of a command may have.
pub(super) const WORD: usize = 4096;

/// A text to read, white space in it as single blanks.
pub(super) fn read(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(READ));
        if line.chars().count() > READ {
            let cut: String = line.chars().take(READ - 1).collect();
            return cut + "…";
        }
    }
    line
}

/// The text as it stands, when it is one and not empty.
pub(super) fn exact(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn truth(value: &Value) -> bool {
    value.as_bool().unwrap_or_default()
}
