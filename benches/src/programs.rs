//! What MCP programs cost: T11 the check of one, and a call beside a bare round trip.

use std::io;

use crate::contest::Contest;
use crate::jobs::{Bench, command, shown};
use crate::{package, peers, synthetic};

/// So many calls that starting the two programs hardly counts.
const CALLS: usize = 3000;

impl Bench {
    pub fn programs(&self) -> io::Result<Vec<Contest>> {
        let quick = [self.floors.as_str(), "serve"];
        let script = shown(&package().join("benches/constant.py"));
        let usual = ["python3", script.as_str()];
        let (quick_folder, usual_folder) = (self.constant("quick", &quick)?, self.constant("usual", &usual)?);
        let contest = |target, job: &str, ours: Vec<String>, other: Vec<String>, name: &str, ratio| Contest {
            target,
            job: job.to_owned(),
            ours,
            other,
            name: name.to_owned(),
            ratio,
            memory: None,
            memory_hard: false,
            milliseconds: None,
            hard: false,
            pairs: self.pairs(11, 7),
        };
        let check = command(&[&self.becket, "check", "--quiet", &quick_folder]);
        let round = |count: usize, server: [&str; 2]| command(&[&self.floors, "round", &count.to_string(), server[0], server[1]]);
        let calls = |folder: &str| command(&[&self.calls, folder, &CALLS.to_string()]);
        let job = format!("{CALLS} calls of a program");
        let mut contests = vec![
            Contest {
                milliseconds: Some(10.0),
                pairs: self.pairs(41, 21),
                ..contest(
                    "T11",
                    "check of an MCP program",
                    check.clone(),
                    round(1, quick),
                    "a bare round trip",
                    8.0,
                )
            },
            Contest {
                hard: true,
                ..contest(
                    "MCP",
                    &job,
                    calls(&usual_folder),
                    round(CALLS, usual),
                    "floor: bare round trips",
                    1.3,
                )
            },
            contest(
                "MCP",
                &format!("{job} in Rust"),
                calls(&quick_folder),
                round(CALLS, quick),
                "bare round trips",
                4.0,
            ),
        ];
        if let Some(peer) = self.peer(peers::INSPECTOR) {
            let words = command(&[&peer.program, "--cli", &self.floors, "serve", "--method", "tools/list"]);
            contests.push(Contest {
                pairs: 5,
                ..contest("T11", "check of an MCP program", check, words, peer.name, 0.125)
            });
        }
        Ok(contests)
    }

    /// A connector whose program gives one answer.
    fn constant(&self, name: &str, server: &[&str]) -> io::Result<String> {
        let folder = self.room.join(format!("constant-{name}"));
        synthetic::write(&folder, &synthetic::program(server))?;
        Ok(shown(&folder))
    }
}
