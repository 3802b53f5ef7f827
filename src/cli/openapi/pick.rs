//! Ticking operations in a terminal.

use super::super::Session;
use super::super::fault::Fault;
use super::super::tick::{self, List};
use crate::model::Risk;
use crate::openapi::{Api, ChoiceError, Chosen, MOST, Operation, Selection, choose, select};
use crate::report::visible;

const LIST: List<'static> = List {
    title: "Operations to import",
    one: "operation",
    most: MOST,
    flag: "--only",
};

/// Asks which operations to import and which risks to change, and says which flags would have
/// done the same.
pub(super) fn ask(api: &Api<'_>, selection: Selection<'_>, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let ticked = ticked(api, selection)?;
    let rows = api.operations.iter().map(|operation| row(operation, session)).collect();
    let picked = tick::tick(LIST, rows, &ticked)?;
    let only = words(api, &picked);
    let same = Selection {
        only: &only,
        except: &[],
        ..selection
    };
    let chosen = choose(api, same).map_err(|error| super::refused(&error, api))?;
    let mut risks: Vec<(String, Risk)> = chosen.into_iter().map(|one| (one.id, one.risk)).collect();
    tick::change_risks(LIST, &mut risks)?;
    let chosen: Vec<Chosen> = risks.into_iter().map(|(id, risk)| Chosen { id, risk }).collect();
    session.io.progress(&format!("(same as {})\n", flags(api, &only, &chosen)));
    Ok(chosen)
}

/// The reads, less what `--except` takes away, and not more than a connector takes.
fn ticked(api: &Api<'_>, selection: Selection<'_>) -> Result<Vec<usize>, Fault> {
    let reads = Selection {
        only: &["get".to_owned()],
        ..selection
    };
    match select(api, reads) {
        Ok(found) => Ok(found.into_iter().take(MOST).collect()),
        Err(ChoiceError::Nothing) => Ok(Vec::new()),
        Err(error) => Err(super::refused(&error, api)),
    }
}

/// The words of `--only` that choose these: `get` when every read is among them.
fn words(api: &Api<'_>, picked: &[usize]) -> Vec<String> {
    let get = ["get".to_owned()];
    let reads = Selection {
        only: &get,
        ..Selection::default()
    };
    let reads = select(api, reads).unwrap_or_default();
    let all = !reads.is_empty() && reads.iter().all(|read| picked.contains(read));
    let named = picked.iter().filter(|at| !all || !reads.contains(at));
    let named = named.map(|at| api.operations[*at].id.clone());
    get.into_iter().filter(|_| all).chain(named).collect()
}

fn row(operation: &Operation<'_>, session: &Session) -> String {
    let text = format!(
        "{:<12} {:<6} {} {} — {}",
        operation.risk.word(),
        operation.method.word(),
        operation.id,
        visible(operation.path),
        operation.summary
    );
    tick::row(&text, session.io.facts.width)
}

fn flags(api: &Api<'_>, only: &[String], chosen: &[Chosen]) -> String {
    let changed = chosen
        .iter()
        .filter(|one| api.operation(&one.id).is_some_and(|operation| operation.risk != one.risk));
    let risks: String = changed.map(|one| format!(" --risk {}={}", one.id, one.risk.word())).collect();
    format!("--only {}{risks}", only.join(","))
}
