//! `secret status`: whether every declared key has a value, for CI. A variable that is set to
//! nothing is no value.

use serde_json::json;

use super::super::args::SecretStatus;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::io::Layout;
use super::super::{Ending, Session, store};
use super::{declared, target};
use crate::keys::{KeyName, Origin};

pub(super) fn run(args: &SecretStatus, session: &Session) -> Ending {
    let store = store::chosen(&args.storing, session)?;
    let mut names: Vec<KeyName> = Vec::new();
    for word in &args.names {
        names.extend(target::keys_of(word, session)?);
    }
    if args.names.is_empty() {
        names.extend(declared().into_keys());
    }
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    let mut trouble = None;
    for name in &names {
        let origin = origin(name, &store, &mut trouble);
        missing.extend(origin.is_none().then_some(name));
        rows.push((name, origin));
    }
    if args.json {
        let rows: Vec<_> = rows
            .iter()
            .map(|(name, origin)| json!({"name": name.account(), "from": origin.map(Origin::word)}))
            .collect();
        session.io.out_json(&json!({"version": 1, "keys": rows}), Layout::Pretty);
    } else {
        let width = names.iter().map(|name| name.account().len()).max().unwrap_or(0);
        for (name, origin) in rows {
            let from = origin.map_or_else(|| "not set".to_owned(), |origin| format!("from {}", origin.words()));
            session.io.say(&format!("{:<width$}   {from}\n", name.account()));
        }
    }
    match (missing.first(), trouble) {
        (None, _) => Ok(Exit::Success),
        (Some(_), Some(fault)) => Err(fault),
        (Some(first), None) => {
            let accounts: Vec<String> = missing.iter().map(|name| name.account()).collect();
            let command = format!("secret set {}", first.account().replace('/', " "));
            Err(Fault::new(Exit::Key, "key_missing", format!("not set: {}", accounts.join(", ")))
                .hint(format!("`{}`", session.brand.command(&command))))
        }
    }
}

/// Where the value comes from. The first trouble with the store is kept; it is not asked again.
fn origin(name: &KeyName, store: &store::Store, trouble: &mut Option<Fault>) -> Option<Origin> {
    if std::env::var_os(name.key()).is_some_and(|value| !value.is_empty()) {
        return Some(Origin::Environment);
    }
    if trouble.is_some() {
        return None;
    }
    match store.keys.get(name) {
        Ok(value) => value.map(|_| store.origin),
        Err(error) => {
            *trouble = Some(store.fault(&error, Some(name)));
            None
        }
    }
}
