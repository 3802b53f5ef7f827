//! Text as it stands in each place of a request. Strict: whatever could mean something there is
//! encoded, and nothing is decoded and encoded again.

use std::fmt::Write as _;

use zeroize::Zeroizing;

use super::KeyForm;

impl KeyForm {
    /// A text as it is written in this place. For keys, only `exec/http` may call this.
    pub fn encode(self, text: &str) -> String {
        match self {
            // The text around a key in base64 stays as it is; the key itself is encoded by `exec/http`.
            Self::Header | Self::Base64 | Self::Part => text.to_owned(),
            Self::Query => percent(text),
            Self::Form => form(text),
            Self::Json => json(text),
        }
    }
}

/// Everything but unreserved characters (RFC 3986, 2.3) percent-encoded; a blank is `%20`.
pub(super) fn percent(text: &str) -> String {
    encoded(text, is_unreserved)
}

/// `application/x-www-form-urlencoded`: a blank is `+`.
pub(super) fn form(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The inside of a JSON string.
pub(super) fn json(text: &str) -> String {
    // The text may be a key: what is in between is cleared.
    let quoted = Zeroizing::new(serde_json::Value::from(text).to_string());
    quoted[1..quoted.len() - 1].to_owned()
}

/// The literal text of a path segment: what may stand there stays, `%XX` too, the rest is encoded.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('%');
    out.push_str(&encoded(parts.next().unwrap_or_default(), is_segment));
    for part in parts {
        let hex = part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
        out.push_str(if hex { "%" } else { "%25" });
        out.push_str(&encoded(part, is_segment));
    }
    out
}

/// The text that `%XX` stands for; what is not UTF-8 becomes U+FFFD.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encoded(text: &str, stays: fn(u8) -> bool) -> String {
    text.bytes().fold(String::with_capacity(text.len() * 3), |mut out, byte| {
        if stays(byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// `pchar` without `%` (RFC 3986, 3.3).
fn is_segment(byte: u8) -> bool {
    is_unreserved(byte) || b"!$&'()*+,;=:@".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_its_own_encoding() {
        let text = "a b/é+\"%~";
        assert_eq!(KeyForm::Header.encode(text), text);
        assert_eq!(KeyForm::Query.encode(text), "a%20b%2F%C3%A9%2B%22%25~");
        assert_eq!(KeyForm::Form.encode(text), "a+b%2F%C3%A9%2B%22%25%7E");
        assert_eq!(KeyForm::Part.encode(text), text);
        assert_eq!(KeyForm::Json.encode("a\"\\\n"), "a\\\"\\\\\\n");
    }

    #[test]
    fn literal_path_text_is_encoded_once() {
        assert_eq!(literal("v 1:é,%2f%2F%zz%"), "v%201:%C3%A9,%2f%2F%25zz%25");
        assert_eq!(literal("a?b#c\\d|{e}"), "a%3Fb%23c%5Cd%7C%7Be%7D");
        assert_eq!(decoded("%2e%2E%zz%C3%A9%"), "..%zzé%");
    }
}
