//! `check --fix` and `check --diff`: findings that have one sure remedy, applied or shown.

use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::exit::Exit;
use super::fault::Fault;
use super::paths::Found;
use super::{Session, write_file};
use crate::diag::{count, mend};
use crate::report::Veil;
use crate::rules::{self, Checked};
use crate::source::Source;

/// Writes what the fixes make of a manifest, and returns it. Nothing when there is no fix.
pub(super) fn fix(checked: &Checked, session: &Session) -> Result<Option<Source>, Fault> {
    let source = &checked.source;
    let (text, applied) = mend(source.text(), &checked.findings);
    if applied == 0 {
        return Ok(None);
    }
    let file = Path::new(source.name());
    write_file::replace(file, &text).map_err(|error| write_file::fault(file, &error))?;
    session
        .io
        .progress(&format!("Fixed {} in {}\n", count(applied, "finding"), source.name()));
    Ok(Some(Source::new(source.name(), text)))
}

/// Shows what the fixes would make of each manifest; 1 when that is anything.
pub(super) fn diff(found: impl Iterator<Item = (PathBuf, Found)>, session: &Session) -> Exit {
    let mut exits = vec![Exit::Success];
    for (_, manifest) in found {
        match manifest.map(rules::read) {
            Err(fault) => {
                fault.show(&session.io, false);
                exits.push(fault.exit);
            }
            Ok(checked) => {
                let (text, applied) = mend(checked.source.text(), &checked.findings);
                if applied > 0 {
                    let veil = Veil::new(&checked.source, &checked.findings);
                    session.io.out(&veil.masked(&unified(&checked.source, &text)));
                    exits.push(Exit::Findings);
                }
            }
        }
    }
    Exit::gravest(exits)
}

fn unified(source: &Source, text: &str) -> String {
    let name = source.name();
    TextDiff::from_lines(source.text(), text)
        .unified_diff()
        .header(name, name)
        .to_string()
}
