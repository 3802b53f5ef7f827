//! Applies the fixes of findings to a text. Pure; who writes the file is elsewhere.

use super::{Edit, Finding};

/// The text with every fix that does not touch another one's place, and how many were applied.
pub fn mend(text: &str, findings: &[Finding]) -> (String, usize) {
    let mut fixes: Vec<&[Edit]> = findings
        .iter()
        .filter_map(|finding| Some(finding.fix.as_ref()?.edits.as_slice()))
        .collect();
    fixes.sort_by_key(|edits| edits.iter().map(|edit| edit.span).min());
    fixes.dedup();
    let mut edits: Vec<&Edit> = Vec::new();
    let mut applied = 0;
    for fix in fixes {
        if fix.iter().all(|new| {
            edits
                .iter()
                .all(|old| old.span.end <= new.span.start || new.span.end <= old.span.start)
        }) {
            edits.extend(fix);
            applied += 1;
        }
    }
    edits.sort_by_key(|edit| edit.span);
    (replaced(text, &edits), applied)
}

fn replaced(text: &str, edits: &[&Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for edit in edits {
        out.push_str(&text[from..edit.span.range().start]);
        out.push_str(&edit.text);
        from = edit.span.range().end;
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::super::{Level, Rule};
    use super::*;
    use crate::source::Span;

    static RULE: Rule = Rule {
        code: "P004",
        slug: "misspelt-field",
        level: Level::Error,
        summary: "",
        page: "",
    };

    fn fix(start: usize, end: usize, text: &str) -> Finding {
        let span = Span::new(start, end);
        Finding::new(&RULE, span, "wrong").fix(
            "write it right",
            vec![Edit {
                span,
                text: text.to_owned(),
            }],
        )
    }

    #[test]
    fn fixes_in_any_order_leave_the_rest_byte_for_byte() {
        let (text, applied) = mend("aa  bb\r\ncc", &[fix(8, 10, "C"), fix(0, 2, "AAA")]);
        assert_eq!((text.as_str(), applied), ("AAA  bb\r\nC", 2));
    }

    #[test]
    fn a_fix_in_the_place_of_another_waits() {
        let (text, applied) = mend("abcdef", &[fix(0, 3, "X"), fix(2, 4, "Y"), fix(4, 4, "!")]);
        assert_eq!((text.as_str(), applied), ("Xd!ef", 2));
    }

    #[test]
    fn one_fix_said_twice_is_applied_once() {
        let (text, applied) = mend("ab", &[fix(0, 1, "X"), fix(0, 1, "X")]);
        assert_eq!((text.as_str(), applied), ("Xb", 1));
    }
}
