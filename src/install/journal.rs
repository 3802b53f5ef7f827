//! A change that takes more than one rename, written down before the first of them. Whoever finds
//! it finishes it: a connector is known to be placed by the identity of its folder, so that no
//! step is done twice. Shape: a line `becket 1`, then a line `IDENTITY NAME` for each connector.

use std::path::Path;

use super::error::failed;
use super::{Bench, InstallError, Manner, Step, bench, fs};

const FILE: &str = "journal";
const DRAFT: &str = "journal.new";
const HEAD: &str = "becket 1";

pub(super) fn is_in(bench: &Path) -> bool {
    bench.join(FILE).exists()
}

/// Writes down that everything on a bench is to be placed.
pub(super) fn write(bench: &Bench, manner: Manner<'_>) -> Result<(), InstallError> {
    let lines = bench
        .names()
        .iter()
        .map(|name| format!("{} {name}\n", fs::identity(&bench.staged(name))));
    let text = format!("{HEAD}\n{}", lines.collect::<String>());
    let (draft, file) = (bench.path().join(DRAFT), bench.path().join(FILE));
    fs::write_new(&draft, text.as_bytes(), 0o600, || (manner.reached)(Step::Journaling))?;
    std::fs::rename(&draft, &file).map_err(failed("write", &file))?;
    fs::sync(bench.path())?;
    (manner.reached)(Step::Journaled);
    Ok(())
}

/// Does what is written down in a bench and was not done; nothing where nothing is.
pub(super) fn finish(bench: &Path, folder: &Path, manner: Manner<'_>) -> Result<(), InstallError> {
    let file = bench.join(FILE);
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed("read", &file)(error)),
    };
    let steps = steps(&text).ok_or_else(|| InstallError::BadJournal { path: bench.to_owned() })?;
    for (identity, name) in steps {
        place(bench, folder, name, identity, manner)?;
    }
    fs::sync(folder)?;
    (manner.reached)(Step::Settled);
    std::fs::remove_file(&file).map_err(failed("remove", &file))?;
    fs::sync(bench)
}

fn steps(text: &str) -> Option<Vec<(u64, &str)>> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return None;
    }
    lines
        .map(|line| {
            let (identity, name) = line.split_once(' ')?;
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            Some((identity.parse().ok()?, name)).filter(|_| is_name)
        })
        .collect()
}

fn place(bench: &Path, folder: &Path, name: &str, identity: u64, manner: Manner<'_>) -> Result<(), InstallError> {
    let (new, target) = (bench::staged(bench, name), folder.join(name));
    let placed = identity != 0 && fs::identity(&target) == identity;
    if placed || new.symlink_metadata().is_err() {
        return Ok(());
    }
    let is_there = target.symlink_metadata().is_ok();
    let exchanged = is_there && !manner.without_exchange && fs::exchange(&new, &target).map_err(failed("replace", &target))?;
    if !exchanged {
        if is_there {
            let aside = bench::aside(bench, name);
            // An earlier try may have been cut off here.
            drop(fs::remove(&aside));
            std::fs::rename(&target, &aside).map_err(failed("take away", &target))?;
            (manner.reached)(Step::Aside);
        }
        std::fs::rename(&new, &target).map_err(failed("rename the new folder to", &target))?;
    }
    (manner.reached)(Step::Placed);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_lines_are_steps() {
        assert_eq!(steps("becket 1\n7 tides\n8 shelf2\n"), Some(vec![(7, "tides"), (8, "shelf2")]));
        for text in [
            "",
            "becket 2\n7 tides\n",
            "becket 1\n7 ../x\n",
            "becket 1\nx tides\n",
            "becket 1\n7 \n",
        ] {
            assert_eq!(steps(text), None, "{text}");
        }
    }
}
