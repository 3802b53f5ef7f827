//! `search`, and what is made of the entries of a registry, without the shared vectors.

use becket::adopt::command_line;
use becket::model::Transport;
use becket::registry::{self, FillError, connector_name};
use serde_json::{Value, json};

use crate::program::{Ended, becket, run};
use crate::service::Service;

/// A server of npm with an argument, a key and an input that only some give.
pub(crate) fn notes() -> Value {
    json!({"server": {
        "name": "io.github.zed/mcp-notes", "title": "Notes", "description": "Keeps notes\nin a folder.", "version": "0.4.2",
        "packages": [{
            "registryType": "npm", "identifier": "@zed/notes", "version": "0.4.2", "transport": {"type": "stdio"},
            "packageArguments": [
                {"type": "named", "name": "root", "isRequired": true, "description": "the folder"},
                {"type": "named", "name": "--level", "choices": ["low", "high"]},
                {"type": "positional", "value": "{\"a\":1}"}
            ],
            "environmentVariables": [{"name": "NOTES_KEY", "isSecret": true, "isRequired": true}]
        }]
    }})
}

fn remote() -> Value {
    json!({"server": {
        "name": "com.example/docs", "description": "Docs.", "version": "1.0.0",
        "remotes": [{"type": "streamable-http", "url": "https://mcp.example.com/mcp", "headers": [{"name": "Authorization"}]}]
    }})
}

fn image() -> Value {
    let package = json!({"registryType": "oci", "identifier": "x/y:1", "transport": {"type": "stdio"}});
    json!({"server": {"name": "boxes", "version": "1.0.0", "packages": [package]}})
}

/// A registry with these servers on one page.
pub(crate) fn registry_of(servers: Vec<Value>) -> Service {
    Service::start(move |request, line| {
        let body = match request.target.contains("/versions/") {
            true => servers[0].clone(),
            false => json!({"servers": servers, "metadata": {"nextCursor": null, "count": servers.len()}}),
        };
        line.answer(200, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    })
}

fn search(service: &Service, words: &[&str]) -> Ended {
    let registry = format!("http://{}", service.address());
    run(becket().args(["search", "--registry", &registry]).args(words))
}

#[test]
fn servers_are_listed_with_what_can_be_run() {
    let service = registry_of(vec![notes(), remote(), image()]);
    let ended = search(&service, &["notes"]);
    let out = "\
io.github.zed/mcp-notes  0.4.2  npm @zed/notes@0.4.2
    Keeps notes in a folder.
com.example/docs  1.0.0  remote https://mcp.example.com/mcp
    Docs.
boxes  1.0.0  (unsupported: it is a package of `oci`, which is not run here)
    warning: its name has no namespace, so nobody vouches for who made it
";
    let err = format!(
        "3 servers\nnext: becket add --from io.github.zed/mcp-notes --registry http://{}/\n",
        service.address()
    );
    assert_eq!((ended.code, ended.out.as_str(), ended.err), (0, out, err));
    let listed: Value = serde_json::from_str(&search(&service, &["notes", "--json"]).out).expect("JSON");
    assert_eq!((&listed["version"], &listed["more"]), (&json!(1), &json!(false)));
    let first = &listed["servers"][0];
    assert_eq!(first["connector"], json!("notes"));
    assert_eq!(
        (
            &first["ways"][0]["what"],
            &first["ways"][0]["keys"][0]["name"],
            &first["ways"][0]["inputs"][1]["choices"]
        ),
        (&json!("@zed/notes@0.4.2"), &json!("NOTES_KEY"), &json!(["low", "high"]))
    );
    assert_eq!(
        listed["servers"][2]["unsupported"],
        json!(["is a package of `oci`, which is not run here"])
    );
}

#[test]
fn pages_without_an_end_are_told() {
    let same = Service::start(|_, line| line.answer(200, &[], br#"{"servers": [], "metadata": {"nextCursor": "s"}}"#));
    let ended = search(&same, &["notes"]);
    let err = "no server of the registry has `notes` in its name\nnote: the registry gives the same page again, so this is all of it\n";
    assert_eq!((ended.code, ended.err.as_str(), same.seen().len()), (0, err, 2));
    let endless = Service::start(|seen, line| {
        let page = json!({"servers": null, "metadata": {"nextCursor": format!("{}x", seen.target.len())}});
        line.answer(200, &[], page.to_string().as_bytes())
    });
    let ended = search(&endless, &["notes"]);
    assert!(ended.err.contains("note: the registry "), "{}", ended.err);
    assert!(endless.seen().len() <= 100);
}

#[test]
fn a_word_that_turns_the_text_around_is_refused() {
    let mut turned = notes();
    turned["server"]["packages"][0]["packageArguments"][2]["value"] = json!("\u{202e}good");
    let ended = search(&registry_of(vec![turned]), &["notes"]);
    let why = "(unsupported: it has an argument with control characters, or ones that cannot be seen)\n";
    assert!(ended.out.contains(why), "{}", ended.out);
}

#[test]
fn what_a_registry_is_not_is_said() {
    let service = Service::start(|_, line| line.answer(200, &[("Content-Type", "text/html")], b"<p>Hello</p>"));
    let ended = search(&service, &["notes"]);
    let err = "error: the answer is not of the registry's API: it is no JSON\n\nhint: give the address of a registry with `--registry`: what \
               stands before `/v0.1/servers`\n";
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (5, "", err));
    let ended = run(becket().args(["search", "x", "--registry", "http://registry.example"]));
    assert!(
        ended.code == 2 && ended.err.contains("plain `http` reaches only this computer"),
        "{}",
        ended.err
    );
    let gone = registry_of(Vec::new());
    let ended = search(&gone, &["nothing"]);
    let err = "no server of the registry has `nothing` in its name\n";
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "", err));
}

