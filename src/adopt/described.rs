//! A server as somebody described it: by hand, or in a registry.

use crate::model::{Capability, Connector, Name, Span, Transport};

/// What is known of a server before it is started or reached.
#[derive(Debug, Clone)]
pub struct Described {
    /// The connector's name.
    pub name: String,
    pub description: String,
    /// Where it came from, as it is written into the connector.
    pub source: Option<String>,
    /// A program, or a remote server with the names of its headers.
    pub transport: Transport,
    /// The names of the variables that a program is given.
    pub keys: Vec<String>,
}

impl Described {
    /// The connector with these capabilities.
    pub fn connector(&self, capabilities: Vec<Capability>) -> Connector {
        Connector {
            name: self.name.clone(),
            description: self.description.clone(),
            source: self.source.clone(),
            imported: true,
            transport: self.transport.clone(),
            keys: self.keys.iter().map(|key| name(key)).collect(),
            capabilities,
            cases: Vec::new(),
        }
    }
}

/// A name that stands in no file yet.
pub(super) fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        at: Span::default(),
    }
}
