//! Plain YAML texts that readers disagree about. The tree has what YAML 1.2 says; a [`Trap`] lets
//! a rule tell the author what others would see.

use std::ops::RangeInclusive;

use super::super::Span;
use super::scalar::number;

/// A plain text that another reader takes for something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    pub span: Span,
    /// As written.
    pub text: String,
    pub kind: TrapKind,
    /// Whether it stands as a key.
    pub key: bool,
}

/// Why readers disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrapKind {
    /// `no`, `on`, `y`: text, and a boolean in YAML 1.1.
    Word,
    /// `2024-01-31`: text, and a date in YAML 1.1.
    Date,
    /// `017`, `090`: text, and some number elsewhere.
    LeadingZero,
    /// `0o17`: a number, and text in YAML 1.1; `0b11`: the reverse.
    Radix,
    /// `12:30:45`: text, and a number to base 60 in YAML 1.1.
    Sexagesimal,
    /// `1_000`: text, and a number in YAML 1.1.
    Underscore,
    /// `1e3`: a number, and text in YAML 1.1.
    Exponent,
    /// `1.10`: a number whose last zero gets lost, as in a version.
    TrailingZero,
    /// `.inf`, `.nan`: text, and a number that JSON does not have.
    NotFinite,
}

impl TrapKind {
    /// What other readers take it for, for messages.
    pub fn elsewhere(self) -> &'static str {
        match self {
            Self::Word => "a boolean",
            Self::Date => "a date",
            Self::LeadingZero | Self::Underscore => "a number",
            Self::Radix => "a number for some readers and text for others",
            Self::Sexagesimal => "a number to base 60",
            Self::Exponent => "text",
            Self::TrailingZero => "a number without its last zero",
            Self::NotFinite => "a number that JSON does not have",
        }
    }
}

const WORDS: [&str; 16] = [
    "y", "Y", "n", "N", "no", "No", "NO", "on", "On", "ON", "yes", "Yes", "YES", "off", "Off", "OFF",
];

pub(super) fn kind(text: &str) -> Option<TrapKind> {
    match text.bytes().next()? {
        b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' => WORDS.contains(&text).then_some(TrapKind::Word),
        b'0'..=b'9' | b'+' | b'-' | b'.' => numeric(text),
        _ => None,
    }
}

fn numeric(text: &str) -> Option<TrapKind> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if digits(unsigned) {
        let padded = unsigned.len() > 1 && unsigned.starts_with('0');
        return padded.then_some(TrapKind::LeadingZero);
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(TrapKind::NotFinite);
    }
    if is_date(text) {
        return Some(TrapKind::Date);
    }
    if is_sexagesimal(unsigned) {
        return Some(TrapKind::Sexagesimal);
    }
    let binary = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'_'));
    if unsigned.strip_prefix("0b").is_some_and(binary) || (text.starts_with("0o") && number(text).is_some()) {
        return Some(TrapKind::Radix);
    }
    if unsigned.contains('_') {
        let bare = text.replace('_', "");
        let hexadecimal = unsigned.starts_with("0x") && number(bare.trim_start_matches(['+', '-'])).is_some();
        let decimal = unsigned.starts_with(|first: char| first.is_ascii_digit()) && number(&bare).is_some();
        return (hexadecimal || decimal).then_some(TrapKind::Underscore);
    }
    let exponent = unsigned.find(['e', 'E']).filter(|_| !unsigned.starts_with("0x"));
    if let Some(at) = exponent {
        let full = unsigned[..at].contains('.') && unsigned[at + 1..].starts_with(['+', '-']);
        return (!full && number(text).is_some()).then_some(TrapKind::Exponent);
    }
    let (whole, fraction) = unsigned.split_once('.')?;
    (digits(whole) && digits(fraction) && fraction.ends_with('0')).then_some(TrapKind::TrailingZero)
}

