//! Takes keys out of text: each value and the forms that it takes on its way (URL, form, base64,
//! base64url, hex, JSON, HTML and Basic), longest first, at every exit of the program.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::Secret;
use super::secret::SHORT;

/// What stands where a key was.
const MASK: &str = "***";
/// A value of this length is replaced by halves too: services show the half of a key that they
/// refuse.
const HALVED: usize = 16;

/// Knows the values of one run and replaces them in text.
#[derive(Default)]
pub struct Redactor {
    needles: Vec<Zeroizing<String>>,
    /// Values whose halves are replaced too.
    halved: Vec<Zeroizing<String>>,
}

impl Redactor {
    pub fn new<'s>(secrets: impl IntoIterator<Item = &'s Secret>) -> Self {
        let mut redactor = Self::default();
        for secret in secrets {
            redactor.learn(secret);
        }
        redactor
    }

    /// Knows one more value from now on.
    pub fn learn(&mut self, secret: &Secret) {
        let value = secret.expose();
        // What stands for a short value is shorter than a word that may stand anywhere.
        let told = |form: &String| !form.is_empty() && (form.len() >= SHORT || form == value || form == value.trim());
        let forms = forms(value).into_iter().filter(told);
        self.needles.extend(forms.map(Zeroizing::new));
        self.needles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.needles.dedup();
        if value.len() >= HALVED {
            self.halved.push(Zeroizing::new(value.to_owned()));
        }
    }

    /// The text with every key replaced by `***`.
    pub fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out = Cow::Borrowed(text);
        for needle in &self.needles {
            if let Some(cleaned) = replace(&out, needle) {
                out = Cow::Owned(cleaned);
            }
        }
        for value in &self.halved {
            if let Some(cleaned) = without_halves(&out, value) {
                out = Cow::Owned(cleaned);
            }
        }
        out
    }
}

/// The text without the halves of a value, each with what follows or goes before it in the value.
fn without_halves(text: &str, value: &str) -> Option<String> {
    let middle = value.char_indices().map(|(at, _)| at).find(|at| *at >= value.len() / 2)?;
    let (first, second) = value.split_at(middle);
    let grown = |found: &str, rest: &str| -> usize {
        found
            .chars()
            .zip(rest.chars())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum()
    };
    let shrunk = |found: &str, rest: &str| -> usize {
        let pairs = found.chars().rev().zip(rest.chars().rev());
        pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
    };
    let starts = text.match_indices(first).map(|(at, _)| {
        let end = at + first.len();
        at..end + grown(&text[end..], second)
    });
    let ends = text
        .match_indices(second)
        .map(|(at, _)| at - shrunk(&text[..at], first)..at + second.len());
    let mut parts: Vec<_> = starts.chain(ends).collect();
    parts.sort_by_key(|part| part.start);
    let mut out = String::new();
    let mut from = 0;
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if part.start >= from {
            out.push_str(&text[from..part.start]);
            out.push_str(MASK);
        }
        from = from.max(part.end);
    }
    (from > 0).then(|| out + &text[from..])
}

fn replace(text: &str, needle: &str) -> Option<String> {
    let mut out = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices(needle) {
        if at < from || (needle.len() < SHORT && !is_word(text, at, at + needle.len())) {
            continue;
        }
        out.push_str(&text[from..at]);
        out.push_str(MASK);
        from = at + needle.len();
    }
    (from > 0).then(|| out + &text[from..])
}

fn is_word(text: &str, start: usize, end: usize) -> bool {
    let inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    !inside(text[..start].chars().next_back()) && !inside(text[end..].chars().next())
}

fn forms(value: &str) -> Vec<String> {
    let quoted = serde_json::to_string(value).expect("a text is always JSON");
    let form: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut forms = vec![
        value.to_owned(),
        value.trim().to_owned(),
        // As a host in an address, and as the name of a variable.
        value.to_lowercase(),
        value.to_uppercase(),
        quoted[1..quoted.len() - 1].to_owned(),
        form.replace('+', "%20"),
        form.to_lowercase(),
        form,
        percent(value),
        hex.to_uppercase(),
        hex,
    ];
    // What a suggestion for a name would make of it.
    let bare: String = value.chars().filter(|letter| letter.is_alphanumeric()).collect();
    forms.extend((bare.len() >= HALVED).then(|| bare.to_lowercase()));
    // As careful writers escape every letter.
    forms.push(value.bytes().map(|byte| format!("%{byte:02X}")).collect());
    forms.push(value.bytes().map(|byte| format!("%{byte:02x}")).collect());
    forms.push(value.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect());
    forms.push(value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect());
    for engine in [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD] {
        forms.push(engine.encode(value));
    }
    forms.extend(within(value));
    forms.extend(html(value));
    // An address inside an address.
    let twice: Vec<String> = forms
        .iter()
        .filter(|form| form.contains('%'))
        .map(|form| form.replace('%', "%25"))
        .collect();
    forms.extend(twice);
    forms
}

