//! Finds the file that a command names, the way the system would, but without a shell behind it:
//! a relative path starts at the connector's folder, and a text without `#!` is no program.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Surroundings;
use crate::mcp::Why;

/// Bytes that tell a text from a program.
const BEGINNING: u64 = 512;

/// The file of a command.
pub(super) fn locate(command: &str, folder: &Path, places: &Surroundings) -> Result<PathBuf, Why> {
    let found = match Path::new(command).components().count() {
        1 if !command.starts_with('.') => in_path(command, places)?,
        _ => folder.join(command),
    };
    let refused = |problem: String| Why::NoProgram {
        command: command.to_owned(),
        problem,
    };
    let about = found.metadata().map_err(|error| refused(reason(&error)))?;
    if !about.is_file() {
        return Err(refused("is not a file".to_owned()));
    }
    if !is_executable(&about) {
        return Err(refused("is not executable".to_owned()));
    }
    if cfg!(unix) && is_bare_text(&found) {
        return Err(refused(
            "is a text without a first line such as `#!/usr/bin/env python3`".to_owned(),
        ));
    }
    Ok(found)
}

fn in_path(command: &str, places: &Surroundings) -> Result<PathBuf, Why> {
    let names = spellings(command, cfg!(windows));
    let found = places
        .search
        .iter()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|file| file.metadata().is_ok_and(|about| about.is_file() && is_executable(&about)));
    found.ok_or_else(|| Why::NotInPath {
        command: command.to_owned(),
        path: places.path.to_string_lossy().into_owned(),
    })
}

/// The names under which a command may lie in a folder. On Windows a name without an extension is
/// none of a program (`npx` beside `npx.cmd` is a script for Unix); the standard library starts
/// batch files, and refuses the arguments that these would read as commands.
fn spellings(command: &str, windows: bool) -> Vec<String> {
    const PROGRAMS: [&str; 4] = ["exe", "com", "cmd", "bat"];
    let extension = Path::new(command).extension().and_then(|extension| extension.to_str());
    let is_named = extension.is_some_and(|extension| PROGRAMS.iter().any(|one| one.eq_ignore_ascii_case(extension)));
    match windows && !is_named {
        true => PROGRAMS.iter().map(|extension| format!("{command}.{extension}")).collect(),
        false => vec![command.to_owned()],
    }
}

#[cfg(unix)]
fn is_executable(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_about: &std::fs::Metadata) -> bool {
    true
}

/// Whether a file is text and says no interpreter. One that may not be read is left to the system.
fn is_bare_text(file: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
    read.is_ok() && !bytes.starts_with(b"#!") && bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b | 0x20..))
}

pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "may not be started".to_owned(),
        _ => format!("cannot be started: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_windows_a_command_has_its_extension() {
        assert_eq!(spellings("npx", true), ["npx.exe", "npx.com", "npx.cmd", "npx.bat"]);
        assert_eq!(spellings("npx.CMD", true), ["npx.CMD"]);
        assert_eq!(spellings("python3.12", true)[0], "python3.12.exe");
        assert_eq!(spellings("npx", false), ["npx"]);
    }
}
