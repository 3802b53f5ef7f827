//! `signature` against `schema`: two descriptions of the same arguments. A signature in a form of
//! its own is left alone.

use std::ops::Range;

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::connector::{CapabilityBlock, Document};

use super::lookup::Lookup;
use super::schemas::Properties;
use super::{guess, listed};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    for capability in &document.capabilities {
        of(capability, findings);
    }
}

fn of(capability: &CapabilityBlock<'_>, findings: &mut Vec<Finding>) {
    let (Some(word), Some(schema)) = (&capability.signature, capability.schema) else {
        return;
    };
    let Some(named) = arguments(word.text) else { return };
    let properties = Properties::of(schema);
    let declared: Lookup<'_> = properties.declared.iter().map(|field| field.key).collect();
    let mut written: Vec<&str> = named.iter().map(|place| &word.text[place.clone()]).collect();
    let mut strange = named
        .iter()
        .filter(|place| !properties.open && !declared.has(&word.text[(*place).clone()]));
    if let Some(first) = strange.next() {
        let names: Vec<&str> = std::iter::once(first)
            .chain(strange)
            .map(|place| &word.text[place.clone()])
            .collect();
        let right = guess(findings.len(), names[0], properties.declared.iter().map(|field| field.key));
        findings.push(only_signature(word, first.clone(), &names, right));
        written.extend(right);
    }
    let written: Lookup<'_> = written.into_iter().collect();
    let unsaid: Vec<&str> = properties
        .declared
        .iter()
        .map(|field| field.key)
        .filter(|name| !written.has(name))
        .collect();
    findings.extend((!unsaid.is_empty()).then(|| only_schema(word, &unsaid)));
}

fn only_signature(word: &Word<'_>, first: Range<usize>, names: &[&str], right: Option<&str>) -> Finding {
    let message = format!("`signature` has {}, which `schema` does not have", listed(names.iter().copied()));
    let finding = Finding::new(&table::SIGNATURE_DIFFERS, word.part(first), message);
    match right {
        Some(right) => finding.label(format!("did you mean `{right}`?")),
        None => finding.help("declare it in `schema`, or remove it here"),
    }
}

fn only_schema(word: &Word<'_>, names: &[&str]) -> Finding {
    let message = format!("`signature` does not have {}, which `schema` has", listed(names.iter().copied()));
    Finding::new(&table::SIGNATURE_DIFFERS, word.at(), message).help("add it: readers of the signature cannot know it")
}

/// The arguments of `name({a, b?, c: string})`; nothing for any other form.
fn arguments(signature: &str) -> Option<Vec<Range<usize>>> {
    let open = signature.find('(')? + 1;
    let close = signature.rfind(')').filter(|close| *close >= open)?;
    let inner = signature[open..close].trim();
    if inner.is_empty() {
        return Some(Vec::new());
    }
    let list = inner.strip_prefix('{')?.strip_suffix('}')?;
    let start = open + signature[open..].find('{')? + 1;
    let mut found = Vec::new();
    for part in parts(list) {
        let text = &list[part.clone()];
        if text.trim().is_empty() && part.end == list.len() {
            continue;
        }
        let name = name(text)?;
        found.push(start + part.start + name.start..start + part.start + name.end);
    }
    Some(found)
}

/// The stretches between commas that stand in no brackets.
fn parts(list: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' | b'[' | b'(' | b'<' => depth += 1,
            b'}' | b']' | b')' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..list.len());
    parts
}

/// The name that a part begins with, followed by nothing, `?`, `:` or `=`.
fn name(part: &str) -> Option<Range<usize>> {
    let start = part.len() - part.trim_start().len();
    if part[start..].starts_with(['.', '-']) {
        return None;
    }
    let length = part[start..]
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.$".contains(byte))
        .count();
    let rest = part[start + length..].trim_start();
    (length > 0 && (rest.is_empty() || rest.starts_with(['?', ':', '=']))).then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_where_the_form_is_known() {
        for (signature, expected) in [
            ("x.y({port})", Some(vec!["port"])),
            ("x.y({ a, b?, c: [string, number], d = 1 })", Some(vec!["a", "b", "c", "d"])),
            ("x.y({a?: {b, c}, })", Some(vec!["a"])),
            ("x.y()", Some(vec![])),
            ("x.y({})", Some(vec![])),
            ("x.y(port)", None),
            ("x.y({a, …})", None),
            ("x.y({a, ...rest})", None),
            ("gives the tides", None),
            ("x.y)(", None),
        ] {
            let found = arguments(signature).map(|found| found.into_iter().map(|place| &signature[place]).collect::<Vec<_>>());
            assert_eq!(found, expected, "{signature}");
        }
    }
}
