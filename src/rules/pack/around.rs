//! The profile around the `api` block, as far as it names the block's tools; its other shapes are
//! passed through unread.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::pack::{ApiBlock, Profile};
use crate::rules::listed;
use crate::source::{Kind, View};

/// Sections whose entries name a tool.
const SECTIONS: [&str; 4] = ["card", "monitors", "reports", "autopilot_answers"];

pub(super) fn check(profile: &Profile<'_>, api: &ApiBlock<'_>, findings: &mut Vec<Finding>) {
    if profile.root.kind() != Kind::Map {
        return;
    }
    for role in profile.root.get("roles").into_iter().flat_map(View::fields) {
        let Some(tool) = Word::new(role.value) else { continue };
        let message = format!("the role `{}` names a tool that `api` does not have", role.key.escape_debug());
        findings.extend(unknown(&tool, api, message, Which::Role));
    }
    let lookup = profile.root.get("account").and_then(|account| account.get("lookup"));
    if let Some(tool) = lookup.and_then(|lookup| lookup.get("tool")).and_then(Word::new) {
        let message = "the lookup of `account` names a tool that `api` does not have".to_owned();
        findings.extend(unknown(&tool, api, message, Which::Role));
        findings.extend(lookup.into_iter().flat_map(|lookup| looked_up(&tool, lookup, api)));
    }
    for section in SECTIONS {
        let entries = profile.root.get(section).into_iter().flat_map(View::items);
        entries.for_each(|entry| shown(section, entry, api, findings));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Role,
    Entry,
}

fn unknown(tool: &Word<'_>, api: &ApiBlock<'_>, message: String, which: Which) -> Option<Finding> {
    let names = || api.tools.iter().map(|tool| tool.name);
    let rule = match which {
        Which::Role => &table::ROLE_WITHOUT_TOOL,
        Which::Entry => &table::ENTRY_WITHOUT_TOOL,
    };
    names().all(|name| name != tool.text).then(|| {
        Finding::new(rule, tool.at(), message)
            .label(format!("no tool `{}`", tool.short().escape_debug()))
            .help(format!("the tools are: {}", listed(names())))
    })
}

/// `arg` is a parameter of the find tool; `id` and `label` are what it returns.
fn looked_up(tool: &Word<'_>, lookup: View<'_>, api: &ApiBlock<'_>) -> Vec<Finding> {
    let Some(block) = api.tools.iter().find(|block| block.name == tool.text) else {
        return Vec::new();
    };
    let returned: Vec<&str> = block.kept().map(|(name, _)| name).collect();
    let params: Vec<&str> = block.params.iter().map(|param| param.name).collect();
    let odd = |key: &str, names: &[&str], what: &str| {
        let word = lookup.get(key).and_then(Word::new).filter(|word| !names.contains(&word.text))?;
        let message = format!("`{}` {what} no `{}`", block.name, word.short().escape_debug());
        Some(Finding::new(&table::ODD_ENTRY, word.at(), message).help(format!("it has {}", listed(names.iter().copied()))))
    };
    [
        odd("arg", &params, "takes"),
        odd("id", &returned, "returns"),
        odd("label", &returned, "returns"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The tool of an entry, and the fields that it shows.
fn shown(section: &str, entry: View<'_>, api: &ApiBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(tool) = entry.get("tool").and_then(Word::new) else {
        return;
    };
    let message = format!("`{section}` names a tool that `api` does not have");
    findings.extend(unknown(&tool, api, message, Which::Entry));
    let Some(block) = api.tools.iter().find(|block| block.name == tool.text) else {
        return;
    };
    let returned: Vec<&str> = block.kept().map(|(name, _)| name).collect();
    for key in ["show", "field"] {
        let Some(view) = entry.get(key) else { continue };
        let words = Word::new(view).into_iter().chain(view.items().filter_map(Word::new));
        findings.extend(words.filter(|word| !returned.contains(&word.text)).map(|word| {
            let message = format!("`{}` returns no `{}`", block.name, word.short().escape_debug());
            Finding::new(&table::ODD_ENTRY, word.at(), message).help(format!("it returns {}", listed(returned.iter().copied())))
        }));
    }
}
