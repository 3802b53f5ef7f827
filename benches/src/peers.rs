//! Other tools, when they are there: those that `benches/peers` installed come before those of
//! the search path.

use std::path::{Path, PathBuf};

use crate::package;

pub const SOURCEMETA: &str = "sourcemeta jsonschema";
pub const CHECK_JSONSCHEMA: &str = "check-jsonschema";
pub const CURL: &str = "curl";
pub const GH: &str = "gh";
pub const GENERATOR: &str = "openapi-mcp-generator";
pub const INSPECTOR: &str = "mcp-inspector";
pub const REDOCLY: &str = "redocly";

pub struct Peer {
    pub name: &'static str,
    pub program: String,
}

/// Who is there, and who is not.
pub fn find() -> (Vec<Peer>, Vec<&'static str>) {
    // A program named `jsonschema` elsewhere may be another tool.
    let known = [
        (SOURCEMETA, "sourcemeta-jsonschema"),
        (CHECK_JSONSCHEMA, "check-jsonschema"),
        (CURL, "curl"),
        (GH, "gh"),
        (GENERATOR, "openapi-mcp-generator"),
        (REDOCLY, "redocly"),
        (INSPECTOR, "mcp-inspector"),
    ];
    let (mut found, mut absent) = (Vec::new(), Vec::new());
    for (name, program) in known {
        match located(program) {
            Some(path) => found.push(Peer {
                name,
                program: path.display().to_string(),
            }),
            None => absent.push(name),
        }
    }
    (found, absent)
}

fn located(program: &str) -> Option<PathBuf> {
    let own = package().join("bench-peers/bin").canonicalize().ok();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = own.into_iter().chain(std::env::split_paths(&path)).collect();
    folders.iter().map(|folder| folder.join(program)).find(|path| Path::is_file(path))
}
