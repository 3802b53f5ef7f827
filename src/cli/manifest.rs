//! One manifest, read and judged, for the commands that need it without errors.

use std::path::Path;

use super::exit::Exit;
use super::fault::Fault;
use super::{Session, paths};
use crate::diag::count;
use crate::model::{Capability, Connector, listed, nearest};
use crate::rules::{self, Checked};
use crate::source::Source;

/// A connector without errors and the source that it came from.
pub(super) struct Manifest {
    pub source: Source,
    pub connector: Connector,
}

/// Reads the manifest at a path; one with errors is a failure that names `check`.
pub(super) fn sound(path: &Path, session: &Session) -> Result<Manifest, Fault> {
    let checked = rules::read(paths::manifest(path)?);
    match checked.connector {
        Some(connector) => Ok(Manifest {
            source: checked.source,
            connector,
        }),
        None => Err(wrong(&checked, session)),
    }
}

/// A manifest with errors.
pub(super) fn wrong(checked: &Checked, session: &Session) -> Fault {
    let name = checked.source.name();
    let folder = Path::new(name)
        .parent()
        .filter(|_| Path::new(name).file_name() == Some(paths::MANIFEST.as_ref()));
    let path = match folder {
        Some(folder) if folder.as_os_str().is_empty() => ".".to_owned(),
        Some(folder) => folder.display().to_string(),
        None => name.to_owned(),
    };
    let message = format!("{name} has {}", count(checked.errors(), "error"));
    Fault::new(Exit::Findings, "manifest_wrong", message).hint(format!(
        "`{}` shows them",
        session.brand.command(&format!("check --offline {path}"))
    ))
}

/// A capability by its name, with or without the connector's.
pub(super) fn capability<'c>(connector: &'c Connector, word: &str) -> Result<&'c Capability, Fault> {
    let full = format!("{}.{word}", connector.name);
    let found = connector
        .capabilities
        .iter()
        .find(|capability| capability.name == word || capability.name == full);
    found.ok_or_else(|| unknown(connector, word))
}

fn unknown(connector: &Connector, word: &str) -> Fault {
    let names = || connector.capabilities.iter().map(|capability| capability.name.as_str());
    let fault = Fault::usage("no_such_capability", format!("{} has no capability `{word}`", connector.name));
    let near = nearest(word, names()).or_else(|| nearest(&format!("{}.{word}", connector.name), names()));
    match near {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None => fault.hint(format!("it has {}", listed(names()))),
    }
}
