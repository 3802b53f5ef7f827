//! What looks like a key in a text. Kept apart from any message: nobody may quote what it finds.

mod mask;
mod place;

use std::ops::Range;

pub use mask::{masked, tokens};
pub use place::{Named, header, is_plain_value, parameter};

/// How keys of well-known services begin.
const PREFIXES: [&str; 41] = [
    "AIza",
    "AKIA",
    "ASIA",
    "EAACEdEose0cBA",
    "SG.",
    "dckr_pat_",
    "dop_v1_",
    "figd_",
    "gho_",
    "ghp_",
    "ghr_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "glsa_",
    "lin_api_",
    "npm_",
    "ntn_",
    "pat-na1-",
    "pypi-",
    "rk_live_",
    "rk_test_",
    "shpat_",
    "shpss_",
    "sk-ant-",
    "sk-live-",
    "sk-proj-",
    "sk-test-",
    "sk_live_",
    "sk_test_",
    "sq0atp-",
    "sq0csp-",
    "whsec_",
    "xapp-",
    "xoxa-",
    "xoxb-",
    "xoxe-",
    "xoxp-",
    "xoxr-",
    "ya29.",
];
/// Beginnings that words have too: what follows must look random.
const WEAK: [&str; 6] = ["dapi", "eyJ", "hf_", "key-", "secret_", "sk-"];
/// Letters of a key that come after its prefix, at least.
const SHORTEST: usize = 16;

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}

/// The parts of a text that look like keys of some service.
pub fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    // One may be typed where its name belongs: `{{env.…}}`.
    let bare = |word: Range<usize>| {
        let named = text[word.clone()].starts_with("env.");
        word.start + if named { "env.".len() } else { 0 }..word.end
    };
    words(text)
        .map(bare)
        .filter(|word| known(&text[word.clone()]) || after_scheme(text, word) || of_bot(text, word))
}

/// The parts of a whole file that look like keys: those of some service, and what follows the
/// name of a key on its line, as in `NAME=value`.
pub fn in_text(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let assigned = text.split_inclusive('\n').filter_map(move |line| {
        let line_start = start;
        start += line.len();
        let (name, value) = line.split_once('=')?;
        let bare = value.trim().trim_matches(['"', '\'']);
        let at = line_start + name.len() + 1 + value.find(bare)?;
        (is_random(bare) && names_a_key(name.trim())).then_some(at..at + bare.len())
    });
    find(text).chain(assigned)
}

/// The whole text, when it looks like a key by chance of its letters.
pub fn is_random(text: &str) -> bool {
    let byte = |byte: u8| is_key_byte(byte) || b"+/=:".contains(&byte);
    text.len() >= SHORTEST && text.bytes().all(byte) && turns(text) >= 3 && is_mixed(text)
}

/// How often a digit stands beside a letter.
fn turns(text: &str) -> usize {
    let turns = text.as_bytes().windows(2).filter(|pair| {
        let digits = pair.iter().filter(|byte| byte.is_ascii_digit()).count();
        digits == 1 && pair.iter().all(u8::is_ascii_alphanumeric)
    });
    turns.count()
}

/// Whether a name says that its value is a key.
pub fn names_a_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '_', '.'], "");
    let paging = ["page", "next", "cursor", "continu", "sync"].iter().any(|word| name.contains(word));
    let words = [
        "apikey",
        "accesskey",
        "token",
        "secret",
        "password",
        "passwd",
        "authorization",
        "credential",
        "signature",
    ];
    !paging && (matches!(name.as_str(), "key" | "auth" | "appid" | "sig") || words.iter().any(|word| name.contains(word)))
}

/// The runs of key letters that are long enough. Most texts have none: a letter that ends a run
/// rules out every run over it, so that few letters are looked at.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(window) = bytes.get(at..at + SHORTEST) {
            if let Some(last) = window.iter().rposition(|byte| !is_key_byte(*byte)) {
                at += last + 1;
                continue;
            }
            let start = at;
            let more = bytes[start..].iter().position(|byte| !is_key_byte(*byte));
            at = more.map_or(bytes.len(), |more| start + more);
            return Some(start..at);
        }
        None
    })
}

