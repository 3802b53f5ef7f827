//! The list to tick, in a real terminal, with real keys.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;
use crate::program::wait;

/// Far beyond what any screen needs, so that only a hang ends by it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program in a terminal of 100 columns and 40 rows.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    shows: Receiver<Vec<u8>>,
    /// What was shown and not yet expected.
    screen: String,
}

impl Terminal {
    fn start(folder: &Path, words: &[&str]) -> Self {
        Self::run(folder, &[&["openapi"], words].concat())
    }

    /// `becket` with these words.
    pub(crate) fn run(folder: &Path, words: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).expect("a terminal of ours");
        unlockpt(&ours).expect("a terminal of ours");
        let name = ptsname(&ours, Vec::new()).expect("its name");
        let theirs = File::from(rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end"));
        let end = || Stdio::from(theirs.try_clone().expect("a file"));
        // A new terminal has no size.
        let mut command = clean(Command::new("sh"));
        command
            .args(["-c", "stty rows 40 cols 100; exec \"$@\"", "sh"])
            .arg(crate::program::path("becket"));
        command.args(words).current_dir(folder);
        command.env("TERM", "xterm").env("NO_COLOR", "1");
        let child = command
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the program starts");
        let keys = File::from(ours);
        let shows = reader(keys.try_clone().expect("a file"));
        Self {
            child,
            keys,
            shows,
            screen: String::new(),
        }
    }

    /// Waits until a text is shown, and gives what was shown up to its end.
    #[track_caller]
    pub(crate) fn until(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.screen.find(text) {
                return self.screen.drain(..at + text.len()).collect();
            }
            match self.shows.recv_timeout(PATIENCE) {
                Ok(bytes) => self.screen.push_str(&without_escapes(&String::from_utf8_lossy(&bytes))),
                Err(error) => panic!("`{text}` is not shown ({error}): {:?}", self.screen),
            }
        }
    }

    /// Keys that are typed, then a text that is shown for them.
    #[track_caller]
    pub(crate) fn keys(&mut self, keys: &str, shows: &str) -> String {
        self.screen.clear();
        self.keys.write_all(keys.as_bytes()).expect("typed");
        self.until(shows)
    }

    /// Keys that are typed, whatever is shown for them.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        self.screen.clear();
        self.keys.write_all(keys.as_bytes()).expect("typed");
    }

    /// Its exit code and the rest of the screen.
    pub(crate) fn end(mut self) -> (i32, String) {
        let code = wait(&mut self.child);
        while let Ok(bytes) = self.shows.recv_timeout(PATIENCE) {
            self.screen.push_str(&without_escapes(&String::from_utf8_lossy(&bytes)));
        }
        (code, self.screen)
    }
}

fn reader(mut screen: File) -> Receiver<Vec<u8>> {
    let (send, shows) = channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        // The terminal ends with an error when its program does.
        while let Ok(1..) = screen.read(&mut bytes).inspect(|length| drop(send.send(bytes[..*length].to_vec()))) {}
    });
    shows
}

/// The letters without what moves the cursor.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|letter: char| letter.is_ascii_digit() || "?;".contains(letter)));
    let letters = rest.map(|part| part.strip_prefix(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(part));
    (first + &letters.collect::<String>()).replace('\r', "")
}

const LIST: &str = "Operations to import, at most 100:";
const HELP: &str = "[type to search, space ticks, enter goes on, Esc gives up]";
const RISKS: &str = "Change a risk?";
const WORDS: [&str; 4] = ["--base", "https://pets.dev", "pets.yaml", "pets"];

fn pets() -> TempDir {
    folder(&[("pets.yaml", PETS)])
}

