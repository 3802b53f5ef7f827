//! What is kept of an answer: dot paths and the length of lists.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{Document, ResultBlock};
use crate::model::Path;
use crate::source::View;

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for result in document.capabilities.iter().filter_map(|capability| capability.result.as_ref()) {
        paths(result, findings);
        findings.extend(result.max.and_then(maximum));
    }
}

fn paths(result: &ResultBlock<'_>, findings: &mut Vec<Finding>) {
    let whole = result.path.iter().filter(|path| !path.text.is_empty());
    let fields = result.fields.iter().flatten().map(|kept| &kept.path);
    findings.extend(whole.chain(fields).filter_map(path));
}

fn path(word: &Word<'_>) -> Option<Finding> {
    let problem = Path::parse(word.text).err()?;
    Some(
        Finding::new(&table::BAD_RESULT_PATH, word.at(), problem.to_string())
            .help("write keys, indexes and `*` between dots, as in `data.items.*.id`"),
    )
}

fn maximum(view: View<'_>) -> Option<Finding> {
    let text = view.as_number()?;
    if text.parse::<u32>().is_ok() {
        return None;
    }
    let message = format!("`max` is `{text}`, not a whole number from 0");
    Some(Finding::new(&table::BAD_MAXIMUM, view.span(), message).help("write how many entries of a list to keep, or leave it out for all"))
}
