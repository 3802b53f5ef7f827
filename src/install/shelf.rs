//! The folder of connectors: what is in it, and the lock that a change needs.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::failed;
use super::{Bench, InstallError, Manner, Step, bench, fs, journal};

/// How long a change waits for another one.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

/// The connectors folder. Names that start with a dot are nobody's connectors.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the connector of a name is.
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The names of the folders in it, sorted; none when it is not there.
    pub fn names(&self) -> Result<Vec<String>, InstallError> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("list", &self.folder)(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed("list", &self.folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type();
            let is_folder = kind.is_ok_and(|kind| kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()));
            if is_folder && !name.starts_with('.') {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether a change of several connectors was cut off and waits to be finished.
    pub fn is_unfinished(&self) -> bool {
        bench::all(&self.folder).any(|bench| journal::is_in(&bench))
    }

    /// Takes the folder for one change, makes it where it is absent, and finishes or removes what
    /// an interrupted one left.
    pub fn lock(&self, manner: Manner<'_>) -> Result<Locked, InstallError> {
        fs::make_all(&self.folder)?;
        self.take(manner)
    }

    fn take(&self, manner: Manner<'_>) -> Result<Locked, InstallError> {
        let real = self.folder.canonicalize().map_err(failed("open", &self.folder))?;
        let locked = Locked {
            _lock: lock(&real)?,
            folder: real,
        };
        for bench in bench::all(&locked.folder) {
            journal::finish(&bench, &locked.folder, manner)?;
            // What cannot be removed is tried again by the next run.
            drop(std::fs::remove_dir_all(&bench));
        }
        (manner.reached)(Step::Locked);
        Ok(locked)
    }

    /// Finishes what was cut off, where there is any.
    pub fn settle(&self) -> Result<(), InstallError> {
        match self.is_unfinished() {
            true => self.take(Manner::PLAIN).map(drop),
            false => Ok(()),
        }
    }
}

/// The folder itself is locked, so that no file stays behind.
#[cfg(unix)]
fn handle(folder: &Path) -> std::io::Result<File> {
    File::open(folder)
}

#[cfg(not(unix))]
fn handle(folder: &Path) -> std::io::Result<File> {
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(".becket.lock"))
}

fn lock(folder: &Path) -> Result<File, InstallError> {
    let file = handle(folder).map_err(failed("open", folder))?;
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(InstallError::Busy {
                    folder: folder.to_owned(),
                    seconds: PATIENCE.as_secs(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed("lock", folder)(error)),
        }
    }
}

/// The folder while nobody else may change it.
#[derive(Debug)]
pub struct Locked {
    folder: PathBuf,
    _lock: File,
}

impl Locked {
    /// The real path of the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A folder for what is to be installed. The caller removes it when it gives up.
    pub fn bench(&self) -> Result<Bench, InstallError> {
        Bench::new(&self.folder)
    }

    /// Puts everything on a bench in its place: one connector in one rename, several after they
    /// are written down.
    pub fn place(&self, bench: &Bench, manner: Manner<'_>) -> Result<(), InstallError> {
        let single = match bench.names() {
            [name] => self.place_one(bench, name, manner)?,
            _ => false,
        };
        if !single {
            journal::write(bench, manner)?;
            journal::finish(bench.path(), &self.folder, manner)?;
        } else {
            fs::sync(&self.folder)?;
            (manner.reached)(Step::Settled);
        }
        bench.clear(manner);
        Ok(())
    }

    /// `false` where it takes more than one rename.
    fn place_one(&self, bench: &Bench, name: &str, manner: Manner<'_>) -> Result<bool, InstallError> {
        let (new, target) = (bench.staged(name), self.folder.join(name));
        let is_there = target.symlink_metadata().is_ok();
        let done = match is_there {
            false => std::fs::rename(&new, &target).map(|()| true),
            true if manner.without_exchange => Ok(false),
            true => fs::exchange(&new, &target),
        };
        let done = done.map_err(failed("rename the new folder to", &target))?;
        if done {
            (manner.reached)(Step::Placed);
        }
        Ok(done)
    }

    /// Takes a connector away in one rename, then removes it. `false` when it is not there.
    pub fn remove(&self, name: &str, manner: Manner<'_>) -> Result<bool, InstallError> {
        let bench = self.bench()?;
        let target = self.folder.join(name);
        match std::fs::rename(&target, bench.aside(name)) {
            Ok(()) => {}
            Err(error) => {
                bench.clear(Manner::PLAIN);
                return match error.kind() {
                    ErrorKind::NotFound => Ok(false),
                    _ => Err(failed("take away", &target)(error)),
                };
            }
        }
        (manner.reached)(Step::Aside);
        fs::sync(&self.folder)?;
        (manner.reached)(Step::Settled);
        bench.clear(manner);
        Ok(true)
    }
}
