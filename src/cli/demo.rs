//! `demo`: everything at work, through the same door as a person's commands.

use std::ffi::OsString;
use std::path::Path;

use super::exit::Exit;
use super::fault::Fault;
use super::paths::MANIFEST;
use super::{Ending, Session, args, enter, interrupt};
use crate::demo::{Service, mistake};

pub(super) fn run(args: &args::Demo, session: &Session) -> Ending {
    if let Some(port) = args.serve {
        return serve(port, session);
    }
    let service = Service::start().map_err(|error| broken("cannot listen on 127.0.0.1", &error))?;
    let folder = folder().map_err(|error| broken("cannot make a folder", &error))?;
    let library = folder.path().join("library");
    let (path, description) = (library.display().to_string(), format!("{}/openapi.json", service.base()));
    session.io.say(&format!(
        "A library service runs at {} on this computer. It describes itself, so a connector can be written from that.\n",
        service.base()
    ));
    play(session, &["openapi", &description], Exit::Success)?;
    play(
        session,
        &[
            "openapi",
            "--only",
            "get,lend",
            "--risk",
            "lend=reversible",
            &description,
            "library",
            &path,
        ],
        Exit::Success,
    )?;
    play(session, &["check", &path], Exit::Success)?;
    play(session, &["call", &path, "books", "subject=tides", "limit=1"], Exit::Success)?;
    play(
        session,
        &["call", &path, "lend", "isbn=9780000000019", "reader=7", "--dry-run"],
        Exit::Success,
    )?;
    play(session, &["call", &path, "books", "subjekt=tides"], Exit::Usage)?;
    session
        .io
        .say("\nNow with a mistake: a key in the path, where logs would keep it.\n");
    spoil(&library)?;
    play(session, &["check", "--offline", &path], Exit::Findings)?;
    session
        .io
        .say("\nRefused, with its place and what to do. Nothing of this demo is left behind.\n");
    Ok(Exit::Success)
}

/// The service alone, until it is interrupted.
fn serve(port: u16, session: &Session) -> Ending {
    let service = Service::on(port).map_err(|error| {
        let hint = "choose another port: `--serve 0` takes a free one";
        broken(&format!("cannot listen on 127.0.0.1:{port}"), &error).hint(hint)
    })?;
    session.io.say(&format!(
        "A library service runs at {} on this computer; Ctrl-C stops it.\n",
        service.base()
    ));
    loop {
        std::thread::park();
    }
}

/// A folder for the connector. It goes with the program, however that ends.
fn folder() -> std::io::Result<tempfile::TempDir> {
    interrupt::whole(|kept| {
        let folder = tempfile::Builder::new().prefix("becket-demo-").tempdir()?;
        kept.add(folder.path());
        Ok(folder)
    })
}

/// Runs one command line as if it had been typed. An end other than the expected one is a failure
/// of the demo.
fn play(session: &Session, words: &[&str], expected: Exit) -> Result<(), Fault> {
    let (brand, name) = (session.brand, words[0]);
    session.io.say(&format!("\n$ {}\n", brand.command(&words.join(" "))));
    let color = if session.io.facts.stdout_color { "always" } else { "never" };
    let quiet = session.io.facts.quiet.then_some("--quiet");
    let words = brand
        .prefix()
        .split(' ')
        .chain(words.iter().copied())
        .chain(["--color", color])
        .chain(quiet);
    let line: Vec<OsString> = words.map(OsString::from).collect();
    let exit = enter(brand, &line);
    interrupt::know(Exit::Success);
    if exit == expected {
        return Ok(());
    }
    Err(Fault::new(
        Exit::Bug,
        "demo",
        format!("`{name}` ended with {} in place of {}", exit.code(), expected.code()),
    ))
}

/// Writes the mistake into the connector.
fn spoil(folder: &Path) -> Result<(), Fault> {
    let file = folder.join(MANIFEST);
    let spoiled = interrupt::whole(|_| std::fs::write(&file, mistake(&std::fs::read_to_string(&file)?)));
    spoiled.map_err(|error| broken("cannot write the connector", &error))
}

fn broken(what: &str, error: &std::io::Error) -> Fault {
    Fault::usage("demo", what).cause(error.to_string())
}
