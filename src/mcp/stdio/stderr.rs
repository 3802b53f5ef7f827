//! The last of what a program writes to standard error: always drained, so that no program waits
//! for a reader, and kept only up to a limit.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::exec::shown;
use crate::keys::Redactor;

/// Bytes kept.
const RING: usize = 64 << 10;
/// Bytes left out at the beginning of what is kept, when it begins in the middle of something: half
/// a key would not be known again.
const HALF: usize = 4 << 10;
/// Lines shown.
const LINES: usize = 10;
/// Characters shown of a line.
const WIDTH: usize = 300;

pub(super) struct Stderr {
    ring: Arc<Mutex<Ring>>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Ring {
    bytes: VecDeque<u8>,
    overflowed: bool,
}

impl Ring {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let over = self.bytes.len().saturating_sub(RING);
        self.bytes.drain(..over);
        self.overflowed |= over > 0;
    }

    /// What is kept, from the first whole line.
    fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let whole = match (self.overflowed, bytes.iter().position(|byte| *byte == b'\n')) {
            (false, _) => &bytes[..],
            (true, Some(end)) if end < bytes.len() - 1 => &bytes[end + 1..],
            (true, _) => bytes.get(HALF..).unwrap_or_default(),
        };
        String::from_utf8_lossy(whole).into_owned()
    }
}

impl Stderr {
    pub(super) fn drain(mut stream: impl Read + Send + 'static) -> Self {
        let ring = Arc::new(Mutex::new(Ring::default()));
        let kept = Arc::clone(&ring);
        let thread = thread::spawn(move || {
            let mut part = vec![0; RING];
            // Ends when nobody holds the pipe's other end any more.
            while let Ok(read @ 1..) = stream.read(&mut part) {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(&part[..read]);
            }
        });
        Self { ring, thread }
    }

    /// The last lines, fit to be shown. Waits a moment for a program that has ended.
    pub(super) fn lines(&self, wait: Duration, redactor: &Redactor) -> Vec<String> {
        let ends = Instant::now() + wait;
        while !self.thread.is_finished() && Instant::now() < ends {
            thread::sleep(Duration::from_millis(2));
        }
        let text = self.ring.lock().unwrap_or_else(PoisonError::into_inner).text();
        // Cleaned as a whole first: a key may have several lines.
        let text = redactor.clean(&text);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines.len().saturating_sub(LINES);
        lines[last..].iter().map(|line| shown(line, WIDTH, redactor)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Secret;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let redactor = Redactor::new([&Secret::new("SECRETVALUE")]);
        Stderr::drain(std::io::Cursor::new(bytes.to_vec())).lines(Duration::from_secs(10), &redactor)
    }

    #[test]
    fn the_last_lines_are_shown_without_keys_and_escapes() {
        assert_eq!(
            lines(b"using SECRETVALUE\n\n\x1b[2J\x07\xff\n"),
            ["using ***", "\\u{1b}[2J\\u{7}\u{fffd}"]
        );
        let many: String = (0..20).map(|line| format!("{line}\n")).collect();
        assert_eq!(lines(many.as_bytes()).len(), LINES);
    }

    #[test]
    fn a_flood_is_kept_up_to_a_limit_and_never_from_within_a_key() {
        let flood = [&b"e".repeat(RING * 3)[..], b"\nlast\n"].concat();
        assert_eq!(lines(&flood), ["last"]);
        let one_line = [&b"SECRETVALUE"[..], &b"e".repeat(RING - 6)].concat();
        let shown = lines(&one_line).concat();
        assert!(!shown.contains("VALUE") && shown.starts_with("eee"), "{shown}");
    }
}
