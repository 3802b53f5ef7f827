//! The text form of values: what stands in a path, a query, a header or a form for an argument.
//! Knows nothing of how a place encodes that text.

use serde_json::Value;

/// Digits that an exponent may be written out to; a longer number stays as written. The largest
/// double has 309.
const MOST_DIGITS: i32 = 400;

/// A string as it is, a number without an exponent, `true` or `false`; a list or an object as
/// compact JSON text.
pub fn text_form(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(&number.to_string()),
        _ => value.to_string(),
    }
}

/// A JSON number without an exponent, digit for digit: `1e21` is `1000000000000000000000`, `1.10`
/// stays `1.10`. A negative zero is `0`.
pub fn number_text(written: &str) -> String {
    let digits = written.strip_prefix('-').unwrap_or(written);
    let sign = &written[..written.len() - digits.len()];
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, ""));
    if mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.')) && !(sign.is_empty() && exponent.is_empty()) {
        return "0".to_owned();
    }
    match exponent.parse::<i32>() {
        Ok(exponent) if (-MOST_DIGITS..=MOST_DIGITS).contains(&exponent) => format!("{sign}{}", moved(mantissa, exponent)),
        _ => written.to_owned(),
    }
}

/// The mantissa with its point moved.
fn moved(mantissa: &str, exponent: i32) -> String {
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).map_or(i32::MAX, |len| len.saturating_add(exponent));
    let missing = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let Some(split) = usize::try_from(point).ok().filter(|split| *split > 0) else {
        return format!("0.{}{digits}", missing(-point));
    };
    match digits.split_at_checked(split) {
        Some((whole, "")) => without_zeros(whole).to_owned(),
        Some((whole, fraction)) => format!("{}.{fraction}", without_zeros(whole)),
        None => without_zeros(&digits).to_owned() + &missing(point - i32::try_from(digits.len()).unwrap_or(point)),
    }
}

fn without_zeros(whole: &str) -> &str {
    match whole.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

/// The text that `%XX` stands for; nothing when that is not UTF-8. What is no `%XX` stays.
pub fn percent_decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_exponent_and_nothing_else() {
        for (written, text) in [
            ("7", "7"),
            ("1.10", "1.10"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e21", "1000000000000000000000"),
            ("1e+21", "1000000000000000000000"),
            ("1E2", "100"),
            ("1e-07", "0.0000001"),
            ("-1.5e-1", "-0.15"),
            ("1.25e1", "12.5"),
            ("1.25e2", "125"),
            ("0.5e1", "5"),
            ("0.05e1", "0.5"),
            ("12e-1", "1.2"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0.00", "0.00"),
            ("0e9", "0"),
            ("1e400", &format!("1{}", "0".repeat(400))),
            ("1e401", "1e401"),
            ("1e-999999999999", "1e-999999999999"),
        ] {
            assert_eq!(number_text(written), text, "{written}");
        }
    }

    #[test]
    fn other_values_have_a_text_too() {
        let form = |text| text_form(&serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(form("\"a \\u00e9\""), "a é");
        assert_eq!(form("true"), "true");
        assert_eq!(form("[1, 2.50, {\"a\": null}]"), "[1,2.50,{\"a\":null}]");
        assert_eq!(form("9007199254740993"), "9007199254740993");
    }
}
