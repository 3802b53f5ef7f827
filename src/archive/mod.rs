//! A connector's files: read from a folder or a zip under one policy, and written to a zip whose
//! bytes depend on the files alone. A zip is judged by its directory before anything of it is
//! unpacked, and refused whole. Nothing is ever unpacked onto a disk here: what is read is held in
//! memory, within [`Limits`].

mod directory;
mod error;
mod files;
mod folder;
mod name;
mod read;
mod write;

pub use error::ArchiveError;
pub use files::{Entry, Files};
pub use folder::read_folder;
pub use read::{is_zip, read};
pub use write::write;

/// What the files of one connector may come to.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of all files together, and of a zip.
    pub bytes: u64,
    /// Files and folders.
    pub entries: usize,
    /// Folders inside each other.
    pub depth: usize,
    /// How much larger than packed a file over `ratio_from` bytes may be.
    pub ratio: u64,
    pub ratio_from: u64,
}

impl Limits {
    pub const CONNECTOR: Self = Self {
        bytes: 64 << 20,
        entries: 10_000,
        depth: 32,
        ratio: 1000,
        ratio_from: 10 << 20,
    };
    /// For many connectors in one file.
    pub const EXPORT: Self = Self {
        bytes: 512 << 20,
        entries: 200_000,
        depth: 34,
        ..Self::CONNECTOR
    };
}
