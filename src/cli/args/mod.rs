//! What may stand on the command line: clap types only, parsed to final values so that no command
//! sees a raw string twice.

mod add;
mod install;
mod openapi;
mod search;
mod secret;

use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};

pub(in crate::cli) use add::{Add, Adding};
pub(in crate::cli) use install::{Install, List, Placing, Uninstall};
pub(in crate::cli) use openapi::OpenApi;
pub(in crate::cli) use search::Search;
pub(in crate::cli) use secret::{Secret, SecretCommand, SecretDelete, SecretList, SecretSet, SecretStatus, StoreWord, Storing};

use crate::mcp::Era;
use crate::model::Risk;

/// The commands that `becket X` and `pimpo connector X` share.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Command {
    #[command(name = "openapi")]
    OpenApi(Box<OpenApi>),
    Add(Box<Add>),
    Search(Search),
    Check(Check),
    Test(Test),
    Call(Call),
    Install(Install),
    List(List),
    Uninstall(Uninstall),
    Secret(Secret),
    Explain(Explain),
    Demo(Demo),
}

/// The commands of `chatpilot`.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum PackCommand {
    /// Check the profiles of packs
    #[command(subcommand)]
    Profiles(Profiles),
    Secret(Secret),
    Mcp(Connected),
    Explain(Explain),
}

/// Show what a config.yaml connects: address, key, tools, limits and roles of each profile
///
/// Reads the entries of `discuss.mcp` that have an `api`, and finds each profile by that name under `--dir`. The key of
/// an entry is `mcp_<name>_key`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Connected {
    /// The file that connects profiles
    #[arg(long, value_name = "FILE", default_value = "config.yaml")]
    pub(in crate::cli) config: PathBuf,
    /// The folder of the packs, `~/.chatpilot/profiles` by default
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) dir: Option<PathBuf>,
    /// Call the `check` tool of each profile
    #[arg(long)]
    pub(in crate::cli) live: bool,
    /// Write JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Profiles {
    Check(ProfilesCheck),
    Call(ProfilesCall),
    List(ProfilesList),
}

/// Call one tool of a profile and print what `returns` keeps
///
/// The key comes from the environment, under `mcp_<profile>_key` or the name that `--key` gives. Requests per minute are
/// held across all runs on this computer.
#[derive(Debug, Args)]
pub(in crate::cli) struct ProfilesCall {
    /// A pack's folder, or one profile (.yaml)
    #[arg(value_name = "PACK", value_parser = any_path())]
    pub(in crate::cli) pack: PathBuf,
    /// The tool
    #[arg(value_name = "TOOL")]
    pub(in crate::cli) tool: String,
    /// `name=text` or `name:=json`; `name=text` takes the type of the parameter
    #[arg(value_name = "ARGUMENT")]
    pub(in crate::cli) arguments: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    /// Print the exact request and send nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Write a failure as one JSON line on standard error; the answer is JSON in any case
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// What an owner fills in when connecting a profile.
#[derive(Debug, Args)]
pub(in crate::cli) struct Connection {
    /// The value of a field in the host of `base_url`; once for each
    #[arg(long = "field", value_name = "NAME=VALUE")]
    pub(in crate::cli) fields: Vec<String>,
    /// The name of the key, where it is not `mcp_<profile>_key`
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) key: Option<String>,
}

/// List the profiles of packs with their tools
#[derive(Debug, Args)]
pub(in crate::cli) struct ProfilesList {
    /// A pack's folder, or one profile (.yaml)
    #[arg(value_name = "PACK", required = true)]
    pub(in crate::cli) packs: Vec<PathBuf>,
    /// Write JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// Check what the `api` block of each profile says; nothing is called without `--live`
#[derive(Debug, Args)]
pub(in crate::cli) struct ProfilesCheck {
    /// A pack's folder, or one profile (.yaml)
    #[arg(value_name = "PACK", required = true)]
    pub(in crate::cli) packs: Vec<PathBuf>,
    /// Call the `check` tool of each profile, if nothing is wrong with it
    #[arg(long)]
    pub(in crate::cli) live: bool,
    #[command(flatten)]
    pub(in crate::cli) connection: Connection,
    /// Treat warnings as errors
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// How findings are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub(in crate::cli) format: Format,
    /// The same as `--format json`; failures are written as JSON too
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    pub(in crate::cli) json: bool,
}

impl PackCommand {
    /// Whether a failure is to be one JSON line.
    pub(in crate::cli) fn wants_json(&self) -> bool {
        match self {
            Self::Profiles(Profiles::Check(args)) => args.json || args.format == Format::Json,
            Self::Profiles(Profiles::Call(args)) => args.json,
            Self::Profiles(Profiles::List(args)) => args.json,
            Self::Secret(args) => args.wants_json(),
            Self::Mcp(args) => args.json,
            Self::Explain(args) => args.json,
        }
    }
}

impl Command {
    /// One command by its name, as it stands in the tree.
    pub(in crate::cli) fn alone(name: &str) -> Option<clap::Command> {
        let (name, build): (&'static str, fn(clap::Command) -> clap::Command) = match name {
            "openapi" => ("openapi", OpenApi::augment_args),
            "add" => ("add", Add::augment_args),
            "search" => ("search", Search::augment_args),
            "check" => ("check", Check::augment_args),
            "test" => ("test", Test::augment_args),
            "call" => ("call", Call::augment_args),
            "install" => ("install", Install::augment_args),
            "list" => ("list", List::augment_args),
            "uninstall" => ("uninstall", Uninstall::augment_args),
            "secret" => ("secret", Secret::augment_args),
            "explain" => ("explain", Explain::augment_args),
            "demo" => ("demo", Demo::augment_args),
            _ => return None,
        };
        Some(build(clap::Command::new(name)))
    }

