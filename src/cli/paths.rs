//! From the paths of a command line to manifests: a connector.json, its folder, or a folder of
//! connectors.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::{archived, installed};
use crate::model::{credential, nearest};
use crate::source::{Limits, ReadError, Source, read_file, read_seen_file, read_stream};

pub(super) const MANIFEST: &str = "connector.json";

/// One manifest that was found, or why it could not be read.
pub(super) type Found = Result<Source, Fault>;

/// Every manifest under the paths with its path, in order and once, each read when its turn comes.
/// One that cannot be read does not stop the others.
pub(super) fn manifests(paths: &[PathBuf]) -> impl ExactSizeIterator<Item = (PathBuf, Found)> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for path in paths {
        match under(path) {
            Ok(files) => found.extend(files.into_iter().filter(|file| seen.insert(file.real.clone())).map(Ok)),
            Err(fault) => found.push(Err((path.clone(), fault))),
        }
    }
    found.into_iter().map(|place: Result<Place, (PathBuf, Fault)>| match place {
        Err((path, fault)) => (path, Err(fault)),
        Ok(Place { path, seen: true, .. }) => {
            let read = read(&path, read_seen_file(&path, Limits::MANIFEST));
            (path, read)
        }
        Ok(Place { path, .. }) => {
            let read = open(&path);
            (path, read)
        }
    })
}

/// A file to read.
struct Place {
    path: PathBuf,
    /// The same for every way that leads to the file.
    real: PathBuf,
    /// Whether it was seen to be a plain file.
    seen: bool,
}

impl Place {
    fn new(path: PathBuf) -> Self {
        let real = real(&path);
        Self { path, real, seen: false }
    }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The one manifest at a path, or that of the installed connector of this name.
pub(super) fn manifest(path: &Path) -> Found {
    if let Some(place) = installed::named(path) {
        return open(&place.join(MANIFEST));
    }
    if !path.is_dir() {
        return open(path);
    }
    let file = path.join(MANIFEST);
    if is_absent(&file) {
        return Err(no_manifest(path).hint(instead(path)));
    }
    open(&file)
}

fn open(file: &Path) -> Found {
    if let Some(found) = archived::manifest(file) {
        return found;
    }
    if file == Path::new("-") {
        return read(file, read_stream("standard input", std::io::stdin().lock(), Limits::MANIFEST));
    }
    read(file, read_file(file, Limits::MANIFEST))
}

/// The files to read for a path, or for the installed connector of this name.
fn under(path: &Path) -> Result<Vec<Place>, Fault> {
    if let Some(place) = installed::named(path) {
        return Ok(vec![Place::new(place.join(MANIFEST))]);
    }
    if !path.is_dir() {
        return Ok(vec![Place::new(path.to_owned())]);
    }
    if !is_absent(&path.join(MANIFEST)) {
        return Ok(vec![Place::new(path.join(MANIFEST))]);
    }
    let folders =
        folders(path).map_err(|error| Fault::usage("unreadable", format!("cannot list {}", shown(path))).cause(error.to_string()))?;
    if folders.is_empty() {
        return Err(no_manifest(path).hint("give a connector.json, its folder, or a folder of connectors"));
    }
    let root = real(path);
    Ok(folders.iter().map(|folder| folder.place(path, &root)).collect())
}

/// Whether there is nothing at all, not even something that may not be looked at.
fn is_absent(file: &Path) -> bool {
    file.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// A folder inside another that holds a connector.json.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Folder {
    name: OsString,
    /// Whether the folder or the file in it is a link, and so may be known by another path.
    linked: bool,
    /// Whether the file was seen to be a plain one.
    plain: bool,
}

impl Folder {
    /// Its file. Asking for the real path of each of many files would cost more than reading them.
    fn place(&self, parent: &Path, root: &Path) -> Place {
        let file = |parent: &Path| parent.join(&self.name).join(MANIFEST);
        match self.linked {
            true => Place::new(file(parent)),
            false => Place {
                path: file(parent),
                real: file(root),
                seen: self.plain,
            },
        }
    }
}

/// The folders inside `path` that hold a connector.json, by name. Names that start with a dot are
/// somebody's own (`.git`, a half-made install).
fn folders(path: &Path) -> std::io::Result<Vec<Folder>> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let kind = entry.file_type()?;
        let is_folder = kind.is_dir() || (kind.is_symlink() && entry.path().is_dir());
        if !is_folder || name.to_string_lossy().starts_with('.') {
            continue;
        }
        let facts = entry.path().join(MANIFEST).symlink_metadata();
        if facts.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            continue;
        }
        folders.push(Folder {
            name,
            linked: kind.is_symlink() || facts.as_ref().is_ok_and(|facts| facts.is_symlink()),
            plain: facts.is_ok_and(|facts| facts.is_file()),
        });
    }
    folders.sort();
    Ok(folders)
}

fn no_manifest(path: &Path) -> Fault {
    Fault::usage("no_manifest", format!("{} holds no connector.json", shown(path)))
}

/// What to give in place of a folder without a manifest, where only one connector will do.
fn instead(path: &Path) -> String {
    match folders(path).ok().and_then(|folders| folders.into_iter().next()) {
        Some(first) => format!("give one of the connectors in it, such as {}", shown(&path.join(first.name))),
        None => "give a connector.json or its folder".to_owned(),
    }
}

fn read(path: &Path, source: Result<Source, ReadError>) -> Found {
    source.map_err(|error| match error {
        ReadError::NotFound { .. } => missing(path),
        error => unreadable(&error),
    })
}

/// A file that is there and cannot be read.
pub(super) fn unreadable(error: &ReadError) -> Fault {
    let fault = Fault::usage("unreadable", error.to_string());
    match error.help() {
        Some(help) => fault.hint(help),
        None => fault,
    }
}

fn missing(path: &Path) -> Fault {
    if path.as_os_str().is_empty() {
        return Fault::usage("no_such_path", "the path is empty").hint("give a connector.json, its folder, or `.` for this folder");
    }
    let fault = Fault::usage("no_such_path", format!("no connector at {}", shown(path)));
    match neighbour(path) {
        Some(near) => fault.hint(format!("did you mean {}?", shown(&near))),
        None => fault,
    }
}

/// A path beside this one with nearly the same name.
fn neighbour(path: &Path) -> Option<PathBuf> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let near = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near))
}

/// A path in a message. A key may have been typed in its place.
pub(super) fn shown(path: &Path) -> String {
    credential::masked(&path.display().to_string())
}