/// `2024-1-31`, alone or before a time.
fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ', '\t']) {
        Some((date, time)) => (date, Some(time.trim_start_matches([' ', '\t']))),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let mut part = |lengths: RangeInclusive<usize>| parts.next().is_some_and(|part| digits_in(part, lengths));
    let whole = part(4..=4) && part(1..=2) && part(1..=2);
    whole && parts.next().is_none() && time.is_none_or(is_time)
}

/// `1:02:03.45`, alone or before a zone: `Z`, `+2`, `-03:30`.
fn is_time(text: &str) -> bool {
    let clock_end = text.find(|char: char| !(char.is_ascii_digit() || matches!(char, ':' | '.')));
    let (clock, zone) = text.split_at(clock_end.unwrap_or(text.len()));
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut parts = clock.split(':');
    let mut part = |lengths: RangeInclusive<usize>| parts.next().is_some_and(|part| digits_in(part, lengths));
    let whole = part(1..=2) && part(2..=2) && part(2..=2);
    let zone = zone.trim_start_matches([' ', '\t']);
    let offset = |zone: &str| zone.split(':').count() <= 2 && zone.split(':').all(|part| digits_in(part, 1..=2));
    let zoned = matches!(zone, "" | "Z") || zone.strip_prefix(['+', '-']).is_some_and(offset);
    whole && parts.next().is_none() && digits_in(fraction, 0..=usize::MAX) && zoned
}

fn digits_in(part: &str, lengths: RangeInclusive<usize>) -> bool {
    lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// `12:30`, `1:30:45.5`: parts after the first are below 60.
fn is_sexagesimal(text: &str) -> bool {
    let text = text.split('.').next().unwrap_or_default();
    let mut parts = text.split(':');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(digits);
    let mut more = false;
    let rest = parts.all(|part| {
        more = true;
        digits(part) && part.len() <= 2 && (part.len() == 1 || part.as_bytes()[0] < b'6')
    });
    first && rest && more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_trap_has_its_kind() {
        let traps = [
            ("no yes on off y N", TrapKind::Word),
            ("2024-01-31 2024-1-3 2024-01-31T10:00:00Z", TrapKind::Date),
            ("017 090 -01 00", TrapKind::LeadingZero),
            ("0o17 0b11 -0b1", TrapKind::Radix),
            ("12:30:45 1:30 190:20:30.15", TrapKind::Sexagesimal),
            ("1_000 -1_0 1_0.5 0x1_F", TrapKind::Underscore),
            ("1e3 1.0e3 1e+3 12E5", TrapKind::Exponent),
            ("1.10 2.0 -3.40", TrapKind::TrailingZero),
            (".inf -.INF .nan", TrapKind::NotFinite),
        ];
        for (texts, wanted) in traps {
            for text in texts.split_whitespace() {
                assert_eq!(kind(text), Some(wanted), "{text}");
            }
        }
    }

    #[test]
    fn clear_texts_are_no_traps() {
        let texts = "yeah none only true null ~ 1 0 -5 1.5 0.25 1.5e+3 0x1F 200 10 12:99 1:2:x 2024-01 2024-01-311 1.2.30 _1 1__x a_b \
            .5 . - + --- 1.0.0 0.1.0 0o8 0b2 0b";
        for text in texts.split_whitespace() {
            assert_eq!(kind(text), None, "{text}");
        }
        for text in [
            "2024-01-31 the day",
            "2024-01-31 10:00",
            "2024-01-31T10:00:00Z+",
            "2024-01-31 ",
            "2024-01-31T",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
    }

    #[test]
    fn dates_may_have_times_and_zones() {
        for text in [
            "2024-01-31t1:02:03",
            "2024-01-31  10:00:00.5 Z",
            "2024-01-31 10:00:00 -03:30",
            "2024-1-3T10:00:00+2",
        ] {
            assert_eq!(kind(text), Some(TrapKind::Date), "{text}");
        }
    }
}
