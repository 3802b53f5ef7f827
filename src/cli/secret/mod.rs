//! `secret`: keys that stay between runs. There is no `get`.

mod list;
mod set;
mod status;
mod target;

use std::collections::BTreeMap;

use super::args::{Secret, SecretCommand, SecretDelete};
use super::exit::Exit;
use super::fault::Fault;
use super::{Ending, Session, installed, store};
use crate::keys::KeyName;

pub(super) fn run(args: &Secret, session: &mut Session) -> Ending {
    match &args.command {
        SecretCommand::Set(args) => set::run(args, session),
        SecretCommand::List(args) => list::run(args, session),
        SecretCommand::Status(args) => status::run(args, session),
        SecretCommand::Delete(args) => delete(args, session),
    }
}

fn delete(args: &SecretDelete, session: &Session) -> Ending {
    let name = target::key(&args.name, &args.words, session)?;
    let account = name.account();
    let store = store::chosen(&args.storing, session)?;
    if !args.yes {
        if !session.io.facts.can_ask {
            return Err(Fault::usage("needs_yes", format!("deleting {account} needs a yes")).hint("add `--yes`"));
        }
        if !session
            .io
            .confirm(&format!("Delete {account} from {}? (same as --yes)", store.place))
        {
            return Err(Fault::usage("needs_yes", "nothing was deleted"));
        }
    }
    match store.keys.delete(&name) {
        Ok(true) => {
            session.io.say(&format!("Deleted from {}.\n", store.place));
            Ok(Exit::Success)
        }
        Ok(false) => Err(Fault::new(Exit::Key, "not_set", format!("{account} is not set in {}", store.place))
            .hint(format!("`{}` shows what is", session.brand.command("secret list")))),
        Err(error) => Err(store.fault(&error, Some(&name))),
    }
}

/// Who declares which key, among what is installed: connectors by key.
fn declared() -> BTreeMap<KeyName, String> {
    let mut declared = BTreeMap::new();
    for connector in installed::connectors() {
        for key in super::keys::names(&connector) {
            if let Some(name) = KeyName::of_connector(&connector.name, &key) {
                declared.insert(name, connector.name.clone());
            }
        }
    }
    declared
}
