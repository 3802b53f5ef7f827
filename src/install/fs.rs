//! Folders and files that are on the disk when they are said to be, whatever the umask.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;

use super::error::failed;
use super::{InstallError, Manner, Step};
use crate::archive::{Entry, Files};

/// Writes a connector's files into a new folder that is for a while.
pub fn copy(files: &Files, folder: &Path) -> Result<(), InstallError> {
    put(files, folder, Manner::PLAIN)
}

/// Writes a connector's files into a new folder and syncs all of it.
pub(super) fn put(files: &Files, folder: &Path, manner: Manner<'_>) -> Result<(), InstallError> {
    new_folder(folder, 0o755)?;
    for inner in &files.folders {
        new_folder(&folder.join(inner), 0o755)?;
    }
    for entry in &files.entries {
        file(entry, &folder.join(&entry.path), manner)?;
    }
    for inner in files.folders.iter().rev() {
        sync(&folder.join(inner))?;
    }
    sync(folder)
}

pub(super) fn new_folder(path: &Path, mode: u32) -> Result<(), InstallError> {
    let made = std::fs::create_dir(path).and_then(|()| std::fs::set_permissions(path, permissions(mode, path)?));
    made.map_err(failed("make", path))
}

/// Keeps a folder for its owner alone.
pub(super) fn own(path: &Path) -> Result<(), InstallError> {
    let owned = permissions(0o700, path).and_then(|mode| std::fs::set_permissions(path, mode));
    owned.map_err(failed("make", path))
}

fn file(entry: &Entry, path: &Path, manner: Manner<'_>) -> Result<(), InstallError> {
    let mode = if entry.executable { 0o755 } else { 0o644 };
    write_new(path, &entry.bytes, mode, || (manner.reached)(Step::Written))
}

/// A new file, synced. `written` is told before it is.
pub(super) fn write_new(path: &Path, bytes: &[u8], mode: u32, written: impl FnOnce()) -> Result<(), InstallError> {
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = opened.map_err(failed("write", path))?;
    let wrote = file.write_all(bytes).and_then(|()| file.set_permissions(permissions(mode, path)?));
    wrote.map_err(failed("write", path))?;
    written();
    file.sync_all().map_err(failed("sync", path))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere a file is asked for its own")]
fn permissions(mode: u32, _: &Path) -> io::Result<Permissions> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn permissions(_: u32, path: &Path) -> io::Result<Permissions> {
    path.metadata().map(|facts| facts.permissions())
}

/// Makes sure that a folder's names are on the disk.
#[cfg(unix)]
pub(super) fn sync(folder: &Path) -> Result<(), InstallError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(failed("sync", folder))
}

#[cfg(not(unix))]
pub(super) fn sync(_: &Path) -> Result<(), InstallError> {
    Ok(())
}

/// Makes a folder and those above it, each for the owner alone but the last.
pub(super) fn make_all(folder: &Path) -> Result<(), InstallError> {
    if folder.is_dir() {
        return Ok(());
    }
    if folder.symlink_metadata().is_ok() {
        return Err(InstallError::NotAFolder { path: folder.to_owned() });
    }
    if let Some(above) = folder.parent().filter(|above| !above.as_os_str().is_empty() && !above.is_dir()) {
        if above.symlink_metadata().is_ok() {
            return Err(InstallError::NotAFolder { path: above.to_owned() });
        }
        make_all(above)?;
    }
    match new_folder(folder, 0o700) {
        // Another run made it in this moment.
        Err(InstallError::Failed { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Exchanges two folders in one rename. `false` where the file system cannot.
#[cfg(target_os = "linux")]
pub(super) fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it fails where it can be done")]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// What stays the same when a folder is renamed; 0 where nothing does.
pub(super) fn identity(path: &Path) -> u64 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        path.symlink_metadata().map_or(0, |facts| facts.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        0
    }
}

/// Removes a folder, a file or a link.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata()?.is_dir() {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    }
}
