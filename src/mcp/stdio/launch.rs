//! The two small parts that our own binary plays for a program, so that nothing outlives us however
//! we end. `launch` runs as the program itself: it leaves our terminal, asks the system to be
//! killed with us, and becomes the program. `watch` runs beside it: it waits on a pipe that only
//! we hold, and when that closes without a word it kills the program's whole group.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// First words of the command lines that our binary understands.
pub const LAUNCH: &str = "__launch";
pub const WATCH: &str = "__watch";
/// What a watchdog hears when the program has ended as it should.
const DONE: &str = "done";

/// The command line that starts a program through our binary, or without it.
pub(super) fn command(launcher: Option<&OsStr>, program: &OsStr) -> Command {
    let Some(launcher) = launcher else {
        return alone(program);
    };
    let mut command = Command::new(launcher);
    command.arg(LAUNCH).arg(std::process::id().to_string()).arg(program);
    command
}

#[cfg(unix)]
fn alone(program: &OsStr) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.process_group(0);
    command
}

#[cfg(not(unix))]
fn alone(program: &OsStr) -> Command {
    Command::new(program)
}

/// Becomes the program of `PARENT PROGRAM ARGUMENTS…`. Returns only when that was not possible.
#[cfg(unix)]
pub fn launch(words: &[OsString]) -> io::Error {
    use std::os::unix::process::CommandExt;
    let [parent, program, arguments @ ..] = words else {
        return io::ErrorKind::InvalidInput.into();
    };
    // A session of its own is a group of its own, without our terminal.
    let _ = rustix::process::setsid();
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Err(error) = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)) {
        return error.into();
    }
    // The parent may have gone before the system knew what we asked.
    let now = rustix::process::getppid().map(|id| id.as_raw_nonzero().to_string());
    if now.as_deref().map(OsStr::new) != Some(parent) {
        return io::Error::other("whoever started this has gone");
    }
    // What our own starter left open is not the program's.
    close_fds::set_fds_cloexec(3, &[]);
    Command::new(program).args(arguments).exec()
}

#[cfg(not(unix))]
pub fn launch(_words: &[OsString]) -> io::Error {
    io::ErrorKind::Unsupported.into()
}

/// Waits on `input` and kills the group that its first line names, unless `done` follows.
#[cfg(unix)]
pub fn watch(input: impl Read) {
    use rustix::process::{Pid, Signal, kill_process_group, setsid};
    let _ = setsid();
    let mut input = BufReader::new(input.take(64));
    let mut group = String::new();
    let mut word = String::new();
    if input.read_line(&mut group).is_err() {
        return;
    }
    let group = group
        .trim_end()
        .parse()
        .ok()
        .and_then(Pid::from_raw)
        .filter(|group| !group.is_init());
    let heard = input.read_line(&mut word).is_ok() && word.trim_end() == DONE;
    if let Some(group) = group.filter(|_| !heard) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
pub fn watch(_input: impl Read) {}

/// A watchdog from our side.
pub(super) struct Watchdog {
    child: Child,
    pipe: ChildStdin,
}

impl Watchdog {
    /// Starts one for a group.
    pub(super) fn start(launcher: &OsStr, group: u32) -> io::Result<Self> {
        let mut command = Command::new(launcher);
        command.arg(WATCH).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut pipe = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(pipe, "{group}")?;
        Ok(Self { child, pipe })
    }

    /// Tells it that nothing is left to kill.
    pub(super) fn done(mut self) {
        let _ = writeln!(self.pipe, "{DONE}");
        drop(self.pipe);
        let _ = self.child.wait();
    }
}
