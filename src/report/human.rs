//! Findings for people, drawn by miette: what is wrong, where, the line with the place
//! underlined, what to do. The only file that knows miette. It is handed windows of the source,
//! never the source: it draws whole lines and panics beyond column 65,535.

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan,
    SpanContents,
};

use super::Look;
use super::concise::linked;
use super::sheet::{Entry, Sheet};
use super::text::{show, wrap};
use super::window::{Mark, Window, windows};
use super::words::{lines, more};
use crate::diag::Level;

/// Columns before a message: the sign.
const SIGN: usize = 4;
/// Columns before a remedy: `  help: `.
const HELP: usize = 8;

pub(super) fn write(sheets: &[Sheet<'_>], look: &Look) -> String {
    if sheets.iter().all(|sheet| sheet.entries().is_empty()) {
        return lines(sheets, look.unicode);
    }
    let handler = handler(look);
    let mut out = String::new();
    for sheet in sheets {
        for entry in sheet.entries() {
            let mut drawn = String::new();
            handler
                .render_report(&mut drawn, &picture(sheet, entry, look))
                .expect("every label is inside its window");
            drawn.lines().for_each(|line| push_line(&mut out, line));
            out.push('\n');
        }
        if let Some(more) = more(sheet) {
            out.push_str(&format!("{more} in {}\n\n", show(sheet.name(), look.unicode)));
        }
    }
    out.push_str(&lines(sheets, look.unicode));
    out
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

fn handler(look: &Look) -> GraphicalReportHandler {
    let theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_context_lines(1)
        .with_wrap_lines(false)
        .without_primary_span_start()
        .without_syntax_highlighting()
}

fn picture(sheet: &Sheet<'_>, entry: &Entry<'_>, look: &Look) -> Picture {
    let main = Mark {
        place: &entry.place,
        label: entry.label.as_deref(),
    };
    let related = entry.related.iter().map(|(place, text)| Mark { place, label: Some(text) });
    let marks: Vec<_> = std::iter::once(main).chain(related).collect();
    let room = |indent| look.width.saturating_sub(indent).max(20);
    let prose = wrap(&format!("{}: {}", entry.rule.code, show(&entry.message, look.unicode)), room(SIGN));
    Picture {
        message: prose.replacen(entry.rule.code, &linked(entry.rule.code, look), 1),
        help: entry.help.as_ref().map(|help| wrap(&show(help, look.unicode), room(HELP))),
        severity: match entry.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Note => Severity::Advice,
        },
        windows: Windows(windows(sheet, &marks, look)),
    }
}

/// A finding as miette wants it.
#[derive(Debug)]
struct Picture {
    message: String,
    help: Option<String>,
    severity: Severity,
    windows: Windows,
}

/// Windows one after the other, as if they were one text.
struct Windows(Vec<Window>);

impl fmt::Debug for Windows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} windows", self.0.len())
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Picture {}

impl Diagnostic for Picture {
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.windows)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.windows.labels()))
    }
}

impl Windows {
    /// Each window with the offset at which it starts.
    fn placed(&self) -> impl Iterator<Item = (usize, &Window)> {
        self.0.iter().scan(0, |next, window| {
            let start = *next;
            *next += window.text.len();
            Some((start, window))
        })
    }

    fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.placed().flat_map(|(start, window)| {
            window.marks.iter().map(move |mark| {
                let span = (start + mark.bytes.start, mark.bytes.len());
                match mark.index {
                    0 => LabeledSpan::new_primary_with_span(mark.label.clone(), span),
                    _ => LabeledSpan::new_with_span(mark.label.clone(), span),
                }
            })
        })
    }
}

impl SourceCode for Windows {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let end = span.offset() + span.len();
        let holds = |(start, window): &(usize, &Window)| *start <= span.offset() && end <= start + window.text.len();
        let (start, window) = self.placed().find(holds).ok_or(MietteError::OutOfBounds)?;
        let offset = span.offset() - start;
        let contents = window.text.as_str().read_span(&(offset, span.len()).into(), before, after)?;
        let name = window.marks.iter().find(|mark| mark.bytes.start == offset).or(window.marks.first());
        Ok(Box::new(MietteSpanContents::new_named(
            name.map(|mark| mark.name.clone()).unwrap_or_default(),
            contents.data(),
            (start + contents.span().offset(), contents.span().len()).into(),
            window.first_line - 1 + contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
