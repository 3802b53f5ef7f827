//! The stored keys of the installed connector: one of its name that goes to another service, or
//! comes from elsewhere, is not given them without a yes.

use super::super::args::Install;
use super::super::fault::Fault;
use super::super::{Session, keys, store};
use super::before::Before;
use crate::keys::KeyName;
use crate::model::Connector;

pub(super) fn agreed(args: &Install, connector: &Connector, before: &Before, session: &Session) -> Result<(), Fault> {
    let names = keys::names(connector);
    let is_another = before.is_there() && before.difference(connector).is_none_or(|difference| difference.is_another());
    if !is_another || names.is_empty() || args.keep_keys {
        return Ok(());
    }
    let name = &connector.name;
    let store = store::chosen(&args.storing, session)?;
    let stored = store.keys.list().map_err(|error| {
        let fault = store.fault(&error, None);
        Fault::new(fault.exit, fault.code, format!("cannot tell which keys are kept for {name}"))
            .cause(fault.message)
            .hint("`--keep-keys` lets the new one have them")
    })?;
    let ours = stored.iter().filter(|key| key.connector() == Some(name));
    let inherited: Vec<&str> = ours.map(KeyName::key).filter(|key| names.iter().any(|name| name == key)).collect();
    if inherited.is_empty() {
        return Ok(());
    }
    let keys = inherited.join(", ");
    if !session.io.facts.can_ask {
        let delete = session.brand.command(&format!("secret delete {name} {}", inherited[0]));
        return Err(Fault::usage(
            "needs_yes",
            format!("{keys} was kept for another {name}, and giving it to this one needs a yes"),
        )
        .hint(format!("add `--keep-keys`, or forget it first: `{delete}`")));
    }
    match session.io.confirm(&format!(
        "{keys} was kept for another {name}. Give it to this one? (same as --keep-keys)"
    )) {
        true => Ok(()),
        false => Err(Fault::usage("needs_yes", "nothing was installed")),
    }
}
