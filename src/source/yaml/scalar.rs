//! What a plain YAML text means: the core schema of YAML 1.2, with two differences for people's
//! sake: an integer with leading zeros stays text (`017`), and so do `.inf` and `.nan`, for which
//! JSON has no number.

use std::borrow::Cow;

use super::super::json::is_number;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Plain<'t> {
    Null,
    Bool(bool),
    /// As JSON writes it.
    Number(Cow<'t, str>),
    Text,
}

pub(super) fn plain(text: &str) -> Plain<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Plain::Null,
        "true" | "True" | "TRUE" => Plain::Bool(true),
        "false" | "False" | "FALSE" => Plain::Bool(false),
        _ => number(text).map_or(Plain::Text, Plain::Number),
    }
}

/// The number in JSON's grammar. Digits stay as written: `1.10` is `1.10`.
pub(super) fn number(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return None;
    }
    if is_number(text) {
        return Some(Cow::Borrowed(text));
    }
    let whole = match text.as_bytes() {
        [b'0', b'x', ..] => based(&text[2..], 16),
        [b'0', b'o', ..] => based(&text[2..], 8),
        _ => decimal(text),
    };
    whole.map(Cow::Owned)
}

fn based(digits: &str, radix: u32) -> Option<String> {
    let only = digits.chars().all(|char| char.is_digit(radix));
    let value = u128::from_str_radix(digits, radix).ok().filter(|_| only)?;
    Some(value.to_string())
}

/// What YAML allows and JSON does not: `+1`, `.5`, `1.`, `01.5`.
fn decimal(text: &str) -> Option<String> {
    let negative = text.starts_with('-');
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let right = digits(whole) && fraction.is_none_or(digits) && exponent.is_none_or(is_exponent);
    let padded = fraction.is_none() && whole.len() > 1 && whole.starts_with('0');
    if !right || padded || (whole.is_empty() && fraction.unwrap_or_default().is_empty()) {
        return None;
    }
    let mut out = String::from(if negative { "-" } else { "" });
    let significant = whole.trim_start_matches('0');
    out.push_str(if significant.is_empty() { "0" } else { significant });
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        out.push('e');
        out.push_str(exponent);
    }
    Some(out)
}

fn is_exponent(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_follow_the_core_schema() {
        let same = ["0", "-1", "200", "1.10", "1e3", "-0.0", "1E+5", "123456789012345678901234567890"];
        for text in same {
            assert_eq!(plain(text), Plain::Number(text.into()), "{text}");
        }
        let rewritten = [
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("+1", "1"),
            ("+.5e-3", "0.5e-3"),
            ("1.", "1.0"),
            ("1.e3", "1.0e3"),
            ("01.5", "1.5"),
            ("00.50", "0.50"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0xffffffffffffffffffff", "1208925819614629174706175"),
        ];
        for (text, json) in rewritten {
            assert_eq!(plain(text), Plain::Number(json.into()), "{text}");
            assert!(is_number(json), "{json}");
        }
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), Plain::Null, "{text}");
        }
        assert_eq!(plain("True"), Plain::Bool(true));
        assert_eq!(plain("FALSE"), Plain::Bool(false));
    }

    #[test]
    fn everything_else_stays_text() {
        let texts = "no yes on off y n tRUE nULL 017 -017 090 01e3 1_000 12:30:45 2024-01-01 .inf -.INF .nan 0x 0o 0o8 0xg +0x1 \
            -0x1F 0b11 1.2.3 . + - -. e5 .e5 1e 1e+ +-1 0x+1 1,000 ٣ 1٣";
        for text in texts.split_whitespace() {
            assert_eq!(plain(text), Plain::Text, "{text}");
        }
    }
}
