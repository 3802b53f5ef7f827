//! A server described on the command line: a command after `--`, or an address.

use std::path::PathBuf;

use super::super::args::Add;
use super::super::fault::Fault;
use super::super::{Session, exit::Exit};
use crate::adopt::Described;
use crate::diag::{Finding, Level, table};
use crate::format::write::write;
use crate::model::{Base, Capability, Name, Risk, Span, Transport};
use crate::rules;
use crate::source::Source;

/// The server, and the folder of its connector.
pub(super) fn described(args: &Add, session: &Session) -> Result<(Described, PathBuf), Fault> {
    let (url, folder) = places(args)?;
    let transport = match (url, args.command.split_first()) {
        (Some(_), Some(_)) => {
            return Err(Fault::usage("bad_usage", "an address and a command are two servers").hint("give one of them"));
        }
        (Some(url), None) => remote(url, args)?,
        (None, Some((command, rest))) => program(command, rest, args)?,
        (None, None) => return Err(nothing(args, session)),
    };
    let described = Described {
        name: args.name.clone(),
        description: String::new(),
        source: None,
        transport,
        keys: args.keys.env.clone(),
    };
    sound(&described)?;
    Ok((described, folder.unwrap_or_else(|| PathBuf::from(&args.name))))
}

/// Which of the words is an address and which a folder.
fn places(args: &Add) -> Result<(Option<&str>, Option<PathBuf>), Fault> {
    let (urls, folders): (Vec<&String>, Vec<&String>) = args.places.iter().partition(|word| word.contains("://"));
    match (urls.as_slice(), folders.as_slice()) {
        ([] | [_], [] | [_]) => Ok((urls.first().map(|url| url.as_str()), folders.first().map(PathBuf::from))),
        ([_, _, ..], _) => Err(Fault::usage("bad_usage", "two addresses are two servers").hint("give one of them")),
        _ => Err(
            Fault::usage("bad_usage", "the words after NAME are no address and no single folder")
                .hint("a command stands after `--`: `add NAME -- npx -y PACKAGE@1.2.3`"),
        ),
    }
}

fn nothing(args: &Add, session: &Session) -> Fault {
    let fault = Fault::usage("bad_usage", "neither a command nor an address says where the server is");
    let example = session.brand.command(&format!("add {} -- npx -y PACKAGE@1.2.3", args.name));
    fault.hint(format!("put the command after `--`, as in `{example}`, or give an `https` address"))
}

fn program(command: &str, rest: &[String], args: &Add) -> Result<Transport, Fault> {
    if !args.keys.headers.is_empty() {
        return Err(Fault::usage("bad_usage", "a command has no headers").hint("name its variables with `--env`"));
    }
    Ok(Transport::Program {
        command: command.to_owned(),
        args: rest.to_vec(),
    })
}

fn remote(url: &str, args: &Add) -> Result<Transport, Fault> {
    if !args.keys.env.is_empty() {
        return Err(Fault::usage("bad_usage", "a remote server has no variables").hint("name its headers with `--header`"));
    }
    let (url, _) =
        Base::parse(url, Span::default()).map_err(|error| Fault::usage("bad_address", format!("cannot use the address: {error}")))?;
    let header = |header: &String| Name {
        text: header.clone(),
        at: Span::default(),
    };
    Ok(Transport::Remote {
        url,
        headers: args.keys.headers.iter().map(header).collect(),
    })
}

/// What `check` would find in the connector for a word of the command line is told before anything
/// is started.
fn sound(described: &Described) -> Result<(), Fault> {
    let sample = Capability {
        name: format!("{}.tool", described.name),
        tool: None,
        risk: Risk::Irreversible,
        reviewed: None,
        signature: "tool".to_owned(),
        returns: "text".to_owned(),
        schema: None,
        schema_at: None,
        request: None,
        pick: None,
        at: Span::default(),
    };
    let text = write(&described.connector(vec![sample]));
    let checked = rules::read(Source::new("the command line", text));
    let first = checked.findings.iter().find(|finding| finding.level == Level::Error);
    first.map_or(Ok(()), |finding| Err(unsound(finding)))
}

fn unsound(finding: &Finding) -> Fault {
    if finding.rule.code == table::LITERAL_KEY.code {
        return Fault::usage(
            "key_on_command_line",
            "a key stands in the command: it would stay in your shell's history and in the file",
        )
        .hint("name its variable with `--env NAME`; if it was real, replace it at the service");
    }
    let fault = Fault::new(Exit::Usage, "bad_usage", finding.message.clone());
    match &finding.help {
        Some(help) => fault.hint(help.clone()),
        None => fault,
    }
}
