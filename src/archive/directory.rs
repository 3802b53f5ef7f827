//! The directory of a zip (APPNOTE 4.3), read by ourselves so that every raw name and size is
//! judged before anything is unpacked. The reader that unpacks must see the same entries.
//!
//! What needs the zip64 directory has 65,535 entries or 4 GB and is over the limits anyway; zip64
//! sizes of one entry are read.

use super::files::Names;
use super::{ArchiveError, Limits, name};

/// One entry as the directory has it.
pub(super) struct Record<'z> {
    pub(super) raw: &'z [u8],
    /// Without the slash that ends a folder's name.
    pub(super) name: &'z str,
    pub(super) folder: bool,
    pub(super) executable: bool,
    pub(super) packed: u64,
    pub(super) unpacked: u64,
    pub(super) offset: u64,
    pub(super) checksum: u32,
    flags: u16,
    method: u16,
}

const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
const CENTRAL: &[u8] = b"PK\x01\x02";
const CENTRAL_LENGTH: usize = 46;
const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_LENGTH: usize = 30;
const ZIP64: u16 = 0x0001;
const UNICODE_PATH: u16 = 0x7075;
/// Encrypted, patched, strongly encrypted, masked.
const UNREADABLE: u16 = 0x0001 | 0x0020 | 0x0040 | 0x2000;
const FILE_TYPE: u32 = 0o170_000;

/// Every entry of a zip, in the directory's order.
pub(super) fn scan(zip: &[u8], limits: Limits) -> Result<Vec<Record<'_>>, ArchiveError> {
    if zip.len() as u64 > limits.bytes {
        return Err(ArchiveError::TooLarge(limits.bytes));
    }
    let end = end(zip).ok_or(ArchiveError::NotAZip)?;
    let (count, size, start) = (u16_at(zip, end + 10), u32_at(zip, end + 12), u32_at(zip, end + 16));
    if [4, 6].iter().any(|at| u16_at(zip, end + at) != 0) || u16_at(zip, end + 8) != count {
        return Err(if count == u16::MAX {
            ArchiveError::TooMany(limits.entries)
        } else {
            ArchiveError::Disks
        });
    }
    if usize::from(count) > limits.entries {
        return Err(ArchiveError::TooMany(limits.entries));
    }
    if start as usize + size as usize != end {
        return Err(ArchiveError::Damaged("it is not where the end says"));
    }
    let mut directory = &zip[start as usize..end];
    let mut records = Vec::new();
    for _ in 0..count {
        let (record, length) = central(directory, limits)?;
        records.push(record);
        directory = &directory[length..];
    }
    if !directory.is_empty() {
        return Err(ArchiveError::Damaged("it is longer than its entries"));
    }
    judge(&records, limits)?;
    data(zip, &records, start.into())?;
    Ok(records)
}

/// Where the end record starts: the last one whose comment reaches exactly to the end of the file.
fn end(zip: &[u8]) -> Option<usize> {
    let last = zip.len().checked_sub(END_LENGTH)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last)
        .rev()
        .find(|at| zip[*at..].starts_with(END) && at + END_LENGTH + usize::from(u16_at(zip, at + 20)) == zip.len())
}

fn central(directory: &[u8], limits: Limits) -> Result<(Record<'_>, usize), ArchiveError> {
    const SHORT: ArchiveError = ArchiveError::Damaged("an entry is cut off");
    if directory.len() < CENTRAL_LENGTH || !directory.starts_with(CENTRAL) {
        return Err(SHORT);
    }
    let lengths = [28, 30, 32].map(|at| usize::from(u16_at(directory, at)));
    let length = CENTRAL_LENGTH + lengths.iter().sum::<usize>();
    if directory.len() < length {
        return Err(SHORT);
    }
    let raw = &directory[CENTRAL_LENGTH..CENTRAL_LENGTH + lengths[0]];
    let extra = &directory[CENTRAL_LENGTH + lengths[0]..][..lengths[1]];
    let plain = raw.strip_suffix(b"/").unwrap_or(raw);
    let name = name::judged(plain, limits)?;
    let mode = u32_at(directory, 38) >> 16;
    let mut record = Record {
        raw,
        name,
        folder: plain.len() < raw.len(),
        executable: mode & 0o111 != 0,
        packed: u32_at(directory, 20).into(),
        unpacked: u32_at(directory, 24).into(),
        offset: u32_at(directory, 42).into(),
        checksum: u32_at(directory, 16),
        flags: u16_at(directory, 8),
        method: u16_at(directory, 10),
    };
    if u16_at(directory, 34) != 0 {
        return Err(ArchiveError::Disks);
    }
    kind(&record, mode)?;
    extras(&mut record, extra)?;
    Ok((record, length))
}

