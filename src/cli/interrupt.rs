//! Leaving early: Ctrl-C, or a reader that has gone. What a command keeps on disk for a while is
//! named here, so that it goes too.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::exit::Exit;

static KEPT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes Ctrl-C remove what is kept and exit with 130.
pub(super) fn watch() {
    // A second handler is refused: then the first one serves.
    drop(ctrlc::set_handler(|| leave(Exit::Interrupted)));
}

/// Removes this folder when the program is interrupted.
pub(super) fn keep(folder: &Path) {
    KEPT.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .push(folder.to_owned());
}

/// Removes what is kept and ends the program.
pub(super) fn leave(exit: Exit) -> ! {
    for folder in KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner).drain(..) {
        drop(std::fs::remove_dir_all(folder));
    }
    std::process::exit(exit.code().into())
}
