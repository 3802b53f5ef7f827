//! Text that others wrote, made safe to show: control characters and bidirectional marks become
//! visible, keys become stars, long prose is wrapped.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text with every character visible that could move the cursor, start an escape sequence,
/// break the line or turn the direction of writing.
pub fn visible(text: &str) -> String {
    show(text, true)
}

/// As [`visible`], and pure ASCII where the screen knows no more.
pub(super) fn show(text: &str, unicode: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut out, letter, unicode);
    }
    out
}

pub(super) fn push(out: &mut String, letter: char, unicode: bool) {
    match letter {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '…' if !unicode => out.push_str("..."),
        '—' | '–' if !unicode => out.push('-'),
        '•' if !unicode => out.push('*'),
        _ if is_unseen(letter) || (!unicode && !letter.is_ascii()) => {
            write!(out, "\\u{{{:x}}}", u32::from(letter)).expect("a String takes all");
        }
        _ => out.push(letter),
    }
}

/// Control characters, line separators, and marks that hide or reorder what stands beside them.
pub(super) fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// JSON text in which every unseen character is an escape; serde_json escapes only those below
/// U+0020.
pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("plain structs with text keys");
    escaped(&text) + "\n"
}

/// The same JSON with every unseen character as an escape, but for line ends between values.
pub fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 1);
    for letter in json.chars() {
        if letter != '\n' && is_unseen(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("a String takes all");
            }
        } else {
            out.push(letter);
        }
    }
    out
}

/// Columns of one character.
pub(super) fn columns(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

/// Breaks prose at blanks into lines of at most `width` columns; a longer word keeps its line.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for word in text.split(' ') {
        let wide = word.width();
        if !out.is_empty() {
            let fits = column + 1 + wide <= width;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += wide;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_is_left() {
        assert_eq!(
            visible("a\u{1b}[2J\u{9b}1m\r\n\t\u{202e}é"),
            "a\\u{1b}[2J\\u{9b}1m\\r\\n\\t\\u{202e}é"
        );
        assert_eq!(show("é… •", false), "\\u{e9}... *");
    }

    #[test]
    fn json_escapes_what_is_unseen() {
        let text = json(&"\u{9b}\u{202e}\u{e0041}\u{7f}é");
        assert_eq!(text, "\"\\u009b\\u202e\\udb40\\udc41\\u007fé\"\n");
        assert_eq!(
            serde_json::from_str::<String>(&text).expect("JSON"),
            "\u{9b}\u{202e}\u{e0041}\u{7f}é"
        );
    }

    #[test]
    fn prose_breaks_at_blanks() {
        assert_eq!(wrap("one two three-four", 8), "one two\nthree-four");
        assert_eq!(wrap("", 8), "");
    }
}