/// Only files and folders; the mode says so where it says anything.
fn kind(record: &Record<'_>, mode: u32) -> Result<(), ArchiveError> {
    let kind = match mode & FILE_TYPE {
        0 => return Ok(()),
        0o100_000 if !record.folder => return Ok(()),
        0o040_000 if record.folder => return Ok(()),
        0o120_000 => "a link",
        0o010_000 => "a pipe",
        0o020_000 | 0o060_000 => "a device",
        0o140_000 => "a socket",
        _ => "something odd",
    };
    Err(ArchiveError::Special {
        name: record.name.to_owned(),
        kind,
    })
}

/// The two extra fields that could say something else than the entry: zip64 sizes, a second name.
/// A rest that is no field is left alone: writers pad with it.
fn extras(record: &mut Record<'_>, mut extra: &[u8]) -> Result<(), ArchiveError> {
    while extra.len() >= 4 {
        let (id, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let Some(mut field) = extra.get(4..4 + length) else { break };
        if id == ZIP64 {
            for size in [&mut record.unpacked, &mut record.packed, &mut record.offset] {
                if *size == u64::from(u32::MAX) {
                    let (eight, rest) = field.split_first_chunk().ok_or(ArchiveError::Damaged("an entry has no size"))?;
                    *size = u64::from_le_bytes(*eight);
                    field = rest;
                }
            }
        } else if id == UNICODE_PATH && field.get(5..) != Some(record.raw) {
            return Err(ArchiveError::Disagrees {
                name: record.name.to_owned(),
            });
        }
        extra = &extra[4 + length..];
    }
    Ok(())
}

/// Names and sizes of all entries together.
fn judge(records: &[Record<'_>], limits: Limits) -> Result<(), ArchiveError> {
    let mut names = Names::default();
    let mut total = 0_u64;
    for record in records {
        let name = || record.name.to_owned();
        names.take(record.name, record.folder, limits)?;
        if record.flags & UNREADABLE != 0 {
            return Err(ArchiveError::Encrypted { name: name() });
        }
        if !matches!(record.method, 0 | 8) {
            return Err(ArchiveError::Method {
                name: name(),
                method: record.method,
            });
        }
        total = total.saturating_add(record.unpacked);
        if total > limits.bytes {
            return Err(ArchiveError::TooMuch(limits.bytes));
        }
        if record.unpacked > limits.ratio_from && record.unpacked / limits.ratio > record.packed {
            return Err(ArchiveError::Bomb {
                name: name(),
                ratio: limits.ratio,
            });
        }
        if record.folder && record.unpacked > 0 {
            return Err(ArchiveError::FileAndFolder { name: name() });
        }
    }
    Ok(())
}

/// Each entry's own header says the same as the directory, and no byte belongs to two entries.
fn data(zip: &[u8], records: &[Record<'_>], directory: u64) -> Result<(), ArchiveError> {
    let mut by_place: Vec<&Record<'_>> = records.iter().collect();
    by_place.sort_by_key(|record| record.offset);
    let mut free = 0;
    for record in by_place {
        let name = || record.name.to_owned();
        if record.offset < free {
            return Err(ArchiveError::Overlaps { name: name() });
        }
        let header = usize::try_from(record.offset).ok().and_then(|at| zip.get(at..directory as usize));
        let header = header.filter(|header| header.len() >= LOCAL_LENGTH && header.starts_with(LOCAL));
        let header = header.ok_or(ArchiveError::Damaged("an entry's data is not where it says"))?;
        let (named, extra) = (usize::from(u16_at(header, 26)), usize::from(u16_at(header, 28)));
        let agrees = u16_at(header, 6) == record.flags && u16_at(header, 8) == record.method;
        if !agrees || header.get(LOCAL_LENGTH..LOCAL_LENGTH + named) != Some(record.raw) {
            return Err(ArchiveError::Disagrees { name: name() });
        }
        let length = ((LOCAL_LENGTH + named + extra) as u64).saturating_add(record.packed);
        if length > header.len() as u64 {
            return Err(ArchiveError::Damaged("an entry's data is cut off"));
        }
        free = record.offset + length;
    }
    Ok(())
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
