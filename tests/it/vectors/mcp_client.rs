//! MCP servers that misbehave, played as programs by `fake_mcp.py` and over HTTP by a fixture.
//! Limits are scaled down: 30 s are five, and a vector that answers after 29 or 31 s does so
//! within that, or not.

pub(crate) mod remote;
pub(crate) mod stage;
mod whole;

use std::time::{Duration, Instant};

use becket::exec::Reply;
use becket::mcp::{Class, Era, Failure, First, Limits, Session, Settings, Why};
use becket::model::Risk;
use serde_json::{Map, Value, json};

use self::stage::{Declared, SECRET, Stage, executable, tools};
use super::response::together;
use super::{figures, load};

pub(crate) const LIMITS: Limits = Limits {
    call: Duration::from_secs(5),
    silence: Duration::from_millis(1500),
    grace: Duration::from_millis(500),
    line: 16 << 20,
    answer: 5 << 20,
    pages: 1000,
    tools: 10_000,
};
/// What a failure may take beyond its limit on a busy computer: the grace of the program and the
/// start of the next.
const SLACK: Duration = Duration::from_secs(8);

const CLASSES: [&str; 11] = [
    "stdout-noise",
    "long-line",
    "silence",
    "answer",
    "process",
    "lifecycle",
    "server-request",
    "mrtr",
    "tools",
    "pagination",
    "drift",
];

#[test]
fn programs() {
    let Some(vectors) = load("mcp_client.json") else { return };
    for class in CLASSES.into_iter().chain(["version"]) {
        let of_class: Vec<_> = vectors
            .iter()
            .filter(|vector| vector["cls"] == class && vector["transport"] == "stdio")
            .collect();
        let failures = together(&of_class, judge);
        figures(&format!("mcp {class}"), of_class.len(), &failures);
    }
}

/// One vector as it is played.
struct Play {
    vector: Value,
    declared: Declared,
    limits: Limits,
    era: Era,
    first: First,
}

impl Play {
    fn new(vector: &Value) -> Self {
        let steps = vector["server"].as_array().expect("steps");
        let imported = steps.iter().any(|step| step["imported"] == true);
        let tools = match vector["cls"].as_str() {
            Some("pagination") => vec![],
            _ => vec![("tides_today".to_owned(), None)],
        };
        Self {
            vector: scaled(vector),
            declared: Declared {
                command: python().into(),
                args: Vec::new(),
                imported,
                tools,
            },
            limits: LIMITS,
            era: match vector["era"].as_str() {
                Some("modern") => Era::Modern,
                _ => Era::Auto,
            },
            first: First::Usual,
        }
    }

    fn id(&self) -> &str {
        self.vector["id"].as_str().expect("an id")
    }

    fn modern(mut self) -> Self {
        self.vector["era"] = "modern".into();
        self.era = Era::Modern;
        self
    }

    /// With a file of its own, so that the fake finds only this vector.
    fn stage(&self) -> Stage {
        self.stage_with(self.declared.clone())
    }

    fn stage_with(&self, mut declared: Declared) -> Stage {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("vectors.json");
        std::fs::write(&path, json!([self.vector]).to_string()).expect("a file");
        let fake = tools().join("fake_mcp.py").to_string_lossy().into_owned();
        if declared.args.is_empty() {
            declared.args = vec![fake, path.to_string_lossy().into_owned(), self.id().to_owned()];
        }
        Stage::new(&declared).keep(folder)
    }

    fn settings(&self, stage: &Stage) -> Settings {
        Settings {
            era: self.era,
            first: self.first,
            ..stage.settings(self.limits)
        }
    }
}

/// The vector with its 29 and 31 seconds on either side of our limit.
fn scaled(vector: &Value) -> Value {
    let text = vector.to_string();
    serde_json::from_str(
        &text
            .replace("\"sleep\":29000", "\"sleep\":3500")
            .replace("\"sleep\":31000", "\"sleep\":6500"),
    )
    .expect("JSON")
}

