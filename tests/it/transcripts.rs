//! Plays the transcripts in `tests/cmd`: each `console` block is a line of commands with what they
//! print. `$ ` starts a command for `sh`, `2> ` a line of standard error, `[1]` the exit code when
//! it is not 0. `[..]` stands for any text within a line. Each file runs in a folder of its own with
//! a copy of `tests/cmd/files`, where `library/` is the demo's connector, and with two services:
//! `PORT` is the port of the demo's, `PETS` that of the one that the other connectors call, `LIST` that of a registry. README.md
//! is played too, with `tests/cmd/readme`; it shows standard output only.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use becket::demo;

use crate::service::{Line, Seen, Service, Then};

struct Step {
    line: usize,
    command: String,
    out: Vec<String>,
    err: Vec<String>,
    exit: i32,
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            read(&mut steps, at + 1, line);
        }
    }
    steps
}

fn read(steps: &mut Vec<Step>, line: usize, text: &str) {
    if let Some(command) = text.strip_prefix("$ ") {
        return steps.push(Step {
            line,
            command: command.to_owned(),
            out: Vec::new(),
            err: Vec::new(),
            exit: 0,
        });
    }
    let step = steps.last_mut().expect("a block starts with a command");
    if let Some(code) = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .and_then(|code| code.parse().ok())
    {
        step.exit = code;
    } else if let Some(err) = text.strip_prefix("2>") {
        step.err.push(err.strip_prefix(' ').unwrap_or(err).to_owned());
    } else {
        step.out.push(text.to_owned());
    }
}

fn matches(wanted: &str, found: &str) -> bool {
    let mut parts = wanted.split("[..]");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut open = false;
    for part in parts {
        open = true;
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        open &= part.is_empty();
    }
    rest.is_empty() || open
}

fn same(wanted: &[String], found: &[String]) -> bool {
    wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| matches(wanted, found))
}

