//! Requests: the address, methods, paths, headers, query and body.

mod address;
mod body;
mod headers;
mod path;
mod query;

use crate::diag::{Finding, table};
use crate::format::connector::{Document, RequestBlock};
use crate::model::{Method, Risk, nearest};

use super::{listed, placeholder_in_name, replace};

pub(crate) use address::{Written, judge as judge_address};
pub(crate) use path::{PathRules, judge as judge_path};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    address::check(document, findings);
    headers::check(document, findings);
    for entry in document.http.iter().flat_map(|http| &http.query) {
        query::check(entry, findings);
    }
    for capability in &document.capabilities {
        let Some(request) = &capability.request else { continue };
        let risk = capability.risk.and_then(|risk| Risk::parse(risk.text));
        method(request, findings);
        findings.extend(request.path.iter().flat_map(|path| path::judge(&path.word, &path::CONNECTOR)));
        request.query.iter().for_each(|entry| query::check(entry, findings));
        headers::pairs(&request.headers, risk == Some(Risk::Read), findings);
        body::check(request, findings);
    }
}

fn method(request: &RequestBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(word) = request.method.filter(|word| Method::parse(word.text).is_none()) else {
        return;
    };
    let words = Method::ALL.map(Method::word);
    let finding = Finding::new(
        &table::UNKNOWN_METHOD,
        word.at(),
        format!("`{}` is not a method of a request", word.text),
    );
    findings.push(match nearest(word.text.trim(), words) {
        Some(method) => finding
            .label(format!("did you mean `{method}`?"))
            .fix(format!("write `{method}`"), vec![replace(&word, method)]),
        None => finding.help(format!("choose one of {}", listed(words))),
    });
}
