//! Bodies: where one is odd, what a form needs, and the form that only this program sends.

use crate::diag::{Finding, table};
use crate::format::connector::{BodyBlock, FormBlock, RequestBlock};
use crate::model::FormKind;
use crate::source::{Kind, View};

use super::placeholder_in_name;

pub(super) fn check(request: &RequestBlock<'_>, findings: &mut Vec<Finding>) {
    findings.extend(request.form.filter(|form| form.kind == Some(FormKind::Multipart)).map(beyond));
    let Some(body) = &request.body else { return };
    names(body.view, findings);
    if request.method.is_some_and(|method| method.text.eq_ignore_ascii_case("GET")) {
        findings.push(
            Finding::new(&table::BODY_ON_GET, body.key_at, "a GET with a body: many services ignore it")
                .help("move it to `query`, or use POST with `\"safe\": true`"),
        );
    }
    if request.form_kind().is_some() && body.view.kind() != Kind::Map {
        findings.push(without_fields(body));
    }
}

fn beyond(form: FormBlock) -> Finding {
    Finding::new(&table::BEYOND_HOST, form.at, "the released host does not read a text in `form`")
        .help("keep it where only this program runs the connector; elsewhere write true, if the service takes that form")
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
