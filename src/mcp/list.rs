//! The whole list of a server's tools: every page, to the end, or not at all.

use std::collections::HashSet;
use std::time::Instant;

use serde_json::{Map, Value};

use super::failure::{Failure, Why};
use super::limits::Limits;
use super::link::Link;
use super::tool::{Tool, quoted};

const METHOD: &str = "tools/list";

/// Lists the tools. Entries that are none are left out and noted, where `lenient`.
pub(super) fn list(link: &mut Link<'_>, limits: &Limits, lenient: bool, notes: &mut Vec<String>) -> Result<Vec<Tool>, Failure> {
    let ends = Instant::now() + limits.call;
    let mut tools: Vec<Tool> = Vec::new();
    let mut cursors = HashSet::new();
    let mut cursor: Option<String> = None;
    for _ in 0..limits.pages {
        let mut params = Map::new();
        params.extend(cursor.take().map(|cursor| ("cursor".to_owned(), Value::String(cursor))));
        let left = ends.saturating_duration_since(Instant::now());
        let (mut page, _) = link.result(METHOD, params, left)?;
        complete(link, &page)?;
        let Value::Array(entries) = page["tools"].take() else {
            return Err(link.malformed(METHOD, "has no list of tools"));
        };
        if tools.len() + entries.len() > limits.tools {
            let many = tools.len() + entries.len();
            return Err(endless(link, format!("{many} tools so far, and {} are too many", limits.tools)));
        }
        for entry in &entries {
            match Tool::read(entry) {
                Ok(tool) => tools.push(tool),
                Err(problem) if lenient => notes.push(format!("`{}`: {problem}; it is left out", link.server)),
                Err(problem) => return Err(link.malformed(METHOD, &format!("cannot be used: {problem}"))),
            }
        }
        let Some(next) = next(link, &page)? else {
            return once_each(link, tools);
        };
        if !cursors.insert(next.clone()) {
            return Err(endless(link, format!("the cursor `{}` is repeated", link.shown(&next))));
        }
        cursor = Some(next);
    }
    Err(endless(link, format!("more than {} pages", limits.pages)))
}

/// The tools, if no name stands for two of them.
fn once_each(link: &Link<'_>, tools: Vec<Tool>) -> Result<Vec<Tool>, Failure> {
    let mut names = HashSet::new();
    let twice: Vec<&str> = tools
        .iter()
        .map(|tool| tool.name.as_str())
        .filter(|name| !names.insert(*name))
        .collect();
    let Some(first) = twice.first() else { return Ok(tools) };
    let problem = format!(
        "has {} tools and names {} of them again, such as `{}`",
        tools.len(),
        twice.len(),
        quoted(first)
    );
    Err(link.malformed(METHOD, &problem))
}

/// The cursor of the next page. An empty text is one in the newer era; the older servers that send
/// it mean the end.
fn next(link: &Link<'_>, page: &Value) -> Result<Option<String>, Failure> {
    match &page["nextCursor"] {
        Value::Null => Ok(None),
        Value::String(cursor) if cursor.is_empty() && !link.dialect.is_modern() => Ok(None),
        Value::String(cursor) => Ok(Some(cursor.clone())),
        _ => Err(link.malformed(METHOD, "has a cursor that is no text")),
    }
}

fn complete(link: &Link<'_>, page: &Value) -> Result<(), Failure> {
    match page["resultType"].as_str() {
        None if page.is_object() && page["resultType"].is_null() => Ok(()),
        Some("complete") => Ok(()),
        Some("input_required") => Err(Why::InputRefused {
            server: link.server.clone(),
            method: METHOD.to_owned(),
        }
        .into()),
        _ => Err(link.malformed(METHOD, "is no result")),
    }
}

fn endless(link: &Link<'_>, problem: String) -> Failure {
    let server = link.server.clone();
    Why::Paging { server, problem }.into()
}
