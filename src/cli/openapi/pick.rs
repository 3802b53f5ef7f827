//! Ticking operations in a terminal.

use inquire::validator::Validation;
use inquire::{InquireError, MultiSelect, Select};

use super::super::Session;
use super::super::fault::Fault;
use crate::diag::count;
use crate::model::Risk;
use crate::openapi::{Api, ChoiceError, Chosen, MOST, Operation, Selection, choose, select};
use crate::report::visible;

/// Rows of the list that are shown at once.
const PAGE: usize = 15;

/// Asks which operations to import and which risks to change, and says which flags would have
/// done the same.
pub(super) fn ask(api: &Api<'_>, selection: Selection<'_>, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let ticked = ticked(api, selection)?;
    let rows: Vec<String> = api.operations.iter().map(|operation| row(operation, session)).collect();
    let picked = MultiSelect::new(&format!("Operations to import, at most {MOST}:"), rows)
        .with_default(&ticked)
        .with_page_size(PAGE)
        .with_help_message("type to search, space ticks, enter goes on, Esc gives up")
        .with_validator(|picked: &[inquire::list_option::ListOption<&String>]| Ok(allowed(picked.len())))
        .with_formatter(&|picked| count(picked.len(), "operation"))
        .raw_prompt()
        .map_err(stopped)?;
    let mut picked: Vec<usize> = picked.iter().map(|choice| choice.index).collect();
    picked.sort_unstable();
    let only = words(api, &picked);
    let same = Selection {
        only: &only,
        except: &[],
        ..selection
    };
    let mut chosen = choose(api, same).map_err(|error| super::refused(&error, api))?;
    change_risks(&mut chosen)?;
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

fn allowed(picked: usize) -> Validation {
    match picked {
        0 => Validation::Invalid("tick one at least".into()),
        1..=MOST => Validation::Valid,
        _ => Validation::Invalid(format!("{picked} are ticked; a connector takes at most {MOST}").into()),
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

/// As wide as the terminal: a row that wraps would spoil the list.
fn row(operation: &Operation<'_>, session: &Session) -> String {
    let text = format!(
        "{:<12} {:<6} {} {} — {}",
        operation.risk.word(),
        operation.method.word(),
        operation.id,
        visible(operation.path),
        operation.summary
    );
    let width = session.io.facts.width.saturating_sub("> [x] ".len() + 1);
    text.trim_end_matches([' ', '—']).chars().take(width).collect()
}

fn change_risks(chosen: &mut [Chosen]) -> Result<(), Fault> {
    // Each is asked about twice at most.
    for _ in 0..2 * chosen.len() {
        let mut rows = vec!["no, the risks are right".to_owned()];
        rows.extend(chosen.iter().map(|one| format!("{:<12} {}", one.risk.word(), one.id)));
        let asked = Select::new("Change a risk?", rows)
            .with_page_size(PAGE)
            .raw_prompt()
            .map_err(stopped)?;
        let Some(one) = asked.index.checked_sub(1).and_then(|at| chosen.get_mut(at)) else {
            break;
        };
        let words: Vec<&str> = Risk::ALL.iter().map(|risk| risk.word()).collect();
        let now = Risk::ALL.iter().position(|risk| *risk == one.risk).unwrap_or_default();
        let word = Select::new(&format!("{} is", one.id), words)
            .with_starting_cursor(now)
            .raw_prompt()
            .map_err(stopped)?;
        one.risk = Risk::ALL[word.index];
    }
    Ok(())
}

fn flags(api: &Api<'_>, only: &[String], chosen: &[Chosen]) -> String {
    let changed = chosen
        .iter()
        .filter(|one| api.operation(&one.id).is_some_and(|operation| operation.risk != one.risk));
    let risks: String = changed.map(|one| format!(" --risk {}={}", one.id, one.risk.word())).collect();
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
