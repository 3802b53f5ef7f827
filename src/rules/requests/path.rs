//! Paths as written: what leads elsewhere is refused, what servers read in two ways is pointed out.

use crate::diag::{Finding, Rule, table};
use crate::format::Word;

/// The rules of one format.
pub(crate) struct PathRules {
    pub(crate) bad: &'static Rule,
    pub(crate) odd: &'static Rule,
    pub(crate) query: &'static Rule,
    /// Where a query belongs.
    pub(crate) query_place: &'static str,
    /// Whether single braces are placeholders.
    pub(crate) braces: bool,
}

pub(super) const CONNECTOR: PathRules = PathRules {
    bad: &table::BAD_PATH,
    odd: &table::ODD_PATH,
    query: &table::QUERY_IN_PATH,
    query_place: "`query`",
    braces: false,
};

/// Everything about a path's text. One finding for each kind of mistake.
pub(crate) fn judge(word: &Word<'_>, rules: &PathRules) -> Vec<Finding> {
    let sheet = Sheet { word, rules };
    let mut findings: Vec<Finding> = sheet.shape().into_iter().collect();
    findings.extend(sheet.letters());
    findings.extend(sheet.query());
    findings.extend(sheet.segments());
    findings
}

struct Sheet<'a, 'd> {
    word: &'a Word<'d>,
    rules: &'a PathRules,
}

impl Sheet<'_, '_> {
    fn bad(&self, start: usize, end: usize, message: &str, help: &str) -> Finding {
        Finding::new(self.rules.bad, self.word.part(start..end), message).help(help)
    }

    fn odd(&self, start: usize, end: usize, message: String, help: &str) -> Finding {
        Finding::new(self.rules.odd, self.word.part(start..end), message).help(help)
    }

    fn shape(&self) -> Option<Finding> {
        let text = self.word.text;
        if !text.starts_with('/') {
            let finding = Finding::new(self.rules.bad, self.word.at(), "a path starts with `/`");
            return Some(finding.help("write the part of the address after the base, from its `/`"));
        }
        let at = text.find("://")?;
        Some(self.bad(
            at,
            at + 3,
            "an address inside the path",
            "leave only the path: requests stay on the base's host",
        ))
    }

    fn letters(&self) -> Option<Finding> {
        let (at, letter) = self
            .word
            .text
            .char_indices()
            .find(|(_, letter)| letter.is_control() || *letter == '\\')?;
        let (message, help) = if letter == '\\' {
            ("a backslash in the path", "write `/`")
        } else {
            ("a control character in the path", "remove it")
        };
        Some(self.bad(at, at + letter.len_utf8(), message, help))
    }

    fn query(&self) -> Option<Finding> {
        let text = self.word.text;
        let at = text.find(['?', '#'])?;
        let place = self.word.part(at..text.len());
        let message = if text[at..].starts_with('?') {
            "a query in the path is not sent as one"
        } else {
            "a fragment is never sent"
        };
        let finding = Finding::new(self.rules.query, place, message);
        Some(if text[at..].starts_with('?') {
            finding.help(format!("move it to {}", self.rules.query_place))
        } else {
            finding.help("remove it")
        })
    }

    fn segments(&self) -> Vec<Finding> {
        let text = self.word.text;
        let path = &text[..text.find(['?', '#']).unwrap_or(text.len())];
        let mut findings = Vec::new();
        let mut start = 1;
        let last = path.split('/').count().saturating_sub(2);
        for (index, segment) in path.split('/').skip(1).enumerate() {
            let found = self.segment(segment, start, index == last);
            // One of each kind is enough to make the author look; each kind has its own help.
            findings.extend(found.filter(|new| findings.iter().all(|old: &Finding| old.help != new.help)));
            start += segment.len() + 1;
        }
        findings
    }

    fn segment(&self, segment: &str, start: usize, last: bool) -> Option<Finding> {
        let end = start + segment.len();
        if segment.is_empty() {
            let scheme = self.word.text.contains("://");
            return (!last && !scheme).then(|| self.odd(start - 1, start + 1, "an empty segment in the path".into(), "write one `/`"));
        }
        let plain = segment.contains('%').then(|| segment.to_ascii_lowercase());
        let escaped = |plain: &String| is_dots(&plain.replace("%2e", "."));
        if is_dots(segment) || plain.as_ref().is_some_and(escaped) {
            return Some(self.bad(start, end, "a dot segment in the path", "write the path out"));
        }
        let plain = plain.unwrap_or_default();
        if let Some(escape) = ["%2f", "%5c", "%25"].into_iter().find(|escape| plain.contains(escape)) {
            let at = start + plain.find(escape).unwrap_or_default();
            let message = format!("servers disagree about `{}`", &self.word.text[at..at + 3]);
            return Some(self.odd(at, at + 3, message, "write the path without it, or take the part as an argument"));
        }
        if let Some(at) = half_escape(segment) {
            return Some(self.odd(
                start + at,
                start + at + 1,
                "a `%` without two hexadecimal digits is sent as `%25`".into(),
                "write the two digits, or take the part as an argument",
            ));
        }
        if let Some(at) = segment.find(';') {
            return Some(self.odd(
                start + at,
                end,
                "some servers cut a segment at `;`".into(),
                "leave it out if the service allows",
            ));
        }
        self.braces(segment, start)
    }

    /// `{id}`, left over from a description.
    fn braces(&self, segment: &str, start: usize) -> Option<Finding> {
        let open = segment.find('{')?;
        if self.rules.braces || segment.contains("{{") {
            return None;
        }
        let close = open + segment[open..].find('}')? + 1;
        let message = format!("`{}` is sent as it is", &segment[open..close]);
        Some(self.odd(
            start + open,
            start + close,
            message,
            "write two braces on each side for an argument",
        ))
    }
}

/// Where a `%` begins no escape.
fn half_escape(segment: &str) -> Option<usize> {
    let digits = |at: usize| {
        segment
            .as_bytes()
            .get(at + 1..at + 3)
            .is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
    };
    segment.match_indices('%').map(|(at, _)| at).find(|at| !digits(*at))
}

fn is_dots(segment: &str) -> bool {
    matches!(name(segment), "." | "..")
}

/// A segment without its parameters.
fn name(segment: &str) -> &str {
    segment.split(';').next().unwrap_or_default()
}
