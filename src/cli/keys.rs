//! Where a run's keys come from: today the environment, under the names that the connector
//! declares.

use super::exit::Exit;
use super::fault::Fault;
use crate::keys::{Keys, Origin, Secret};
use crate::model::Connector;

/// The keys of a connector, and the declared ones that nobody has given. A key that is set to
/// nothing is given: it leaves its header or parameter out.
pub(super) struct Loaded {
    pub keys: Keys,
    pub missing: Vec<String>,
}

pub(super) fn load(connector: &Connector) -> Result<Loaded, Fault> {
    let mut loaded = Loaded {
        keys: Keys::default(),
        missing: Vec::new(),
    };
    for name in connector.keys.iter().map(|name| &name.text) {
        match std::env::var(name) {
            Ok(value) => loaded.keys.insert(name, Secret::new(value), Origin::Environment),
            Err(std::env::VarError::NotPresent) => loaded.missing.push(name.clone()),
            Err(std::env::VarError::NotUnicode(_)) => {
                return Err(
                    Fault::new(Exit::Key, "key_unfit", format!("the key {name} is not UTF-8")).hint("set it again; it may have been cut")
                );
            }
        }
    }
    Ok(loaded)
}