fn judge(vector: &Value) -> Result<(), String> {
    let play = Play::new(vector);
    let both = matches!(vector["cls"].as_str(), Some("stdout-noise" | "answer")) && vector["era"] == "both";
    played(&play)?;
    if both {
        played(&play.modern()).map_err(|why| format!("modern: {why}"))?;
    }
    Ok(())
}

/// A vector from start to end, and that nothing is left of it.
fn played(play: &Play) -> Result<(), String> {
    let stage = play.stage();
    let started = Instant::now();
    let result = special(play, &stage).unwrap_or_else(|| plain(play, &stage));
    let took = started.elapsed();
    let left = stage.left(Duration::from_secs(3));
    result?;
    if !left.is_empty() {
        return Err(format!("left running: {left:?}"));
    }
    if took > play.limits.call * 3 + SLACK {
        return Err(format!("took {took:?}"));
    }
    Ok(())
}

type Called = Result<Reply, Failure>;

fn call(session: &mut Session<'_>, stage: &Stage) -> Called {
    session.call(&stage.connector.capabilities[0], &Map::new())
}

/// The interpreter itself: what `python3` names may be a script that sets variables of its own.
fn python() -> String {
    static PYTHON: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let ask = || {
        let output = std::process::Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output();
        String::from_utf8_lossy(&output.expect("python3").stdout).trim().to_owned()
    };
    PYTHON.get_or_init(ask).clone()
}

fn good() -> Value {
    json!({"port": "Santos", "high": "10:42"})
}

fn is(condition: bool, seen: &dyn std::fmt::Debug) -> Result<(), String> {
    if condition {
        Ok(())
    } else {
        Err(format!("{seen:?}").chars().take(600).collect())
    }
}

/// What the vector's own words ask for.
fn plain(play: &Play, stage: &Stage) -> Result<(), String> {
    let started = Instant::now();
    let mut session = stage.session(play.settings(stage));
    let called = call(&mut session, stage);
    let took = started.elapsed();
    if took > play.limits.call + SLACK {
        return Err(format!("took {took:?}: {called:?}"));
    }
    expected(play.vector["expect"].as_str().expect("words"), &called)
}

fn expected(words: &str, called: &Called) -> Result<(), String> {
    let why = called.as_ref().map_err(|failure| &*failure.why);
    match words {
        "call-ok" | "first-only" | "ok at once" => is(called.as_ref().is_ok_and(|reply| reply.value == good()), called),
        "ok" | "ok parsed" | "ok-kept" | "ok, never fetched" | "ok-warn" => is(called.is_ok(), called),
        "timeout" => is(matches!(why, Err(Why::TooSlow { .. })), called),
        "too-large" => is(matches!(why, Err(Why::TooLarge { .. })), called),
        "tool-error" => is(matches!(why, Err(Why::Tool { .. })), called),
        "does not start" => is(matches!(why, Err(Why::Offer(_))), called),
        "ok-or-timeout" | "ignored-or-ok" | "timeout-or-clean-error" | "ok-or-clean-error" | "clean-error-or-ok" | "ok-or-too-large" => {
            clean(called).or_else(|_| is(called.is_ok(), called))
        }
        "retried with 2024-11-05 or clean-error" => clean(called),
        words if words.starts_with("clean-error") => clean(called),
        words => Err(format!("nobody judges `{words}`")),
    }
}

/// One message of one line, without a key and of a bearable length.
fn clean(called: &Called) -> Result<(), String> {
    let Err(failure) = called else { return Err(format!("{called:?}")) };
    let text = failure.to_string();
    let fits = text.len() < 1500 && !text.contains(SECRET) && !text.contains(char::is_control);
    is(fits, failure)
}

