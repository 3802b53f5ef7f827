//! Where a run's keys come from: the environment, under the names that the connector declares, then
//! the store.

use super::args::Storing;
use super::exit::Exit;
use super::fault::Fault;
use super::{Brand, Session, installed, store};
use crate::exec::needed_keys;
use crate::keys::{KeyName, Keys, Origin, Redactor, Secret};
use crate::model::{Base, Capability, Connector, Transport};

/// The keys of a connector, and the declared ones that nobody has given. A key that is set to
/// nothing is given: it leaves its header or parameter out.
pub(super) struct Loaded {
    pub keys: Keys,
    pub missing: Vec<String>,
    /// Why the store could not be asked.
    trouble: Option<Fault>,
}

/// Loads the keys of a connector; from here on none of them is printed.
pub(super) fn load(connector: &Connector, session: &mut Session) -> Result<Loaded, Fault> {
    let mut loaded = from_environment(connector)?;
    from_store(connector, &mut loaded, session)?;
    protect(&loaded.keys, session);
    Ok(loaded)
}

/// As [`load`], without the store: other people's code is not given what somebody kept for a
/// connector of the same name.
pub(super) fn load_given(connector: &Connector, session: &mut Session) -> Result<Loaded, Fault> {
    let loaded = from_environment(connector)?;
    protect(&loaded.keys, session);
    Ok(loaded)
}

fn protect(keys: &Keys, session: &mut Session) {
    session.io.protect(keys);
    warn_of_short(keys, session);
}

/// Looks in the store for what the environment has not given. A store that cannot be asked is a
/// failure only where a key of it is needed.
fn from_store(connector: &Connector, loaded: &mut Loaded, session: &Session) -> Result<(), Fault> {
    if loaded.missing.is_empty() {
        return Ok(());
    }
    let store = store::chosen(&Storing::default(), session)?;
    let mut missing = Vec::new();
    for key in std::mem::take(&mut loaded.missing) {
        let name = stored_name(connector, &key, session).filter(|_| loaded.trouble.is_none());
        match name.as_ref().map(|name| store.keys.get(name)) {
            Some(Ok(Some(value))) if session.brand == Brand::ChatPilot || is_same_service(connector) => {
                loaded.keys.insert(key, value, store.origin);
                continue;
            }
            Some(Ok(Some(_))) => {
                let message = format!(
                    "{key} is kept for the installed connector {}, and this one calls another service",
                    connector.name
                );
                loaded.trouble = Some(
                    Fault::new(Exit::Key, "another_service", message)
                        .hint(format!("set {key} for this run, if this service shall have it")),
                );
            }
            Some(Err(error)) => loaded.trouble = Some(store.fault(&error, name.as_ref())),
            Some(Ok(None)) | None => {}
        }
        missing.push(key);
    }
    loaded.missing = missing;
    Ok(())
}

/// What a key is called in the store: a profile's key has a name of its own.
fn stored_name(connector: &Connector, key: &str, session: &Session) -> Option<KeyName> {
    match session.brand {
        Brand::ChatPilot => KeyName::own(key),
        _ => KeyName::of_connector(&connector.name, key),
    }
}

/// Whether the installed connector of that name, if there is one, calls the same service: a
/// manifest from somewhere else shall not be given its keys by taking its name.
fn is_same_service(connector: &Connector) -> bool {
    let same = |ours: &Base, theirs: &Base| (ours.scheme, &ours.host, ours.port) == (theirs.scheme, &theirs.host, theirs.port);
    installed::connector(&connector.name).is_none_or(|installed| match (&installed.transport, &connector.transport) {
        (Transport::Http(ours), Transport::Http(theirs)) => same(&ours.base, &theirs.base),
        (Transport::Remote { url: ours, .. }, Transport::Remote { url: theirs, .. }) => same(ours, theirs),
        (
            Transport::Program {
                command: ours,
                args: words,
                ..
            },
            Transport::Program { command: theirs, args, .. },
        ) => ours == theirs && words == args,
        _ => false,
    })
}

