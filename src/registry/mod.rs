//! The official MCP registry, or another with its API (v0.1): the addresses to ask, the entries
//! that it answers with, and what can be run or reached of each. Entries are other people's data:
//! their names and versions become words of a command, so only exact ones are taken, and what would
//! change what is run is refused. Fetches nothing, starts nothing.

mod address;
mod argument;
mod entry;
mod fill;
mod package;
mod remote;
mod text;

pub use address::{DEFAULT, search, version};
pub use entry::{Entry, Page, Status, Unreadable, page, single};
pub use fill::{FillError, Filled};

use argument::Argument;

/// A way to have a server of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub kind: Kind,
    /// The package with its version, or the address.
    pub what: String,
    shape: Shape,
    /// Names of variables or headers: keys of the connector.
    pub keys: Vec<Input>,
    /// What stands in words of the command or in the address, in the order in which it is asked.
    pub inputs: Vec<Input>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Npm,
    PyPi,
    Remote,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::PyPi => "pypi",
            Self::Remote => "remote",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    Program {
        command: &'static str,
        /// With the package.
        before: Vec<String>,
        arguments: Vec<Argument>,
    },
    Remote {
        url: Vec<Part>,
    },
}

/// A piece of a word: a text, or the input of this number.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Input(usize),
}

/// Something that whoever adds the server gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub description: String,
    pub required: bool,
    /// Whether the entry calls it a secret.
    pub secret: bool,
    /// What the entry suggests or fixes.
    pub default: Option<String>,
    /// What it may be; empty for anything.
    pub choices: Vec<String>,
    /// Whether it may be given more than once.
    pub repeated: bool,
}

/// Why a way cannot be taken, as the rest of "it …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

fn unsupported<T>(why: impl Into<String>) -> Result<T, Unsupported> {
    Err(Unsupported(why.into()))
}

/// A name for a connector: the last part of the server's name without `mcp` and `server` at its
/// ends.
///
/// ```
/// assert_eq!(becket::registry::connector_name("io.github.acme/mcp-notes-server"), "notes");
/// assert_eq!(becket::registry::connector_name("a/9lives-mcp"), "x9lives");
/// assert_eq!(becket::registry::connector_name("a/mcp"), "mcp");
/// ```
pub fn connector_name(server: &str) -> String {
    let last = server.rsplit('/').next().unwrap_or(server).to_ascii_lowercase();
    let mut name: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
    const ENDS: [&str; 4] = ["mcpserver", "servermcp", "mcp", "server"];
    let shorter = |name: &str| {
        let cut = |end: &str| name.strip_prefix(end).or_else(|| name.strip_suffix(end));
        let rest = ENDS.iter().find_map(|end| cut(end).filter(|rest| rest.len() >= 2));
        rest.map(str::to_owned)
    };
    while let Some(rest) = shorter(&name) {
        name = rest;
    }
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        name.insert(0, 'x');
    }
    name.truncate(31);
    match name.len() {
        0 | 1 => "xmcp".to_owned(),
        _ => name,
    }
}
