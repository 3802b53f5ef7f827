//! A manifest in a zip: `check petstore.zip` reads it as `install` would, and unpacks nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::fault::Fault;
use super::paths::{self, Found, MANIFEST};
use crate::archive::{self, ArchiveError, Files, Limits};
use crate::report::visible;
use crate::source::{Limits as TextLimits, Source, read_stream};

/// The manifest of an archive; nothing when the path is none.
pub(super) fn manifest(path: &Path) -> Option<Found> {
    let bytes = open(path)?;
    Some(bytes.and_then(|bytes| source(&files(&bytes, path)?, &paths::shown(path))))
}

/// The bytes of a file that is a zip or is named as one.
pub(super) fn open(path: &Path) -> Option<Result<Vec<u8>, Fault>> {
    if !path.is_file() || path.file_name() == Some(MANIFEST.as_ref()) {
        return None;
    }
    let mut start = [0; 4];
    let begins = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    let is_zip = named || (begins.is_ok() && archive::is_zip(&start));
    is_zip.then(|| read(path))
}

/// One byte over the limit is enough to refuse it.
fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(Limits::CONNECTOR.bytes + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Fault::usage("unreadable", format!("cannot read {}", paths::shown(path))).cause(error.to_string())),
    }
}

/// The files of a connector in a zip, from where its manifest is.
pub(super) fn files(bytes: &[u8], path: &Path) -> Result<Files, Fault> {
    let files = archive::read(bytes, Limits::CONNECTOR).and_then(Files::rooted);
    files.map_err(|error| refused(&error, &paths::shown(path)))
}

/// Files that are not taken.
pub(super) fn refused(error: &ArchiveError, name: &str) -> Fault {
    let fault = Fault::usage("bad_archive", format!("{name} is not taken: {}", visible(&error.to_string())));
    match error.help() {
        Some(help) => fault.hint(help),
        None => fault,
    }
}

/// The manifest among files, named by where they came from.
pub(super) fn source(files: &Files, from: &str) -> Found {
    let bytes = files.manifest().unwrap_or_default();
    read_stream(&format!("{from}/{MANIFEST}"), bytes, TextLimits::MANIFEST).map_err(|error| paths::unreadable(&error))
}

/// Whether a source lies in an archive.
pub(super) fn is_inside(source: &Source) -> bool {
    Path::new(source.name()).parent().is_some_and(Path::is_file)
}

/// A program that is still packed.
pub(super) fn program(source: &Source) -> Fault {
    let archive = source.name().trim_end_matches(MANIFEST).trim_end_matches('/');
    Fault::usage(
        "packed_program",
        format!("the program in {archive} cannot be started before it is unpacked"),
    )
    .hint("install it, or unpack it and give the folder; `check --offline` reads it as it is")
}