/// The vectors whose words need more than one call, or a look behind it.
fn special(play: &Play, stage: &Stage) -> Option<Result<(), String>> {
    let number: u32 = play.id().strip_prefix("mcpc-")?.parse().ok()?;
    Some(match number {
        23 => text_of(play, stage, 1 << 20),
        31 => first_discover(play, stage, Era::Legacy),
        35 => again(play, stage, |first, second| {
            expected("timeout", first).and_then(|()| expected("timeout", second))
        }),
        37 => big_argument(play, stage),
        38..=41 => again(play, stage, |first, second| {
            expected("call-ok", first).and_then(|()| expected("call-ok", second))
        }),
        61 => with(play, stage, |called| is(said(called, "nested too deep"), called)),
        72 => value_is(play, stage, json!([{"port": 1}])),
        73 => value_is(play, stage, json!([1, 2])),
        77 => with(play, stage, |called| {
            let lines = called.as_ref().map_err(|failure| failure.said.stderr.clone());
            is(
                lines.is_err_and(|lines| lines == ["ModuleNotFoundError: no module named x"]),
                called,
            )
            .and_then(|()| is(said(called, "exited with 1 before it answered `initialize`"), called))
        }),
        78 => again(play, stage, |first, second| {
            let ended = |called: &Called| is(said(called, "exited with 0 before it answered `tools/call`"), called);
            ended(first).and_then(|()| ended(second))
        }),
        81 => with(play, stage, |called| is(said(called, "SIGKILL"), called)),
        82 => closes_output(play, stage),
        84 => crashes(play),
        85 => command(
            play,
            "no-such-command-xyz",
            |_| {},
            |called| is(said(called, "`no-such-command-xyz`") && said(called, "PATH"), called),
        ),
        86 => command(
            play,
            "./plain",
            |folder| std::fs::write(folder.join("plain"), "text").expect("a file"),
            |called| is(said(called, "is not executable"), called),
        ),
        87 => command(
            play,
            "./script",
            |folder| executable(&folder.join("script"), "echo hi\n"),
            |called| is(said(called, "#!"), called),
        ),
        89 => command(play, "./server.py", good_server, |called| expected("call-ok", called)),
        92 => command(
            play,
            "python3",
            |folder| std::fs::remove_dir_all(folder).expect("a folder"),
            |called| is(said(called, "is gone"), called),
        ),
        93 | 95 | 98 | 108 => ended_whole(play, stage),
        96 => daemon(play, stage),
        99 => whole::flood(stage),
        100 => plain(play, stage),
        101 => shown(play, |lines| lines == ["using ***"]),
        102 => shown(play, |lines| lines == ["\\u{1b}[2J\\u{1b}]0;x\\u{7}"]),
        // 3 is the folder that the fake itself reads.
        106 => shown(play, |lines| lines == ["PEEK fds [\"0\", \"1\", \"2\", \"3\"]"]),
        107 => shown(play, |lines| {
            lines == ["PEEK environ [\"HOME\", \"LANG\", \"PATH\", \"STAGE\", \"TIDES_KEY\"]"]
        }),
        110 => whole::interrupted(stage),
        111 => whole::killed(stage),
        112 => answered(play, stage, "\"result\":{}"),
        114 | 116..=118 => answered(play, stage, "-32601"),
        122 => with(play, stage, |called| is(said(called, "did not answer `tools/call`"), called)),
        124 => with(play, stage, |called| {
            is(said(called, "needs input") && said(called, "name?"), called)
        }),
        125 => with(play, stage, |called| is(said(called, "after 10 rounds"), called)),
        127 => with(play, stage, |called| is(said(called, "needs input"), called)),
        128 => with(play, stage, |called| is(said(called, "may not ask for a secret"), called)),
        130 => with(play, stage, |called| is(said(called, "https://x/$(id)&calc"), called)),
        // The fake does not play this one on the list; tests/it/mcp does.
        131 => with(play, stage, |called| expected("call-ok", called)),
        132 => with(play, stage, |called| {
            is(said(called, "`sampling/createMessage`, which this client does not offer"), called)
        }),
        134 => with(play, stage, |called| is(said(called, "it offers too `tides_extra`"), called)),
        135 => hidden(play, stage),
        142 => with(play, stage, |called| is(said(called, "tides_today\\u{200b}"), called)),
        143 => noted(play, "longer than 128"),
        144 => noted(play, "other characters").and_then(|()| mapped(play, "a/b")),
        146 => noted(play, "a name that is no text"),
        148 | 149 => noted(play, "no schema of an object"),
        150 => nothing_fetched(play),
        152 | 155 => risk(play, Risk::Irreversible),
        153 => risk(play, Risk::Irreversible),
        154 => noted(play, "sounds like a change"),
        156 => risk(play, Risk::Reversible),
        159 => noted(play, "speaks to the assistant").and_then(|()| described(play, "\\u{200b}<IMPORTANT>")),
        160 => described(play, "\\u{1b}[8mhidden\\u{1b}[0m \\u{202e}abc"),
        161 => listed(play, |names| names == ["delete"]),
        162 => failed_list(play, |failure| failure.to_string().contains("5003 tools")),
        163 => listed(play, |names| names == ["a", "b", "c"]),
        164 => listed(play, |names| names == ["a"]).and_then(|()| listed(&Play::new(&play.vector).modern(), |names| names == ["a", "b"])),
        166 => failed_list(play, |failure| failure.to_string().contains("the cursor `same` is repeated")),
        167 => failed_list(play, |failure| failure.to_string().contains("more than 1000 pages")),
        168 | 169 => listed(play, |names| names == ["a", "b"]),
        171 => failed_list(play, |failure| failure.to_string().contains("page failed")),
        173 => again(play, stage, |first, second| {
            expected("call-ok", first).and_then(|()| is(said(second, "it offers too `new`"), second))
        })
        .and_then(|()| imported_again(play)),
        174 => drifted(play, false, |held| {
            is(held.is_err_and(|why| why.to_string().contains("lacks `tides_today`")), &"174")
        }),
        176 => drifted(play, true, |held| {
            is(held.is_err_and(|why| why.to_string().ends_with("reviewed: description")), &"176")
        }),
        177 => drifted(play, true, |held| {
            is(held.is_err_and(|why| why.to_string().contains("annotations")), &"177")
        }),
        178 => drifted(play, true, |held| is(held.is_ok(), &"178")),
        181 => listed(play, |names| names == ["tides_today"]),
        192 => noted(play, "serverInfo").and_then(|()| plain(play, stage)),
        186 => with(play, stage, |called| {
            is(said(called, "speaks 2099-01-01, and this client 2026-07-28, 2025-11-25"), called)
        }),
        191 => with(play, stage, |called| is(said(called, "offers no tools"), called)),
        196..=198 => first_discover(play, stage, Era::Legacy),
        201 | 202 | 206 => first_discover(play, stage, Era::Modern),
        203 => first_discover_fails(play, stage),
        204 => first_discover(play, stage, Era::Modern).and_then(|()| settles(play, stage, First::Initialize, Era::Modern)),
        205 => settles(
            &Play::new(&play.vector).modern(),
            &Play::new(&play.vector).modern().stage(),
            First::Usual,
            Era::Modern,
        ),
        _ => return None,
    })
}

