//! Names: of the connector, its capabilities and their tools, and of keys.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::diag::{Edit, Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, Document};
use crate::keys::{is_connector, is_variable};
use crate::model::credential;

/// Names that the released host has itself, one a line; families follow the line `families`.
const BUILT_IN: &str = include_str!("built_in.txt");

/// The longest name that a connector has.
const LONGEST: usize = 31;

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let wrong = document.name.as_ref().and_then(connector);
    // What a wrong name should begin is not known.
    let family = document.name.as_ref().filter(|_| wrong.is_none());
    findings.extend(wrong);
    for capability in &document.capabilities {
        findings.extend(capability.name.and_then(|name| capability_name(&name, family)));
    }
    built_in(document, findings);
    repeated(document, findings);
    keys(document, findings);
}

fn connector(name: &Word<'_>) -> Option<Finding> {
    let text = name.text;
    if is_connector(text) {
        return None;
    }
    let finding = Finding::new(
        &table::BAD_CONNECTOR_NAME,
        name.at(),
        "a connector name is 2 to 31 lowercase letters and digits, starting with a letter",
    );
    let is_key = !credential::tokens(text).is_empty();
    Some(match tamed(text).filter(|_| !is_key) {
        Some(better) => finding.help(format!("try `{better}`")),
        None => finding,
    })
}

/// The name without what it may not have.
fn tamed(text: &str) -> Option<String> {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    let better: String = letters.map(|letter| letter.to_ascii_lowercase()).take(31).collect();
    let better = better.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (better.len() >= 2 && text.len() <= 40).then(|| better.to_owned())
}

fn capability_name(name: &Word<'_>, connector: Option<&Word<'_>>) -> Option<Finding> {
    let bad = |message: String| Finding::new(&table::BAD_CAPABILITY_NAME, name.at(), message);
    let (family, method) = match name.text.split_once('.') {
        Some((family, method)) if !method.contains('.') => (family, method),
        Some(_) => return Some(bad(format!("`{}` has more than one dot", name.text)).help("keep one dot, after the connector's name")),
        None => return Some(no_family(name, connector)),
    };
    if let Some(connector) = connector.filter(|connector| connector.text != family) {
        let message = format!("`{}` does not start with `{}.`", name.text, connector.short());
        return Some(bad(message).help(format!("name it `{}.{method}`", connector.short())));
    }
    if method.is_empty() {
        return Some(bad(format!("`{}` has nothing after the dot", name.text)).help("say what it gives or does, as in `books.search`"));
    }
    let usual = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    (!method.bytes().all(usual)).then(|| {
        let message = format!("`{}` has something other than letters, digits, `_` and `-`", name.text);
        Finding::new(&table::ODD_CAPABILITY_NAME, name.at(), message)
            .help("use letters, digits and `_`: assistants refuse other tool names")
    })
}

fn no_family(name: &Word<'_>, connector: Option<&Word<'_>>) -> Finding {
    let message = format!("`{}` has no dot", name.text);
    let finding = Finding::new(&table::BAD_CAPABILITY_NAME, name.at(), message);
    let Some(connector) = connector.filter(|connector| !name.text.is_empty() && connector.text.len() <= LONGEST) else {
        return finding.help("name it `<connector>.<method>`");
    };
    let better = format!("{}.{}", connector.short(), name.text);
    let edit = Edit {
        span: name.part(0..0),
        text: format!("{}.", connector.short()),
    };
    finding
        .help(format!("name it `{better}`"))
        .fix(format!("name it `{better}`"), vec![edit])
}

/// Exact names first, then families.
static BUILT_IN_NAMES: LazyLock<(Vec<&str>, Vec<&str>)> = LazyLock::new(|| {
    let (names, families) = BUILT_IN.split_once("families\n").unwrap_or((BUILT_IN, ""));
    let lines = |text: &'static str| text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    (lines(names), lines(families))
});

fn built_in(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let Some(name) = &document.name else { return };
    let (exact, families) = &*BUILT_IN_NAMES;
    let exact: Vec<_> = exact
        .iter()
        .copied()
        .filter(|exact| exact.strip_prefix(name.text).is_some_and(|rest| rest.starts_with('.')))
        .collect();
    let taken = document.capabilities.iter().filter_map(|capability| capability.name.as_ref());
    let before = findings.len();
    findings.extend(taken.filter(|name| exact.contains(&name.text)).map(shadowing));
    if findings.len() == before && families.contains(&name.text) {
        findings.push(
            Finding::new(
                &table::BUILT_IN_FAMILY,
                name.at(),
                format!("the host may have capabilities named `{}.…` itself", name.text),
            )
            .help("choose another name, for example one with the service's own name"),
        );
    }
}

fn shadowing(name: &Word<'_>) -> Finding {
    Finding::new(
        &table::BUILT_IN_NAME,
        name.at(),
        format!("`{}` is a capability of the host itself", name.text),
    )
    .help("give the connector another name")
}

/// What a capability is called by assistants.
fn tool(capability: &CapabilityBlock<'_>) -> Option<String> {
    match &capability.tool {
        Some(tool) => Some(tool.text.to_owned()),
        None => Some(capability.name?.text.replacen('.', "_", 1)),
    }
}

fn repeated(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let mut names = HashMap::with_capacity(document.capabilities.len());
    let mut tools = HashMap::with_capacity(document.capabilities.len());
    for capability in &document.capabilities {
        let Some(name) = capability.name else { continue };
        if let Some(first) = names.insert(name.text, name) {
            findings.push(twice(&name, &first, &format!("`{}` is declared twice", name.text)));
            continue;
        }
        let word = capability.tool.unwrap_or(name);
        let Some(tool) = tool(capability) else { continue };
        if let Some(first) = tools.insert(tool.clone(), word) {
            findings.push(twice(&word, &first, &format!("two capabilities have the tool `{tool}`")));
        }
    }
}

fn twice(name: &Word<'_>, first: &Word<'_>, message: &str) -> Finding {
    Finding::new(&table::REPEATED_NAME, name.at(), message)
        .related(first.at(), "the first one")
        .help("rename one of them")
}

fn keys(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let mut seen = HashMap::new();
    for key in &document.env {
        findings.extend(key_name(key));
        if let Some(first) = seen.insert(key.text, key.at()) {
            findings.push(
                Finding::new(&table::REPEATED_KEY, key.at(), format!("`{}` is declared twice", key.text))
                    .related(first, "the first one")
                    .help("remove one of them"),
            );
        }
    }
}

fn key_name(key: &Word<'_>) -> Option<Finding> {
    (!is_variable(key.text)).then(|| {
        let message = "a key is named in upper-case letters, digits and `_`, starting with a letter";
        let finding = Finding::new(&table::BAD_KEY_NAME, key.at(), message);
        let better = key.text.to_ascii_uppercase().replace(['-', '.', ' '], "_");
        let better = better.trim_start_matches('_');
        let is_key = !credential::tokens(key.text).is_empty();
        if is_variable(better) && better.len() <= 64 && !is_key {
            finding.help(format!("name it `{better}`"))
        } else {
            finding
        }
    })
}
