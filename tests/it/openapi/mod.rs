//! Descriptions of our own, small ones, and what becomes of them.

mod choosing;
mod documents;
mod reports;
mod sent;
mod spec;
mod whole;
mod work;

use becket::model::{Connector, Http, Risk, Transport};
use becket::openapi::{self, Api, Choice, Chosen, Files, Lowered, NoteKind, Options, Target, lower};
use becket::source::{Limits, Source, parse};
use serde_json::Value;

/// Where the descriptions come from, unless a test says otherwise.
const ADDRESS: &str = "https://docs.shelf.example/a/openapi.yaml";

pub(crate) fn fetched() -> Options {
    Options {
        address: Some(ADDRESS.parse().expect("an address")),
        ..Options::default()
    }
}

pub(crate) fn becket() -> Options {
    Options {
        target: Target::Becket,
        ..fetched()
    }
}

/// Reads a description and hands it on.
pub(crate) fn with<T>(text: &str, options: &Options, see: impl FnOnce(&Api<'_>) -> T) -> T {
    let doc = parse(Source::new("openapi.yaml", text), Limits::DESCRIPTION).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let files = Files::single(doc, options.address.clone());
    see(&openapi::read(&files, options).unwrap_or_else(|error| panic!("{error}")))
}

/// All operations of a description, with the suggested risks.
pub(crate) fn everything(api: &Api<'_>) -> Choice {
    let chosen = api.operations.iter().map(|operation| Chosen {
        id: operation.id.clone(),
        risk: operation.risk,
    });
    Choice {
        name: "shelf".to_owned(),
        description: None,
        source: None,
        operations: chosen.collect(),
    }
}

/// The connector of all operations.
pub(crate) fn lowered(text: &str, options: &Options) -> Lowered {
    with(text, options, |api| {
        lower(api, &everything(api)).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// A description of 3.0 with these paths, in YAML flow style.
pub(crate) fn paths(paths: &str) -> String {
    format!("{{openapi: 3.0.3, info: {{title: Shelf, version: '1'}}, paths: {{{paths}}}}}")
}

/// The written connector as JSON.
pub(crate) fn written(connector: &Connector) -> Value {
    serde_json::from_str(&becket::format::write::write(connector)).expect("JSON")
}

/// The written capability that comes at this place.
pub(crate) fn capability(lowered: &Lowered, at: usize) -> Value {
    written(&lowered.connector)["capabilities"][at].clone()
}

pub(crate) fn http(connector: &Connector) -> &Http {
    match &connector.transport {
        Transport::Http(http) => http,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn ids(api: &Api<'_>) -> Vec<String> {
    api.operations.iter().map(|operation| operation.id.clone()).collect()
}

pub(crate) fn left_out(api: &Api<'_>) -> Vec<(String, &'static str)> {
    api.left_out.iter().map(|left| (left.id.clone(), left.reason.code())).collect()
}

pub(crate) fn kinds(notes: &[openapi::Note]) -> Vec<NoteKind> {
    notes.iter().map(|note| note.kind).collect()
}

pub(crate) fn all_as(api: &Api<'_>, risk: Risk) -> Choice {
    let mut choice = everything(api);
    for chosen in &mut choice.operations {
        chosen.risk = risk;
    }
    choice
}
