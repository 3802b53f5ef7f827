//! Archives, made by the vectors' own writer, as `check` and `install` read them: refused whole, or
//! taken with files that have clean names. What takes a connectors folder to judge is not played
//! here, and not counted.

use std::path::Path;
use std::process::Command;

use becket::archive::{Files, Limits, read};
use becket::rules;
use becket::source::{Limits as TextLimits, Source, read_stream};
use serde_json::Value;

use super::{figures, load};

/// An installed connector, a folder that everybody may write, one that nobody may.
const NEED_A_FOLDER: [&str; 3] = ["zip-150", "zip-152", "zip-154"];

/// The connector in an archive, or why there is none.
fn judged(bytes: &[u8]) -> Result<Files, String> {
    let files = read(bytes, Limits::CONNECTOR)
        .and_then(Files::rooted)
        .map_err(|error| error.to_string())?;
    let text: Source = read_stream("connector.json", files.manifest().unwrap(), TextLimits::MANIFEST).map_err(|error| error.to_string())?;
    match rules::read(text).connector {
        Some(_) => Ok(files),
        None => Err("its manifest is wrong".to_owned()),
    }
}

fn differs(vector: &Value, folder: &Path) -> Option<String> {
    let (id, expect) = (vector["id"].as_str().unwrap(), vector["expect"].as_str().unwrap());
    let bytes = std::fs::read(folder.join(format!("{id}.zip"))).unwrap();
    let found = judged(&bytes);
    let both = expect.contains("-or-");
    let wanted = !expect.starts_with("refuse");
    let outside = found.as_ref().is_ok_and(|files| {
        let bad = |name: &str| {
            name.starts_with('/') || name.contains(['\\', '\0']) || name.split('/').any(|part| matches!(part, "" | "." | ".."))
        };
        files.entries.iter().any(|entry| bad(&entry.path))
    });
    let wrong = outside || (!both && found.is_ok() != wanted);
    wrong.then(|| {
        format!(
            "{id} {} wants {expect}: {:?}",
            vector["what"],
            found.map(|files| files.entries.len())
        )
    })
}

#[test]
fn archives_are_taken_whole_or_refused() {
    let Some(mut vectors) = load("zip.json") else { return };
    let python = std::env::var_os("BECKET_PYTHON").unwrap_or_else(|| "python3".into());
    let shared = std::env::var_os("BECKET_VECTORS").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/vectors/dev").into(),
        std::path::PathBuf::from,
    );
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(python)
        .arg(shared.join("../tools/mkzip.py"))
        .args([&shared.join("zip.json"), folder.path()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    vectors.retain(|vector| !NEED_A_FOLDER.contains(&vector["id"].as_str().unwrap()));
    let failures: Vec<String> = vectors.iter().filter_map(|vector| differs(vector, folder.path())).collect();
    figures("zip (read)", vectors.len(), &failures);
}
