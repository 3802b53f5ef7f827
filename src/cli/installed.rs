//! The connectors that are installed, where the host looks for them.

use std::path::PathBuf;

use super::paths::MANIFEST;
use crate::model::Connector;
use crate::rules;
use crate::source::{Limits, read_file};

/// `~/.pimpo/connectors`.
pub(super) fn folder() -> Option<PathBuf> {
    etcetera::home_dir().ok().map(|home| home.join(".pimpo/connectors"))
}

/// One by its name, if it is there and sound.
pub(super) fn connector(name: &str) -> Option<Connector> {
    read(&folder()?.join(name)).filter(|connector| connector.name == name)
}

/// All that are sound, by name.
pub(super) fn connectors() -> Vec<Connector> {
    let entries = folder()
        .and_then(|folder| std::fs::read_dir(folder).ok())
        .into_iter()
        .flatten()
        .flatten();
    let shown = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut connectors: Vec<Connector> = shown.filter_map(|entry| read(&entry.path())).collect();
    connectors.sort_by(|a, b| a.name.cmp(&b.name));
    connectors
}

fn read(folder: &std::path::Path) -> Option<Connector> {
    let source = read_file(&folder.join(MANIFEST), Limits::MANIFEST).ok()?;
    rules::read(source).connector
}
