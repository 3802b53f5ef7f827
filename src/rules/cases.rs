//! Contract cases: every read has one, and each may be called and can succeed.

use crate::diag::{Edit, Finding, table};
use crate::format::connector::{CapabilityBlock, CaseBlock, Document};
use crate::format::{Blank, Word};
use crate::model::{Need, Risk, Template};
use crate::source::View;

use super::lookup::Lookup;
use super::schemas::Compiled;
use super::{guess, listed, unfilled};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let named = document
        .capabilities
        .iter()
        .filter_map(|capability| Some((capability.name?.text, capability)));
    let capabilities: Lookup<'_, &CapabilityBlock<'_>> = named.collect();
    if !document.imported {
        uncovered(document, findings);
    }
    let mut schemas = Compiled::default();
    for case in &document.cases {
        let Some(name) = &case.capability else { continue };
        match capabilities.get(name.text) {
            Some(capability) => of(case, name, capability, &mut schemas, findings),
            // Without capabilities there is one mistake, and it is not here.
            None if document.capabilities.is_empty() => {}
            None => findings.push(unknown(name, document, findings.len())),
        }
        if case.keys.is_empty() && !document.imported {
            findings.push(without_keys(case, name));
        }
    }
}

fn risk(capability: &CapabilityBlock<'_>) -> Option<Risk> {
    Risk::parse(capability.risk?.text)
}

fn uncovered(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let covered: Lookup<'_> = document.cases.iter().filter_map(|case| Some(case.capability?.text)).collect();
    let reads = document
        .capabilities
        .iter()
        .filter(|capability| risk(capability) == Some(Risk::Read));
    let open = reads.filter_map(|capability| {
        capability
            .name
            .filter(|name| !covered.has(name.text))
            .map(|name| (name, capability))
    });
    findings.extend(open.map(|(name, capability)| without_case(&name, capability)));
}

fn without_case(name: &Word<'_>, capability: &CapabilityBlock<'_>) -> Finding {
    let args: Vec<String> = needed(capability)
        .iter()
        .take(7)
        .map(|argument| format!("\"{argument}\": …"))
        .collect();
    let kept = capability.result.iter().filter_map(|result| result.fields.as_ref()).flatten();
    let key = kept.map(|kept| kept.name).next().unwrap_or("id");
    Finding::new(
        &table::READ_WITHOUT_CASE,
        name.at(),
        format!("`{}` is a read without a contract case", name.text),
    )
    .label("no case calls it")
    .help(format!(
        "add {{\"capability\": \"{}\", \"args\": {{{}}}, \"keys\": [\"{key}\"]}}",
        name.text,
        args.join(", ")
    ))
}

/// The arguments that a call surely needs: the required ones, and without a schema those of the
/// path.
fn needed<'a>(capability: &'a CapabilityBlock<'_>) -> Vec<&'a str> {
    if let Some(schema) = capability.schema {
        let required = schema.get("required").into_iter().flat_map(View::items);
        return required.filter_map(View::as_str).collect();
    }
    let path = capability.request.iter().filter_map(|request| request.path.as_ref());
    path.flat_map(Blank::needs)
        .filter_map(|need| match need {
            Need::Argument(path) => Some(path.argument()),
            Need::Key(_) => None,
        })
        .collect()
}

fn unknown(name: &Word<'_>, document: &Document<'_>, found: usize) -> Finding {
    let names = || document.capabilities.iter().filter_map(|capability| Some(capability.name?.text));
    let message = format!("no capability `{}`", name.text);
    let finding = Finding::new(&table::CASE_OF_NOTHING, name.at(), message);
    match guess(found, name.text, names()) {
        Some(right) => finding.label(format!("did you mean `{right}`?")).fix(
            format!("write `{right}`"),
            vec![Edit {
                span: name.at(),
                text: format!("\"{right}\""),
            }],
        ),
        None => finding.help(format!("the capabilities are {}", listed(names()))),
    }
}

fn of(case: &CaseBlock<'_>, name: &Word<'_>, capability: &CapabilityBlock<'_>, schemas: &mut Compiled, findings: &mut Vec<Finding>) {
    if let Some(risk) = risk(capability).filter(|risk| *risk != Risk::Read) {
        let message = format!("a case calls `{}`, which is `{}`", name.text, risk.word());
        findings.push(
            Finding::new(&table::CASE_OF_CHANGE, name.at(), message)
                .related(capability.risk.map_or(name.at(), |risk| risk.at()), "its risk")
                .help("remove the case: cases may call only reads"),
        );
    }
    if let Some(args) = case.args {
        placeholders(args, findings);
    }
    impossible(case, capability, findings);
    findings.extend(schemas.arguments(case, name, capability));
}

/// `{{name}}` in the arguments of a case: a caller's arguments are no templates.
fn placeholders(view: View<'_>, findings: &mut Vec<Finding>) {
    if let Some(word) = Word::new(view) {
        let asks = Template::parse(word.text, word.at()).is_ok_and(|template| template.needs().next().is_some());
        findings.extend(asks.then(|| unfilled(&word, "the arguments of a case", "write a value that the service knows")));
    }
    view.items().for_each(|view| placeholders(view, findings));
    view.fields().for_each(|field| placeholders(field.value, findings));
}

fn without_keys(case: &CaseBlock<'_>, name: &Word<'_>) -> Finding {
    let place = case.view.get("keys").map_or(name.at(), |keys| keys.span());
    Finding::new(
        &table::CASE_WITHOUT_KEYS,
        place,
        format!("the case of `{}` looks at no key of the answer", name.text),
    )
    .help("name the keys that an answer must have")
}

/// Keys that `result.fields` drops.
fn impossible(case: &CaseBlock<'_>, capability: &CapabilityBlock<'_>, findings: &mut Vec<Finding>) {
    let result = capability.result.as_ref();
    let Some(kept) = result.and_then(|result| result.fields.as_ref()).filter(|kept| !kept.is_empty()) else {
        return;
    };
    let names = || kept.iter().map(|kept| kept.name);
    let known: Lookup<'_> = names().collect();
    for key in case.keys.iter().filter(|key| !known.has(key.text)) {
        let message = format!("`fields` keeps no `{}`", key.text);
        let finding = Finding::new(&table::IMPOSSIBLE_KEY, key.at(), message);
        let guess = guess(findings.len(), key.text, names());
        findings.push(match guess {
            Some(name) => finding.label(format!("did you mean `{name}`?")),
            None => finding.help(format!("it keeps {}", listed(names()))),
        });
    }
}
