//! Keychain on macOS, Credential Manager on Windows.

use std::collections::HashMap;
use std::sync::Arc;

use keyring_core::api::CredentialStoreApi as _;
use keyring_core::{Entry, Error};

use super::StoreError;
use crate::keys::name::SERVICE;
use crate::keys::{KeyName, Secret};

#[cfg(target_os = "macos")]
use apple_native_keyring_store::keychain::Store;
#[cfg(windows)]
use windows_native_keyring_store::Store;

#[cfg(windows)]
pub(super) const LONGEST: usize = 2560;
#[cfg(windows)]
pub(super) const PLACE: &str = "the Credential Manager of Windows";
#[cfg(not(windows))]
pub(super) const LONGEST: usize = super::super::LONGEST;
#[cfg(not(windows))]
pub(super) const PLACE: &str = "the Keychain";

/// One opened store.
#[derive(Default)]
pub(super) struct Session {
    store: Option<Arc<Store>>,
}

impl Session {
    fn store(&mut self) -> Result<&Arc<Store>, StoreError> {
        if self.store.is_none() {
            self.store = Some(Store::new().map_err(|error| failed(&error))?);
        }
        Ok(self.store.as_ref().expect("it was made just now"))
    }

    fn entry(&mut self, name: &KeyName) -> Result<Entry, StoreError> {
        self.store()?.build(SERVICE, &name.account(), None).map_err(|error| failed(&error))
    }

    pub(super) fn set(&mut self, name: &KeyName, value: &Secret) -> Result<bool, StoreError> {
        let before = self.get(name)?.is_some();
        // As bytes: Windows keeps twice as many of them as of letters.
        let set = self.entry(name)?.set_secret(value.expose().as_bytes());
        set.map(|()| before).map_err(|error| match error {
            Error::TooLong(..) => StoreError::TooLong {
                bytes: value.expose().len(),
                limit: LONGEST,
                place: PLACE,
            },
            error => failed(&error),
        })
    }

    pub(super) fn get(&mut self, name: &KeyName) -> Result<Option<Secret>, StoreError> {
        match self.entry(name)?.get_secret() {
            Ok(bytes) => String::from_utf8(bytes).map(|text| Some(Secret::new(text))).map_err(|error| {
                drop(zeroize::Zeroizing::new(error.into_bytes()));
                StoreError::NotText
            }),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    pub(super) fn delete(&mut self, name: &KeyName) -> Result<bool, StoreError> {
        match self.entry(name)?.delete_credential() {
            Ok(()) => Ok(true),
            Err(Error::NoEntry) => Ok(false),
            Err(error) => Err(failed(&error)),
        }
    }

    pub(super) fn list(&mut self) -> Result<Vec<KeyName>, StoreError> {
        let pattern = format!("(^|\\.){SERVICE}$");
        let wanted = match cfg!(windows) {
            true => HashMap::from([("pattern", pattern.as_str())]),
            false => HashMap::from([("service", SERVICE)]),
        };
        let entries = self.store()?.search(&wanted).map_err(|error| failed(&error))?;
        let accounts = entries.iter().filter_map(Entry::get_specifiers);
        let ours = accounts.filter(|(service, _)| service == SERVICE);
        let mut names: Vec<KeyName> = ours.filter_map(|(_, account)| KeyName::read(&account)).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}

/// The kind only: an error may carry what is stored.
fn failed(error: &Error) -> StoreError {
    match error {
        Error::NoStorageAccess(_) => StoreError::Locked,
        Error::PlatformFailure(cause) => StoreError::Keyring(cause.to_string()),
        Error::BadEncoding(_) => StoreError::NotText,
        Error::NotSupportedByStore(_) => StoreError::Keyring("it cannot do that".to_owned()),
        Error::Ambiguous(_) => StoreError::Keyring("it holds the key more than once".to_owned()),
        _ => StoreError::Keyring("its answer cannot be read".to_owned()),
    }
}
