//! Reads a program's standard output: lines up to a limit, messages out of them, noise counted.
//! The program's own requests are answered here and at once, so that it never waits for a caller.

use std::io::{BufRead, BufReader, Read};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

use super::Lost;
use super::pen::Queue;
use crate::mcp::input::Input;
use crate::mcp::message::{self, Id, Incoming, Outcome, Unread};

/// Bytes read at a time.
const PART: usize = 64 << 10;
/// Bytes kept of the first line that is no message.
const FIRST: usize = 4 << 10;

/// What both sides of the pipe know.
#[derive(Default)]
pub(super) struct Shared {
    /// The request whose answer is wanted; 0 for none. Other answers are dropped as they come.
    pub(super) awaited: AtomicU64,
    pub(super) answers: AtomicBool,
    pub(super) changed: AtomicBool,
    pub(super) input: Input,
    pub(super) noise: Mutex<Lines>,
}

#[derive(Default)]
pub(super) struct Lines {
    pub(super) lines: usize,
    pub(super) first: String,
}

/// What the reader has to tell.
pub(super) enum Event {
    /// With the bytes of its line.
    Answer(Id, Outcome, usize),
    Lost(Lost),
}

/// Reads until the end. A line over the limit ends it too: what follows cannot be trusted.
pub(super) fn read_lines(stdout: impl Read, limit: usize, shared: &Shared, replies: &Queue, tells: &SyncSender<Event>) {
    let mut stdout = BufReader::with_capacity(PART, stdout);
    let mut line = Vec::new();
    loop {
        let lost = match read_line(&mut stdout, &mut line, limit) {
            Line::Whole => take(&line, shared, replies, tells).err(),
            Line::Long => Some(Lost::Long),
            Line::End => Some(Lost::Output),
        };
        if let Some(lost) = lost {
            // Nobody listens after a failure.
            let _ = tells.send(Event::Lost(lost));
            match lost {
                Lost::Deep(_) => {}
                _ => return,
            }
        }
        if line.capacity() > PART {
            line = Vec::new();
        }
    }
}

enum Line {
    Whole,
    Long,
    End,
}

/// One line without its end. What stands after the last one is a line too.
fn read_line(stdout: &mut impl BufRead, line: &mut Vec<u8>, limit: usize) -> Line {
    line.clear();
    loop {
        let part = match stdout.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return Line::End,
        };
        if part.is_empty() {
            return if line.is_empty() { Line::End } else { Line::Whole };
        }
        // A carriage return alone ends a line as well; before a line feed it makes an empty one.
        let end = part.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let length = end.unwrap_or(part.len());
        if line.len() + length > limit {
            return Line::Long;
        }
        line.extend_from_slice(&part[..length]);
        stdout.consume(end.map_or(length, |end| end + 1));
        if end.is_some() {
            return Line::Whole;
        }
    }
}

fn take(line: &[u8], shared: &Shared, replies: &Queue, tells: &SyncSender<Event>) -> Result<(), Lost> {
    let messages = match message::read(line) {
        Ok(messages) => messages,
        Err(Unread::Noise) => {
            count(line, shared);
            return Ok(());
        }
        Err(Unread::TooDeep) => return Err(Lost::Deep("is nested too deep")),
        Err(Unread::TooMany) => return Err(Lost::Deep("has too many values")),
    };
    for message in messages {
        match message {
            Incoming::Answer { id, outcome } if id == shared.awaited.load(Ordering::SeqCst) => {
                let _ = tells.send(Event::Answer(id, outcome, line.len()));
            }
            Incoming::Request { id, method, params } if shared.answers.load(Ordering::Relaxed) => {
                let line = format!("{}\n", message::reply(&id, &method, &params, shared.input));
                let _ = replies.send(line.into_bytes());
            }
            Incoming::Notification { method } if method == "notifications/tools/list_changed" => {
                shared.changed.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
    }
    Ok(())
}

fn count(line: &[u8], shared: &Shared) {
    if line.trim_ascii().is_empty() {
        return;
    }
    let mut noise = shared.noise.lock().unwrap_or_else(PoisonError::into_inner);
    noise.lines += 1;
    if noise.lines == 1 {
        noise.first = String::from_utf8_lossy(&line[..line.len().min(FIRST)]).into_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], limit: usize) -> Vec<String> {
        let mut stdout = BufReader::with_capacity(4, text);
        let mut line = Vec::new();
        let mut lines = Vec::new();
        loop {
            match read_line(&mut stdout, &mut line, limit) {
                Line::Whole => lines.push(String::from_utf8_lossy(&line).into_owned()),
                Line::Long => return [lines, vec!["(long)".to_owned()]].concat(),
                Line::End => return lines,
            }
        }
    }

    #[test]
    fn lines_end_with_a_line_feed_a_return_or_the_end() {
        assert_eq!(lines(b"one\ntwo\r\nthree", 10), ["one", "two", "", "three"]);
        assert_eq!(lines(b"one\rtwo\n", 10), ["one", "two"]);
        assert_eq!(lines(b"", 10), Vec::<String>::new());
    }

    #[test]
    fn a_line_has_a_limit() {
        assert_eq!(lines(b"12345\n123456\n", 5), ["12345", "(long)"]);
        assert_eq!(lines(&b"x".repeat(1000), 5), ["(long)"]);
    }
}
