//! Arguments: what templates use against what `schema` declares, both ways.

use std::ops::Range;

use crate::diag::{Finding, table};
use crate::format::Blank;
use crate::format::connector::{Document, Place, QueryForm, RequestBlock};
use crate::model::{ArgPath, Need, credential};
use crate::source::{Span, View};

use super::lookup::Lookup;
use super::schemas::{Properties, shape};
use super::{guess, listed};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let shared: Vec<&Blank<'_>> = document
        .http
        .iter()
        .flat_map(|http| http.blanks())
        .map(|(_, blank)| blank)
        .collect();
    let everywhere: Lookup<'_> = shared
        .iter()
        .flat_map(|blank| arguments(blank))
        .map(|(_, path)| path.argument())
        .collect();
    let mut declared = Vec::new();
    for capability in &document.capabilities {
        let (Some(request), Some(schema)) = (&capability.request, capability.schema) else {
            continue;
        };
        let properties = Properties::of(schema);
        let meant = undeclared(request, &properties, findings);
        unused(request, &properties, &[&everywhere, &meant], findings);
        optional(request, schema, &properties, findings);
        nowhere_declared(schema, &properties, findings);
        lists(request, &properties, findings);
        declared.push(properties);
    }
    nowhere(document, &shared, &declared, findings);
}

/// The arguments of a text, each with the bytes of its placeholder.
fn arguments<'b>(blank: &'b Blank<'_>) -> impl Iterator<Item = (Range<usize>, &'b ArgPath)> {
    blank.asked().filter_map(|(need, range)| match need {
        Need::Argument(path) => Some((range, path)),
        Need::Key(_) => None,
    })
}

/// Findings for what templates use and `schema` does not have; gives back what was meant.
fn undeclared<'d>(request: &RequestBlock<'_>, properties: &Properties<'d>, findings: &mut Vec<Finding>) -> Lookup<'d> {
    let mut meant = Vec::new();
    for (_, blank) in request.blanks() {
        for (range, path) in arguments(blank) {
            if let Err(missing) = properties.find(path) {
                let place = blank.word.part(range);
                let right = guess(findings.len(), &missing.name, missing.choices.iter().copied());
                meant.extend(right);
                findings.push(not_declared(place, &missing.name, &missing.choices, right));
            }
        }
    }
    meant.into_iter().collect()
}

fn not_declared(place: Span, name: &str, choices: &[&str], right: Option<&str>) -> Finding {
    let message = format!("`schema` has no argument `{name}`");
    let finding = Finding::new(&table::UNDECLARED_ARGUMENT, place, message);
    match right {
        Some(right) => finding.label(format!("did you mean `{right}`?")),
        None if choices.is_empty() => finding.help("declare it in `properties`"),
        None => finding.help(format!("declare it in `properties`, which has {}", listed(choices.iter().copied()))),
    }
}

