//! The encrypted file: every key in one sealed file, for servers and containers without a keyring.
//!
//! A change reads the file, seals a new one beside it and renames it over the old one, under a lock
//! on a third file, so that two changes at once both survive and a killed one changes nothing. The
//! file, its lock and its folder must be the user's alone.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use zeroize::{Zeroize as _, Zeroizing};

use super::{KeyStore, LONGEST, StoreError, fits};
use crate::keys::vault::{self, Kind};
use crate::keys::{KeyName, Secret};

/// The largest file.
const LARGEST: usize = 16 << 20;
/// How files that are being written begin: what a killed run leaves is removed by the next.
const STAGED: &str = ".becket-keys-";
/// How often, and after which pause, a lock that another run holds is asked for.
const PATIENCE: (u32, Duration) = (200, Duration::from_millis(50));

/// Gives the passphrase. Asked once, when a file is first opened or made; told whether it is made.
pub type Passphrase = Box<dyn Fn(bool) -> Option<Secret>>;

/// Keys in one sealed file.
pub struct FileStore {
    path: PathBuf,
    ask: Passphrase,
    passphrase: std::cell::OnceCell<Secret>,
}

/// Accounts and values. The values are cleared when it is dropped.
#[derive(Default)]
struct Held(BTreeMap<String, String>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.values_mut().for_each(String::zeroize);
    }
}

impl FileStore {
    pub fn new(path: PathBuf, ask: Passphrase) -> Self {
        Self {
            path,
            ask,
            passphrase: std::cell::OnceCell::new(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn passphrase(&self, is_new: bool) -> Result<&Secret, StoreError> {
        if let Some(passphrase) = self.passphrase.get() {
            return Ok(passphrase);
        }
        let given = (self.ask)(is_new).ok_or(StoreError::NoPassphrase)?;
        Ok(self.passphrase.get_or_init(|| given))
    }

    /// What the file holds; nothing when there is no file.
    fn read(&self) -> Result<Option<Held>, StoreError> {
        let Some(sealed) = self.sealed()? else { return Ok(None) };
        let passphrase = self.passphrase(false)?;
        let opened = vault::open(Kind::Keys, passphrase, &sealed).map_err(|cause| StoreError::Sealed {
            path: self.path.clone(),
            cause,
        })?;
        let held = serde_json::from_slice(&opened).map(Held);
        held.map(Some).map_err(|_| StoreError::Damaged { path: self.path.clone() })
    }

    fn sealed(&self) -> Result<Option<Vec<u8>>, StoreError> {
        let facts = match self.path.symlink_metadata() {
            Ok(facts) => facts,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.io("read", error)),
        };
        if facts.is_symlink() {
            return Err(StoreError::Link { path: self.path.clone() });
        }
        if !facts.is_file() {
            return Err(StoreError::NoFile { path: self.path.clone() });
        }
        private(&self.path, &facts)?;
        private_folder(self.folder())?;
        let mut sealed = Vec::new();
        let file = File::open(&self.path).map_err(|error| self.io("read", error))?;
        let read = file.take(LARGEST as u64 + 1).read_to_end(&mut sealed);
        read.map_err(|error| self.io("read", error))?;
        match sealed.len() > LARGEST {
            true => Err(StoreError::TooLarge { limit: LARGEST }),
            false => Ok(Some(sealed)),
        }
    }

    /// Changes what the file holds, whole or not at all.
    fn change<T>(&self, change: impl FnOnce(&mut Held) -> (bool, T)) -> Result<T, StoreError> {
        make_private_folder(self.folder()).map_err(|error| self.io_at("make", self.folder(), error))?;
        private_folder(self.folder())?;
        // Asked before the lock is held: a person may take a while.
        self.passphrase(self.sealed()?.is_none())?;
        let _lock = self.lock()?;
        self.sweep();
        let mut held = self.read()?.unwrap_or_default();
        let (changed, result) = change(&mut held);
        if changed {
            self.write(&held)?;
        }
        Ok(result)
    }

    fn write(&self, held: &Held) -> Result<(), StoreError> {
        let plain = Zeroizing::new(serde_json::to_vec(&held.0).expect("texts are always JSON"));
        if plain.len() > LARGEST - (1 << 10) {
            return Err(StoreError::TooLarge { limit: LARGEST });
        }
        let sealed = vault::seal(Kind::Keys, self.passphrase(false)?, &plain).map_err(|cause| StoreError::Sealed {
            path: self.path.clone(),
            cause,
        })?;
        self.replace(&sealed).map_err(|error| self.io("write", error))
    }

    fn replace(&self, sealed: &[u8]) -> io::Result<()> {
        // The builder's own mode is 0600.
        let mut staged = tempfile::Builder::new().prefix(STAGED).tempfile_in(self.folder())?;
        staged.write_all(sealed)?;
        staged.as_file().sync_all()?;
        staged.persist(&self.path)?;
        sync_folder(self.folder())
    }

    /// Removes what killed runs left. Only the holder of the lock may.
    fn sweep(&self) {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(STAGED)) {
            drop(std::fs::remove_file(entry.path()));
        }
    }

    fn lock(&self) -> Result<File, StoreError> {
        let path = self.folder().join(".becket-keys.lock");
        if path.symlink_metadata().is_ok_and(|facts| !facts.is_file()) {
            return Err(StoreError::NoFile { path });
        }
        let file = private_options().open(&path).map_err(|error| self.io_at("lock", &path, error))?;
        for _ in 0..PATIENCE.0 {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PATIENCE.1),
                Err(TryLockError::Error(error)) => return Err(self.io_at("lock", &path, error)),
            }
        }
        Err(StoreError::Busy { path: self.path.clone() })
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    fn io(&self, act: &'static str, cause: io::Error) -> StoreError {
        self.io_at(act, &self.path, cause)
    }

