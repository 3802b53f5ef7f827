//! The contract of one connector, run at the terminal: keys, a line for each case, and what it
//! comes to. `check` and `test` share it.

use std::cell::LazyCell;

use super::exit::Exit;
use super::fault::Fault;
use super::keys::Loaded;
use super::{Session, keys, surroundings};
use crate::contract::{self, Run, Verdict};
use crate::diag::{Finding, count, table};
use crate::keys::Keys;
use crate::mcp::{Era, Settings};
use crate::model::{Case, Connector, Transport, credential};
use crate::report::{CaseRun, Outcome, visible};
use crate::service::Service;
use crate::source::Source;

/// How the line of a case is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// `tides.today {"port":"Santos"} … ok (212 ms, 80 bytes)`
    Check,
    /// `ok    tides.today {"port":"Santos"}    212 ms, 80 bytes`
    Test,
    /// As [`Lines::Check`], before the connector is installed.
    Install,
}

/// The widest call that the times of others are lined up with.
const WIDEST: usize = 60;

/// What the contract came to.
#[derive(Default)]
pub(super) struct Proof {
    pub cases: Vec<CaseRun>,
    pub exit: Exit,
}

/// Runs the contract. A failure means that it could not begin.
pub(super) fn prove(connector: &Connector, source: &Source, era: Era, lines: Lines, session: &mut Session) -> Result<Proof, Fault> {
    if is_silent(connector) {
        return Ok(Proof::default());
    }
    let settings = Settings {
        era,
        ..surroundings::settings(source, connector)?
    };
    let loaded = keys::load(connector, session)?;
    given(connector, &loaded, lines, session)?;
    let mut service = Service::new(connector, &loaded.keys, settings);
    if connector.cases.is_empty() {
        let held = session
            .io
            .waiting(&format!("listing the tools of {}", connector.name), || service.hold());
        held.map_err(|trouble| super::call_fault::told(&trouble, connector, &loaded.keys, session))?;
    }
    let width = LazyCell::new(|| {
        let widths = connector.cases.iter().map(|case| called(case).chars().count());
        widths.filter(|width| *width <= WIDEST).max().unwrap_or(0)
    });
    let runs = contract::run(connector, &loaded.keys, &mut service, |run| {
        session.io.progress_with(|| match lines {
            Lines::Check | Lines::Install => line(run),
            Lines::Test => row(run, *width),
        });
    });
    for note in service.notes() {
        session.io.progress(&format!("note: {note}\n"));
    }
    drop(service);
    Ok(proof(&runs, connector, &loaded.keys, session))
}

/// Whether there is nothing to ask: no case, and no server whose tools could differ.
fn is_silent(connector: &Connector) -> bool {
    connector.cases.is_empty() && matches!(connector.transport, Transport::Http(_))
}

/// Refuses to begin when a case needs a key that nobody has given.
fn given(connector: &Connector, loaded: &Loaded, lines: Lines, session: &Session) -> Result<(), Fault> {
    if !matches!(connector.transport, Transport::Http(_)) {
        // A server is given every declared key, an empty one too, and says itself what it needs.
        return Ok(());
    }
    let otherwise = match lines {
        Lines::Install => "`--offline` to install it untried".to_owned(),
        Lines::Check | Lines::Test => format!("`{}` to check the file only", session.brand.command("check --offline")),
    };
    for case in &connector.cases {
        if let Some(capability) = connector.capabilities.iter().find(|capability| capability.name == case.capability) {
            loaded.given(connector, capability, &otherwise, session)?;
        }
    }
    Ok(())
}

fn line(run: &Run<'_>) -> String {
    format!("{} … {} ({})\n", called(run.case), word(run), cost(run))
}

fn row(run: &Run<'_>, width: usize) -> String {
    format!("{:<4}  {:<width$}    {}\n", word(run), called(run.case), cost(run))
}

fn word(run: &Run<'_>) -> &'static str {
    if run.passed() { "ok" } else { "FAIL" }
}

fn cost(run: &Run<'_>) -> String {
    let time = format!("{} ms", run.elapsed.as_millis());
    match run.verdict {
        // What came, if anything, is not known.
        Verdict::Unanswered(_) => time,
        _ => format!("{time}, {}", count(run.bytes, "byte")),
    }
}

/// A case as a call: the capability and its arguments.
fn called(case: &Case) -> String {
    visible(&credential::masked(&format!("{} {}", case.capability, args(case))))
}

fn args(case: &Case) -> String {
    serde_json::Value::Object(case.args.clone()).to_string()
}

fn proof(runs: &[Run<'_>], connector: &Connector, keys: &Keys, session: &Session) -> Proof {
    let mut proof = Proof::default();
    for run in runs {
        let (outcome, exit) = outcome(run, connector, keys, session);
        proof.exit = Exit::gravest([proof.exit, exit]);
        proof.cases.push(CaseRun {
            capability: run.case.capability.clone(),
            args: args(run.case),
            outcome,
            milliseconds: run.elapsed.as_millis().try_into().unwrap_or(u64::MAX),
            bytes: run.bytes as u64,
        });
    }
    proof
}

fn outcome(run: &Run<'_>, connector: &Connector, keys: &Keys, session: &Session) -> (Outcome, Exit) {
    match &run.verdict {
        Verdict::Passed => (Outcome::Passed, Exit::Success),
        Verdict::Wrong(findings) => (Outcome::Failed(findings.clone()), Exit::Findings),
        Verdict::Unanswered(error) => {
            let fault = super::call_fault::told(error, connector, keys, session);
            let finding = Finding::new(&table::CASE_FAILED, run.case.at, fault.message);
            let finding = match fault.hint {
                Some(hint) => finding.help(hint),
                None => finding,
            };
            (Outcome::Failed(vec![finding]), fault.exit)
        }
    }
}
