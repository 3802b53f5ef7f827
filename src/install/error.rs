//! Why connectors could not be changed. Until the rename nothing that was installed is touched.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("cannot {doing} `{}`: {source}", path.display())]
    Failed {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("another run has been changing `{}` for {seconds} seconds", folder.display())]
    Busy { folder: PathBuf, seconds: u64 },
    #[error("`{}` is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    #[error("the record of an interrupted change in `{}` cannot be read", path.display())]
    BadJournal { path: PathBuf },
}

/// `cannot write `x`: no space left on device`.
pub(super) fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InstallError {
    move |source| InstallError::Failed {
        doing,
        path: path.to_owned(),
        source,
    }
}
