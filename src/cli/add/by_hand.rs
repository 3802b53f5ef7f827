//! A server described on the command line: a command after `--`, or an address.

use std::path::PathBuf;

use super::super::args::Add;
use super::super::fault::Fault;
use super::super::{Session, exit::Exit};
use super::consent;
use crate::adopt::{Described, command_line};
use crate::diag::{Finding, Level, table};
use crate::format::write::write;
use crate::mcp;
use crate::model::{Base, BaseError, Capability, Name, Risk, Span, Transport};
use crate::rules;
use crate::source::Source;

/// The server, and the folder of its connector.
pub(super) fn described(args: &Add, session: &Session) -> Result<(Described, PathBuf), Fault> {
    names_only(args, session)?;
    let (url, folder) = places(args, session)?;
    let transport = match (url, args.command.split_first()) {
        (Some(_), Some(_)) => {
            return Err(Fault::usage("bad_usage", "an address and a command are two servers").hint("give one of them"));
        }
        (Some(url), None) => remote(url, args)?,
        (None, Some((command, rest))) => program(command, rest, args)?,
        (None, None) => return Err(nothing(args, session)),
    };
    let (description, source) = match &transport {
        Transport::Remote { url, .. } => (format!("The MCP server at {}", url.authority()), Some(url.text())),
        _ => (String::new(), None),
    };
    let described = Described {
        name: args.name().to_owned(),
        description,
        source,
        transport,
        keys: once_each(&args.keys.env),
    };
    sound(&described)?;
    Ok((described, folder.unwrap_or_else(|| PathBuf::from(args.name()))))
}

fn once_each(names: &[String]) -> Vec<String> {
    let mut once: Vec<String> = Vec::new();
    for name in names {
        if !once.contains(name) {
            once.push(name.clone());
        }
    }
    once
}

/// A value that was typed with its name is not repeated.
pub(super) fn names_only(args: &Add, session: &Session) -> Result<(), Fault> {
    let typed = |flag: &str, name: &str, key: &str| {
        let message = format!("`{flag}` takes a name only: a value on the command line would stay in your shell's history");
        let example = format!("{key}=… {}", session.brand.command(&format!("add {} {flag} {name} …", args.name())));
        Fault::usage("key_on_command_line", message).hint(format!("set it in the environment and give its name: `{example}`"))
    };
    if let Some(own) = args.keys.env.iter().find(|name| ["PATH", "HOME", "LANG"].contains(&name.as_str())) {
        return Err(
            Fault::usage("bad_usage", format!("every program is given {own} as it is, so it is no key"))
                .hint("name the variables that the server reads besides PATH, HOME and LANG"),
        );
    }
    if let Some((name, _)) = args.keys.env.iter().find_map(|word| word.split_once('=')) {
        return Err(typed("--env", name, name));
    }
    if let Some((name, _)) = args.keys.headers.iter().find_map(|word| word.split_once([':', '='])) {
        return Err(typed("--header", name, &mcp::header_key(args.name(), name)));
    }
    Ok(())
}

/// Which of the words is an address and which a folder.
fn places<'a>(args: &'a Add, session: &Session) -> Result<(Option<&'a str>, Option<PathBuf>), Fault> {
    if args.places.iter().any(|word| word.is_empty()) {
        return Err(Fault::usage("bad_usage", "a word after NAME is empty").hint("give a folder, or leave the word out"));
    }
    let (urls, folders): (Vec<&String>, Vec<&String>) = args.places.iter().partition(|word| word.contains("://"));
    match (urls.as_slice(), folders.as_slice()) {
        ([] | [_], [] | [_]) => Ok((urls.first().map(|url| url.as_str()), folders.first().map(PathBuf::from))),
        ([_, _, ..], _) => Err(Fault::usage("bad_usage", "two addresses are two servers").hint("give one of them")),
        (_, [command, ..]) => {
            let rest: Vec<String> = args.places[1..].to_vec();
            let line = format!("add {} -- {}", args.name(), command_line(command, &rest));
            Err(Fault::usage("bad_usage", "the command stands after `--`").hint(format!("`{}`", session.brand.command(&line))))
        }
    }
}

fn nothing(args: &Add, session: &Session) -> Fault {
    let fault = Fault::usage("bad_usage", "neither a command nor an address says where the server is");
    let example = session.brand.command(&format!("add {} -- npx -y PACKAGE@1.2.3", args.name()));
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
    let (url, _) = Base::parse(url, Span::default()).map_err(|error| unusable(&error))?;
    let header = |header: &String| Name {
        text: header.clone(),
        at: Span::default(),
    };
    Ok(Transport::Remote {
        url,
        headers: once_each(&args.keys.headers).iter().map(header).collect(),
    })
}

fn unusable(error: &BaseError) -> Fault {
    match error {
        BaseError::NotHttps => Fault::usage("bad_address", "a remote server needs `https`").hint("plain `http` is for this computer only"),
        _ => Fault::usage("bad_address", format!("cannot use the address: {error}")),
    }
}

/// What `check` would find in the connector for a word of the command line is told before anything
/// is started.
pub(super) fn sound(described: &Described) -> Result<(), Fault> {
    let sample = Capability {
        name: format!("{}.tool", described.name),
        tool: None,
        risk: Risk::Irreversible,
        reviewed: None,
        signature: "tool".to_owned(),
        returns: "text".to_owned(),
        schema: None,
        defaults: serde_json::Map::new(),
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
        return consent::key_in_command();
    }
    let fault = Fault::new(Exit::Usage, "bad_usage", finding.message.clone());
    match &finding.help {
        Some(help) => fault.hint(help.clone()),
        None => fault,
    }
}
