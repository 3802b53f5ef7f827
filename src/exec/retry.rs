//! How long a service asks to wait: `Retry-After` as seconds or as a date. A date is measured from
//! the answer's own `Date`, so that no clock of ours is needed.

use std::fmt;

const DAY: u64 = 24 * 60 * 60;

/// The wait that a service asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    Seconds(u64),
    /// Longer than anybody waits.
    MoreThanADay,
    /// Until a date, from an answer without a date of its own.
    Until(String),
}

impl fmt::Display for Wait {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(out, "{seconds} s"),
            Self::MoreThanADay => out.write_str("more than a day"),
            Self::Until(date) => write!(out, "until {date}"),
        }
    }
}

/// Reads `Retry-After`; `date` is the answer's own. Nothing when it is neither form.
pub(super) fn wait(retry_after: &str, date: Option<&str>) -> Option<Wait> {
    let text = retry_after.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(text.parse().map_or(Wait::MoreThanADay, capped));
    }
    let until = seconds(text)?;
    Some(match date.and_then(|date| seconds(date.trim())) {
        Some(now) => capped(until.saturating_sub(now)),
        None => Wait::Until(text.to_owned()),
    })
}

fn capped(seconds: u64) -> Wait {
    if seconds > DAY {
        Wait::MoreThanADay
    } else {
        Wait::Seconds(seconds)
    }
}

/// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that may be sent (RFC 9110,
/// 5.6.7).
fn seconds(date: &str) -> Option<u64> {
    let words: Vec<&str> = date.split_ascii_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words[..] else {
        return None;
    };
    let time: Vec<u64> = time.split(':').map(number).collect::<Option<_>>()?;
    let [hour @ 0..24, minute @ 0..60, second @ 0..=60] = time[..] else {
        return None;
    };
    let days = days(number(year)?, month_number(month)?, number(day)?)?;
    Some(days * DAY + hour * 3600 + minute * 60 + second)
}

fn number(text: &str) -> Option<u64> {
    let right = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| right)
}

fn month_number(name: &str) -> Option<u64> {
    const NAMES: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    NAMES.iter().zip(1..).find(|(known, _)| **known == name).map(|(_, number)| number)
}

/// Days from 1970-01-01 in the Gregorian calendar, counting years from March.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month < 3 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let leaps = year / 4 - year / 100 + year / 400;
    (year * 365 + leaps + of_year).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let date = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        let cases = [
            ("12", None, Some(Wait::Seconds(12))),
            ("0", None, Some(Wait::Seconds(0))),
            ("99999999999", None, Some(Wait::MoreThanADay)),
            ("99999999999999999999999", None, Some(Wait::MoreThanADay)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", date, Some(Wait::Seconds(30))),
            ("Sat, 05 Nov 1994 08:50:07 GMT", date, Some(Wait::Seconds(0))),
            ("Mon, 06 Nov 1995 08:50:07 GMT", date, Some(Wait::MoreThanADay)),
            (
                "Sun, 06 Nov 1994 08:50:07 GMT",
                None,
                Some(Wait::Until("Sun, 06 Nov 1994 08:50:07 GMT".to_owned())),
            ),
            ("soon", date, None),
            ("-1", date, None),
            ("1.5", date, None),
            ("", date, None),
        ];
        for (text, date, expected) in cases {
            assert_eq!(wait(text, date), expected, "{text}");
        }
    }

    #[test]
    fn a_date_is_its_seconds() {
        assert_eq!(seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(784_111_777));
        assert_eq!(seconds("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(seconds("Fri, 31 Dec 9999 23:59:59 GMT"), Some(253_402_300_799));
    }
}
