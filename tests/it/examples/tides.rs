//! The program of the example `tides`, driven over its pipes. It needs Python: where there is
//! none, nothing is run, unless BECKET_PYTHON names the interpreter; then a missing one fails.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::folder;

/// What the program answers to these lines, one value for each line, and what it says beside.
fn talk(words: &[&str], lines: &[&str], key: Option<&str>) -> Option<(Vec<Value>, String)> {
    let asked = std::env::var_os("BECKET_PYTHON");
    let python = asked.clone().unwrap_or_else(|| "python3".into());
    let mut command = Command::new(&python);
    command.arg("server.py").args(words).current_dir(folder().join("tides"));
    command.env_clear().env("PYTHONDONTWRITEBYTECODE", "1");
    for name in ["PATH", "HOME"] {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    command.envs(key.map(|key| ("TIDES_KEY", key)));
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) if asked.is_some() => panic!("cannot start {}: {error}; the example `tides` needs Python", python.display()),
        Err(_) => return None,
    };
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all((lines.join("\n") + "\n").as_bytes()).expect("the program reads");
    drop(input);
    let output = child.wait_with_output().expect("the program ends with its input");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).expect("text");
    Some((text.lines().map(super::json).collect(), said))
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}).to_string()
}

fn port(id: u32, port: Value) -> String {
    request(id, "tools/call", json!({"name": "tides_today", "arguments": {"port": port}}))
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().expect("a text")
}

#[test]
fn it_begins_lists_and_calls() {
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let lines = [
        request(1, "initialize", hello),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        request("two", "tools/list", json!({})),
        port(3, json!("Santos")),
        request(4, "ping", json!({})),
    ];
    let lines = lines.each_ref().map(String::as_str);
    let Some((answers, _)) = talk(&["2026-01-31"], &lines, None) else {
        return;
    };
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!("two"), &json!(3), &json!(4)]);
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[0]["result"]["capabilities"], json!({"tools": {}}));
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "tides");
    let manifest = super::json(&super::manifest("tides"));
    let tools = answers[1]["result"]["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0]["name"], "tides_today");
    assert_eq!(tools[0]["inputSchema"], manifest["capabilities"][0]["schema"]);
    assert_eq!(answers[2]["result"]["isError"], false);
    let rows = json!([
        {"port": "Santos", "time": "2026-01-31T05:26-03:00", "height_m": 0.39, "kind": "low"},
        {"port": "Santos", "time": "2026-01-31T11:09-03:00", "height_m": 1.29, "kind": "high"},
        {"port": "Santos", "time": "2026-01-31T17:24-03:00", "height_m": 0.09, "kind": "low"},
        {"port": "Santos", "time": "2026-01-31T23:54-03:00", "height_m": 1.47, "kind": "high"}
    ]);
    assert_eq!(super::json(text(&answers[2])), rows);
    assert_eq!(answers[3]["result"], json!({}));
}

#[test]
fn today_is_the_day_of_the_port() {
    let ports = ["Brest", "Lisbon", "San Francisco", "Santos", "Sydney"];
    let lines: Vec<String> = (0..).zip(ports).map(|(id, name)| port(id, json!(name.to_lowercase()))).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let Some((answers, _)) = talk(&[], &lines, None) else { return };
    for (answer, name) in answers.iter().zip(ports) {
        let rows = super::json(text(answer));
        let rows = rows.as_array().expect("a list");
        assert!((2..=4).contains(&rows.len()), "{rows:?}");
        for pair in rows.windows(2) {
            assert_ne!(pair[0]["kind"], pair[1]["kind"]);
            assert_eq!(
                pair[0]["time"].as_str().map(|time| &time[..10]),
                pair[1]["time"].as_str().map(|time| &time[..10])
            );
            assert!(pair[0]["time"].as_str() < pair[1]["time"].as_str());
        }
        for row in rows {
            assert_eq!(row["port"], name);
            assert!(row["height_m"].as_f64().is_some_and(|height| (0.0..8.0).contains(&height)), "{row}");
            for key in super::json(&super::manifest("tides"))["contract"][0]["keys"]
                .as_array()
                .expect("keys")
            {
                assert!(row.get(key.as_str().expect("a key")).is_some(), "{row} has no {key}");
            }
        }
    }
}

#[test]
fn a_mistake_is_answered_and_the_next_line_is_read() {
    let lines = [
        "not JSON".to_owned(),
        "[]".to_owned(),
        "[".repeat(100_000),
        request(1, "server/discover", json!({})),
        request(2, "tools/call", json!({"name": "tides_wipe", "arguments": {}})),
        port(3, json!("Atlantis")),
        port(4, json!(7)),
        request(5, "tools/call", json!({"name": "tides_today"})),
        request(6, "initialize", json!({"protocolVersion": "1999-01-01"})),
        request(7, "tools/list", json!([])),
    ];
    let lines = lines.each_ref().map(String::as_str);
    let Some((answers, _)) = talk(&[], &lines, None) else { return };
    let codes: Vec<&Value> = answers[..5].iter().map(|answer| &answer["error"]["code"]).collect();
    assert_eq!(codes, [-32700, -32600, -32700, -32601, -32602]);
    for answer in &answers[5..8] {
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(
            text(answer),
            "no such port; the ports are Brest, Lisbon, San Francisco, Santos, Sydney"
        );
    }
    assert_eq!(answers[8]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(answers[9]["result"]["tools"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_key_is_not_shown() {
    let key = "tide-canary-0123456789";
    let lines = [port(1, json!("Santos")), request(2, "tools/list", json!({}))];
    let lines = lines.each_ref().map(String::as_str);
    let Some((with, said)) = talk(&["2026-01-31"], &lines, Some(key)) else {
        return;
    };
    let (without, _) = talk(&["2026-01-31"], &lines, None).expect("it started before");
    assert_eq!(with, without);
    assert!(said.contains("TIDES_KEY is given") && !said.contains(key), "{said}");
    assert!(with.iter().all(|answer| !answer.to_string().contains(key)));
}
