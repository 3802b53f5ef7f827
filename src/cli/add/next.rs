//! What to do with a connector that was added: the keys to fill and the next commands.

use std::path::Path;

use super::super::example_call::words;
use super::super::write_connector::shown;
use super::super::{Session, keys};
use crate::model::{Connector, Risk};
use crate::report::visible;

pub(super) fn steps(connector: &Connector, folder: &Path, session: &Session) -> String {
    let names = keys::names(connector);
    let values: String = names.iter().map(|key| format!("{key}=… ")).collect();
    let folder = shown(folder);
    let next = |words: &str| format!("next: {values}{}\n", visible(&session.brand.command(words)));
    let mut text: String = names
        .iter()
        .map(|key| format!("key to fill: {key}, in the environment\n"))
        .collect();
    text += &next(&format!("check {folder}"));
    let reads = || connector.capabilities.iter().filter(|one| one.risk == Risk::Read);
    if let Some(one) = reads().next().or(connector.capabilities.first()) {
        text += &next(&format!("call {folder} {}", words(one)));
    }
    text
}
