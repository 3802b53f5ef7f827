//! Reads the files of a connector's folder. Links are not followed and not taken: what they lead
//! to would be another file on another computer.

use std::fs::{File, FileType};
use std::io::Read;
use std::path::Path;

use super::files::{Names, is_ignored};
use super::{ArchiveError, Entry, Files, Limits, name};

/// What only the author needs.
const OWN: [&str; 5] = [".git", ".hg", ".svn", "__pycache__", ".gitignore"];

/// Every file of a folder, its name judged as a zip's would be.
pub fn read_folder(folder: &Path, limits: Limits) -> Result<Files, ArchiveError> {
    let mut reading = Reading {
        limits,
        names: Names::default(),
        left: limits.bytes,
        entries: Vec::new(),
        folders: Vec::new(),
    };
    reading.folder(folder, "")?;
    Ok(Files::sorted(reading.entries, reading.folders))
}

struct Reading {
    limits: Limits,
    names: Names,
    left: u64,
    entries: Vec<Entry>,
    folders: Vec<String>,
}

impl Reading {
    fn folder(&mut self, folder: &Path, prefix: &str) -> Result<(), ArchiveError> {
        let unreadable = |source| ArchiveError::Unreadable {
            path: folder.to_owned(),
            source,
        };
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let raw = entry.file_name();
            let path = [prefix.as_bytes(), raw.as_encoded_bytes()].concat();
            if OWN.iter().any(|own| raw == *own) || is_ignored(&raw.to_string_lossy()) {
                continue;
            }
            let path = name::judged(&path, self.limits)?.to_owned();
            let kind = entry.file_type().map_err(unreadable)?;
            self.names.take(&path, kind.is_dir(), self.limits)?;
            if kind.is_dir() {
                self.folder(&entry.path(), &format!("{path}/"))?;
                self.folders.push(path);
            } else if kind.is_file() {
                let entry = self.file(&entry.path(), path)?;
                self.entries.push(entry);
            } else {
                return Err(ArchiveError::Special {
                    name: path,
                    kind: kind_of(kind),
                });
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &Path, path: String) -> Result<Entry, ArchiveError> {
        let unreadable = |source| ArchiveError::Unreadable {
            path: file.to_owned(),
            source,
        };
        let opened = File::open(file).map_err(unreadable)?;
        let facts = opened.metadata().map_err(unreadable)?;
        let mut bytes = Vec::new();
        opened.take(self.left + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or(ArchiveError::TooMuch(self.limits.bytes))?;
        Ok(Entry {
            path,
            executable: is_executable(&facts),
            bytes,
        })
    }
}

fn kind_of(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "a link"
    } else {
        "a pipe, a socket or a device"
    }
}

#[cfg(unix)]
fn is_executable(facts: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    facts.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}
