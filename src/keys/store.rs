//! Where keys are kept between runs. A store never falls back to another: what it cannot do is an
//! error that says which of them it is.

mod file;
mod keyring;

use std::path::PathBuf;

pub use file::{FileStore, Passphrase};
pub use keyring::Keyring;

use super::vault::VaultError;
use super::{KeyName, Secret};

/// The longest value that any store is given, in bytes.
pub const LONGEST: usize = 64 << 10;

/// Keys under their names. Each call is whole: it has happened, or it has not.
pub trait KeyStore {
    /// Keeps a value, in place of the one before; tells whether there was one.
    fn set(&self, name: &KeyName, value: &Secret) -> Result<bool, StoreError>;
    /// The value; nothing when it is not set.
    fn get(&self, name: &KeyName) -> Result<Option<Secret>, StoreError>;
    /// Forgets a value; tells whether there was one.
    fn delete(&self, name: &KeyName) -> Result<bool, StoreError>;
    /// Every name that has a value, sorted.
    fn list(&self) -> Result<Vec<KeyName>, StoreError>;
}

/// Keeps a value and reads it back.
pub fn keep(store: &dyn KeyStore, name: &KeyName, value: &Secret) -> Result<bool, StoreError> {
    let replaced = store.set(name, value)?;
    match store.get(name)? {
        Some(kept) if kept.expose() == value.expose() => Ok(replaced),
        _ => Err(StoreError::ReadBack),
    }
}

/// Why a store cannot do what it is asked. No text in it comes from a value.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no session bus")]
    NoBus,
    #[error("no secret service on the session bus")]
    NoService,
    #[error("the system keyring is locked")]
    Locked,
    #[error("the system keyring did not answer in 3 s")]
    NoAnswer,
    #[error("the system keyring went away")]
    WentAway,
    #[error("the value has {bytes} bytes, and {place} takes {limit} at most")]
    TooLong { bytes: usize, limit: usize, place: &'static str },
    #[error("what the system keyring holds is not text")]
    NotText,
    #[error("the system keyring has no place for it: {0}")]
    Keyring(String),
    #[error("the value was written, and another was read back")]
    ReadBack,
    #[error("{} is open to others (mode {mode:o})", path.display())]
    Open { path: PathBuf, mode: u32 },
    #[error("{} belongs to somebody else", path.display())]
    Foreign { path: PathBuf },
    #[error("{} is a link", path.display())]
    Link { path: PathBuf },
    #[error("{} is no file", path.display())]
    NoFile { path: PathBuf },
    #[error("others may write to the folder {}", path.display())]
    OpenFolder { path: PathBuf },
    #[error("another run has held {} for 10 s", path.display())]
    Busy { path: PathBuf },
    #[error("{} cannot be opened", path.display())]
    Sealed { path: PathBuf, cause: VaultError },
    #[error("{} opens, and does not hold keys", path.display())]
    Damaged { path: PathBuf },
    #[error("the encrypted file would be larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("cannot {act} {}", path.display())]
    Io {
        act: &'static str,
        path: PathBuf,
        cause: std::io::Error,
    },
    /// The passphrase could not be had; the caller knows why.
    #[error("there is no passphrase")]
    NoPassphrase,
}
/// Refuses a value that is longer than a place takes.
fn fits(value: &Secret, limit: usize, place: &'static str) -> Result<(), StoreError> {
    let bytes = value.expose().len();
    if bytes > limit {
        return Err(StoreError::TooLong { bytes, limit, place });
    }
    Ok(())
}
