//! Puts a connector's files in their place, under the lock, unless what is there has changed since
//! it was shown.

use super::super::fault::Fault;
use super::super::{installed, interrupt};
use super::before::Before;
use super::manner;
use crate::archive::Files;
use crate::install::{Bench, InstallError, Locked, Shelf};

pub(super) fn put(shelf: &Shelf, name: &str, files: &Files, before: &Before) -> Result<(), Fault> {
    let told = |error: InstallError| installed::fault(&error);
    let locked = shelf.lock(manner()).map_err(told)?;
    if Before::look(shelf, name)? != *before {
        return Err(Fault::usage("changed", format!("another run has just changed {name}; nothing was installed")).hint("run this again"));
    }
    let mut bench = interrupt::whole(|kept| {
        let bench = locked.bench()?;
        kept.add(bench.path());
        Ok(bench)
    })
    .map_err(told)?;
    placed(&locked, &mut bench, name, files).map_err(|error| {
        bench.give_up();
        told(error)
    })
}

fn placed(locked: &Locked, bench: &mut Bench, name: &str, files: &Files) -> Result<(), InstallError> {
    bench.put(name, files, manner())?;
    interrupt::whole(|kept| {
        // From here on an interrupted change is finished, not undone.
        kept.release(bench.path());
        locked.place(bench, manner())
    })
}
