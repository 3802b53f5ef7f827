//! Writes a connector: checked first, whole or not at all, never over another one unasked.

use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::exit::Exit;
use super::fault::Fault;
use super::paths::{self, MANIFEST};
use super::{Session, write_file};
use crate::adopt::command_line;
use crate::diag::Level;
use crate::report::escaped;
use crate::rules;
use crate::source::{Limits, ReadError, Source, read_file};

/// What to do where a connector.json is already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// Refuse when it differs.
    Refuse,
    /// Write over it.
    Force,
    /// Show the difference and write nothing.
    Diff,
}

impl Over {
    /// What `--force` and `--diff` ask for.
    pub(super) fn of(force: bool, diff: bool) -> Self {
        match (force, diff) {
            (true, _) => Self::Force,
            (_, true) => Self::Diff,
            _ => Self::Refuse,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// `wrote`, or `kept` what was the same already.
    Done(&'static str),
    /// The difference was shown: the code that it ends with.
    Shown(Exit),
}

/// A place for a connector, with what is there now.
#[derive(Debug)]
pub(super) struct Place {
    pub folder: PathBuf,
    pub file: PathBuf,
    old: Option<String>,
    over: Over,
}

impl Place {
    /// Looks at what is there.
    pub(super) fn look(folder: PathBuf, over: Over) -> Result<Self, Fault> {
        let file = folder.join(MANIFEST);
        let old = existing(&file, over)?;
        Ok(Self { folder, file, old, over })
    }

    /// Whether the text may be written here.
    pub(super) fn allows(&self, text: &str) -> Result<(), Fault> {
        match self.old.as_deref().is_some_and(|old| old != text) && self.over == Over::Refuse {
            true => Err(Fault::usage("exists", format!("{} exists and differs", self.file.display()))
                .hint("`--diff` shows the difference, `--force` writes over it")),
            false => Ok(()),
        }
    }

    /// Writes it, or shows how it differs. What we write passes our own check; `help` says what
    /// to do when it does not.
    pub(super) fn write(&self, text: &str, help: &str, session: &Session) -> Result<Written, Fault> {
        sound(text, &self.file, help)?;
        if self.over == Over::Diff {
            return Ok(Written::Shown(self.diff(text, session)));
        }
        self.allows(text)?;
        if self.old.as_deref() == Some(text) {
            return Ok(Written::Done("kept"));
        }
        put(&self.folder, &self.file, text)?;
        Ok(Written::Done("wrote"))
    }

    fn diff(&self, new: &str, session: &Session) -> Exit {
        let old = self.old.as_deref().unwrap_or_default();
        if old == new {
            return Exit::Success;
        }
        let name = self.file.display().to_string();
        let text = TextDiff::from_lines(old, new).unified_diff().header(&name, &name).to_string();
        session.io.out(&escaped(&text));
        Exit::Findings
    }
}

/// Anything that would not pass `check` is a fault of ours, and nothing is written.
fn sound(text: &str, file: &Path, help: &str) -> Result<(), Fault> {
    let (checked, _) = rules::check(Source::new(file.display().to_string(), text), |_| ());
    let Some(finding) = checked.findings.iter().find(|finding| finding.level == Level::Error) else {
        return Ok(());
    };
    let place = checked.source.position(finding.span.start);
    Err(
        Fault::new(Exit::Bug, "unsound", "the connector would not pass `check`; nothing was written")
            .cause(format!(
                "{} {} (line {} of what would be written)",
                finding.rule.code, finding.message, place.line
            ))
            .hint(format!("please report it {help}")),
    )
}

/// The connector.json that is there, if it can be read or need not be.
fn existing(file: &Path, over: Over) -> Result<Option<String>, Fault> {
    match read_file(file, Limits::MANIFEST) {
        Ok(source) => Ok(Some(source.text().to_owned())),
        Err(ReadError::NotFound { .. }) => Ok(None),
        Err(ReadError::NotUtf8 { .. } | ReadError::TooLarge { .. }) if over == Over::Force => Ok(None),
        Err(error) => Err(paths::unreadable(&error)),
    }
}

/// A new folder appears with its file in it; in a folder that is there the file is replaced.
fn put(folder: &Path, file: &Path, text: &str) -> Result<(), Fault> {
    if let Some(other) = folder.ancestors().find(|part| part.exists() && !part.is_dir()) {
        return Err(Fault::usage("unwritable", format!("{} is no folder; nothing was written", other.display())).hint("give another DIR"));
    }
    let done = match folder.exists() {
        true => write_file::replace(file, text),
        false => write_file::folder(folder, MANIFEST, text),
    };
    done.map_err(|error| write_file::fault(file, &error))
}

/// A folder as one types it: `./petstore`.
pub(super) fn shown(folder: &Path) -> String {
    let text = folder.display().to_string();
    let text = if folder.is_absolute() || text.starts_with('.') {
        text
    } else {
        format!("./{text}")
    };
    command_line(&text, &[])
}
