//! `explain`: what a rule means.

use serde_json::json;

use super::args::Explain;
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::{Ending, Session};
use crate::diag::Rule;
use crate::diag::table::{ALL as RULES, find};
use crate::model::nearest;
use crate::report::wrap;

pub(super) fn run(args: &Explain, session: &Session) -> Ending {
    let Some(code) = args.code.as_deref().map(str::trim) else {
        list(args.json, session);
        return Ok(Exit::Success);
    };
    let rule = find(code).ok_or_else(|| unknown(code, session))?;
    if args.json {
        session.io.out_json(&record(rule), Layout::OneLine);
    } else {
        session.io.say(&page(rule, session.io.facts.width));
    }
    Ok(Exit::Success)
}

fn list(as_json: bool, session: &Session) {
    if as_json {
        let rules: Vec<_> = RULES.iter().copied().map(record).collect();
        return session.io.out_json(&json!({"version": 1, "rules": rules}), Layout::OneLine);
    }
    for rule in RULES {
        session.io.say(&format!(
            "{}  {:<8} {:<28} {}\n",
            rule.code,
            rule.level.word(),
            rule.slug,
            rule.summary
        ));
    }
}

/// The page of a rule without the marks of Markdown, prose wrapped.
fn page(rule: &Rule, width: usize) -> String {
    let file = if rule.code.starts_with('P') { "connector.json" } else { "profile" };
    let mut text = format!("{} ({}) · {} · {file}\n", rule.slug, rule.code, rule.level.word());
    let mut in_code = false;
    // The page begins with a title, a blank line and the level with the file, which the first line has.
    for line in rule.page.lines().skip(3) {
        match line.strip_prefix("## ") {
            _ if line.starts_with("```") => in_code = !in_code,
            _ if in_code => text += &format!("  {line}\n"),
            Some(title) => text += &format!("{title}:\n"),
            None => text += &format!("{}\n", wrap(line, width)),
        }
    }
    text
}

fn record(rule: &Rule) -> serde_json::Value {
    json!({"code": rule.code, "slug": rule.slug, "level": rule.level.word(), "summary": rule.summary, "page": rule.page})
}

fn unknown(code: &str, session: &Session) -> Fault {
    let names = RULES.iter().flat_map(|rule| [rule.code, rule.slug]);
    let near = swapped(&code.to_uppercase())
        .or_else(|| nearest(&code.to_uppercase(), names.clone()))
        .or_else(|| nearest(code, names))
        .and_then(find);
    let all = format!("`{}` lists every code", session.brand.command("explain --all"));
    let hint = match near {
        Some(rule) => format!("did you mean {} ({})? {all}", rule.code, rule.slug),
        None => all,
    };
    Fault::usage("unknown_code", format!("no code `{code}`")).hint(hint)
}

/// The code with two neighbouring digits the other way round: codes are so alike that any other
/// slip has many of them near.
fn swapped(code: &str) -> Option<&'static str> {
    let mut letters: Vec<char> = code.chars().collect();
    let mut found = (1..letters.len().min(8)).filter_map(|at| {
        letters.swap(at - 1, at);
        let rule = find(&letters.iter().collect::<String>());
        letters.swap(at - 1, at);
        rule
    });
    found.next().filter(|_| found.next().is_none()).map(|rule| rule.code)
}
