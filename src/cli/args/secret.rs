//! The arguments of `secret`. No flag and no word of a line takes a value.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Keep keys in the system keyring
///
/// A key that a connector declares is kept under the connector's name and its own: `tides TIDES_KEY`. Any other has one
/// name: `mcp_tracker_key`. `check`, `test` and `call` take a key from the environment first, then from the store.
/// A value is never printed, and never given on the command line.
#[derive(Debug, Args)]
pub(in crate::cli) struct Secret {
    #[command(subcommand)]
    pub(in crate::cli) command: SecretCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum SecretCommand {
    Set(SecretSet),
    List(SecretList),
    Status(SecretStatus),
    Delete(SecretDelete),
}

/// Which store; the system's keyring unless something else is asked for.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Store")]
pub(in crate::cli) struct Storing {
    /// Where keys are kept [default: keyring] [env: BECKET_STORE]
    #[arg(long, value_name = "STORE")]
    pub(in crate::cli) store: Option<StoreWord>,
    /// The encrypted file, in place of the usual one [env: BECKET_STORE_FILE]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) store_file: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum StoreWord {
    /// The system's keyring
    Keyring,
    /// A file that a passphrase opens
    File,
}

/// Keep the value of a key
///
/// Asks for it, without showing it. Without a terminal it is read from standard input, less one line end.
#[derive(Debug, Args)]
#[command(after_long_help = SET_EXAMPLES)]
pub(in crate::cli) struct SecretSet {
    /// A connector's name, its connector.json or folder; or the key's own name
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: OsString,
    /// The key, as the connector declares it in `env`
    #[arg(value_name = "KEY", num_args = 0..)]
    pub(in crate::cli) words: Vec<OsString>,
    /// Read the value from a file, less one line end
    #[arg(long, value_name = "FILE", conflicts_with = "from_env", help_heading = "Value")]
    pub(in crate::cli) from_file: Option<PathBuf>,
    /// Take the value of a variable
    #[arg(long, value_name = "NAME", help_heading = "Value")]
    pub(in crate::cli) from_env: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    /// Write a failure as one JSON line
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

const SET_EXAMPLES: &str = "\
Examples:
  {program} secret set mcp_tracker_key                   asks for the value
  pbpaste | {program} secret set mcp_tracker_key         or < file, --from-file FILE, --from-env NAME
  {program} secret set mcp_tracker_key --store file      on a server: a file that a passphrase opens

The passphrase is asked for, or read from the file that BECKET_PASSPHRASE_FILE names (/dev/fd/3 is a descriptor).";

/// List the names of the keys that are kept
#[derive(Debug, Args)]
pub(in crate::cli) struct SecretList {
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// Say which declared keys have a value; exit with 3 if one has none
#[derive(Debug, Args)]
pub(in crate::cli) struct SecretStatus {
    /// Connectors, by name, connector.json or folder; or keys' own names; all that is installed without any
    #[arg(value_name = "NAME")]
    pub(in crate::cli) names: Vec<OsString>,
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// Forget a key, after a yes
#[derive(Debug, Args)]
pub(in crate::cli) struct SecretDelete {
    /// A connector's name, its connector.json or folder; or the key's own name
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: OsString,
    /// The key, as the connector declares it in `env`
    #[arg(value_name = "KEY", num_args = 0..)]
    pub(in crate::cli) words: Vec<OsString>,
    /// Do not ask
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
    #[command(flatten)]
    pub(in crate::cli) storing: Storing,
    /// Write a failure as one JSON line
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

impl Secret {
    /// Whether a failure is to be one JSON line.
    pub(in crate::cli) fn wants_json(&self) -> bool {
        match &self.command {
            SecretCommand::Set(args) => args.json,
            SecretCommand::List(args) => args.json,
            SecretCommand::Status(args) => args.json,
            SecretCommand::Delete(args) => args.json,
        }
    }
}
