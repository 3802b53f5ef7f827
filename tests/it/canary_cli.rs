//! A key that must not be seen, through the program: every command, every way to fail, every
//! format. What is printed and every file that is left holds it in none of its encodings. The
//! causes are those of the vectors' classes `error-text`, `debug` and `residue` that can happen
//! to these commands.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use crate::authority::Authority;
use crate::canary::{KEY, encodings};
use crate::program::{Ended, becket, fed, run};
use crate::service::{Line, Seen, Service, Then};

/// A key as services make them, for files in which somebody typed it.
const TYPED: &str = "sk_live_SECRETVALUE7f3a9b2c4d5e6f70";
/// Where the key may be in what a service says.
const STATUSES: [u16; 6] = [200, 302, 401, 403, 429, 500];

/// The places of one test: a connector's folder and one for temporary files.
struct Home {
    folder: tempfile::TempDir,
    temporary: tempfile::TempDir,
}

impl Home {
    fn new(manifest: &str) -> Self {
        let home = Self {
            folder: tempfile::tempdir().expect("a folder for this test"),
            temporary: tempfile::tempdir().expect("a folder for this test"),
        };
        home.put(manifest);
        home
    }

    fn put(&self, manifest: &str) {
        fs::create_dir_all(self.folder.path().join("x")).expect("a folder of this test");
        fs::write(self.folder.path().join("x/connector.json"), manifest).expect("a file of this test");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = becket();
        command
            .current_dir(self.folder.path())
            .envs([("TMPDIR", self.temporary.path()), ("HOME", self.temporary.path())])
            .envs([("SHELF_TOKEN", KEY), ("RUST_BACKTRACE", "full"), ("RUST_LOG", "trace")])
            .args(words);
        command
    }

    /// Runs it and looks everywhere.
    fn clean(&self, words: &[&str]) -> Ended {
        self.clean_run(&mut self.command(words))
    }

    fn clean_run(&self, command: &mut Command) -> Ended {
        let ended = run(command);
        is_clean(&ended.out, command);
        is_clean(&ended.err, command);
        assert_ne!(ended.code, 70, "{ended:?}");
        assert_eq!(fs::read_dir(self.temporary.path()).expect("a folder of this test").count(), 0);
        let left: Vec<_> = fs::read_dir(self.folder.path())
            .expect("a folder of this test")
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(left, ["x"]);
        ended
    }
}

/// No encoding of a key, nor a part of one that gives it away.
fn is_clean(text: &str, from: &Command) {
    let small = text.to_lowercase();
    assert!(!small.contains("secretvalue"), "{from:?}: {text}");
    assert!(
        !small.contains("7f\"3a") && !small.contains("7f%223a") && !small.contains("7f3a"),
        "{from:?}: {text}"
    );
    for key in [KEY, TYPED] {
        for encoding in encodings(key) {
            assert!(!text.contains(&encoding), "{encoding} in what {from:?} printed: {text}");
        }
        for trace in traces(key) {
            assert!(!text.contains(&trace), "{trace} in what {from:?} printed: {text}");
        }
    }
}

/// Runs of letters of base64 and hex that only the key makes, wherever it falls.
fn traces(key: &str) -> Vec<String> {
    let mut long: Vec<String> = (0..3)
        .flat_map(|before| {
            [STANDARD, URL_SAFE].map(|engine| engine.encode([&b"::"[..before.min(2)], key.as_bytes()].concat())[4..].to_owned())
        })
        .collect();
    long.push(key.bytes().map(|byte| format!("{byte:02x}")).collect());
    let windows = |text: &String| -> Vec<String> {
        let letters: Vec<char> = text.trim_end_matches('=').chars().collect();
        letters[..letters.len() - 3]
            .windows(12)
            .map(|window| window.iter().collect())
            .collect()
    };
    long.iter().flat_map(windows).collect()
}

