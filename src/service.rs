//! A connector's service, whichever kind it is: requests of our own, a program, or a remote MCP
//! server. Arguments are checked by the capability's schema before anything is sent.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::exec::{CallError, Client, Shape, accepted, plan};
use crate::keys::Keys;
use crate::mcp::{self, Session, Settings};
use crate::model::{Capability, Connector, Transport};

/// A service for as long as a command needs it.
pub enum Service<'c> {
    Http(Client),
    Mcp(Box<Session<'c>>),
}

/// What a call gave, before `result` keeps a part of it.
#[derive(Debug, Clone)]
pub struct Given {
    pub value: Value,
    pub shape: Shape,
    pub bytes: usize,
    pub elapsed: Duration,
}

/// Why a call gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Mcp(#[from] mcp::Failure),
}

impl<'c> Service<'c> {
    /// Starts and sends nothing yet.
    pub fn new(connector: &'c Connector, keys: &'c Keys, settings: Settings) -> Self {
        match connector.transport {
            Transport::Http(_) => Self::Http(Client::default()),
            Transport::Program { .. } | Transport::Remote { .. } => Self::Mcp(Box::new(Session::new(connector, keys, settings))),
        }
    }

    /// Starts or reaches an MCP server and holds its tools to what the connector declares. There is
    /// nothing to ask of a service of plain HTTP.
    pub fn hold(&mut self) -> Result<(), Trouble> {
        match self {
            Self::Http(_) => Ok(()),
            Self::Mcp(session) => Ok(session.refresh()?),
        }
    }

    /// Calls a capability once.
    pub fn call(
        &mut self,
        connector: &Connector,
        capability: &Capability,
        args: Map<String, Value>,
        keys: &Keys,
    ) -> Result<Given, Trouble> {
        let args = accepted(capability, args)?;
        match self {
            Self::Http(client) => {
                let plan = plan(connector, &capability.name, &args, keys).map_err(CallError::from)?;
                let answer = client.send(&plan, keys).map_err(CallError::from)?;
                Ok(Given {
                    value: answer.value,
                    shape: answer.shape,
                    bytes: answer.bytes,
                    elapsed: answer.elapsed,
                })
            }
            Self::Mcp(session) => {
                let reply = session.call(capability, &args)?;
                Ok(Given {
                    value: reply.value,
                    shape: Shape::Json,
                    bytes: reply.bytes,
                    elapsed: reply.elapsed,
                })
            }
        }
    }

    /// What is odd about it so far, each in one sentence.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Self::Http(_) => Vec::new(),
            Self::Mcp(session) => session.notes(),
        }
    }
}
