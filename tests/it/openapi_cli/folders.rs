//! Descriptions in files and on standard input, and the folder that is written: whole or not at all.

use std::sync::mpsc::channel;

use crate::program::{ended, fed};

use super::*;

const ONLY: [&str; 4] = ["--base", "https://pets.dev", "--only", "get"];

fn import(folder: &Path, words: &[&str]) -> Ended {
    openapi(folder, &[&ONLY[..], words].concat())
}

#[test]
fn a_description_on_standard_input() {
    let folder = folder(&[("common.yaml", "Q: {name: q, in: query}")]);
    let words = [&["openapi"], &ONLY[..], &["-", "pets"]].concat();
    let ended = fed(becket().current_dir(folder.path()).args(words), PETS.as_bytes());
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(read(folder.path(), "pets/connector.json").contains("\"pets.find_pets\""));
    assert!(!read(folder.path(), "pets/connector.json").contains("\"source\""));
    let beside = "{openapi: 3.0.3, info: {title: S, version: '1'}, paths: {/a: {get: {parameters: [{$ref: 'common.yaml#/Q'}]}}}}";
    let ended = fed(becket().current_dir(folder.path()).args(["openapi", "-"]), beside.as_bytes());
    assert!(
        ended.err.contains("a description on standard input has no files beside it"),
        "{ended:?}"
    );
}

#[test]
fn files_beside_a_description_inside_its_folder_only() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, servers: [{url: 'https://s.dev'}], paths: {
        /a: {get: {parameters: [{$ref: './common.yaml#/Q'}]}}, /b: {get: {$ref: '../secret.yaml'}}, /c: {get: {$ref: 'linked.yaml'}}, /d: {get: {$ref: 'http://127.0.0.1:1/x'}}}}";
    let folder = folder(&[
        ("home/s.yaml", text),
        ("home/common.yaml", "Q: {name: q, in: query, schema: {type: boolean}}"),
        ("secret.yaml", "summary: S3CRET"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.yaml"), folder.path().join("home/linked.yaml")).expect("a link");
    let ended = openapi(folder.path(), &["--only", "*", "home/s.yaml", "shelf"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let written = read(folder.path(), "shelf/connector.json");
    assert!(written.contains("\"boolean\"") && !written.contains("S3CRET"), "{written}");
    let listed = openapi(folder.path(), &["home/s.yaml"]);
    assert_eq!(
        listed.out.matches("(left out: it is described elsewhere (").count(),
        3,
        "{listed:?}"
    );
}

#[test]
fn a_folder_appears_with_its_file() {
    let folder = folder(&[("pets.yaml", PETS), ("there/notes.txt", "mine")]);
    for (dir, file) in [
        ("new", "new/connector.json"),
        ("deep/er/new/", "deep/er/new/connector.json"),
        ("there", "there/connector.json"),
        ("a b/é", "a b/é/connector.json"),
    ] {
        let ended = import(folder.path(), &["pets.yaml", "pets", dir]);
        assert_eq!(ended.code, 0, "{dir}: {ended:?}");
        assert!(read(folder.path(), file).starts_with("{\n  \"name\": \"pets\",\n"));
    }
    assert_eq!(entries(&folder.path().join("there")), ["connector.json", "notes.txt"]);
    assert_eq!(entries(&folder.path().join("new")), ["connector.json"]);
    assert_eq!(entries(folder.path()), ["a b", "deep", "new", "pets.yaml", "there"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_left_as_it_was() {
    let folder = folder(&[("pets.yaml", PETS), ("file", "mine"), ("there/connector.json/x", "mine")]);
    for (dir, err) in [
        ("file", "error: file is no folder; nothing was written\n\nhint: give another DIR\n"),
        (
            "file/deep",
            "error: file is no folder; nothing was written\n\nhint: give another DIR\n",
        ),
    ] {
        let before = entries(folder.path());
        assert_failed(&import(folder.path(), &["pets.yaml", "pets", dir]), 2, err);
        assert_eq!(entries(folder.path()), before, "{dir}");
    }
    let ended = import(folder.path(), &["--force", "pets.yaml", "pets", "there"]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{ended:?}");
    assert_eq!(read(folder.path(), "file"), "mine");
    assert_eq!(read(folder.path(), "there/connector.json/x"), "mine");
    assert_eq!(entries(&folder.path().join("there")), ["connector.json"]);
}

/// Nothing may be written in a folder without permission; as root, who may write anywhere, the
/// program runs as another user.
#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_told() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = folder(&[("pets.yaml", PETS), ("closed/x", "mine")]);
    let mode = |name: &str, mode| fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).expect("a path of ours");
    let program = folder.path().join("becket");
    fs::copy(crate::program::path("becket"), &program).expect("a copy");
    mode("", 0o755);
    mode("becket", 0o755);
    mode("closed", 0o555);
    let mut command = clean(std::process::Command::new(&program));
    command
        .current_dir(folder.path())
        .arg("openapi")
        .args(ONLY)
        .args(["pets.yaml", "pets", "closed/pets"]);
    if rustix::process::getuid().is_root() {
        command.uid(65_534).gid(65_534);
    }
    let ended = run(&mut command);
    assert_failed(
        &ended,
        2,
        "error: cannot write closed/pets/connector.json\n  cause: permission denied\n\nhint: the file was not changed\n",
    );
    assert_eq!(entries(&folder.path().join("closed")), ["x"]);
    mode("closed", 0o755);
}

/// While the description comes; the connector is written last, so there is nothing of it.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_nothing() {
    use rustix::process::{Pid, Signal, kill_process};
    let (asked, arrives) = channel();
    let service = Service::start(move |_, line| {
        asked.send(()).expect("the test waits");
        line.hold();
        line.answer(200, &[YAML], PETS.as_bytes())
    });
    let (folder, temporary) = (folder(&[]), folder(&[]));
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 130), (Signal::KILL, -1)] {
        let mut command = becket();
        command.current_dir(folder.path()).env("TMPDIR", temporary.path());
        command.arg("openapi").args(ONLY).args([&at(&service, "/x"), "pets"]);
        let child = command.spawn().expect("the program starts");
        arrives.recv().expect("the request comes");
        let id = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not 0");
        kill_process(id, signal).expect("it runs");
        let ended = ended(child);
        assert_eq!((ended.code, ended.out.as_str()), (code, ""), "{ended:?}");
        assert_eq!((entries(folder.path()).len(), entries(temporary.path()).len()), (0, 0));
    }
}
