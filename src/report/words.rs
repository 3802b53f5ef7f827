//! How many of what, and the lines that say so.

use super::sheet::{Entry, Sheet, sheets};
use super::text::show;
use super::{FileReport, Format, Outcome};
use crate::diag::{Finding, Level, count, plural};

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
    /// Of all findings, those of the contract included, shown or not.
    pub fn of(reports: &[FileReport]) -> Self {
        sum(reports.iter().map(Self::of_file))
    }

    pub(super) fn of_file(report: &FileReport) -> Self {
        let failed = report.cases.iter().filter(|case| !matches!(case.outcome, Outcome::Passed));
        Self {
            cases: report.cases.len(),
            failed: failed.count(),
            ..Self::of_findings(report.all_findings())
        }
    }

    fn of_findings<'f>(findings: impl Iterator<Item = &'f Finding>) -> Self {
        let mut totals = Self::default();
        for finding in findings {
            match finding.level {
                Level::Error => totals.errors += 1,
                Level::Warning => totals.warnings += 1,
                Level::Note => totals.notes += 1,
            }
            totals.fixable += usize::from(finding.fix.is_some());
        }
        totals
    }
}

fn sum(all: impl Iterator<Item = Totals>) -> Totals {
    all.fold(Totals::default(), |a, b| Totals {
        errors: a.errors + b.errors,
        warnings: a.warnings + b.warnings,
        notes: a.notes + b.notes,
        fixable: a.fixable + b.fixable,
        cases: a.cases + b.cases,
        failed: a.failed + b.failed,
    })
}

pub(super) fn totals(sheets: &[Sheet<'_>]) -> Totals {
    sum(sheets.iter().map(|sheet| sheet.totals))
}

/// How many findings are left out of what is shown of a file.
pub(super) fn more(sheet: &Sheet<'_>) -> Option<String> {
    (sheet.omitted > 0).then(|| format!("and {} more {}", sheet.omitted, plural(sheet.omitted, "finding")))
}

/// The closing lines of a human report: what was found and how the contract went; empty when
/// nothing was found and no contract was run.
pub fn summary(reports: &[FileReport]) -> String {
    lines(&sheets(reports, 0), true)
}

pub(super) fn lines(sheets: &[Sheet<'_>], unicode: bool) -> String {
    [found(sheets, unicode), contract(sheets)].into_iter().flatten().collect()
}

/// `Found 3 errors in petstore/connector.json (1 fixable with `--fix`).`
fn found(sheets: &[Sheet<'_>], unicode: bool) -> Option<String> {
    let totals = totals(sheets);
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
        many => count(many.iter().filter(|sheet| sheet.has_findings()).count(), "file"),
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
        (cases, failed) => Some(format!("contract failed: {failed} of {}\n", count(cases, "case"))),
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
