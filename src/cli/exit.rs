//! Exit codes. They are documented (`help exit-codes`), stable, and set nowhere else.

use std::process::ExitCode;

/// How a run ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done; no errors.
    #[default]
    Success = 0,
    /// The file is wrong or its contract failed.
    Findings = 1,
    /// Could not start: bad usage, no such file or capability, input needed but not interactive.
    Usage = 2,
    /// A key is missing or was refused.
    Key = 3,
    /// The service cannot be reached or is too slow.
    Unreachable = 4,
    /// The service answered with an error.
    Service = 5,
    /// A fault of our own.
    Bug = 70,
    /// Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The one end that is told of several.
    pub fn gravest(exits: impl IntoIterator<Item = Self>) -> Self {
        exits.into_iter().max_by_key(|exit| exit.gravity()).unwrap_or(Self::Success)
    }

    /// Which end of several is told: what kept us from looking outweighs what we saw.
    fn gravity(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Findings => 1,
            Self::Service => 2,
            Self::Unreachable => 3,
            Self::Key => 4,
            Self::Usage => 5,
            Self::Bug | Self::Interrupted => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
