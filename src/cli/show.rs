//! Findings to standard output, in the form that was asked for.

use super::Session;
use super::args;
use crate::report::{FileReport, Format, Look, write};

pub(super) fn format(asked: args::Format, as_json: bool) -> Format {
    match asked {
        _ if as_json => Format::Json,
        args::Format::Human => Format::Human,
        args::Format::Concise => Format::Concise,
        args::Format::Json => Format::Json,
        args::Format::Github => Format::Github,
        args::Format::Sarif => Format::Sarif,
        args::Format::Junit => Format::Junit,
    }
}

pub(super) fn findings(reports: &[FileReport], format: Format, session: &Session) {
    let facts = &session.io.facts;
    let look = Look {
        color: facts.stdout_color,
        unicode: facts.unicode,
        width: facts.width,
        links: facts.stdout_terminal && facts.stdout_color,
    };
    let text = write(format, reports, &look);
    match format {
        Format::Json | Format::Sarif => session.io.out_document(&text),
        _ => session.io.out(&text),
    }
}