    /// Whether a failure is to be one JSON line.
    pub(in crate::cli) fn wants_json(&self) -> bool {
        match self {
            Self::OpenApi(args) => args.output.json,
            Self::Add(args) => args.adding.json,
            Self::Search(args) => args.json,
            Self::Check(args) => args.wants_json(),
            Self::Test(args) => args.json || args.format == Format::Json,
            Self::Call(args) => args.json,
            Self::Install(args) => args.json,
            Self::List(args) => args.json,
            Self::Uninstall(args) => args.json,
            Self::Secret(args) => args.wants_json(),
            Self::Explain(args) => args.json,
            Self::Demo(_) => false,
        }
    }

    /// Whether it waits for nobody and keeps nothing on disk, so that Ctrl-C needs no care.
    pub(in crate::cli) fn is_short(&self) -> bool {
        match self {
            Self::Check(args) => args.offline && !args.fix && args.paths.iter().all(|path| path != Path::new("-")),
            Self::Explain(_) | Self::List(_) => true,
            _ => false,
        }
    }
}

/// Flags that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct Global {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,
    /// Print results only, no progress on standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Never ask; fail and name the flag that answers instead
    #[arg(long, global = true)]
    pub no_input: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// Which protocol a server is spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EraWord {
    /// Whichever the server speaks
    Auto,
    /// 2024-11-05 to 2025-11-25
    Legacy,
    /// 2026-07-28
    Modern,
}

/// How an MCP server is spoken to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(in crate::cli) struct Speaking {
    /// Which protocol to speak with an MCP server
    #[arg(long, value_name = "ERA", default_value = "auto")]
    era: EraWord,
}

impl Speaking {
    pub(in crate::cli) fn era(&self) -> Era {
        self.era.into()
    }
}

impl From<EraWord> for Era {
    fn from(word: EraWord) -> Self {
        match word {
            EraWord::Auto => Self::Auto,
            EraWord::Legacy => Self::Legacy,
            EraWord::Modern => Self::Modern,
        }
    }
}

fn risk(text: &str) -> Result<(String, Risk), String> {
    let (word, risk) = text.rsplit_once('=').ok_or("write WORD=RISK")?;
    let risk = Risk::parse(risk).ok_or("a risk is read, notify, reversible or irreversible")?;
    Ok((word.to_owned(), risk))
}

/// A path; an empty one too, for which there is a better answer than that a value is missing.
fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// Check the manifest and run its contract
///
/// Reads each connector.json, reports every mistake at its line, and, where there is none, calls the service for
/// each case of the contract. Keys come from the environment under their declared names; a key that is set to nothing
/// (`NAME=`) is left out of the requests.
///
/// PATH is a connector.json, a folder that holds one, or a folder of such folders; where there is no such file, the name of an
/// installed connector. `-` reads a manifest from standard input.
#[derive(Debug, Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub(in crate::cli) struct Check {
    /// A connector.json, its folder, or a folder of connectors
    #[arg(value_name = "PATH", default_value = ".", value_parser = any_path())]
    pub paths: Vec<PathBuf>,
    /// Check the files only; send nothing
    #[arg(long)]
    pub offline: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Mend what has one sure remedy, then check again
    #[arg(long, conflicts_with = "diff")]
    pub(in crate::cli) fix: bool,
    /// Show what `--fix` would change and write nothing; exit with 1 if that is anything
    #[arg(long, conflicts_with_all = ["format", "json", "strict", "exit_zero"])]
    pub(in crate::cli) diff: bool,
    /// Exit with 0 even when there are errors
    #[arg(long)]
    pub exit_zero: bool,
    #[command(flatten)]
    pub(in crate::cli) speaking: Speaking,
    /// How findings are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub format: Format,
    /// The same as `--format json`; failures are written as JSON too
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    pub json: bool,
}

