//! The hidden command lines by which this binary starts a program so that it cannot outlive us.
//! They are read before anything else: no handler and no argument parser may stand in between.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::mcp;

/// What a shell answers when it cannot start a program.
const NOT_STARTED: u8 = 127;

/// Plays the part that the command line asks for, if it does.
pub(super) fn asked(words: &[OsString]) -> Option<ExitCode> {
    let [_, word, rest @ ..] = words else { return None };
    if word == mcp::LAUNCH {
        let error = mcp::launch(rest);
        super::io::raw_err(&format!("error: the program cannot be started: {error}\n"));
        return Some(NOT_STARTED.into());
    }
    if word == mcp::WATCH {
        mcp::watch(std::io::stdin());
        return Some(ExitCode::SUCCESS);
    }
    None
}
