//! Keys: values that never become text except on the wire and in a child's environment, the set
//! that one run has loaded, the stores that keep them between runs, and the redactor that keeps
//! them out of everything else.

mod name;
mod redact;
mod secret;
mod store;
pub mod vault;

pub use name::{KeyName, SERVICE, is_connector, is_variable};
pub use redact::Redactor;
pub use secret::{Secret, Unfit};
pub use store::{FileStore, KeyStore, Keyring, LONGEST, Passphrase, StoreError, keep};

/// Where a key's value came from, for hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Environment,
    Keyring,
    File,
}

impl Origin {
    /// One word, for lists.
    pub fn word(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::Keyring => "keyring",
            Self::File => "file",
        }
    }

    /// Completes "the key came from …".
    pub fn words(self) -> &'static str {
        match self {
            Self::Environment => "the environment",
            Self::Keyring => "the keyring",
            Self::File => "the encrypted file",
        }
    }
}

/// The keys of one connector for one run. A key whose value is empty counts as not set.
#[derive(Default)]
pub struct Keys {
    values: Vec<(String, Secret, Origin)>,
    /// Names that stand for values which are yet to come.
    awaited: Vec<String>,
}

impl Keys {
    pub fn insert(&mut self, name: impl Into<String>, value: Secret, origin: Origin) {
        let name = name.into();
        self.values.retain(|(other, ..)| *other != name);
        if !value.is_empty() {
            self.values.push((name, value, origin));
        }
    }

    pub fn get(&self, name: &str) -> Option<&Secret> {
        self.values.iter().find(|(other, ..)| other == name).map(|(_, value, _)| value)
    }

    /// The values of some names once more, for a thread of its own.
    pub fn copy_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut keys = Self::default();
        for name in names {
            if let Some((_, value, origin)) = self.values.iter().find(|(other, ..)| other == name) {
                keys.insert(name, Secret::new(value.expose()), *origin);
            }
        }
        keys
    }

    /// Plans as if this key had a value. It can be shown and not sent.
    pub fn await_value(&mut self, name: impl Into<String>) {
        self.awaited.push(name.into());
    }

    /// Whether a plan may hold it.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some() || self.awaited.iter().any(|other| other == name)
    }

    pub fn origin(&self, name: &str) -> Option<Origin> {
        self.values.iter().find(|(other, ..)| other == name).map(|(.., origin)| *origin)
    }

    /// Every value, for the redactor.
    pub fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.values.iter().map(|(_, value, _)| value)
    }

    /// The names of values that are masked only as words.
    pub fn short(&self) -> impl Iterator<Item = &str> {
        let short = self.values.iter().filter(|(_, value, _)| value.is_short());
        short.map(|(name, ..)| name.as_str())
    }

    /// A redactor that knows every value here.
    pub fn redactor(&self) -> Redactor {
        Redactor::new(self.secrets())
    }
}
