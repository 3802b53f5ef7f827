//! Writes the connector: checked first, whole or not at all, never over another one unasked.

use std::path::{Path, PathBuf};

use serde_json::json;
use similar::TextDiff;

use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::io::Layout;
use super::super::paths::{self, MANIFEST};
use super::super::{Session, write_file};
use super::listing;
use crate::diag::{Level, count};
use crate::format::write::write;
use crate::openapi::{Api, Lowered};
use crate::report::{escaped, visible};
use crate::rules;
use crate::source::{Limits, ReadError, Source, read_file};

pub(super) fn run(api: &Api<'_>, lowered: &Lowered, args: &OpenApi, session: &Session) -> Result<Exit, Fault> {
    let text = write(&lowered.connector);
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from(&lowered.connector.name));
    let file = folder.join(MANIFEST);
    sound(&text, &file)?;
    let old = existing(&file, args)?;
    if args.output.diff {
        return Ok(diff(old.as_deref().unwrap_or_default(), &text, &file, session));
    }
    if old.as_deref().is_some_and(|old| old != text) && !args.output.force {
        return Err(Fault::usage("exists", format!("{} exists and differs", file.display()))
            .hint("`--diff` shows the difference, `--force` writes over it"));
    }
    let same = old.as_deref() == Some(text.as_str());
    if !same {
        put(&folder, &file, &text)?;
    }
    let done = if same { "kept" } else { "wrote" };
    told(api, lowered, (done, &file, &folder), args, session);
    Ok(Exit::Success)
}

/// What we write passes our own check; anything else is a fault of ours, and nothing is written.
fn sound(text: &str, file: &Path) -> Result<(), Fault> {
    let checked = rules::read(Source::new(file.display().to_string(), text));
    let Some(finding) = checked.findings.iter().find(|finding| finding.level == Level::Error) else {
        return Ok(());
    };
    let place = checked.source.position(finding.span.start);
    Err(
        Fault::new(Exit::Bug, "unsound", "the connector would not pass `check`; nothing was written")
            .cause(format!(
                "{} {} (line {} of what would be written)",
                finding.rule.code, finding.message, place.line
            ))
            .hint("please report it with the description; `--except` leaves an operation out"),
    )
}

/// The connector.json that is there, if it can be read or need not be.
fn existing(file: &Path, args: &OpenApi) -> Result<Option<String>, Fault> {
    match read_file(file, Limits::MANIFEST) {
        Ok(source) => Ok(Some(source.text().to_owned())),
        Err(ReadError::NotFound { .. }) => Ok(None),
        Err(ReadError::NotUtf8 { .. } | ReadError::TooLarge { .. }) if args.output.force => Ok(None),
        Err(error) => Err(paths::unreadable(&error)),
    }
}

fn diff(old: &str, new: &str, file: &Path, session: &Session) -> Exit {
    if old == new {
        return Exit::Success;
    }
    let name = file.display().to_string();
    let text = TextDiff::from_lines(old, new).unified_diff().header(&name, &name).to_string();
    session.io.out(&escaped(&text));
    Exit::Findings
}

/// A new folder appears with its file in it; in a folder that is there the file is replaced.
fn put(folder: &Path, file: &Path, text: &str) -> Result<(), Fault> {
    if let Some(other) = folder.ancestors().find(|part| part.exists() && !part.is_dir()) {
        return Err(Fault::usage("unwritable", format!("{} is no folder; nothing was written", other.display())).hint("give another DIR"));
    }
    let done = match folder.exists() {
        true => write_file::replace(file, text),
        false => write_file::folder(folder, MANIFEST, text),
    };
    done.map_err(|error| write_file::fault(file, &error))
}

fn told(api: &Api<'_>, lowered: &Lowered, (done, file, folder): (&str, &Path, &Path), args: &OpenApi, session: &Session) {
    let capabilities = lowered.connector.capabilities.len();
    if args.output.json {
        let names: Vec<&str> = lowered
            .connector
            .capabilities
            .iter()
            .map(|capability| capability.name.as_str())
            .collect();
        let keys: Vec<&str> = lowered.keys.iter().map(|key| key.env.as_str()).collect();
        let written = json!({"version": 1, "file": file.display().to_string(), "capabilities": names, "keys": keys});
        session.io.out_json(&written, Layout::OneLine);
        return;
    }
    session.io.say(&listing::head(api));
    session.io.say(&listing::keys(&lowered.keys));
    session.io.say(&format!(
        "{done} {} with {}; review each risk, then: {}\n",
        visible(&file.display().to_string()),
        count(capabilities, "capability"),
        visible(&session.brand.command(&format!("check {}", shown(folder))))
    ));
}

/// A folder as one types it: `./petstore`.
pub(super) fn shown(folder: &Path) -> String {
    let text = folder.display().to_string();
    if folder.is_absolute() || text.starts_with('.') {
        text
    } else {
        format!("./{text}")
    }
}
