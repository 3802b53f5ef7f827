//! Runs one of the three programs as a person would, in a clean environment, and never for ever.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program may run: far beyond what any needs here, so that only a hang ends by it.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_becket")).with_file_name(name)
}

/// `becket` with an environment of its own.
pub(crate) fn becket() -> Command {
    clean(Command::new(path("becket")))
}

pub(crate) fn clean(mut command: Command) -> Command {
    let search = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().envs([
        (OsStr::new("PATH"), search.as_os_str()),
        (OsStr::new("LANG"), OsStr::new("C.UTF-8")),
        (OsStr::new("COLUMNS"), OsStr::new("100")),
    ]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end.
pub(crate) fn run(command: &mut Command) -> Ended {
    ended(command.spawn().expect("the program starts"))
}

/// Runs it with a text on standard input.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Ended {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // It may stop reading early.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ended = ended(child);
    feeder.join().expect("it only writes");
    ended
}

/// Waits for its end, while reading what it prints.
pub(crate) fn ended(mut child: Child) -> Ended {
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let code = wait(&mut child);
    Ended {
        code,
        out: out.join().expect("a reader"),
        err: err.join().expect("a reader"),
    }
}

fn reader(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // A terminal ends with an error when its program does.
            let _ended = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The exit code; a program that does not end is a failure of the test.
pub(crate) fn wait(child: &mut Child) -> i32 {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return status.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(child.kill());
    panic!("the program does not end");
}
