//! Ctrl-C and readers that go away: the right exit code, soon, and nothing left on disk.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;
use std::sync::mpsc::channel;

use rustix::process::{Pid, Signal, kill_process};

use super::*;
use crate::program::{ended, wait};
use crate::service::Service;

fn interrupt(child: &Child) {
    signal(child, Signal::INT);
}

fn signal(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id()).expect("a process id");
    kill_process(Pid::from_raw(id).expect("not 0"), signal).expect("it runs");
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).expect("a folder of this test").count()
}

#[test]
fn a_call_that_waits_is_interrupted() {
    let (asked, arrives) = channel();
    let service = Service::start(move |_, line| {
        asked.send(()).expect("the test waits");
        line.hold();
        line.answer(200, &[], b"{}")
    });
    let (home, temporary) = (folder(), folder());
    put(
        home.path(),
        "x",
        demo::connector(&format!("http://127.0.0.1:{}", service.port())).as_bytes(),
    );
    for words in [
        &["call", "x", "books", "subject=tides"][..],
        &["check", "x"],
        &["test", "x", "--json"],
    ] {
        let child = becket()
            .current_dir(home.path())
            .env("TMPDIR", temporary.path())
            .args(words)
            .spawn();
        let child = child.expect("the program starts");
        arrives.recv().expect("the request comes");
        interrupt(&child);
        let ended = ended(child);
        assert_eq!(ended.code, 130, "{words:?}: {ended:?}");
        assert!(!ended.err.contains("error"), "{ended:?}");
    }
    assert_eq!(
        (entries(temporary.path()), entries(home.path()), entries(&home.path().join("x"))),
        (0, 1, 1)
    );
}

/// At each line of its output, so at each of its steps.
#[test]
fn a_demo_that_is_interrupted_leaves_nothing() {
    for lines in 0..24 {
        let temporary = folder();
        let mut child = becket()
            .env("TMPDIR", temporary.path())
            .arg("demo")
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        for _ in 0..lines {
            out.read_line(&mut String::new()).expect("a line");
        }
        interrupt(&child);
        // What it still writes before it ends.
        let reader = std::thread::spawn(move || drop(out.read_to_end(&mut Vec::new())));
        let code = wait(&mut child);
        reader.join().expect("it only reads");
        // Before it listens to the signal, or after its end, the system's own ways count.
        assert!([130, 0, -1].contains(&code), "{code} after {lines} lines");
        assert_eq!(entries(temporary.path()), 0, "after {lines} lines");
    }
}

/// As a job that is cancelled and a terminal that is closed end it.
#[test]
fn other_ends_leave_nothing_either() {
    for end in [Signal::TERM, Signal::HUP] {
        let temporary = folder();
        let mut child = becket()
            .env("TMPDIR", temporary.path())
            .arg("demo")
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut String::new()).expect("a line");
        signal(&child, end);
        let reader = std::thread::spawn(move || drop(out.read_to_end(&mut Vec::new())));
        assert!([130, 0].contains(&wait(&mut child)));
        reader.join().expect("it only reads");
        assert_eq!(entries(temporary.path()), 0);
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for (words, lines) in [
        (&["explain", "--all"][..], 1),
        (&["demo"], 1),
        (&["demo"], 9),
        (&["--help"], 0),
        (&["help", "placeholders"], 0),
    ] {
        let temporary = folder();
        let mut child = becket()
            .env("TMPDIR", temporary.path())
            .args(words)
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        for _ in 0..lines {
            out.read_line(&mut String::new()).expect("a line");
        }
        drop(out);
        let ended = ended(child);
        assert_eq!(ended.code, 0, "{words:?}: {ended:?}");
        assert!(!ended.err.contains("fault in this program"), "{words:?}: {ended:?}");
        assert_eq!(entries(temporary.path()), 0, "{words:?}");
    }
}

/// A core dump of an end by a signal would hold the keys.
#[cfg(target_os = "linux")]
#[test]
fn no_core_is_written() {
    let (asked, arrives) = channel();
    let service = Service::start(move |_, line| {
        asked.send(()).expect("the test waits");
        line.hold();
        line.answer(200, &[], b"{}")
    });
    let home = folder();
    put(
        home.path(),
        "x",
        demo::connector(&format!("http://127.0.0.1:{}", service.port())).as_bytes(),
    );
    let child = becket()
        .current_dir(home.path())
        .args(["test", "x"])
        .spawn()
        .expect("the program starts");
    arrives.recv().expect("the request comes");
    let limits = fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("limits");
    interrupt(&child);
    assert_eq!(ended(child).code, 130);
    let line = limits.lines().find(|line| line.starts_with("Max core file size")).expect("a line");
    assert_eq!(line["Max core file size".len()..].split_whitespace().next(), Some("0"), "{line}");
}
