//! `secret set`: one value, from where it cannot be seen, into the store and back.

use std::io::Read as _;

use zeroize::Zeroizing;

use super::super::args::SecretSet;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::{Ending, Session, hidden, store};
use super::target;
use crate::keys::{KeyName, LONGEST, Secret, keep};

pub(super) fn run(args: &SecretSet, session: &mut Session) -> Ending {
    let name = target::key(&args.name, &args.words, session)?;
    let store = store::chosen(&args.storing, session)?;
    let value = value(args, &name, session)?;
    session.io.learn(&value);
    judged(&value, &name, session)?;
    let replaced = keep(&*store.keys, &name, &value).map_err(|error| store.fault(&error, Some(&name)))?;
    let done = if replaced { "Replaced" } else { "Saved" };
    session.io.say(&format!("{done} in {}.\n", store.place));
    Ok(Exit::Success)
}

fn value(args: &SecretSet, name: &KeyName, session: &Session) -> Result<Secret, Fault> {
    if let Some(variable) = &args.from_env {
        return match std::env::var(variable) {
            Ok(value) => Ok(Secret::new(value)),
            Err(std::env::VarError::NotUnicode(_)) => Err(not_text()),
            Err(std::env::VarError::NotPresent) => Err(Fault::usage("no_value", "the variable that `--from-env` names is not set")
                .hint("it takes the name of a variable, not a value")),
        };
    }
    if let Some(path) = &args.from_file {
        let file = std::fs::File::open(path).map_err(|error| {
            Fault::usage("no_value", "the file that `--from-file` names cannot be read")
                .cause(std::io::Error::from(error.kind()).to_string())
        })?;
        return text(file, "the file");
    }
    if session.io.facts.stdin_terminal {
        if !session.io.facts.can_ask {
            return Err(
                Fault::usage("no_value", "there is nobody to ask for the value").hint("pipe it in, or use `--from-file` or `--from-env`")
            );
        }
        let shown = match name.connector() {
            Some(connector) => format!("{} of {connector}", name.key()),
            None => name.key().to_owned(),
        };
        return hidden::ask(&format!("Value for {shown} (not shown): "));
    }
    text(std::io::stdin().lock(), "standard input")
}

/// All of a stream, less one line end.
fn text(stream: impl std::io::Read, what: &str) -> Result<Secret, Fault> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST + 4));
    let read = stream.take(LONGEST as u64 + 3).read_to_end(&mut bytes);
    read.map_err(|error| Fault::usage("no_value", format!("cannot read {what}")).cause(std::io::Error::from(error.kind()).to_string()))?;
    let text = std::str::from_utf8(&bytes);
    if text.is_err() && bytes.len() <= LONGEST {
        return Err(not_text());
    }
    let text = text.unwrap_or("");
    let line = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
    if bytes.len() > LONGEST + 2 || line.len() > LONGEST {
        return Err(Fault::usage("too_long", format!("the value has more than {LONGEST} bytes"))
            .hint("a key is short: look whether this is one (Windows keeps 2560 bytes)"));
    }
    match line.is_empty() {
        true => Err(Fault::usage("no_value", format!("no value on {what}")).hint("nothing was changed")),
        false => Ok(Secret::new(line)),
    }
}

fn not_text() -> Fault {
    Fault::usage("not_text", "the value is not UTF-8").hint("keys are text; encode bytes as the service asks, as base64 for instance")
}

/// Refuses what no request can carry; warns of what will surprise.
fn judged(value: &Secret, name: &KeyName, session: &Session) -> Result<(), Fault> {
    if value.is_empty() {
        return Err(Fault::usage("no_value", "the value is empty").hint(format!(
            "nothing was changed; `{}` forgets a key",
            session.brand.command("secret delete")
        )));
    }
    if value.holds('\0') {
        return Err(Fault::usage("bad_value", "the value has a NUL, which no request can carry").hint("copy it again from the service"));
    }
    let warn = |text: &str| session.io.progress(&format!("warning: the value {text}\n"));
    if value.holds('\n') || value.holds('\r') {
        warn("has a line break, which no header can carry");
    } else if value.has_blanks_around() {
        warn("starts or ends with a blank");
    }
    if value.is_short() {
        warn(&format!(
            "has fewer than 6 characters, so {} is masked only where it stands as a word of its own",
            name.key()
        ));
    }
    Ok(())
}
