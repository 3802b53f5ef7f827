//! The shared vectors, one file for each class of them. Without the folder, and without
//! BECKET_VECTORS, there is nothing to play and the tests pass.

mod address;
mod base;
mod dns;
mod env;
mod manifest;
pub(crate) mod mcp_client;
mod name_server;
mod namespace;
mod openapi;
mod parse;
mod redirect;
mod registry;
mod request;
mod response;
mod response_tls;
mod schema;
mod zip;

use serde_json::Value;

/// The vectors of one file; nothing when the folder is absent and was not asked for.
pub(crate) fn load(file: &str) -> Option<Vec<Value>> {
    let asked = std::env::var_os("BECKET_VECTORS").map(std::path::PathBuf::from);
    let folder = asked
        .clone()
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/vectors/dev").into());
    if asked.is_none() && !folder.is_dir() {
        return None;
    }
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Prints one line of figures and fails with what differed.
#[expect(clippy::print_stdout, reason = "figures are what these tests are run for")]
pub(crate) fn figures(class: &str, total: usize, failures: &[String]) {
    println!("{class}: {}/{total}", total - failures.len());
    assert!(failures.is_empty(), "{class}:\n{}", failures.join("\n"));
    assert!(total > 0, "{class}: no vectors");
}
