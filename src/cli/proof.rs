//! The contract of one connector, run at the terminal: keys, a line for each case, and what it
//! comes to. `check` and `test` share it.

use super::exit::Exit;
use super::fault::Fault;
use super::{Session, keys};
use crate::contract::{self, Run, Verdict};
use crate::diag::{Finding, count, table};
use crate::exec::{Client, needed_keys};
use crate::keys::Keys;
use crate::model::{Connector, Transport};
use crate::report::{CaseRun, Outcome};

/// What the contract came to.
pub(super) struct Proof {
    pub cases: Vec<CaseRun>,
    pub exit: Exit,
}

/// Runs the contract. A failure means that it could not begin.
pub(super) fn prove(connector: &Connector, session: &mut Session) -> Result<Proof, Fault> {
    if connector.cases.is_empty() {
        return Ok(Proof {
            cases: Vec::new(),
            exit: Exit::Success,
        });
    }
    if !matches!(connector.transport, Transport::Http(_)) {
        return Err(Fault::usage(
            "not_http",
            format!("the contract of `{}` needs an MCP client, which is not built yet", connector.name),
        )
        .hint("`--offline` checks the file only"));
    }
    let loaded = keys::load(connector)?;
    session.io.protect(&loaded.keys);
    given(connector, &loaded.missing, session)?;
    let client = Client::default();
    let runs = contract::run(connector, &loaded.keys, &client, |run| session.io.progress(&line(run)));
    Ok(proof(&runs, connector, &loaded.keys, session))
}

/// Refuses to begin when a case needs a key that nobody has given.
fn given(connector: &Connector, missing: &[String], session: &Session) -> Result<(), Fault> {
    for case in &connector.cases {
        let Some(capability) = connector.capabilities.iter().find(|capability| capability.name == case.capability) else {
            continue;
        };
        let needs: Vec<String> = needed_keys(connector, capability)
            .into_iter()
            .filter(|key| missing.contains(key))
            .collect();
        if let Some(first) = needs.first() {
            let named = if needs.len() == 1 {
                "a key that has no value"
            } else {
                "keys that have no value"
            };
            let message = format!("`{}` needs {named}: {}", capability.name, needs.join(", "));
            let check = session.brand.command("check --offline");
            return Err(Fault::new(Exit::Key, "key_missing", message).hint(format!(
                "set {first} for this run (to nothing, `{first}=`, to go without it), or `{check}` to check the file only"
            )));
        }
    }
    Ok(())
}

fn line(run: &Run<'_>) -> String {
    let word = if run.passed() { "ok" } else { "FAIL" };
    let size = count(run.bytes, "byte");
    format!(
        "{} {} … {word} ({} ms, {size})\n",
        run.case.capability,
        args(run),
        run.elapsed.as_millis()
    )
}

fn args(run: &Run<'_>) -> String {
    serde_json::Value::Object(run.case.args.clone()).to_string()
}

fn proof(runs: &[Run<'_>], connector: &Connector, keys: &Keys, session: &Session) -> Proof {
    let mut proof = Proof {
        cases: Vec::new(),
        exit: Exit::Success,
    };
    for run in runs {
        let (outcome, exit) = outcome(run, connector, keys, session);
        proof.exit = Exit::gravest([proof.exit, exit]);
        proof.cases.push(CaseRun {
            capability: run.case.capability.clone(),
            args: args(run),
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
            let fault = super::call_fault::of(error, connector, keys, session);
            let finding = Finding::new(&table::CASE_FAILED, run.case.at, fault.message);
            let finding = match fault.hint {
                Some(hint) => finding.help(hint),
                None => finding,
            };
            (Outcome::Failed(vec![finding]), fault.exit)
        }
    }
}