fn said(called: &Called, words: &str) -> bool {
    called.as_ref().is_err_and(|failure| failure.to_string().contains(words))
}

fn with(play: &Play, stage: &Stage, judge: impl FnOnce(&Called) -> Result<(), String>) -> Result<(), String> {
    judge(&call(&mut stage.session(play.settings(stage)), stage))
}

fn again(play: &Play, stage: &Stage, judge: impl FnOnce(&Called, &Called) -> Result<(), String>) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let first = call(&mut session, stage);
    let second = call(&mut session, stage);
    judge(&first, &second)
}

fn value_is(play: &Play, stage: &Stage, value: Value) -> Result<(), String> {
    with(play, stage, |called| {
        is(called.as_ref().is_ok_and(|reply| reply.value == value), called)
    })
}

fn text_of(play: &Play, stage: &Stage, size: usize) -> Result<(), String> {
    with(play, stage, |called| {
        let length = called.as_ref().map(|reply| reply.value["text"].as_str().map_or(0, str::len));
        is(length.as_ref().is_ok_and(|length| *length == size), &length)
    })
}

fn big_argument(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let args = [("big".to_owned(), Value::from("x".repeat(5 << 20)))].into_iter().collect();
    let called = session.call(&stage.connector.capabilities[0], &args);
    expected("timeout", &called)
}