/// The name of a port in transcripts, and the port.
type Ports = [(&'static str, u16); 3];

fn lines(bytes: &[u8], ports: &Ports) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let named = ports
        .iter()
        .fold(text, |text, (name, port)| text.replace(&format!(":{port}"), &format!(":{name}")));
    named.lines().map(str::to_owned).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Points a copied connector at a service.
fn point(file: &Path, port: u16) {
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, text.replace("http://127.0.0.1:1\"", &format!("http://127.0.0.1:{port}\""))).unwrap();
}

/// Pets, and what else a service may answer.
fn pets(seen: &Seen, line: &mut Line) -> std::io::Result<Then> {
    let keyed = seen.header("api_key") == Some("right-key-of-pets");
    let json: &[(&str, &str)] = &[("Content-Type", "application/json")];
    match (seen.method.as_str(), seen.target.as_str()) {
        ("GET", "/odd/empty") => line.answer(200, json, b"[]"),
        ("GET", "/odd/page") => line.answer(200, &[("Content-Type", "text/html")], b"<p>Please sign in</p>"),
        ("GET", "/odd/down") => line.answer(500, json, b"{\"message\": \"database is down\"}"),
        ("GET", "/odd/well") => line.answer(200, json, b"{\"id\": 1}"),
        ("GET", "/odd/busy") => line.answer(429, &[("Retry-After", "12")], b""),
        ("GET", "/odd/away") => line.answer(302, &[("Location", "https://evil.example/get")], b""),
        ("GET", "/odd/none") => line.answer(404, json, b"{\"detail\": \"no such way\"}"),
        ("GET", "/odd/locked") => line.answer(401, json, b"{\"error\": \"sign in first\"}"),
        _ if !keyed => line.answer(401, json, b"{\"message\": \"bad key\"}"),
        ("GET", "/pet/1") => line.answer(200, json, b"{\"id\": 1, \"name\": \"Rex\", \"status\": \"sold\"}"),
        ("GET", "/pet/findByStatus?status=sold") => line.answer(
            200,
            json,
            b"[{\"id\": 1, \"name\": \"Rex\", \"status\": \"sold\"}, {\"id\": 30000000000000000000000000000, \"name\": \"\xc3\x89va\", \"status\": \"sold\"}]",
        ),
        ("DELETE", _) => line.answer(204, &[], b""),
        _ => line.answer(404, json, b"{\"message\": \"no such pet\"}"),
    }
}

/// A registry of MCP servers.
fn list(seen: &Seen, line: &mut Line) -> std::io::Result<Then> {
    let json: &[(&str, &str)] = &[("Content-Type", "application/json")];
    let package = |name: &str, kind: &str, more: &str| {
        format!(
            r#"{{"server": {{"name": "{name}", "description": "Notes in a folder.", "version": "0.4.2", "packages": [{{"registryType": "{kind}",
            "identifier": "@zed/notes", "version": "0.4.2", "transport": {{"type": "stdio"}}{more}}}]}}}}"#
        )
    };
    let more = r#", "packageArguments": [{"type": "named", "name": "--root", "isRequired": true}],
        "environmentVariables": [{"name": "NOTES_KEY", "isRequired": true, "isSecret": true}]"#;
    match seen.target.split('?').collect::<Vec<_>>()[..] {
        ["/v0.1/servers", query] if query.contains("search=notes") => {
            let servers = [
                package("io.github.zed/notes", "npm", more),
                package("io.github.zed/boxed-notes", "oci", ""),
            ];
            line.answer(200, json, format!(r#"{{"servers": [{}]}}"#, servers.join(", ")).as_bytes())
        }
        ["/v0.1/servers", _] => line.answer(200, json, br#"{"servers": []}"#),
        ["/page/v0.1/servers", _] => line.answer(200, &[("Content-Type", "text/html")], b"<p>Hello</p>"),
        _ => line.answer(404, json, br#"{"detail": "Server not found"}"#),
    }
}

/// Plays one file and returns what differs, written as the transcript would have to be.
fn play(file: &Path, programs: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (demo, pets, list) = (demo::Service::start().unwrap(), Service::start(pets), Service::start(list));
    let ports = [
        ("PORT", demo.base().rsplit(':').next().unwrap().parse().unwrap()),
        ("PETS", pets.port()),
        ("LIST", list.port()),
    ];
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/files"), folder.path());
    for name in ["petstore", "nmae", "odd"] {
        point(&folder.path().join(name).join("connector.json"), pets.port());
    }
    fs::create_dir_all(folder.path().join("library")).unwrap();
    fs::write(folder.path().join("library/connector.json"), demo::connector(demo.base())).unwrap();
    let text = fs::read_to_string(file).unwrap();
    steps(&text)
        .into_iter()
        .filter_map(|step| difference(&step, folder.path(), programs, &ports))
        .collect()
}

fn output(command: &str, folder: &Path, programs: &Path) -> Output {
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env_clear()
        .envs([
            ("PATH", path.as_str()),
            ("LANG", "C.UTF-8"),
            ("COLUMNS", "100"),
            ("HOME", "/nonexistent"),
        ])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn difference(step: &Step, folder: &Path, programs: &Path, ports: &Ports) -> Option<String> {
    let command = ports.iter().fold(step.command.clone(), |command, (name, port)| {
        command.replace(&format!(":{name}"), &format!(":{port}"))
    });
    let output = output(&command, folder, programs);
    let (out, err) = (lines(&output.stdout, ports), lines(&output.stderr, ports));
    let exit = output.status.code().unwrap_or(-1);
    if exit == step.exit && same(&step.out, &out) && same(&step.err, &err) {
        return None;
    }
    let mut text = format!("line {}:\n$ {}\n", step.line, step.command);
    out.iter().for_each(|line| text += &format!("{line}\n"));
    err.iter().for_each(|line| text += &format!("2> {line}\n"));
    Some(text + &format!("[{exit}]"))
}

#[test]
fn transcripts_are_true() {
    let programs = Path::new(env!("CARGO_BIN_EXE_becket")).parent().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no transcripts");
    let mut wrong = String::new();
    for file in &files {
        let needs_python = fs::read_to_string(file).unwrap().contains("python3");
        if needs_python && crate::mcp::python().is_none() {
            continue;
        }
        assert!(
            !steps(&fs::read_to_string(file).unwrap()).is_empty(),
            "{} has no commands",
            file.display()
        );
        for difference in play(file, programs) {
            wrong += &format!("\n{}: {difference}\n", file.file_name().unwrap().to_string_lossy());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_readme_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    copy(&root.join("tests/cmd/readme"), folder.path());
    let programs = Path::new(env!("CARGO_BIN_EXE_becket")).parent().unwrap();
    let steps = steps(&fs::read_to_string(root.join("README.md")).unwrap());
    assert!(!steps.is_empty());
    for step in steps {
        let output = output(&step.command, folder.path(), programs);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(),
            step.out,
            "{}",
            step.command
        );
    }
}

/// The commands of the README's first `sh` block, as somebody pastes them.
fn five_minutes() -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let block = text.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().map(str::to_owned).collect()
}

#[test]
fn five_minutes_run_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    copy(&root.join("examples"), &folder.path().join("examples"));
    let service = demo::Service::start().unwrap();
    let description = folder.path().join("examples/openapi/library.yaml");
    let text = fs::read_to_string(&description).unwrap();
    // The port of `demo --serve`: a test takes a free one.
    assert!(text.contains("http://127.0.0.1:8808\n"));
    fs::write(&description, text.replace("http://127.0.0.1:8808", service.base())).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_becket")).parent().unwrap();
    let commands = five_minutes();
    assert_eq!(commands[0], "becket demo --serve &");
    let mut last = String::new();
    for command in &commands[1..] {
        let output = output(command, folder.path(), programs);
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        last = String::from_utf8(output.stdout).unwrap();
    }
    let books: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!(books[0]["title"], "Ebb and Flow");
}

#[test]
fn the_demo_serves_until_it_is_stopped() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_becket"))
        .args(["demo", "--serve", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split(' ').find_map(|word| word.strip_prefix("http://")).unwrap();
    let answers = std::net::TcpStream::connect(address).is_ok();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answers, "{line}");
}

#[test]
fn a_wildcard_stands_for_any_text() {
    assert!(matches("ok ([..] ms)", "ok (12 ms)"));
    assert!(matches("[..]", "anything"));
    assert!(matches("a [..]", "a b c"));
    assert!(!matches("a [..] d", "a b c"));
    assert!(!matches("a", "a b"));
}
