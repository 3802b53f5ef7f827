//! A server that is a program of ours: started without a shell, in the connector's folder, with
//! exactly the environment that the seed allows; one JSON-RPC message a line, both ways. A thread
//! for each pipe, so that no side ever waits for the other for ever.

mod group;
mod launch;
mod locate;
mod once;
mod pen;
mod reader;
mod stderr;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use self::group::{Group, words};
use self::launch::Watchdog;
use self::pen::Pen;
use self::reader::{Event, Shared};
use self::stderr::Stderr;
use super::failure::{Noise, Said, Why};
use super::message::{Id, Outcome};
use super::{Input, Limits};
use crate::exec::shown;
use crate::keys::{Keys, Redactor};

pub use self::launch::{LAUNCH, WATCH, launch, watch};
pub use self::once::output;

/// How long we wait for a program's last words and its exit after its pipe has closed.
const LAST: Duration = Duration::from_millis(300);
/// How long a program may take to read that its request is cancelled and its input closed.
const CANCEL: Duration = Duration::from_millis(100);
/// What a program finds around it. Read by `cli`, which alone may look.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    pub path: OsString,
    /// The folders of `path`.
    pub search: Vec<PathBuf>,
    pub home: Option<OsString>,
    /// What programs of this system need to start at all; empty on Unix.
    pub more: Vec<(OsString, OsString)>,
    /// Our own binary, which starts the program so that it cannot outlive us. Without one, it is
    /// started directly.
    pub launcher: Option<PathBuf>,
}

/// What to start, and where.
#[derive(Clone, Copy)]
pub(super) struct Launch<'a> {
    /// The connector's name.
    pub(super) name: &'a str,
    pub(super) command: &'a str,
    pub(super) args: &'a [String],
    pub(super) folder: &'a Path,
    /// The declared keys.
    pub(super) declared: &'a [String],
    pub(super) keys: &'a Keys,
    pub(super) places: &'a Surroundings,
    pub(super) limits: Limits,
    pub(super) input: Input,
}

/// A running program.
pub(super) struct Program {
    name: String,
    group: Group,
    watchdog: Option<Watchdog>,
    /// Writes to its standard input; none once that is to be closed.
    pen: Option<Pen>,
    events: Receiver<Event>,
    shared: Arc<Shared>,
    stderr: Stderr,
    limits: Limits,
    stopped: bool,
}

