//! The tools of a server, each with the suggested risk and what it rests on.

use super::super::Session;
use crate::adopt::{Described, Offered};
use crate::diag::{Level, count};
use crate::report::visible;
use crate::rules;
use crate::source::Source;

/// Tools that are shown.
const SHOWN: usize = 200;
/// Odd things that are told.
const NOTES: usize = 20;
/// Warnings that are told.
const CAUTIONS: usize = 5;
/// The widest name that has a column of its own.
const WIDEST: usize = 40;

/// What is odd about the server, then its tools.
pub(super) fn show(described: &Described, offers: &[Offered], notes: &[String], session: &Session) {
    let mut text: String = notes.iter().take(NOTES).map(|note| format!("note: {}\n", visible(note))).collect();
    if notes.len() > NOTES {
        text += &format!("note: and {} more like these\n", notes.len() - NOTES);
    }
    text += &format!("{} offers {}\n", described.name, count(offers.len(), "tool"));
    let width = offers
        .iter()
        .map(|offer| offer.tool.shown_name().chars().count())
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0);
    for offer in offers.iter().take(SHOWN) {
        text += &format!("  {}\n", line(offer, width));
    }
    if offers.len() > SHOWN {
        text += &format!("  and {} more\n", offers.len() - SHOWN);
    }
    session.io.progress(&text);
}

/// What `check` would warn of.
pub(super) fn cautions(connector: &str, session: &Session) {
    let checked = rules::read(Source::new("the connector", connector));
    let warnings = checked.findings.iter().filter(|finding| finding.level == Level::Warning);
    for warning in warnings.take(CAUTIONS) {
        session.io.progress(&format!("note: {}\n", visible(&warning.message)));
    }
}

fn line(offer: &Offered, width: usize) -> String {
    let name = offer.tool.shown_name();
    let text = match &offer.unfit {
        Some(unfit) => format!("{name:<width$}  (left out: {unfit})"),
        None => format!("{name:<width$}  {:<12}  (it {})", offer.risk.word(), offer.claim()),
    };
    visible(&text)
}
