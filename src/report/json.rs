//! The report for programs, described by `docs/schemas/check-report.schema.json`. Fields are only
//! ever added; what does not apply is left out.

use serde::Serialize;

use super::pointers::pointers;
use super::sheet::{Case, Entry, Place, Sheet};
use super::text;
use super::words::{Totals, totals};
use super::{Outcome, page_address};
use crate::diag::Fix;
use crate::source::Position;

#[derive(Serialize)]
struct Report<'s> {
    version: u8,
    files: Vec<File<'s>>,
    summary: Totals,
}

#[derive(Serialize)]
struct File<'s> {
    path: &'s str,
    findings: Vec<Finding<'s>>,
    cases: Vec<CaseLine<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure<'s>>,
    /// Findings that the totals count and that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
}

#[derive(Serialize)]
struct Failure<'s> {
    code: &'static str,
    exit: u8,
    message: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'s str>,
}

#[derive(Serialize)]
struct Finding<'s> {
    code: &'static str,
    slug: &'static str,
    level: &'static str,
    message: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'s str>,
    range: Range,
    /// Where in the document (RFC 6901), when the file can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'s str>,
    related: Vec<Related<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixLine<'s>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

/// Line and column from 1, the column in characters; the offset in bytes from 0.
#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
    offset: usize,
}

#[derive(Serialize)]
struct Related<'s> {
    message: &'s str,
    range: Range,
}

#[derive(Serialize)]
struct FixLine<'s> {
    title: &'s str,
    edits: Vec<Edit<'s>>,
}

#[derive(Serialize)]
struct Edit<'s> {
    range: Range,
    text: &'s str,
}

#[derive(Serialize)]
struct CaseLine<'s> {
    capability: &'s str,
    /// JSON text.
    args: &'s str,
    outcome: &'static str,
    milliseconds: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'s str>,
}

pub(super) fn write(sheets: &[Sheet<'_>]) -> String {
    text::json(&Report {
        version: 1,
        files: sheets.iter().map(file).collect(),
        summary: totals(sheets),
    })
}

fn file<'s>(sheet: &'s Sheet<'_>) -> File<'s> {
    let entries = sheet.entries();
    let places: Vec<_> = entries.iter().map(|entry| &entry.place).collect();
    let pointers = pointers(sheet, &places);
    File {
        path: sheet.name(),
        findings: entries
            .into_iter()
            .zip(pointers)
            .map(|(entry, pointer)| finding(sheet, entry, pointer))
            .collect(),
        cases: sheet.cases.iter().map(case).collect(),
        failure: sheet.stop.as_ref().map(|stop| Failure {
            code: stop.code,
            exit: stop.exit,
            message: &stop.message,
            help: stop.help.as_deref(),
        }),
        omitted: Some(sheet.omitted).filter(|omitted| *omitted > 0),
    }
}

fn finding<'s>(sheet: &Sheet<'_>, entry: &'s Entry<'_>, pointer: Option<String>) -> Finding<'s> {
    Finding {
        code: entry.rule.code,
        slug: entry.rule.slug,
        level: entry.level.word(),
        message: &entry.message,
        help: entry.help.as_deref(),
        range: range(&entry.place),
        pointer,
        label: entry.label.as_deref(),
        related: entry.related.iter().map(related).collect(),
        fix: entry.fix.map(|fix| fix_line(sheet, fix)),
        page: page_address(entry.rule.code),
    }
}

fn range(place: &Place) -> Range {
    let point = |at: Position, offset| Point {
        line: at.line,
        column: at.column,
        offset,
    };
    Range {
        start: point(place.start, place.bytes.start),
        end: point(place.end, place.bytes.end),
    }
}

fn related((place, message): &(Place, String)) -> Related<'_> {
    Related {
        message,
        range: range(place),
    }
}

fn fix_line<'s>(sheet: &Sheet<'_>, fix: &'s Fix) -> FixLine<'s> {
    let edit = |edit: &'s crate::diag::Edit| Edit {
        range: range(&sheet.place(edit.span)),
        text: &edit.text,
    };
    FixLine {
        title: &fix.title,
        edits: fix.edits.iter().map(edit).collect(),
    }
}

fn case<'s>(case: &'s Case<'_>) -> CaseLine<'s> {
    CaseLine {
        capability: &case.capability,
        args: &case.args,
        outcome: match case.run.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "failed",
        },
        milliseconds: case.run.milliseconds,
        bytes: case.run.bytes,
        message: case.findings.first().map(|entry| entry.message.as_str()),
    }
}
