//! The Secret Service of a session bus: gnome-keyring, KWallet, KeePassXC. An item has the
//! attributes `service` and `username`, as other programs write and find them.

use std::collections::HashMap;

use dbus_secret_service::{Collection, EncryptionType, Error, Item, SecretService};
use zeroize::Zeroizing;

use super::StoreError;
use crate::keys::name::SERVICE;
use crate::keys::{KeyName, Secret};

pub(super) const LONGEST: usize = super::super::LONGEST;
pub(super) const PLACE: &str = "the system keyring";
/// The most prompts for a locked keyring that are waited for: the answer to one may take longer
/// than a call has.
const PROMPT_SECONDS: u64 = 2;

/// One connection.
#[derive(Default)]
pub(super) struct Session {
    service: Option<SecretService>,
}

impl Session {
    fn service(&mut self) -> Result<&SecretService, StoreError> {
        if self.service.is_none() {
            let connected = SecretService::connect_with_max_prompt_timeout(EncryptionType::Dh, PROMPT_SECONDS);
            self.service = Some(connected.map_err(unconnected)?);
        }
        Ok(self.service.as_ref().expect("it was made just now"))
    }

    pub(super) fn set(&mut self, name: &KeyName, value: &Secret) -> Result<bool, StoreError> {
        let service = self.service()?;
        let found = find(service, name)?;
        if let Some(item) = found.first() {
            item.set_secret(value.expose().as_bytes(), "text/plain").map_err(failed)?;
            // What another program has stored twice would answer with the old value.
            found[1..].iter().try_for_each(Item::delete).map_err(failed)?;
            return Ok(true);
        }
        let label = format!("Becket: {}", name.account());
        let bytes = value.expose().as_bytes();
        open(&collection(service)?)?
            .create_item(&label, attributes(&name.account()), bytes, true, "text/plain")
            .map_err(failed)?;
        Ok(false)
    }

    pub(super) fn get(&mut self, name: &KeyName) -> Result<Option<Secret>, StoreError> {
        let service = self.service()?;
        let found = find(service, name)?;
        let Some(item) = found.first() else { return Ok(None) };
        let bytes = Zeroizing::new(item.get_secret().map_err(failed)?);
        let text = std::str::from_utf8(&bytes).map_err(|_| StoreError::NotText)?;
        Ok(Some(Secret::new(text)))
    }

    pub(super) fn delete(&mut self, name: &KeyName) -> Result<bool, StoreError> {
        let service = self.service()?;
        let found = find(service, name)?;
        found.iter().try_for_each(Item::delete).map_err(failed)?;
        Ok(!found.is_empty())
    }

    pub(super) fn list(&mut self) -> Result<Vec<KeyName>, StoreError> {
        let service = self.service()?;
        let items = search(service, HashMap::from([("service", SERVICE)]))?;
        let mut names = Vec::new();
        for item in items {
            let attributes = item.get_attributes().map_err(failed)?;
            names.extend(attributes.get("username").and_then(|account| KeyName::read(account)));
        }
        names.sort();
        names.dedup();
        Ok(names)
    }
}

fn find<'s>(service: &'s SecretService, name: &KeyName) -> Result<Vec<Item<'s>>, StoreError> {
    search(service, attributes(&name.account()))
}

/// Open items only. A locked collection does not say what it holds, so a name that is not found is
/// not set only where the collection is open.
fn search<'s>(service: &'s SecretService, attributes: HashMap<&str, &str>) -> Result<Vec<Item<'s>>, StoreError> {
    let found = service.search_items(attributes.clone()).map_err(failed)?;
    if !found.locked.is_empty() {
        service.unlock_all(&found.locked.iter().collect::<Vec<_>>()).map_err(failed)?;
    }
    let mut items = found.unlocked;
    items.extend(found.locked);
    if !items.is_empty() {
        return Ok(items);
    }
    match service.get_default_collection() {
        Ok(collection) if collection.is_locked().map_err(failed)? => {
            open(&collection)?;
            let found = service.search_items(attributes).map_err(failed)?;
            Ok(found.unlocked)
        }
        // There is none yet: nothing was ever set.
        Ok(_) | Err(Error::NoResult) => Ok(items),
        Err(error) => Err(failed(error)),
    }
}

fn attributes(account: &str) -> HashMap<&str, &str> {
    HashMap::from([("service", SERVICE), ("username", account)])
}

fn collection(service: &SecretService) -> Result<Collection<'_>, StoreError> {
    match service.get_default_collection() {
        Err(Error::NoResult) => service.create_collection("Login", "default").map_err(failed),
        other => other.map_err(failed),
    }
}

fn open<'c, 's>(collection: &'c Collection<'s>) -> Result<&'c Collection<'s>, StoreError> {
    collection.ensure_unlocked().map_err(failed)?;
    match collection.is_locked().map_err(failed)? {
        true => Err(StoreError::Locked),
        false => Ok(collection),
    }
}

/// There is no connection: the bus or the service is not there.
fn unconnected(error: Error) -> StoreError {
    match dbus_name(&error) {
        Some("org.freedesktop.DBus.Error.ServiceUnknown" | "org.freedesktop.DBus.Error.NameHasNoOwner") => StoreError::NoService,
        Some(name) if name.starts_with("org.freedesktop.DBus.Error.Spawn.") && !name.ends_with(".ExecFailed") => StoreError::NoService,
        Some("org.freedesktop.DBus.Error.NoReply" | "org.freedesktop.DBus.Error.Timeout") => StoreError::NoAnswer,
        Some(_) => StoreError::NoBus,
        None => failed(error),
    }
}

fn failed(error: Error) -> StoreError {
    match (&error, dbus_name(&error)) {
        (Error::Locked | Error::Prompt, _) | (_, Some("org.freedesktop.Secret.Error.IsLocked")) => StoreError::Locked,
        (_, Some("org.freedesktop.DBus.Error.ServiceUnknown" | "org.freedesktop.DBus.Error.NameHasNoOwner")) => StoreError::NoService,
        (_, Some("org.freedesktop.DBus.Error.NoReply" | "org.freedesktop.DBus.Error.Disconnected")) => StoreError::WentAway,
        (_, Some("org.freedesktop.DBus.Error.Timeout")) => StoreError::NoAnswer,
        // What a service adds of its own could be anything.
        (_, Some(name)) => StoreError::Keyring(name.to_owned()),
        (Error::Crypto(_), _) => StoreError::Keyring("its cipher failed".to_owned()),
        _ => StoreError::Keyring("its answer cannot be read".to_owned()),
    }
}

fn dbus_name(error: &Error) -> Option<&str> {
    match error {
        Error::Dbus(error) => error.name(),
        _ => None,
    }
}
