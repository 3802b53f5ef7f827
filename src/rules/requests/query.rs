//! Query parameters: the forms that only this program reads, names with braces.

use crate::diag::{Finding, table};
use crate::format::connector::{QueryEntry, QueryForm};
use crate::model::{Style, nearest};

use super::{listed, placeholder_in_name, replace};

pub(super) fn check(entry: &QueryEntry<'_>, findings: &mut Vec<Finding>) {
    findings.extend(placeholder_in_name(entry.name, entry.name_at));
    match &entry.form {
        QueryForm::One(_) => {}
        QueryForm::Every(blanks) => {
            findings.push(beyond(entry, "a list of templates"));
            if blanks.is_empty() {
                findings.push(Finding::new(&table::NO_EFFECT, entry.at, format!("`{}` sends nothing", entry.name)).help("remove it"));
            }
        }
        QueryForm::Styled { style, .. } => {
            findings.push(beyond(entry, "a style"));
            if let Some(word) = style.as_ref().filter(|style| style.style.is_none()).map(|style| &style.word) {
                let words = Style::ALL.map(Style::word);
                let finding = Finding::new(&table::WRONG_TYPE, word.at(), format!("`{}` is not a style", word.text));
                findings.push(match nearest(word.text, words) {
                    Some(style) => finding
                        .label(format!("did you mean `{style}`?"))
                        .fix(format!("write `{style}`"), vec![replace(word, style)]),
                    None => finding.help(format!("choose one of {}", listed(words))),
                });
            }
        }
    }
}

fn beyond(entry: &QueryEntry<'_>, what: &str) -> Finding {
    let message = format!("the released host does not read {what} in `query`");
    Finding::new(&table::BEYOND_HOST, entry.at, message)
        .help("keep it where only this program runs the connector; elsewhere write one text")
}
