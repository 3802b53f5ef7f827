//! The command line.

pub mod call_arguments;

use std::ffi::OsString;
use std::process::ExitCode;

/// Whose words the program uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brand {
    Becket,
    Pimpo,
    ChatPilot,
}

pub fn run(_brand: Brand, _args: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::SUCCESS
}