/// What follows the prefix of a key.
fn after_prefix<'t>(word: &'t str, prefixes: &[&str]) -> Option<&'t str> {
    // Sorted, so that only those with the same first letter have to be looked at.
    let first = word.bytes().next();
    let start = prefixes.partition_point(|prefix| prefix.bytes().next() < first);
    let mut near = prefixes[start..].iter().take_while(|prefix| prefix.bytes().next() == first);
    near.find_map(|prefix| word.strip_prefix(prefix))
}

fn known(word: &str) -> bool {
    after_prefix(word, &PREFIXES).is_some_and(|rest| rest.len() >= SHORTEST && is_mixed(rest))
        || after_prefix(word, &WEAK).is_some_and(is_random)
}

/// `Bearer …`, `Basic …`, `token …`.
fn after_scheme(text: &str, word: &Range<usize>) -> bool {
    if word.start == 0 {
        return false;
    }
    follows_scheme(text, word.start) && is_random(&text[word.clone()])
}

/// Schemes of `Authorization`, before a key.
const SCHEMES: [&str; 5] = ["bearer", "basic", "token", "bot", "apikey"];

/// Whether a scheme and a blank stand before a place.
fn follows_scheme(text: &str, at: usize) -> bool {
    // Most places follow no blank, and are seen to at once.
    let before = &text[..at];
    if !before.ends_with(char::is_whitespace) {
        return false;
    }
    let before = before.trim_end().as_bytes();
    let ends = |scheme: &&str| {
        let end = before.len().checked_sub(scheme.len()).map(|start| &before[start..]);
        end.is_some_and(|end| end.eq_ignore_ascii_case(scheme.as_bytes()))
    };
    SCHEMES.iter().any(ends)
}

/// `123456789:AAE…`, as the bots of one messenger have them.
fn of_bot(text: &str, word: &Range<usize>) -> bool {
    let Some(before) = text[..word.start].strip_suffix(':') else {
        return false;
    };
    let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    (6..=12).contains(&digits) && (34..=36).contains(&word.len()) && is_mixed(&text[word.clone()])
}

/// Whether the letters are spread as those of a key are, not as those of `xxxxxxxxxxxx`.
fn is_mixed(text: &str) -> bool {
    let mut counts = [0_u32; 128];
    text.bytes().filter(u8::is_ascii).for_each(|byte| counts[usize::from(byte)] += 1);
    let total = text.len() as f64;
    let bits: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / total)
        .map(|share| -share * share.log2())
        .sum();
    bits >= 2.8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_services_are_found_at_their_place() {
        let table = [
            ("Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc", Some("sk_live_4eC39HqLyjWDarjtT1zdp7dc")),
            (
                "see ghp_16C7e42F292c6912E7710c838347Ae178B4a!",
                Some("ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
            ),
            ("Bearer 9f86d081884c7d659a2feaa0c55ad015", Some("9f86d081884c7d659a2feaa0c55ad015")),
            (
                "/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx/send",
                Some("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx"),
            ),
            ("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", None),
            ("Bearer {{env.TOKEN}}", None),
            ("the token is in your settings, under integrations", None),
            ("application/vnd.github.v3.raw+json; charset=utf-8", None),
            ("sk_live_short", None),
            ("sk-learn-and-other-long-words", None),
            ("AKIAIOSFODNN7EXAMPLE", Some("AKIAIOSFODNN7EXAMPLE")),
        ];
        for (text, expected) in table {
            assert_eq!(find(text).map(|range| &text[range]).next(), expected, "{text}");
        }
    }

    #[test]
    fn prefixes_are_sorted() {
        assert!(PREFIXES.is_sorted() && WEAK.is_sorted());
    }

    #[test]
    fn names_of_keys_are_not_names_of_pages() {
        for name in ["api_key", "X-Api-Key", "access_token", "key", "client_secret", "Authorization"] {
            assert!(names_a_key(name), "{name}");
        }
        for name in ["page_token", "nextToken", "keyword", "q", "monkey", "continuation_token"] {
            assert!(!names_a_key(name), "{name}");
        }
    }

    #[test]
    fn random_letters_are_not_words() {
        assert!(is_random("9f86d081884c7d659a2f"));
        assert!(!is_random("points-and-comments"));
        assert!(!is_random("created_at_desc_2024_"));
        assert!(!is_random("0000000000000000000a"));
    }
}
