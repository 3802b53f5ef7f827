//! What a file's fields mean together: [`read`] takes the text of one connector.json and returns
//! the connector and everything that is wrong with it. Pure: no file, no network, no clock. One
//! file for each topic; the text of a finding lives beside its check and nowhere else.

mod answers;
mod arguments;
mod cases;
mod fields;
mod keys;
mod lookup;
mod names;
pub mod pack;
mod requests;
mod risks;
mod schemas;
mod signatures;

use crate::diag::{Edit, Finding, Level, table};
use crate::format::connector::{self, Document};
use crate::format::{Word, short};
use crate::model::{Connector, nearest, twice};
use crate::source::{self, Doc, Limits, Source, Span, SyntaxError};

/// A file that was checked.
#[derive(Debug)]
pub struct Checked {
    pub source: Source,
    /// The tree of the file, when it could be parsed.
    pub doc: Option<Doc>,
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// The connector, when nothing is an error.
    pub connector: Option<Connector>,
}

impl Checked {
    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level == Level::Error).count()
    }
}

/// Checks one connector.json.
pub fn read(source: Source) -> Checked {
    let (checked, connector) = check(source, connector::lower);
    Checked {
        connector: connector.flatten(),
        ..checked
    }
}

/// Checks one connector.json, and makes what is wanted of it when nothing is an error. A connector,
/// which costs about as much as reading the file, only if that is what is wanted.
pub fn check<T>(source: Source, wanted: impl FnOnce(&Document<'_>) -> T) -> (Checked, Option<T>) {
    match source::parse_json(source.clone(), Limits::MANIFEST) {
        Ok(doc) => judge(source, doc, wanted),
        Err(error) => (unread(source, error), None),
    }
}

fn unread(source: Source, error: SyntaxError) -> Checked {
    Checked {
        source,
        doc: None,
        findings: vec![not_json(error)],
        connector: None,
    }
}

fn judge<T>(source: Source, doc: Doc, wanted: impl FnOnce(&Document<'_>) -> T) -> (Checked, Option<T>) {
    let loaded = connector::load(&doc);
    let mut findings = loaded.findings;
    run(&loaded.document, &mut findings);
    sort(&mut findings);
    let broken = findings.iter().any(|finding| finding.level == Level::Error);
    let made = (!broken).then(|| wanted(&loaded.document));
    let checked = Checked {
        source,
        findings,
        connector: None,
        doc: Some(doc),
    };
    (checked, made)
}

/// Every rule on a document that was read.
pub fn run(document: &Document<'_>, findings: &mut Vec<Finding>) {
    fields::check(document, findings);
    names::check(document, findings);
    requests::check(document, findings);
    arguments::check(document, findings);
    signatures::check(document, findings);
    schemas::check(document, findings);
    keys::check(document, findings);
    risks::check(document, findings);
    cases::check(document, findings);
    answers::check(document, findings);
}

/// In the order of the text; of several in one place, by code.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| (a.span, a.rule.code).cmp(&(b.span, b.rule.code)));
}

fn not_json(error: SyntaxError) -> Finding {
    let finding = Finding::new(&table::NOT_JSON, error.span, format!("not valid JSON: {}", error.message));
    match error.help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Another text in the place of a whole one.
fn replace(word: &Word<'_>, text: &str) -> Edit {
    Edit {
        span: word.at(),
        text: format!("\"{text}\""),
    }
}

/// Braces in a name, where nothing fills them.
fn placeholder_in_name(name: &str, at: Span) -> Option<Finding> {
    twice(b'{', name, 0).is_some().then(|| {
        Finding::new(
            &table::PLACEHOLDER_IN_NAME,
            at,
            format!("`{name}` is sent as it is: only values have placeholders"),
        )
        .help("write the name out")
    })
}

/// A placeholder in a value that nothing fills.
fn unfilled(word: &Word<'_>, place: &str, help: &str) -> Finding {
    let message = format!("`{}` stays as it is: nothing fills placeholders in {place}", word.text);
    Finding::new(&table::PLACEHOLDER_IN_NAME, word.at(), message).help(help)
}

/// The name that was meant, while few things are wrong: a guess costs a look at every choice.
fn guess<'t>(found: usize, word: &str, choices: impl IntoIterator<Item = &'t str>) -> Option<&'t str> {
    (found < 200).then(|| nearest(word, choices.into_iter().take(200))).flatten()
}

/// "`a`, `b` and `c`", at most seven of them.
fn listed<'t>(words: impl IntoIterator<Item = &'t str>) -> String {
    let mut words: Vec<String> = words.into_iter().take(8).map(|word| format!("`{}`", short(word))).collect();
    if words.len() == 8 {
        words[7] = "…".to_owned();
    }
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}
