//! The connectors that are installed, where the host looks for them, and what their folder refuses.

use std::path::{Path, PathBuf};

use super::args::Placing;
use super::fault::Fault;
use super::paths::{self, MANIFEST};
use crate::install::{InstallError, Shelf};
use crate::keys::is_connector;
use crate::model::Connector;
use crate::rules::{self, Checked};
use crate::source::{Limits, read_file};

/// The folder that `--dir` names, or `~/.pimpo/connectors`.
pub(super) fn shelf(placing: &Placing) -> Result<Shelf, Fault> {
    match (&placing.dir, usual()) {
        (Some(dir), _) => Ok(Shelf::new(dir)),
        (None, Some(shelf)) => Ok(shelf),
        (None, None) => Err(Fault::usage("no_home", "there is no home folder to look in").hint("name a folder with `--dir`")),
    }
}

fn usual() -> Option<Shelf> {
    let home = etcetera::home_dir().ok()?;
    Some(Shelf::new(home.join(".pimpo/connectors")))
}

/// What is in the folder of a name.
pub(super) fn checked(shelf: &Shelf, name: &str) -> Result<Checked, Fault> {
    let file = shelf.place(name).join(MANIFEST);
    let source = read_file(&file, Limits::MANIFEST).map_err(|error| paths::unreadable(&error))?;
    Ok(rules::read(source))
}

/// The one of a name, if it is there and sound.
pub(super) fn connector(name: &str) -> Option<Connector> {
    let connector = checked(&usual()?, name).ok()?.connector;
    connector.filter(|connector| connector.name == name)
}

/// All that are sound, by name.
pub(super) fn connectors() -> Vec<Connector> {
    let Some(shelf) = usual() else { return Vec::new() };
    let names = shelf.names().unwrap_or_default();
    let mut connectors: Vec<Connector> = names.iter().filter_map(|name| checked(&shelf, name).ok()?.connector).collect();
    connectors.sort_by(|a, b| a.name.cmp(&b.name));
    connectors
}

/// A change that could not be made.
pub(super) fn fault(error: &InstallError) -> Fault {
    let text = error.to_string();
    match error {
        InstallError::Failed { .. } => Fault::usage("unwritable", text).hint("what was installed is as it was"),
        InstallError::Busy { .. } => Fault::usage("busy", text).hint("let it end, then run this again"),
        InstallError::NotAFolder { .. } => Fault::usage("not_a_folder", text).hint("name another folder with `--dir`"),
        InstallError::BadJournal { path } => Fault::usage("damaged", text).hint(format!(
            "the connectors are in {} and beside it: put each in its place, then remove that folder",
            paths::shown(path)
        )),
    }
}

/// A folder as one reads it: `~/.pimpo/connectors/tides`.
pub(super) fn shown(folder: &Path) -> String {
    let below = etcetera::home_dir()
        .ok()
        .and_then(|home| Some(folder.strip_prefix(home).ok()?.to_owned()));
    match below {
        Some(below) => format!("~/{}", below.display()),
        None => folder.display().to_string(),
    }
}

/// The folder of an installed connector, when the path is its name and nothing of that name is here.
pub(super) fn named(path: &Path) -> Option<PathBuf> {
    let name = path
        .to_str()
        .filter(|name| is_connector(name) && path.symlink_metadata().is_err())?;
    let shelf = usual()?;
    // What cannot be finished now is told by whoever changes the folder.
    drop(shelf.settle());
    Some(shelf.place(name)).filter(|place| place.is_dir())
}
