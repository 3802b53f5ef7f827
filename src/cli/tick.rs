//! Lists to tick and risks to change, in a terminal. What is ticked is the command's own.

use inquire::validator::Validation;
use inquire::{InquireError, MultiSelect, Select, Text};

use super::exit::Exit;
use super::fault::Fault;
use super::interrupt;
use crate::diag::count;
use crate::model::Risk;

/// Rows of a list that are shown at once.
const PAGE: usize = 15;

/// What a list is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct List<'a> {
    /// `Operations to import`.
    pub title: &'a str,
    /// `operation`.
    pub one: &'a str,
    pub most: usize,
    /// The flag that chooses without asking.
    pub flag: &'a str,
}

/// Asks which rows to take: their places, in order, one at least and at most `list.most`.
pub(super) fn tick(list: List<'_>, rows: Vec<String>, ticked: &[usize]) -> Result<Vec<usize>, Fault> {
    let most = list.most;
    let picked = MultiSelect::new(&format!("{}, at most {most}:", list.title), rows)
        .with_default(ticked)
        .with_page_size(PAGE)
        .with_help_message("type to search, space ticks, enter goes on, Esc gives up")
        .with_validator(move |picked: &[inquire::list_option::ListOption<&String>]| Ok(allowed(picked.len(), most)))
        .with_formatter(&|picked| count(picked.len(), list.one))
        .raw_prompt()
        .map_err(|error| stopped(error, list.flag))?;
    let mut picked: Vec<usize> = picked.iter().map(|choice| choice.index).collect();
    picked.sort_unstable();
    Ok(picked)
}

fn allowed(picked: usize, most: usize) -> Validation {
    match picked {
        0 => Validation::Invalid("tick one at least".into()),
        _ if picked <= most => Validation::Valid,
        _ => Validation::Invalid(format!("{picked} are ticked; a connector takes at most {most}").into()),
    }
}

/// A row as wide as the terminal: one that wraps would spoil the list.
pub(super) fn row(text: &str, width: usize) -> String {
    let width = width.saturating_sub("> [x] ".len() + 1);
    text.trim_end_matches([' ', '—']).chars().take(width).collect()
}

/// Asks for a text.
pub(super) fn text(title: &str, help: &str, default: Option<&str>, flag: &str) -> Result<String, Fault> {
    let title = format!("{title}:");
    let mut question = Text::new(&title);
    if !help.is_empty() {
        question = question.with_help_message(help);
    }
    if let Some(default) = default {
        question = question.with_default(default);
    }
    question.prompt().map_err(|error| stopped(error, flag))
}

/// Asks which of some texts.
pub(super) fn one_of(title: &str, choices: &[String], flag: &str) -> Result<String, Fault> {
    let question = Select::new(&format!("{title}:"), choices.to_vec()).prompt();
    question.map_err(|error| stopped(error, flag))
}

/// Asks which risks to change.
pub(super) fn change_risks(list: List<'_>, chosen: &mut [(String, Risk)]) -> Result<(), Fault> {
    let stopped = |error| stopped(error, list.flag);
    // Each is asked about twice at most.
    for _ in 0..2 * chosen.len() {
        let mut rows = vec!["no, the risks are right".to_owned()];
        rows.extend(chosen.iter().map(|(name, risk)| format!("{:<12} {name}", risk.word())));
        let asked = Select::new("Change a risk?", rows)
            .with_page_size(PAGE)
            .raw_prompt()
            .map_err(stopped)?;
        let Some((name, risk)) = asked.index.checked_sub(1).and_then(|at| chosen.get_mut(at)) else {
            break;
        };
        let words: Vec<&str> = Risk::ALL.iter().map(|risk| risk.word()).collect();
        let now = Risk::ALL.iter().position(|one| one == risk).unwrap_or_default();
        let word = Select::new(&format!("{name} is"), words)
            .with_starting_cursor(now)
            .raw_prompt()
            .map_err(stopped)?;
        *risk = Risk::ALL[word.index];
    }
    Ok(())
}

fn stopped(error: InquireError, flag: &str) -> Fault {
    match error {
        InquireError::OperationInterrupted => interrupt::leave(Exit::Interrupted),
        InquireError::OperationCanceled => Fault::usage("nothing_chosen", "nothing was chosen, nothing was written"),
        error => Fault::usage("nothing_chosen", "cannot ask here")
            .cause(error.to_string())
            .hint(format!("choose with `{flag}`")),
    }
}
