//! From an OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0 description to a connector: [`read`] lists the
//! operations and what is left out, [`choose`] picks, [`lower`] makes the connector. Tolerant of
//! what real descriptions contain; says what it could not keep. Opens, fetches and prints nothing.

mod answer;
mod arguments;
mod body;
mod cases;
mod choose;
mod concern;
mod dotted;
mod files;
mod form;
mod key_words;
mod keys_used;
mod ledger;
mod lower;
mod markdown;
mod names;
mod narrow;
mod params;
mod path;
mod read;
mod refs;
mod request;
mod schema;
mod security;
mod servers;
mod taken;
mod text;
mod walk;

use url::Url;

use crate::model::{Base, Method, Risk};
use crate::source::Source;

pub use choose::{Choice, ChoiceError, Chosen, Selection, choose, missed, select};
pub use concern::Concern;
pub use files::{At, Beside, Files, Open, Refused};
pub use ledger::{LeftOut, Note, NoteKind, Reason};
pub use lower::{Lowered, Work, lower};
pub use narrow::Narrow;
pub use read::read;
pub use security::{ApiKey, Origin, Place, Prefix};
pub use servers::{NoAddress, Server, Variable};
pub use text::clean;

/// How many capabilities one import makes at most.
pub const MOST: usize = 100;

/// Who will read the connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// The released host: only what it reads is written.
    #[default]
    Pimpo,
    /// Becket: the extensions of the format are used.
    Becket,
}

/// A header that is a key, with what stands before the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHeader {
    pub name: String,
    pub prefix: Option<String>,
}

/// What the caller says about a description.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub target: Target,
    /// Where the description was fetched from.
    pub address: Option<Url>,
    /// The service's address when the description does not say it (`--base`).
    pub base: Option<Url>,
    /// A server by its number from 0, as listed, or another address (`--server`).
    pub server: Option<String>,
    /// `--server-var k=v`.
    pub variables: Vec<(String, String)>,
    /// `--header NAME[=PREFIX]`.
    pub headers: Vec<KeyHeader>,
    /// `--query-key NAME`.
    pub query_keys: Vec<String>,
}

impl Options {
    fn variable(&self, name: &str) -> Option<&str> {
        let found = self.variables.iter().find(|(variable, _)| variable == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Why a text is no description.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotADescription {
    #[error("this is {0}, not an OpenAPI description")]
    NotAnObject(&'static str),
    #[error("there is no `openapi` or `swagger` field: this is no OpenAPI description")]
    NoVersion,
    #[error("OpenAPI version `{0}` is not known")]
    Version(String),
}

/// A description, read.
pub struct Api<'d> {
    pub title: String,
    pub about: String,
    /// The version of the API, as it says.
    pub version: String,
    /// The version of the format: `2.0`, `3.1.0`.
    pub format: String,
    pub base: Result<Base, NoAddress>,
    pub servers: Vec<Server>,
    /// The variables that the addresses of servers have.
    pub variables: Vec<String>,
    pub keys: Vec<ApiKey>,
    /// By path and method; deprecated ones last.
    pub operations: Vec<Operation<'d>>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
    target: Target,
    address: Option<Url>,
    scope: refs::Scope<'d>,
    every_key: Vec<usize>,
    asked_keys: std::ops::Range<usize>,
}

/// An operation that can be imported.
pub struct Operation<'d> {
    /// The method name that the released host gives it.
    pub id: String,
    pub operation_id: Option<&'d str>,
    pub method: Method,
    /// As the description writes it.
    pub path: &'d str,
    pub summary: String,
    pub tags: Vec<&'d str>,
    pub deprecated: bool,
    /// What is suggested.
    pub risk: Risk,
    pub at: At,
    whole_name: String,
    object: refs::Object<'d>,
    params: Vec<params::Param<'d>>,
    body: body::Body<'d>,
    need: security::Need,
    param_keys: Vec<usize>,
    /// The path of its own server, when it has one on the same host.
    base_path: Option<String>,
}

impl Api<'_> {
    /// The JSON Pointer of a place, for messages and reports.
    pub fn pointer(&self, at: At) -> String {
        self.scope.files.doc(at.file).pointer_at(at.span)
    }

    /// The document that a place is in.
    pub fn source(&self, at: At) -> &Source {
        self.scope.files.doc(at.file).source()
    }

    /// The name of the document that a place is in; nothing for the description itself.
    pub fn file_name(&self, at: At) -> Option<String> {
        self.scope.files.name(at.file)
    }

    /// The operation with this method name or operationId.
    pub fn operation(&self, id: &str) -> Option<&Operation<'_>> {
        let by_id = self.operations.iter().find(|operation| operation.id == id);
        by_id.or_else(|| self.operations.iter().find(|operation| operation.operation_id == Some(id)))
    }
}
