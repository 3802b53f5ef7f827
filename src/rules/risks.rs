//! Risks against what a request can do.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, Document, RequestBlock};
use crate::model::{Method, Risk, nearest};

use super::listed;

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for capability in &document.capabilities {
        let Some(word) = &capability.risk else { continue };
        match Risk::parse(word.text) {
            None => findings.push(unknown(word)),
            Some(risk) if document.http.is_some() => findings.extend(of_request(capability, risk, word)),
            Some(_) => {}
        }
    }
}

fn unknown(word: &Word<'_>) -> Finding {
    let words = Risk::ALL.map(Risk::word);
    let finding = Finding::new(&table::UNKNOWN_RISK, word.at(), format!("`{}` is not a risk", word.text));
    match nearest(word.text, words) {
        // No fix: what decides whether the owner is asked is not guessed.
        Some(risk) => finding.label(format!("did you mean `{risk}`?")),
        None => finding.help(format!("choose one of {}", listed(words))),
    }
}

fn of_request(capability: &CapabilityBlock<'_>, risk: Risk, word: &Word<'_>) -> Option<Finding> {
    let request = capability.request.as_ref()?;
    let method = request.method?;
    let reads = Method::parse(method.text)? == Method::Get;
    if reads || risk != Risk::Read {
        return idle_safe(request, risk, reads);
    }
    let safe = request.safe.filter(|safe| safe.value);
    match (Method::parse(method.text)?, safe) {
        (Method::Post, Some(_)) => None,
        (other, Some(safe)) => Some(
            Finding::new(&table::SAFE_CHANGE, safe.key_at, format!("a {} is said only to read", other.word()))
                .related(method.at(), "its method")
                .help("use POST when the service has it, or declare the risk that it has"),
        ),
        (other, None) => Some(write_as_read(word, &method, other)),
    }
}

fn write_as_read(risk: &Word<'_>, method: &Word<'_>, parsed: Method) -> Finding {
    let message = format!("a {} changes something, so its risk cannot be `read`", parsed.word());
    let finding = Finding::new(&table::WRITE_AS_READ, risk.at(), message).related(method.at(), "the method");
    if parsed == Method::Post {
        finding.help("declare `reversible` or `irreversible`; a POST that only reads needs `\"safe\": true` in its request")
    } else {
        finding.help("declare `reversible` or `irreversible`")
    }
}

/// `safe` where the risk already says that something changes.
fn idle_safe(request: &RequestBlock<'_>, risk: Risk, reads: bool) -> Option<Finding> {
    let safe = request.safe.filter(|safe| safe.value && !reads && risk != Risk::Read)?;
    Some(
        Finding::new(
            &table::NO_EFFECT,
            safe.key_at,
            format!("`safe` says nothing beside the risk `{}`", risk.word()),
        )
        .help("remove it, or declare the risk `read`"),
    )
}
