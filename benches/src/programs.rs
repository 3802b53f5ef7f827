//! What MCP programs cost: T11 the check of one, and a call beside a bare round trip.

use std::io;

use crate::contest::Contest;
use crate::jobs::{Bench, command, shown};
use crate::{peers, synthetic};

/// So many calls that starting the two programs hardly counts.
const CALLS: usize = 3000;

impl Bench {
    pub fn programs(&self) -> io::Result<Vec<Contest>> {
        let one = self.constant(1)?;
        let many = self.constant(CALLS)?;
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
        let check = command(&[&self.becket, "check", "--quiet", &one]);
        let round = |count: usize| command(&[&self.floors, "round", &count.to_string(), &self.floors, "serve"]);
        let mut contests = vec![
            Contest {
                milliseconds: Some(10.0),
                pairs: self.pairs(41, 21),
                ..contest("T11", "check of an MCP program", check.clone(), round(1), "a bare round trip", 8.0)
            },
            Contest {
                ..contest(
                    "MCP",
                    &format!("{CALLS} calls of a program"),
                    command(&[&self.becket, "test", "--quiet", &many]),
                    round(CALLS),
                    "floor: bare round trips",
                    1.3,
                )
            },
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

    fn constant(&self, cases: usize) -> io::Result<String> {
        let folder = self.room.join(format!("constant-{cases}"));
        synthetic::write(&folder, &synthetic::program(&self.floors, cases))?;
        Ok(shown(&folder))
    }
}
