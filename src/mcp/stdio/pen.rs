//! What we write to a program. A short line goes straight into its pipe while that has room.
//! Anything else waits in a queue for a thread of its own, so that a program that does not read
//! stops nobody.

use std::io::Write;
use std::process::ChildStdin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Lost;
use super::reader::Event;

/// Messages that may wait for a program that does not read. Answers to its own requests beyond
/// that are dropped.
const QUEUE: usize = 4096;
/// How often a full queue is tried again.
const TICK: Duration = Duration::from_millis(5);
/// Bytes that a pipe with room takes at once and whole (`PIPE_BUF`).
const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// The end of the pipe, with one writer at a time.
struct Pipe {
    stdin: ChildStdin,
    turn: Mutex<()>,
}

/// Lines on their way to the pipe. Whoever has only the queue does not keep the pipe open.
#[derive(Clone)]
pub(super) struct Queue {
    lines: SyncSender<Vec<u8>>,
    /// How many are not written yet.
    waiting: Arc<AtomicUsize>,
}

pub(super) struct Pen {
    pipe: Arc<Pipe>,
    queue: Queue,
}

impl Pen {
    /// Starts the thread of the queue, which tells when the program's reading end has closed.
    pub(super) fn new(stdin: ChildStdin, tells: SyncSender<Event>) -> Self {
        let pipe = Arc::new(Pipe {
            stdin,
            turn: Mutex::new(()),
        });
        let (lines, queued) = sync_channel(QUEUE);
        let queue = Queue {
            lines,
            waiting: Arc::default(),
        };
        let (writer, waiting) = (Arc::clone(&pipe), Arc::clone(&queue.waiting));
        thread::spawn(move || write_lines(&writer, &queued, &waiting, &tells));
        Self { pipe, queue }
    }

    pub(super) fn queue(&self) -> Queue {
        self.queue.clone()
    }

    /// Writes a line; waits for a place in the queue until the deadline.
    pub(super) fn write(&self, mut line: Vec<u8>, deadline: Instant) -> Result<(), Lost> {
        if let Some(written) = self.write_at_once(&line) {
            return written;
        }
        loop {
            line = match self.queue.send(line) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => return Err(Lost::Input),
                Err(TrySendError::Full(_)) if Instant::now() >= deadline => return Err(Lost::Late),
                Err(TrySendError::Full(line)) => line,
            };
            thread::sleep(TICK);
        }
    }

    /// Writes what cannot block: a short line, nothing waiting before it, and room in the pipe.
    fn write_at_once(&self, line: &[u8]) -> Option<Result<(), Lost>> {
        let _turn = self.pipe.turn.try_lock().ok()?;
        let waits = self.queue.waiting.load(Ordering::SeqCst) > 0;
        if waits || line.len() > AT_ONCE || !has_room(&self.pipe.stdin) {
            return None;
        }
        Some((&self.pipe.stdin).write_all(line).map_err(|_| Lost::Input))
    }

    /// Closes the program's input once what waits is written. A program that does not read is ended
    /// all the same.
    pub(super) fn close(self) {
        let _ = self.queue.send(Vec::new());
    }
}

impl Queue {
    /// Lets a line wait, if there is a place.
    pub(super) fn send(&self, line: Vec<u8>) -> Result<(), TrySendError<Vec<u8>>> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.lines.try_send(line).inspect_err(|_| {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        })
    }
}

/// Ends at an empty line, when the program's reading end closes, or when nobody can send any more.
fn write_lines(pipe: &Pipe, lines: &Receiver<Vec<u8>>, waiting: &AtomicUsize, tells: &SyncSender<Event>) {
    while let Ok(line) = lines.recv() {
        if line.is_empty() {
            return;
        }
        let turn = pipe.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if (&pipe.stdin).write_all(&line).is_err() {
            let _ = tells.try_send(Event::Lost(Lost::Input));
            return;
        }
        drop(turn);
        waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a line of [`AT_ONCE`] bytes can be written without waiting.
#[cfg(unix)]
fn has_room(stdin: &ChildStdin) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut ends = [PollFd::new(stdin, PollFlags::OUT)];
    let asked = poll(&mut ends, Some(&Timespec::default()));
    asked.is_ok() && ends[0].revents().contains(PollFlags::OUT)
}

#[cfg(not(unix))]
fn has_room(_stdin: &ChildStdin) -> bool {
    false
}
