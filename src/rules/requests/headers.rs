//! Headers: names that a request may set, and values that a header can have.

use std::collections::HashMap;

use crate::diag::{Finding, table};
use crate::format::connector::{Document, Pair};
use crate::model::credential::{self, Named};
use crate::model::{Need, Risk, is_forbidden_header, is_header_name, overrides_method};

/// Names that say something about the way of a request, not about what is asked.
const OF_PROXIES: [&str; 7] = [
    "forwarded",
    "via",
    "x-forwarded",
    "x-original-host",
    "x-original-url",
    "x-real-ip",
    "x-rewrite-url",
];

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let mut risks = document
        .capabilities
        .iter()
        .filter_map(|capability| Risk::parse(capability.risk?.text));
    let reads = risks.any(|risk| risk == Risk::Read);
    if let Some(http) = &document.http {
        pairs(&http.headers, reads, findings);
    }
    for name in &document.headers {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let right = name.text.bytes().all(letter) && name.text.starts_with(|first: char| first.is_ascii_alphabetic());
        if !right {
            findings.push(bad_name(name.text, name.at()));
        } else if is_forbidden_header(name.text) {
            findings.push(forbidden(name.text, name.at()));
        }
    }
}

pub(super) fn pairs(pairs: &[Pair<'_>], reads: bool, findings: &mut Vec<Finding>) {
    let mut seen = HashMap::new();
    for pair in pairs {
        findings.extend(name(pair, reads));
        findings.extend(value(pair));
        findings.extend(argument_as_key(pair));
        if let Some(first) = seen.insert(pair.name.to_ascii_lowercase(), pair.name_at) {
            findings.push(
                Finding::new(
                    &table::REPEATED_FIELD,
                    pair.name_at,
                    format!("`{}` stands here twice: a header's name has no case", pair.name),
                )
                .related(first, "the first one")
                .help("keep one of them"),
            );
        }
    }
}

fn bad_name(name: &str, at: crate::source::Span) -> Finding {
    Finding::new(&table::BAD_HEADER_NAME, at, format!("`{name}` is not a header name")).help("use letters, digits and `-`")
}

fn forbidden(name: &str, at: crate::source::Span) -> Finding {
    Finding::new(
        &table::FORBIDDEN_HEADER,
        at,
        format!("`{name}` belongs to the connection; a connector may not set it"),
    )
    .help("remove it")
}

fn name(pair: &Pair<'_>, reads: bool) -> Option<Finding> {
    if !is_header_name(pair.name) {
        return Some(bad_name(pair.name, pair.name_at));
    }
    if is_forbidden_header(pair.name) {
        return Some(forbidden(pair.name, pair.name_at));
    }
    if overrides_method(pair.name) && reads {
        let message = format!("`{}` can turn a read into a change", pair.name);
        return Some(Finding::new(&table::FORBIDDEN_HEADER, pair.name_at, message).help("remove it, and set `method`"));
    }
    let lower = pair.name.to_ascii_lowercase();
    let (why, help) = match lower.as_str() {
        "accept-encoding" => ("is set by the sender, which does the decoding", "remove it"),
        "cookie" => (
            "needs a session, which a connector does not keep",
            "use a key of the service instead",
        ),
        _ if overrides_method(pair.name) => ("hides the real method", "set `method` instead"),
        _ if OF_PROXIES.contains(&lower.as_str()) || lower.starts_with("x-forwarded-") => {
            ("is for proxies; services may trust it", "remove it")
        }
        _ => return None,
    };
    Some(Finding::new(&table::ODD_HEADER, pair.name_at, format!("`{}` {why}", pair.name)).help(help))
}

fn value(pair: &Pair<'_>) -> Option<Finding> {
    let word = &pair.value.word;
    let wrong = |letter: char| letter.is_control() && letter != '\t';
    let (at, letter) = word.text.char_indices().find(|(_, letter)| wrong(*letter))?;
    let what = if matches!(letter, '\r' | '\n') {
        "a line break"
    } else {
        "a control character"
    };
    let place = word.part(at..at + letter.len_utf8());
    Some(Finding::new(&table::BAD_HEADER_VALUE, place, format!("`{}` has {what}", pair.name)).help("remove it"))
}

fn argument_as_key(pair: &Pair<'_>) -> Option<Finding> {
    if credential::header(pair.name) != Named::Key {
        return None;
    }
    let (_, range) = pair.value.asked().find(|(need, _)| matches!(need, Need::Argument(_)))?;
    Some(
        Finding::new(
            &table::ARGUMENT_AS_KEY,
            pair.value.word.part(range),
            format!("`{}` takes an argument: the assistant would have to know the key", pair.name),
        )
        .help("declare the key in `env` and write `{{env.NAME}}`"),
    )
}