    fn io_at(&self, act: &'static str, path: &Path, cause: io::Error) -> StoreError {
        StoreError::Io {
            act,
            path: path.to_owned(),
            // The text of an error of ours may name the file that was staged.
            cause: cause
                .raw_os_error()
                .map_or_else(|| cause.kind().into(), io::Error::from_raw_os_error),
        }
    }
}

impl KeyStore for FileStore {
    fn set(&self, name: &KeyName, value: &Secret) -> Result<bool, StoreError> {
        fits(value, LONGEST, "the encrypted file")?;
        self.change(|held| {
            let old = held.0.insert(name.account(), value.expose().to_owned()).map(Zeroizing::new);
            (true, old.is_some())
        })
    }

    fn get(&self, name: &KeyName) -> Result<Option<Secret>, StoreError> {
        let held = self.read()?;
        Ok(held.and_then(|mut held| held.0.remove(&name.account())).map(Secret::new))
    }

    fn delete(&self, name: &KeyName) -> Result<bool, StoreError> {
        if self.sealed()?.is_none() {
            return Ok(false);
        }
        self.change(|held| {
            let old = held.0.remove(&name.account()).map(Zeroizing::new);
            (old.is_some(), old.is_some())
        })
    }

    fn list(&self) -> Result<Vec<KeyName>, StoreError> {
        let held = self.read()?.unwrap_or_default();
        let mut names: Vec<KeyName> = held.0.keys().filter_map(|account| KeyName::read(account)).collect();
        names.sort();
        Ok(names)
    }
}

#[cfg(unix)]
fn private(path: &Path, facts: &std::fs::Metadata) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt as _;
    let path = path.to_owned();
    if facts.uid() != rustix::process::geteuid().as_raw() {
        return Err(StoreError::Foreign { path });
    }
    match facts.mode() & 0o077 {
        0 => Ok(()),
        _ => Err(StoreError::Open {
            path,
            mode: facts.mode() & 0o777,
        }),
    }
}

/// Who may write to the folder may put another file in the place of ours.
#[cfg(unix)]
fn private_folder(folder: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt as _;
    let path = folder.to_owned();
    let Ok(facts) = folder.metadata() else { return Ok(()) };
    let owner = facts.uid();
    if owner != rustix::process::geteuid().as_raw() && owner != 0 {
        return Err(StoreError::Foreign { path });
    }
    match facts.mode() & 0o022 {
        0 => Ok(()),
        _ => Err(StoreError::OpenFolder { path }),
    }
}

