//! The service's own message out of the body of an error: the usual fields of JSON errors, else
//! how it begins. Cleaned of keys before it is cut, and of what a terminal would obey.

use std::borrow::Cow;

use serde_json::Value;

use crate::keys::Redactor;

/// Characters shown of a service's message.
const SHOWN: usize = 300;

/// The message in an error's body, when it has one.
pub(super) fn said(body: &[u8], redactor: &Redactor) -> Option<String> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let text = match serde_json::from_slice::<Value>(body) {
        // Written anew: an escape such as `\u0055` could hide a key from the redactor.
        Ok(value) => message(&value).unwrap_or_else(|| value.to_string()),
        Err(_) => {
            let text = String::from_utf8_lossy(body);
            page_title(&text).map_or_else(|| text.clone().into_owned(), str::to_owned)
        }
    };
    let shown = visible(&cleaned(&text, redactor), SHOWN);
    (!shown.is_empty()).then_some(shown)
}

/// Somebody else's text, fit to be shown: without keys, on one line, cut at `limit` characters.
pub fn shown(text: &str, limit: usize, redactor: &Redactor) -> String {
    visible(&cleaned(text, redactor), limit)
}

/// What a web page calls itself: the rest of it is for browsers.
fn page_title(text: &str) -> Option<&str> {
    let page = text.trim_start();
    let lower = page.to_ascii_lowercase();
    let is_page = lower.starts_with("<!doctype html") || lower.starts_with("<html");
    let start = lower.find("<title").filter(|_| is_page)?;
    let start = start + lower[start..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    page.get(start..end).map(str::trim).filter(|title| !title.is_empty())
}

/// The text without keys. When one is only seen once escapes are read, the text with its escapes
/// read.
fn cleaned(text: &str, redactor: &Redactor) -> String {
    let plain = unescaped(text);
    match redactor.clean(&plain) {
        Cow::Owned(cleaned) => cleaned,
        Cow::Borrowed(_) => redactor.clean(text).into_owned(),
    }
}

/// The message where problem details (RFC 9457) and the common shapes put it.
fn message(value: &Value) -> Option<String> {
    const PLACES: [&str; 13] = [
        "/detail",
        "/message",
        "/error/message",
        "/error_description",
        "/error/description",
        "/errors/0/detail",
        "/errors/0/message",
        "/errors/0/title",
        "/errors/0",
        "/error",
        "/title",
        "/msg",
        "/reason",
    ];
    PLACES
        .iter()
        .filter_map(|place| value.pointer(place)?.as_str())
        .find(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

/// The text with the escapes of URLs, JSON and HTML read where they spell a plain character.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (read, length) = escape(rest).unwrap_or((letter, letter.len_utf8()));
        out.push(read);
        rest = &rest[length..];
    }
    out
}

/// The character that an escape at the start of the text spells, and the length of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [("&amp;", '&'), ("&quot;", '"'), ("&lt;", '<'), ("&gt;", '>'), ("&apos;", '\'')];
    let spelt = |digits: Option<&str>, radix, length| {
        let letter = char::from_u32(u32::from_str_radix(digits?, radix).ok()?)?;
        letter.is_ascii_graphic().then_some((letter, length))
    };
    if text.starts_with('%') {
        return spelt(text.get(1..3), 16, 3);
    }
    if text.starts_with("\\u") {
        return spelt(text.get(2..6), 16, 6);
    }
    if let Some(number) = text.strip_prefix("&#") {
        let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |digits| (digits, 16));
        let end = digits.find(';').filter(|end| *end < 8)?;
        return spelt(digits.get(..end), radix, text.len() - digits.len() + end + 1);
    }
    let named = NAMED.into_iter().find(|(name, _)| text.starts_with(name));
    named.map(|(name, letter)| (letter, name.len()))
}

/// One line of at most `limit` characters, with blanks joined and everything that a terminal would
/// obey or hide written out.
pub(super) fn visible(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for letter in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        let shown = match letter {
            _ if letter.is_control() || is_hidden(letter) => letter.escape_unicode().to_string(),
            _ => letter.to_string(),
        };
        if out.chars().count() + shown.chars().count() > limit {
            out.push('…');
            break;
        }
        out.push_str(&shown);
    }
    out
}

/// Characters that turn the direction of text or take no room.
fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(body: &str) -> Option<String> {
        said(body.as_bytes(), &Redactor::new([&crate::keys::Secret::new("SECRETVALUE")]))
    }

    #[test]
    fn a_web_page_says_its_title() {
        let page = "<!DOCTYPE html>\n<html><head><TITLE>429 Too\nmany</TITLE></head><body><h1>x</h1></body></html>";
        assert_eq!(say(page).as_deref(), Some("429 Too many"));
        assert_eq!(say("<html><p>x</p></html>").as_deref(), Some("<html><p>x</p></html>"));
        assert_eq!(
            say("<error>no <title>x</title></error>").as_deref(),
            Some("<error>no <title>x</title></error>")
        );
    }

    #[test]
    fn the_usual_places_are_looked_at() {
        let cases = [
            (
                r#"{"type":"about:blank","title":"Nope","detail":"plan does not include this"}"#,
                "plan does not include this",
            ),
            (r#"{"title":"Nope"}"#, "Nope"),
            (r#"{"message":"database is down"}"#, "database is down"),
            (r#"{"error":"bad"}"#, "bad"),
            (r#"{"error":{"code":1,"message":"bad"}}"#, "bad"),
            (r#"{"error":"invalid_grant","error_description":"too old"}"#, "too old"),
            (r#"{"errors":[{"title":"T"}]}"#, "T"),
            (r#"{"errors":["first"]}"#, "first"),
            (r#"{"detail":[{"msg":"x"}]}"#, r#"{"detail":[{"msg":"x"}]}"#),
            ("boom\r\n  again", "boom again"),
        ];
        for (body, expected) in cases {
            assert_eq!(say(body).as_deref(), Some(expected), "{body}");
        }
        assert_eq!(say(""), None);
        assert_eq!(say(" \n"), None);
    }

    #[test]
    fn keys_are_gone_before_the_cut() {
        assert_eq!(say(r#"{"k":"SECRETVAL\u0055E"}"#).as_deref(), Some(r#"{"k":"***"}"#));
        assert_eq!(say(r#"{"k":"SECRETVAL\u0055E"#).as_deref(), Some(r#"{"k":"***"#));
        for hidden in ["%53%45CRETVALUE", "SECRETVALU&#69;", "&#x53;ECRETVALUE &amp; more"] {
            assert!(say(hidden).is_some_and(|said| said.starts_with("***")), "{hidden}");
        }
        assert_eq!(say("100%41 &amp; more").as_deref(), Some("100%41 &amp; more"));
        let border = format!("{}SECRETVALUE", "x".repeat(SHOWN - 5));
        assert_eq!(say(&border), Some(format!("{}***", "x".repeat(SHOWN - 5))));
    }

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(
            say("\u{1b}[31mboom\u{7}\u{202e}").as_deref(),
            Some("\\u{1b}[31mboom\\u{7}\\u{202e}")
        );
        assert_eq!(say(&"é".repeat(400)), Some("é".repeat(300) + "…"));
    }
}
