//! Which store a run uses, and what it cannot do as text, hint and exit code. It is the one that
//! was asked for: no store stands in for another.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use etcetera::BaseStrategy as _;

use super::Session;
use super::args::{StoreWord, Storing};
use super::exit::Exit;
use super::fault::Fault;
use super::hidden;
use crate::keys::vault::VaultError;
use crate::keys::{FileStore, KeyName, KeyStore, Keyring, Origin, Secret, StoreError};
use crate::source::{Limits, read_file};

/// The shortest passphrase for a new file.
const SHORTEST: usize = 8;

/// A store and what it is.
pub(super) struct Store {
    pub keys: Box<dyn KeyStore>,
    pub origin: Origin,
    /// Completes "Saved in …".
    pub place: String,
    /// Why there was no passphrase.
    unasked: Rc<RefCell<Option<Fault>>>,
}

/// The store that flags, then the environment, ask for.
pub(super) fn chosen(asked: &Storing, session: &Session) -> Result<Store, Fault> {
    let unasked = Rc::default();
    let word = match (asked.store, &asked.store_file) {
        (Some(StoreWord::Keyring), Some(_)) => {
            return Err(Fault::usage("bad_usage", "`--store-file` names a file, and the keyring has none").hint("leave one of the two out"));
        }
        (Some(word), _) => word,
        (None, Some(_)) => StoreWord::File,
        (None, None) => from_environment()?,
    };
    match word {
        StoreWord::Keyring => Ok(Store {
            keys: Box::new(Keyring::new()),
            origin: Origin::Keyring,
            place: "the system keyring".to_owned(),
            unasked,
        }),
        StoreWord::File => {
            let path = file(asked)?;
            let place = format!("the encrypted file {}", path.display());
            let (can_ask, why) = (session.io.facts.can_ask, Rc::clone(&unasked));
            let passphrase = move |is_new| passphrase(is_new, can_ask).map_err(|fault| *why.borrow_mut() = Some(fault)).ok();
            Ok(Store {
                keys: Box::new(FileStore::new(path, Box::new(passphrase))),
                origin: Origin::File,
                place,
                unasked,
            })
        }
    }
}

fn from_environment() -> Result<StoreWord, Fault> {
    match std::env::var("BECKET_STORE").as_deref() {
        Err(_) | Ok("" | "keyring") => Ok(StoreWord::Keyring),
        Ok("file") => Ok(StoreWord::File),
        Ok(_) => Err(Fault::usage("bad_store", "BECKET_STORE names no store").hint("it is `keyring` or `file`")),
    }
}

fn file(asked: &Storing) -> Result<PathBuf, Fault> {
    let named = std::env::var_os("BECKET_STORE_FILE").filter(|path| !path.is_empty());
    if let Some(path) = asked.store_file.clone().or(named.map(PathBuf::from)) {
        return Ok(path);
    }
    match etcetera::choose_base_strategy() {
        Ok(places) => Ok(places.data_dir().join("becket/keys.sealed")),
        Err(_) => Err(Fault::usage("no_home", "there is no home folder for the encrypted file").hint("name one with `--store-file`")),
    }
}

/// The passphrase: from the file that the environment names, then from the person.
fn passphrase(is_new: bool, can_ask: bool) -> Result<Secret, Fault> {
    let given = match std::env::var_os("BECKET_PASSPHRASE_FILE").filter(|path| !path.is_empty()) {
        Some(path) => {
            let limits = Limits {
                bytes: 4 << 10,
                ..Limits::MANIFEST
            };
            let text = read_file(&PathBuf::from(path), limits).map_err(|_| {
                Fault::new(Exit::Key, "no_passphrase", "cannot read the passphrase")
                    .cause("the file that BECKET_PASSPHRASE_FILE names cannot be read")
                    .hint("it is a text of one line")
            })?;
            let line = text.text().strip_suffix('\n').unwrap_or(text.text());
            Secret::new(line.strip_suffix('\r').unwrap_or(line))
        }
        None if can_ask => asked(is_new)?,
        None => {
            return Err(Fault::new(
                Exit::Key,
                "no_passphrase",
                "the encrypted file needs its passphrase, and there is nobody to ask",
            )
            .hint("BECKET_PASSPHRASE_FILE names a file that holds it; /dev/fd/3 is a descriptor"));
        }
    };
    match is_new && given.len() < SHORTEST {
        true => Err(Fault::new(
            Exit::Usage,
            "short_passphrase",
            format!("a passphrase has {SHORTEST} characters or more"),
        )
        .hint("several words are easier to keep in mind than letters and digits")),
        false => Ok(given),
    }
}

