//! `explain`: what a rule means.

use serde_json::json;

use super::args::Explain;
use super::exit::Exit;
use super::fault::Fault;
use super::{Ending, Session};
use crate::diag::Rule;
use crate::diag::table::{ALL as RULES, find};
use crate::model::nearest;

pub(super) fn run(args: &Explain, session: &Session) -> Ending {
    let Some(code) = &args.code else {
        list(args.json, session);
        return Ok(Exit::Success);
    };
    let rule = find(code).ok_or_else(|| unknown(code, session))?;
    if args.json {
        session.io.out(&format!("{}\n", record(rule)));
    } else {
        session.io.say(rule.page);
    }
    Ok(Exit::Success)
}

fn list(as_json: bool, session: &Session) {
    if as_json {
        let rules: Vec<_> = RULES.iter().copied().map(record).collect();
        return session.io.out(&format!("{}\n", json!({"version": 1, "rules": rules})));
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

fn record(rule: &Rule) -> serde_json::Value {
    json!({"code": rule.code, "slug": rule.slug, "level": rule.level.word(), "summary": rule.summary, "page": rule.page})
}

fn unknown(code: &str, session: &Session) -> Fault {
    let names = RULES.iter().flat_map(|rule| [rule.code, rule.slug]);
    let near = nearest(&code.to_uppercase(), names.clone())
        .or_else(|| nearest(code, names))
        .and_then(find);
    let all = format!("`{}` lists every code", session.brand.command("explain --all"));
    let hint = match near {
        Some(rule) => format!("did you mean {} ({})? {all}", rule.code, rule.slug),
        None => all,
    };
    Fault::usage("unknown_code", format!("no code `{code}`")).hint(hint)
}
