//! What is kept out of everything that quotes a file: whatever may be a key by its letters. Wider
//! than [`find`](super::find), which accuses: a mask too many costs a word of a message, one too
//! few a key.

use std::ops::Range;

use super::{PREFIXES, WEAK, after_prefix, follows_scheme, is_key_byte, is_mixed, is_random, of_bot, turns};

/// What stands where a key was.
const MASK: &str = "***";
/// Letters after a prefix that no word has.
const AFTER_PREFIX: usize = 6;
/// Letters after a prefix that words have too, or after a scheme.
const AFTER_WEAK: usize = 8;
/// A run without a prefix.
const BARE: usize = 20;

/// The parts of a text that may be keys, in order.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut all: Vec<_> = after_schemes(text).chain(runs(text).filter_map(|run| token(text, &run))).collect();
    all.sort_by_key(|part| part.start);
    let mut found: Vec<Range<usize>> = Vec::new();
    for part in all {
        match found.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => found.push(part),
        }
    }
    found
}

/// What follows `Bearer ` and the like.
fn after_schemes(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let starts = (1..bytes.len()).filter(|at| bytes[at - 1].is_ascii_whitespace() && follows_scheme(text, *at));
    starts.filter_map(|start| {
        let inside = |byte: &u8| is_key_byte(*byte) || b"+/=~:".contains(byte);
        let end = start + bytes[start..].iter().take_while(|byte| inside(byte)).count();
        (end - start >= AFTER_WEAK && !is_word(&text[start..end])).then_some(start..end)
    })
}

/// The text with a mask for each of them.
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for part in tokens(text) {
        out.push_str(&text[from..part.start]);
        out.push_str(MASK);
        from = part.end;
    }
    out + &text[from..]
}

/// Runs of key letters of some length.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|byte| is_key_byte(*byte))?;
            let more = bytes[start..].iter().position(|byte| !is_key_byte(*byte));
            at = more.map_or(bytes.len(), |more| start + more);
            if at - start >= AFTER_WEAK {
                return Some(start..at);
            }
        }
    })
}

fn token(text: &str, run: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // A key may stand behind the name of something else, `shelf.sk-…`, or be glued to a word.
    let begins = |at: usize| at == run.start || b"._-".contains(&bytes[at - 1]);
    let mut starts = run.clone().take_while(|at| at + AFTER_PREFIX < run.end);
    let prefixed = starts.find(|at| {
        let word = &text[*at..run.end];
        is_distinct(word) || (begins(*at) && is_prefixed(word))
    });
    if let Some(start) = prefixed {
        return Some(start..run.end);
    }
    if of_bot(text, run) {
        return Some(run.clone());
    }
    let mut start = run.start;
    let bare = text[run.clone()].split('.').find_map(|part| {
        let place = start..start + part.len();
        start = place.end + 1;
        is_bare(part).then_some(place)
    });
    bare.map(|place| place.start..run.end)
}

/// A beginning that stands in no word.
fn is_distinct(word: &str) -> bool {
    let separated = |rest: &str| word[..word.len() - rest.len()].ends_with(['_', '-']) && rest.len() >= AFTER_PREFIX;
    after_prefix(word, &PREFIXES).is_some_and(separated)
        || word.strip_prefix("eyJ").is_some_and(|rest| rest.len() >= BARE && turns(rest) >= 2)
}

fn is_prefixed(word: &str) -> bool {
    after_prefix(word, &PREFIXES).is_some_and(|rest| rest.len() >= AFTER_PREFIX)
        || ["sk-", "eyJ"]
            .iter()
            .any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| rest.len() >= AFTER_WEAK))
        || after_prefix(word, &WEAK).is_some_and(is_random)
}

fn is_bare(part: &str) -> bool {
    part.len() >= BARE && turns(part) >= 4 && is_mixed(part) && !is_uuid(part)
}

/// The usual shape of an id, which is seldom a key.
fn is_uuid(part: &str) -> bool {
    let lengths: Vec<usize> = part.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// One word of prose: small letters, few enough.
fn is_word(run: &str) -> bool {
    let letters = run.trim_end_matches('.');
    letters.len() <= 14 && letters[1..].bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_key_is_masked() {
        for (text, expected) in [
            ("no key `sk-live-abcdefghijklmnop` here", "no key `***` here"),
            ("`shelf.sk-live-abcdefghijklmnop`", "`shelf.***`"),
            ("GETsk_live_abcdefg", "GET***"),
            ("{{env.sk-abcdefghijkl}}", "{{env.***}}"),
            ("Bearer eyJhbGciOiJI.eyJzdWIi.x", "Bearer ***"),
            ("bearer abc+/def01234/==", "bearer ***"),
            ("bearer abcdefgH1+/x==\" x", "bearer ***\" x"),
            ("9f86d081884c7d659a2feaa0c55ad015", "***"),
            ("x.9f86d081884c7d659a2feaa0c55ad015.y", "x.***"),
            ("bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx", "bot110201543:***"),
        ] {
            assert_eq!(masked(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_left() {
        for text in [
            "the basic information of an account",
            "`numericFilters`, `created_at_desc_2024_` and `points-and-comments`",
            "a Bearer {{env.TOKEN}} in `Authorization`",
            "oauth2_sha256_v1",
            "keyJsonSchemaOfThings and disk-encryption-of-things",
            "550e8400-e29b-41d4-a716-446655440000",
            "",
        ] {
            assert_eq!(masked(text), text);
        }
    }
}
