//! Whole runs of `check` and `test`: what a report has when a contract could not begin, several
//! paths, a reader that goes early, and a manifest full of mistakes.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::formats::schemas::{assert_junit, assert_value};
use crate::program::{Ended, becket, run, wait};
use crate::service::Service;

fn connector(base: &str, header: &str) -> String {
    json!({
        "name": "shelf", "env": ["SHELF_TOKEN"], "http": {"base": base, "headers": {"X-Shelf": header}},
        "capabilities": [{
            "name": "shelf.get", "risk": "read", "signature": "shelf.get()", "returns": "{id}",
            "request": {"method": "GET", "path": "/a"}
        }],
        "contract": [{"capability": "shelf.get", "keys": ["id"]}]
    })
    .to_string()
}

fn put(folder: &Path, name: &str, text: &str) {
    fs::create_dir_all(folder.join(name)).expect("a folder of this test");
    fs::write(folder.join(name).join("connector.json"), text).expect("a file of this test");
}

fn becket_in(folder: &Path, words: &[&str]) -> Ended {
    run(becket().current_dir(folder).args(words))
}

/// Whether a report says that something failed.
fn is_red(format: &str, text: &str) -> bool {
    match format {
        "json" => {
            let report: Value = serde_json::from_str(text).expect("JSON");
            let files = report["files"].as_array().expect("files");
            files.iter().any(|file| file.get("failure").is_some()) || report["summary"]["errors"] != 0
        }
        "sarif" => {
            let report: Value = serde_json::from_str(text).expect("JSON");
            report["runs"][0]["invocations"][0]["executionSuccessful"] == false
                || report["runs"][0]["results"]
                    .as_array()
                    .is_some_and(|results| results.iter().any(|result| result["level"] == "error"))
        }
        "junit" => {
            assert_junit(text);
            text.contains("<error ") || text.contains("<failure ")
        }
        "github" => text.contains("::error "),
        _ => !text.is_empty(),
    }
}

#[test]
fn no_report_is_green_over_a_contract_without_an_answer() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    put(folder.path(), "keyless", &connector("http://127.0.0.1:9", "{{env.SHELF_TOKEN}}"));
    put(
        folder.path(),
        "away",
        &connector("http://127.0.0.1:9", "a").replace("[\"SHELF_TOKEN\"]", "[]"),
    );
    let program = json!({
        "name": "prog", "command": "no-such-program-of-this-test",
        "capabilities": [{"name": "prog.get", "risk": "read", "signature": "prog.get()", "returns": "{id}"}],
        "contract": [{"capability": "prog.get", "keys": ["id"]}]
    });
    put(folder.path(), "program", &program.to_string());
    for (name, code) in [("keyless", 3), ("away", 4), ("program", 4)] {
        for format in ["concise", "json", "github", "sarif", "junit"] {
            for command in ["check", "test"] {
                let ended = becket_in(folder.path(), &[command, name, "--format", format]);
                assert_eq!(ended.code, code, "{command} {name} {format}: {ended:?}");
                assert!(is_red(format, &ended.out), "{command} {name} {format}: {ended:?}");
            }
        }
    }
    for format in ["json", "github", "sarif", "junit"] {
        let ended = becket_in(folder.path(), &["check", "nowhere", "--format", format]);
        assert_eq!(ended.code, 2);
        assert!(is_red(format, &ended.out), "{format}: {ended:?}");
    }
    let ended = becket_in(folder.path(), &["check", "keyless", "--json"]);
    assert_value(
        "docs/schemas/check-report.schema.json",
        &serde_json::from_str(&ended.out).expect("JSON"),
    );
}

#[test]
fn test_reports_the_errors_of_a_manifest() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    put(
        folder.path(),
        "wrong",
        &connector("http://127.0.0.1:9", "a").replace("\"read\"", "\"raed\""),
    );
    for format in ["concise", "json", "github", "sarif", "junit"] {
        let ended = becket_in(folder.path(), &["test", "wrong", "--format", format]);
        assert_eq!(ended.code, 1, "{format}: {ended:?}");
        assert!(is_red(format, &ended.out) && ended.out.contains("P401"), "{format}: {ended:?}");
    }
    let ended = becket_in(folder.path(), &["test", "wrong"]);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""));
}

#[test]
fn test_takes_several_paths() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{\"id\": 1}"));
    let folder = tempfile::tempdir().expect("a folder for this test");
    let text = connector(&format!("http://127.0.0.1:{}", service.port()), "a").replace("[\"SHELF_TOKEN\"]", "[]");
    put(folder.path(), "one", &text);
    put(folder.path(), "two", &text.replace("shelf", "other"));
    for words in [&["test", "one", "two"][..], &["test", "."], &["test", "one", "./one/", "two"]] {
        let ended = becket_in(folder.path(), words);
        assert_eq!((ended.code, ended.out.as_str()), (0, "contract ok\n"), "{ended:?}");
        assert_eq!(ended.err.matches("ok    ").count(), 2, "{ended:?}");
    }
    assert_eq!(becket_in(folder.path(), &["test", "one", "nowhere"]).code, 2);
}

