//! A folder with a connector whose program plays one vector, and what is left of its processes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use becket::keys::{Keys, Origin, Secret};
use becket::mcp::{Limits, Session, Settings, Surroundings};
use becket::model::Connector;
use becket::rules;
use becket::source::Source;
use serde_json::{Value, json};

pub(crate) const SECRET: &str = "SECRETVALUE";
static STAGES: AtomicUsize = AtomicUsize::new(0);

/// What the connector says.
#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) command: Value,
    pub(crate) args: Vec<String>,
    pub(crate) imported: bool,
    /// MCP tools, each with the marks of its review.
    pub(crate) tools: Vec<(String, Option<String>)>,
}

pub(crate) struct Stage {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) connector: Connector,
    pub(crate) keys: Keys,
    /// What the program reads, until the stage ends.
    kept: Option<tempfile::TempDir>,
    /// In the environment of everything that is started here.
    mark: String,
}

impl Stage {
    pub(crate) fn new(declared: &Declared) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        // A file has at least one capability; a connector that declares none is made of one.
        let none = declared.tools.is_empty();
        let text = manifest(declared).to_string();
        std::fs::write(folder.path().join("connector.json"), &text).expect("a file");
        let checked = rules::read(Source::new("connector.json", text));
        let mut connector = checked.connector.unwrap_or_else(|| panic!("{:?}", checked.findings));
        if none {
            connector.capabilities.clear();
        }
        let mark = format!("stage-{}-{}-end", std::process::id(), STAGES.fetch_add(1, Ordering::Relaxed));
        let mut keys = Keys::default();
        keys.insert("STAGE", Secret::new(mark.as_str()), Origin::Environment);
        keys.insert("TIDES_KEY", Secret::new(SECRET), Origin::Environment);
        Self {
            folder,
            connector,
            keys,
            kept: None,
            mark,
        }
    }

    pub(crate) fn keep(mut self, folder: tempfile::TempDir) -> Self {
        self.kept = Some(folder);
        self
    }

    pub(crate) fn settings(&self, limits: Limits) -> Settings {
        Settings {
            folder: self.folder.path().to_owned(),
            places: places(),
            limits,
            ..Settings::default()
        }
    }

    pub(crate) fn session(&self, settings: Settings) -> Session<'_> {
        Session::new(&self.connector, &self.keys, settings)
    }

    /// The same folder, played by the program itself.
    pub(crate) fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_becket"));
        command.args(words).env("STAGE", &self.mark).env("TIDES_KEY", SECRET);
        command
    }

    /// The processes that this stage has left, once they had a moment to end.
    pub(crate) fn left(&self, wait: Duration) -> Vec<String> {
        let ends = Instant::now() + wait;
        loop {
            let left: Vec<String> = self.processes().into_iter().map(|(_, line)| line).collect();
            if left.is_empty() || Instant::now() > ends {
                return left;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        ids.filter(|id| *id != std::process::id())
            .filter_map(|id| {
                let environment = std::fs::read(format!("/proc/{id}/environ")).ok()?;
                let mark = self.mark.as_bytes();
                environment.windows(mark.len()).any(|part| part == mark).then_some(())?;
                let line = std::fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
                Some((id, line.replace('\0', " ")))
            })
            .collect()
    }
}

fn manifest(declared: &Declared) -> Value {
    let one = [("none".to_owned(), None)];
    let tools = if declared.tools.is_empty() { &one[..] } else { &declared.tools };
    let capability = |(number, (tool, reviewed)): (usize, &(String, Option<String>))| {
        let mut capability = json!({
            "name": if number == 0 { "tides.today".to_owned() } else { format!("tides.tool{number}") },
            "tool": tool,
            "risk": "read",
            "signature": "tides.today({})",
            "returns": "tides",
        });
        if let Some(reviewed) = reviewed {
            capability["reviewed"] = reviewed.as_str().into();
        }
        capability
    };
    let cases: Vec<Value> = (0..tools.len())
        .filter(|_| !declared.imported)
        .map(|number| json!({"capability": if number == 0 { "tides.today".to_owned() } else { format!("tides.tool{number}") }, "args": {}, "keys": ["port"]}))
        .collect();
    json!({
        "name": "tides",
        "description": "Tides.",
        "command": declared.command,
        "args": declared.args,
        "env": ["STAGE", "TIDES_KEY"],
        "imported": declared.imported,
        "capabilities": tools.iter().enumerate().map(capability).collect::<Vec<_>>(),
        "contract": cases,
    })
}

/// The environment of this test for programs, with our own binary as their launcher.
pub(crate) fn places() -> Surroundings {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Surroundings {
        search: std::env::split_paths(&path).collect(),
        path,
        home: std::env::var_os("HOME"),
        more: Vec::new(),
        launcher: Some(env!("CARGO_BIN_EXE_becket").into()),
    }
}

/// The folder of the tools that play the vectors.
pub(crate) fn tools() -> PathBuf {
    let dev = std::env::var_os("BECKET_VECTORS").map(PathBuf::from);
    let dev = dev.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/vectors/dev").into());
    dev.join("../tools")
}

/// Makes a file that may be executed.
pub(crate) fn executable(file: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text).expect("a file");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}
