//! The arguments of `openapi`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use url::Url;

use crate::model::Risk;
use crate::openapi::{KeyHeader, Target};

/// Write a connector from an OpenAPI or Swagger description
///
/// Reads OpenAPI 3.0, 3.1, 3.2 and Swagger 2.0, JSON or YAML, from a file, an address or standard input (`-`). Without
/// NAME it lists the operations, with what is left out and why. With NAME it writes DIR/connector.json: reads (GET) are
/// declared `read`, everything else `irreversible` until `--risk` says otherwise.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::cli) struct OpenApi {
    /// A file, an address, or `-`
    #[arg(value_name = "SPEC")]
    pub(in crate::cli) spec: String,
    /// The connector's name: 2 to 31 lowercase letters and digits
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
    /// The folder to write [default: ./NAME]
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) choice: Choosing,
    #[command(flatten)]
    pub(in crate::cli) address: Addressing,
    #[command(flatten)]
    pub(in crate::cli) keys: Keying,
    #[command(flatten)]
    pub(in crate::cli) output: Writing,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Operations")]
pub(in crate::cli) struct Choosing {
    /// `get`, operation ids, globs, `tag:NAME`, `path:/x/**`, `'*'` for all
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(in crate::cli) only: Vec<String>,
    /// What to leave out again, in the same words
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub(in crate::cli) except: Vec<String>,
    /// Declare another risk: `updatePet=reversible`
    #[arg(long = "risk", value_name = "WORD=RISK", value_parser = super::risk)]
    pub(in crate::cli) risks: Vec<(String, Risk)>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Service")]
pub(in crate::cli) struct Addressing {
    /// The service's address, in place of every server; without a path, a relative server's is added
    #[arg(long, value_name = "URL", value_parser = service)]
    pub(in crate::cli) base: Option<Url>,
    /// One of the listed servers by its number from 0, or another address
    #[arg(long, value_name = "URL|INDEX")]
    pub(in crate::cli) server: Option<String>,
    /// A value for a variable of the server's address
    #[arg(long = "server-var", value_name = "NAME=VALUE", value_parser = pair)]
    pub(in crate::cli) variables: Vec<(String, String)>,
    /// Follow references to other addresses of the same origin
    #[arg(long)]
    pub(in crate::cli) follow_refs: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Keys")]
pub(in crate::cli) struct Keying {
    /// A header that is a key, when the description declares none: `Authorization="Bearer "`
    #[arg(long = "header", value_name = "NAME[=PREFIX]", value_parser = key_header)]
    pub(in crate::cli) headers: Vec<KeyHeader>,
    /// A query parameter that is a key
    #[arg(long = "query-key", value_name = "NAME")]
    pub(in crate::cli) query_keys: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct Writing {
    /// Who reads the connector: the released host, or also the extensions of this program
    #[arg(long, value_name = "TARGET", default_value = "pimpo")]
    target: TargetWord,
    /// Write over a connector.json that differs
    #[arg(long, conflicts_with = "diff")]
    pub(in crate::cli) force: bool,
    /// Show what would change and write nothing; exit with 1 if that is anything
    #[arg(long)]
    pub(in crate::cli) diff: bool,
    /// Write everything that was left out, cut or guessed as JSON
    #[arg(long, value_name = "FILE", value_parser = report)]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Fail when anything of what is chosen is left out or lost
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// The list, or what was written, as JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TargetWord {
    Pimpo,
    Becket,
}

const EXAMPLES: &str = "\
Examples:
  {program} openapi petstore.yaml                               the operations
  {program} openapi --only get petstore.yaml petstore ./petstore
  {program} openapi --only tag:pet --risk updatePet=reversible petstore.yaml petstore
  {program} openapi --header Authorization='Bearer ' --only get api.json myapi

Only what the chosen operations use is imported: their arguments, their keys, one host. `--only '*'` takes every
operation; at most 100 are taken.
In a terminal, NAME without `--only` opens a list to tick. Exit codes: 0 done, 1 no description, nothing to import,
`--diff` or `--strict` found something, 2 wrong usage or nothing could be written, 4 and 5 it could not be fetched.";

impl Writing {
    pub(in crate::cli) fn target(&self) -> Target {
        match self.target {
            TargetWord::Pimpo => Target::Pimpo,
            TargetWord::Becket => Target::Becket,
        }
    }
}

fn service(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .ok()
        .filter(|url| url.has_host() && matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| "write a whole `https` address, such as `https://api.example.com/v1`".to_owned())
}

fn report(text: &str) -> Result<PathBuf, String> {
    if text == "-" {
        return Err("give a file; without NAME, `--json` prints the same to standard output".to_owned());
    }
    Ok(text.into())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn key_header(text: &str) -> Result<KeyHeader, String> {
    let (name, prefix) = match text.split_once('=') {
        Some((name, prefix)) => (name, Some(prefix.trim().to_owned())),
        None => (text, None),
    };
    if !crate::model::is_header_name(name) {
        return Err("not a header name".to_owned());
    }
    if crate::model::is_forbidden_header(name) {
        return Err("it belongs to the connection; a connector may not set it".to_owned());
    }
    Ok(KeyHeader {
        name: name.to_owned(),
        prefix,
    })
}
