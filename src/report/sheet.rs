//! What the formats share: files and findings in order, places as lines and columns, hidden text
//! taken out. Every format writes from a [`Sheet`], none from a [`FileReport`] itself.

use super::veil::{Veil, clamped};
use super::words::Totals;
use super::{CaseRun, FileReport, Outcome, Stop};
use crate::diag::{Finding, Fix, Level, Rule};
use crate::source::{Position, Source, Span};

/// One file, ready to be written.
pub(super) struct Sheet<'r> {
    pub(super) report: &'r FileReport,
    veil: Veil,
    /// What the rules found, as far as it is shown.
    pub(super) rules: Vec<Entry<'r>>,
    pub(super) cases: Vec<Case<'r>>,
    /// What kept us from looking, cleaned.
    pub(super) stop: Option<Stop>,
    /// Of all that was found, shown or not.
    pub(super) totals: Totals,
    /// How many findings are not shown.
    pub(super) omitted: usize,
}

/// A finding with its place worked out and its texts cleaned.
pub(super) struct Entry<'r> {
    pub(super) rule: &'static Rule,
    pub(super) level: Level,
    pub(super) message: String,
    pub(super) place: Place,
    pub(super) label: Option<String>,
    pub(super) related: Vec<(Place, String)>,
    pub(super) help: Option<String>,
    /// Only a fix that writes no hidden text.
    pub(super) fix: Option<&'r Fix>,
}

/// A span and where it starts and ends.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) bytes: std::ops::Range<usize>,
    pub(super) start: Position,
    /// The position after the last character.
    pub(super) end: Position,
}

/// A contract case with its texts cleaned.
pub(super) struct Case<'r> {
    pub(super) run: &'r CaseRun,
    pub(super) capability: String,
    pub(super) args: String,
    pub(super) findings: Vec<Entry<'r>>,
}

impl<'r> Sheet<'r> {
    pub(super) fn text(&self) -> &'r str {
        self.report.source.text()
    }

    /// The bytes of a line, counted from 1, without its end; nothing beyond the last.
    pub(super) fn line(&self, line: usize) -> std::ops::Range<usize> {
        self.report.source.line(line).unwrap_or_default().range()
    }

    /// How many lines there are; an empty last one counts.
    pub(super) fn last_line(&self) -> usize {
        self.report.source.position(u32::MAX).line
    }

    pub(super) fn name(&self) -> &'r str {
        self.report.source.name()
    }

    /// Every finding, those of the contract included, by place and code.
    pub(super) fn entries(&self) -> Vec<&Entry<'r>> {
        let mut all: Vec<_> = self.rules.iter().chain(self.cases.iter().flat_map(|case| &case.findings)).collect();
        all.sort_by_key(|entry| entry.key());
        all
    }

    /// Whether anything was found, shown or not.
    pub(super) fn has_findings(&self) -> bool {
        self.report.all_findings().next().is_some()
    }

    pub(super) fn place(&self, span: Span) -> Place {
        place(&self.report.source, span)
    }

    /// Whether a byte belongs to a key.
    pub(super) fn hides(&self, at: usize) -> bool {
        self.veil.hides(at)
    }
}

impl Entry<'_> {
    fn key(&self) -> (usize, &'static str) {
        (self.place.bytes.start, self.rule.code)
    }
}

fn place(source: &Source, span: Span) -> Place {
    let bytes = clamped(source.text(), span);
    let span = Span::new(bytes.start, bytes.end);
    Place {
        start: source.position(span.start),
        end: source.position(span.end),
        bytes,
    }
}

/// The reports by the name of the file, their findings by place and code, at most `most` of each.
pub(super) fn sheets(reports: &[FileReport], most: usize) -> Vec<Sheet<'_>> {
    let mut sheets: Vec<_> = reports.iter().map(|report| sheet(report, most)).collect();
    sheets.sort_by_key(Sheet::name);
    sheets
}

fn sheet(report: &FileReport, most: usize) -> Sheet<'_> {
    let chosen = Chosen::of(report, most);
    let pen = Pen {
        source: &report.source,
        veil: Veil::new(&report.source, report.all_findings()),
        chosen: &chosen,
    };
    Sheet {
        rules: pen.entries(&report.findings),
        cases: report.cases.iter().map(|run| pen.case(run)).collect(),
        stop: report.stop.as_ref().map(|stop| stop.cleaned(&pen.veil)),
        totals: Totals::of_file(report),
        omitted: report.all_findings().count().saturating_sub(most),
        veil: pen.veil,
        report,
    }
}

/// Which findings are shown: the gravest, of those the first in the text.
struct Chosen(Option<std::collections::HashSet<*const Finding>>);

impl Chosen {
    fn of(report: &FileReport, most: usize) -> Self {
        if report.all_findings().count() <= most {
            return Self(None);
        }
        let mut all: Vec<_> = report.all_findings().collect();
        all.sort_by_key(|finding| (std::cmp::Reverse(finding.level), finding.span, finding.rule.code));
        Self(Some(all.into_iter().take(most).map(std::ptr::from_ref).collect()))
    }

    fn has(&self, finding: &Finding) -> bool {
        self.0.as_ref().is_none_or(|chosen| chosen.contains(&std::ptr::from_ref(finding)))
    }
}

/// Writes the entries of one file.
struct Pen<'r, 'c> {
    source: &'r Source,
    veil: Veil,
    chosen: &'c Chosen,
}

impl<'r> Pen<'r, '_> {
    fn case(&self, run: &'r CaseRun) -> Case<'r> {
        Case {
            run,
            capability: self.veil.shown(&run.capability),
            args: self.veil.masked(&run.args),
            findings: match &run.outcome {
                Outcome::Failed(findings) => self.entries(findings),
                Outcome::Passed => Vec::new(),
            },
        }
    }

    fn entries(&self, findings: &'r [Finding]) -> Vec<Entry<'r>> {
        let chosen = findings.iter().filter(|finding| self.chosen.has(finding));
        let mut entries: Vec<_> = chosen.map(|finding| self.entry(finding)).collect();
        entries.sort_by_key(Entry::key);
        entries
    }

    fn entry(&self, finding: &'r Finding) -> Entry<'r> {
        let shown = |text: &String| self.veil.shown(text);
        let related = finding
            .related
            .iter()
            .map(|label| (place(self.source, label.span), shown(&label.text)));
        let open = |text: &String| self.veil.masked(text) == *text;
        Entry {
            rule: finding.rule,
            level: finding.level,
            message: shown(&finding.message),
            place: place(self.source, finding.span),
            label: finding.label.as_ref().map(shown),
            related: related.collect(),
            help: finding.help.as_ref().map(shown),
            fix: (finding.fix.as_ref()).filter(|fix| open(&fix.title) && fix.edits.iter().all(|edit| open(&edit.text))),
        }
    }
}