/// As an error page shows it: quotes and apostrophes have several names.
fn html(value: &str) -> impl Iterator<Item = String> {
    let plain = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let quotes = ["\"", "&quot;", "&#34;"];
    let apostrophes = ["'", "&#39;", "&#x27;", "&apos;"];
    quotes.into_iter().flat_map(move |quote| {
        let quoted = plain.replace('"', quote);
        apostrophes.into_iter().map(move |apostrophe| quoted.replace('\'', apostrophe))
    })
}

/// What base64 makes of a longer text around the value, such as `user:value` in Basic: for each of
/// the three ways it may fall, the letters that only the value decides.
fn within(value: &str) -> impl Iterator<Item = String> {
    let shifted = |engine: &GeneralPurpose, before: usize| {
        let encoded = engine.encode([&b"\0\0"[..before], value.as_bytes()].concat());
        let from = (before * 8).div_ceil(6);
        let to = (before + value.len()) * 8 / 6;
        encoded.get(from..to).filter(|inner| inner.len() >= HALVED).map(str::to_owned)
    };
    let ways = (0..3).flat_map(move |before| [(STANDARD, before), (URL_SAFE, before)]);
    ways.filter_map(move |(engine, before)| shifted(&engine, before))
}

/// The strictest percent-encoding: everything but unreserved characters (RFC 3986, 2.3).
fn percent(value: &str) -> String {
    value
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_value_is_replaced() {
        let value = "SECRET/valué+7f\"3a\"&'<x>";
        let redactor = Redactor::new([&Secret::new(value)]);
        for form in forms(value) {
            assert_eq!(redactor.clean(&format!("a {form} b")), "a *** b", "{form}");
        }
        assert_eq!(redactor.clean("nothing here"), "nothing here");
        let redactor = Redactor::new([&Secret::new("CANARYkey/+=&12345\"x'")]);
        for form in [
            "CANARYkey%252F%252B%253D%252612345%2522x%2527",
            "CANARYkey/+=&amp;12345&quot;x&#x27;",
            "CANARYkey/+=&amp;12345&#34;x'",
        ] {
            assert_eq!(redactor.clean(form), "***", "{form}");
        }
    }

    #[test]
    fn base64_of_a_text_around_a_value_is_replaced() {
        let value = "sk/0123+456789_abcdef";
        let redactor = Redactor::new([&Secret::new(value)]);
        for before in ["", "u", "us", "user", "user:"] {
            for after in ["", ":", ":x", ":xy"] {
                for engine in [STANDARD, URL_SAFE] {
                    let encoded = engine.encode(format!("{before}{value}{after}"));
                    let cleaned = redactor.clean(&encoded).into_owned();
                    assert!(
                        cleaned.contains("***") && cleaned.len() < before.len() * 2 + after.len() * 2 + 16,
                        "{cleaned}"
                    );
                }
            }
        }
    }

    #[test]
    fn half_of_a_long_value_is_replaced() {
        let redactor = Redactor::new([&Secret::new("sk_live_0123456789abcdef")]);
        assert_eq!(redactor.clean("bad key sk_live_0123…, not …456789abcdef"), "bad key ***…, not …***");
        assert_eq!(redactor.clean("sk_live_0123456789abcde"), "***");
        assert_eq!(redactor.clean("(k_live_0123456789abcdef)"), "(***)");
        assert_eq!(redactor.clean("sk_live_0123456456789abcdef"), "******");
        assert_eq!(redactor.clean("sk_live_012"), "sk_live_012");
    }

    #[test]
    fn a_short_value_is_replaced_only_as_a_word() {
        let redactor = Redactor::new([&Secret::new("s3")]);
        assert_eq!(redactor.clean("bad token s3, not s3x"), "bad token ***, not s3x");
    }

    #[test]
    fn what_stands_for_a_short_value_is_left_alone() {
        let redactor = Redactor::new([&Secret::new("a")]);
        assert_eq!(redactor.clean("a page of A, 61 and YQ at %61"), "*** page of A, 61 and YQ at %61");
        assert_eq!(Redactor::new([&Secret::new("ab12")]).clean("61623132, ab12"), "***, ***");
    }
}