fn asked(is_new: bool) -> Result<Secret, Fault> {
    let once = hidden::ask(if is_new {
        "New passphrase for the encrypted file (not shown): "
    } else {
        "Passphrase of the encrypted file (not shown): "
    })?;
    if is_new && !hidden::ask("Once more: ")?.same(&once) {
        return Err(Fault::usage("no_passphrase", "the two passphrases differ; nothing was written"));
    }
    Ok(once)
}

impl Store {
    /// What it could not do. `name` is the key that was meant, for the hints.
    pub(super) fn fault(&self, error: &StoreError, name: Option<&KeyName>) -> Fault {
        let environment = name.map_or_else(
            || "keep keys in the environment for this run".to_owned(),
            |name| format!("set {} in the environment for this run", name.key().to_uppercase()),
        );
        let or_file = "keep keys in an encrypted file with `--store file`";
        let text = error.to_string();
        let key = |code, message: &str| Fault::new(Exit::Key, code, message);
        match error {
            StoreError::NoPassphrase => self.unasked.borrow_mut().take().unwrap_or_else(|| key("no_passphrase", &text)),
            StoreError::NoBus => key("no_bus", "the system keyring cannot be reached").cause(text).hint(format!(
                "{environment}, or {or_file}: over ssh and in a container there is no keyring"
            )),
            StoreError::NoService => key("no_service", "the system keyring cannot be reached")
                .cause(text)
                .hint(format!("start a keyring such as gnome-keyring; or {environment}, or {or_file}")),
            StoreError::Locked => key("locked", &text).hint(format!(
                "unlock it in the desktop's password program or by signing in, then run this again; or {environment}"
            )),
            StoreError::NoAnswer | StoreError::WentAway => {
                key("no_answer", &text).hint(format!("answer it if it asks something, or start it again; or {environment}"))
            }
            StoreError::NotText => key("not_text", &text).hint("set the key again"),
            StoreError::Keyring(_) => key("keyring", "the system keyring refused")
                .cause(text)
                .hint(format!("{environment}, or {or_file}")),
            StoreError::ReadBack => key("read_back", &text).hint(or_file),
            StoreError::TooLong { .. } if self.origin == Origin::Keyring && cfg!(windows) => Fault::usage("too_long", text).hint(or_file),
            StoreError::TooLong { .. } | StoreError::TooLarge { .. } => {
                Fault::usage("too_long", text).hint("a key is short: look whether this is one")
            }
            StoreError::Open { path, .. } => Fault::usage("open_file", text).hint(format!(
                "`chmod 600 {}`, and replace its keys if others could read it",
                path.display()
            )),
            StoreError::OpenFolder { path } => {
                Fault::usage("open_folder", text).hint(format!("`chmod go-w {}`, or keep the file elsewhere", path.display()))
            }
            StoreError::Foreign { .. } | StoreError::Link { .. } | StoreError::NoFile { .. } => {
                Fault::usage("bad_file", text).hint("name a file of your own with `--store-file`")
            }
            StoreError::Busy { .. } => Fault::usage("busy", text).hint("let it end, then run this again"),
            StoreError::Sealed { cause, .. } => sealed(&text, *cause),
            StoreError::Damaged { .. } => Fault::usage("damaged", text).hint("bring it back from a copy"),
            StoreError::Io { cause, .. } => Fault::usage("unwritable", text)
                .cause(cause.to_string())
                .hint("nothing was changed"),
        }
    }
}

fn sealed(text: &str, cause: VaultError) -> Fault {
    let exit = if cause == VaultError::Refused { Exit::Key } else { Exit::Usage };
    let hint = match cause {
        VaultError::Refused => "try the passphrase again; if the file was changed, bring it back from a copy",
        VaultError::Version(_) | VaultError::Unknown => "use the release of this program that wrote it",
        VaultError::Truncated => "bring it back from a copy; or remove it and set the keys again",
        VaultError::Memory | VaultError::Random => "try again when the system is less busy",
        _ => "name the right file with `--store-file`",
    };
    Fault::new(exit, "sealed", text).cause(cause.to_string()).hint(hint)
}
