//! Why a call gave no answer: what the service said, or how far we came. Holds no key: every text
//! is cleaned before a failure leaves `exec`. Which exit code and hint follow is for `cli`.

use super::guard::Blocked;
use super::retry::Wait;
use crate::keys::{Secret, Unfit};
use crate::source::size;

/// Who has to act, and so how the program exits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A key is missing, unfit or refused.
    Key,
    /// The service cannot be reached, is too slow, or breaks off.
    Unreachable,
    /// The service answered with something that is not an answer.
    Service,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("the key `{name}` has no value")]
    KeyMissing { name: String },
    #[error("the key `{name}` {problem}, so it cannot go in a header")]
    KeyUnfit { name: String, problem: Unfit },
    #[error("{host} refused the key ({status}){}", after(": ", .said))]
    KeyRefused { host: String, status: u16, said: Option<String> },
    #[error("{host} refused the request ({status}{})", after(": ", .said))]
    Refused { host: String, status: u16, said: Option<String> },
    #[error("{host} says too many requests{}{}", after(": ", .said), after("; it asks to wait ", .wait))]
    TooManyRequests {
        host: String,
        said: Option<String>,
        wait: Option<Wait>,
    },
    #[error("{host} answered {status}{}{}", after(": ", .said), after("; it asks to wait ", .wait))]
    Answered {
        host: String,
        status: u16,
        said: Option<String>,
        wait: Option<Wait>,
    },
    #[error("redirect to {to} is outside {host}")]
    RedirectOutside { host: String, to: String },
    #[error("{host} sends more than {limit} redirects")]
    TooManyRedirects { host: String, limit: usize },
    #[error("{host} answered {status} with {problem}")]
    RedirectUnfit { host: String, status: u16, problem: &'static str },
    #[error(transparent)]
    Blocked(Blocked),
    #[error("{host} is unreachable: {why}")]
    Unreachable { host: String, why: String },
    #[error("{host} is unreachable: no secure connection, {why}")]
    Insecure { host: String, why: String },
    #[error("{host} did not answer in {seconds} s")]
    TooSlow { host: String, seconds: u32 },
    #[error("the answer of {host} is larger than {}", size(*.limit))]
    TooLarge { host: String, limit: usize },
    #[error("the answer of {host} was cut short")]
    CutShort { host: String },
    #[error("{host} sends what is not HTTP: {problem}")]
    Malformed { host: String, problem: String },
    #[error("the answer of {host} is encoded as `{encoding}`, and only gzip and br were asked for")]
    Encoding { host: String, encoding: String },
    #[error("the answer of {host} is nested too deep: more than {limit} levels")]
    TooDeep { host: String, limit: usize },
    #[error("the request to {host} cannot be sent: {problem}")]
    Unsendable { host: String, problem: String },
}

impl Failure {
    pub fn class(&self) -> Class {
        match self {
            Self::KeyMissing { .. } | Self::KeyUnfit { .. } | Self::KeyRefused { .. } => Class::Key,
            Self::Refused { .. }
            | Self::TooManyRequests { .. }
            | Self::Answered { .. }
            | Self::TooLarge { .. }
            | Self::TooDeep { .. }
            | Self::Unsendable { .. } => Class::Service,
            Self::RedirectOutside { .. }
            | Self::TooManyRedirects { .. }
            | Self::RedirectUnfit { .. }
            | Self::Blocked(_)
            | Self::Unreachable { .. }
            | Self::Insecure { .. }
            | Self::TooSlow { .. }
            | Self::CutShort { .. }
            | Self::Malformed { .. }
            | Self::Encoding { .. } => Class::Unreachable,
        }
    }

    /// The status of the answer, when there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::KeyRefused { status, .. }
            | Self::Refused { status, .. }
            | Self::Answered { status, .. }
            | Self::RedirectUnfit { status, .. } => Some(*status),
            Self::TooManyRequests { .. } => Some(429),
            _ => None,
        }
    }

    /// How long the service asks to wait.
    pub fn wait(&self) -> Option<&Wait> {
        match self {
            Self::TooManyRequests { wait, .. } | Self::Answered { wait, .. } => wait.as_ref(),
            _ => None,
        }
    }

    /// The failure with every text that came from outside passed through `clean`.
    pub(super) fn cleaned(mut self, clean: impl Fn(&str) -> String) -> Self {
        for text in self.texts() {
            *text = clean(text);
        }
        self
    }

    fn texts(&mut self) -> Vec<&mut String> {
        match self {
            Self::KeyRefused { said, .. }
            | Self::Refused { said, .. }
            | Self::TooManyRequests { said, .. }
            | Self::Answered { said, .. } => said.iter_mut().collect(),
            Self::RedirectOutside { to, .. } => vec![to],
            Self::Unreachable { why, .. } | Self::Insecure { why, .. } => vec![why],
            Self::Malformed { problem, .. } | Self::Unsendable { problem, .. } => vec![problem],
            Self::Encoding { encoding, .. } => vec![encoding],
            Self::KeyMissing { .. }
            | Self::KeyUnfit { .. }
            | Self::TooManyRedirects { .. }
            | Self::RedirectUnfit { .. }
            | Self::Blocked(_)
            | Self::TooSlow { .. }
            | Self::TooLarge { .. }
            | Self::CutShort { .. }
            | Self::TooDeep { .. } => Vec::new(),
        }
    }
}

fn after(lead: &str, text: &Option<impl std::fmt::Display>) -> String {
    text.as_ref().map(|text| format!("{lead}{text}")).unwrap_or_default()
}

/// Refuses a key that no header carries.
pub(super) fn fit(name: &str, secret: &Secret) -> Result<(), Failure> {
    secret.unfit_for_header().map_or(Ok(()), |problem| {
        Err(Failure::KeyUnfit {
            name: name.to_owned(),
            problem,
        })
    })
}
