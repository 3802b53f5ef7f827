//! The system's keyring: Secret Service on Linux, Keychain on macOS, Credential Manager on
//! Windows. A thread of its own speaks to it, so that a keyring that does not answer cannot hold
//! the program for longer than [`PATIENCE`].

#[cfg_attr(any(target_os = "linux", target_os = "freebsd"), path = "keyring/secret_service.rs")]
#[cfg_attr(not(any(target_os = "linux", target_os = "freebsd")), path = "keyring/native.rs")]
mod platform;

use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::{KeyStore, StoreError, fits};
use crate::keys::{KeyName, Secret};

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest value the platform keeps.
const LONGEST: usize = platform::LONGEST;

type Job = Box<dyn FnOnce(&mut platform::Session) + Send>;

/// The keyring of the user who runs the program. Opened by the first call.
pub struct Keyring {
    worker: Cell<Option<Sender<Job>>>,
    /// It has not answered once: the calls after that do not wait again.
    silent: Cell<bool>,
}

impl Default for Keyring {
    fn default() -> Self {
        Self::new()
    }
}

impl Keyring {
    pub fn new() -> Self {
        Self {
            worker: Cell::new(None),
            silent: Cell::new(false),
        }
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut platform::Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if self.silent.get() {
            return Err(StoreError::NoAnswer);
        }
        let worker = self.worker.take().unwrap_or_else(start);
        let (say, answer) = channel();
        let job: Job = Box::new(move |session| drop(say.send(question(session))));
        worker.send(job).map_err(|_| StoreError::WentAway)?;
        self.worker.set(Some(worker));
        answer.recv_timeout(PATIENCE).unwrap_or_else(|error| match error {
            RecvTimeoutError::Timeout => {
                self.silent.set(true);
                Err(StoreError::NoAnswer)
            }
            RecvTimeoutError::Disconnected => Err(StoreError::WentAway),
        })
    }
}

fn start() -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    std::thread::spawn(move || {
        let mut session = platform::Session::default();
        for job in jobs {
            job(&mut session);
        }
    });
    sender
}

impl KeyStore for Keyring {
    fn set(&self, name: &KeyName, value: &Secret) -> Result<bool, StoreError> {
        fits(value, LONGEST, platform::PLACE)?;
        let (name, value) = (name.clone(), Secret::new(value.expose()));
        self.ask(move |session| session.set(&name, &value))
    }

    fn get(&self, name: &KeyName) -> Result<Option<Secret>, StoreError> {
        let name = name.clone();
        self.ask(move |session| session.get(&name))
    }

    fn delete(&self, name: &KeyName) -> Result<bool, StoreError> {
        let name = name.clone();
        self.ask(move |session| session.delete(&name))
    }

    fn list(&self) -> Result<Vec<KeyName>, StoreError> {
        self.ask(platform::Session::list)
    }
}