fn closes_output(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    session.tools().map_err(|failure| failure.to_string())?;
    let started = Instant::now();
    let called = call(&mut session, stage);
    is(
        said(&called, "closed its standard output") && started.elapsed() < Duration::from_secs(2),
        &called,
    )
}

/// Each start leaves a letter in a file.
fn crashes(play: &Play) -> Result<(), String> {
    let declared = Declared {
        command: "./starts.py".into(),
        args: vec!["unused".to_owned()],
        ..play.declared.clone()
    };
    let stage = play.stage_with(declared);
    let program = "#!/usr/bin/env python3\nopen('starts', 'a').write('x')\nraise SystemExit(1)\n";
    executable(&stage.folder.path().join("starts.py"), program);
    let mut session = stage.session(play.settings(&stage));
    let called = call(&mut session, &stage);
    clean(&called)?;
    let starts = std::fs::read_to_string(stage.folder.path().join("starts")).unwrap_or_default();
    is((1..=2).contains(&starts.len()), &starts)
}

fn command(
    play: &Play,
    command: &str,
    prepare: impl FnOnce(&std::path::Path),
    judge: impl FnOnce(&Called) -> Result<(), String>,
) -> Result<(), String> {
    let declared = Declared {
        command: command.into(),
        args: vec!["unused".to_owned()],
        ..play.declared.clone()
    };
    let stage = play.stage_with(declared);
    prepare(stage.folder.path());
    judge(&call(&mut stage.session(play.settings(&stage)), &stage))
}

fn good_server(folder: &std::path::Path) {
    let fake = tools().join("fake_mcp.py");
    let program = format!(
        "#!/usr/bin/env python3\nimport os, sys\nos.execv(sys.executable, [sys.executable, {:?}, 'none', 'good'])\n",
        fake.to_string_lossy()
    );
    executable(&folder.join("server.py"), &program);
}

/// A good call; and after the session not one process, within the grace of the program.
fn ended_whole(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let called = call(&mut session, stage);
    expected("call-ok", &called)?;
    let started = Instant::now();
    session.close();
    let left = stage.left(Duration::from_secs(2));
    is(
        left.is_empty() && started.elapsed() < Duration::from_secs(4),
        &(left, started.elapsed()),
    )
}

/// What has left the group is not ours to end: it delays nothing, and the test ends it.
fn daemon(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let called = call(&mut session, stage);
    expected("call-ok", &called)?;
    let started = Instant::now();
    session.close();
    let took = started.elapsed();
    for (id, line) in stage.processes() {
        is(line.contains("sleep 600"), &line)?;
        let ended = std::process::Command::new("kill").args(["-KILL", &id.to_string()]).status();
        is(ended.is_ok_and(|status| status.success()), &line)?;
    }
    is(took < Duration::from_secs(3), &took)
}

/// What the program wrote to standard error, as a failure shows it.
fn shown(play: &Play, judge: impl FnOnce(&[String]) -> bool) -> Result<(), String> {
    let declared = Declared {
        tools: vec![("another".to_owned(), None)],
        ..play.declared.clone()
    };
    let stage = play.stage_with(declared);
    match call(&mut stage.session(play.settings(&stage)), &stage) {
        Err(failure) => is(judge(&failure.said.stderr), &failure),
        Ok(reply) => Err(format!("{reply:?}")),
    }
}

fn answered(play: &Play, stage: &Stage, words: &str) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let called = call(&mut session, stage);
    expected("call-ok", &called)?;
    let told = |line: &String| line.starts_with("CLIENT SAID") && line.contains(words);
    for _ in 0..200 {
        if session.said().stderr.iter().any(told) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Err(format!("{:?}", session.said()))
}

fn hidden(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(play.settings(stage));
    let called = call(&mut session, stage);
    expected("call-ok", &called)?;
    let offered = session.tools().map(<[_]>::len);
    is(offered.as_ref().is_ok_and(|offered| *offered == 2), &offered)
}

/// The session's notes after its tools were listed.
fn noted(play: &Play, words: &str) -> Result<(), String> {
    let stage = play.stage();
    let mut session = stage.session(play.settings(&stage));
    session.tools().map_err(|failure| failure.to_string())?;
    let notes = session.notes();
    is(notes.iter().any(|note| note.contains(words)), &notes)
}

