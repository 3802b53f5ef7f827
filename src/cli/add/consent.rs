//! Before other people's code is started: the exact command, what it may see, and a yes.

use super::super::Session;
use super::super::args::Adding;
use super::super::fault::Fault;
use super::super::keys::Loaded;
use crate::adopt::{Described, command_line, remarks};
use crate::keys::Redactor;
use crate::model::Transport;
use crate::report::visible;

/// Shows what would be started or reached; a program needs a yes.
pub(super) fn ask(described: &Described, args: &Adding, session: &Session) -> Result<(), Fault> {
    let Transport::Program { command, args: words } = &described.transport else {
        return Ok(());
    };
    let line = command_line(command, words);
    let remarks = remarks(command, words);
    let notice = || notice(&line, &remarks, described);
    if args.yes {
        session.io.progress(&notice());
        return Ok(());
    }
    if !session.io.facts.can_ask {
        let fault = Fault::usage("needs_yes", format!("`{line}` is other people's code, and starting it needs a yes"));
        return Err(remarks.into_iter().fold(fault, Fault::cause).hint("add `--yes` once you trust it"));
    }
    session.io.err(&notice());
    match session.io.confirm("Start it to list its tools? (same as --yes)") {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was started, nothing was written")),
    }
}

/// Refuses a command that holds the value of a key, which would come into the file.
pub(super) fn no_key_in(described: &Described, keys: &Redactor) -> Result<(), Fault> {
    let holds = |text: &str| keys.clean(text) != text;
    let held = match &described.transport {
        Transport::Program { command, args } => holds(command) || args.iter().any(|word| holds(word)),
        Transport::Remote { url, .. } => holds(&url.text()),
        Transport::Http(_) => false,
    };
    match held {
        true => Err(key_in_command()),
        false => Ok(()),
    }
}

pub(super) fn key_in_command() -> Fault {
    let message = "a key stands in the command: it would stay in your shell's history and in the file";
    Fault::usage("key_on_command_line", message).hint("name its variable with `--env NAME`; if it was real, replace it at the service")
}

/// The command in full: it is never cut.
fn notice(line: &str, remarks: &[String], described: &Described) -> String {
    let given: String = described.keys.iter().map(|key| format!(", {}", visible(key))).collect();
    let remarks: String = remarks.iter().map(|remark| format!("warning: {}\n", visible(remark))).collect();
    format!(
        "This command runs other people's code on this computer, as you:\n\n  {}\n\nIt starts in an empty folder and is given PATH, HOME, \
         LANG{given}.\n{remarks}",
        visible(line)
    )
}

/// Names the keys that have no value: a server may list other tools without them.
pub(super) fn without_value(loaded: &Loaded, session: &Session) {
    if !loaded.missing.is_empty() {
        session.io.progress(&format!(
            "note: no value for {}; set it in the environment\n",
            loaded.missing.join(", ")
        ));
    }
}
