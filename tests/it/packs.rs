//! Profile packs at work: the packs that ship, each against a service that answers as its vendor
//! documents, and what the engine holds whatever a pack says.

mod engine;
mod rows;
mod shipped;

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::{self, Ended};
use crate::service::{Seen, Service};

/// The key of every pack here.
pub(crate) const KEY: &str = "k3y-of-the-owner";

/// A pack in a folder of its own, and the service that it leads to.
pub(crate) struct Stage {
    folder: TempDir,
    pub(crate) service: Service,
}

/// What a service answers to a request.
type Answer = (u16, Vec<(&'static str, String)>, String);

impl Stage {
    /// A service and a profile whose `BASE` is its address.
    pub(crate) fn new(profile: &str, play: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let service = Service::start(move |request, line| {
            let (status, headers, body) = play(request);
            let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            line.answer(status, &headers, body.as_bytes())
        });
        let folder = tempfile::tempdir().unwrap();
        let base = format!("http://{}", service.address());
        std::fs::create_dir(folder.path().join("pack")).unwrap();
        std::fs::write(folder.path().join("pack/profile.yaml"), profile.replace("BASE", &base)).unwrap();
        Self { folder, service }
    }

    pub(crate) fn pack(&self) -> PathBuf {
        self.folder.path().join("pack")
    }

    /// `chatpilot` with a state of its own.
    pub(crate) fn program(&self) -> Command {
        let mut command = program::clean(Command::new(program::path("chatpilot")));
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        command
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.program();
        command.arg("profiles").args(words);
        command
    }

    /// `profiles call` of one tool, with the key in the environment.
    pub(crate) fn calling(&self, tool: &str, arguments: &[&str]) -> Command {
        let mut command = self.command(&["call"]);
        command
            .arg(self.pack())
            .arg(tool)
            .args(arguments)
            .args(["--key", "mcp_tracker_key"]);
        command.env("mcp_tracker_key", KEY);
        command
    }

    pub(crate) fn call(&self, tool: &str, arguments: &[&str]) -> Ended {
        let ended = program::run(&mut self.calling(tool, arguments));
        assert!(!ended.out.contains(KEY) && !ended.err.contains(KEY), "{ended:?}");
        ended
    }

    pub(crate) fn check_live(&self) -> Ended {
        let mut command = self.command(&["check", "--live", "--key", "mcp_tracker_key"]);
        command.arg(self.pack()).env("mcp_tracker_key", KEY);
        program::run(&mut command)
    }

    /// The requests so far, as `METHOD target body`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let seen = self.service.seen();
        let line = |seen: &Seen| format!("{} {} {}", seen.method, seen.target, String::from_utf8_lossy(&seen.body));
        seen.iter().map(|seen| line(seen).trim_end().to_owned()).collect()
    }

    /// A header of the last request.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.service.seen().last()?.header(name).map(str::to_owned)
    }
}

/// A shipped profile with its address replaced by `BASE` and the same path.
pub(crate) fn shipped(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/packs")
        .join(name)
        .join("profile.yaml");
    let text = std::fs::read_to_string(file).unwrap();
    let line = text.lines().find(|line| line.starts_with("  base_url: ")).unwrap();
    let address = line.split_whitespace().nth(1).unwrap();
    let path = address.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap_or_default();
    text.replace(line, &format!("  base_url: BASE{path}"))
}
