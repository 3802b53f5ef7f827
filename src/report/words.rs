//! How many of what, and the lines that say so.

use super::sheet::{Entry, Sheet, sheets};
use super::text::show;
use super::{FileReport, Format};
use crate::diag::{Level, count};

/// What a run found, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Totals {
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Findings that `--fix` mends.
    pub fixable: usize,
    /// Contract cases that were run.
    pub cases: usize,
    /// Those that did not pass.
    pub failed: usize,
}

impl Totals {
    /// Of all findings, those of the contract included.
    pub fn of(reports: &[FileReport]) -> Self {
        totals(&sheets(reports))
    }
}

pub(super) fn totals(sheets: &[Sheet<'_>]) -> Totals {
    let mut totals = Totals::default();
    for sheet in sheets {
        add(&mut totals, &sheet.entries());
        totals.cases += sheet.cases.len();
        totals.failed += sheet.cases.iter().filter(|case| !case.passed()).count();
    }
    totals
}

fn add(totals: &mut Totals, entries: &[&Entry<'_>]) {
    let level = |level| entries.iter().filter(|entry| entry.level == level).count();
    totals.errors += level(Level::Error);
    totals.warnings += level(Level::Warning);
    totals.notes += level(Level::Note);
    totals.fixable += entries.iter().filter(|entry| entry.fix.is_some()).count();
}

/// The closing lines of a human report: what was found and how the contract went; empty when
/// nothing was found and no contract was run.
pub fn summary(reports: &[FileReport]) -> String {
    lines(&sheets(reports), true)
}

pub(super) fn lines(sheets: &[Sheet<'_>], unicode: bool) -> String {
    [found(sheets, unicode), contract(sheets)].into_iter().flatten().collect()
}

/// `Found 3 errors in petstore/connector.json (1 fixable with `--fix`).`
fn found(sheets: &[Sheet<'_>], unicode: bool) -> Option<String> {
    let mut totals = Totals::default();
    for sheet in sheets {
        add(&mut totals, &sheet.rules.iter().collect::<Vec<_>>());
    }
    let counts = [(totals.errors, "error"), (totals.warnings, "warning"), (totals.notes, "note")];
    let what: Vec<_> = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(n, word)).collect();
    let (last, first) = what.split_last()?;
    let what = if first.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", first.join(", "))
    };
    let place = match sheets {
        [only] => show(only.name(), unicode),
        many => count(many.iter().filter(|sheet| !sheet.rules.is_empty()).count(), "file"),
    };
    let fixable = match totals.fixable {
        0 => String::new(),
        n => format!(" ({n} fixable with `--fix`)"),
    };
    Some(format!("Found {what} in {place}{fixable}.\n"))
}

fn contract(sheets: &[Sheet<'_>]) -> Option<String> {
    let totals = totals(sheets);
    match (totals.cases, totals.failed) {
        (0, _) => None,
        (_, 0) => Some("contract ok\n".to_owned()),
        (cases, failed) => Some(format!("contract failed: {failed} of {cases} cases\n")),
    }
}

/// The message, with the guess at what was meant where a finding has one.
pub(super) fn with_guess(entry: &Entry<'_>) -> String {
    let texts = [&entry.label, &entry.help];
    let guess = texts.into_iter().flatten().find(|text| text.starts_with("did you mean"));
    match guess {
        Some(guess) => format!("{} ({guess})", entry.message),
        None => entry.message.clone(),
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.word())
    }
}
