//! A program that answers once and ends, such as a package manager that is asked for a version: no
//! shell, the same clean environment, a group of its own.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::Surroundings;
use super::group::Group;
use super::{launch, locate};

/// Bytes of an answer that are read.
const ANSWER: u64 = 1 << 20;
/// How long it may take to end after TERM.
const GRACE: Duration = Duration::from_secs(2);

/// What a program wrote on standard output, if it is there and ended well in time.
pub fn output(program: &str, args: &[String], input: &str, folder: &Path, places: &Surroundings, limit: Duration) -> Option<String> {
    let file = locate::locate(program, folder, places).ok()?;
    let mut command = launch::command(places.launcher.as_deref().map(Path::as_os_str), file.as_os_str());
    command.args(args).current_dir(folder).env_clear();
    command.env("PATH", &places.path).env("LANG", "C.UTF-8");
    command.envs(places.home.iter().map(|home| ("HOME", home)));
    command.envs(places.more.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let mut group = Group::new(child);
    let reads = stdout.map(|stdout| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            stdout.take(ANSWER).read_to_end(&mut bytes).map(|_| bytes)
        })
    });
    // A short text: the pipe has room for it. A program that reads nothing has closed it.
    let _ = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
    let status = group.stop(limit, GRACE);
    let bytes = reads?.join().ok()?.ok()?;
    status.filter(std::process::ExitStatus::success)?;
    String::from_utf8(bytes).ok()
}
