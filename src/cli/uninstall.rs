//! `uninstall`: takes a connector away in one rename, then forgets its stored keys. One whose folder
//! is gone already may still have keys: then they are what is forgotten.

use super::args::Uninstall;
use super::exit::Exit;
use super::fault::Fault;
use super::install::manner;
use super::store::{self, Store};
use super::{Ending, Session, installed, interrupt, keys};
use crate::install::Shelf;
use crate::keys::{KeyName, StoreError, is_connector};
use crate::model::{listed, nearest};

pub(super) fn run(args: &Uninstall, session: &Session) -> Ending {
    let name = args.name.as_str();
    let shelf = installed::shelf(&args.placing)?;
    shelf.settle().map_err(|error| installed::fault(&error))?;
    let names = shelf.names().map_err(|error| installed::fault(&error))?;
    let is_there = names.iter().any(|one| one == name);
    let store = store::chosen(&args.storing, session)?;
    let kept = match args.keep_keys {
        true => Vec::new(),
        false => kept(&shelf, name, is_there, &store)?,
    };
    if !is_there && kept.is_empty() {
        return Err(absent(name, &names, session));
    }
    agreed(args, is_there, &kept, session)?;
    if is_there {
        take(&shelf, name)?;
        session.io.say(&format!("Removed {}.\n", installed::shown(&shelf.place(name))));
    }
    for key in &kept {
        store
            .keys
            .delete(key)
            .map_err(|error| left(key, store.fault(&error, Some(key)), session))?;
        session.io.say(&format!("Deleted {} from {}.\n", key.account(), store.place));
    }
    Ok(Exit::Success)
}

/// The stored keys under its name. A store that cannot be asked stops one that declares keys.
fn kept(shelf: &Shelf, name: &str, is_there: bool, store: &Store) -> Result<Vec<KeyName>, Fault> {
    if !is_connector(name) {
        return Ok(Vec::new());
    }
    let declares = match installed::checked(shelf, name) {
        Ok(checked) => checked.connector.is_none_or(|connector| !keys::names(&connector).is_empty()),
        Err(_) => is_there,
    };
    match store.keys.list() {
        Ok(names) => Ok(names.into_iter().filter(|key| key.connector() == Some(name)).collect()),
        Err(error) if declares => Err(unasked(&error, store)),
        Err(_) => Ok(Vec::new()),
    }
}

fn unasked(error: &StoreError, store: &Store) -> Fault {
    let fault = store.fault(error, None);
    Fault::new(fault.exit, fault.code, "its stored keys cannot be looked for; nothing was removed")
        .cause(fault.message)
        .hint("`--keep-keys` leaves them where they are")
}

fn absent(name: &str, names: &[String], session: &Session) -> Fault {
    let fault = Fault::usage("not_installed", "no connector of that name is installed");
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => fault.hint(format!("did you mean `{near}`?")),
        None if names.is_empty() => fault.hint(format!("`{}` shows what is", session.brand.command("list"))),
        None => fault.hint(format!("installed are {}", listed(names.iter().map(String::as_str)))),
    }
}

fn agreed(args: &Uninstall, is_there: bool, kept: &[KeyName], session: &Session) -> Result<(), Fault> {
    if args.yes {
        return Ok(());
    }
    let name = &args.name;
    if !session.io.facts.can_ask {
        return Err(Fault::usage("needs_yes", format!("uninstalling {name} needs a yes")).hint("add `--yes`"));
    }
    let keys: Vec<&str> = kept.iter().map(KeyName::key).collect();
    let question = match (is_there, keys.is_empty()) {
        (true, true) => format!("Uninstall {name}?"),
        (true, false) => format!("Uninstall {name} and forget {}?", keys.join(", ")),
        (false, _) => format!("{name} is not installed; forget {}?", keys.join(", ")),
    };
    match session.io.confirm(&format!("{question} (same as --yes)")) {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was removed")),
    }
}

fn take(shelf: &Shelf, name: &str) -> Result<(), Fault> {
    let taken = interrupt::whole(|_| shelf.lock(manner())?.remove(name, manner()));
    match taken.map_err(|error| installed::fault(&error))? {
        true => Ok(()),
        false => Err(Fault::usage("not_installed", format!("another run has just removed {name}"))),
    }
}

/// The folder is gone, and a key is not.
fn left(key: &KeyName, fault: Fault, session: &Session) -> Fault {
    let command = session.brand.command(&format!("secret delete {}", key.account().replace('/', " ")));
    let message = format!("{} is still stored", key.account());
    Fault::new(fault.exit, fault.code, message)
        .cause(fault.message)
        .hint(format!("`{command}`"))
}
