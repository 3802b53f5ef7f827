//! `search`: the servers of a registry, and what can be run or reached of each.

use serde_json::{Value, json};

use super::args::Search;
use super::exit::Exit;
use super::io::Layout;
use super::{Ending, Session, registry};
use crate::diag::count;
use crate::exec::Client;
use crate::registry::{self as entries, Entry, Input, Status, Way, connector_name};
use crate::report::visible;

/// Servers asked for at a time.
const PAGE: usize = 100;
/// Pages of one search.
const PAGES: usize = 100;

pub(super) fn run(args: &Search, session: &mut Session) -> Ending {
    let found = find(args, session)?;
    if args.json {
        let servers: Vec<Value> = found.entries.iter().map(as_json).collect();
        let listed = json!({"version": 1, "servers": servers, "more": found.more});
        session.io.out_json(&listed, Layout::OneLine);
        return Ok(Exit::Success);
    }
    session.io.say(&lines(&found.entries));
    session.io.progress(&told(&found, args, session));
    Ok(Exit::Success)
}

struct Found {
    entries: Vec<Entry>,
    /// Whether the registry has others.
    more: bool,
    /// What is odd about its pages.
    note: Option<&'static str>,
}

/// Asks page after page until there are enough. A registry that repeats itself ends it.
fn find(args: &Search, session: &Session) -> Result<Found, super::fault::Fault> {
    let (client, words) = (Client::default(), args.words.join(" "));
    let wanted = usize::from(args.limit);
    let mut entries: Vec<Entry> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..PAGES {
        let part = PAGE.min(wanted - entries.len());
        let url = entries::search(&args.registry.registry, &words, seen.last().map(String::as_str), part);
        let answer = registry::ask(&client, &url, session)?;
        let page = entries::page(&answer).map_err(registry::unreadable)?;
        let more_here = page.entries.len() > part;
        for entry in page.entries.into_iter().take(part) {
            if entries.iter().all(|known| known.name != entry.name) {
                entries.push(entry);
            }
        }
        let note = match &page.next {
            Some(next) if seen.contains(next) => Some("the registry gives the same page again, so this is all of it"),
            _ => None,
        };
        let ends = page.next.is_none() || note.is_some();
        if ends || entries.len() >= wanted {
            let more = more_here || !ends;
            return Ok(Found { entries, more, note });
        }
        seen.extend(page.next);
    }
    Ok(Found {
        entries,
        more: true,
        note: Some("the registry has more pages than are asked for"),
    })
}

/// A line for each server, and one for what it is for.
fn lines(found: &[Entry]) -> String {
    let mut text = String::new();
    for entry in found {
        let kinds: Vec<String> = entry.takeable().map(|way| format!("{} {}", way.kind.word(), way.what)).collect();
        let how = match kinds.is_empty() {
            true => format!("(unsupported: it {})", entry.why_not().trim_start_matches("it ")),
            false => kinds.join(", or "),
        };
        text += &format!("{}\n", visible(&format!("{}  {}  {how}", entry.name, entry.version)));
        let about = if entry.description.is_empty() {
            &entry.title
        } else {
            &entry.description
        };
        if !about.is_empty() {
            text += &format!("    {}\n", visible(about));
        }
        for remark in entry.remarks() {
            text += &format!("    warning: {remark}\n");
        }
    }
    text
}

fn told(found: &Found, args: &Search, session: &Session) -> String {
    let words = args.words.join(" ");
    let note = found.note.map(|note| format!("note: {note}\n")).unwrap_or_default();
    let Some(first) = found.entries.first() else {
        return format!("no server of the registry has `{}` in its name\n{note}", visible(&words));
    };
    let mut text = format!("{}\n{note}", count(found.entries.len(), "server"));
    if found.more && args.limit < 1000 {
        let next = (usize::from(args.limit) * 2).min(1000);
        text += &format!("there are more: `--limit {next}` lists them\n");
    }
    let usable = found.entries.iter().find(|entry| entry.way().is_some()).unwrap_or(first);
    if usable.way().is_some() {
        let asked = args.registry.registry.as_str();
        let registry = match asked.trim_end_matches('/') == entries::DEFAULT {
            true => String::new(),
            false => format!(" --registry {asked}"),
        };
        let line = session.brand.command(&format!("add --from {}{registry}", usable.name));
        text += &format!("next: {}\n", visible(&line));
    }
    text
}

fn as_json(entry: &Entry) -> Value {
    let ways: Vec<Value> = entry.takeable().map(way).collect();
    let unsupported: Vec<String> = entry
        .ways
        .iter()
        .filter_map(|way| way.as_ref().err())
        .map(ToString::to_string)
        .collect();
    json!({
        "name": entry.name,
        "title": entry.title,
        "description": entry.description,
        "version": entry.version,
        "repository": entry.repository,
        "deprecated": entry.status == Status::Deprecated,
        "connector": connector_name(&entry.name),
        "ways": ways,
        "unsupported": unsupported,
        "remarks": entry.remarks(),
    })
}

fn way(way: &Way) -> Value {
    let inputs = |inputs: &[Input]| inputs.iter().map(input).collect::<Vec<_>>();
    json!({"kind": way.kind.word(), "what": way.what, "keys": inputs(&way.keys), "inputs": inputs(&way.inputs)})
}

fn input(input: &Input) -> Value {
    json!({
        "name": input.name,
        "description": input.description,
        "required": input.required,
        "secret": input.secret,
        "default": input.default,
        "choices": input.choices,
        "repeated": input.repeated,
    })
}
