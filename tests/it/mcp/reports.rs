//! Public bug reports about MCP clients, as tests of this one.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Shelf, found};

#[test]
fn a_full_stderr_pipe_does_not_hang() {
    let Some(shelf) = Shelf::new(&json!({"stderr": "e", "times": 256 << 10})) else {
        return;
    };
    assert_eq!(shelf.once(), Ok(found()));
}

#[test]
fn what_a_program_says_before_it_ends_is_told() {
    let play = json!({"stderr": "missing TOKEN\n", "exit": 3});
    let Some(shelf) = Shelf::new(&play) else { return };
    let failure = shelf.call(&mut shelf.session()).expect_err("it ended");
    assert_eq!(failure.to_string(), "`shelf` exited with 3 before it answered `initialize`");
    assert_eq!(failure.said.stderr, ["missing TOKEN"]);
}

#[test]
fn stdout_noise_of_every_kind() {
    for before in [
        "Starting…\n",
        "\n\r\n\n",
        "\u{feff}",
        "half a line\n[INFO] x\r\n",
        "{\"a\": 1} {\"b\": 2}\n",
        "{}\n[]\nnull\n\"x\"\n",
        "progress 1%\rprogress 2%\r",
    ] {
        let Some(shelf) = Shelf::new(&json!({ "before": before })) else {
            return;
        };
        assert_eq!(shelf.once(), Ok(found()), "{before:?}");
    }
}

#[test]
fn half_a_line_and_an_end() {
    let play = json!({"before": "{\"jsonrpc\": \"2.0\", \"id\": 1, \"res", "exit": 0});
    let Some(shelf) = Shelf::new(&play) else { return };
    let failure = shelf.call(&mut shelf.session()).expect_err("it ended");
    assert_eq!(failure.to_string(), "`shelf` exited with 0 before it answered `initialize`");
    assert_eq!(failure.said.noise.map(|noise| noise.lines), Some(1));
}

#[test]
fn pages_are_followed_and_a_name_may_come_once() {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let play = json!({"pages": [[tool("shelf_find")], [tool("b")], [tool("shelf_find")]]});
    let Some(shelf) = Shelf::with(&play, &json!({"imported": true})) else {
        return;
    };
    assert_eq!(
        shelf.once(),
        Err("the answer of `shelf` to `tools/list` has 3 tools and names 1 of them again, such as `shelf_find`".to_owned())
    );
}

#[test]
fn versions_are_settled() {
    let answer =
        |version: serde_json::Value| json!({"errors": {"initialize": {"code": -32602, "message": "no", "data": {"supported": [version]}}}});
    let Some(shelf) = Shelf::new(&answer(json!("2024-11-05"))) else {
        return;
    };
    // It always refuses; the second question names the version that it wants.
    assert!(
        shelf
            .once()
            .is_err_and(|why| why.contains("answered `initialize` with an error: no (-32602)"))
    );
    let asked: Vec<_> = shelf
        .heard()
        .iter()
        .map(|message| message["params"]["protocolVersion"].clone())
        .collect();
    assert_eq!(asked, ["2025-11-25", "2024-11-05"]);
    let shelf = Shelf::new(&answer(json!("9999-01-01"))).expect("Python was there before");
    assert!(shelf.once().is_err());
    assert_eq!(shelf.methods(), ["initialize"]);
}

#[test]
fn a_version_that_is_none_is_told_as_what_it_is() {
    for (play, why) in [
        (
            json!({"initialized": {"capabilities": {"tools": {}}}}),
            "the answer of `shelf` to `initialize` names no version of the protocol (`protocolVersion`)",
        ),
        (
            json!({"initialized": {"protocolVersion": 20_250_618}}),
            "the answer of `shelf` to `initialize` has a `protocolVersion` that is no version",
        ),
        (
            json!({"initialized": {"protocolVersion": "2099-01-01"}}),
            "`shelf` speaks 2099-01-01, and this client 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
        ),
    ] {
        let Some(shelf) = Shelf::new(&play) else { return };
        assert_eq!(shelf.once(), Err(why.to_owned()));
        assert_eq!(shelf.methods(), ["initialize"]);
    }
}

