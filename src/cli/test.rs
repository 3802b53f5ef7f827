//! `test`: the contract alone.

use super::args::Test;
use super::gathered::Gathered;
use super::{Ending, Session, manifest, paths, proof};
use crate::report::{FileReport, Format};
use crate::rules;
use crate::source::Source;

pub(super) fn run(args: &Test, session: &mut Session) -> Ending {
    let mut gathered = Gathered::new(args.format, args.json).speaking(args.speaking.era());
    for (path, manifest) in paths::manifests(&args.paths) {
        match manifest {
            Ok(source) => one(source, &mut gathered, session),
            Err(fault) => gathered.miss(&paths::shown(&path), &fault, session),
        }
    }
    gathered.show(session);
    Ok(gathered.exit())
}

/// A manifest with errors is not called. For people one line says so; a report has them.
fn one(source: Source, gathered: &mut Gathered, session: &mut Session) {
    let checked = rules::read(source);
    if checked.connector.is_none() {
        gathered.say(&manifest::wrong(&checked, session), session);
        if gathered.format != Format::Human {
            gathered.reports.push(FileReport::new(checked.source, checked.findings));
        }
    } else if let Some(connector) = checked.connector {
        let mut report = FileReport::new(checked.source, Vec::new());
        gathered.prove(&connector, &mut report, proof::Lines::Test, session);
        gathered.reports.push(report);
    }
}
