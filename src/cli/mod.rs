//! The command line: one short file for each command, and what they share.

mod add;
mod address;
mod archived;
mod args;
mod brand;
mod call;
mod call_arguments;
mod call_fault;
mod call_target;
mod check;
mod demo;
mod example_call;
mod exit;
mod explain;
mod fault;
mod gathered;
mod hidden;
mod install;
mod installed;
mod interrupt;
mod io;
mod keys;
mod launch;
mod list;
mod manifest;
mod mend;
mod openapi;
mod paths;
mod profiles;
mod proof;
mod registry;
mod search;
mod secret;
mod server_fault;
mod show;
mod store;
mod surroundings;
mod test;
mod tick;
mod uninstall;
mod usage;
mod write_connector;
mod write_file;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _};

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
    let words: Vec<OsString> = words.into_iter().collect();
    if let Some(ending) = launch::asked(&words) {
        return ending;
    }
    keys::keep_out_of_core_dumps();
    std::panic::set_hook(Box::new(panicked));
    let exit = enter(brand, &words);
    interrupt::yield_to_leaving();
    exit.into()
}

/// One command line, from the user or from `demo`.
fn enter(brand: Brand, words: &[OsString]) -> Exit {
    if words.len() < 2 || (brand == Brand::Pimpo && words.len() == 2 && words[1] == "connector") {
        io::raw_err(&brand.first_run());
        return Exit::Usage;
    }
    let mut matches = match brand.matches(words) {
        Ok(matches) => matches,
        Err(error) => return usage::refused(brand, &error, words),
    };
    let global = Global::from_arg_matches_mut(&mut matches).expect("the tree has the global flags");
    let mut inner = match brand {
        Brand::Pimpo => matches.remove_subcommand().expect("clap requires it").1,
        Brand::Becket | Brand::ChatPilot => matches,
    };
    let mut session = Session {
        brand,
        io: Io::new(&global),
    };
    if let Some((_, _, text)) = brand::TOPICS.iter().find(|(name, ..)| inner.subcommand_name() == Some(name)) {
        session.io.say(&format!("{text}\n"));
        return Exit::Success;
    }
    let (as_json, ending) = perform(&mut inner, &mut session);
    ending.unwrap_or_else(|fault| {
        fault.show(&session.io, as_json);
        fault.exit
    })
}

/// Runs the command that was asked for, and tells whether a failure is to be JSON.
fn perform(matches: &mut ArgMatches, session: &mut Session) -> (bool, Ending) {
    const KNOWN: &str = "clap knows the commands";
    if session.brand == Brand::ChatPilot {
        interrupt::watch();
        let command = PackCommand::from_arg_matches_mut(matches).expect(KNOWN);
        let as_json = command.wants_json();
        let ending = match command {
            PackCommand::Profiles(Profiles::Check(args)) => profiles::check(&args, session),
            PackCommand::Profiles(Profiles::Call(args)) => profiles::call(&args, session),
            PackCommand::Profiles(Profiles::List(args)) => profiles::list(&args, session),
            PackCommand::Secret(args) => secret::run(&args, session),
            PackCommand::Mcp(args) => profiles::connected(&args, session),
            PackCommand::Explain(args) => explain::run(&args, session),
        };
        return (as_json, ending);
    }
    let command = Command::from_arg_matches_mut(matches).expect(KNOWN);
    let as_json = command.wants_json();
    if !command.is_short() {
        interrupt::watch();
    }
    let ending = match command {
        Command::OpenApi(args) => openapi::run(&args, session),
        Command::Add(args) => add::run(&args, session),
        Command::Search(args) => search::run(&args, session),
        Command::Check(args) => check::run(&args, session),
        Command::Test(args) => test::run(&args, session),
        Command::Call(args) => call::run(&args, session),
        Command::Install(args) => install::run(&args, session),
        Command::List(args) => list::run(&args, session),
        Command::Uninstall(args) => uninstall::run(&args, session),
        Command::Secret(args) => secret::run(&args, session),
        Command::Explain(args) => explain::run(&args, session),
        Command::Demo(args) => demo::run(&args, session),
    };
    (as_json, ending)
}

/// A fault of our own ends the program.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(|place| (place.file(), place.line()));
    io::raw_err(&own_fault(place, panic.payload().downcast_ref().copied()));
    interrupt::leave(Exit::Bug);
}

/// Where a fault is, and the invariant's name when it is a literal of ours. A composed text could
/// hold anything, so it is not shown.
fn own_fault(place: Option<(&str, u32)>, literal: Option<&'static str>) -> String {
    let place = place.map(|(file, line)| format!(" at {file}:{line}")).unwrap_or_default();
    let what = literal.map(|text| format!(": {text}")).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    format!("error: a fault in this program ({version}){place}{what}\n\nhint: report it with the command that you ran\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a panic of `work`.
    fn said(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = std::panic::catch_unwind(work).expect_err("a panic");
        own_fault(Some(("src/x.rs", 7)), payload.downcast_ref().copied())
    }

    #[test]
    fn a_panic_shows_our_words_and_no_value() {
        let version = env!("CARGO_PKG_VERSION");
        let key = "SECRETVALUE".to_owned();
        let literal = said(|| panic!("a start that no end follows"));
        assert_eq!(
            literal,
            format!(
                "error: a fault in this program ({version}) at src/x.rs:7: a start that no end follows\n\nhint: report it with the command that you ran\n"
            )
        );
        let composed = said(move || panic!("bad {key}"));
        assert_eq!(
            composed,
            format!("error: a fault in this program ({version}) at src/x.rs:7\n\nhint: report it with the command that you ran\n")
        );
    }
}
