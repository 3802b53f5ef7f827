//! The house rules of ARCHITECTURE.md, read from the source: which room may import which, and
//! which file may do what.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms by floor. A module imports from lower floors or from its own room.
const FLOORS: &[(&str, u8)] = &[
    ("source", 0),
    ("archive", 1),
    ("diag", 1),
    ("keys", 1),
    ("model", 2),
    ("format", 3),
    ("rules", 4),
    ("openapi", 4),
    ("exec", 5),
    ("mcp", 6),
    ("service", 7),
    ("adopt", 7),
    ("contract", 8),
    ("demo", 8),
    ("install", 8),
    ("registry", 8),
    ("report", 8),
    ("serve", 8),
    ("cli", 9),
    ("bin", 10),
];

/// A word in code, and the only paths that may hold it.
const ONLY: &[(&str, &[&str])] = &[
    ("zip::", &["archive/"]),
    ("icu_normalizer", &["archive/"]),
    ("ureq::", &["exec/"]),
    ("ureq::Agent", &["exec/http", "exec/wire"]),
    ("miette", &["report/human"]),
    ("clap", &["cli/"]),
    ("indicatif", &["cli/"]),
    ("jsonschema::", &["model/schema"]),
    ("granit_parser", &["source/yaml"]),
    ("std::env", &["cli/", "bin/"]),
    ("env::var", &["cli/"]),
    ("env::current_dir", &["cli/"]),
    ("SystemTime", &["cli/"]),
    ("process::exit", &["cli/"]),
    ("Command::new", &["cli/", "mcp/stdio"]),
    (".expose()", &["exec/http", "mcp/", "keys/"]),
    ("TcpStream::connect", &[]),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below `src`, as its path from there and its code without tests and comments.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![source()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(source()).unwrap().to_string_lossy().replace('\\', "/");
                files.push((name, code(&fs::read_to_string(&path).unwrap())));
            }
        }
    }
    files.sort();
    files
}

fn code(text: &str) -> String {
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    shipped
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn room(name: &str) -> &str {
    name.split('/').next().unwrap().trim_end_matches(".rs")
}

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The rooms that a file names after `crate::`.
fn imports(code: &str) -> Vec<String> {
    let after = |part: &str| -> Vec<String> {
        let Some(list) = part.strip_prefix('{') else {
            return vec![
                part.chars()
                    .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                    .collect(),
            ];
        };
        let mut depth = 0;
        let mut names = vec![String::new()];
        for letter in list.chars() {
            match letter {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => names.push(String::new()),
                _ if depth == 0 => names.last_mut().unwrap().push(letter),
                _ => {}
            }
        }
        names
            .iter()
            .map(|name| name.trim().split("::").next().unwrap().to_owned())
            .filter(|name| !name.is_empty())
            .collect()
    };
    code.split("crate::").skip(1).flat_map(after).collect()
}

#[test]
fn imports_point_down() {
    let mut wrong = Vec::new();
    for (name, code) in files() {
        let own = room(&name);
        if own == "lib" {
            continue;
        }
        let height = floor(own).unwrap_or_else(|| panic!("{name}: the room `{own}` has no floor"));
        for import in imports(&code) {
            let Some(below) = floor(&import) else { continue };
            if import != own && below >= height {
                wrong.push(format!("{name} imports {import}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn imports_are_read_from_lists_too() {
    assert_eq!(
        imports("use crate::{keys::{Keys, Secret}, model, source::Span};\ncrate::diag::Rule"),
        ["keys", "model", "source", "diag"]
    );
}

#[test]
fn some_things_are_done_in_one_place_only() {
    let mut wrong = Vec::new();
    for (name, code) in files() {
        for (word, allowed) in ONLY {
            if code.contains(word) && !allowed.iter().any(|place| name.starts_with(place)) {
                wrong.push(format!("{name} has {word}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_stay_small() {
    let long: Vec<String> = files()
        .into_iter()
        .filter(|(_, code)| code.lines().count() > 400)
        .map(|(name, code)| format!("{name}: {} lines", code.lines().count()))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
}
