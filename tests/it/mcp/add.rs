//! `add`: a server of ours is added as one of others would be.

use std::path::Path;

use serde_json::{Value, json};

use super::python;
use crate::program::{Ended, becket, run};

pub(super) const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/server.py");

/// `becket add` in a folder, with the words before `--` and a server that plays a text.
pub(super) fn add(folder: &Path, words: &[&str], play: &Value) -> Option<Ended> {
    let python = python()?;
    let play = play.to_string();
    let command = [python.as_str(), SERVER, &play];
    Some(run(becket().current_dir(folder).arg("add").args(words).arg("--").args(command)))
}

pub(super) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

pub(super) fn written(folder: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(name).join("connector.json")).expect("a connector");
    serde_json::from_str(&text).expect("JSON")
}

pub(super) fn weather() -> Value {
    json!({"tools": [
        {"name": "forecast", "description": "The weather\n  of a city.", "annotations": {"readOnlyHint": true},
         "inputSchema": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}},
        {"name": "alert-me", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": false}},
        {"name": "wipe", "inputSchema": {"type": "object"}},
    ]})
}

#[test]
fn chosen_tools_become_a_connector() {
    let folder = folder();
    let words = [
        "shelf",
        "--yes",
        "--tools",
        "forecast,wipe",
        "--risk",
        "wipe=notify",
        "--env",
        "SHELF_DATA",
    ];
    let Some(ended) = add(folder.path(), &words, &weather()) else {
        return;
    };
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "wrote shelf/connector.json (2 capabilities, imported)\n"),
        "{}",
        ended.err
    );
    for line in [
        "  forecast  read          (it claims to only read)\n",
        "  alert-me  reversible    (it claims to destroy nothing)\n",
        "  wipe      irreversible  (it claims nothing)\n",
        "note: no value for SHELF_DATA; set it in the environment\n",
        "next: SHELF_DATA=… becket call ./shelf forecast city=…\n",
    ] {
        assert!(ended.err.contains(line), "{line}{}", ended.err);
    }
    let connector = written(folder.path(), "shelf");
    let (first, second) = (&connector["capabilities"][0], &connector["capabilities"][1]);
    assert_eq!((&connector["imported"], &connector["env"]), (&json!(true), &json!(["SHELF_DATA"])));
    assert_eq!(
        (
            &first["name"],
            &first["tool"],
            &first["risk"],
            &first["signature"],
            &first["returns"]
        ),
        (
            &json!("shelf.forecast"),
            &json!("forecast"),
            &json!("read"),
            &json!("shelf.forecast({city, days?})"),
            &json!("The weather of a city.")
        )
    );
    assert_eq!(first["schema"], weather()["tools"][0]["inputSchema"]);
    assert_eq!(
        (&second["risk"], &second["returns"]),
        (&json!("notify"), &json!("the result of wipe"))
    );
    assert_eq!(first["reviewed"].as_str().expect("marks").split(' ').count(), 5);
    let said = json!({"description": "The weather\n  of a city.", "annotations": {"readOnlyHint": true}});
    assert_eq!((&first["as_reviewed"], second.get("as_reviewed")), (&said, None));
    let called = run(becket()
        .current_dir(folder.path())
        .args(["call", "shelf", "forecast", "city=Santos"]));
    assert_eq!((called.code, called.out.as_str()), (0, "{\"title\":\"Tides\"}\n"), "{}", called.err);
}

#[test]
fn a_server_is_not_started_without_a_yes() {
    let folder = folder();
    let marker = folder.path().join("started");
    let play = json!({"run": ["touch", marker]});
    let Some(ended) = add(folder.path(), &["shelf", "--tools", "all"], &play) else {
        return;
    };
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert!(ended.err.starts_with("error: `python3 "), "{}", ended.err);
    assert!(
        ended
            .err
            .ends_with("is other people's code, and starting it needs a yes\n\nhint: add `--yes` once you trust it\n")
    );
    assert!(!marker.exists() && !folder.path().join("shelf").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn it_starts_in_an_empty_folder_with_a_clean_environment() {
    let folder = folder();
    let (seen, here) = (folder.path().join("seen"), folder.path());
    let line = format!(
        "{{ pwd; ls -A | wc -l; tr '\\0' '\\n' < /proc/$$/environ | sort; }} > {}; exec \"$@\"",
        seen.display()
    );
    let Some(python) = python() else { return };
    let play = weather().to_string();
    let mut command = becket();
    command
        .current_dir(here)
        .env("HOME", here)
        .env("SHELF_DATA", "d")
        .env("OTHER_TOKEN", "SECRETVALUE");
    command.args(["add", "shelf", "--yes", "--tools", "wipe", "--env", "SHELF_DATA", "--"]);
    let ended = run(command.args(["sh", "-c", &line, "sh", &python, SERVER, &play]));
    assert_eq!(ended.code, 0, "{}", ended.err);
    let text = std::fs::read_to_string(&seen).expect("it was started");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("/becket-") && !Path::new(lines[0]).exists(), "{text}");
    assert_eq!(lines[1].trim(), "0", "{text}");
    let names: Vec<&str> = lines[2..].iter().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    assert_eq!(names, ["HOME", "LANG", "PATH", "SHELF_DATA"]);
}

#[test]
fn a_package_without_an_exact_version_is_not_started() {
    let folder = folder();
    for (command, err) in [
        (
            &["docker", "run", "-i", "acme/weather:latest"][..],
            "error: `acme/weather` asks for `latest`, which is no exact version: each start could run other code than you review\n\nhint: name it \
             exactly: `becket add … -- docker run -i acme/weather:1.2.3`\n",
        ),
        (
            &["npx", "-y", "github:acme/weather"],
            "error: `github:acme/weather` names no version: each start could run other code than you review\n\nhint: name a published package in an \
             exact version, or a repository at a whole commit\n",
        ),
    ] {
        let words = ["add", "weather", "--yes", "--tools", "all", "--"];
        let ended = run(becket().current_dir(folder.path()).args(words).args(command));
        assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (2, err, ""));
    }
}

