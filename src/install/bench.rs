//! The folder in which a change is prepared: `.becket-install-…` beside the connectors, so that a
//! rename is enough to place what is in `new/`, and so that no host loads it.

use std::path::{Path, PathBuf};

use super::error::failed;
use super::{InstallError, Manner, Step, fs, journal};
use crate::archive::Files;

const PREFIX: &str = ".becket-install-";
const NEW: &str = "new";
const OLD: &str = "old";

#[derive(Debug)]
pub struct Bench {
    path: PathBuf,
    names: Vec<String>,
}

/// What changes have left in the connectors folder, or are at work on.
pub(super) fn all(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    ours.map(|entry| entry.path()).collect::<Vec<_>>().into_iter()
}

impl Bench {
    pub(super) fn new(folder: &Path) -> Result<Self, InstallError> {
        let made = tempfile::Builder::new().prefix(PREFIX).disable_cleanup(true).tempdir_in(folder);
        let path = made.map_err(failed("make a folder in", folder))?.keep();
        let bench = Self { path, names: Vec::new() };
        match bench.furnish() {
            Ok(()) => Ok(bench),
            Err(error) => {
                bench.clear(Manner::PLAIN);
                Err(error)
            }
        }
    }

    fn furnish(&self) -> Result<(), InstallError> {
        fs::own(&self.path)?;
        fs::new_folder(&self.path.join(NEW), 0o700)?;
        fs::new_folder(&self.path.join(OLD), 0o700)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn staged(&self, name: &str) -> PathBuf {
        staged(&self.path, name)
    }

    pub(super) fn aside(&self, name: &str) -> PathBuf {
        aside(&self.path, name)
    }

    /// Writes the files of one connector and syncs them.
    pub fn put(&mut self, name: &str, files: &Files, manner: Manner<'_>) -> Result<(), InstallError> {
        fs::put(files, &self.staged(name), manner)?;
        fs::sync(&self.path.join(NEW))?;
        (manner.reached)(Step::Synced);
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Removes it after a failure, unless a change that is written down is to be finished from it.
    pub fn give_up(&self) {
        if !journal::is_in(&self.path) {
            self.clear(Manner::PLAIN);
        }
    }

    /// Removes it with what is in it. What cannot be removed is left to the next change.
    pub fn clear(&self, manner: Manner<'_>) {
        for folder in [NEW, OLD] {
            drop(std::fs::remove_dir_all(self.path.join(folder)));
            (manner.reached)(Step::Removing);
        }
        drop(std::fs::remove_dir_all(&self.path));
    }
}

pub(super) fn staged(bench: &Path, name: &str) -> PathBuf {
    bench.join(NEW).join(name)
}

pub(super) fn aside(bench: &Path, name: &str) -> PathBuf {
    bench.join(OLD).join(name)
}