fn manifest(base: &str) -> String {
    format!(
        r#"{{
  "name": "shelf",
  "description": "Books.",
  "env": ["SHELF_TOKEN"],
  "http": {{"base": "{base}", "headers": {{"Authorization": "Bearer {{{{env.SHELF_TOKEN}}}}"}}, "query": {{"key": "{{{{env.SHELF_TOKEN}}}}"}}}},
  "capabilities": [
    {{"name": "shelf.get", "risk": "read", "signature": "shelf.get({{way}})", "returns": "{{id}}",
      "request": {{"method": "GET", "path": "/{{{{way}}}}"}}}},
    {{"name": "shelf.put", "risk": "irreversible", "signature": "shelf.put({{id}})", "returns": "{{id}}",
      "request": {{"method": "POST", "path": "/put", "body": {{"id": "{{{{id}}}}", "key": "{{{{env.SHELF_TOKEN}}}}"}}}}}},
    {{"name": "shelf.form", "risk": "reversible", "signature": "shelf.form({{id}})", "returns": "{{id}}",
      "request": {{"method": "PUT", "path": "/form", "form": true, "body": {{"id": "{{{{id}}}}", "key": "{{{{env.SHELF_TOKEN}}}}"}}}}}}
  ],
  "contract": [{{"capability": "shelf.get", "args": {{"way": "200"}}, "keys": ["isbn"]}}]
}}
"#
    )
}

fn local(port: u16) -> String {
    manifest(&format!("http://127.0.0.1:{port}"))
}

/// Every way in which a service may say the key again.
fn echoes() -> Vec<String> {
    let mut echoes = encodings(KEY);
    let escaped: String = KEY.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let quoted = serde_json::Value::from(KEY).to_string();
    echoes.extend([
        format!("{{\"id\": {quoted}, \"message\": {quoted}}}"),
        format!("{{\"message\": \"bad key {escaped}\", \"{escaped}\": [{quoted}]}}"),
        format!("[{{\"error\": {{\"detail\": \"no {}\"}}}}]", STANDARD.encode(KEY)),
        format!("Basic {}", STANDARD.encode(format!("user:{KEY}"))),
        format!("{{\"auth\": \"Basic {}\"}}", STANDARD.encode(format!("{KEY}:"))),
        format!("{{\"detail\": \"{}\"}}", URL_SAFE.encode(format!("ab{KEY}"))),
        KEY[..KEY.len() / 2].to_owned(),
        KEY[KEY.len() / 2..].to_owned(),
        format!("<p>{}{KEY}</p>", "x".repeat(295)),
        format!("cut {{\"k\":\"{escaped}"),
    ]);
    echoes
}

/// Answers `/302` with 302 and so on, the echo in every part of the answer.
fn echoing(echo: String) -> Service {
    Service::start(move |seen: &Seen, line: &mut Line| -> std::io::Result<Then> {
        let status = STATUSES
            .into_iter()
            .find(|status| seen.target.starts_with(&format!("/{status}")))
            .unwrap_or(404);
        let one_line = echo.replace(['\r', '\n'], " ");
        let location = format!("https://evil.example/?key={one_line}");
        let mut headers = vec![("X-Echo", one_line.as_str())];
        headers.extend((status == 302).then_some(("Location", location.as_str())));
        line.answer(status, &headers, echo.as_bytes())
    })
}

#[test]
fn an_echo_is_in_no_output() {
    for echo in echoes() {
        let service = echoing(echo.clone());
        let home = Home::new(&local(service.port()));
        for status in STATUSES {
            let way = format!("way={status}");
            let expected = [0, 4, 3, 3, 5, 5][STATUSES.iter().position(|one| *one == status).expect("one of them")];
            let ended = home.clean(&["call", "x", "get", &way]);
            assert_eq!(ended.code, expected, "{echo}: {ended:?}");
            if status != 302 && echo.len() < 250 {
                assert!(format!("{}{}", ended.out, ended.err).contains("***"), "{echo}: {ended:?}");
            }
        }
        home.clean(&["call", "x", "get", "way=500", "--json"]);
        home.clean(&["call", "x", "get", "way=404"]);
        let ended = home.clean(&["check", "x"]);
        assert_eq!(ended.code, 1, "{echo}: {ended:?}");
    }
}