#[test]
fn a_cursor_that_is_repeated_is_named() {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    let play = json!({"cursor": "x", "pages": [[tool("shelf_find")], [], [tool("b")]]});
    let Some(shelf) = Shelf::new(&play) else { return };
    assert_eq!(
        shelf.once(),
        Err("`shelf` lists its tools without end: the cursor `x` is repeated".to_owned())
    );
}

#[test]
fn a_line_has_a_limit() {
    let Some(shelf) = Shelf::new(&json!({"fill": 20 << 20})) else {
        return;
    };
    assert_eq!(shelf.once(), Err("a line of `shelf` is larger than 16 MB".to_owned()));
    let shelf = Shelf::new(&json!({"fill": 15 << 20})).expect("Python was there before");
    assert_eq!(shelf.once(), Ok(found()));
}

/// A server of the older era that is asked the newer question: it hangs, refuses with any code, or ends.
#[test]
fn an_older_server_bears_the_newer_question_or_is_started_anew() {
    let method = "server/discover";
    for (play, starts) in [
        (json!({"silent": [method]}), 1),
        (json!({"errors": {method: {"code": -32602, "message": "no"}}}), 1),
        (
            json!({"errors": {method: {"code": -32000, "message": "no"}}, "stderr": "e", "times": 8 << 10}),
            1,
        ),
        (json!({"quits": [method]}), 2),
    ] {
        let Some(shelf) = Shelf::new(&play) else { return };
        let mut settings = shelf.settings();
        settings.first = becket::mcp::First::Discover;
        settings.limits.silence = Duration::from_secs(2);
        let mut session = becket::mcp::Session::new(&shelf.connector, &shelf.keys, settings);
        assert_eq!(shelf.call(&mut session).map(|reply| reply.value), Ok(found()), "{play}");
        let first = shelf.heard().iter().filter(|message| message["id"] == 1).count();
        assert_eq!(first, starts, "{play}");
    }
}

/// Wrappers such as `npx` start the server as a process of their own.
#[cfg(target_os = "linux")]
mod orphans {
    use super::*;
    use crate::mcp::LIMITS;
    use crate::vectors::mcp_client::stage::{Declared, Stage};
    use std::process::{Command, Stdio};

    fn wrapped(play: &serde_json::Value) -> Option<Stage> {
        let python = crate::mcp::python()?;
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/mcp/server.py");
        let line = "sleep 1000 & \"$@\"; true";
        let words = ["-c", line, "sh", &python, script, &play.to_string()];
        Some(Stage::new(&Declared {
            command: "sh".into(),
            args: words.map(str::to_owned).to_vec(),
            imported: false,
            tools: vec![("shelf_find".to_owned(), None)],
        }))
    }

    #[test]
    fn nothing_is_left_behind_a_wrapper() {
        let Some(stage) = wrapped(&json!({})) else { return };
        let mut session = stage.session(stage.settings(LIMITS));
        let called = session.call(&stage.connector.capabilities[0], &serde_json::Map::new());
        assert_eq!(called.map(|reply| reply.value), Ok(found()));
        assert!(stage.processes().len() >= 3, "{:?}", stage.processes());
        session.close();
        assert_eq!(stage.left(Duration::from_secs(2)), Vec::<String>::new());
    }

    /// How we end, and our exit code when that is one.
    #[test]
    fn nothing_is_left_however_we_end() {
        for (signal, code) in [("-KILL", None), ("-TERM", Some(130)), ("-INT", Some(130))] {
            let Some(stage) = wrapped(&json!({"silent": ["tools/call"]})) else {
                return;
            };
            let folder = stage.folder.path().to_string_lossy().into_owned();
            let mut command = stage.command(&["call", &folder, "today"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
            let heard = stage.folder.path().join("heard");
            let ends = Instant::now() + Duration::from_secs(20);
            while !std::fs::read_to_string(&heard).is_ok_and(|text| text.contains("tools/call")) && Instant::now() < ends {
                std::thread::sleep(Duration::from_millis(20));
            }
            let running = stage.processes().len();
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert_eq!(child.wait().expect("it ended").code(), code, "{signal}");
            assert!(sent.is_ok_and(|status| status.success()) && running >= 4, "{signal}: {running}");
            assert_eq!(stage.left(Duration::from_secs(2)), Vec::<String>::new(), "{signal}");
        }
    }
}
