//! Why a server gave no value: what it did, and what it wrote beside. Every text of the server is
//! cleaned of keys and made visible before it comes here. Which exit code follows is for `cli`.

use crate::exec;

use super::enforce::{Change, Offer};

/// Who has to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A key is missing, unfit or refused.
    Key,
    /// The server cannot be started or reached, is too slow, or breaks off.
    Unreachable,
    /// The server answered, but not with an answer.
    Service,
    /// The server does not offer what the connector declares.
    Connector,
}

/// A failure and what the program wrote meanwhile.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Failure {
    pub why: Box<Why>,
    pub said: Said,
}

impl From<Why> for Failure {
    fn from(why: Why) -> Self {
        Self {
            why: Box::new(why),
            said: Said::default(),
        }
    }
}

impl From<exec::Failure> for Failure {
    fn from(failure: exec::Failure) -> Self {
        Why::Http(failure).into()
    }
}

/// What a program wrote where nobody reads messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
    pub noise: Option<Noise>,
}

/// Lines on standard output that are no messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    pub lines: usize,
    pub first: String,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Why {
    #[error("there is no program `{command}` in PATH ({path})")]
    NotInPath { command: String, path: String },
    #[error("the program `{command}` {problem}")]
    NoProgram { command: String, problem: String },
    #[error("`{server}` {how} before it answered `{method}`")]
    Ended { server: String, method: String, how: String },
    #[error("`{server}` did not answer `{method}` in {seconds} s")]
    TooSlow { server: String, method: String, seconds: u64 },
    #[error("a line of `{server}` is larger than {limit} MB")]
    TooLarge { server: String, limit: usize },
    #[error("the answer of `{server}` to `{method}` {problem}")]
    Malformed { server: String, method: String, problem: String },
    #[error("`{server}` answered `{method}` with an error: {message}{}", in_brackets(*.code))]
    Refused {
        server: String,
        method: String,
        code: Option<i64>,
        message: String,
    },
    #[error("`{server}` speaks {offered}, and this client {known}")]
    Version { server: String, offered: String, known: String },
    #[error("`{server}` offers no tools")]
    NoTools { server: String },
    #[error("`{server}` lists its tools without end: {problem}")]
    Paging { server: String, problem: String },
    #[error("{0}")]
    Offer(Box<Offer>),
    #[error("the tool `{tool}` is not what was reviewed: {}", changes.iter().map(|change| change.part).collect::<Vec<_>>().join(", "))]
    Changed { tool: String, changes: Vec<Change> },
    #[error("{capability}: {message}")]
    Tool { capability: String, message: String },
    #[error("{capability} needs input that nobody can give here: {asks}")]
    NeedsInput { capability: String, asks: String },
    #[error("`{server}` asks for input where it may not: `{method}`")]
    InputRefused { server: String, method: String },
    #[error("`{server}` has lost the session; the next call begins a new one")]
    SessionLost { server: String },
    #[error("`{server}` speaks the old HTTP+SSE transport of 2024, which is not supported")]
    OldTransport { server: String },
    #[error("`{server}` {}asks for a sign-in ({status}), which is not supported", refused_keys(.refused))]
    SignIn {
        server: String,
        status: u16,
        /// The names of the keys that were sent.
        refused: Vec<String>,
    },
    #[error(transparent)]
    Http(exec::Failure),
}

fn in_brackets(code: Option<i64>) -> String {
    code.map(|code| format!(" ({code})")).unwrap_or_default()
}

fn refused_keys(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("refused the key {name} and "),
        names => format!("refused the keys {} and ", names.join(", ")),
    }
}

impl Failure {
    pub fn class(&self) -> Class {
        match &*self.why {
            Why::Http(failure) => match failure.class() {
                exec::Class::Key => Class::Key,
                exec::Class::Unreachable => Class::Unreachable,
                exec::Class::Service => Class::Service,
            },
            Why::SignIn { .. } => Class::Key,
            Why::NotInPath { .. }
            | Why::NoProgram { .. }
            | Why::Ended { .. }
            | Why::TooSlow { .. }
            | Why::Version { .. }
            | Why::OldTransport { .. }
            | Why::SessionLost { .. } => Class::Unreachable,
            Why::TooLarge { .. }
            | Why::Malformed { .. }
            | Why::Refused { .. }
            | Why::Paging { .. }
            | Why::Tool { .. }
            | Why::NeedsInput { .. }
            | Why::InputRefused { .. } => Class::Service,
            Why::NoTools { .. } | Why::Offer(_) | Why::Changed { .. } => Class::Connector,
        }
    }
}
