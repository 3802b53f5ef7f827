//! Where a connector comes from: a folder, a zip, a connector.json alone, standard input or an
//! address. Its files are held in memory; nothing of them is on the disk yet.

use std::io::Read as _;
use std::path::Path;

use url::Url;

use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::{Session, address, archived, call_fault, paths};
use crate::archive::{ArchiveError, Files, Limits, is_zip, read, read_folder};
use crate::diag::{Level, count, table};
use crate::exec::{Client, PageError};
use crate::model::{Connector, Transport};
use crate::rules::{self, Checked};
use crate::source::Source;

/// How many errors are named where `check` cannot be run on the same thing.
const NAMED: usize = 5;
const FETCH: crate::model::Limits = crate::model::Limits {
    seconds: 60,
    bytes: 64 << 20,
};
const ACCEPT: &str = "application/zip, application/json, */*;q=0.1";

pub(super) struct Arrived {
    pub files: Files,
    pub source: Source,
    pub way: Way,
    /// What `check` takes to look at the same.
    path: Option<String>,
}

/// How it came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Folder,
    /// One file, without those beside it.
    Alone,
    Zip,
}

pub(super) fn open(given: &Path, session: &Session) -> Result<Arrived, Fault> {
    if given == Path::new("-") {
        return bytes(&standard_input()?, "standard input");
    }
    if let Some(url) = given.to_str().map(address::parse).transpose()?.flatten() {
        return bytes(&fetched(&url, session)?, &address::public(&url));
    }
    let arrived = match given.is_dir() {
        true => folder(given),
        false => file(given),
    };
    arrived.map(|arrived| Arrived {
        path: Some(paths::shown(given)),
        ..arrived
    })
}

fn folder(path: &Path) -> Result<Arrived, Fault> {
    let shown = paths::shown(path);
    paths::manifest(path)?;
    let files = read_folder(path, Limits::CONNECTOR).map_err(|error| archived::refused(&error, &shown))?;
    arrived(files, &shown, Way::Folder)
}

fn file(path: &Path) -> Result<Arrived, Fault> {
    if let Some(bytes) = archived::open(path) {
        return arrived(archived::files(&bytes?, path)?, &paths::shown(path), Way::Zip);
    }
    let source = paths::manifest(path)?;
    Ok(Arrived {
        files: Files::of_manifest(source.text()),
        source,
        way: Way::Alone,
        path: None,
    })
}

/// A zip or a manifest, whichever the bytes are.
fn bytes(bytes: &[u8], from: &str) -> Result<Arrived, Fault> {
    if !is_zip(bytes) {
        return arrived(Files::of_manifest(bytes), from, Way::Alone);
    }
    let files = read(bytes, Limits::CONNECTOR).and_then(Files::rooted);
    arrived(files.map_err(|error| archived::refused(&error, from))?, from, Way::Zip)
}

fn arrived(files: Files, from: &str, way: Way) -> Result<Arrived, Fault> {
    let source = archived::source(&files, from)?;
    Ok(Arrived {
        files,
        source,
        way,
        path: None,
    })
}

fn standard_input() -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(Limits::CONNECTOR.bytes + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::usage("unreadable", "cannot read standard input").cause(error.to_string()))?;
    match bytes.len() as u64 > Limits::CONNECTOR.bytes {
        true => Err(archived::refused(
            &ArchiveError::TooLarge(Limits::CONNECTOR.bytes),
            "standard input",
        )),
        false => Ok(bytes),
    }
}

fn fetched(url: &Url, session: &Session) -> Result<Vec<u8>, Fault> {
    let shown = address::public(url);
    let fetched = session
        .io
        .waiting(&format!("fetching {shown}"), || Client::default().fetch(url, ACCEPT, FETCH));
    let message = format!("cannot fetch {shown}; nothing was installed");
    match fetched {
        Ok(page) => Ok(page.bytes),
        Err(PageError::Address(why)) => Err(Fault::usage("bad_address", message).cause(why.to_string())),
        Err(PageError::Failure(failure)) => Err(call_fault::unfetched(message, &failure)),
    }
}

/// The connector, when nothing is wrong with it and it is whole.
pub(super) fn sound(arrived: &Arrived, session: &Session) -> Result<Connector, Fault> {
    let checked = rules::read(arrived.source.clone());
    let Some(connector) = &checked.connector else {
        return Err(wrong(&checked, arrived, session));
    };
    if let Some(finding) = checked
        .findings
        .iter()
        .find(|finding| finding.rule.code == table::BUILT_IN_FAMILY.code)
    {
        return Err(Fault::new(
            Exit::Findings,
            "built_in_family",
            format!("{}; nothing was installed", finding.message),
        )
        .hint("give it another name"));
    }
    if arrived.way == Way::Alone && matches!(connector.transport, Transport::Program { .. }) {
        return Err(Fault::usage(
            "program_alone",
            format!("{} starts a program, and a connector.json alone does not hold one", connector.name),
        )
        .hint("give its folder, or a zip of it"));
    }
    let warnings = checked.findings.len();
    if warnings > 0 {
        session
            .io
            .progress(&format!("note: {}; `check` shows them\n", count(warnings, "warning")));
    }
    Ok(connector.clone())
}

fn wrong(checked: &Checked, arrived: &Arrived, session: &Session) -> Fault {
    let name = arrived.path.as_deref().unwrap_or_else(|| checked.source.name());
    let message = format!("{name} has {}; nothing was installed", count(checked.errors(), "error"));
    let fault = Fault::new(Exit::Findings, "manifest_wrong", message);
    if let Some(path) = &arrived.path {
        return fault.hint(format!("`{}`", session.brand.command(&format!("check --offline {path}"))));
    }
    let errors = checked.findings.iter().filter(|finding| finding.level == Level::Error);
    errors.take(NAMED).fold(fault, |fault, finding| {
        let line = checked.source.position(finding.span.start).line;
        fault.cause(format!("{} {} (line {line})", finding.rule.code, finding.message))
    })
}