#[test]
fn reads_are_ticked_and_enter_takes_them() {
    let folder = pets();
    let mut terminal = Terminal::start(folder.path(), &WORDS);
    terminal.until(LIST);
    let list = terminal.until(HELP);
    let rows: Vec<&str> = list.lines().map(str::trim_end).filter(|line| line.contains('[')).collect();
    assert_eq!(
        rows,
        [
            "> [x] read         GET    find_pets /pets — Pets by status",
            "  [ ] irreversible POST   add_pet /pets — A new pet",
            "  [x] read         GET    get_pet /pets/{id} — One pet",
            HELP
        ]
    );
    terminal.keys("\r", RISKS);
    terminal.keys("\r", "(same as --only get)\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    for line in [
        "wrote pets/connector.json with 2 capabilities; review each risk, then: becket check ./pets\n",
        "key to fill: KEY (header api_key), in the environment\n",
        "next: KEY=… becket check ./pets\n",
        "next: KEY=… becket call ./pets find_pets status=…\n",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    let flags = openapi(folder.path(), &[&["--only", "get", "--diff"], &WORDS[..]].concat());
    assert_eq!((flags.code, flags.out.as_str()), (0, ""), "the flags make the same connector");
}

#[test]
fn searching_ticking_and_another_risk() {
    let folder = pets();
    let mut terminal = Terminal::start(folder.path(), &WORDS);
    terminal.until(HELP);
    terminal.keys("post", "> [ ] irreversible POST   add_pet");
    terminal.keys(" ", "> [x] irreversible POST   add_pet");
    // Back to the whole list, on to the other read, which is given up.
    terminal.keys("\u{7f}\u{7f}\u{7f}\u{7f}{id}", "> [x] read         GET    get_pet");
    terminal.keys(" ", "> [ ] read         GET    get_pet");
    terminal.keys("\r", RISKS);
    terminal.keys("add", "> irreversible add_pet");
    terminal.keys("\r", "> irreversible");
    terminal.keys("\u{1b}[A", "> reversible");
    terminal.keys("\r", RISKS);
    let shown = terminal.until("find_pets");
    let rest = terminal.until("add_pet");
    assert!(shown.contains("read") && rest.contains("reversible   add_pet"), "{shown}{rest}");
    terminal.keys("\r", "(same as --only find_pets,add_pet --risk add_pet=reversible)\n");
    assert_eq!(terminal.end().0, 0);
    let same = ["--only", "find_pets,add_pet", "--risk", "add_pet=reversible", "--diff"];
    let flags = openapi(folder.path(), &[&same[..], &WORDS[..]].concat());
    assert_eq!((flags.code, flags.out.as_str()), (0, ""), "the flags make the same connector");
    assert!(read(folder.path(), "pets/connector.json").contains("\"risk\": \"reversible\""));
}

#[test]
fn flags_hold_in_the_list_too() {
    let folder = pets();
    let words = [&["--except", "getPet", "--risk", "findPets=notify"], &WORDS[..]].concat();
    let mut terminal = Terminal::start(folder.path(), &words);
    let list = terminal.until(HELP);
    assert!(
        list.contains("[x] read         GET    find_pets") && list.contains("[ ] read         GET    get_pet"),
        "{list}"
    );
    terminal.keys("\r", RISKS);
    terminal.until("notify       find_pets");
    terminal.keys("\r", "(same as --only find_pets --risk find_pets=notify)\n");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn leaving_writes_nothing() {
    for (keys, code, says) in [
        (&["\u{3}"][..], 130, ""),
        (&["\r", "\u{3}"], 130, ""),
        (&["\u{1b}"], 2, "error: nothing was chosen, nothing was written\n"),
        (&["\r", "\u{1b}"], 2, "error: nothing was chosen, nothing was written\n"),
    ] {
        let folder = pets();
        let mut terminal = Terminal::start(folder.path(), &WORDS);
        terminal.until(HELP);
        if keys.len() > 1 {
            terminal.keys(keys[0], "to filter]");
        }
        terminal.screen.clear();
        terminal.keys.write_all(keys[keys.len() - 1].as_bytes()).expect("typed");
        let (ended, screen) = terminal.end();
        assert_eq!(ended, code, "{keys:?}: {screen}");
        assert!(screen.ends_with(says), "{keys:?}: {screen:?}");
        assert_eq!(entries(folder.path()), ["pets.yaml"], "{keys:?}");
    }
}

#[test]
fn nothing_and_too_much_are_not_taken() {
    let reads: Vec<String> = (0..101).map(|at| format!("/p{at:03}: {{get: {{}}}}")).collect();
    let text = format!(
        "{{openapi: 3.0.3, info: {{title: Many, version: '1'}}, servers: [{{url: 'https://m.dev'}}], paths: {{{}}}}}",
        reads.join(", ")
    );
    let folder = folder(&[("many.yaml", &text)]);
    let mut terminal = Terminal::start(folder.path(), &["many.yaml", "many"]);
    terminal.until(HELP);
    // All, none.
    terminal.keys("\u{1b}[C\r", "101 are ticked; a connector takes at most 100");
    terminal.keys("\u{1b}[D", "[ ]");
    terminal.keys("\r", "tick one at least");
    terminal.keys("p100", "> [ ] read         GET    get_p100");
    terminal.keys(" ", "> [x] read         GET    get_p100");
    terminal.keys("\r", RISKS);
    terminal.keys("\r", "(same as --only get_p100)\n");
    assert_eq!(terminal.end().0, 0);
    // Of more reads than a connector takes, the first are ticked.
    let mut terminal = Terminal::start(folder.path(), &["many.yaml", "more"]);
    terminal.until(HELP);
    terminal.keys("\r", RISKS);
    let flags = terminal.keys("\r", ",get_p099)\n");
    assert!(flags.contains("(same as --only get_p000,get_p001,"), "{flags}");
    assert_eq!(terminal.end().0, 0);
}
