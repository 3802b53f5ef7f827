//! What an install would change, said before it does: what the connector may do, what it may do
//! beyond the one that is there, and the yes that this takes.

use super::super::args::Install;
use super::super::fault::Fault;
use super::super::{Session, installed, keys};
use super::arrival::{Arrived, Way};
use super::before::Before;
use crate::adopt::remarks;
use crate::diag::plural;
use crate::install::{Difference, Shelf, Widened, reaches};
use crate::model::{Connector, Transport, credential};
use crate::report::visible;

/// Shows what it may do, and gets the yes that it needs.
pub(super) fn agreed(args: &Install, arrived: &Arrived, connector: &Connector, before: &Before, session: &Session) -> Result<(), Fault> {
    let difference = before.difference(connector);
    session.io.progress(&able(connector));
    session.io.progress(&widened(difference.as_ref()));
    if before.is_there() && !args.replace {
        replace(before, connector, difference.as_ref(), session)?;
    }
    started(args, arrived, connector, session)
}

fn able(connector: &Connector) -> String {
    let width = connector.capabilities.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let keys = keys::names(connector);
    let with = if keys.is_empty() {
        String::new()
    } else {
        format!(" with {}", keys.join(", "))
    };
    let mut text = format!(
        "{} calls {}{with}\n",
        connector.name,
        visible(&credential::masked(&reaches(connector)))
    );
    for one in &connector.capabilities {
        text += &format!("  {:<width$}  {}\n", one.name, one.risk.word());
    }
    text
}

fn widened(difference: Option<&Difference>) -> String {
    let all = difference.map(Difference::widened).unwrap_or_default();
    let line = |one: &Widened| match one {
        Widened::Added(name, risk) => format!("{name} ({}) is new", risk.word()),
        Widened::Risk(name, old, new) => format!("{name} was {} and is {}", old.word(), new.word()),
        Widened::Reaches(old, new) => format!("calls {}, not {}", credential::masked(new), credential::masked(old)),
        Widened::Key(key) => format!("is given {key}"),
    };
    all.iter()
        .map(|one| format!("more than before: {}\n", visible(&line(one))))
        .collect()
}

fn replace(before: &Before, connector: &Connector, difference: Option<&Difference>, session: &Session) -> Result<(), Fault> {
    let name = &connector.name;
    let how = match (before, difference) {
        (Before::Other(why), _) => format!("is not as it was installed: {why}"),
        (_, None) => "is broken".to_owned(),
        (_, Some(difference)) => format!("differs ({})", summary(difference)),
    };
    if !session.io.facts.can_ask {
        return Err(
            Fault::usage("exists", format!("{name} is installed and {how}")).hint("`--diff` shows it, `--replace` installs this one")
        );
    }
    match session
        .io
        .confirm(&visible(&format!("{name} is installed and {how}. Replace it? (same as --replace)")))
    {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was installed")),
    }
}

/// `2 capabilities more, 1 risk changed: petstore.remove irreversible → reversible`.
fn summary(difference: &Difference) -> String {
    let mut parts = Vec::new();
    let mut counted = |n: usize, word: &str, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {} {what}", plural(n, word)));
        }
    };
    counted(difference.added.len(), "capability", "more");
    counted(difference.removed.len(), "capability", "fewer");
    counted(difference.changed.len(), "capability", "changed");
    counted(difference.keys.len(), "key", "more");
    if !difference.risks.is_empty() {
        let each = difference
            .risks
            .iter()
            .map(|(name, old, new)| format!("{name} {} → {}", old.word(), new.word()));
        let n = difference.risks.len();
        parts.push(format!(
            "{n} {} changed: {}",
            plural(n, "risk"),
            each.collect::<Vec<_>>().join(", ")
        ));
    }
    if difference.reaches.is_some() {
        parts.push("it calls something else".to_owned());
    }
    if difference.source.is_some() {
        parts.push("it comes from elsewhere".to_owned());
    }
    match parts.is_empty() {
        true => "its files".to_owned(),
        false => parts.join(", "),
    }
}

/// A program from somewhere else is started by the host, and by the contract before that.
fn started(args: &Install, arrived: &Arrived, connector: &Connector, session: &Session) -> Result<(), Fault> {
    let Transport::Program { command, args: words } = &connector.transport else {
        return Ok(());
    };
    if arrived.way == Way::Folder || args.yes {
        return Ok(());
    }
    let remarks = remarks(command, words);
    let message = format!("{} starts a program that came in an archive, and that needs a yes", connector.name);
    if !session.io.facts.can_ask {
        let fault = remarks.into_iter().fold(Fault::usage("needs_yes", message), Fault::cause);
        return Err(fault.hint("look into it, then add `--yes`"));
    }
    for remark in &remarks {
        session.io.err(&format!("warning: {}\n", visible(remark)));
    }
    let line = visible(&credential::masked(&reaches(connector)));
    match session
        .io
        .confirm(&format!("It runs `{line}` on this computer, as you. Go on? (same as --yes)"))
    {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was started, nothing was installed")),
    }
}

/// Warns of a folder in which others could put connectors too.
pub(super) fn open_folder(shelf: &Shelf, session: &Session) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = shelf.folder().metadata().map_or(0, |facts| facts.permissions().mode());
        if mode & 0o002 != 0 {
            let place = installed::shown(shelf.folder());
            session
                .io
                .progress(&format!("warning: everybody may write to {place}: `chmod o-w {place}`\n"));
        }
    }
    #[cfg(not(unix))]
    let _ = (shelf, session);
}
