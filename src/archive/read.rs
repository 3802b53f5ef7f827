//! Unpacks a zip into memory, after its directory was judged.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::directory::{Record, scan};
use super::files::is_ignored;
use super::{ArchiveError, Entry, Files, Limits};

/// Whether bytes begin as a zip does.
pub fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Every file of a zip.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Files, ArchiveError> {
    let records = scan(bytes, limits)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| ArchiveError::NotAZip)?;
    if archive.len() != records.len() {
        return Err(ArchiveError::Damaged("two readers see different entries"));
    }
    let (mut entries, mut folders) = (Vec::new(), Vec::new());
    for (at, record) in records.iter().enumerate() {
        let bytes = unpacked(&mut archive, at, record)?;
        if is_ignored(record.name) {
            continue;
        }
        match record.folder {
            true => folders.push(record.name.to_owned()),
            false => entries.push(Entry {
                path: record.name.to_owned(),
                executable: record.executable,
                bytes,
            }),
        }
    }
    Ok(Files::sorted(entries, folders))
}

/// The bytes of one entry, never more than the directory says.
fn unpacked(archive: &mut ZipArchive<Cursor<&[u8]>>, at: usize, record: &Record<'_>) -> Result<Vec<u8>, ArchiveError> {
    let bad = |problem: String| ArchiveError::BadData {
        name: record.name.to_owned(),
        problem,
    };
    let mut file = archive.by_index(at).map_err(|error| bad(error.to_string()))?;
    let same = file.name_raw() == record.raw && file.header_start() == record.offset && file.crc32() == record.checksum;
    if !same || file.compressed_size() != record.packed {
        return Err(ArchiveError::Disagrees {
            name: record.name.to_owned(),
        });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(record.unpacked.min(1 << 20)).unwrap_or(0));
    let read = (&mut file).take(record.unpacked + 1).read_to_end(&mut bytes);
    read.map_err(|error| bad(error.to_string()))?;
    match bytes.len() as u64 == record.unpacked {
        true => Ok(bytes),
        false => Err(bad("it is not as long as the directory says".to_owned())),
    }
}
