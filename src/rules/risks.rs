//! Risks against what a request can do.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, Document, QueryEntry, RequestBlock};
use crate::model::{Method, Risk, Span, nearest, overrides_method, percent_decoded};

use super::listed;

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    shared_override(document, findings);
    for capability in &document.capabilities {
        let Some(word) = &capability.risk else { continue };
        match Risk::parse(word.text) {
            None => findings.push(unknown(word)),
            Some(risk) if document.http.is_some() => {
                findings.extend(of_request(capability, risk, word));
                if risk == Risk::Read {
                    findings.extend(capability.request.as_ref().and_then(own_override));
                }
            }
            Some(_) => {}
        }
    }
}

/// `_method=DELETE` for every request, where one is a read.
fn shared_override(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let Some(http) = &document.http else { return };
    let risks = || {
        document
            .capabilities
            .iter()
            .filter_map(|capability| Risk::parse(capability.risk?.text))
    };
    if risks().any(|risk| risk == Risk::Read) {
        let found = http.query.iter().find_map(in_query);
        findings.extend(found.or_else(|| in_address(http.base.as_ref()?)));
    }
}

/// `_method=DELETE` in the path, the query or the body of one request.
fn own_override(request: &RequestBlock<'_>) -> Option<Finding> {
    let in_path = || in_address(&request.path.as_ref()?.word);
    let in_body = || {
        let fields = request.body.as_ref()?.view.fields();
        fields
            .filter(|field| !is_get(field.value.as_str()))
            .find_map(|field| overriding(field.key, field.key_span))
    };
    request.query.iter().find_map(in_query).or_else(in_path).or_else(in_body)
}

fn in_query(entry: &QueryEntry<'_>) -> Option<Finding> {
    let gets = entry.blanks().all(|blank| is_get(Some(blank.word.text)));
    (!gets).then(|| overriding(entry.name, entry.name_at)).flatten()
}

/// The query of an address or a path.
fn in_address(word: &Word<'_>) -> Option<Finding> {
    let start = word.text.find('?')? + 1;
    let mut at = start;
    word.text[start..].split(['&', '#']).find_map(|pair| {
        let (place, (name, value)) = (at, pair.split_once('=').unwrap_or((pair, "")));
        at += pair.len() + 1;
        (!is_get(Some(value)))
            .then(|| overriding(name, word.part(place..place + pair.len())))
            .flatten()
    })
}

fn is_get(value: Option<&str>) -> bool {
    value.is_some_and(|value| value.trim().eq_ignore_ascii_case("GET"))
}

fn overriding(name: &str, at: Span) -> Option<Finding> {
    let plain = percent_decoded(name).unwrap_or_else(|| name.to_owned());
    (plain.eq_ignore_ascii_case("_method") || overrides_method(&plain)).then(|| {
        Finding::new(&table::WRITE_AS_READ, at, format!("`{name}` can turn a read into a change"))
            .help("remove it, and set `method`; declare the risk that it has")
    })
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
