//! Ticking operations in a terminal.

use inquire::{InquireError, MultiSelect, Select};

use super::super::Session;
use super::super::fault::Fault;
use crate::model::{Method, Risk};
use crate::openapi::{Api, Chosen, MOST, Operation, Selection, choose};

/// Asks which operations to import and which risks to change, and says which flags would have
/// done the same.
pub(super) fn ask(api: &Api<'_>, selection: Selection<'_>, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let rows: Vec<String> = api.operations.iter().map(row).collect();
    let reads = |operation: &Operation<'_>| operation.method == Method::Get && !operation.deprecated;
    let ticked: Vec<usize> = api
        .operations
        .iter()
        .enumerate()
        .filter(|(_, operation)| reads(operation))
        .map(|(at, _)| at)
        .take(MOST)
        .collect();
    let picked = MultiSelect::new("Operations to import:", rows.clone())
        .with_default(&ticked)
        .with_page_size(15)
        .with_help_message("type to search, space ticks, enter goes on")
        .raw_prompt()
        .map_err(stopped)?;
    let only: Vec<String> = picked.iter().map(|choice| api.operations[choice.index].id.clone()).collect();
    let mut risks = selection.risks.to_vec();
    change_risks(api, &only, &mut risks)?;
    let chosen = choose(
        api,
        Selection {
            only: &only,
            except: &[],
            risks: &risks,
        },
    )
    .map_err(|error| super::refused(&error, api))?;
    session.io.progress(&format!("(same as {})\n", flags(&only, &risks)));
    Ok(chosen)
}

fn row(operation: &Operation<'_>) -> String {
    format!(
        "{:<12} {:<6} {} {} — {}",
        operation.risk.word(),
        operation.method.word(),
        operation.id,
        operation.path,
        operation.summary
    )
}

fn change_risks(api: &Api<'_>, only: &[String], risks: &mut Vec<(String, Risk)>) -> Result<(), Fault> {
    let done = "no, the risks are right".to_owned();
    let changes: Vec<&Operation<'_>> = only
        .iter()
        .filter_map(|id| api.operation(id))
        .filter(|operation| operation.risk != Risk::Read)
        .collect();
    // Each change is asked for once more at most.
    for _ in 0..changes.len() {
        let risk = |operation: &Operation<'_>| {
            risks
                .iter()
                .rev()
                .find(|(id, _)| *id == operation.id)
                .map_or(operation.risk, |(_, risk)| *risk)
        };
        let mut rows = vec![done.clone()];
        rows.extend(
            changes
                .iter()
                .map(|operation| format!("{}: {}", operation.id, risk(operation).word())),
        );
        let picked = Select::new("Change a risk?", rows).raw_prompt().map_err(stopped)?;
        let Some(operation) = picked.index.checked_sub(1).and_then(|at| changes.get(at)) else {
            break;
        };
        let words: Vec<&str> = Risk::ALL.iter().map(|risk| risk.word()).collect();
        let word = Select::new(&format!("{} is", operation.id), words).raw_prompt().map_err(stopped)?;
        risks.push((operation.id.clone(), Risk::ALL[word.index]));
    }
    Ok(())
}

fn flags(only: &[String], risks: &[(String, Risk)]) -> String {
    let risks: String = risks.iter().map(|(id, risk)| format!(" --risk {id}={}", risk.word())).collect();
    format!("--only {}{risks}", only.join(","))
}

fn stopped(error: InquireError) -> Fault {
    match error {
        InquireError::OperationInterrupted => super::super::interrupt::leave(super::Exit::Interrupted),
        InquireError::OperationCanceled => Fault::usage("nothing_chosen", "nothing was chosen, nothing was written"),
        error => Fault::usage("nothing_chosen", "cannot ask here")
            .cause(error.to_string())
            .hint("choose with `--only`"),
    }
}
