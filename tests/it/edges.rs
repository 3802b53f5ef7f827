//! What a hostile user or file system does to the program: inputs that are no connector, Ctrl-C,
//! readers that go away, terminals, other programs' words.

#[cfg(unix)]
mod interrupts;
#[cfg(unix)]
mod terminal;

use std::fs::{self, File};
use std::path::Path;

use becket::demo;

use crate::program::{Ended, becket, fed, run};

/// A sound manifest; nothing listens at its address.
fn sound() -> String {
    demo::connector("http://127.0.0.1:9")
}

fn check(folder: &Path, words: &[&str]) -> Ended {
    run(becket()
        .current_dir(folder)
        .args(["check", "--offline", "--format", "concise"])
        .args(words))
}

fn put(folder: &Path, name: &str, text: &[u8]) {
    fs::create_dir_all(folder.join(name)).expect("a folder of this test");
    fs::write(folder.join(name).join("connector.json"), text).expect("a file of this test");
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for this test")
}

#[test]
fn huge_files_and_streams_are_refused_unread() {
    let folder = folder();
    put(folder.path(), "huge", b"");
    let file = File::create(folder.path().join("huge/connector.json")).expect("a file of this test");
    file.set_len(100 << 20).expect("a hole");
    let ended = check(folder.path(), &["huge"]);
    let message = "error: `huge/connector.json` is larger than 16 MB\n\nhint: check that it is the right file\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (2, message, ""));
    let ended = fed(becket().args(["check", "--offline", "-"]), &vec![b' '; 17 << 20]);
    let message = "error: `standard input` is larger than 16 MB\n\nhint: check that it is the right file\n";
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (2, message, ""));
}

#[test]
fn depth_is_one_error() {
    let folder = folder();
    put(folder.path(), "lists", &[[b'['; 100_000], [b']'; 100_000]].concat());
    put(folder.path(), "open", &[b'['; 100_000]);
    put(folder.path(), "maps", "{\"a\":".repeat(100_000).as_bytes());
    for (name, column) in [("lists", 129), ("open", 129), ("maps", 128 * 5 + 1)] {
        let ended = check(folder.path(), &[name]);
        let expected = format!("{name}/connector.json:1:{column}: P000 not valid JSON: nested deeper than 128 levels\n");
        assert_eq!((ended.code, ended.out), (1, expected));
    }
}

#[test]
fn one_bad_neighbour_stops_nobody() {
    let folder = folder();
    put(folder.path(), "bytes", b"\xff");
    put(folder.path(), "good", sound().as_bytes());
    put(folder.path(), "wrong", sound().replace("\"read\"", "\"raed\"").as_bytes());
    put(folder.path(), ".half-made", b"{");
    fs::create_dir(folder.path().join("no-connector")).expect("a folder of this test");
    let ended = check(folder.path(), &["."]);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines.len(), 2, "{ended:?}");
    assert!(lines.iter().all(|line| line.starts_with("./wrong/connector.json:")), "{ended:?}");
    assert_eq!(
        ended.err,
        "error: `./bytes/connector.json` is not UTF-8 text: byte 1 is wrong\n\nhint: save the file as UTF-8\n"
    );
    assert_eq!(ended.code, 2);
}

#[test]
fn a_path_is_read_once_however_it_is_written() {
    let folder = folder();
    put(folder.path(), "a b/é", sound().replace("\"read\"", "\"raed\"").as_bytes());
    let alone = check(folder.path(), &["a b/é"]);
    assert_eq!((alone.code, alone.out.lines().count()), (1, 2));
    for words in [
        &["a b/é", "a b/é"][..],
        &["a b/é", "a b/é/"],
        &["a b/é", "./a b/é/connector.json", "a b"],
        &["a b/é", "a b/../a b/é"],
    ] {
        assert_eq!(check(folder.path(), words).out, alone.out, "{words:?}");
    }
    let trailing = check(folder.path(), &["a b/é/"]);
    assert_eq!(trailing.out, alone.out);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf8_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = OsStr::from_bytes(b"caf\xe9");
    fs::create_dir(folder.path().join(name)).expect("a folder of this test");
    fs::write(folder.path().join(name).join("connector.json"), "[]").expect("a file of this test");
    let ended = run(becket().current_dir(folder.path()).args(["check", "--format", "concise"]).arg(name));
    assert_eq!(ended.code, 1);
    assert!(ended.out.starts_with("caf\u{fffd}/connector.json:1:1: P003 "), "{ended:?}");
}