impl Check {
    /// Whether a failure is to be one JSON line.
    pub(in crate::cli) fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
}

const CHECK_EXAMPLES: &str = "\
Examples:
  {program} check ./petstore                          the file, then its contract
  {program} check --offline connectors/               every connector of a folder, nothing sent
  PETSTORE_KEY=… {program} check ./petstore           with a key for this run
  {program} check --offline --format sarif . > out.sarif

Exit codes: 0 no errors · 1 errors, or a case failed · 2 could not look · 3 a key · 4 unreachable · 5 the service's error
(`{program} help exit-codes` says more). With `--format sarif` findings do not change the exit code, so that an upload step runs.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// With the line, an underline and help
    Human,
    /// One line for each finding
    Concise,
    /// One object with a version
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit XML
    Junit,
}

/// Run only the contract
///
/// Calls the service for each case and shows the time and size of each answer. A manifest with errors is not called.
///
/// PATH is a connector.json, a folder that holds one, or a folder of such folders; where there is no such file, the name of an
/// installed connector.
#[derive(Debug, Args)]
pub(in crate::cli) struct Test {
    /// A connector.json, its folder, or a folder of connectors
    #[arg(value_name = "PATH", default_value = ".", value_parser = any_path())]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) speaking: Speaking,
    /// How findings are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    pub format: Format,
    /// The same as `--format json`; failures are written as JSON too
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    pub json: bool,
}

/// Call one capability and print its answer
///
/// Arguments are checked against the capability's `schema` before anything is sent. The answer is JSON on standard
/// output.
#[derive(Debug, Args)]
#[command(after_long_help = CALL_EXAMPLES)]
pub(in crate::cli) struct Call {
    /// A connector.json or its folder; or an installed connector's name, or NAME.CAPABILITY in one word
    #[arg(value_name = "PATH", value_parser = any_path())]
    pub path: PathBuf,
    /// The capability, with or without the connector's name
    #[arg(value_name = "CAPABILITY")]
    pub capability: Option<String>,
    /// `name=text`, `name:=json` or `name=@file`
    ///
    /// `name=text` takes the type that `schema` declares; digits stay as typed. `name=@file` is the text of a file, its
    /// last line end included, and `name:=@file` the JSON in one; `@-` is standard input. A text that starts with `@` is
    /// written `name:='"@text"'`. An argument that may be a list can be given several times; any other only once.
    #[arg(value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
    /// All arguments as one JSON object; `-` reads it from standard input
    ///
    /// A `name=…` beside it takes the place of the argument of that name.
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub args: Option<String>,
    /// Print the exact request and send nothing
    #[arg(long, conflicts_with = "curl")]
    pub dry_run: bool,
    /// Print the request as a curl command and send nothing
    ///
    /// The command sends what this program would send. Keys stand in it as `$NAME`, those without a value too.
    #[arg(long)]
    pub curl: bool,
    /// Go on without asking, whatever the risk
    #[arg(short, long)]
    pub yes: bool,
    #[command(flatten)]
    pub(in crate::cli) speaking: Speaking,
    /// Write a failure as one JSON line on standard error; the answer is JSON in any case
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

const CALL_EXAMPLES: &str = "\
Examples:
  {program} call examples/connectors/hnsearch stories query=rust --dry-run
  {program} call examples/connectors/hnsearch hnsearch.stories query=rust max:=5
  {program} call . stories query=rust --curl          to paste elsewhere; keys are $NAME
  {program} call hnsearch.stories query=rust          an installed connector
  echo '{\"query\": \"rust\"}' | {program} call . stories --args -

An irreversible capability asks first; `--yes` answers.";

/// Say more about a code such as P302
///
/// Prints what a rule means, why it is there, and a wrong and a right example.
#[derive(Debug, Args)]
pub(in crate::cli) struct Explain {
    /// A code (P302) or its name (key-in-path)
    #[arg(value_name = "CODE", required_unless_present = "all")]
    pub code: Option<String>,
    /// List every rule
    #[arg(long, conflicts_with = "code")]
    pub all: bool,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// Show what this program does, with a service of its own
///
/// Starts a small library service on this computer, writes a connector for it, checks it, runs its contract, calls it,
/// and shows a mistake that is refused. Needs no network and no key, and leaves nothing behind.
#[derive(Debug, Args)]
#[command(after_long_help = DEMO_EXAMPLES)]
pub(in crate::cli) struct Demo {
    /// Run the library service alone, until Ctrl-C; a port of 0 is any free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8808")]
    pub(in crate::cli) serve: Option<u16>,
}

const DEMO_EXAMPLES: &str = "\
Examples:
  {program} demo
  {program} demo --serve                the service of examples/openapi/library.yaml, at http://127.0.0.1:8808";
