//! The versions of the protocol that we speak, in two eras: the older ones begin with `initialize`
//! and have sessions; 2026-07-28 has neither, and each request says its version.

use serde_json::{Map, Value, json};

use super::input::Input;

pub(super) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
pub(super) const MODERN: [&str; 1] = ["2026-07-28"];

/// Codes that only a server of the newer era sends: it is never asked to `initialize` after one.
pub(super) const WRONG_VERSION: i64 = -32022;
pub(super) const MODERN_CODES: [i64; 3] = [-32020, -32021, WRONG_VERSION];

/// Which era to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Era {
    /// Whichever the server does. A program is asked to `initialize` first, because every program
    /// bears that; a remote server is asked the newer way first.
    #[default]
    Auto,
    Legacy,
    Modern,
}

impl Era {
    pub const ALL: [Self; 3] = [Self::Auto, Self::Legacy, Self::Modern];

    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// What is spoken on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Before the answer to `initialize`.
    Opening,
    Legacy(String),
    Modern(String),
}

impl Dialect {
    pub(super) fn is_modern(&self) -> bool {
        matches!(self, Self::Modern(_))
    }

    /// The parameters of a request as this dialect writes them.
    pub(super) fn params(&self, mut params: Map<String, Value>, input: Input) -> Value {
        if let Self::Modern(version) = self {
            params.insert("_meta".to_owned(), meta(version, input));
        }
        Value::Object(params)
    }
}

pub(super) fn client() -> Value {
    json!({"name": "becket", "version": env!("CARGO_PKG_VERSION")})
}

fn meta(version: &str, input: Input) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": client(),
        "io.modelcontextprotocol/clientCapabilities": input.capabilities()
    })
}

/// The newest of ours that a server names.
pub(super) fn common(ours: &[&'static str], theirs: &[String]) -> Option<&'static str> {
    ours.iter().find(|version| theirs.iter().any(|other| other == *version)).copied()
}

/// Our versions, for a message.
pub(super) fn known() -> String {
    let all: Vec<&str> = MODERN.into_iter().chain(LEGACY).collect();
    all.join(", ")
}