#[cfg(unix)]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(unix)]
fn private_options() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    options
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere a user's folders are the user's alone by the system's own rules.
#[cfg(not(unix))]
fn private(_: &Path, _: &std::fs::Metadata) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(not(unix))]
fn private_folder(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(not(unix))]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(not(unix))]
fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::keep;
    use super::*;

    fn store(path: &Path, passphrase: &'static str) -> FileStore {
        FileStore::new(path.to_owned(), Box::new(move |_| Some(Secret::new(passphrase))))
    }

    fn name(key: &str) -> KeyName {
        KeyName::of_connector("tides", key).expect("a name")
    }

    fn value(store: &FileStore, key: &str) -> Option<String> {
        store.get(&name(key)).unwrap().map(|value| value.expose().to_owned())
    }

    #[test]
    fn a_key_is_kept_replaced_listed_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/keys.sealed");
        let keys = store(&path, "a passphrase");
        assert_eq!(keys.list().unwrap(), []);
        assert!(!keys.delete(&name("A")).unwrap());
        assert!(!path.exists());
        assert!(!keep(&keys, &name("A"), &Secret::new("first")).unwrap());
        assert!(keep(&keys, &name("A"), &Secret::new("second")).unwrap());
        assert!(!keep(&keys, &name("B"), &Secret::new("é\nx")).unwrap());
        let again = store(&path, "a passphrase");
        assert_eq!(value(&again, "A").as_deref(), Some("second"));
        assert_eq!(value(&again, "B").as_deref(), Some("é\nx"));
        assert_eq!(value(&again, "C"), None);
        assert_eq!(again.list().unwrap(), [name("A"), name("B")]);
        assert!(again.delete(&name("A")).unwrap());
        assert_eq!(store(&path, "a passphrase").list().unwrap(), [name("B")]);
        let sealed = std::fs::read(&path).unwrap();
        assert!(!sealed.windows(5).any(|part| part == b"tides"), "names are sealed too");
    }

    #[test]
    fn another_passphrase_opens_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.sealed");
        store(&path, "a passphrase").set(&name("A"), &Secret::new("first")).unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = store(&path, "another").set(&name("B"), &Secret::new("x")).unwrap_err();
        assert!(
            matches!(
                error,
                StoreError::Sealed {
                    cause: vault::VaultError::Refused,
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let too_long = store(&path, "a passphrase").set(&name("B"), &Secret::new("x".repeat(LONGEST + 1)));
        assert!(matches!(
            too_long.unwrap_err(),
            StoreError::TooLong {
                bytes: 65537,
                limit: 65536,
                ..
            }
        ));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn sets_at_once_all_survive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.sealed");
        std::thread::scope(|scope| {
            for at in 0..6 {
                let path = &path;
                scope.spawn(move || {
                    store(path, "a passphrase")
                        .set(&name(&format!("K{at}")), &Secret::new("x"))
                        .unwrap()
                });
            }
        });
        assert_eq!(store(&path, "a passphrase").list().unwrap().len(), 6);
        let left: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left.len(), 2, "{left:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_reach_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.sealed");
        let keys = store(&path, "a passphrase");
        keys.set(&name("A"), &Secret::new("first")).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        mode(&path, 0o644);
        assert!(matches!(keys.get(&name("A")).err().unwrap(), StoreError::Open { mode: 0o644, .. }));
        assert!(matches!(
            keys.set(&name("A"), &Secret::new("x")).unwrap_err(),
            StoreError::Open { .. }
        ));
        mode(&path, 0o600);
        mode(folder.path(), 0o777);
        assert!(matches!(keys.get(&name("A")).err().unwrap(), StoreError::OpenFolder { .. }));
        assert!(matches!(
            keys.set(&name("A"), &Secret::new("x")).unwrap_err(),
            StoreError::OpenFolder { .. }
        ));
        mode(folder.path(), 0o700);
        assert_eq!(value(&keys, "A").as_deref(), Some("first"));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(
            store(&link, "a passphrase").get(&name("A")).err().unwrap(),
            StoreError::Link { .. }
        ));
        assert!(matches!(
            store(folder.path(), "a passphrase").get(&name("A")).err().unwrap(),
            StoreError::NoFile { .. }
        ));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_run_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.sealed");
        std::fs::write(folder.path().join(".becket-keys-x1y2"), "half").unwrap();
        store(&path, "a passphrase").set(&name("A"), &Secret::new("first")).unwrap();
        assert!(!folder.path().join(".becket-keys-x1y2").exists());
    }
}