#[test]
fn an_answer_stays_json() {
    let escaped: String = KEY.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let service = echoing(format!("{{\"id\": 1.10, \"of\": [\"a {escaped}\"], \"{escaped}\": null}}"));
    let home = Home::new(&local(service.port()));
    let ended = home.clean(&["call", "x", "get", "way=200"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "{\"id\":1.10,\"of\":[\"a ***\"],\"***\":null}\n")
    );
    let service = echoing("{\"id\": 12345678, \"n\": 123456789, \"t\": \"pin 12345678\"}".to_owned());
    home.put(&local(service.port()));
    let mut command = home.command(&["call", "x", "get", "way=200"]);
    let ended = run(command.env("SHELF_TOKEN", "12345678"));
    assert_eq!(ended.out, "{\"id\":\"***\",\"n\":\"***9\",\"t\":\"pin ***\"}\n");
}

#[test]
fn every_format_is_clean() {
    for echo in [
        KEY.to_owned(),
        STANDARD.encode(KEY),
        format!("{{\"message\": {}}}", serde_json::Value::from(KEY)),
    ] {
        let service = echoing(echo);
        let home = Home::new(&local(service.port()));
        for status in ["200", "401", "500"] {
            home.put(&local(service.port()).replace("\"way\": \"200\"", &format!("\"way\": \"{status}\"")));
            for format in ["human", "concise", "json", "github", "sarif", "junit"] {
                for command in ["check", "test"] {
                    let ended = home.clean(&[command, "x", "--format", format]);
                    assert!(!ended.out.is_empty(), "{command} {format}: {ended:?}");
                    if ["json", "sarif"].contains(&format) {
                        assert!(serde_json::from_str::<serde_json::Value>(&ended.out).is_ok(), "{}", ended.out);
                    }
                }
            }
        }
    }
}

#[test]
fn a_request_that_is_only_shown_is_clean() {
    let home = Home::new(&local(9));
    for words in [
        &["call", "x", "get", "way=a"][..],
        &["call", "x", "put", "id=1"],
        &["call", "x", "form", "id=1"],
        &["call", "x", "get", &format!("way={KEY}")],
        &["call", "x", "put", &format!("id={KEY}")],
        &[
            "call",
            "x",
            "form",
            "--args",
            &format!("{{\"id\": {}}}", serde_json::Value::from(KEY)),
        ],
    ] {
        for flag in ["--dry-run", "--curl"] {
            let ended = home.clean(&[words, &[flag]].concat());
            assert_eq!(ended.code, 0, "{words:?}: {ended:?}");
            assert!(ended.out.contains("SHELF_TOKEN"), "{ended:?}");
        }
    }
}

#[test]
fn a_call_that_does_not_arrive_is_clean() {
    let authority = Authority::new();
    let secure = Service::secure(authority.server(&["secretvalue.example"], |_| {}), |_, line| {
        line.answer(200, &[], b"{}")
    });
    let deaf = TcpListener::bind("127.0.0.1:0").expect("a port");
    let deaf_port = deaf.local_addr().expect("its address").port();
    // It closes each connection before any word of TLS; it ends with the tests.
    std::thread::spawn(move || deaf.incoming().for_each(drop));
    let home = Home::new("");
    let roots = tempfile::NamedTempFile::new().expect("a file for this test");
    fs::write(roots.path(), authority.pem()).expect("a file of this test");
    for base in [
        "http://127.0.0.1:9".to_owned(),
        format!("https://{}.example", "a".repeat(64)),
        format!("https://localhost:{deaf_port}"),
        format!("https://localhost:{}", secure.port()),
    ] {
        home.put(&manifest(&base));
        for words in [
            &["call", "x", "get", "way=a"][..],
            &["call", "x", "get", "way=a", "--json"],
            &["check", "x"],
            &["test", "x", "--json"],
        ] {
            let ended = home.clean_run(home.command(words).env("SSL_CERT_FILE", roots.path()));
            assert!([1, 4].contains(&ended.code), "{base}: {ended:?}");
        }
    }
}