#[test]
fn words_that_say_no_server_are_met_with_what_to_type() {
    let folder = folder();
    for (words, err) in [
        (
            &["weather"][..],
            "error: neither a command nor an address says where the server is\n\nhint: put the command after `--`, as in `becket add weather -- npx -y \
             PACKAGE@1.2.3`, or give an `https` address\n",
        ),
        (
            &["weather", "npx", "@acme/weather@1.2.3"],
            "error: the command stands after `--`\n\nhint: `becket add weather -- npx @acme/weather@1.2.3`\n",
        ),
        (
            &["weather", "uvx", "--from", "acme-weather==1.2.3", "weather"],
            "error: two folders, or a command without `--` before it\n\nhint: `becket add weather -- uvx …` for a command\n",
        ),
        (
            &["Weather", "--", "npx", "x@1.2.3"],
            "error: a connector name is 2 to 31 lowercase letters and digits, starting with a letter\n\nhint: try `weather`\n",
        ),
        (
            &["weather", "http://mcp.example.com/mcp"],
            "error: a remote server needs `https`\n\nhint: plain `http` is for this computer only\n",
        ),
        (
            &["weather", "https://mcp.example.com/mcp", "--", "npx", "x@1.2.3"],
            "error: an address and a command are two servers\n\nhint: give one of them\n",
        ),
        (
            &["weather", "--env", "ACME_KEY=sk-L1veExampleValue", "--", "npx", "x@1.2.3"],
            "error: `--env` takes a name only: a value on the command line would stay in your shell's history\n\nhint: set it in the environment and give \
             its name: `ACME_KEY=… becket add weather --env ACME_KEY …`\n",
        ),
        (
            &[
                "weather",
                "--header",
                "Authorization: Bearer sk-L1veExampleValue",
                "https://mcp.example.com/mcp",
            ],
            "error: `--header` takes a name only: a value on the command line would stay in your shell's history\n\nhint: set it in the environment and \
             give its name: `WEATHER_AUTHORIZATION=… becket add weather --header Authorization …`\n",
        ),
        (
            &["weather", "--", "npx", "x@1.2.3", "--api-key", "sk-L1veExampleValue77"],
            "error: a key stands in the command: it would stay in your shell's history and in the file\n\nhint: name its variable with `--env NAME`; if it \
             was real, replace it at the service\n",
        ),
        (
            &["weather", "--env", "acme_key", "--", "npx", "x@1.2.3"],
            "error: a key is named in upper-case letters, digits and `_`, starting with a letter\n\nhint: name it `ACME_KEY`\n",
        ),
        (
            &["weather", "--yes", "--", "nxp", "-y", "x"],
            "error: there is no program `nxp` in PATH ([..])\n\nhint: did you mean `npx`?\n",
        ),
    ] {
        let ended = run(becket().current_dir(folder.path()).arg("add").args(words));
        let search = std::env::var("PATH").unwrap_or_default();
        let said = ended.err.replace(&search, "[..]");
        let said = said
            .split("\n\nIt starts in an empty folder and is given PATH, HOME, LANG.\n")
            .last()
            .unwrap_or_default();
        assert_eq!((said, ended.out.as_str()), (err, ""), "{words:?}");
        assert!(matches!(ended.code, 2 | 4), "{words:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{words:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_reach_the_program_as_they_were_typed() {
    let Some(python) = python() else { return };
    let folder = folder();
    let odd = ["a b", "&", "%PATH%", "it's \"so\"", "", "-x", "--yes", "$HOME", "*", "a\nb"];
    let got = folder.path().join("got");
    let line = format!("printf '%s|' \"$@\" > {}; exec {python} {SERVER} \"$0\"", got.display());
    let play = weather().to_string();
    let words = [
        &["add", "shelf", "--yes", "--tools", "forecast", "--", "sh", "-c", &line, &play],
        &odd[..],
    ]
    .concat();
    let ended = run(becket().current_dir(folder.path()).args(&words));
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended
            .err
            .contains(" 'a b' '&' %PATH% 'it'\\''s \"so\"' '' -x --yes '$HOME' '*' 'a\\nb'\n"),
        "{}",
        ended.err
    );
    let expected: String = odd.iter().map(|word| format!("{word}|")).collect();
    let read = || std::fs::read_to_string(&got).expect("it was started");
    assert_eq!(read(), expected);
    let args = written(folder.path(), "shelf")["args"].clone();
    assert_eq!(args.as_array().map(|args| args[3..].to_vec()), json!(odd).as_array().cloned());
    std::fs::write(&got, "").expect("a file");
    assert_eq!(
        run(becket().current_dir(folder.path()).args(["call", "shelf", "forecast", "city=x"])).code,
        0
    );
    assert_eq!(read(), expected);
}
