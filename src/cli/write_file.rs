//! Files that appear whole or not at all: written beside their place, then renamed.

use std::io::{self, Write as _};
use std::path::Path;

use super::fault::Fault;
use super::interrupt;

/// Replaces a file, or makes it. A link keeps pointing where it did.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    interrupt::whole(|_| put(path, text))
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if is_stream(path) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
    }
    let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut staged = tempfile::Builder::new()
        .prefix(".becket-")
        .permissions(permissions(&file))
        .tempfile_in(folder)?;
    staged.write_all(text.as_bytes())?;
    staged.as_file().sync_all()?;
    staged.persist(&file)?;
    Ok(())
}

/// A device, a pipe or the program's own output: written to, never replaced.
fn is_stream(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc") || path.metadata().is_ok_and(|facts| !facts.is_file() && !facts.is_dir())
}

/// Makes a folder with one file in it.
pub(super) fn folder(path: &Path, name: &str, text: &str) -> io::Result<()> {
    interrupt::whole(|_| {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent)?;
        let staged = tempfile::Builder::new()
            .prefix(".becket-")
            .permissions(folder_permissions())
            .tempdir_in(parent)?;
        put(&staged.path().join(name), text)?;
        std::fs::rename(staged.path(), path)?;
        // The folder has its name now; there is nothing left to remove.
        let _renamed = staged.keep();
        Ok(())
    })
}

pub(super) fn fault(path: &Path, error: &io::Error) -> Fault {
    Fault::usage("unwritable", format!("cannot write {}", path.display()))
        // The text of the error names the file that was staged.
        .cause(io::Error::from(error.kind()).to_string())
        .hint("the file was not changed")
}

#[cfg(unix)]
fn permissions(file: &Path) -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .map_or_else(|_| std::fs::Permissions::from_mode(0o644), |facts| facts.permissions())
}

#[cfg(unix)]
fn folder_permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(0o755)
}
