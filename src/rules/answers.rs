//! What is kept of an answer: dot paths and the length of lists.

use std::ops::Range;

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{Document, ResultBlock};
use crate::model::{Path, twice};
use crate::source::View;

use super::{placeholder_in_name, replace, unfilled};

/// A longer path is not written anew.
const LONGEST: usize = 200;

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for result in document.capabilities.iter().filter_map(|capability| capability.result.as_ref()) {
        paths(result, findings);
        findings.extend(result.max.and_then(maximum));
    }
}

fn paths(result: &ResultBlock<'_>, findings: &mut Vec<Finding>) {
    let whole = result.path.iter().filter(|path| !path.text.is_empty());
    let kept = || result.fields.iter().flatten();
    findings.extend(whole.chain(kept().map(|kept| &kept.path)).filter_map(path));
    findings.extend(kept().filter_map(|kept| placeholder_in_name(kept.name, kept.name_at)));
}

fn path(word: &Word<'_>) -> Option<Finding> {
    if twice(b'{', word.text, 0).is_some() {
        return Some(unfilled(word, "`result`", "write the path out"));
    }
    let problem = match Path::parse(word.text) {
        Ok(_) if !is_of_another_language(word.text) => return None,
        Ok(_) => format!("`{}` has steps of another language than dot paths", word.text),
        Err(problem) => problem.to_string(),
    };
    let finding = Finding::new(&table::BAD_RESULT_PATH, word.at(), problem);
    Some(match dotted(word.text) {
        Some(right) => finding
            .help(format!("write `{right}`"))
            .fix(format!("write `{right}`"), vec![replace(word, &right)]),
        None => finding.help("write keys, indexes and `*` between dots, as in `data.items.*.id`"),
    })
}

/// `$.items`, `items[0]`, `items[*]`, `['items']`: the host would look for keys with these names.
fn is_of_another_language(text: &str) -> bool {
    let rooted = text == "$" || text.starts_with("$.") || text.starts_with("$[");
    rooted || brackets(text).any(|inside| is_step(&text[inside]))
}

/// What stands between brackets.
fn brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let opens = text.match_indices('[').map(|(open, _)| open + 1);
    opens.filter_map(|start| Some(start..start + text[start..].find([']', '['])?))
}

fn is_step(inside: &str) -> bool {
    let quoted = inside.starts_with(['"', '\'']);
    quoted || matches!(inside, "" | "*") || inside.bytes().all(|byte| byte.is_ascii_digit())
}

/// The same path with dots only, if there is one.
fn dotted(text: &str) -> Option<String> {
    let text = text.strip_prefix('$').unwrap_or(text).replace("[]", ".*");
    let plain = text.replace('[', ".").replace([']', '"', '\''], "");
    let steps: Vec<&str> = plain.split('.').filter(|step| !step.is_empty()).collect();
    let right = steps.join(".");
    (!steps.is_empty()
        && Path::parse(&right).is_ok()
        && right.len() <= LONGEST
        && !right.contains(|letter: char| letter == '\\' || letter.is_control()))
    .then_some(right)
}

fn maximum(view: View<'_>) -> Option<Finding> {
    let text = view.as_number()?;
    let finding = |rule, message| Finding::new(rule, view.span(), message);
    match text.parse::<u32>() {
        Ok(0) => Some(
            finding(&table::NO_EFFECT, "`max` 0 keeps every entry of a list".to_owned())
                .help("write how many entries to keep, or remove it"),
        ),
        Ok(_) => None,
        Err(_) => Some(
            finding(&table::BAD_MAXIMUM, format!("`max` is `{text}`, not a whole number from 0"))
                .help("write how many entries of a list to keep, or leave it out for all"),
        ),
    }
}
