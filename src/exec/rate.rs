//! Requests per minute, held by every process of this computer that shares a folder: one small file
//! for each service, locked while it is read and written. The caller gives the folder and the clock.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const MINUTE: u64 = 60_000;
/// Bytes of a file that are read: more than a minute's requests is not ours.
const LARGEST: u64 = 16 << 20;

/// Why a request may not go yet.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
    #[error("`{service}` may have {per_minute} requests a minute; the next may go in {} s", wait.as_secs().max(1))]
    Full { service: String, per_minute: u32, wait: Duration },
    #[error("requests per minute cannot be counted in {}: {error}", path.display())]
    Unwritable { path: PathBuf, error: io::Error },
}

/// Counts one request, or says how long the next has to wait. `clock` gives the time since 1970; it
/// is asked once the file is ours, so that times stand in the order in which they were written.
pub fn enter(folder: &Path, service: &str, per_minute: u32, clock: impl FnOnce() -> Duration) -> Result<(), RateError> {
    let path = folder.join(file_name(service));
    let unwritable = |error| RateError::Unwritable { path: path.clone(), error };
    let mut file = open(folder, &path).map_err(unwritable)?;
    let now = u64::try_from(clock().as_millis()).unwrap_or(u64::MAX);
    let mut sent = read(&mut file, now).map_err(unwritable)?;
    if sent.len() >= per_minute as usize {
        let first = sent[sent.len() - (per_minute as usize).max(1)];
        return Err(RateError::Full {
            service: service.to_owned(),
            per_minute,
            wait: Duration::from_millis((first + MINUTE).saturating_sub(now).next_multiple_of(1000)),
        });
    }
    sent.push(now);
    write(&mut file, &sent).map_err(unwritable)
}

/// Opened and locked; the lock ends with the file.
fn open(folder: &Path, path: &Path) -> io::Result<File> {
    create_dir_all(folder)?;
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    Ok(file)
}

/// The times of the last minute. What lies ahead was written before the clock was set back.
fn read(file: &mut File, now: u64) -> io::Result<Vec<u64>> {
    let mut text = Vec::new();
    file.take(LARGEST).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let times = text.lines().filter_map(|line| line.parse::<u64>().ok());
    Ok(times.filter(|time| *time <= now && now - time < MINUTE).collect())
}

fn write(file: &mut File, sent: &[u64]) -> io::Result<()> {
    let text: String = sent.iter().map(|time| format!("{time}\n")).collect();
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)
}

/// A name that every file system takes.
fn file_name(service: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
    let name: String = service
        .chars()
        .map(|letter| if plain(letter) { letter } else { '_' })
        .take(200)
        .collect();
    format!("{name}.rate")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(1_000_000 + seconds)
    }

    #[test]
    fn a_minute_has_its_requests_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let go = |service: &str, seconds| enter(folder.path(), service, 2, || at(seconds)).map_err(|error| error.to_string());
        let full = |wait| Err(format!("`a@h` may have 2 requests a minute; the next may go in {wait} s"));
        assert_eq!(go("a@h", 0), Ok(()));
        assert_eq!(go("a@h", 10), Ok(()));
        assert_eq!(go("a@h", 15), full(45));
        assert_eq!(go("b@h", 15), Ok(()));
        assert_eq!(go("a@h", 59), full(1));
        assert_eq!(go("a@h", 60), Ok(()));
        assert_eq!(go("a@h", 61), full(9));
        // The clock was set back: what lies ahead does not count.
        assert_eq!(go("a@h", 5), Ok(()));
    }

    #[test]
    fn a_file_of_something_else_counts_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rate"), b"\xffjunk\n-1\n1e9\n").unwrap();
        assert!(enter(folder.path(), "a", 1, || at(0)).is_ok());
        assert!(enter(folder.path(), "a", 1, || at(0)).is_err());
        assert!(enter(&folder.path().join("a.rate"), "a", 1, || at(0)).is_err());
    }
}
