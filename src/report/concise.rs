//! One line for each finding, for people in a hurry and for grep:
//! `path:line:col: P302 message (did you mean …)`.

use super::sheet::{Entry, Sheet};
use super::text::show;
use super::words::{more, with_guess};
use super::{Look, page_address};
use crate::diag::Level;

pub(super) fn write(sheets: &[Sheet<'_>], look: &Look) -> String {
    let mut out = String::new();
    for sheet in sheets {
        for entry in sheet.entries() {
            out.push_str(&line(sheet, entry, look));
            out.push('\n');
        }
        let name = show(sheet.name(), look.unicode);
        out.extend(
            sheet
                .stop
                .iter()
                .map(|stop| format!("{name}: error: {}\n", show(&stop.message, look.unicode))),
        );
        out.extend(more(sheet).map(|more| format!("{name}: {more}\n")));
    }
    out
}

/// A finding on one line. The level is said only where it is not an error.
pub(super) fn line(sheet: &Sheet<'_>, entry: &Entry<'_>, look: &Look) -> String {
    let name = show(sheet.name(), look.unicode);
    let (at, code) = (entry.place.start, code(entry, look));
    let message = show(&with_guess(entry), look.unicode);
    let level = match entry.level {
        Level::Error => String::new(),
        other => format!("{}: ", other.word()),
    };
    format!("{name}:{}:{}: {code} {level}{message}", at.line, at.column)
}

fn code(entry: &Entry<'_>, look: &Look) -> String {
    let linked = linked(entry.rule.code, look);
    match entry.level {
        _ if !look.color => linked,
        Level::Error => format!("\u{1b}[31m{linked}\u{1b}[0m"),
        Level::Warning => format!("\u{1b}[33m{linked}\u{1b}[0m"),
        Level::Note => format!("\u{1b}[36m{linked}\u{1b}[0m"),
    }
}

/// The code, a link to its page where the screen has links.
pub(super) fn linked(code: &str, look: &Look) -> String {
    match page_address(code).filter(|_| look.links) {
        Some(page) => link(&page, code),
        None => code.to_owned(),
    }
}

fn link(page: &str, text: &str) -> String {
    format!("\u{1b}]8;;{page}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_link_is_closed() {
        let link = super::link("https://example.com/P302", "P302");
        assert_eq!(link, "\u{1b}]8;;https://example.com/P302\u{1b}\\P302\u{1b}]8;;\u{1b}\\");
    }
}
