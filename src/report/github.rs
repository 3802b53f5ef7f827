//! Workflow commands of GitHub Actions: each finding becomes a note at its line of a change.

use super::sheet::{Entry, Sheet};
use super::text::visible;
use super::words::{more, with_guess};
use crate::diag::Level;

pub(super) fn write(sheets: &[Sheet<'_>]) -> String {
    let mut out = String::new();
    for sheet in sheets {
        for entry in sheet.entries() {
            out.push_str(&command(sheet, entry));
        }
        out.extend(sheet.stop.iter().map(|stop| whole("error", sheet, "contract", &stop.text())));
        out.extend(more(sheet).map(|more| whole("notice", sheet, "more", &more)));
    }
    out
}

fn command(sheet: &Sheet<'_>, entry: &Entry<'_>) -> String {
    let word = match entry.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let (start, end) = (entry.place.start, entry.place.end);
    let file = file(sheet);
    let title = property(&format!("{} {}", entry.rule.code, entry.rule.slug));
    let place = format!(
        "line={},col={},endLine={},endColumn={}",
        start.line, start.column, end.line, end.column
    );
    format!("::{word} file={file},{place},title={title}::{}\n", message(&text(entry)))
}

/// Something about a file as a whole.
fn whole(word: &str, sheet: &Sheet<'_>, title: &str, text: &str) -> String {
    let text: Vec<_> = text.split('\n').map(visible).collect();
    format!("::{word} file={},title={title}::{}\n", file(sheet), message(&text.join("\n")))
}

/// Paths are from the root of the repository there.
fn file(sheet: &Sheet<'_>) -> String {
    let name = sheet.name();
    property(&visible(name.strip_prefix("./").unwrap_or(name)))
}

/// The message, and the remedy on a line of its own unless the message ends with it.
fn text(entry: &Entry<'_>) -> String {
    let message = visible(&with_guess(entry));
    match &entry.help {
        Some(help) if !help.starts_with("did you mean") => format!("{message}\nhelp: {}", visible(help)),
        _ => message,
    }
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        assert_eq!(property("a,b:c%\r\n"), "a%2Cb%3Ac%25%0D%0A");
        assert_eq!(message("a,b:c%0A\n::error::x"), "a,b:c%250A%0A::error::x");
    }
}