/// Arguments that no template uses, but for those that were meant by a misspelt one.
fn unused(request: &RequestBlock<'_>, properties: &Properties<'_>, others: &[&Lookup<'_>], findings: &mut Vec<Finding>) {
    let own: Lookup<'_> = request
        .blanks()
        .flat_map(|(_, blank)| arguments(blank))
        .map(|(_, path)| path.argument())
        .collect();
    let idle = properties
        .declared
        .iter()
        .filter(|field| !own.has(field.key) && others.iter().all(|other| !other.has(field.key)));
    findings.extend(idle.map(|field| {
        Finding::new(
            &table::UNUSED_ARGUMENT,
            field.key_span,
            format!("no template uses the argument `{}`", field.key),
        )
        .help(format!("write `{{{{{}}}}}` where it goes, or remove it", field.key))
    }));
}

/// Arguments of the path that a caller may leave out.
fn optional(request: &RequestBlock<'_>, schema: View<'_>, properties: &Properties<'_>, findings: &mut Vec<Finding>) {
    let Some(blank) = &request.path else { return };
    let is_free = |name: &str| properties.has(name) && !properties.requires(name);
    let free = arguments(blank).filter(|(_, path)| is_free(path.argument()));
    findings.extend(free.map(|(range, path)| {
        let name = path.argument();
        let help = match schema.get("required") {
            Some(_) => format!("add \"{name}\" to `required`"),
            None => format!("add \"required\": [\"{name}\"] to `schema`"),
        };
        let message = format!("the path needs `{name}`, which `schema` does not require");
        Finding::new(&table::OPTIONAL_IN_PATH, blank.word.part(range), message).help(help)
    }));
}

/// Arguments that must be given and cannot be.
fn nowhere_declared(schema: View<'_>, properties: &Properties<'_>, findings: &mut Vec<Finding>) {
    if properties.open {
        return;
    }
    let required = schema.get("required").into_iter().flat_map(View::items);
    for item in required {
        let Some(name) = item.as_str().filter(|name| !properties.has(name)) else {
            continue;
        };
        let choices = properties
            .declared
            .iter()
            .map(|field| field.key)
            .filter(|key| !properties.requires(key));
        let finding = Finding::new(
            &table::REQUIRED_NOWHERE,
            item.span(),
            format!("`schema` requires `{}` and has no such argument", credential::masked(name)),
        );
        findings.push(match guess(findings.len(), name, choices) {
            Some(right) => finding.label(format!("did you mean `{right}`?")),
            None => finding.help("describe it in `properties`, or require it no more"),
        });
    }
}

/// An argument of `http` that no capability declares.
fn nowhere(document: &Document<'_>, shared: &[&Blank<'_>], declared: &[Properties<'_>], findings: &mut Vec<Finding>) {
    let known = declared.len() == document.capabilities.len() && declared.iter().all(|properties| !properties.open);
    if !known || declared.is_empty() {
        return;
    }
    let names: Lookup<'_> = declared
        .iter()
        .flat_map(|properties| &properties.declared)
        .map(|field| field.key)
        .collect();
    for blank in shared {
        for (range, path) in arguments(blank).filter(|(_, path)| !names.has(path.argument())) {
            findings.push(not_declared(blank.word.part(range), path.argument(), &[], None));
        }
    }
}

fn lists(request: &RequestBlock<'_>, properties: &Properties<'_>, findings: &mut Vec<Finding>) {
    for entry in &request.query {
        if let QueryForm::One(blank) = &entry.form {
            // Whether a JSON text is meant, only the service's documentation says.
            let extension = |kind: &str| match kind {
                "an object" => "leave it if the service reads JSON here; a `style` writes other forms (beyond-host)".to_owned(),
                _ => format!(
                    "leave it if the service reads JSON here; for one pair for each entry write `\"{}\": [{}]` (beyond-host)",
                    entry.name,
                    quoted(blank)
                ),
            };
            findings.extend(many(blank, properties, "one text of JSON", extension));
        }
    }
    for (place, blank) in request.blanks() {
        let form = request.form_kind().is_some();
        findings.extend(match place {
            Place::Path | Place::Header => many(blank, properties, "an error: it takes one value", |_| {
                "declare one value".to_owned()
            }),
            Place::Body if form => {
                let help = "declare one value, or send the body as JSON";
                many(blank, properties, "one text of JSON", |_| help.to_owned())
            }
            _ => None,
        });
    }
}

fn quoted(blank: &Blank<'_>) -> String {
    let text: String = credential::masked(blank.word.text).chars().take(60).collect();
    format!("\"{}\"", text.escape_debug())
}

/// The first argument of a text that is declared as a list or an object.
fn many(blank: &Blank<'_>, properties: &Properties<'_>, becomes: &str, help: impl Fn(&str) -> String) -> Option<Finding> {
    arguments(blank).find_map(|(range, path)| {
        let schema: View<'_> = properties.find(path).ok()??;
        let kind = shape(schema)?;
        let message = format!("`{path}` is {kind}, which becomes {becomes}");
        Some(Finding::new(&table::LIST_AS_TEXT, blank.word.part(range), message).help(help(kind)))
    })
}