#[test]
fn an_empty_path_has_an_answer() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    for words in [&["check", ""][..], &["test", ""], &["call", "", "get"]] {
        let ended = becket_in(folder.path(), words);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.err.starts_with("error: the path is empty\n\nhint: "), "{ended:?}");
    }
}

#[test]
fn an_empty_answer_is_told_as_one() {
    let service = Service::start(|_, line| line.answer(204, &[], b""));
    let folder = tempfile::tempdir().expect("a folder for this test");
    let text = connector(&format!("http://127.0.0.1:{}", service.port()), "a").replace("[\"SHELF_TOKEN\"]", "[]");
    put(folder.path(), "x", &text);
    let ended = becket_in(folder.path(), &["test", "x", "--format", "concise"]);
    let expected = ": P511 `shelf.get` answered nothing, so there is no `id`\n";
    assert!(ended.out.ends_with(expected) && ended.out.lines().count() == 1, "{ended:?}");
    put(folder.path(), "x", &text.replace("[\"id\"]", "[\"ok\"]"));
    assert_eq!(becket_in(folder.path(), &["test", "x"]).code, 0);
}

/// Reads the first letter of what the program writes, then goes.
#[cfg(unix)]
fn reads_little(folder: &Path, words: &[&str]) -> i32 {
    let mut child = becket().current_dir(folder).args(words).spawn().expect("the program starts");
    let mut out = child.stdout.take().expect("a pipe");
    out.read_exact(&mut [0]).expect("a letter");
    drop(out);
    wait(&mut child)
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_early_keeps_the_verdict() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    // More than a pipe holds.
    let unknown: String = (0..900).map(|at| format!("\"{at}{}\": 1, ", "x".repeat(300))).collect();
    let text = connector("http://127.0.0.1:9", "a").replacen('{', &format!("{{{unknown}"), 1);
    put(folder.path(), "warned", &text.replace("[\"SHELF_TOKEN\"]", "[]"));
    put(folder.path(), "wrong", &text.replace("\"read\"", "\"raed\""));
    for (name, flags, code) in [
        ("wrong", &["--format", "json"][..], 1),
        ("wrong", &["--format", "json", "--exit-zero"], 0),
        ("wrong", &["--format", "sarif"], 0),
        ("warned", &["--format", "json"], 0),
        ("warned", &["--format", "json", "--strict"], 1),
    ] {
        let words = [&["check", "--offline", name], flags].concat();
        assert_eq!(reads_little(folder.path(), &words), code, "{words:?}");
    }
    assert_eq!(reads_little(folder.path(), &["explain", "--all"]), 0);
}

#[test]
fn a_manifest_full_of_mistakes_is_counted_and_not_listed() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let unknown: String = (0..100_000)
        .map(|at| format!("\"unknown field {at:06} {}\": 1,\n", "é".repeat(10)))
        .collect();
    let long = format!("\"{}\": 1,\n", "n".repeat(300_000));
    let text = connector("http://127.0.0.1:9", "a").replacen('{', &format!("{{{long}{unknown}"), 1);
    put(folder.path(), "x", &text.replace("[\"SHELF_TOKEN\"]", "[]"));
    for (format, lines) in [("concise", 101), ("github", 101)] {
        let ended = becket_in(folder.path(), &["check", "--offline", "x", "--format", format]);
        assert_eq!((ended.code, ended.out.lines().count()), (0, lines), "{format}");
        assert!(
            ended.out.contains("and 99901 more findings") && ended.out.len() < 60_000,
            "{format}: {}",
            ended.out.len()
        );
    }
    let human = becket_in(folder.path(), &["check", "--offline", "x"]);
    assert!(
        human
            .out
            .contains("and 99901 more findings in x/connector.json\n\nFound 100001 warnings in x/connector.json.\n")
    );
    let json = becket_in(folder.path(), &["check", "--offline", "x", "--json"]);
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&report["summary"]["warnings"], &report["files"][0]["omitted"]),
        (&json!(100_001), &json!(99_001))
    );
}

/// A long name of one place, quoted by many findings of others.
#[test]
fn a_huge_name_is_not_copied_into_every_finding() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let name = "n".repeat(1_000_000);
    let capabilities: Vec<Value> = (0..20_000)
        .map(|at| json!({"name": format!("x.m{at}"), "risk": "notify", "signature": "a", "returns": "b"}))
        .collect();
    let cases: Vec<Value> = (0..5_000)
        .map(|at| json!({"capability": format!("y.{at}{at}{at}{at}"), "keys": ["a"]}))
        .collect();
    let manifest = json!({"name": name, "command": "x", "capabilities": capabilities, "contract": cases});
    put(folder.path(), "x", &manifest.to_string());
    let ended = becket_in(folder.path(), &["check", "--offline", "x", "--json"]);
    assert_eq!(ended.code, 1);
    assert!(ended.out.len() < 3_000_000, "{}", ended.out.len());
    let report: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(report["summary"]["errors"], 5_001);
}
