//! The arguments of `add`.

use clap::Args;

use super::Speaking;
use super::search::RegistryFlag;
use crate::cli::write_connector::Over;
use crate::model::Risk;
use crate::registry::Kind;

/// Make a connector from an MCP server of others
///
/// Starts the command after `--`, or reaches the address, lists the server's tools and writes DIR/connector.json with
/// those that are chosen. A command is other people's code: it is shown in full and started only after a yes, in an
/// empty folder, with no variables but PATH, HOME, LANG and those that `--env` names. The tools are listed again before
/// anything is written.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct Add {
    /// The connector's name: 2 to 31 lowercase letters and digits [default with --from: of the server's name]
    #[arg(value_name = "NAME", required_unless_present = "from")]
    pub(in crate::cli) name: Option<String>,
    /// The `https` address of a remote server, and the folder to write [default: ./NAME]
    #[arg(value_name = "URL|DIR", num_args = 0..=2)]
    pub(in crate::cli) places: Vec<String>,
    /// The command that starts the server, after `--`
    #[arg(value_name = "COMMAND", last = true)]
    pub(in crate::cli) command: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) listed: Listed,
    #[command(flatten)]
    pub(in crate::cli) keys: Naming,
    #[command(flatten)]
    pub(in crate::cli) adding: Adding,
}

/// A server of a registry.
#[derive(Debug, Args)]
#[command(next_help_heading = "Registry")]
pub(in crate::cli) struct Listed {
    /// A server of the registry by its name there, in its latest version unless one is named
    #[arg(long, value_name = "SERVER[@VERSION]", conflicts_with = "command")]
    pub(in crate::cli) from: Option<String>,
    /// What the command or the address needs: `root=/home/me/notes`
    #[arg(long = "input", value_name = "NAME=VALUE", value_parser = input, requires = "from")]
    pub(in crate::cli) inputs: Vec<(String, String)>,
    /// Which of its forms to take, when it has several
    #[arg(long = "as", value_name = "KIND", value_parser = kind, requires = "from")]
    pub(in crate::cli) kind: Option<Kind>,
    #[command(flatten)]
    pub(in crate::cli) registry: RegistryFlag,
}

fn input(word: &str) -> Result<(String, String), String> {
    let (name, value) = word.split_once('=').ok_or("write `name=value`")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn kind(word: &str) -> Result<Kind, String> {
    let kinds = [Kind::Npm, Kind::PyPi, Kind::Remote];
    kinds
        .into_iter()
        .find(|kind| kind.word() == word)
        .ok_or_else(|| "it is `npm`, `pypi` or `remote`".to_owned())
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Keys")]
pub(in crate::cli) struct Naming {
    /// A variable that the command is given, by its name; its value comes from the environment
    #[arg(long = "env", value_name = "NAME")]
    pub(in crate::cli) env: Vec<String>,
    /// A header that a remote server wants, by its name; its value is a key
    #[arg(long = "header", value_name = "NAME")]
    pub(in crate::cli) headers: Vec<String>,
}

/// What is the same wherever the server was found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tools")]
pub(in crate::cli) struct Adding {
    /// The tools to take, by name, or `all`
    #[arg(long, value_name = "TOOLS", value_delimiter = ',')]
    pub(in crate::cli) tools: Vec<String>,
    /// Declare another risk than the suggested one: `forecast=read`
    #[arg(long = "risk", value_name = "TOOL=RISK", value_parser = super::risk)]
    pub(in crate::cli) risks: Vec<(String, Risk)>,
    #[command(flatten)]
    pub(in crate::cli) speaking: Speaking,
    /// Start the command without asking
    #[arg(short, long, help_heading = "Server")]
    pub(in crate::cli) yes: bool,
    /// Write over a connector.json that differs
    #[arg(long, conflicts_with = "diff", help_heading = "Output")]
    force: bool,
    /// Show what would change and write nothing; exit with 1 if that is anything
    #[arg(long, help_heading = "Output")]
    diff: bool,
    /// What was written as JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

impl Add {
    /// The connector's name, as far as the words give it.
    pub(in crate::cli) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }
}

impl Adding {
    pub(in crate::cli) fn over(&self) -> Over {
        Over::of(self.force, self.diff)
    }
}

const EXAMPLES: &str = "\
Examples:
  {program} add weather -- npx -y @acme/weather@1.4.2
  {program} add weather ./weather --env ACME_KEY --tools forecast,alerts --risk alerts=read --yes -- npx -y @acme/weather@1.4.2
  {program} add docs https://mcp.example.com/mcp --header Authorization
  {program} add --from io.github.acme/weather --input units=metric

A package needs its exact version, so that what was reviewed is what runs. In a terminal, without `--tools`, a list opens to tick.
Exit codes: 0 done, 1 the tools changed meanwhile or `--diff` found something, 2 wrong usage or nothing could be written, 3 a key,
4 the server cannot be started or reached, 5 it answered with an error.";
