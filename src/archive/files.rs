//! The files of a connector, each with a judged name, none of which another system takes for
//! another. Held in memory and in one order.

use std::collections::HashMap;

use super::{ArchiveError, Limits, name};

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Parts with `/` between them.
    pub path: String,
    /// Whether its owner may run it. Nothing else of its mode is kept.
    pub executable: bool,
    pub bytes: Vec<u8>,
}

/// Files and folders, each kind by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    pub entries: Vec<Entry>,
    /// Every folder, parents before what is in them.
    pub folders: Vec<String>,
}

/// Names that systems leave behind and nobody means.
const IGNORED: [&str; 3] = ["__MACOSX", ".DS_Store", "Thumbs.db"];

/// Whether a path is left out wherever connectors are read.
pub(super) fn is_ignored(path: &str) -> bool {
    path.split('/').any(|part| IGNORED.contains(&part))
}

impl Files {
    /// One manifest alone.
    pub fn of_manifest(text: impl Into<Vec<u8>>) -> Self {
        let entry = Entry {
            path: "connector.json".to_owned(),
            executable: false,
            bytes: text.into(),
        };
        Self {
            entries: vec![entry],
            folders: Vec::new(),
        }
    }

    pub fn get(&self, path: &str) -> Option<&Entry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// The text of connector.json.
    pub fn manifest(&self) -> Option<&[u8]> {
        self.get("connector.json").map(|entry| entry.bytes.as_slice())
    }

    pub fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes.len() as u64).sum()
    }

    /// Sorted, with every folder that a file lies in.
    pub(super) fn sorted(entries: Vec<Entry>, folders: Vec<String>) -> Self {
        let mut files = Self { entries, folders };
        for entry in &files.entries {
            files.folders.extend(parents(&entry.path).map(str::to_owned));
        }
        let deeper: Vec<String> = files
            .folders
            .iter()
            .flat_map(|folder| parents(folder).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        files.folders.extend(deeper);
        files.entries.sort_by(|a, b| a.path.cmp(&b.path));
        files.folders.sort();
        files.folders.dedup();
        files
    }

    /// The part below a folder, or everything: wherever the manifest is.
    pub fn rooted(self) -> Result<Self, ArchiveError> {
        if self.manifest().is_some() {
            return Ok(self);
        }
        let top = |path: &str| path.split_once('/').map(|(top, _)| top.to_owned());
        let first = self.entries.first().and_then(|entry| top(&entry.path));
        let only = first.filter(|first| self.entries.iter().all(|entry| top(&entry.path).as_ref() == Some(first)));
        let below = only.map(|folder| self.below(&folder)).filter(|files| files.manifest().is_some());
        below.ok_or_else(|| ArchiveError::NoManifest { near: self.near() })
    }

    /// What lies in a folder.
    #[must_use]
    pub fn below(&self, folder: &str) -> Self {
        let inside = |path: &str| path.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned);
        let entries = self.entries.iter().filter_map(|entry| {
            Some(Entry {
                path: inside(&entry.path)?,
                ..entry.clone()
            })
        });
        Self {
            entries: entries.collect(),
            folders: self.folders.iter().filter_map(|folder| inside(folder)).collect(),
        }
    }

    /// A file that only its letters' case keeps from being the manifest.
    fn near(&self) -> Option<String> {
        let named = |entry: &&Entry| {
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            name.eq_ignore_ascii_case("connector.json") && name != "connector.json"
        };
        self.entries.iter().find(named).map(|entry| entry.path.clone())
    }
}

fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Takes names one by one and refuses what would fall together with one before.
#[derive(Default)]
pub(super) struct Names {
    /// Folded to written; whether it is a folder, and whether it was listed itself.
    seen: HashMap<String, (String, bool, bool)>,
}

impl Names {
    pub(super) fn take(&mut self, path: &str, folder: bool, limits: Limits) -> Result<(), ArchiveError> {
        for parent in parents(path) {
            self.put(parent, true, false)?;
        }
        self.put(path, folder, true)?;
        match self.seen.len() > limits.entries {
            true => Err(ArchiveError::TooMany(limits.entries)),
            false => Ok(()),
        }
    }

    fn put(&mut self, path: &str, folder: bool, listed: bool) -> Result<(), ArchiveError> {
        let Some((written, was_folder, was_listed)) = self.seen.get_mut(&name::folded(path)) else {
            self.seen.insert(name::folded(path), (path.to_owned(), folder, listed));
            return Ok(());
        };
        if written != path {
            return Err(ArchiveError::Clash {
                first: written.clone(),
                second: path.to_owned(),
            });
        }
        if *was_folder != folder {
            return Err(ArchiveError::FileAndFolder { name: path.to_owned() });
        }
        if listed && std::mem::replace(was_listed, true) {
            return Err(ArchiveError::Twice { name: path.to_owned() });
        }
        Ok(())
    }
}
