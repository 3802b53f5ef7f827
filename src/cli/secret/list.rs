//! `secret list`: names, where they are, and who uses them; then what is declared and not set.

use serde_json::json;

use super::super::args::SecretList;
use super::super::exit::Exit;
use super::super::io::Layout;
use super::super::{Ending, Session, store};
use super::declared;

pub(super) fn run(args: &SecretList, session: &Session) -> Ending {
    let store = store::chosen(&args.storing, session)?;
    let names = store.keys.list().map_err(|error| store.fault(&error, None))?;
    let declared = declared();
    let missing: Vec<_> = declared.keys().filter(|name| !names.contains(name)).collect();
    if args.json {
        let rows: Vec<_> = names
            .iter()
            .map(|name| json!({"name": name.account(), "store": store.origin.word(), "used_by": declared.get(name)}))
            .collect();
        let missing: Vec<_> = missing
            .iter()
            .map(|name| json!({"name": name.account(), "used_by": declared.get(name)}))
            .collect();
        session
            .io
            .out_json(&json!({"version": 1, "keys": rows, "missing": missing}), Layout::Pretty);
        return Ok(Exit::Success);
    }
    let width = names
        .iter()
        .chain(missing.iter().copied())
        .map(|name| name.account().len())
        .max()
        .unwrap_or(0);
    for name in &names {
        let by = declared
            .get(name)
            .map(|connector| format!("   used by {connector}"))
            .unwrap_or_default();
        session
            .io
            .say(&format!("{:<width$}   {}{by}\n", name.account(), store.origin.word()));
    }
    for name in &missing {
        session
            .io
            .say(&format!("{:<width$}   not set   used by {}\n", name.account(), declared[name]));
    }
    if names.is_empty() && missing.is_empty() {
        session.io.progress(&format!("No keys in {}.\n", store.place));
    }
    Ok(Exit::Success)
}
