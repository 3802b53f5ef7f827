//! Plays the transcripts in `tests/cmd`: each `console` block is a line of commands with what they
//! print. `$ ` starts a command for `sh`, `2> ` a line of standard error, `[1]` the exit code when
//! it is not 0. `[..]` stands for any text within a line, `PORT` for the port of the demo service.
//! Each file runs in a folder of its own with a copy of `tests/cmd/files`, where `library/` is the
//! demo's connector.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use becket::demo;

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
        return steps.push(Step { line, command: command.to_owned(), out: Vec::new(), err: Vec::new(), exit: 0 });
    }
    let step = steps.last_mut().expect("a block starts with a command");
    if let Some(code) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|code| code.parse().ok()) {
        step.exit = code;
    } else if let Some(err) = text.strip_prefix("2>") {
        step.err.push(err.strip_prefix(' ').unwrap_or(err).to_owned());
    } else {
        step.out.push(text.to_owned());
    }
}

fn matches(wanted: &str, found: &str) -> bool {
    let mut parts = wanted.split("[..]");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or_default()) else { return false };
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

fn lines(bytes: &[u8], port: &str) -> Vec<String> {
    String::from_utf8_lossy(bytes).replace(&format!(":{port}"), ":PORT").lines().map(str::to_owned).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { drop(fs::copy(&path, &target).unwrap()) }
    }
}

/// Plays one file and returns what differs, written as the transcript would have to be.
fn play(file: &Path, programs: &Path) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let service = demo::Service::start().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/files"), folder.path());
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"), &folder.path().join("examples"));
    fs::create_dir_all(folder.path().join("library")).unwrap();
    fs::write(folder.path().join("library/connector.json"), demo::connector(service.base())).unwrap();
    let port = service.base().rsplit(':').next().unwrap().to_owned();
    steps(&fs::read_to_string(file).unwrap()).into_iter().filter_map(|step| difference(&step, folder.path(), programs, &port)).collect()
}

fn difference(step: &Step, folder: &Path, programs: &Path, port: &str) -> Option<String> {
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &step.command.replace(":PORT", &format!(":{port}"))])
        .current_dir(folder)
        .env_clear()
        .envs([("PATH", path.as_str()), ("LANG", "C.UTF-8"), ("COLUMNS", "100"), ("HOME", "/nonexistent")])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (out, err) = (lines(&output.stdout, port), lines(&output.stderr, port));
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
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    assert!(!files.is_empty(), "no transcripts");
    let mut wrong = String::new();
    for file in &files {
        assert!(!steps(&fs::read_to_string(file).unwrap()).is_empty(), "{} has no commands", file.display());
        for difference in play(file, programs) {
            wrong += &format!("\n{}: {difference}\n", file.file_name().unwrap().to_string_lossy());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_wildcard_stands_for_any_text() {
    assert!(matches("ok ([..] ms)", "ok (12 ms)"));
    assert!(matches("[..]", "anything"));
    assert!(matches("a [..]", "a b c"));
    assert!(!matches("a [..] d", "a b c"));
    assert!(!matches("a", "a b"));
}