fn from_environment(connector: &Connector) -> Result<Loaded, Fault> {
    let mut loaded = Loaded {
        keys: Keys::default(),
        missing: Vec::new(),
        trouble: None,
    };
    for name in &names(connector) {
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

/// A short key cannot be told from a word of ours or of an answer.
fn warn_of_short(keys: &Keys, session: &Session) {
    for name in keys.short() {
        session.io.progress(&format!(
            "note: {name} has fewer than 6 characters, so it is masked only where it stands as a word of its own\n"
        ));
    }
}

/// The declared keys, and those that a remote server's headers hold.
pub(super) fn names(connector: &Connector) -> Vec<String> {
    let declared = connector.keys.iter().map(|name| name.text.clone());
    let headers = match &connector.transport {
        Transport::Remote { headers, .. } => headers.as_slice(),
        _ => &[],
    };
    let headers = headers.iter().map(|header| crate::mcp::header_key(&connector.name, &header.text));
    declared.chain(headers).collect()
}

impl Loaded {
    /// The keys that a capability's request has a place for and that nobody has given.
    pub(super) fn lacking(&self, connector: &Connector, capability: &Capability) -> Vec<String> {
        let mut names = needed_keys(connector, capability);
        names.retain(|name| self.missing.contains(name));
        names
    }

    /// Refuses to begin when a capability needs a key that nobody has given.
    /// `otherwise` is what can be done without.
    pub(super) fn given(&self, connector: &Connector, capability: &Capability, otherwise: &str, session: &Session) -> Result<(), Fault> {
        let lacking = self.lacking(connector, capability);
        let Some(first) = lacking.first() else { return Ok(()) };
        let named = match lacking.len() {
            1 => "a key that has no value",
            _ => "keys that have no value",
        };
        let message = format!("`{}` needs {named}: {}", capability.name, lacking.join(", "));
        let fault = Fault::new(Exit::Key, "key_missing", message);
        let without_keyring = format!("set {first} for this run (to nothing, `{first}=`, to go without it), or {otherwise}");
        if let Some(trouble) = &self.trouble {
            let fault = trouble.causes.iter().fold(fault.cause(&trouble.message), Fault::cause);
            let is_nowhere = matches!(trouble.code, "no_bus" | "no_service");
            return Err(match &trouble.hint {
                Some(hint) if !is_nowhere => fault.hint(hint),
                _ => fault.hint(without_keyring),
            });
        }
        let set = session.brand.command(&match session.brand {
            Brand::ChatPilot => format!("secret set {first}"),
            _ => format!("secret set {} {first}", connector.name),
        });
        Err(fault.hint(format!("`{set}`, or {without_keyring}")))
    }
}

/// Endings of the names of variables that hold keys.
const LIKELY: [&str; 8] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
];
/// A shorter value is a word that may stand anywhere.
const SHORTEST: usize = 8;

/// Knows what the environment holds under names of keys, before any connector says which are its
/// own: a key may stand in the wrong place of a file or a command line.
pub(super) fn likely() -> Redactor {
    let ends = |name: &str, ending: &str| {
        let start = name.len().checked_sub(ending.len());
        start.is_some_and(|start| name.as_bytes()[start..].eq_ignore_ascii_case(ending.as_bytes()))
    };
    let is_likely = |name: &str| LIKELY.iter().any(|ending| ends(name, ending));
    let values = std::env::vars_os().filter_map(|(name, value)| {
        let value = value.into_string().ok().filter(|_| name.to_str().is_some_and(is_likely))?;
        (value.len() >= SHORTEST).then(|| Secret::new(value))
    });
    Redactor::new(&values.collect::<Vec<_>>())
}

/// Knows the values of these keys that are no word which may stand anywhere, and the likely ones
/// of the environment.
pub(super) fn long(keys: &Keys) -> Redactor {
    let mut redactor = likely();
    keys.secrets().filter(|key| !key.is_short()).for_each(|key| redactor.learn(key));
    redactor
}

/// A core dump would hold the keys of the run.
pub(super) fn keep_out_of_core_dumps() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = Rlimit {
            current: Some(0),
            maximum: getrlimit(Resource::Core).maximum,
        };
        // Refused only where there is no such limit.
        let _refused = setrlimit(Resource::Core, limit);
    }
}
