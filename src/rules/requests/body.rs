//! Bodies: where one is odd, and what a form needs.

use crate::diag::{Finding, table};
use crate::format::connector::{BodyBlock, RequestBlock};
use crate::source::{Kind, View};

use super::placeholder_in_name;

pub(super) fn check(request: &RequestBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(body) = &request.body else { return };
    names(body.view, findings);
    if request.method.is_some_and(|method| method.text.eq_ignore_ascii_case("GET")) {
        findings.push(
            Finding::new(&table::BODY_ON_GET, body.key_at, "a GET with a body: many services ignore it")
                .help("move it to `query`, or use POST with `\"safe\": true`"),
        );
    }
    if request.form.is_some_and(|form| form.value) && body.view.kind() != Kind::Map {
        findings.push(without_fields(body));
    }
}

fn without_fields(body: &BodyBlock<'_>) -> Finding {
    let message = format!("a form needs an object of fields, not {}", body.view.kind().words());
    Finding::new(&table::FORM_WITHOUT_FIELDS, body.view.span(), message).help("write {\"field\": \"{{argument}}\"}")
}

fn names(view: View<'_>, findings: &mut Vec<Finding>) {
    for field in view.fields() {
        findings.extend(placeholder_in_name(field.key, field.key_span));
        names(field.value, findings);
    }
    view.items().for_each(|view| names(view, findings));
}
