//! A file's text and name, and the tree read from it. JSON and YAML arrive in one arena, [`Doc`],
//! which keeps exact number text, the order of fields, duplicates and the byte span of every key
//! and value. Knows nothing of what a document means.

mod doc;
mod json;
mod text;

pub use doc::{Builder, Doc, Duplicate, Field, Kind, NodeId, Text, View};
pub use json::parse as parse_json;
pub use text::{Position, Source, Span};

/// What a reader may spend on one file.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Nodes, counting what aliases stand for.
    pub nodes: usize,
}

impl Limits {
    /// For a manifest: a connector.json or one profile of a pack.
    pub const MANIFEST: Self = Self {
        bytes: 16 << 20,
        depth: 128,
        nodes: 1_000_000,
    };
    /// For an OpenAPI or Swagger description.
    pub const DESCRIPTION: Self = Self {
        bytes: 128 << 20,
        depth: 256,
        nodes: 8_000_000,
    };
}

/// Why a text is not a document: one place, what is wrong there, what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub span: Span,
    pub help: Option<String>,
}
