//! Which jobs are measured against what, and what each needs on disk.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::contest::Contest;
use crate::descriptions::{self, Description};
use crate::peers::{self, Peer};
use crate::{Extent, package, service, synthetic};

pub struct Bench {
    pub extent: Extent,
    /// Where the bench writes.
    pub room: PathBuf,
    pub becket: String,
    pub floors: String,
    /// Calls through the library.
    pub calls: String,
    /// A folder of connectors, and how many it holds.
    pub folder: String,
    pub count: usize,
    /// One connector of it.
    pub one: String,
    /// A connector of the service on this computer, and its address.
    pub local: String,
    pub base: String,
    pub descriptions: Vec<Description>,
    peers: Vec<Peer>,
    /// Peers that are not there.
    pub absent: Vec<&'static str>,
}

impl Bench {
    pub fn new(extent: Extent) -> io::Result<Self> {
        let room = package().join("target/bench");
        std::fs::create_dir_all(&room)?;
        let room = room.canonicalize()?;
        let count = if extent == Extent::Short { 300 } else { 2000 };
        let folder = synthetic::folder(&room, count)?;
        let base = service::start()?;
        synthetic::write(&room.join("local"), &synthetic::local(&base))?;
        let mut descriptions = vec![descriptions::made(&room)?];
        let (mut peers, mut absent) = (Vec::new(), Vec::new());
        if extent == Extent::Whole {
            (peers, absent) = peers::find();
            let (fetched, missing) = descriptions::fetched();
            descriptions.splice(0..0, fetched);
            absent.extend(missing);
        }
        Ok(Self {
            extent,
            becket: installed("becket", &room)?,
            floors: installed("floors", &room)?,
            calls: installed("calls", &room)?,
            one: shown(&folder.join(synthetic::name(0))),
            folder: shown(&folder),
            count,
            local: shown(&room.join("local")),
            base,
            descriptions,
            peers,
            absent,
            room,
        })
    }

    /// What is measured, and with which versions.
    pub fn versions(&self) -> io::Result<String> {
        let told = |words: &[&str]| -> io::Result<String> {
            let out = Command::new(words[0]).args(&words[1..]).output()?;
            let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
            Ok(text.lines().next().unwrap_or_default().to_owned())
        };
        let mut lines = vec![told(&[&self.becket, "--version"])?, told(&["rustc", "--version"])?];
        for peer in &self.peers {
            lines.push(format!("{} {}", peer.name, told(&[&peer.program, "--version"])?));
        }
        Ok(lines.join("\n"))
    }

    pub fn pairs(&self, whole: usize, short: usize) -> usize {
        if self.extent == Extent::Short { short } else { whole }
    }

    pub fn peer(&self, name: &str) -> Option<&Peer> {
        self.peers.iter().find(|peer| peer.name == name)
    }

    pub fn contests(&self) -> io::Result<Vec<Contest>> {
        let mut contests = self.many()?;
        contests.extend(self.start());
        contests.extend(self.call());
        contests.extend(self.describe()?);
        contests.extend(self.programs()?);
        Ok(contests)
    }

    /// T6: many manifests.
    fn many(&self) -> io::Result<Vec<Contest>> {
        let job = format!("check --offline, {} files", self.count);
        let ours = command(&[&self.becket, "check", "--offline", &self.folder]);
        let contest = |other: Vec<String>, name: &str, ratio| Contest {
            target: "T6",
            job: job.clone(),
            ours: ours.clone(),
            other,
            name: name.to_owned(),
            ratio,
            memory: None,
            memory_hard: false,
            milliseconds: None,
            hard: false,
            pairs: self.pairs(11, 5),
        };
        let floor = contest(command(&[&self.floors, "typed", &self.folder]), "floor: typed serde", 1.5);
        let mut contests = vec![Contest {
            hard: true,
            milliseconds: Some(0.2 * self.count as f64),
            ..floor
        }];
        let schema = shown(&package().join("benches/connector.schema.json").canonicalize()?);
        if let Some(peer) = self.peer(peers::SOURCEMETA) {
            let words = [&peer.program, "validate", &schema, &self.folder, "--fast"];
            contests.push(contest(command(&words), peer.name, 0.5));
        }
        if let Some(peer) = self.peer(peers::CHECK_JSONSCHEMA) {
            let mut words = command(&[&peer.program, "--schemafile", &schema]);
            words.extend((0..self.count).map(|index| format!("{}/{}/connector.json", self.folder, synthetic::name(index))));
            let pairs = 3;
            contests.push(Contest {
                pairs,
                ..contest(words, peer.name, 0.04)
            });
        }
        Ok(contests)
    }

