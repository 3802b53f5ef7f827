//! What the formats share: files and findings in order, places as lines and columns, hidden text
//! taken out. Every format writes from a [`Sheet`], none from a [`FileReport`] itself.

use super::text::scrub;
use super::{CaseRun, FileReport, Outcome};
use crate::diag::{Finding, Fix, Level, Rule};
use crate::source::{Position, Source, Span};

/// A shorter text is not searched for in prose: it would stand in too many words.
const SHORT: usize = 4;

/// One file, ready to be written.
pub(super) struct Sheet<'r> {
    pub(super) report: &'r FileReport,
    /// Hidden bytes, in order, not overlapping.
    pub(super) hidden: Vec<std::ops::Range<usize>>,
    /// What the rules found.
    pub(super) rules: Vec<Entry<'r>>,
    pub(super) cases: Vec<Case<'r>>,
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
    pub(super) args: String,
    pub(super) findings: Vec<Entry<'r>>,
    /// Why there was no answer.
    pub(super) unanswered: Option<String>,
}

impl Case<'_> {
    pub(super) fn passed(&self) -> bool {
        matches!(self.run.outcome, Outcome::Passed)
    }
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

    pub(super) fn place(&self, span: Span) -> Place {
        place(&self.report.source, span)
    }

    /// Whether a byte belongs to a key.
    pub(super) fn hides(&self, at: usize) -> bool {
        let after = self.hidden.partition_point(|range| range.start <= at);
        after > 0 && at < self.hidden[after - 1].end
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

/// The span cut to the text and to whole characters.
fn clamped(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |offset: u32| {
        let offset = (offset as usize).min(text.len());
        (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// The reports by the name of the file, their findings by place and code.
pub(super) fn sheets(reports: &[FileReport]) -> Vec<Sheet<'_>> {
    let mut sheets: Vec<_> = reports.iter().map(sheet).collect();
    sheets.sort_by_key(Sheet::name);
    sheets
}

fn sheet(report: &FileReport) -> Sheet<'_> {
    let source = &report.source;
    let hidden = hidden(report);
    let secrets = secrets(source.text(), &hidden);
    let rules = entries(&report.findings, source, &secrets);
    let cases = report.cases.iter().map(|run| case(run, source, &secrets)).collect();
    Sheet {
        report,
        hidden,
        rules,
        cases,
    }
}

fn case<'r>(run: &'r CaseRun, source: &Source, secrets: &[String]) -> Case<'r> {
    Case {
        run,
        args: scrub(&run.args, secrets),
        findings: match &run.outcome {
            Outcome::Failed(findings) => entries(findings, source, secrets),
            _ => Vec::new(),
        },
        unanswered: match &run.outcome {
            Outcome::Unanswered(why) => Some(scrub(why, secrets)),
            _ => None,
        },
    }
}

fn entries<'r>(findings: &'r [Finding], source: &Source, secrets: &[String]) -> Vec<Entry<'r>> {
    let mut entries: Vec<_> = findings.iter().map(|finding| entry(finding, source, secrets)).collect();
    entries.sort_by_key(Entry::key);
    entries
}

fn entry<'r>(finding: &'r Finding, source: &Source, secrets: &[String]) -> Entry<'r> {
    let clean = |text: &String| scrub(text, secrets);
    let related = finding.related.iter().map(|label| (place(source, label.span), clean(&label.text)));
    let open = |text: &String| clean(text) == *text;
    Entry {
        rule: finding.rule,
        level: finding.level,
        message: clean(&finding.message),
        place: place(source, finding.span),
        label: finding.label.as_ref().map(clean),
        related: related.collect(),
        help: finding.help.as_ref().map(clean),
        fix: (finding.fix.as_ref()).filter(|fix| open(&fix.title) && fix.edits.iter().all(|edit| open(&edit.text))),
    }
}

/// The union of all hidden spans of a file: a key in one finding's place may stand beside another.
fn hidden(report: &FileReport) -> Vec<std::ops::Range<usize>> {
    let failed = report.cases.iter().flat_map(|case| match &case.outcome {
        Outcome::Failed(findings) => findings.as_slice(),
        _ => &[],
    });
    let spans = report.findings.iter().chain(failed).flat_map(|finding| &finding.hidden);
    let mut ranges: Vec<_> = spans
        .map(|span| clamped(report.source.text(), *span))
        .filter(|range| !range.is_empty())
        .collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut union: Vec<std::ops::Range<usize>> = Vec::new();
    for range in ranges {
        match union.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => union.push(range),
        }
    }
    union
}

/// What stands in the hidden places, as written and with its JSON escapes undone, longest first.
fn secrets(text: &str, hidden: &[std::ops::Range<usize>]) -> Vec<String> {
    let mut secrets = Vec::new();
    for range in hidden {
        let written = text[range.clone()].trim_matches(['"', '\'']);
        secrets.extend(
            serde_json::from_str(&format!("\"{written}\""))
                .ok()
                .filter(|plain| plain != written),
        );
        secrets.push(written.to_owned());
    }
    secrets.retain(|secret| secret.len() >= SHORT);
    secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    secrets.dedup();
    secrets
}
