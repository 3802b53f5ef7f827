//! The hidden question, on a real terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::program::{becket, wait};

/// Asks for a value and types; the code, the screen, and whether the terminal shows letters after.
fn asked(typed: &[u8]) -> (i32, String, bool) {
    let home = tempfile::tempdir().expect("a folder of this test");
    std::fs::write(home.path().join("passphrase"), "a long passphrase\n").expect("a file of this test");
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal of ours");
    unlockpt(&ours).expect("a terminal of ours");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    let theirs = File::from(rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end"));
    let mut ours = File::from(ours);
    // A session of its own with the terminal, so that Ctrl-C reaches it.
    let mut command = becket();
    let program = command.get_program().to_owned();
    command = crate::program::clean(std::process::Command::new("setsid"));
    command.args(["--ctty", "--wait"]).arg(program);
    command
        .env("HOME", home.path())
        .env("BECKET_PASSPHRASE_FILE", home.path().join("passphrase"));
    command.args(["secret", "set", "a_key", "--store", "file"]);
    let end = || Stdio::from(theirs.try_clone().expect("a file"));
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("setsid is there");
    drop(command);
    let mut screen = Vec::new();
    let mut byte = [0];
    while !screen.ends_with(b"(not shown): ") {
        assert_eq!(ours.read(&mut byte).expect("the question"), 1);
        screen.push(byte[0]);
    }
    ours.write_all(typed).expect("typed");
    let code = wait(&mut child);
    let shows = tcgetattr(&theirs)
        .expect("a terminal")
        .local_modes
        .contains(LocalModes::ECHO | LocalModes::ICANON);
    drop(theirs);
    let _closed = ours.read_to_end(&mut screen);
    (code, String::from_utf8_lossy(&screen).replace("\r\n", "\n"), shows)
}

#[test]
fn a_value_is_asked_for_and_not_shown() {
    let (code, screen, shows) = asked(b"SECRETVALUX\x7fE-7f3a\r");
    assert_eq!(code, 0, "{screen}");
    assert!(
        screen.starts_with("Value for a_key (not shown): \nSaved in the encrypted file "),
        "{screen}"
    );
    assert!(!screen.contains("SECRET"), "{screen}");
    assert!(shows);
}

#[test]
fn ctrl_c_leaves_the_terminal_as_it_was() {
    let (code, screen, shows) = asked(b"SECRETVAL\x03");
    assert_eq!(code, 130, "{screen}");
    assert!(!screen.contains("SECRET"), "{screen}");
    assert!(shows, "the terminal shows letters again");
}

#[test]
fn long_values_are_read_whole() {
    let mut typed = vec![b'a'; 20_000];
    typed.push(b'\r');
    let (code, screen, shows) = asked(&typed);
    assert_eq!(code, 0, "{screen}");
    assert!(shows);
}

#[test]
fn nothing_typed_is_no_value() {
    let (code, screen, shows) = asked(b"\r");
    assert_eq!(code, 2, "{screen}");
    assert!(screen.contains("the value is empty"), "{screen}");
    assert!(shows);
}
