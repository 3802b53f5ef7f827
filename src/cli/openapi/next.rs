//! What to do with a connector that was written: the keys to fill and the next commands.

use super::super::Session;
use super::super::args::OpenApi;
use super::super::example_call::words;
use super::super::write_connector::shown;
use super::weight;
use crate::model::Risk;
use crate::openapi::{ApiKey, Lowered};
use crate::report::visible;

pub(super) fn steps(lowered: &Lowered, args: &OpenApi, session: &Session) -> String {
    let folder = args
        .folder
        .as_ref()
        .map_or_else(|| lowered.connector.name.clone().into(), Clone::clone);
    let folder = shown(&folder);
    let keys: String = lowered.keys.iter().map(|key| format!("{}=… ", key.env)).collect();
    let next = |words: &str| format!("next: {keys}{}\n", visible(&session.brand.command(words)));
    let mut text = weight::warning(&lowered.connector);
    text.extend(lowered.keys.iter().map(fill));
    text += &next(&format!("check {folder}"));
    if let Some(read) = lowered
        .connector
        .capabilities
        .iter()
        .find(|capability| capability.risk == Risk::Read)
    {
        text += &next(&format!("call {folder} {}", words(read)));
    }
    text
}

/// `key to fill: KEY (header api_key), in the environment`.
fn fill(key: &ApiKey) -> String {
    format!("key to fill: {} ({}), in the environment\n", key.env, visible(&key.place.words()))
}