fn mapped(play: &Play, tool: &str) -> Result<(), String> {
    let declared = Declared {
        tools: vec![(tool.to_owned(), None)],
        ..play.declared.clone()
    };
    let stage = play.stage_with(declared);
    expected("call-ok", &call(&mut stage.session(play.settings(&stage)), &stage))
}

fn nothing_fetched(play: &Play) -> Result<(), String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port().to_string();
    let vector: Value = serde_json::from_str(&play.vector.to_string().replace("@PORT", &port)).expect("JSON");
    let play = Play::new(&vector);
    let stage = play.stage();
    expected("call-ok", &call(&mut stage.session(play.settings(&stage)), &stage))?;
    is(listener.accept().is_err(), &"somebody came")
}

fn listing<T>(play: &Play, judge: impl FnOnce(Result<&[becket::mcp::Tool], Failure>) -> T) -> T {
    let stage = play.stage_with(Declared {
        imported: true,
        tools: vec![("any".to_owned(), None)],
        ..play.declared.clone()
    });
    let mut session = stage.session(play.settings(&stage));
    judge(session.tools())
}

fn listed(play: &Play, judge: impl FnOnce(&[&str]) -> bool) -> Result<(), String> {
    listing(play, |tools| {
        let tools = tools.map_err(|failure| failure.to_string())?;
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        is(judge(&names), &names)
    })
}

fn failed_list(play: &Play, judge: impl FnOnce(&Failure) -> bool) -> Result<(), String> {
    listing(play, |tools| match tools {
        Err(failure) => is(judge(&failure) && failure.class() == Class::Service, &failure),
        Ok(tools) => Err(format!("{} tools", tools.len())),
    })
}

fn risk(play: &Play, risk: Risk) -> Result<(), String> {
    listing(play, |tools| {
        let tools = tools.map_err(|failure| failure.to_string())?;
        is(tools.len() == 1 && tools[0].risk() == risk, &tools)
    })
}

fn described(play: &Play, words: &str) -> Result<(), String> {
    listing(play, |tools| {
        let tools = tools.map_err(|failure| failure.to_string())?;
        let shown = tools[0].shown_description();
        is(shown.contains(words) && !shown.contains(char::is_control), &shown)
    })
}

fn imported_again(play: &Play) -> Result<(), String> {
    let stage = play.stage_with(Declared {
        imported: true,
        ..play.declared.clone()
    });
    again(play, &stage, |first, second| {
        expected("call-ok", first).and_then(|()| expected("call-ok", second))
    })
}

/// A call after which the list is another, and what a second look at it says.
fn drifted(play: &Play, imported: bool, judge: impl FnOnce(Result<(), Failure>) -> Result<(), String>) -> Result<(), String> {
    let reviewed = listing(play, |tools| {
        tools.map(|tools| tools[0].marks()).map_err(|failure| failure.to_string())
    })?;
    let stage = play.stage_with(Declared {
        imported,
        tools: vec![("tides_today".to_owned(), imported.then_some(reviewed))],
        ..play.declared.clone()
    });
    let mut session = stage.session(play.settings(&stage));
    expected("call-ok", &call(&mut session, &stage))?;
    judge(session.refresh())
}

fn settles(play: &Play, stage: &Stage, first: First, era: Era) -> Result<(), String> {
    let mut session = stage.session(Settings {
        first,
        ..play.settings(stage)
    });
    let called = call(&mut session, stage);
    expected("call-ok", &called)?;
    is(session.era() == Some(era), &session.era())
}

fn first_discover(play: &Play, stage: &Stage, era: Era) -> Result<(), String> {
    settles(play, stage, First::Discover, era)
}

fn first_discover_fails(play: &Play, stage: &Stage) -> Result<(), String> {
    let mut session = stage.session(Settings {
        first: First::Discover,
        ..play.settings(stage)
    });
    let called = call(&mut session, stage);
    is(
        matches!(called.as_ref().map_err(|failure| &*failure.why), Err(Why::Version { .. })),
        &called,
    )
}
