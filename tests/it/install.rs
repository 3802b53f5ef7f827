//! Changes of the connectors folder, cut off at every step with real files: what is there afterwards
//! is the old tree or the new one, whole, and the next change succeeds and leaves nothing behind.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use becket::archive::{Files, Limits, read_folder, write};
use becket::install::{InstallError, Manner, Shelf, Step};

fn files(text: &str) -> Files {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    for name in ["connector.json", "server.py", "inner/data"] {
        std::fs::write(folder.path().join(name), format!("{name} {text}")).unwrap();
    }
    read_folder(folder.path(), Limits::CONNECTOR).unwrap()
}

fn put(shelf: &Shelf, names: &[&str], files: &Files, manner: Manner<'_>) -> Result<(), InstallError> {
    let locked = shelf.lock(manner)?;
    let mut bench = locked.bench()?;
    for name in names {
        bench.put(name, files, manner)?;
    }
    locked.place(&bench, manner)
}

/// Every connector that a host would load, by name, and whatever else lies there.
fn tree(shelf: &Shelf) -> (BTreeMap<String, Vec<u8>>, usize) {
    let mut connectors = BTreeMap::new();
    let mut hidden = 0;
    for entry in std::fs::read_dir(shelf.folder()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        match name.starts_with('.') {
            true => hidden += 1,
            false => drop(connectors.insert(name, packed(&entry.path()))),
        }
    }
    (connectors, hidden)
}

fn packed(folder: &Path) -> Vec<u8> {
    write(&read_folder(folder, Limits::CONNECTOR).unwrap())
}

/// Runs `change` until it reaches a step for the `nth` time, and stops it there. Whether it got so far.
fn cut(step: Step, nth: usize, without_exchange: bool, change: impl FnOnce(Manner<'_>)) -> bool {
    let seen = std::cell::Cell::new(0);
    let reached = |now: Step| {
        seen.set(seen.get() + usize::from(now == step));
        if now == step && seen.get() == nth {
            std::panic::resume_unwind(Box::new("cut off"));
        }
    };
    let manner = Manner {
        reached: &reached,
        without_exchange,
    };
    catch_unwind(AssertUnwindSafe(|| change(manner))).is_err()
}

/// Cuts a change of `names` off at every step, and judges what is left after `settle`.
fn every_step(names: &[&str], without_exchange: bool) -> usize {
    let (old, new) = (files("old"), files("new"));
    let mut cuts = 0;
    for step in Step::ALL {
        for nth in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let shelf = Shelf::new(folder.path().join("a/connectors"));
            put(&shelf, names, &old, Manner::PLAIN).unwrap();
            let before = tree(&shelf).0;
            if !cut(step, nth, without_exchange, |manner| put(&shelf, names, &new, manner).unwrap()) {
                break;
            }
            cuts += 1;
            shelf.settle().unwrap();
            let between = tree(&shelf).0;
            put(&shelf, names, &new, Manner::PLAIN).unwrap();
            let (after, hidden) = tree(&shelf);
            assert!(between == before || between == after, "{step:?} {nth}: neither old nor new");
            assert_ne!(before, after);
            assert_eq!((after.len(), hidden), (names.len(), 0), "{step:?} {nth}");
        }
    }
    cuts
}

#[test]
fn a_change_that_is_cut_off_leaves_the_old_or_the_new_tree() {
    assert!(every_step(&["tides"], false) >= 8);
}

#[test]
fn so_it_does_where_two_folders_cannot_be_exchanged() {
    assert!(every_step(&["tides"], true) >= 11);
}

#[test]
fn a_change_of_several_is_whole_too() {
    assert!(every_step(&["shelf", "tides", "weather"], false) >= 20);
    assert!(every_step(&["shelf", "tides", "weather"], true) >= 20);
}

#[test]
fn a_connector_goes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(folder.path());
    for step in Step::ALL {
        put(&shelf, &["tides"], &files("old"), Manner::PLAIN).unwrap();
        let before = tree(&shelf).0;
        let was_cut = cut(step, 1, false, |manner| drop(shelf.lock(manner).unwrap().remove("tides", manner)));
        let between = tree(&shelf).0;
        assert!(between == before || between.is_empty(), "{step:?}");
        assert_eq!(between.is_empty(), !was_cut || step != Step::Locked, "{step:?}");
        assert!(!shelf.lock(Manner::PLAIN).unwrap().remove("nothing", Manner::PLAIN).unwrap());
        assert_eq!(tree(&shelf).1, 0, "{step:?}");
    }
}

#[test]
fn the_files_have_clean_modes() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::new(folder.path());
    put(&shelf, &["tides"], &files("x"), Manner::PLAIN).unwrap();
    for (name, mode) in [("tides", 0o755), ("tides/inner", 0o755), ("tides/server.py", 0o644)] {
        let facts = folder.path().join(name).metadata().unwrap();
        assert_eq!(facts.permissions().mode() & 0o7777, mode, "{name}");
    }
}
