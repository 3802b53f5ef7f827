//! Real descriptions, read whole. Every file is a document, and JSON comes out as serde_json has
//! it. Without the folder, and without BECKET_CORPUS, there is nothing to read and the tests pass.

use std::path::{Path, PathBuf};

use becket::source::{Doc, Kind, Limits, View, parse, parse_json, parse_yaml, read_file};
use serde_json::{Value, json};

/// Made to be refused.
const HOSTILE: [(&str, &str); 4] = [
    ("_mini/bomb.yaml", "aliases stand for more than 500000 values"),
    ("_mini/deep.yaml", "nested deeper than 256 levels"),
    ("_mini/deep.json", "nested deeper than 256 levels"),
    ("_mini/tab.yaml", "a `:` where no value can begin"),
];

fn corpus() -> Option<PathBuf> {
    let asked = std::env::var_os("BECKET_CORPUS").map(PathBuf::from);
    let folder = asked
        .clone()
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus").into());
    (asked.is_some() || folder.is_dir()).then_some(folder)
}

/// The files below the corpus with one of these extensions, with their paths from there.
fn files(corpus: &Path, extensions: &[&str]) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut folders = vec![corpus.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(corpus).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
            {
                files.push((name, path));
            }
        }
    }
    assert!(!files.is_empty(), "no files in {}", corpus.display());
    files
}

fn hostile(name: &str) -> Option<&'static str> {
    HOSTILE.iter().find(|(file, _)| *file == name).map(|(_, message)| *message)
}

#[expect(clippy::print_stdout, reason = "figures are what these tests are run for")]
fn figures(what: &str, total: usize, failures: &[String]) {
    println!("corpus {what}: {}/{total}", total - failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn json_comes_out_as_serde_json_has_it() {
    let Some(corpus) = corpus() else { return };
    let files = files(&corpus, &["json"]);
    let mut failures = Vec::new();
    for (name, path) in &files {
        let source = read_file(path, Limits::DESCRIPTION).unwrap();
        let judge = serde_json::from_str::<Value>(source.text());
        match (parse_json(source, Limits::DESCRIPTION), judge) {
            (Ok(doc), Ok(value)) if doc.root().value() == value => {}
            (Err(error), Err(_)) if hostile(name) == Some(&error.message) => {}
            (ours, theirs) => failures.push(format!("{name}: {:?} against {:?}", ours.err(), theirs.err())),
        }
    }
    figures("json", files.len(), &failures);
}

#[test]
fn yaml_is_read_whole_with_every_place() {
    let Some(corpus) = corpus() else { return };
    let files = files(&corpus, &["yaml", "yml"]);
    let mut failures = Vec::new();
    for (name, path) in &files {
        let source = read_file(path, Limits::DESCRIPTION).unwrap();
        match parse(source, Limits::DESCRIPTION) {
            Ok(doc) => failures.extend(misplaced(&doc).map(|fault| format!("{name}: {fault}"))),
            Err(error) if hostile(name) == Some(&error.message) => {}
            Err(error) => failures.push(format!("{name}: {error:?}")),
        }
    }
    figures("yaml", files.len(), &failures);
}

/// The first node whose place does not hold its text.
fn misplaced(doc: &Doc) -> Option<String> {
    let mut open = vec![doc.root()];
    let mut seen = std::collections::HashSet::new();
    while let Some(view) = open.pop() {
        if !seen.insert(view.id()) {
            continue;
        }
        let written = doc.source().text().get(view.span().range())?;
        if !fits(view, written) {
            return Some(format!("{view:?} is not {:?}", written.chars().take(60).collect::<String>()));
        }
        for field in view.fields() {
            let key = doc.source().slice(field.key_span);
            if key != field.key && key.trim_matches(['"', '\'']) != field.key && !key.contains(['\\', '\'', '\n', '*']) {
                return Some(format!("the key `{}` is not {key:?}", field.key));
            }
            open.push(field.value);
        }
        open.extend(view.items());
    }
    None
}

fn fits(view: View<'_>, written: &str) -> bool {
    match view.kind() {
        Kind::Null => matches!(written, "" | "~" | "null" | "Null" | "NULL"),
        Kind::Bool => written.to_lowercase() == view.as_bool().unwrap_or_default().to_string(),
        Kind::Number => view.as_number() == Some(written) || written.starts_with(['+', '.', '0']) || written.ends_with('.'),
        Kind::String => text_fits(view.as_str().unwrap_or_default(), written),
        Kind::List => written.starts_with(['[', '-']),
        Kind::Map => !written.is_empty() && !written.starts_with([' ', '\n', '-', '[']),
    }
}

/// Apart from quotes, escapes and folding, a text stands in the file letter for letter.
fn text_fits(text: &str, written: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).collect::<String>();
    match written.chars().next() {
        Some('"') => written.len() > 1 && written.ends_with('"') && (written.contains('\\') || letters(written) == letters(text)),
        Some('\'') => written.len() > 1 && written.ends_with('\'') && letters(written) == letters(text),
        Some('|' | '>') => {
            let lines = written.split_once('\n').map_or("", |(_, lines)| lines);
            letters(lines) == letters(text)
        }
        _ => letters(written) == letters(text),
    }
}

#[test]
fn known_places_of_known_files_hold_what_people_read_there() {
    let Some(corpus) = corpus() else { return };
    let mini = "/components/schemas/A/properties";
    let anchored = "/paths/~1system~1examples~1{id}/get/responses/200/description";
    let cases = [
        (
            "_mini/intkey.yaml",
            "/paths/~1a/get/responses/200/description".to_owned(),
            json!("ok"),
        ),
        (
            "_mini/merge.yaml",
            "/paths/~1a/get/responses/200".to_owned(),
            json!({"description": "ok"}),
        ),
        ("_mini/bool.yaml", format!("{mini}/on"), json!({"type": "string"})),
        ("_mini/bool.yaml", format!("{mini}/true"), json!({"type": "string"})),
        ("_mini/bool.yaml", format!("{mini}/y/enum"), json!(["yes", "no", "on", "off"])),
        ("_mini/dup.yaml", "/components/schemas/A/description".to_owned(), json!("two")),
        (
            "_mini/big.yaml",
            "/components/schemas/A/maximum".to_owned(),
            json!(18_446_744_073_709_552_000_u128),
        ),
        ("pb33f__yaml-anchor.yaml", anchored.to_owned(), json!("a list of Example objects")),
        ("pb33f__yaml-anchor.yaml", "/info/version".to_owned(), json!("0.0.1")),
    ];
    for (file, pointer, wanted) in cases {
        let source = read_file(&corpus.join(file), Limits::DESCRIPTION).unwrap();
        let doc = parse_yaml(source, Limits::DESCRIPTION).unwrap();
        assert_eq!(doc.at(&pointer).map(View::value), Some(wanted), "{file} {pointer}");
    }
}
