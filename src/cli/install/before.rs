//! What is installed under a name now, and how something else differs from it.

use similar::TextDiff;

use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::paths::MANIFEST;
use super::super::{Session, installed};
use super::arrival::Arrived;
use crate::archive::{ArchiveError, Files, Limits, read_folder};
use crate::install::{Difference, Shelf};
use crate::model::Connector;
use crate::report::escaped;
use crate::rules;
use crate::source::{Limits as TextLimits, read_stream};

#[derive(PartialEq)]
pub(super) enum Before {
    Nothing,
    Files(Files),
    /// Something that no connector's folder is, such as one with a link in it; why.
    Other(String),
}

impl Before {
    pub(super) fn look(shelf: &Shelf, name: &str) -> Result<Self, Fault> {
        let place = shelf.place(name);
        if place.symlink_metadata().is_err() {
            return elsewhere(shelf, name).map(|()| Self::Nothing);
        }
        Ok(match read_folder(&place, Limits::CONNECTOR) {
            Ok(files) => Self::Files(files),
            Err(ArchiveError::Unreadable { source, .. }) => Self::Other(source.to_string()),
            Err(error) => Self::Other(error.to_string()),
        })
    }

    pub(super) fn is_there(&self) -> bool {
        *self != Self::Nothing
    }

    pub(super) fn is(&self, files: &Files) -> bool {
        matches!(self, Self::Files(old) if old == files)
    }

    fn manifest(&self) -> String {
        let bytes = match self {
            Self::Files(files) => files.manifest().unwrap_or_default(),
            Self::Nothing | Self::Other(_) => &[],
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The connector, if it is sound.
    pub(super) fn connector(&self) -> Option<Connector> {
        let text = self.manifest();
        let source = read_stream(MANIFEST, text.as_bytes(), TextLimits::MANIFEST).ok()?;
        rules::read(source).connector
    }

    /// How a connector differs from it; nothing where that cannot be told.
    pub(super) fn difference(&self, new: &Connector) -> Option<Difference> {
        Some(Difference::between(&self.connector()?, new))
    }

    /// Shows the difference of the manifests, and which other files differ.
    pub(super) fn diff(&self, arrived: &Arrived, session: &Session) -> Exit {
        let (old, new) = (self.manifest(), arrived.source.text());
        let names = (format!("installed/{MANIFEST}"), format!("new/{MANIFEST}"));
        let mut text = TextDiff::from_lines(old.as_str(), new)
            .unified_diff()
            .header(&names.0, &names.1)
            .to_string();
        for path in self.others(&arrived.files) {
            text += &format!("differs: {path}\n");
        }
        session.io.out(&escaped(&text));
        Exit::Findings
    }

    /// The other files that are not the same in both, by path.
    fn others(&self, new: &Files) -> Vec<String> {
        let empty = Files::default();
        let old = match self {
            Self::Files(files) => files,
            Self::Nothing | Self::Other(_) => &empty,
        };
        let all = old.entries.iter().chain(&new.entries).map(|entry| entry.path.as_str());
        let differ = all.filter(|path| *path != MANIFEST && old.get(path) != new.get(path));
        let mut paths: Vec<String> = differ.map(str::to_owned).collect();
        paths.sort();
        paths.dedup();
        paths
    }
}

/// Refuses a name that a folder of another name holds already: a host would load both.
fn elsewhere(shelf: &Shelf, name: &str) -> Result<(), Fault> {
    let folders = shelf.names().map_err(|error| installed::fault(&error))?;
    let has = |folder: &&String| {
        let connector = installed::checked(shelf, folder).ok().and_then(|checked| checked.connector);
        connector.is_some_and(|connector| connector.name == name)
    };
    match folders.iter().find(has) {
        Some(folder) => Err(Fault::usage(
            "exists",
            format!("{name} is installed in {}", installed::shown(&shelf.place(folder))),
        )
        .hint(format!("rename that folder to `{name}`, or uninstall it: `uninstall {folder}`"))),
        None => Ok(()),
    }
}
