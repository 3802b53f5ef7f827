//! What reading a description costs: T1 the list of its operations, T2 a connector of as many
//! reads as one may hold, T3 the same description as YAML, T5 the peak of both, T12 the largest.

use std::io;

use crate::contest::Contest;
use crate::descriptions::{self, Description};
use crate::jobs::{Bench, command, shown};
use crate::peers;

/// MiB beside six times the file that reading may take (T5).
const BESIDE: f64 = 8.0;
/// As many capabilities as one connector may hold.
pub const MOST: usize = 100;

impl Bench {
    pub fn describe(&self) -> io::Result<Vec<Contest>> {
        let mut contests = Vec::new();
        for description in &self.descriptions {
            contests.extend(self.listed(description)?);
            contests.extend(self.written(description)?);
        }
        contests.extend(self.yaml()?);
        Ok(contests)
    }

    /// The words that list a description.
    pub fn list(&self, description: &Description) -> Vec<String> {
        let mut words = command(&[&self.becket, "openapi", &shown(&description.path), "--quiet"]);
        words.extend(command(description.flags));
        words
    }

    /// The words that write a connector of its first reads, in a folder of its own.
    pub fn write(&self, description: &Description, reads: &[String]) -> Vec<String> {
        let folder = shown(&self.room.join("written").join(description.name));
        let mut words = self.list(description);
        words.extend(command(&["bench", &folder, "--force", "--only", &reads.join(",")]));
        words
    }

    fn listed(&self, description: &Description) -> io::Result<Vec<Contest>> {
        let large = description.mebibytes()? > 40.0;
        let ratio = if description.name == "github" || large || description.name == "made" {
            0.9
        } else {
            1.0
        };
        let contest = |other: Vec<String>, name: &str, ratio| Contest {
            target: if large { "T12" } else { "T1" },
            job: format!("openapi, list of {}", description.name),
            ours: self.list(description),
            other,
            name: name.to_owned(),
            ratio,
            memory: None,
            memory_hard: false,
            milliseconds: None,
            hard: false,
            pairs: self.pairs(if large { 5 } else { 11 }, 7),
        };
        let floor = command(&[&self.floors, "value", &shown(&description.path)]);
        let six = 6.0 * description.mebibytes()? + BESIDE;
        let mut contests = vec![Contest {
            memory: Some(if large { 400e6 / 1048576.0 } else { six }),
            memory_hard: true,
            milliseconds: large.then_some(1500.0),
            hard: true,
            ..contest(floor, "floor: serde_json::Value", ratio)
        }];
        if let Some(peer) = self
            .peer(peers::GENERATOR)
            .filter(|_| ["stripe", "github"].contains(&description.name))
        {
            let words = self.generator(&peer.program, description);
            contests.push(Contest {
                pairs: 3,
                ..contest(words, peer.name, 1.0 / 12.0)
            });
        }
        Ok(contests)
    }

    fn generator(&self, program: &str, description: &Description) -> Vec<String> {
        let folder = shown(&self.room.join("generated").join(description.name));
        command(&[program, "--input", &shown(&description.path), "--output", &folder, "--force"])
    }

    /// Beside our own list; the peer writes every operation, and nothing of it is checked.
    fn written(&self, description: &Description) -> io::Result<Vec<Contest>> {
        if description.mebibytes()? > 40.0 {
            return Ok(Vec::new());
        }
        let reads = self.reads(description)?;
        Ok(vec![Contest {
            target: "T2",
            job: format!("openapi, {} reads of {} written", reads.len(), description.name),
            ours: self.write(description, &reads),
            other: self.list(description),
            name: "our own list".to_owned(),
            // T2 is about real descriptions: beside the list of a small one, putting a file in its place
            // is much.
            ratio: if description.name == "made" { 2.0 } else { 1.5 },
            memory: Some(6.0 * description.mebibytes()? + BESIDE),
            // T5 is about real descriptions: beside a small one the program itself is most of it.
            memory_hard: description.name != "made",
            milliseconds: None,
            hard: true,
            pairs: self.pairs(11, 7),
        }])
    }

    fn yaml(&self) -> io::Result<Vec<Contest>> {
        let names = ["github", "made"];
        let Some(from) = self.descriptions.iter().find(|description| names.contains(&description.name)) else {
            return Ok(Vec::new());
        };
        let path = self.room.join(format!("{}.yaml", from.name));
        descriptions::as_yaml(&from.path, &path)?;
        let contest = |other: Vec<String>, name: &str, ratio, pairs| Contest {
            target: "T3",
            job: format!("openapi, list of {} as YAML", from.name),
            ours: command(&[&self.becket, "openapi", &shown(&path), "--quiet"]),
            other,
            name: name.to_owned(),
            ratio,
            memory: None,
            memory_hard: false,
            milliseconds: None,
            hard: false,
            pairs,
        };
        let floor = command(&[&self.floors, "events", &shown(&path)]);
        let mut contests = vec![Contest {
            hard: true,
            ..contest(floor, "floor: libyaml's events", 1.8, self.pairs(7, 7))
        }];
        if let Some(peer) = self.peer(peers::REDOCLY).filter(|_| from.name == "github") {
            contests.push(contest(command(&[&peer.program, "lint", &shown(&path)]), peer.name, 1.0 / 25.0, 1));
        }
        Ok(contests)
    }
}
