//! The bench: Becket beside floors (what the parts of a job cost at least) and beside peers (other
//! tools that do the same), whole processes, in turn. `benches/run` builds what it needs and
//! starts it. Limits against floors are asserted, peers are only reported.

mod contest;
mod describe;
mod descriptions;
mod equal;
mod jobs;
mod measure;
mod peers;
mod programs;
mod service;
mod synthetic;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use contest::Contest;
use jobs::Bench;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == measure::WORD) {
        return measure::inside(&words[1..]).unwrap_or(ExitCode::from(127));
    }
    match run(&words) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// How much is done: all of it, or what continuous integration has time for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Whole,
    Short,
}

impl Extent {
    /// What a limit may be exceeded by before it fails.
    fn slack(self) -> f64 {
        match self {
            Self::Whole => 1.0,
            Self::Short => 1.5,
        }
    }
}

/// Measures, prints, and gives the number of broken limits.
fn run(words: &[String]) -> io::Result<usize> {
    let extent = if words.iter().any(|word| word == "--ci") {
        Extent::Short
    } else {
        Extent::Whole
    };
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let bench = Bench::new(extent)?;
    equal::check(&bench)?;
    println!("equivalence: ok\n{}\nload {}", bench.versions()?, load());
    println!("{}", contest::head());
    let contests = bench.contests()?.into_iter();
    let chosen = contests.filter(|contest| wanted.is_empty() || wanted.iter().any(|word| *word == contest.target));
    let (mut lines, mut broken) = (Vec::new(), Vec::new());
    for contest in chosen {
        let outcome = contest.run()?;
        println!("{}", contest.row(&outcome));
        lines.push(contest.line(&outcome, &load()));
        if contest.hard {
            broken.extend(told(&contest, contest.broken(&outcome, extent.slack())));
        }
    }
    bench.absent.iter().for_each(|peer| println!("{peer}: not installed"));
    lines.iter().for_each(|line| println!("{line}"));
    broken.iter().for_each(|problem| eprintln!("over the limit: {problem}"));
    Ok(broken.len())
}

fn told(contest: &Contest, problem: Option<String>) -> Option<String> {
    problem.map(|problem| format!("{} {}: {problem}", contest.target, contest.job))
}

/// The load averages of the machine, where it tells them.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The folder of the package.
fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
