//! Programs at the terminal: `check`, `test` and `call`, their messages and exit codes.

use std::process::Command;

use serde_json::{Value, json};

use super::{Shelf, python};

struct Ran {
    exit: Option<i32>,
    out: String,
    err: String,
}

fn becket(words: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_becket"))
        .args(words)
        .env("LANG", "C.UTF-8")
        .env_remove("CI")
        .output()
        .expect("the program starts");
    Ran {
        exit: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn run(play: &Value, words: &[&str]) -> Option<Ran> {
    let shelf = Shelf::new(play)?;
    let folder = shelf.folder.path().to_string_lossy().into_owned();
    let (command, rest) = words.split_first().expect("a command");
    let words: Vec<&str> = [*command, &folder].into_iter().chain(rest.iter().copied()).collect();
    Some(becket(&words))
}

#[test]
fn check_and_test_run_the_contract() {
    let Some(ran) = run(&json!({}), &["check"]) else { return };
    assert_eq!((ran.exit, ran.out.lines().last()), (Some(0), Some("contract ok")), "{}", ran.err);
    let ran = run(&json!({"before": "hello\n"}), &["test"]).expect("Python was there before");
    assert_eq!(ran.exit, Some(0));
    assert!(
        ran.err
            .contains("note: `shelf` writes 1 line on standard output that are no messages; the first is `hello`"),
        "{}",
        ran.err
    );
    let ran = run(
        &json!({"results": [{"content": [{"type": "text", "text": "{\"name\": 1}"}]}]}),
        &["check"],
    )
    .expect("Python was there before");
    assert_eq!(ran.exit, Some(1));
    assert!(ran.out.contains("the answer has no `title`"), "{}", ran.out);
}

#[test]
fn a_program_that_ends_says_why() {
    let play = json!({"stderr": "ModuleNotFoundError: no module named x\n\u{1b}[2J\n", "exit": 1});
    let Some(ran) = run(&play, &["call", "find"]) else { return };
    assert_eq!(ran.exit, Some(4));
    assert_eq!(
        ran.err,
        "error: `shelf` exited with 1 before it answered `initialize`\n  cause: it wrote: ModuleNotFoundError: no module named x\n  cause: \
         it wrote: \\u{1b}[2J\n"
    );
}

#[test]
fn exit_codes_say_who_has_to_act() {
    let error = json!({"isError": true, "content": [{"type": "text", "text": "no such shelf"}]});
    for (play, exit, code) in [
        (json!({"results": [error]}), 5, "tool_error"),
        (json!({"tools": []}), 1, "tools_differ"),
        (
            json!({"errors": {"tools/list": {"code": -32603, "message": "broken"}}}),
            5,
            "refused",
        ),
        (json!({"exit": 0}), 4, "program_ended"),
    ] {
        let Some(ran) = run(&play, &["call", "find", "--json"]) else {
            return;
        };
        let error: Value = serde_json::from_str(&ran.err).expect("one line of JSON");
        assert_eq!((ran.exit, error["error"]["code"].as_str()), (Some(exit), Some(code)), "{}", ran.err);
    }
}

#[test]
fn the_message_of_a_call_is_shown_and_not_sent() {
    let Some(shelf) = Shelf::new(&json!({})) else { return };
    let folder = shelf.folder.path().to_string_lossy().into_owned();
    let ran = becket(&["call", &folder, "find", "title=Tides", "--dry-run"]);
    let message: Value = serde_json::from_str(&ran.out).expect("JSON");
    let params = json!({"name": "shelf_find", "arguments": {"title": "Tides"}});
    assert_eq!(
        message,
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    );
    assert_eq!(becket(&["call", &folder, "find", "--curl"]).exit, Some(2));
    assert_eq!(shelf.heard(), Vec::<Value>::new());
}

#[test]
fn the_example_program_passes() {
    if python().is_none() {
        return;
    }
    let tides = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/connectors/tides");
    let ran = becket(&["check", tides]);
    assert_eq!((ran.exit, ran.out.lines().last()), (Some(0), Some("contract ok")), "{}", ran.err);
    let ran = becket(&["call", tides, "today", "port=Santos"]);
    let rows: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.exit, &rows[0]["port"]), (Some(0), &json!("Santos")));
    let ran = becket(&["call", tides, "today", "port=Atlantis"]);
    assert_eq!(ran.exit, Some(5));
    assert!(
        ran.err.starts_with("error: tides.today: no such port; the ports are Brest"),
        "{}",
        ran.err
    );
}

#[test]
fn an_era_can_be_asked_for() {
    let play = json!({"versions": ["2026-07-28"]});
    for (era, exit, last) in [("auto", 0, "tools/call"), ("legacy", 0, "tools/call"), ("modern", 0, "tools/call")] {
        let Some(shelf) = Shelf::new(&play) else { return };
        let folder = shelf.folder.path().to_string_lossy().into_owned();
        for words in [
            &["check", &folder, "--era", era][..],
            &["test", &folder, "--era", era],
            &["call", &folder, "find", "--era", era],
        ] {
            let ran = becket(words);
            assert_eq!(ran.exit, Some(exit), "{words:?}: {}", ran.err);
        }
        let methods = shelf.methods();
        let discovers = methods.iter().filter(|method| *method == "server/discover").count();
        assert_eq!(discovers, if era == "modern" { 3 } else { 0 });
        assert_eq!(methods.last().map(String::as_str), Some(last));
    }
    let Some(ran) = run(&json!({}), &["call", "find", "--era", "modern"]) else {
        return;
    };
    assert_eq!(
        (ran.exit, ran.err.as_str()),
        (
            Some(5),
            "error: `shelf` answered `server/discover` with an error: no such method (-32601)\n"
        )
    );
}
