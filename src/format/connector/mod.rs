//! connector.json as a typed document: [`load`] reads it with every problem of its fields, and
//! [`lower`] makes a [`Connector`](crate::model::Connector) of one without errors.

mod document;
mod lower;
mod request;

use crate::diag::{Finding, table};
use crate::model::TemplateError;
use crate::source::{Doc, Field, View};

pub use super::block::Flag;
use super::block::{self, Block, Grammar, Owner};
use super::{Blank, Word};
pub use document::{
    BodyBlock, CapabilityBlock, CaseBlock, Document, FormBlock, HttpBlock, Kept, Pair, Place, QueryEntry, QueryForm, RequestBlock,
    ResultBlock, StyleWord,
};
pub use lower::lower;

pub(super) static GRAMMAR: Grammar = Grammar {
    noun: "field",
    unknown: &table::UNKNOWN_FIELD,
    misspelt: &table::MISSPELT_FIELD,
    missing: &table::MISSING_FIELD,
    wrong_type: &table::WRONG_TYPE,
    repeated: &table::REPEATED_FIELD,
    any_case: true,
};

const TOP: [&str; 13] = [
    "name",
    "description",
    "command",
    "args",
    "env",
    "http",
    "url",
    "headers",
    "capabilities",
    "contract",
    "source",
    "imported",
    "$schema",
];
const CAPABILITY: [&str; 10] = [
    "name",
    "tool",
    "risk",
    "signature",
    "returns",
    "schema",
    "request",
    "result",
    "reviewed",
    "as_reviewed",
];
const CASE: [&str; 3] = ["capability", "args", "keys"];

/// What could be read of a file, and all that is wrong with its fields, in no order.
#[derive(Debug)]
pub struct Loaded<'d> {
    pub document: Document<'d>,
    pub findings: Vec<Finding>,
}

/// Reads a connector.json. Fields that are wrong are absent in the document.
pub fn load(doc: &Doc) -> Loaded<'_> {
    let mut findings = block::repeated(&GRAMMAR, doc);
    let document = top(doc.root(), &mut findings);
    Loaded { document, findings }
}

fn top<'d>(root: View<'d>, findings: &mut Vec<Finding>) -> Document<'d> {
    let mut document = Document::empty(root);
    let Some(mut block) = Block::open(root, Owner::Words("the connector"), &TOP, &GRAMMAR, findings) else {
        return document;
    };
    document.name = block.required_text("name");
    document.description = block.text("description");
    document.source = block.text("source");
    document.imported = block.flag("imported").is_some_and(|flag| flag.value);
    document.command = noted(&mut block, "command", &mut document.transports);
    document.args = block.texts("args");
    document.env = block.texts("env");
    document.url = noted(&mut block, "url", &mut document.transports);
    document.headers = block.texts("headers");
    let http = block.optional("http");
    let capabilities = block.required("capabilities");
    let capabilities = block.list(capabilities);
    let contract = block.optional("contract");
    let contract = block.list(contract);
    let _ = block.optional("$schema");
    if let Some(field) = http {
        document.transports.push(("http", field.key_span));
        document.http = request::http(field.value, findings);
    }
    let kind = Kind::of(&document);
    document.capabilities = blocks(capabilities, |view| capability(view, kind, findings));
    document.cases = blocks(contract, |view| case(view, findings));
    document
}

fn blocks<'d, T>(list: Option<View<'d>>, read: impl FnMut(View<'d>) -> Option<T>) -> Vec<T> {
    list.map(|list| list.items().filter_map(read).collect()).unwrap_or_default()
}

fn noted<'d>(block: &mut Block<'d, '_>, name: &'static str, transports: &mut Vec<(&'static str, crate::source::Span)>) -> Option<Word<'d>> {
    let field = block.optional(name)?;
    transports.push((name, field.key_span));
    let word = Word::new(field.value);
    if word.is_none() {
        block
            .findings
            .push(block::wrong_type(&GRAMMAR, &format!("`{name}`"), "a string", field.value));
    }
    word
}

/// Whether capabilities need a `request`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Http,
    Other,
}

