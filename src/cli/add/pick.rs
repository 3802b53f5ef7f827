//! Ticking tools in a terminal.

use super::super::Session;
use super::super::fault::Fault;
use super::super::tick::{self, List};
use crate::adopt::{Chosen, MOST, Offered, Selection, choose};
use crate::model::Risk;
use crate::report::visible;

const LIST: List<'static> = List {
    title: "Tools to include",
    one: "tool",
    most: MOST,
    flag: "--tools",
};

/// Asks which tools to take and which risks to change, and says which flags would have done the
/// same.
pub(super) fn ask(offers: &[Offered], selection: Selection<'_>, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let fit: Vec<usize> = (0..offers.len()).filter(|at| offers[*at].unfit.is_none()).collect();
    let rows = fit.iter().map(|at| row(&offers[*at], session.io.facts.width)).collect();
    let reads = (0..fit.len()).filter(|row| offers[fit[*row]].risk == Risk::Read);
    let ticked: Vec<usize> = reads.take(MOST).collect();
    let picked = tick::tick(LIST, rows, &ticked)?;
    let tools: Vec<String> = picked.iter().map(|row| offers[fit[*row]].method.clone()).collect();
    let same = Selection {
        tools: &tools,
        ..selection
    };
    let mut chosen = choose(offers, same).map_err(|error| super::refused(&error))?;
    let mut risks: Vec<(String, Risk)> = chosen.iter().map(|one| (offers[one.at].method.clone(), one.risk)).collect();
    tick::change_risks(LIST, &mut risks)?;
    chosen.iter_mut().zip(&risks).for_each(|(one, (_, risk))| one.risk = *risk);
    session.io.progress(&format!("(same as {})\n", flags(offers, &chosen)));
    Ok(chosen)
}

fn row(offer: &Offered, width: usize) -> String {
    let about = offer.tool.shown_description();
    let text = format!(
        "{:<12} {} — it {} — {about}",
        offer.risk.word(),
        offer.tool.shown_name(),
        offer.claim()
    );
    tick::row(&visible(&text), width)
}

fn flags(offers: &[Offered], chosen: &[Chosen]) -> String {
    let names: Vec<&str> = chosen.iter().map(|one| offers[one.at].method.as_str()).collect();
    let changed = chosen.iter().filter(|one| offers[one.at].risk != one.risk);
    let risks: String = changed
        .map(|one| format!(" --risk {}={}", offers[one.at].method, one.risk.word()))
        .collect();
    format!("--tools {}{risks}", names.join(","))
}