#[test]
fn inputs_fill_the_command() {
    let entry = registry::single(&notes()).expect("an entry");
    let way = entry.way().expect("a way");
    let line = |given: &[(&str, &str)]| {
        let given: Vec<(String, String)> = given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        way.fill(&given).map(|filled| match filled.transport {
            Transport::Program { command, args } => command_line(&command, &args),
            other => format!("{other:?}"),
        })
    };
    assert_eq!(
        line(&[("root", "/a b")]).as_deref(),
        Ok("npx -y @zed/notes@0.4.2 --root '/a b' '{\"a\":1}'")
    );
    assert_eq!(
        line(&[("level", "high"), ("root", "x")]).as_deref(),
        Ok("npx -y @zed/notes@0.4.2 --root x --level high '{\"a\":1}'")
    );
    for (given, message) in [
        (&[][..], "the server needs `root`: the folder"),
        (&[("root", "a"), ("level", "mid")], "`level` is one of low, high"),
        (&[("root", "a"), ("root", "b")], "`root` is given twice and taken once"),
        (&[("rot", "a")], "the server has no input `rot`"),
    ] {
        let error: FillError = line(given).expect_err("an error");
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn names_of_connectors_come_from_names_of_servers() {
    for (server, name) in [
        ("a/mcp-notes-server", "notes"),
        ("a/9lives-mcp", "x9lives"),
        ("a/mcp", "mcp"),
        ("a/x", "xmcp"),
        ("日本", "xmcp"),
        ("io.github.acme/Weather_API", "weatherapi"),
        ("a/servermcpserver", "server"),
    ] {
        assert_eq!(connector_name(server), name, "{server}");
    }
}

/// A folder whose `npx` starts a server of ours, whatever package it is asked for, and keeps the
/// words in a file.
#[cfg(unix)]
fn with_npx(folder: &std::path::Path) -> Option<std::ffi::OsString> {
    use std::os::unix::fs::PermissionsExt;
    let python = crate::mcp::python()?;
    let play = json!({"tools": [{"name": "note", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]});
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'{}'\nexec '{python}' '{}' '{play}'\n",
        folder.join("words").display(),
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/server.py"),
    );
    let path = folder.join("npx");
    std::fs::write(&path, script).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
    let mut places = vec![folder.to_owned()];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(places).ok()
}

#[cfg(unix)]
#[test]
fn a_listed_server_is_added() {
    let service = registry_of(vec![notes()]);
    let registry = format!("http://{}", service.address());
    let (folder, tools) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let Some(path) = with_npx(tools.path()) else { return };
    let add = |words: &[&str]| {
        let mut command = becket();
        command.env("PATH", &path).current_dir(folder.path());
        run(command
            .args(["add", "--from", "io.github.zed/mcp-notes", "--registry", &registry])
            .args(words))
    };
    let refused = add(&["--yes", "--tools", "all"]);
    let err = "error: the server needs `root`: the folder\n\nhint: add `--input root=…`\n";
    assert_eq!((refused.code, refused.err.as_str()), (2, err));
    let refused = add(&["--input", "root=/n", "--as", "remote"]);
    let err = "error: `io.github.zed/mcp-notes` cannot be added\n\nhint: it is there with `--as npm`\n";
    assert_eq!((refused.code, refused.err.as_str()), (2, err));
    let mut command = becket();
    let other = ["add", "--from", "io.github.zed/mcp-notes@7.7.7", "--registry", &registry];
    let ended = run(command.env("PATH", &path).current_dir(folder.path()).args(other));
    let err = "error: the answer is not of the registry's API: it is about another version\n";
    assert!(ended.code == 5 && ended.err.starts_with(err), "{}", ended.err);
    let own = add(&["--input", "root=/n", "--env", "HOME"]);
    let err = "error: every program is given HOME as it is, so it is no key\n";
    assert!(own.code == 2 && own.err.starts_with(err), "{}", own.err);
    let asked = add(&["--input", "root=/n", "--tools", "all"]);
    assert!(asked.code == 2 && asked.err.contains("needs a yes"), "{}", asked.err);
    let ended = add(&["--input", "root=/n", "--tools", "all", "--yes"]);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.err.contains("  npx -y @zed/notes@0.4.2 --root /n '{\"a\":1}'\n"),
        "{}",
        ended.err
    );
    let text = std::fs::read_to_string(folder.path().join("notes/connector.json")).expect("a connector");
    let connector: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(connector["source"], json!("registry:io.github.zed/mcp-notes@0.4.2"));
    assert_eq!(connector["description"], json!("Keeps notes in a folder."));
    assert_eq!(
        (&connector["command"], &connector["args"], &connector["env"]),
        (
            &json!("npx"),
            &json!(["-y", "@zed/notes@0.4.2", "--root", "/n", "{\"a\":1}"]),
            &json!(["NOTES_KEY"])
        )
    );
    let words = std::fs::read_to_string(tools.path().join("words")).expect("npx was started");
    assert_eq!(words.lines().collect::<Vec<_>>(), ["-y @zed/notes@0.4.2 --root /n {\"a\":1}"; 2]);
}
