//! Writes a zip whose bytes depend on the files alone: sorted names, one date, two modes.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Files;

/// The files as a zip.
pub fn write(files: &Files) -> Vec<u8> {
    const MEMORY: &str = "memory takes what is written";
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(6))
        .last_modified_time(DateTime::default());
    for folder in empty(files) {
        zip.add_directory(folder, options.unix_permissions(0o755)).expect(MEMORY);
    }
    for entry in &files.entries {
        let mode = if entry.executable { 0o755 } else { 0o644 };
        zip.start_file(&entry.path, options.unix_permissions(mode)).expect(MEMORY);
        zip.write_all(&entry.bytes).expect(MEMORY);
    }
    zip.finish().expect(MEMORY).into_inner()
}

/// Folders that no file names.
fn empty(files: &Files) -> impl Iterator<Item = &String> {
    let holds = |folder: &str, path: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    files.folders.iter().filter(move |folder| {
        let inside = files.entries.iter().any(|entry| holds(folder, &entry.path));
        !inside && !files.folders.iter().any(|other| holds(folder, other))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, Limits, read};
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_never_differs() {
        let entry = |path: &str, executable, bytes: &[u8]| Entry {
            path: path.to_owned(),
            executable,
            bytes: bytes.to_vec(),
        };
        let files = Files::sorted(
            vec![
                entry("server.py", true, b"print()"),
                entry("connector.json", false, b"{}"),
                entry("data/x", false, &[7; 100_000]),
            ],
            vec!["empty/inner".to_owned()],
        );
        let zip = write(&files);
        assert_eq!(read(&zip, Limits::CONNECTOR).expect("our own zip"), files);
        assert_eq!(zip, write(&files));
    }
}