    /// T7: what a short command costs.
    fn start(&self) -> Vec<Contest> {
        let jobs = [
            ("--version", command(&[&self.becket, "--version"]), vec!["--version"]),
            ("--help", command(&[&self.becket, "--help"]), vec!["--help"]),
            (
                "check --offline, one file",
                command(&[&self.becket, "check", "--offline", &self.one]),
                vec!["reader", "--loud"],
            ),
        ];
        let mut contests = Vec::new();
        for (job, ours, hello) in jobs {
            let contest = |other: Vec<String>, name: &str, ratio| Contest {
                target: "T7",
                job: job.to_owned(),
                ours: ours.clone(),
                other,
                name: name.to_owned(),
                ratio,
                memory: None,
                memory_hard: false,
                milliseconds: None,
                hard: false,
                pairs: self.pairs(41, 21),
            };
            let floor = command(&[&[self.floors.as_str(), "hello"], &hello[..]].concat());
            contests.push(Contest {
                memory: Some(6.0),
                hard: true,
                ..contest(floor, "floor: hello of clap", 2.0)
            });
            let curl = self.peer(peers::CURL).map(|peer| (peer, 0.2));
            let gh = self.peer(peers::GH).map(|peer| (peer, 0.04));
            for (peer, ratio) in [curl, gh].into_iter().flatten() {
                contests.push(contest(command(&[&peer.program, "--version"]), peer.name, ratio));
            }
        }
        contests
    }

    /// T10: one call over plain HTTP on this computer. The floor is one GET without TLS, without a
    /// manifest and without a command line.
    fn call(&self) -> Vec<Contest> {
        let url = format!("{}/things/1007", self.base);
        let contest = |other: Vec<String>, name: &str, ratio, hard| Contest {
            target: "T10",
            job: "call, plain HTTP".to_owned(),
            ours: command(&[&self.becket, "call", &self.local, "thing", "id=1007"]),
            other,
            name: name.to_owned(),
            ratio,
            memory: None,
            memory_hard: false,
            milliseconds: Some(5.0),
            hard,
            pairs: self.pairs(41, 21),
        };
        let floor = contest(command(&[&self.floors, "get", &url]), "floor: one bare GET", 4.0, true);
        let peer = self.peer(peers::CURL);
        let curl = peer.map(|peer| contest(command(&[&peer.program, "-s", &url]), peer.name, 0.5, false));
        std::iter::once(floor).chain(curl).collect()
    }
}

/// A program as installing it would leave it: copied. What the linker writes lies otherwise in the
/// system's memory, and starts more slowly.
fn installed(name: &str, room: &Path) -> io::Result<String> {
    let programs = std::env::current_exe()?.parent().map(Path::to_owned).unwrap_or_default();
    let (from, to) = (programs.join(name), room.join(name));
    match std::fs::copy(&from, &to) {
        Ok(_) => Ok(shown(&to)),
        Err(error) => Err(io::Error::other(format!(
            "{}: {error}; start the bench with benches/run",
            from.display()
        ))),
    }
}

pub fn command(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub fn shown(path: &Path) -> String {
    path.display().to_string()
}
