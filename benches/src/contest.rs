//! Two commands in turn, A B A B, and what comes of it.

use std::io;

use serde_json::json;

use crate::measure::{Cost, cost};

/// A job of ours beside a floor or a peer.
pub struct Contest {
    pub target: &'static str,
    pub job: String,
    pub ours: Vec<String>,
    pub other: Vec<String>,
    /// What the other one is called.
    pub name: String,
    /// How much of the other one's time ours may take.
    pub ratio: f64,
    /// MiB that ours should have at most.
    pub memory: Option<f64>,
    /// Whether that is asserted: it is where the file decides, and not where most of it is pages
    /// of the program that the system maps beside those that are used.
    pub memory_hard: bool,
    /// CPU milliseconds that ours should take; never asserted, since machines differ.
    pub milliseconds: Option<f64>,
    /// Whether the ratio is asserted: those to floors are.
    pub hard: bool,
    pub pairs: usize,
}

/// Medians of one contest.
pub struct Outcome {
    pub ours: Cost,
    pub other: Cost,
    /// The median of the ratios of each pair.
    pub ratio: f64,
}

impl Contest {
    /// One run of each to warm up, then the pairs.
    pub fn run(&self) -> io::Result<Outcome> {
        let (first, second) = (cost(&self.ours)?, cost(&self.other)?);
        let mut pairs = Vec::new();
        for _ in 0..self.pairs {
            pairs.push((cost(&self.ours)?, cost(&self.other)?));
        }
        let same = |(ours, other): &(Cost, Cost)| ours.code == first.code && other.code == second.code;
        // A peer that finds faults in a description ends with another code.
        if first.code != 0 || (self.hard && second.code != 0) || !pairs.iter().all(same) {
            return Err(io::Error::other(format!(
                "{}: `{}` or {} did not end with 0",
                self.target, self.job, self.name
            )));
        }
        Ok(Outcome {
            ours: middle(pairs.iter().map(|(ours, _)| *ours)),
            other: middle(pairs.iter().map(|(_, other)| *other)),
            ratio: median(pairs.iter().map(|(ours, other)| ours.cpu / other.cpu.max(0.001)).collect()),
        })
    }

    /// What is said when the ratio is over its limit, `slack` times that being allowed.
    pub fn broken(&self, outcome: &Outcome, slack: f64) -> Option<String> {
        let most = self.ratio * slack;
        if outcome.ratio > most {
            return Some(format!("{:.2} times {}, more than {most:.2}", outcome.ratio, self.name));
        }
        let large = self.memory_hard && self.is_large(outcome);
        large.then(|| format!("{:.1} MiB, more than {:.1}", outcome.ours.memory, self.memory.unwrap_or_default()))
    }

    /// Whether the peak is more than it should be.
    fn is_large(&self, outcome: &Outcome) -> bool {
        self.memory.is_some_and(|most| outcome.ours.memory > most)
    }

    pub fn row(&self, outcome: &Outcome) -> String {
        let (ours, other) = (outcome.ours, outcome.other);
        let verdict = match self.broken(outcome, 1.0) {
            None => "ok",
            Some(_) if self.hard => "OVER",
            Some(_) => "over",
        };
        let late = self.milliseconds.filter(|most| outcome.ours.cpu > *most);
        let aim = match (late, self.memory.filter(|_| self.is_large(outcome))) {
            (Some(aim), _) => format!(" (aim {aim} ms)"),
            (None, Some(aim)) => format!(" (aim {aim:.1} MiB)"),
            _ => String::new(),
        };
        format!(
            "{:<4} {:<38} {:<26} {:>9.2} {:>9.2} {:>7.1} {:>7.1} {:>7.3} {:>6.3} {verdict}{aim}",
            self.target, self.job, self.name, ours.cpu, other.cpu, ours.memory, other.memory, outcome.ratio, self.ratio
        )
    }

    pub fn line(&self, outcome: &Outcome, load: &str) -> serde_json::Value {
        json!({
            "target": self.target, "job": self.job, "against": self.name, "floor": self.hard, "n": self.pairs,
            "cpu_ms": outcome.ours.cpu, "other_cpu_ms": outcome.other.cpu, "wall_ms": outcome.ours.wall, "other_wall_ms": outcome.other.wall,
            "peak_mib": outcome.ours.memory, "other_peak_mib": outcome.other.memory,
            "ratio": outcome.ratio, "limit": self.ratio, "memory_limit_mib": self.memory, "aim_cpu_ms": self.milliseconds, "load": load,
        })
    }
}

/// The head of the table that [`Contest::row`] fills.
pub fn head() -> String {
    format!(
        "{:<4} {:<38} {:<26} {:>9} {:>9} {:>7} {:>7} {:>7} {:>6}",
        "", "job", "against", "CPU ms", "its", "MiB", "its", "ratio", "limit"
    )
}

fn middle(costs: impl Iterator<Item = Cost>) -> Cost {
    let costs: Vec<Cost> = costs.collect();
    let of = |figure: fn(&Cost) -> f64| median(costs.iter().map(figure).collect());
    Cost {
        cpu: of(|cost| cost.cpu),
        wall: of(|cost| cost.wall),
        memory: of(|cost| cost.memory),
        code: costs.first().map_or(0, |cost| cost.code),
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
