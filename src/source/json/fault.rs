//! What can be wrong with a JSON text, in words: where it stops being JSON, what stands there, and
//! how to mend it. Only single characters and JSON's own words are quoted: anything longer might
//! be a key.

use super::super::{Span, SyntaxError, letter};
use super::Reader;

fn fault(start: usize, end: usize, message: impl Into<String>) -> SyntaxError {
    SyntaxError {
        message: message.into(),
        span: Span::new(start, end),
        help: None,
    }
}

impl SyntaxError {
    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

pub(super) fn last_comma(comma: usize, close: u8) -> SyntaxError {
    let close = char::from(close);
    fault(comma, comma + 1, format!("a comma before `{close}`")).help("remove the comma")
}

pub(super) fn half_pair(start: usize) -> SyntaxError {
    fault(start, start + 6, "half of a surrogate pair").help("write both halves, or the character itself")
}

/// Words of other languages, and what JSON has for them.
const WORDS: [(&str, &str); 8] = [
    ("NaN", "write a number, or `null`"),
    ("Infinity", "write a number, or `null`"),
    ("-Infinity", "write a number, or `null`"),
    ("undefined", "write `null`, or leave the field out"),
    ("None", "write `null`"),
    ("nil", "write `null`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
];

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.source.text().get(self.at..).unwrap_or_default()
    }

    fn here(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The bare word that stands here: letters, digits and a few signs.
    fn bare(&self) -> &str {
        let rest = self.rest();
        let ends = |char: char| !(char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '+' | '.'));
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        let Some(found) = self.here() else {
            return self.unclosed(wanted);
        };
        let end = self.at + found.len_utf8();
        if self.rest().starts_with("//") || self.rest().starts_with("/*") || found == '#' {
            return fault(self.at, end, "a comment, which JSON does not have").help("remove the comment");
        }
        let message = match found {
            '`' => format!("expected {wanted}, found a backtick"),
            _ => format!("expected {wanted}, found `{}`", letter(found)),
        };
        fault(self.at, end, message)
    }

    fn unclosed(&self, wanted: &str) -> SyntaxError {
        let end = self.bytes.len();
        let Some(open) = self.open.last() else {
            return fault(end, end, format!("the text ends where {wanted} should be"));
        };
        let bracket = char::from(self.bytes[open.start]);
        let line = self.source.position(Span::new(open.start, end).start).line;
        let message = format!("the text ends before the `{bracket}` of line {line} is closed");
        fault(end, end, message).help("check that the text is whole, and close what is open")
    }

    pub(super) fn empty(&self) -> SyntaxError {
        fault(0, 0, "the file is empty").help("write one JSON value")
    }

    pub(super) fn more_text(&self) -> SyntaxError {
        match self.unexpected("the end of the text") {
            comment if comment.help.is_some() => comment,
            more => more.help("keep one JSON value"),
        }
    }

    pub(super) fn too_deep(&self) -> SyntaxError {
        let message = format!("nested deeper than {} levels", self.limits.depth);
        fault(self.at, self.at + 1, message)
    }

    pub(super) fn too_many(&self) -> SyntaxError {
        let message = format!("more than {} values", self.limits.nodes);
        fault(self.at, (self.at + 1).min(self.bytes.len()), message)
    }

    pub(super) fn no_value(&self) -> SyntaxError {
        let word = self.bare();
        if let Some((_, help)) = WORDS.iter().find(|(name, _)| *name == word) {
            let end = self.at + word.len();
            return fault(self.at, end, format!("`{word}` is not a JSON value")).help(*help);
        }
        let fault = match self.here() {
            Some(char) if char.is_alphanumeric() => self.bare_word(),
            _ => self.unexpected("a value"),
        };
        match self.here() {
            Some('\'') => fault.help("write the text in double quotes"),
            Some('.') => fault.help("write a `0` before the point"),
            Some('+') => fault.help("remove the `+`"),
            Some('<') if self.open.is_empty() => fault.help("check that this is JSON and not a web page"),
            Some(',') => fault.help("remove the comma, or write the value that is missing"),
            _ => fault,
        }
    }

