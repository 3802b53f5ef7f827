//! MCP servers that are ours: a small program in Python, and a remote fixture. Without Python
//! nothing is run, unless BECKET_PYTHON names the interpreter; then a missing one fails.

mod add;
mod adding;
mod remote;
mod reports;
mod spec;
mod terminal;

use std::path::Path;
use std::time::Duration;

use becket::exec::Reply;
use becket::keys::Keys;
use becket::mcp::{Failure, Limits, Session, Settings};
use becket::model::Connector;
use becket::rules;
use becket::source::Source;
use serde_json::{Map, Value, json};

use crate::vectors::mcp_client::stage::places;

pub(crate) const LIMITS: Limits = Limits {
    call: Duration::from_secs(20),
    silence: Duration::from_secs(20),
    grace: Duration::from_millis(500),
    line: 16 << 20,
    answer: 5 << 20,
    pages: 100,
    tools: 1000,
};

/// A folder with a connector `shelf` whose program plays a text of JSON.
struct Shelf {
    folder: tempfile::TempDir,
    connector: Connector,
    keys: Keys,
    limits: Limits,
}

/// The interpreter, if tests are to use one.
pub(crate) fn python() -> Option<String> {
    let asked = std::env::var("BECKET_PYTHON").ok();
    let python = asked.clone().unwrap_or_else(|| "python3".to_owned());
    match std::process::Command::new(&python).arg("--version").output() {
        Ok(output) if output.status.success() => Some(python),
        _ if asked.is_some() => panic!("cannot start {python}; these tests need Python"),
        _ => None,
    }
}

fn manifest(python: &str, play: &Value, more: &Value) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp/server.py");
    let mut manifest = json!({
        "name": "shelf",
        "description": "Books.",
        "command": python,
        "args": [script.to_string_lossy(), play.to_string()],
        "capabilities": [{"name": "shelf.find", "risk": "read", "signature": "shelf.find({title?})", "returns": "{title}"}],
        "contract": [{"capability": "shelf.find", "args": {}, "keys": ["title"]}],
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        manifest[name] = value.clone();
    }
    manifest
}

impl Shelf {
    fn new(play: &Value) -> Option<Self> {
        Self::with(play, &json!({}))
    }

    /// With other fields in its manifest.
    fn with(play: &Value, more: &Value) -> Option<Self> {
        let text = manifest(&python()?, play, more).to_string();
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("connector.json"), &text).expect("a file");
        let checked = rules::read(Source::new("connector.json", text));
        let connector = checked.connector.unwrap_or_else(|| panic!("{:?}", checked.findings));
        Some(Self {
            folder,
            connector,
            keys: Keys::default(),
            limits: LIMITS,
        })
    }

    fn settings(&self) -> Settings {
        Settings {
            folder: self.folder.path().to_owned(),
            places: places(),
            limits: self.limits,
            ..Settings::default()
        }
    }

    fn session(&self) -> Session<'_> {
        Session::new(&self.connector, &self.keys, self.settings())
    }

    fn call(&self, session: &mut Session<'_>) -> Result<Reply, Failure> {
        session.call(&self.connector.capabilities[0], &Map::new())
    }

    /// One call in a session of its own.
    fn once(&self) -> Result<Value, String> {
        let called = self.call(&mut self.session());
        called.map(|reply| reply.value).map_err(|failure| failure.to_string())
    }

    /// What the program has read so far.
    fn heard(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.path().join("heard")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    fn methods(&self) -> Vec<String> {
        let heard = self.heard();
        heard
            .iter()
            .map(|message| message["method"].as_str().unwrap_or("(answer)").to_owned())
            .collect()
    }
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn found() -> Value {
    json!({"title": "Tides"})
}
