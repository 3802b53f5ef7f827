//! Findings as text: human, concise, json, github, sarif and junit, one file for each. Prints
//! nothing; the caller has the streams and the facts about the terminal.

use crate::diag::Finding;
use crate::source::Source;

/// What was found in one file.
pub struct FileReport {
    pub source: Source,
    pub findings: Vec<Finding>,
}