/// Root may read everything, so the program runs as another user where this test runs as root.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_one_error() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a path of this test");
    let folder = folder();
    put(folder.path(), "file", sound().as_bytes());
    put(folder.path(), "closed", sound().as_bytes());
    put(folder.path(), "good", sound().as_bytes());
    let program = folder.path().join("becket");
    fs::copy(crate::program::path("becket"), &program).expect("a copy");
    mode(folder.path(), 0o755);
    mode(&program, 0o755);
    mode(&folder.path().join("file/connector.json"), 0);
    mode(&folder.path().join("closed"), 0);
    let is_root = fs::metadata(folder.path()).expect("a folder of this test").uid() == 0;
    let run_in = |words: &[&str]| {
        let mut command = crate::program::clean(std::process::Command::new(&program));
        command
            .current_dir(folder.path())
            .args(["check", "--offline", "--format", "concise"])
            .args(words);
        if is_root {
            command.uid(65_534).gid(65_534);
        }
        run(&mut command)
    };
    let hint = "\n\nhint: change who may read the file or its folders\n";
    for (word, path) in [
        ("file", "file/connector.json"),
        ("closed", "closed/connector.json"),
        ("closed/connector.json", "closed/connector.json"),
    ] {
        let ended = run_in(&[word, "good"]);
        let message = format!("error: no permission to read `{path}`{hint}");
        assert_eq!((ended.code, ended.err, ended.out.as_str()), (2, message, ""), "{word}");
    }
    mode(&folder.path().join("closed"), 0o311);
    let ended = run_in(&["closed", "good"]);
    assert_eq!(ended.code, 0, "a folder that may be entered: {ended:?}");
    let ended = run_in(&["."]);
    assert_eq!(
        (ended.code, ended.err),
        (2, format!("error: no permission to read `./file/connector.json`{hint}"))
    );
    mode(&folder.path().join("closed"), 0o755);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_listed_is_one_error() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = folder();
    let program = folder.path().join("becket");
    fs::copy(crate::program::path("becket"), &program).expect("a copy");
    fs::create_dir(folder.path().join("many")).expect("a folder of this test");
    for (path, mode) in [
        (folder.path().to_owned(), 0o755),
        (program.clone(), 0o755),
        (folder.path().join("many"), 0o311),
    ] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a path of this test");
    }
    let mut command = crate::program::clean(std::process::Command::new(&program));
    command.current_dir(folder.path()).args(["check", "many"]);
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    let ended = run(&mut command);
    let message = "error: cannot list many\n  cause: Permission denied (os error 13)\n";
    assert_eq!((ended.code, ended.err.as_str()), (2, message));
}

/// A fault while mending leaves the file as it was, and nothing beside it.
#[test]
fn a_fix_replaces_the_file_whole() {
    let folder = folder();
    let text = sound().replace("\"returns\"", "\"retruns\"");
    put(folder.path(), "x", text.as_bytes());
    let ended = run(becket().current_dir(folder.path()).args(["check", "--offline", "--fix", "x"]));
    assert_eq!(
        (ended.code, ended.err.lines().next()),
        (0, Some("Fixed 3 findings in x/connector.json")),
        "{ended:?}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("x/connector.json")).expect("the file"),
        sound()
    );
    assert_eq!(fs::read_dir(folder.path().join("x")).expect("the folder").count(), 1);
}

/// A connector whose case needs an answer that never comes ends with the code of its kind; every
/// kind of end has its code.
#[test]
fn the_gravest_end_is_told() {
    let folder = folder();
    put(folder.path(), "down", sound().as_bytes());
    put(folder.path(), "wrong", b"[]");
    let keyed = sound().replace(
        "\"http\": {",
        "\"env\": [\"LIBRARY_CARD\"], \"http\": {\"headers\": {\"X-Card\": \"{{env.LIBRARY_CARD}}\"}, ",
    );
    put(folder.path(), "keyed", keyed.as_bytes());
    for (words, code) in [
        (&["wrong"][..], 1),
        (&["wrong", "down"], 4),
        (&["wrong", "down", "keyed"], 3),
        (&["wrong", "down", "keyed", "none"], 2),
        (&["--exit-zero", "wrong"], 0),
        (&["--exit-zero", "wrong", "down"], 4),
        (&["--format", "sarif", "wrong"], 0),
        (&["--format", "sarif", "wrong", "keyed"], 3),
    ] {
        let ended = run(becket().current_dir(folder.path()).args(["check", "--quiet"]).args(words));
        assert_eq!(ended.code, code, "{words:?}: {ended:?}");
    }
}
