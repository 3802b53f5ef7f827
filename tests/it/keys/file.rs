//! The encrypted file, through the program: killed at any time, it holds the old or the new.

use std::path::Path;
use std::process::Command;

use crate::program::{becket, fed, run};

/// Kills of one round of tests: fewer in an ordinary run.
fn kills() -> u64 {
    std::env::var("BECKET_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

fn secret(home: &Path, words: &[&str]) -> Command {
    let mut command = becket();
    command.env("HOME", home).env("BECKET_STORE", "file");
    command.env("BECKET_PASSPHRASE_FILE", home.join("passphrase"));
    command.arg("secret").args(words);
    command
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder of this test");
    std::fs::write(home.path().join("passphrase"), "a long passphrase\n").expect("a file of this test");
    home
}

#[test]
fn a_kill_at_any_time_loses_nothing() {
    let home = home();
    let list = || run(&mut secret(home.path(), &["list"]));
    assert_eq!(fed(&mut secret(home.path(), &["set", "first_key"]), b"SECRETVALUE-0").code, 0);
    let begun = std::time::Instant::now();
    assert_eq!(fed(&mut secret(home.path(), &["set", "first_key"]), b"SECRETVALUE-1").code, 0);
    let whole = begun.elapsed();
    let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
    for round in 0..kills() {
        // Spread over the whole of a run, in no order.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = whole.mul_f64((seed >> 40) as f64 / (1u64 << 24) as f64 * 1.2);
        let name = format!("key_{round}");
        let from = home.path().join("value");
        std::fs::write(&from, "SECRETVALUE-2").expect("a file of this test");
        let mut command = secret(home.path(), &["set", &name, "--from-file", from.to_str().expect("UTF-8")]);
        let mut child = command.spawn().expect("the program starts");
        std::thread::sleep(wait);
        drop(child.kill());
        drop(child.wait());
        if round % 10 == 9 || round + 1 == kills() {
            let ended = list();
            assert_eq!(ended.code, 0, "round {round}: {ended:?}");
            assert!(ended.out.starts_with("first_key "), "round {round}: {ended:?}");
        }
    }
    assert_eq!(fed(&mut secret(home.path(), &["set", "last_key"]), b"SECRETVALUE").code, 0);
    let ended = list();
    assert!(ended.out.contains("first_key ") && ended.out.contains("last_key "), "{ended:?}");
    let mut left: Vec<_> = std::fs::read_dir(home.path().join(".local/share/becket"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, [".becket-keys.lock", "keys.sealed"]);
}

#[test]
fn two_runs_at_once_both_survive() {
    let home = home();
    std::thread::scope(|scope| {
        for name in ["a_key", "b_key"] {
            let home = &home;
            scope.spawn(move || assert_eq!(fed(&mut secret(home.path(), &["set", name]), b"SECRETVALUE").code, 0));
        }
    });
    assert_eq!(run(&mut secret(home.path(), &["list"])).out, "a_key   file\nb_key   file\n");
}

#[test]
fn a_spoilt_file_has_a_message_and_stays() {
    let home = home();
    assert_eq!(fed(&mut secret(home.path(), &["set", "a_key"]), b"SECRETVALUE").code, 0);
    let path = home.path().join(".local/share/becket/keys.sealed");
    let sound = std::fs::read(&path).expect("the file");
    let mut newer = sound.clone();
    newer[8] = 9;
    let mut greedy = sound.clone();
    greedy[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let spoilt: [(&[u8], i32, &str); 5] = [
        (&sound[..40], 2, "it is cut short"),
        (b"", 2, "it is cut short"),
        (b"plain text", 2, "it is not a sealed file of this program"),
        (&newer, 2, "it has version 9, and this program reads version 1"),
        (&greedy, 2, "it asks for 4294967295 KiB of memory"),
    ];
    for (bytes, code, cause) in spoilt {
        std::fs::write(&path, bytes).expect("a file of this test");
        let ended = fed(&mut secret(home.path(), &["set", "b_key"]), b"SECRETVALUE");
        assert_eq!(ended.code, code, "{ended:?}");
        assert!(ended.err.contains(&format!("  cause: {cause}")), "{ended:?}");
        assert_eq!(std::fs::read(&path).expect("the file"), bytes);
    }
    std::fs::write(&path, &sound).expect("a file of this test");
    std::fs::write(home.path().join("passphrase"), "another passphrase").expect("a file of this test");
    let ended = run(&mut secret(home.path(), &["list"]));
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.err.contains("the passphrase is wrong, or the file was changed"), "{ended:?}");
}

#[test]
fn values_that_no_request_can_carry_are_refused() {
    let home = home();
    let long = vec![b'a'; 100_000];
    let values: [(&[u8], &str); 5] = [
        (b"\n", "error: no value on standard input"),
        (b"a\0b", "error: the value has a NUL, which no request can carry"),
        (b"a\xffb", "error: the value is not UTF-8"),
        (&long, "error: the value has more than 65536 bytes"),
        (b"\r\n", "error: no value on standard input"),
    ];
    for (value, message) in values {
        let ended = fed(&mut secret(home.path(), &["set", "a_key"]), value);
        assert_eq!((ended.code, ended.err.lines().next()), (2, Some(message)));
    }
    assert!(!home.path().join(".local").exists(), "nothing was written");
    let ended = fed(&mut secret(home.path(), &["set", "a_key"]), b"SECRET\nVALUE\n");
    assert_eq!(ended.code, 0);
    assert_eq!(ended.err, "warning: the value has a line break, which no header can carry\n");
    for words in [
        &["set", "../../x"][..],
        &["set", "a\nb"],
        &["set", "a_key=SECRETVALUE"],
        &["set", "a_key", "SECRETVALUE"],
    ] {
        let ended = run(&mut secret(home.path(), words));
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(!ended.err.contains("SECRETVALUE"), "{ended:?}");
    }
}