#[test]
fn a_key_that_does_not_fit_is_clean() {
    let service = Service::start(|_, line| line.answer(200, &[], b"{\"isbn\": 1}"));
    let home = Home::new(&local(service.port()));
    for value in [format!("{KEY}\nX-Admin: 1"), format!("{KEY}\u{1b}[31m"), format!("{KEY}é")] {
        for words in [
            &["call", "x", "get", "way=a"][..],
            &["check", "x"],
            &["test", "x", "--format", "junit"],
            &["call", "x", "get", "way=a", "--dry-run"],
            &["call", "x", "get", "way=a", "--curl"],
        ] {
            let ended = home.clean_run(home.command(words).env("SHELF_TOKEN", &value));
            assert_eq!(ended.code, 3, "{ended:?}");
        }
    }
    assert_eq!(service.connections(), 0);
}

#[cfg(unix)]
#[test]
fn a_key_that_is_not_text_is_clean() {
    use std::os::unix::ffi::OsStringExt;
    let home = Home::new(&local(9));
    let value = std::ffi::OsString::from_vec([KEY.as_bytes(), b"\xff"].concat());
    for words in [&["call", "x", "get", "way=a"][..], &["check", "x"], &["test", "x", "--json"]] {
        let ended = home.clean_run(home.command(words).env("SHELF_TOKEN", &value));
        assert_eq!(ended.code, 3, "{ended:?}");
        assert!(ended.err.contains("the key SHELF_TOKEN is not UTF-8"), "{ended:?}");
    }
}

/// A key in the wrong place of a command line. The programs of the system show it to others; this
/// one does not.
#[test]
fn a_key_on_the_command_line_is_not_repeated() {
    let home = Home::new(&local(9));
    let flags = [format!("--token={KEY}"), format!("--{KEY}"), format!("--har={KEY}.har")];
    let mut lines: Vec<Vec<&str>> = vec![
        vec![KEY],
        vec!["help", KEY],
        vec!["check", KEY],
        vec!["check", "--format", KEY, "x"],
        vec!["check", "--color", KEY, "x"],
        vec!["test", "x", KEY],
        vec!["call", "x", KEY],
        vec!["call", KEY, "get"],
        vec!["call", "x", "get", KEY],
        vec!["call", "x", "get", "--args", KEY],
        vec!["call", "x", "get", "--args", KEY, "--json"],
        vec!["explain", KEY],
        vec!["explain", KEY, "--json"],
        vec!["-v", "check", "x"],
        vec!["call", "x", "get", "--debug-http", "way=a"],
    ];
    for flag in &flags {
        lines.extend([
            vec![flag.as_str()],
            vec!["check", flag, "x"],
            vec!["call", "x", "get", flag, "--json"],
            vec!["check", "x", flag, "--help"],
        ]);
    }
    for line in &lines {
        home.clean(line);
        // Nor one that is no key of the environment, but looks like one.
        let other: Vec<String> = line.iter().map(|word| word.replace(KEY, TYPED)).collect();
        let words: Vec<&str> = other.iter().map(String::as_str).collect();
        if !matches!(
            words[..],
            ["check" | "explain", TYPED, ..] | ["call", TYPED, ..] | ["call", _, TYPED]
        ) {
            home.clean(&words);
        }
    }
}

