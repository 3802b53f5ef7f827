//! What a program that we start finds around it: its folder, and the few variables that it gets.
//! Here, because only the command line may look at the environment.

use std::path::{Path, PathBuf};

use super::archived;
use super::fault::Fault;
use crate::mcp::{Settings, Surroundings};
use crate::model::{Connector, Transport};
use crate::source::Source;

/// Variables without which no program starts on Windows.
const WINDOWS: [&str; 14] = [
    "SystemRoot",
    "SystemDrive",
    "windir",
    "PATHEXT",
    "COMSPEC",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "APPDATA",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
];

/// The settings for the server of the connector in a source. A program that lies in an archive
/// cannot be started.
pub(super) fn settings(source: &Source, connector: &Connector) -> Result<Settings, Fault> {
    if archived::is_inside(source) && matches!(connector.transport, Transport::Program { .. }) {
        return Err(archived::program(source));
    }
    Ok(settings_in(folder(source)))
}

/// The settings for a server in a folder.
pub(super) fn settings_in(folder: PathBuf) -> Settings {
    Settings {
        folder,
        places: surroundings(),
        ..Settings::default()
    }
}

/// The folder of a manifest; this one for a manifest from standard input.
fn folder(source: &Source) -> PathBuf {
    let file = Path::new(source.name());
    let folder = match file.is_file() {
        true => file.parent().unwrap_or(Path::new("")).to_owned(),
        false => PathBuf::new(),
    };
    let here = std::env::current_dir().unwrap_or_default();
    here.join(folder)
}

pub(super) fn surroundings() -> Surroundings {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = WINDOWS.iter().filter(|_| cfg!(windows));
    Surroundings {
        search: std::env::split_paths(&path).collect(),
        path,
        home: std::env::var_os("HOME"),
        more: more.filter_map(|name| Some((name.into(), std::env::var_os(name)?))).collect(),
        // What it does is for Unix.
        launcher: std::env::current_exe().ok().filter(|_| cfg!(unix)),
    }
}
