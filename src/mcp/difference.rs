//! What has changed in a part of a tool, for whoever reviewed it: of a text what it was and what it
//! is, about the place where they differ; of a schema or hints the lines that went and came.
//! Everything shown is cleaned and cut, because it is somebody else's. Pure.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::tool::sorted;
use crate::exec::shown;
use crate::keys::Redactor;

/// Lines shown of a difference.
const LINES: usize = 40;
/// Characters shown of a line.
const LINE: usize = 200;
/// Characters that are the same, shown on each side of a difference.
const SAME: usize = 80;
/// Characters shown of a changed text, at its beginning and at its end.
const EACH: usize = 500;

/// The lines that say it. `was` is absent when the connector does not hold it.
pub(super) fn difference(was: Option<&Value>, now: &Value) -> Vec<String> {
    let Some(was) = was else {
        let now = ends(&words(now).chars().collect::<Vec<_>>());
        return vec!["was: not kept in connector.json, only its digest".to_owned(), format!("now: {now}")];
    };
    if was.is_object() && now.is_object() {
        return lines(was, now);
    }
    let [was, now] = [was, now].map(|part| words(part).chars().collect::<Vec<char>>());
    let same = |(one, other): &(&char, &char)| one == other;
    let before = was.iter().zip(&now).take_while(same).count();
    let most = was.len().min(now.len()) - before;
    let behind = was.iter().rev().zip(now.iter().rev()).take(most).take_while(same).count();
    let part = |text: &[char]| {
        let start = before.saturating_sub(SAME);
        let end = text.len() - behind.saturating_sub(SAME);
        let (lead, tail) = (if start > 0 { "… " } else { "" }, if end < text.len() { " …" } else { "" });
        format!("{lead}{}{tail}", ends(&text[start..end]))
    };
    vec![format!("was: {}", part(&was)), format!("now: {}", part(&now))]
}

fn words(part: &Value) -> String {
    match part {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        part => part.to_string(),
    }
}

/// A long text by its beginning and its end.
fn ends(text: &[char]) -> String {
    let shown = |part: &[char]| shown(&part.iter().collect::<String>(), 2 * EACH, &Redactor::default());
    if text.len() <= 2 * EACH {
        return shown(text);
    }
    format!("{} … {}", shown(&text[..EACH]), shown(&text[text.len() - EACH..]))
}

fn lines(was: &Value, now: &Value) -> Vec<String> {
    let pretty = |value: &Value| serde_json::to_string_pretty(&sorted(value)).unwrap_or_default();
    let (was, now) = (pretty(was), pretty(now));
    let diff = TextDiff::from_lines(&was, &now);
    let changed: Vec<_> = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal).collect();
    let line = |change: &similar::Change<&str>| {
        let sign = if change.tag() == ChangeTag::Insert { "now" } else { "was" };
        format!("{sign}: {}", shown(change.value().trim(), LINE, &Redactor::default()))
    };
    let more = changed.len().saturating_sub(LINES);
    let more = (more > 0).then(|| format!("and {more} lines more"));
    changed.iter().take(LINES).map(line).chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(was: Value, now: Value) -> Vec<String> {
        difference(Some(&was), &now)
    }

    #[test]
    fn a_text_is_shown_as_it_was_and_as_it_is() {
        assert_eq!(
            shown(json!("Reads."), json!("Reads. Then sends.")),
            ["was: Reads.", "now: Reads. Then sends."]
        );
        assert_eq!(
            shown(Value::Null, json!("T\u{1b}[2J\u{200b}")),
            ["was: nothing", "now: T\\u{1b}[2J\\u{200b}"]
        );
        assert_eq!(shown(json!({"a": 1}), Value::Null), ["was: {\"a\":1}", "now: nothing"]);
        assert_eq!(
            difference(None, &json!("x")),
            ["was: not kept in connector.json, only its digest", "now: x"]
        );
    }

    /// What was put into the middle of a long text is not lost between its ends.
    #[test]
    fn a_long_text_is_shown_about_the_difference() {
        let [before, behind] = ["é".repeat(3000), "z".repeat(3000)];
        let lines = shown(json!(format!("{before}{behind}")), json!(format!("{before}Send it.{behind}")));
        let (lead, tail) = (format!("… {}", "é".repeat(80)), format!("{} …", "z".repeat(80)));
        assert_eq!(lines, [format!("was: {lead}{tail}"), format!("now: {lead}Send it.{tail}")]);
        let lines = shown(json!("a"), json!("x".repeat(9000)));
        assert_eq!(lines[1], format!("now: {} … {}", "x".repeat(500), "x".repeat(500)));
        // Letters that stand at both ends are counted once.
        assert_eq!(shown(json!("aa"), json!("aaa")), ["was: aa", "now: aaa"]);
    }

    #[test]
    fn hints_and_schemas_are_shown_by_their_lines() {
        let lines = shown(
            json!({"readOnlyHint": true, "title": "T"}),
            json!({"title": "T", "readOnlyHint": false}),
        );
        assert_eq!(lines, ["was: \"readOnlyHint\": true,", "now: \"readOnlyHint\": false,"]);
        let many: Value = (0..100)
            .map(|at| (format!("{at:03}"), json!(at)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let lines = shown(json!({}), many);
        assert_eq!((lines.len(), lines[40].as_str()), (41, "and 63 lines more"));
    }
}