/// A key that somebody typed into connector.json.
#[test]
fn a_key_in_the_file_is_not_repeated() {
    let sound = local(9).replace("Bearer {{env.SHELF_TOKEN}}", "Bearer {{env.SHELF_TOKEN}} ");
    let home = Home::new("");
    let at = |from: &str, to: String| (from.to_owned(), to);
    for key in [TYPED.to_owned(), KEY.replace('"', "\\\"")] {
        for (from, to) in [
            at("Bearer {{env.SHELF_TOKEN}} ", format!("Bearer {key}")),
            at("\"key\": \"{{env.SHELF_TOKEN}}\"}}", format!("\"key\": \"{key}\"}}}}")),
            at("http://127.0.0.1:9", format!("http://user:{key}@127.0.0.1:9")),
            at("http://127.0.0.1:9", format!("http://127.0.0.1:9/?key={key}")),
            at("http://127.0.0.1:9", format!("http://127.0.0.1:9/{key}")),
            at("\"path\": \"/put\"", format!("\"path\": \"/put/{key}\"")),
            at("\"id\": \"{{id}}\"", format!("\"id\": \"{key}\"")),
            at("Books.", format!("Books. {key}")),
            at("\"way\": \"200\"", format!("\"way\": \"{key}\"")),
            at("\"isbn\"", format!("\"{key}\"")),
            at("\"env\": [\"SHELF_TOKEN\"]", format!("\"env\": [\"SHELF_TOKEN\", \"{key}\"]")),
            at("\"returns\": \"{id}\"", format!("\"retruns\": \"{key}\"")),
            at("\"description\"", format!("\"token\": \"{key}\", \"descripton\"")),
            at("\"capability\": \"shelf.get\"", format!("\"capability\": \"{key}\"")),
            at("\"method\": \"POST\"", format!("\"method\": \"{key}\"")),
            at("{{id}}", format!("{{{{env.{key}}}}}")),
            at("\"name\": \"shelf\",", format!("\"name\": \"{key}\",")),
        ] {
            let text = sound.replace(&from, &to);
            assert_ne!(text, sound, "{from}");
            home.put(&text);
            let before = fs::read(home.folder.path().join("x/connector.json")).expect("the file");
            for format in ["human", "concise", "json", "github", "sarif", "junit"] {
                home.clean(&["check", "--offline", "x", "--format", format]);
            }
            home.clean_run(home.command(&["check", "--offline", "x"]).env("COLUMNS", "60").env("LANG", "C"));
            home.clean(&["check", "x"]);
            home.clean(&["check", "x", "--diff"]);
            home.clean(&["test", "x", "--json"]);
            home.clean(&["call", "x", "get", "way=a"]);
            home.clean(&["call", "x", "put", "id=1", "--dry-run"]);
            let after = fs::read(home.folder.path().join("x/connector.json")).expect("the file");
            assert_eq!(before, after);
        }
    }
}

#[test]
fn a_file_that_is_no_manifest_is_not_repeated() {
    let home = Home::new("");
    for text in [
        format!("SHELF_TOKEN={KEY}\n"),
        format!("SHELF_TOKEN={TYPED}\n"),
        format!("{{\"key\": \"{TYPED}\""),
        format!("{{\"key\": {TYPED}}}"),
        format!("\"{TYPED}\""),
        format!("[\"{TYPED}\"]"),
        format!("{{\"{TYPED}\": 1, \"{TYPED}\": 2}}"),
    ] {
        home.put(&text);
        for format in ["human", "concise", "json", "github", "sarif", "junit"] {
            home.clean(&["check", "x", "--format", format]);
        }
        let ended = fed(&mut home.command(&["check", "-"]), text.as_bytes());
        is_clean(&ended.out, &home.command(&["check", "-"]));
        is_clean(&ended.err, &home.command(&["check", "-"]));
        home.clean(&["call", "x", "get", "--args", &text]);
    }
    fs::remove_file(home.folder.path().join("x/connector.json")).expect("the file");
    assert!(Path::new(home.folder.path()).exists());
}
