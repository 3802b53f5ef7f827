//! Fields as such: one transport, texts that may not be empty, fields that nothing reads.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, Document, RequestBlock, ResultBlock};
use crate::model::{FormKind, Span, twice};
use crate::source::Kind;

use super::{listed, unfilled};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    if document.root.kind() != Kind::Map {
        return;
    }
    transport(document, findings);
    findings.extend(document.command.iter().filter_map(|word| empty(word, "command")));
    let program = document.command.iter().chain(&document.args);
    let braced = program.filter(|word| twice(b'{', word.text, 0).is_some());
    findings.extend(braced.map(|word| unfilled(word, "what is started", "write it out; a key reaches the program through `env`")));
    findings.extend(none(document));
    let http = has(document, "http");
    for capability in &document.capabilities {
        texts(capability, findings);
        if http {
            findings.extend(capability.result.iter().filter_map(idle_result));
            findings.extend(capability.request.iter().flat_map(idle_request));
        } else if !document.transports.is_empty() {
            findings.extend(of_http(capability));
        }
    }
    foreign(document, findings);
}

/// A connector that can do nothing.
fn none(document: &Document<'_>) -> Option<Finding> {
    let list = document
        .root
        .field("capabilities")
        .filter(|field| field.value.kind() == Kind::List)?;
    (list.value.items().len() == 0).then(|| {
        Finding::new(&table::MISSING_FIELD, list.key_span, "`capabilities` is empty")
            .label("the connector can do nothing")
            .help("add a capability; `explain P002` shows one")
    })
}

fn has(document: &Document<'_>, transport: &str) -> bool {
    document.transports.iter().any(|(name, _)| *name == transport)
}

fn transport(document: &Document<'_>, findings: &mut Vec<Finding>) {
    match &document.transports[..] {
        [] => findings.push(no_transport(document)),
        [_] => {}
        [(_, first), (_, second), ..] => {
            let names = listed(document.transports.iter().map(|(name, _)| *name));
            findings.push(
                Finding::new(&table::NOT_ONE_TRANSPORT, *second, format!("the connector has {names}"))
                    .related(*first, "and this one")
                    .help("keep one of them: `http` for an API, `command` for a program, `url` for a remote MCP server"),
            );
        }
    }
}

fn no_transport(document: &Document<'_>) -> Finding {
    let start = document.root.span().start;
    let place = document.name.map_or(Span { start, end: start + 1 }, |name| name.at());
    Finding::new(
        &table::NOT_ONE_TRANSPORT,
        place,
        "the connector has none of `http`, `command` and `url`",
    )
    .help("add `http` for an API, `command` for a program or `url` for a remote MCP server")
}

fn texts(capability: &CapabilityBlock<'_>, findings: &mut Vec<Finding>) {
    let texts = [(&capability.signature, "signature"), (&capability.returns, "returns")];
    findings.extend(texts.into_iter().filter_map(|(word, name)| empty(word.as_ref()?, name)));
}

fn empty(word: &Word<'_>, name: &str) -> Option<Finding> {
    word.text
        .trim()
        .is_empty()
        .then(|| Finding::new(&table::EMPTY_FIELD, word.at(), format!("`{name}` is empty")).help("write what a reader needs to know"))
}

/// `request` and `result` where no request is made.
fn of_http(capability: &CapabilityBlock<'_>) -> impl Iterator<Item = Finding> + use<> {
    let fields = [("request", capability.request_at), ("result", capability.result_at)];
    fields.into_iter().filter_map(|(name, at)| Some(ignored(name, at?, "http")))
}

fn ignored(name: &str, at: Span, owner: &str) -> Finding {
    Finding::new(
        &table::IGNORED_FIELD,
        at,
        format!("`{name}` is read only in a connector with `{owner}`"),
    )
    .help("remove it")
}

fn foreign(document: &Document<'_>, findings: &mut Vec<Finding>) {
    if document.transports.len() != 1 {
        return;
    }
    for (name, owner) in [("args", "command"), ("headers", "url")] {
        let field = document.root.field(name).filter(|field| !field.value.is_null());
        if let Some(field) = field.filter(|_| !has(document, owner)) {
            findings.push(ignored(name, field.key_span, owner));
        }
    }
}

fn no_effect(at: Span, message: &str, help: &str) -> Finding {
    Finding::new(&table::NO_EFFECT, at, message).help(help)
}

fn idle_result(result: &ResultBlock<'_>) -> Option<Finding> {
    if result.view.fields().len() == 0 {
        return Some(no_effect(
            result.view.span(),
            "`result` says nothing",
            "remove it: the whole answer is kept",
        ));
    }
    let at = result.fields_at.filter(|_| result.fields.as_ref().is_some_and(Vec::is_empty))?;
    let written = result.view.get("fields").is_some_and(|view| view.fields().len() == 0);
    written.then(|| no_effect(at, "`fields` keeps everything", "name the fields to keep, or remove it"))
}

fn idle_request<'r>(request: &'r RequestBlock<'_>) -> impl Iterator<Item = Finding> + use<'r> {
    let form = request.form.filter(|form| form.kind.is_some() && request.body.is_none());
    let form = form.map(|form| no_effect(form.key_at, "`form` without a `body`", "add a `body`, or remove `form`"));
    let get = request.method.is_some_and(|method| method.text.eq_ignore_ascii_case("GET"));
    let safe = request.safe.filter(|safe| safe.value && get);
    let safe = safe.map(|safe| no_effect(safe.key_at, "a GET reads without `safe`", "remove `safe`"));
    let multipart = request.form_kind() == Some(FormKind::Multipart);
    let typed = request
        .headers
        .iter()
        .filter(move |pair| multipart && pair.name.eq_ignore_ascii_case("Content-Type"));
    let typed = typed.map(|pair| no_effect(pair.name_at, "a multipart form names its own type", "remove the header"));
    form.into_iter().chain(safe).chain(typed)
}