impl Kind {
    fn of(document: &Document<'_>) -> Self {
        if document.transports.iter().any(|(name, _)| *name == "http") {
            Self::Http
        } else {
            Self::Other
        }
    }
}

fn capability<'d>(view: View<'d>, kind: Kind, findings: &mut Vec<Finding>) -> Option<CapabilityBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("a capability"), &CAPABILITY, &GRAMMAR, findings)?;
    let name = block.required_text("name");
    if let Some(name) = &name {
        block.call(name);
    }
    let tool = block.text("tool");
    let risk = block.required_text("risk");
    let signature = block.required_text("signature");
    let returns = block.required_text("returns");
    let schema = block.optional("schema").map(|field| field.value);
    let reviewed = block.text("reviewed");
    let as_reviewed = block.map("as_reviewed");
    let request = match kind {
        Kind::Http => block.required("request"),
        Kind::Other => block.optional("request"),
    };
    let result = block.optional("result");
    Some(CapabilityBlock {
        view,
        name,
        tool,
        reviewed,
        as_reviewed,
        risk,
        signature,
        returns,
        schema,
        request_at: request.map(|field| field.key_span),
        result_at: result.map(|field| field.key_span),
        request: request.and_then(|field| request::request(field.value, findings)),
        result: result.and_then(|field| request::result(field.value, findings)),
    })
}

fn case<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<CaseBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("a case"), &CASE, &GRAMMAR, findings)?;
    Some(CaseBlock {
        view,
        capability: block.required_text("capability"),
        args: block.map("args"),
        keys: block.texts("keys"),
    })
}

/// A template, with a finding when it is none.
fn blank<'d>(word: Word<'d>, findings: &mut Vec<Finding>) -> Blank<'d> {
    let (blank, error) = Blank::read(word);
    findings.extend(error.map(|error| bad_placeholder(&word, &error)));
    blank
}

fn bad_placeholder(word: &Word<'_>, error: &TemplateError) -> Finding {
    let (start, end) = match error {
        TemplateError::Unclosed { start } => (*start, word.text.len()),
        TemplateError::NotAName { start, end, .. } => (*start, *end),
    };
    Finding::new(&table::BAD_PLACEHOLDER, word.part(start..end), error.to_string())
        .help("write `{{name}}` for an argument or `{{env.NAME}}` for a key: letters, digits, `_` and dots")
}

/// A field of an object whose names are free, when its value is a text.
fn named_text<'d>(owner: &str, field: &Field<'d>, findings: &mut Vec<Finding>) -> Option<Word<'d>> {
    let word = Word::new(field.value);
    if word.is_none() {
        findings.push(block::wrong_type(
            &GRAMMAR,
            &format!("`{}` in `{owner}`", field.key),
            "a string",
            field.value,
        ));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page for authors and the reader know the same fields.
    #[test]
    fn every_field_has_its_place_in_the_reference() {
        let page = include_str!("../../../docs/connector.md");
        let headings = page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        let mut documented: Vec<String> = headings.map(str::to_owned).collect();
        let of = |owner: &str, fields: &[&str]| fields.iter().map(|field| format!("{owner}{field}")).collect::<Vec<_>>();
        let mut known = [
            of("", &TOP),
            of("http.", &request::HTTP),
            of("capability.", &CAPABILITY),
            of("request.", &request::REQUEST),
            of("query.", &request::STYLED),
            of("result.", &request::RESULT),
            of("case.", &CASE),
        ]
        .concat();
        documented.sort();
        known.sort();
        assert_eq!(documented, known);
        for line in page.lines().filter_map(|line| line.strip_prefix("    ")) {
            let read = crate::source::parse_json(
                crate::source::Source::new("line", format!("{{{line}}}")),
                crate::source::Limits::MANIFEST,
            );
            assert!(read.is_ok(), "{line}");
        }
    }
}
