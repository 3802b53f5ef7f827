//! The arguments of `search`, and how a registry is named.

use clap::Args;
use url::Url;

use crate::model::{Base, Span};
use crate::registry;

/// Find MCP servers in a registry
///
/// Lists the servers whose names hold WORDS, with what can be run or reached of each: packages of npm by npx, of PyPI by
/// uvx, in their listed versions, and remote servers over https. Others are listed with the reason why not. Nothing is
/// started.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct Search {
    /// A part of the server's name
    #[arg(value_name = "WORDS", required = true)]
    pub(in crate::cli) words: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) registry: RegistryFlag,
    /// How many servers to list, at most
    #[arg(long, value_name = "N", default_value = "30", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(in crate::cli) limit: u16,
    /// The servers as JSON
    #[arg(long, help_heading = "Output")]
    pub(in crate::cli) json: bool,
}

/// Which registry is asked.
#[derive(Debug, Args)]
pub(in crate::cli) struct RegistryFlag {
    /// Another registry with the API of the official one (v0.1)
    #[arg(long, value_name = "URL", env = "BECKET_REGISTRY", hide_env_values = true, default_value = registry::DEFAULT, value_parser = address)]
    pub(in crate::cli) registry: Url,
}

/// An address of https, or of this computer.
fn address(text: &str) -> Result<Url, String> {
    Base::parse(text, Span::default()).map_err(|error| error.to_string())?;
    Url::parse(text).map_err(|error| error.to_string())
}

const EXAMPLES: &str = "\
Examples:
  {program} search weather
  {program} search io.github.acme --limit 100 --json
  {program} add --from io.github.acme/weather

Exit codes: 0 done, also when nothing was found, 2 wrong usage, 4 the registry cannot be reached, 5 it answered with an error.";
