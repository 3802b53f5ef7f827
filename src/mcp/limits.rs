//! What a server may take of time and memory. Tests set smaller ones; nobody else does.

use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// One request; for a list, all its pages together.
    pub call: Duration,
    /// How long `server/discover` may stay without an answer before the server counts as an older
    /// one. Python servers need up to six seconds for their first answer.
    pub silence: Duration,
    /// How long a program may take to end after its input is closed, and again after TERM.
    pub grace: Duration,
    /// Bytes in one line of a program.
    pub line: usize,
    /// Bytes in one answer over HTTP.
    pub answer: usize,
    pub pages: usize,
    pub tools: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            call: Duration::from_secs(30),
            silence: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            line: 16 << 20,
            answer: 5 << 20,
            pages: 1000,
            tools: 10_000,
        }
    }
}
