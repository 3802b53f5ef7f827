//! What kept us from looking: a file that cannot be read, a contract that could not begin. No
//! finding, since the file may be right; but no report is green over it.

use super::veil::Veil;

/// A failure, told in the report of the file that it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// A stable word for programs.
    pub code: &'static str,
    /// The exit code that it leads to.
    pub exit: u8,
    pub message: String,
    pub help: Option<String>,
}

impl Stop {
    pub(super) fn cleaned(&self, veil: &Veil) -> Self {
        Self {
            message: veil.shown(&self.message),
            help: self.help.as_deref().map(|help| veil.shown(help)),
            ..self.clone()
        }
    }

    /// The message, and the remedy on a line of its own.
    pub(super) fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }
}