    fn bare_word(&self) -> SyntaxError {
        let end = self.at + self.bare().len();
        let message = "a word that is not a JSON value";
        fault(self.at, end, message).help("write text in double quotes; the words of JSON are `true`, `false` and `null`")
    }

    pub(super) fn no_key(&self, map: usize) -> SyntaxError {
        let fault = self.unexpected("a key in double quotes");
        match self.here() {
            Some('\'' | '_' | '$') => fault.help("write the key in double quotes"),
            Some(char) if char.is_alphanumeric() => fault.help("write the key in double quotes"),
            Some('{') if self.at == map + 1 => fault.help("write text that holds a placeholder in double quotes"),
            Some(',') => fault.help("remove the comma"),
            _ => fault,
        }
    }

    pub(super) fn no_colon(&self) -> SyntaxError {
        let fault = self.unexpected("`:` after the key");
        match self.here() {
            Some('=') => fault.help("write `:` between a key and its value"),
            Some(',' | '}') => fault.help("write `:` and a value after the key"),
            _ => fault,
        }
    }

    pub(super) fn no_comma(&self, close: u8) -> SyntaxError {
        let close = char::from(close);
        let fault = self.unexpected(&format!("`,` or `{close}`"));
        match self.here() {
            Some('"' | '{' | '[' | '-' | '\'') => fault.help("add a comma after the value before it"),
            Some(char) if char.is_alphanumeric() => fault.help("add a comma after the value before it"),
            Some('}' | ']') => fault.help(format!("close with `{close}` first")),
            _ => fault,
        }
    }

    pub(super) fn bad_string(&self, open: usize) -> SyntaxError {
        match self.peek() {
            None => fault(open, open + 1, "a string without its closing quote").help("close the string with `\"`"),
            Some(b'\n' | b'\r') => {
                let message = "a string that does not end on its line";
                fault(open, self.at, message).help("close the string with `\"`, or write the line end in it as `\\n`")
            }
            Some(byte) => {
                let written = if byte == b'\t' {
                    "\\t".to_owned()
                } else {
                    format!("\\u{byte:04x}")
                };
                let message = format!("a raw control character (U+{byte:04X}) in a string");
                fault(self.at, self.at + 1, message).help(format!("write it as `{written}`"))
            }
        }
    }

    pub(super) fn bad_escape(&self, start: usize) -> SyntaxError {
        let next = self.source.text()[start + 1..].chars().next();
        let end = start + 1 + next.map_or(0, char::len_utf8);
        match next {
            None => fault(start, end, "the text ends inside a string"),
            Some('u') => fault(start, end, "`\\u` without four hexadecimal digits").help("write all four digits, as in `\\u00e9`"),
            Some('\'') => fault(start, end, "`\\'` is not an escape that JSON has").help("write `'` without the backslash"),
            Some(char) => {
                let message = format!("`\\{}` is not an escape that JSON has", letter(char));
                fault(start, end, message).help("write `\\\\` for a backslash")
            }
        }
    }

    /// What is wrong with the number from `start` on, which breaks off at `at`.
    pub(super) fn bad_number(&self, start: usize, at: usize) -> SyntaxError {
        let word = self.bare();
        if word == "-Infinity" {
            return self.no_value();
        }
        let end = start + word.len().max(1);
        let digits = word.trim_start_matches('-');
        if digits.starts_with("0x") || digits.starts_with("0X") {
            return fault(start, end, "a hexadecimal number, which JSON does not have").help("write it in decimal digits");
        }
        if digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
            let message = "a number that starts with `0`";
            return fault(start, end, message).help("remove the zero, or write the value as text in double quotes");
        }
        if at >= self.bytes.len() {
            return fault(start, at, "the text ends inside a number");
        }
        fault(start, end, "not a number that JSON has").help("write digits, or the value as text in double quotes")
    }
}
