//! Findings as text: human, concise, json, github, sarif and junit, one file for each. Prints
//! nothing; the caller has the streams and the facts about the terminal. The text depends on the
//! input alone: same reports, same look, same bytes.

mod concise;
mod github;
mod human;
mod json;
mod junit;
mod pointers;
mod sarif;
mod sheet;
mod stop;
mod text;
mod veil;
mod window;
mod words;

use std::str::FromStr;

use crate::diag::Finding;
use crate::source::Source;

pub use stop::Stop;
pub use text::{escaped, visible, wrap};
pub use veil::Veil;
pub use words::{Totals, summary};

/// What was found in one file.
#[derive(Debug, Clone)]
pub struct FileReport {
    pub source: Source,
    /// What the rules found, in any order.
    pub findings: Vec<Finding>,
    /// The contract cases that were run, in the order of the file; none when it was not run.
    pub cases: Vec<CaseRun>,
    /// What kept us from reading the file or from running its contract.
    pub stop: Option<Stop>,
}

impl FileReport {
    pub fn new(source: Source, findings: Vec<Finding>) -> Self {
        Self {
            source,
            findings,
            cases: Vec::new(),
            stop: None,
        }
    }

    /// Those of the rules, then those of the contract.
    pub fn all_findings(&self) -> impl Iterator<Item = &Finding> {
        let failed = self.cases.iter().flat_map(|case| match &case.outcome {
            Outcome::Failed(findings) => findings.as_slice(),
            Outcome::Passed => &[],
        });
        self.findings.iter().chain(failed)
    }

    #[must_use]
    pub fn cases(mut self, cases: Vec<CaseRun>) -> Self {
        self.cases = cases;
        self
    }
}

/// One contract case that was run.
#[derive(Debug, Clone)]
pub struct CaseRun {
    pub capability: String,
    /// The arguments as JSON text, without any key.
    pub args: String,
    pub outcome: Outcome,
    pub milliseconds: u64,
    /// The size of the answer.
    pub bytes: u64,
}

/// How a contract case ended.
#[derive(Debug, Clone)]
pub enum Outcome {
    Passed,
    /// There was no answer, or it is not what the case asks for.
    Failed(Vec<Finding>),
}

/// What the reader's screen can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub color: bool,
    /// Letters beyond ASCII; without it the text is pure ASCII.
    pub unicode: bool,
    /// Columns; [`Look::PAGE`] when there is no terminal.
    pub width: usize,
    /// Codes link to their pages (OSC 8).
    pub links: bool,
}

impl Look {
    /// The width of text that goes to no terminal. There source lines are shown whole up to 200
    /// characters; on a terminal they are cropped to its width.
    pub const PAGE: usize = 100;
    /// Nothing but text.
    pub const PLAIN: Self = Self {
        color: false,
        unicode: true,
        width: Self::PAGE,
        links: false,
    };
}

/// The forms that a report can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Human,
    Concise,
    Json,
    Github,
    Sarif,
    Junit,
}

impl Format {
    pub const ALL: [Self; 6] = [Self::Human, Self::Concise, Self::Json, Self::Github, Self::Sarif, Self::Junit];

    pub fn word(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Github => "github",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
        }
    }
}

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no format `{0}`")]
pub struct NoSuchFormat(pub String);

impl FromStr for Format {
    type Err = NoSuchFormat;

    fn from_str(word: &str) -> Result<Self, NoSuchFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.word() == word)
            .ok_or_else(|| NoSuchFormat(word.to_owned()))
    }
}

impl Format {
    /// How many findings of one file are shown. Nobody reads more at once; a program that needs
    /// them all asks again when these are mended. Totals count every one.
    fn most(self) -> usize {
        match self {
            Self::Human | Self::Concise | Self::Github => 100,
            Self::Json | Self::Sarif | Self::Junit => 1000,
        }
    }
}

/// The reports as text: files by name, findings by line, column and code. Machine formats ignore
/// the look.
pub fn write(format: Format, reports: &[FileReport], look: &Look) -> String {
    let sheets = sheet::sheets(reports, format.most());
    match format {
        Format::Human => human::write(&sheets, look),
        Format::Concise => concise::write(&sheets, look),
        Format::Json => json::write(&sheets),
        Format::Github => github::write(&sheets),
        Format::Sarif => sarif::write(&sheets),
        Format::Junit => junit::write(&sheets),
    }
}

/// Where the page of a rule can be read; nothing until the package has a public address.
fn page_address(code: &str) -> Option<String> {
    address_under(env!("CARGO_PKG_REPOSITORY"), code)
}

fn address_under(repository: &str, code: &str) -> Option<String> {
    let repository = repository.trim_end_matches('/');
    (!repository.is_empty()).then(|| format!("{repository}/blob/main/docs/rules/{code}.md"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_word() {
        for format in Format::ALL {
            assert_eq!(format.word().parse(), Ok(format));
        }
        assert_eq!("xml".parse::<Format>(), Err(NoSuchFormat("xml".into())));
    }

    #[test]
    fn a_page_has_an_address_only_under_a_repository() {
        assert_eq!(address_under("", "P302"), None);
        let address = "https://example.com/becket/blob/main/docs/rules/P302.md";
        assert_eq!(address_under("https://example.com/becket/", "P302").as_deref(), Some(address));
    }
}
