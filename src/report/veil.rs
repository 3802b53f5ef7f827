//! The one mask before everything that quotes a file: what was found to be a key, whatever looks
//! like one, in every form that it takes; and long quotations are cut. Used by every format and by
//! whoever else shows a part of a manifest.

use std::ops::Range;

use crate::diag::Finding;
use crate::keys::{Redactor, Secret};
use crate::model::credential;
use crate::source::{Source, Span};

/// A shorter key is not searched for in prose: it would stand in too many words.
const SHORT: usize = 4;
/// With more keys than this in one file nothing that is quoted is shown.
const MANY: usize = 64;
/// The longest quotation, in characters.
const QUOTED: usize = 80;
/// The longest text of a finding, in characters.
const LONGEST: usize = 1000;
/// What stands where hidden text was.
const MASK: &str = "***";

/// Knows what one file may not show.
pub struct Veil {
    /// Hidden bytes of the file, in order, not overlapping.
    hidden: Vec<Range<usize>>,
    redactor: Redactor,
    many: bool,
}

impl Veil {
    pub fn new<'f>(source: &Source, findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let text = source.text();
        let spans = findings.into_iter().flat_map(|finding| &finding.hidden);
        let mut ranges: Vec<_> = spans.map(|span| clamped(text, *span)).filter(|range| !range.is_empty()).collect();
        ranges.extend(credential::in_text(text));
        ranges.extend(credential::tokens(text));
        ranges.extend(escaped(text));
        let hidden = union(ranges);
        let secrets = secrets(text, &hidden);
        let many = secrets.len() > MANY;
        let known: Vec<_> = secrets.into_iter().take(MANY).map(Secret::new).collect();
        Self {
            hidden,
            redactor: Redactor::new(&known),
            many,
        }
    }

    /// Whether a byte of the file belongs to a key.
    pub fn hides(&self, at: usize) -> bool {
        let after = self.hidden.partition_point(|range| range.start <= at);
        after > 0 && at < self.hidden[after - 1].end
    }

    /// A text without any key.
    pub fn masked(&self, text: &str) -> String {
        let text = credential::masked(&self.redactor.clean(text));
        if self.many { quotations(&text, |_| MASK.to_owned()) } else { text }
    }

    /// The text of a finding: without any key, its quotations and itself of a bounded length.
    pub fn shown(&self, text: &str) -> String {
        cut(&quotations(&self.masked(text), |quoted| cut(quoted, QUOTED)), LONGEST)
    }
}

/// The text with something else between its backticks.
fn quotations(text: &str, other: impl Fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        match at % 2 {
            0 => out.push_str(part),
            _ => out.push_str(&other(part)),
        }
    }
    out
}

/// At most so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// The span cut to the text and to whole characters.
pub(super) fn clamped(text: &str, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary(span.start as usize);
    start..text.floor_char_boundary(span.end as usize).max(start)
}

fn union(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut union: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match union.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => union.push(range),
        }
    }
    union
}

/// The insides of strings that are a key once their escapes are undone.
fn escaped(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(|byte| *byte == b'"')? + 1;
        let mut end = start;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        at = end + 1;
        Some(start..end)
    })
    .filter(|inside| {
        let raw = text.get(inside.clone()).unwrap_or_default();
        raw.contains('\\') && plain(raw).is_some_and(|plain| !credential::tokens(&plain).is_empty())
    })
}

/// A text of JSON with its escapes undone.
fn plain(written: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{written}\"")).ok()
}

/// What stands in the hidden places, as written and with its escapes undone.
fn secrets(text: &str, hidden: &[Range<usize>]) -> Vec<String> {
    let mut secrets = Vec::new();
    for range in hidden {
        let written = text[range.clone()].trim_matches(['"', '\'']);
        secrets.extend(plain(written).filter(|plain| plain != written));
        secrets.push(written.to_owned());
    }
    secrets.retain(|secret| secret.len() >= SHORT);
    secrets.sort();
    secrets.dedup();
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_cut_on_whole_characters() {
        let veil = Veil::new(&Source::new("x", "{}"), []);
        let long = "é".repeat(100);
        assert_eq!(
            veil.shown(&format!("no `{long}` and `b`")),
            format!("no `{}…` and `b`", "é".repeat(79))
        );
        assert_eq!(veil.shown(&"é".repeat(2000)).chars().count(), LONGEST);
    }

    #[test]
    fn an_escaped_key_is_hidden_whole() {
        let text = r#"{"a": "x sk\u002dlive-abcdefghijkl"}"#;
        let veil = Veil::new(&Source::new("x", text), []);
        let at = text.find("sk\\u").expect("it is there");
        assert!(veil.hides(at) && veil.hides(text.len() - 3) && !veil.hides(2));
    }

    #[test]
    fn where_there_are_too_many_keys_nothing_is_quoted() {
        let text: String = (0..100).map(|at| format!("\"sk-live-abcdefghijkl{at}\"\n")).collect();
        assert_eq!(Veil::new(&Source::new("x", text), []).masked("an `a` of `b`"), "an `***` of `***`");
    }
}
