//! Before a server is shown: the exact version of the package that its command runs. One that is
//! not named is asked of the package's own client, and written into the command.

use std::time::Duration;

use super::super::fault::Fault;
use super::super::{Session, interrupt, surroundings};
use crate::adopt::{Described, Loose, Package, Pin, command_line, pin};
use crate::mcp;
use crate::model::{Transport, quoted};

/// How long a package manager may take to name a version.
const ASKED: Duration = Duration::from_secs(60);

/// The server with every package in an exact version.
pub(super) fn settled(mut described: Described, session: &Session) -> Result<Described, Fault> {
    let Transport::Program { command, args } = &mut described.transport else {
        return Ok(described);
    };
    // Each round pins a word, and a pinned word stays so.
    for _ in 0..=args.len() {
        match pin(command, args) {
            Pin::NoPackage => break,
            Pin::Exact(package) => {
                name(&package, &mut described.source, &mut described.description);
                break;
            }
            Pin::Loose(loose) => *args = pinned(&loose, command, args, session)?,
        }
    }
    Ok(described)
}

fn name(package: &Package, source: &mut Option<String>, description: &mut String) {
    source.get_or_insert_with(|| package.source());
    if description.is_empty() {
        *description = format!("The MCP server {}", package.name);
    }
}

fn pinned(loose: &Loose, command: &str, args: &[String], session: &Session) -> Result<Vec<String>, Fault> {
    let version = loose.question().and_then(|(program, words, input)| {
        let folder = interrupt::scratch().ok()?;
        let places = surroundings::surroundings();
        let what = format!("asking {program} for the version of {}", loose.name);
        let said = session
            .io
            .waiting(&what, || mcp::output(program, &words, &input, folder.path(), &places, ASKED))?;
        loose.answer(&said)
    });
    let found = version.and_then(|version| Some((loose.pinned(args, &version)?, version)));
    let Some((args, version)) = found else {
        return Err(unpinned(loose, command, args, session));
    };
    session
        .io
        .progress(&format!("note: {}; pinned to {version}, which it is now\n", asked(loose)));
    Ok(args)
}

fn asked(loose: &Loose) -> String {
    match loose.asked.as_str() {
        "" => format!("{} names no version", quoted(&loose.name)),
        asked => format!("{} asks for {}, which is no exact version", quoted(&loose.name), quoted(asked)),
    }
}

fn unpinned(loose: &Loose, command: &str, args: &[String], session: &Session) -> Fault {
    let fault = Fault::usage(
        "unpinned",
        format!("{}: each start could run other code than you review", asked(loose)),
    );
    match loose.form(args) {
        Some(args) => fault.hint(format!(
            "name it exactly: `{}`",
            session.brand.command(&format!("add … -- {}", command_line(command, &args)))
        )),
        None => fault.hint("name a published package in an exact version, or a repository at a whole commit"),
    }
}