impl Program {
    pub(super) fn start(launch: &Launch<'_>) -> Result<Self, Why> {
        let file = locate::locate(launch.command, launch.folder, launch.places)?;
        let launcher = launch.places.launcher.as_deref();
        let mut command = launch::command(launcher.map(Path::as_os_str), file.as_os_str());
        command.args(launch.args).current_dir(launch.folder).env_clear();
        command.env("PATH", &launch.places.path).env("LANG", "C.UTF-8");
        command.envs(launch.places.home.iter().map(|home| ("HOME", home)));
        command.envs(launch.places.more.iter().map(|(name, value)| (name, value)));
        for name in launch.declared {
            command.env(name, launch.keys.get(name).map(|key| key.expose()).unwrap_or_default());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error: &std::io::Error| Why::NoProgram {
            command: launch.command.to_owned(),
            problem: match launch.folder.is_dir() {
                true => locate::reason(error),
                false => format!("cannot be started: the folder {} is gone", launch.folder.display()),
            },
        };
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let group = Group::new(child);
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(&std::io::ErrorKind::BrokenPipe.into()));
        };
        let watchdog = launcher.and_then(|launcher| Watchdog::start(launcher.as_os_str(), group.id()).ok());
        let (tells, events) = sync_channel(4);
        let pen = Pen::new(stdin, tells.clone());
        let shared = Arc::new(Shared {
            input: launch.input,
            ..Shared::default()
        });
        let (read_shared, replies) = (Arc::clone(&shared), pen.queue());
        let limit = launch.limits.line;
        thread::spawn(move || reader::read_lines(stdout, limit, &read_shared, &replies, &tells));
        Ok(Self {
            name: launch.name.to_owned(),
            group,
            watchdog,
            pen: Some(pen),
            events,
            shared,
            stderr: Stderr::drain(stderr),
            limits: launch.limits,
            stopped: false,
        })
    }

    /// Whether the server's own requests are answered: only the older protocol has them.
    pub(super) fn answers_requests(&self, answers: bool) {
        self.shared.answers.store(answers, std::sync::atomic::Ordering::Relaxed);
    }

    /// Whether the server has said that its tools changed, since the last question.
    pub(super) fn tools_changed(&self) -> bool {
        self.shared.changed.swap(false, std::sync::atomic::Ordering::Relaxed)
    }

    /// Whether it has gone since the last answer.
    pub(super) fn is_gone(&self) -> bool {
        loop {
            match self.events.try_recv() {
                Ok(Event::Lost(_)) | Err(TryRecvError::Disconnected) => return true,
                Ok(Event::Answer(..)) => {}
                Err(TryRecvError::Empty) => return false,
            }
        }
    }

    /// Writes one message; waits for a place in the queue until the deadline.
    pub(super) fn tell(&self, message: &Value, deadline: Instant) -> Result<(), Lost> {
        let pen = self.pen.as_ref().ok_or(Lost::Input)?;
        let mut line = message.to_string().into_bytes();
        line.push(b'\n');
        pen.write(line, deadline)
    }

    /// Writes a request and waits for its answer and the bytes of its line. Answers to anything else are dropped.
    pub(super) fn ask(&self, id: Id, message: &Value, deadline: Instant) -> Result<(Outcome, usize), Lost> {
        self.shared.awaited.store(id, std::sync::atomic::Ordering::SeqCst);
        let outcome = self.tell(message, deadline).and_then(|()| self.wait(id, deadline));
        self.shared.awaited.store(0, std::sync::atomic::Ordering::SeqCst);
        outcome
    }

    fn wait(&self, id: Id, deadline: Instant) -> Result<(Outcome, usize), Lost> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Answer(found, outcome, bytes)) if found == id => return Ok((outcome, bytes)),
                Ok(Event::Answer(..)) => {}
                Ok(Event::Lost(lost)) => return Err(lost),
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Output),
                Err(RecvTimeoutError::Timeout) => return Err(Lost::Late),
            }
        }
    }

    /// Why an answer did not come, in words, with what the program said. The program is stopped.
    pub(super) fn fail(&mut self, lost: Lost, method: &str, redactor: &Redactor, limit: Duration) -> (Why, Said) {
        let (server, method) = (self.name.clone(), method.to_owned());
        let status = match lost {
            Lost::Output | Lost::Input => self.group.ended(LAST),
            _ => None,
        };
        let why = match lost {
            Lost::Late => Why::TooSlow {
                server,
                method,
                seconds: limit.as_secs_f64().round() as u64,
            },
            Lost::Long => Why::TooLarge {
                server,
                limit: self.limits.line >> 20,
            },
            Lost::Deep(problem) => Why::Malformed {
                server,
                method,
                problem: problem.to_owned(),
            },
            Lost::Output => Why::Ended {
                server,
                method,
                how: status.map_or_else(|| "closed its standard output".to_owned(), words),
            },
            Lost::Input => Why::Ended {
                server,
                method,
                how: status.map_or_else(|| "closed its standard input".to_owned(), words),
            },
        };
        // One that does not answer is not asked to end, it is told to.
        self.end(CANCEL);
        (why, self.said(LAST, redactor))
    }

    /// What it has written beside its messages.
    pub(super) fn said(&self, wait: Duration, redactor: &Redactor) -> Said {
        Said {
            stderr: self.stderr.lines(wait, redactor),
            noise: self.noise(redactor),
        }
    }

    /// The lines on standard output that were no messages.
    fn noise(&self, redactor: &Redactor) -> Option<Noise> {
        let noise = self.shared.noise.lock().unwrap_or_else(PoisonError::into_inner);
        (noise.lines > 0).then(|| Noise {
            lines: noise.lines,
            first: shown(&noise.first, 100, redactor),
        })
    }

    /// Closes its input and waits; after that, TERM and KILL for the whole group.
    fn end(&mut self, patience: Duration) {
        if self.stopped {
            return;
        }
        self.stopped = true;
        if let Some(pen) = self.pen.take() {
            pen.close();
        }
        self.group.stop(patience, self.limits.grace);
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.done();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(self.limits.grace);
    }
}

/// Why an answer will not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    Late,
    /// A line beyond the limit.
    Long,
    /// A message beyond the limits of its content.
    Deep(&'static str),
    /// Standard output was closed.
    Output,
    /// Standard input was closed.
    Input,
}

/// Ends every program at once, for Ctrl-C.
pub fn kill_all() {
    group::kill_all();
}
