//! What is wrong with an author's file, as data: a [`Finding`] names its [`Rule`], its place and
//! its remedy. Says nothing of how findings are shown (`report/`).

mod mend;
pub mod table;

use crate::source::Span;

pub use mend::mend;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Passed through, worth knowing.
    Note,
    /// It works, but will surprise someone.
    Warning,
    /// A host refuses it, or it is unsafe.
    Error,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule: its code is never reused, its slug names the bad thing.
pub struct Rule {
    pub code: &'static str,
    pub slug: &'static str,
    pub level: Level,
    /// One line, a sentence fragment.
    pub summary: &'static str,
    /// The embedded page `docs/rules/<code>.md`.
    pub page: &'static str,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.code, self.slug)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}

/// A second place that helps to understand a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A change that mends a finding without changing what the file means otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an order.
    pub title: String,
    pub edits: Vec<Edit>,
}

/// Replace the text of `span`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// One thing that is wrong in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    pub level: Level,
    /// What is wrong with this file: a lower-case fragment without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands under the underline: a fact that the message does not have.
    pub label: Option<String>,
    /// Other places.
    pub related: Vec<Label>,
    /// What to do, as an order.
    pub help: Option<String>,
    pub fix: Option<Fix>,
    /// Places whose text is never shown: a key that was typed into the file.
    pub hidden: Vec<Span>,
}

impl Finding {
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            help: None,
            fix: None,
            hidden: Vec::new(),
        }
    }

    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.fix = Some(Fix {
            title: title.into(),
            edits,
        });
        self
    }

    /// Keeps the text of `span` out of every report.
    #[must_use]
    pub fn hide(mut self, span: Span) -> Self {
        self.hidden.push(span);
        self
    }
}

/// Makes every warning an error.
pub fn strictly(findings: &mut [Finding]) {
    for finding in findings {
        finding.level = match finding.level {
            Level::Warning => Level::Error,
            level => level,
        };
    }
}

/// A number with its word, `1 error` or `3 errors`: the one place that knows plurals.
pub fn count(n: usize, word: &str) -> String {
    format!("{n} {}", plural(n, word))
}

/// The word as it stands after the number `n`.
pub fn plural(n: usize, word: &str) -> String {
    if n == 1 {
        return word.to_owned();
    }
    let vowel_before = |stem: &str| stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match word.strip_suffix('y') {
        Some(stem) if !vowel_before(stem) => format!("{stem}ies"),
        _ if word.ends_with(['s', 'x']) || word.ends_with("ch") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_right() {
        let words = ["error", "capability", "key", "address", "match"];
        assert_eq!(
            words.map(|word| count(1, word)),
            ["1 error", "1 capability", "1 key", "1 address", "1 match"]
        );
        let many = ["0 errors", "0 capabilities", "0 keys", "0 addresses", "0 matches"];
        assert_eq!(words.map(|word| count(0, word)), many);
    }
}
