//! `chatpilot profiles check`: what the `api` block of each profile says, without calling anything.

mod call;
mod connected;
mod list;
mod live;
mod open;

use std::path::{Path, PathBuf};

use super::args::ProfilesCheck;
use super::exit::Exit;
use super::fault::Fault;
use super::{Ending, Session, interrupt, paths, show};
use crate::diag::{Level, count, strictly};
use crate::report::{FileReport, Format};
use crate::rules::pack;
use crate::source::{Limits, read_file};

pub(super) use call::run as call;
pub(super) use connected::run as connected;
pub(super) use list::run as list;

pub(super) fn check(args: &ProfilesCheck, session: &mut Session) -> Ending {
    let mut reports = Vec::new();
    let mut exits = vec![Exit::Success];
    for pack in &args.packs {
        match profiles(pack) {
            Ok(files) => files.iter().for_each(|file| match read_file(file, Limits::MANIFEST) {
                Ok(source) => reports.push(judged(source, args.strict)),
                Err(error) => exits.push(told(paths::unreadable(&error), args, session)),
            }),
            Err(fault) => exits.push(told(fault, args, session)),
        }
    }
    let wrong = reports
        .iter()
        .any(|report| report.findings.iter().any(|finding| finding.level == Level::Error));
    exits.push(if wrong { Exit::Findings } else { Exit::Success });
    if args.live && !wrong {
        for report in &reports {
            let ended = live::run(report.source.clone(), &args.connection, session);
            exits.extend(ended.err().map(|fault| told(fault, args, session)));
        }
    }
    interrupt::know(Exit::gravest(exits.iter().copied()));
    let format = show::format(args.format, args.json);
    show::findings(&reports, format, session);
    if format == Format::Human && !wrong && !reports.is_empty() {
        session.io.say(&format!("{} ok\n", count(reports.len(), "profile")));
    }
    Ok(Exit::gravest(exits))
}

fn told(fault: Fault, args: &ProfilesCheck, session: &Session) -> Exit {
    fault.show(&session.io, args.json);
    fault.exit
}

fn judged(source: crate::source::Source, strict: bool) -> FileReport {
    let mut findings = pack::check(source.clone());
    if strict {
        strictly(&mut findings);
    }
    FileReport::new(source, findings)
}

/// The profiles of a pack: a YAML file, or those in a folder, by name.
fn profiles(pack: &Path) -> Result<Vec<PathBuf>, Fault> {
    if !pack.is_dir() {
        return Ok(vec![pack.to_owned()]);
    }
    let entries = std::fs::read_dir(pack)
        .map_err(|error| Fault::usage("unreadable", format!("cannot list {}", pack.display())).cause(error.to_string()))?;
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_yaml).collect();
    files.sort();
    if files.is_empty() {
        return Err(Fault::usage("no_profile", format!("{} holds no profile", pack.display()))
            .hint("a pack is a folder of `.yaml` files, one for each profile"));
    }
    Ok(files)
}
