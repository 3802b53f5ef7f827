//! The command line: one short file for each command, and what they share.

mod args;
mod brand;
mod call;
mod call_arguments;
mod call_fault;
mod check;
mod demo;
mod exit;
mod explain;
mod fault;
mod interrupt;
mod io;
mod keys;
mod manifest;
mod mend;
mod openapi;
mod paths;
mod profiles;
mod proof;
mod show;
mod test;
mod write_file;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _, error::ErrorKind};

use args::{Command, Global, PackCommand, Profiles};
pub use brand::Brand;
use exit::Exit;
use fault::Fault;
use io::Io;

/// What every command is given.
struct Session {
    brand: Brand,
    io: Io,
}

/// How a command ends: with a code of its own, or with a failure to be shown.
type Ending = Result<Exit, Fault>;

/// Runs the program.
pub fn run(brand: Brand, words: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupt::watch();
    std::panic::set_hook(Box::new(panicked));
    enter(brand, &words.into_iter().collect::<Vec<_>>()).into()
}

/// One command line, from the user or from `demo`.
fn enter(brand: Brand, words: &[OsString]) -> Exit {
    if words.len() < 2 || (brand == Brand::Pimpo && words.len() == 2 && words[1] == "connector") {
        io::raw_err(&brand.first_run());
        return Exit::Usage;
    }
    let matches = match brand.tree().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => return refused(brand, &error),
    };
    let global = Global::from_arg_matches(&matches).expect("the tree has the global flags");
    let inner = if brand == Brand::Pimpo {
        matches.subcommand_matches("connector").expect("clap requires it")
    } else {
        &matches
    };
    let mut session = Session {
        brand,
        io: Io::new(&global),
    };
    if let Some((_, _, text)) = brand::TOPICS.iter().find(|(name, ..)| inner.subcommand_name() == Some(name)) {
        session.io.say(&format!("{text}\n"));
        return Exit::Success;
    }
    let (as_json, ending) = perform(inner, &mut session);
    ending.unwrap_or_else(|fault| {
        fault.show(&session.io, as_json);
        fault.exit
    })
}

/// Runs the command that was asked for, and tells whether a failure is to be JSON.
fn perform(matches: &ArgMatches, session: &mut Session) -> (bool, Ending) {
    const KNOWN: &str = "clap knows the commands";
    if session.brand == Brand::ChatPilot {
        let command = PackCommand::from_arg_matches(matches).expect(KNOWN);
        let as_json = command.wants_json();
        let ending = match command {
            PackCommand::Profiles(Profiles::Check(args)) => profiles::check(&args, session),
            PackCommand::Explain(args) => explain::run(&args, session),
        };
        return (as_json, ending);
    }
    let command = Command::from_arg_matches(matches).expect(KNOWN);
    let as_json = command.wants_json();
    let ending = match command {
        Command::OpenApi(args) => openapi::run(&args, session),
        Command::Check(args) => check::run(&args, session),
        Command::Test(args) => test::run(&args, session),
        Command::Call(args) => call::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Demo(_) => demo::run(session),
    };
    (as_json, ending)
}

/// What clap has to say: help and version on standard output; an error without the usage block,
/// which `--help` has.
fn refused(brand: Brand, error: &clap::Error) -> Exit {
    let text = error.render();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        io::raw_out(&text.to_string());
        return Exit::Success;
    }
    let text = text.to_string();
    let short = text
        .split("\n\nUsage:")
        .next()
        .unwrap_or(&text)
        .split("\n\nFor more information")
        .next()
        .unwrap_or(&text);
    io::raw_err(&format!("{}\n\nFor more: `{} --help`.\n", short.trim_end(), brand.prefix()));
    Exit::Usage
}

/// A fault of our own: where, and the invariant's name when it is a literal of ours. A composed
/// text could hold anything, so it is not shown.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map(|place| format!(" at {}:{}", place.file(), place.line()))
        .unwrap_or_default();
    let what = panic
        .payload()
        .downcast_ref::<&'static str>()
        .map(|text| format!(": {text}"))
        .unwrap_or_default();
    io::raw_err(&format!(
        "error: a fault in this program ({}){place}{what}\n\nhint: please report it with the command that you ran\n",
        env!("CARGO_PKG_VERSION")
    ));
    interrupt::leave(Exit::Bug);
}
