//! Why files are not taken: one place, what is wrong there, what to do about it.

use std::io;
use std::path::PathBuf;

use crate::source::size;

/// Names are as they stand in the archive or the folder; whoever shows them escapes them.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("it is not a zip, or its end is missing")]
    NotAZip,
    #[error("its directory is damaged: {0}")]
    Damaged(&'static str),
    #[error("it is one of several disks of an archive")]
    Disks,
    #[error("it is larger than {}", size(*.0 as usize))]
    TooLarge(u64),
    #[error("it has more than {0} files and folders")]
    TooMany(usize),
    #[error("its files come to more than {} unpacked", size(*.0 as usize))]
    TooMuch(u64),
    #[error("`{name}` unpacks to more than {ratio} times its size")]
    Bomb { name: String, ratio: u64 },
    #[error("the name `{name}` {problem}")]
    Name { name: String, problem: &'static str },
    #[error("`{first}` and `{second}` are one name on some systems")]
    Clash { first: String, second: String },
    #[error("`{name}` is there twice")]
    Twice { name: String },
    #[error("`{name}` is a file and a folder")]
    FileAndFolder { name: String },
    #[error("`{name}` is {kind}, neither a file nor a folder")]
    Special { name: String, kind: &'static str },
    #[error("`{name}` is encrypted")]
    Encrypted { name: String },
    #[error("`{name}` is packed with method {method}, not stored or deflated")]
    Method { name: String, method: u16 },
    #[error("`{name}` has another name, size or method before its data than in the directory")]
    Disagrees { name: String },
    #[error("`{name}` shares its data with another file")]
    Overlaps { name: String },
    #[error("`{name}` is damaged: {problem}")]
    BadData { name: String, problem: String },
    #[error("it does not hold a connector.json at its top or in its one folder")]
    NoManifest { near: Option<String> },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

impl ArchiveError {
    /// What to do about it, as an order.
    pub fn help(&self) -> Option<String> {
        let fixed = match self {
            Self::NotAZip | Self::Damaged(_) | Self::BadData { .. } => "make or download it again",
            Self::Disks => "make it in one part",
            Self::TooLarge(_) | Self::TooMany(_) | Self::TooMuch(_) | Self::Bomb { .. } => {
                "leave out what the connector does not need, such as `.git`, caches and downloads"
            }
            Self::Name { .. } | Self::Clash { .. } | Self::Twice { .. } | Self::FileAndFolder { .. } => "rename it where it was made",
            Self::Special { .. } => "put a plain file in its place, or leave it out",
            Self::Encrypted { .. } => "make it without a password",
            Self::Method { .. } => "make it with deflate, as `pack` does",
            Self::Disagrees { .. } | Self::Overlaps { .. } => "make it with an ordinary zip program, or with `pack`",
            Self::NoManifest { near: Some(near) } => return Some(format!("rename `{near}` to `connector.json`")),
            Self::NoManifest { near: None } => "zip the connector's folder, or the files in it",
            Self::Unreadable { .. } => return None,
        };
        Some(fixed.to_owned())
    }
}
