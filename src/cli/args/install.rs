//! The arguments of `install`, `list` and `uninstall`.

use std::path::PathBuf;

use clap::Args;

use super::{Speaking, Storing, any_path};

/// Copy a checked connector to where Pimpo looks
///
/// Takes a folder, a zip, a connector.json that needs no other file, `-` for one of the last two on standard input, or the
/// https address of one. The file is checked first, then the contract; where anything is wrong nothing is installed. What is
/// installed appears whole, or not at all.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct Install {
    /// A folder, a zip, a connector.json, an https address, or `-`
    #[arg(value_name = "SOURCE", value_parser = any_path())]
    pub(in crate::cli) source: PathBuf,
    /// Do not run the contract
    #[arg(long)]
    pub(in crate::cli) offline: bool,
    /// Install it in place of another one of its name
    #[arg(long)]
    pub(in crate::cli) replace: bool,
    /// Show how it differs from the installed one and install nothing; exit with 1 if it does
    #[arg(long, conflicts_with_all = ["replace", "json"])]
    pub(in crate::cli) diff: bool,
    /// Start a program that comes from somewhere else, without asking
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Let it have the stored keys of the installed one, though it goes to another service or comes from elsewhere
    #[arg(long)]
    pub(in crate::cli) keep_keys: bool,
    #[command(flatten)]
    pub(in crate::cli) placing: Placing,
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    #[command(flatten)]
    pub(in crate::cli) speaking: Speaking,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  {program} install ./petstore                  checks it, runs its contract, copies it
  {program} install petstore.zip --offline      sends nothing to the service
  {program} install ./petstore --diff           how it differs from the installed one
  {program} install ./petstore --replace        in place of that

Exit codes: 0 installed, or the same already · 1 errors, or a case failed · 2 it needs a yes, or could not be done · 3 a key
4 unreachable · 5 the service's error. Unless it is 0, what was installed before is as it was.";

/// Where connectors are installed.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct Placing {
    /// The folder of the installed connectors [default: ~/.pimpo/connectors]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,
}

/// List the installed connectors
#[derive(Debug, Args)]
pub(in crate::cli) struct List {
    #[command(flatten)]
    pub(in crate::cli) placing: Placing,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// Remove an installed connector and its stored keys, after a yes
#[derive(Debug, Args)]
pub(in crate::cli) struct Uninstall {
    /// Its name
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: String,
    /// Do not ask
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    /// Leave its stored keys where they are
    #[arg(long)]
    pub(in crate::cli) keep_keys: bool,
    #[command(flatten)]
    pub(in crate::cli) placing: Placing,
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    /// Write a failure as one JSON line
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}
