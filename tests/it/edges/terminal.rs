//! What differs on a terminal: colour, links, layout, questions.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;
use crate::program::wait;
use crate::service::Service;

/// Both ends of a new terminal.
fn terminal() -> (File, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal of ours");
    unlockpt(&ours).expect("a terminal of ours");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let theirs = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end");
    (File::from(ours), File::from(theirs))
}

/// Runs a program on a terminal where `typed` is typed; its exit code and the screen.
fn on_terminal(mut command: Command, typed: &str) -> (i32, String) {
    let (mut ours, theirs) = terminal();
    let end = || Stdio::from(theirs.try_clone().expect("a file"));
    let mut child = command
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the program starts");
    // So that reading ends with the program.
    drop((command, theirs));
    ours.write_all(typed.as_bytes()).expect("typed");
    let mut screen = ours.try_clone().expect("a file");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _closed = screen.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).replace("\r\n", "\n")
    });
    let code = wait(&mut child);
    (code, reader.join().expect("a reader"))
}

fn library(service: &Service) -> tempfile::TempDir {
    let folder = folder();
    let text = demo::connector(&format!("http://127.0.0.1:{}", service.port())).replace("\"reversible\"", "\"irreversible\"");
    put(folder.path(), "x", text.as_bytes());
    folder
}

fn lend(folder: &Path) -> Command {
    let mut command = becket();
    command.current_dir(folder).args(["call", "x", "lend", "isbn=1", "reader=7"]);
    command.env("NO_COLOR", "1");
    command
}

const QUESTION: &str = "Call library.lend with {\"isbn\":\"1\",\"reader\":\"7\"}? It cannot be undone. (same as --yes) [y/N] ";

#[test]
fn a_question_is_answered() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{\"loan\": 1}"));
    let folder = library(&service);
    let (code, screen) = on_terminal(lend(folder.path()), "y\n");
    assert_eq!(
        (code, screen.replacen("y\n", "", 1)),
        (0, format!("{QUESTION}{{\n  \"loan\": 1\n}}\n"))
    );
    assert_eq!(service.connections(), 1);
}

#[test]
fn anything_else_is_a_no() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{}"));
    let folder = library(&service);
    for typed in ["\n", "n\n", "yess\n", "\u{4}"] {
        let (code, screen) = on_terminal(lend(folder.path()), typed);
        assert_eq!(code, 2, "{typed:?}: {screen}");
        assert!(
            screen.contains(QUESTION) && screen.ends_with("error: nothing was sent\n"),
            "{typed:?}: {screen}"
        );
    }
    assert_eq!(service.connections(), 0);
}

#[test]
fn nobody_is_asked_who_said_so() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{}"));
    let folder = library(&service);
    let mut no_input = lend(folder.path());
    no_input.arg("--no-input");
    let mut in_ci = lend(folder.path());
    in_ci.env("CI", "true");
    for command in [no_input, in_ci] {
        let (code, screen) = on_terminal(command, "");
        let expected = "error: `library.lend` is irreversible and needs a yes\n\nhint: add `--yes`\n";
        assert_eq!((code, screen.as_str()), (2, expected));
    }
    assert_eq!(service.connections(), 0);
}

#[test]
fn a_terminal_gets_colour_unless_it_does_not_want_it() {
    let folder = folder();
    put(folder.path(), "x", b"[]");
    let run = |name: &str, value: &str| {
        let mut command = becket();
        command.current_dir(folder.path()).args(["check", "x"]).env(name, value);
        on_terminal(command, "").1
    };
    assert!(run("TERM", "xterm").contains("\u{1b}["));
    assert!(!run("NO_COLOR", "1").contains('\u{1b}'));
    assert!(!run("TERM", "dumb").contains('\u{1b}'));
    let mut never = becket();
    never.current_dir(folder.path()).args(["check", "x", "--color", "never"]);
    assert!(!on_terminal(never, "").1.contains('\u{1b}'));
}

/// What a service or a file says is shown, never obeyed.
#[test]
fn a_terminal_obeys_nobody_else() {
    let evil = "\\u001b]0;title\\u0007\\u001b]52;c;aGk=\\u0007\\u009b31m\\u202e";
    let service = Service::start(move |seen, line| {
        let status = if seen.target.contains("tides") { 200 } else { 500 };
        line.answer(
            status,
            &[],
            format!("{{\"message\": \"{evil}\", \"rows\": [{{\"isbn\": \"{evil}\"}}]}}").as_bytes(),
        )
    });
    let folder = library(&service);
    let text = fs::read_to_string(folder.path().join("x/connector.json")).expect("the file");
    put(
        folder.path(),
        "signed",
        text.replace("library.lend({isbn, reader})", &format!("library.lend({{isbn, reader}}) {evil}"))
            .as_bytes(),
    );
    put(
        folder.path(),
        "wrong",
        text.replace("\"description\"", &format!("\"{evil}\": 1, \"description\""))
            .as_bytes(),
    );
    for words in [
        &["call", "x", "books", "subject=tides"][..],
        &["call", "x", "books", "subject=ropes"],
        &["check", "x"],
        &["check", "--offline", "signed"],
        &["check", "--offline", "wrong"],
        &["check", "--offline", "--format", "concise", "wrong"],
        &["check", "\u{1b}]0;title\u{7}"],
        &["call", "x", "\u{1b}]0;title\u{7}"],
        &["call", "x", "books", "\u{1b}]0;title\u{7}=1"],
        &["explain", "\u{1b}]0;title\u{7}"],
        &["\u{1b}]0;title\u{7}"],
        &["check", "--\u{1b}]0;title\u{7}"],
    ] {
        let mut command = becket();
        command.current_dir(folder.path()).args(words).env("NO_COLOR", "1");
        let (_, screen) = on_terminal(command, "");
        let obeyed = screen
            .chars()
            .find(|letter| (letter.is_control() && *letter != '\n') || *letter == '\u{202e}');
        assert_eq!(obeyed, None, "{words:?}: {screen:?}");
        assert!(!screen.is_empty());
    }
}
