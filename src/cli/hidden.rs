//! A question whose answer is not shown. Only where a person can be asked.
//!
//! Letters are read one by one, because a terminal that gathers lines cuts them at 4,095 bytes. The
//! terminal is as before when this returns, and when the program is interrupted meanwhile.

use super::fault::Fault;
use crate::keys::{LONGEST, Secret};

fn unread() -> Fault {
    Fault::usage("no_value", "nothing could be read from the terminal")
}

#[cfg(unix)]
pub(super) use unix::{ask, restore};

#[cfg(unix)]
mod unix {
    use std::io::Read as _;
    use std::sync::{Mutex, PoisonError};

    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
    use zeroize::Zeroizing;

    use super::{Fault, LONGEST, Secret, unread};
    use crate::cli::io::raw_err;

    /// How the terminal was, while something is asked.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    pub(in crate::cli) fn ask(question: &str) -> Result<Secret, Fault> {
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin).map_err(|_| unread())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ICANON);
        quiet.special_codes[SpecialCodeIndex::VMIN] = 1;
        quiet.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Stopped in the middle, it would leave a terminal that shows nothing.
        quiet.special_codes[SpecialCodeIndex::VSUSP] = 0;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let asked = tcsetattr(&stdin, OptionalActions::Flush, &quiet).map_err(|_| unread());
        raw_err(question);
        let answer = asked.and_then(|()| line());
        restore();
        raw_err("\n");
        answer
    }

    /// Makes the terminal as it was. What was typed ahead goes: it may be the rest of a key.
    pub(in crate::cli) fn restore() {
        if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _gone = tcsetattr(std::io::stdin(), OptionalActions::Flush, &before);
        }
    }

    fn line() -> Result<Secret, Fault> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST + 4));
        let mut stdin = std::io::stdin().lock();
        let mut byte = [0];
        loop {
            match stdin.read(&mut byte) {
                Ok(0) | Err(_) => return Err(unread()),
                Ok(_) => match byte[0] {
                    b'\r' | b'\n' => break,
                    // Ctrl-D on an empty line: nothing is given.
                    4 if bytes.is_empty() => return Err(unread()),
                    8 | 127 => erase(&mut bytes),
                    // Ctrl-U.
                    21 => bytes.clear(),
                    _ if bytes.len() > LONGEST => {}
                    byte => bytes.push(byte),
                },
            }
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| Fault::usage("not_text", "the value is not UTF-8"))?;
        // Terminals put these around what is pasted.
        Ok(Secret::new(text.trim_start_matches("\u{1b}[200~").trim_end_matches("\u{1b}[201~")))
    }

    /// Takes the last letter away, whole.
    fn erase(bytes: &mut Vec<u8>) {
        while bytes.pop().is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000) {}
    }
}

#[cfg(not(unix))]
pub(super) fn ask(question: &str) -> Result<Secret, Fault> {
    let answer = inquire::Password::new(question)
        .without_confirmation()
        .with_display_mode(inquire::PasswordDisplayMode::Hidden)
        .prompt();
    match answer {
        Ok(value) if value.len() <= LONGEST => Ok(Secret::new(value)),
        Err(inquire::InquireError::OperationInterrupted) => super::interrupt::leave(super::exit::Exit::Interrupted),
        _ => Err(unread()),
    }
}

#[cfg(not(unix))]
pub(super) fn restore() {}
