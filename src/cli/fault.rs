//! The one place where what could not be done becomes text and an exit code.

use clap::builder::styling::AnsiColor;
use serde_json::json;

use super::exit::Exit;
use super::io::Io;
use crate::report::visible;

/// A run that could not be finished: what, why, what now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub exit: Exit,
    /// A stable word for programs.
    pub code: &'static str,
    pub message: String,
    pub causes: Vec<String>,
    pub hint: Option<String>,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
}

impl Fault {
    pub(super) fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit,
            code,
            message: message.into(),
            causes: Vec::new(),
            hint: None,
            status: None,
        }
    }

    pub(super) fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, code, message)
    }

    #[must_use]
    pub(super) fn cause(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(super) fn status(mut self, status: Option<u16>) -> Self {
        self.status = status;
        self
    }

    /// Writes it to standard error: for people, and as one JSON line where `--json` asked for it.
    pub(super) fn show(&self, io: &Io, as_json: bool) {
        if as_json {
            return io.err(&format!("{}\n", self.json()));
        }
        let mut text = format!("{}: {}\n", io.strong("error", AnsiColor::Red), visible(&self.message));
        for cause in &self.causes {
            text += &format!("  cause: {}\n", visible(cause));
        }
        if let Some(hint) = &self.hint {
            text += &format!("\n{}: {}\n", io.strong("hint", AnsiColor::Cyan), visible(hint));
        }
        io.err(&text);
    }

    pub(super) fn json(&self) -> serde_json::Value {
        let mut error = json!({"code": self.code, "exit": self.exit.code(), "message": self.message});
        if let Some(status) = self.status {
            error["status"] = status.into();
        }
        if !self.causes.is_empty() {
            error["causes"] = self.causes.clone().into();
        }
        if let Some(hint) = &self.hint {
            error["hint"] = hint.clone().into();
        }
        json!({ "error": error })
    }
}
