//! A file's text and name, and the tree read from it. JSON and YAML arrive in one arena, [`Doc`],
//! which keeps exact number text, the order of fields, duplicates and the byte span of every key
//! and value. Knows nothing of what a document means.

mod doc;
mod json;
mod lines;
mod measure;
mod pointer;
mod read;
mod text;
mod tree;
mod yaml;

pub use doc::{Doc, Field, Kind, View, exact_number};
pub use measure::{Excess, measure};
pub use read::{ReadError, read_file, read_seen_file, read_stream, size};
pub use text::{Position, Source, Span};
pub use tree::{Duplicate, NodeId};
pub use yaml::{Trap, TrapKind};

use self::text::letter;
use self::tree::Tree;

/// What a reader may spend on one file.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Lists and maps inside each other.
    pub depth: usize,
    /// Nodes that are written.
    pub nodes: usize,
    /// Nodes that aliases stand for, beside the written ones.
    pub aliased: usize,
}

impl Limits {
    /// For a manifest: a connector.json or one profile of a pack.
    pub const MANIFEST: Self = Self {
        bytes: 16 << 20,
        depth: 128,
        nodes: 1_000_000,
        aliased: 100_000,
    };
    /// For an OpenAPI or Swagger description.
    pub const DESCRIPTION: Self = Self {
        bytes: 128 << 20,
        depth: 256,
        nodes: 8_000_000,
        aliased: 500_000,
    };
}

/// Why a text is not a document: one place, what is wrong there, what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SyntaxError {
    pub message: String,
    pub span: Span,
    pub help: Option<String>,
}

/// Reads a JSON text whole.
pub fn parse_json(source: Source, limits: Limits) -> Result<Doc, SyntaxError> {
    json(&source, limits).map(|tree| Doc::new(source, tree))
}

/// Reads a YAML text whole.
pub fn parse_yaml(source: Source, limits: Limits) -> Result<Doc, SyntaxError> {
    yaml(&source, limits).map(|tree| Doc::new(source, tree))
}

/// Reads a text that may be either. What starts with `{` or `[` is JSON; where it is not, it may
/// still be YAML, and if it is neither, the JSON error is the one to show.
pub fn parse(source: Source, limits: Limits) -> Result<Doc, SyntaxError> {
    let tree = match source.text().trim_start().starts_with(['{', '[']) {
        true => json(&source, limits).or_else(|error| yaml(&source, limits).map_err(|_| error)),
        false => yaml(&source, limits),
    };
    tree.map(|tree| Doc::new(source, tree))
}

fn json(source: &Source, limits: Limits) -> Result<Tree, SyntaxError> {
    fits(source, limits)?;
    json::read(source, limits)
}

fn yaml(source: &Source, limits: Limits) -> Result<Tree, SyntaxError> {
    fits(source, limits)?;
    yaml::read(source, limits)
}

fn fits(source: &Source, limits: Limits) -> Result<(), SyntaxError> {
    let allowed = limits.bytes.min(tree::LONGEST);
    if source.text().len() <= allowed {
        return Ok(());
    }
    Err(SyntaxError {
        message: format!("the file is larger than {}", size(allowed)),
        span: Span::default(),
        help: None,
    })
}
