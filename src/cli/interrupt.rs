//! Leaving early: Ctrl-C, or a reader that has gone. What a command keeps on disk for a while is
//! named here, so that it goes too.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use super::exit::Exit;

/// Whether a thread is ending the program.
static LEAVING: AtomicBool = AtomicBool::new(false);
/// The exit code of what is known so far.
static KNOWN: AtomicU8 = AtomicU8::new(Exit::Success as u8);
static KEPT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// How often, and after which pause, leaving asks again for what is being written.
const PATIENCE: (u32, Duration) = (100, Duration::from_millis(10));

/// Makes Ctrl-C, and a terminal or a system that ends the program, remove what is kept and exit
/// with 130.
pub(super) fn watch() {
    // A second handler is refused: then the first one serves.
    drop(ctrlc::set_handler(|| leave(Exit::Interrupted)));
}

/// Does something short on disk that must not be left half done. `work` may name folders that go
/// when the program is interrupted.
pub(super) fn whole<T>(work: impl FnOnce(&mut Kept) -> T) -> T {
    work(&mut Kept(KEPT.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// A folder that goes with the program, however that ends.
pub(super) fn scratch() -> std::io::Result<tempfile::TempDir> {
    whole(|kept| {
        let folder = tempfile::Builder::new().prefix("becket-").tempdir()?;
        kept.add(folder.path());
        Ok(folder)
    })
}

/// What goes when the program is interrupted.
pub(super) struct Kept(MutexGuard<'static, Vec<PathBuf>>);

impl Kept {
    pub(super) fn add(&mut self, folder: &Path) {
        self.0.push(folder.to_owned());
    }

    /// What is in a folder is to be looked after from now on.
    pub(super) fn release(&mut self, folder: &Path) {
        self.0.retain(|kept| kept != folder);
    }
}

/// Stops this thread if another one is ending the program: what it would say now is of no use.
pub(super) fn yield_to_leaving() {
    while LEAVING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// What the run comes to so far: a reader that goes early does not change it.
pub(super) fn know(exit: Exit) {
    KNOWN.store(exit.code(), Ordering::SeqCst);
}

/// The reader of standard output has gone. That is no failure, and no success either where
/// something is known to be wrong: `check | head` fails as `check` does.
pub(super) fn unread() -> ! {
    leave_with(KNOWN.load(Ordering::SeqCst))
}

/// Ends every program that was started, removes what is kept and ends the program. From here on nothing more is written: the lock is
/// not given back.
pub(super) fn leave(exit: Exit) -> ! {
    leave_with(exit.code())
}

fn leave_with(code: u8) -> ! {
    if LEAVING.swap(true, Ordering::SeqCst) {
        yield_to_leaving();
    }
    super::hidden::restore();
    crate::mcp::kill_all();
    let kept = kept();
    for folder in kept.iter().flat_map(|kept| kept.iter()) {
        drop(std::fs::remove_dir_all(folder));
    }
    std::process::exit(code.into())
}

/// What is kept, once nothing is being written. A fault of our own while we write gives up the
/// wait.
fn kept() -> Option<MutexGuard<'static, Vec<PathBuf>>> {
    for _ in 0..PATIENCE.0 {
        match KEPT.try_lock() {
            Ok(kept) => return Some(kept),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PATIENCE.1),
        }
    }
    None
}
