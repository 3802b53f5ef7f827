//! The keywords of a JSON Schema (2020-12, and what draft-07 wrote differently): what kind of value
//! each has. Unknown keywords are allowed, as the standard says.

use crate::diag::{Edit, Finding, table};
use crate::model::nearest;
use crate::source::{Kind, View};

use super::super::listed;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

pub(super) fn check(schema: View<'_>, findings: &mut Vec<Finding>) {
    if schema.kind() == Kind::Map
        && let Some(kind) = schema.get("type")
        && kind.as_str().is_some_and(|kind| kind != "object" && TYPES.contains(&kind))
    {
        findings.push(bad(
            kind,
            "the arguments of a call are an object".into(),
            "write \"type\": \"object\"",
        ));
    }
    subschema(schema, schema, findings);
}

fn bad(view: View<'_>, message: String, help: &str) -> Finding {
    Finding::new(&table::BAD_SCHEMA, view.span(), message).help(help)
}

fn expected(name: &str, wanted: &str, view: View<'_>) -> Finding {
    let found = view.kind().words();
    Finding::new(
        &table::BAD_SCHEMA,
        view.span(),
        format!("`{name}`: expected {wanted}, found {found}"),
    )
}

/// Depth is bounded by the reader of the file.
fn subschema(schema: View<'_>, root: View<'_>, findings: &mut Vec<Finding>) {
    match schema.kind() {
        Kind::Bool => return,
        Kind::Map => {}
        other => {
            let message = format!("a schema is an object or a boolean, not {}", other.words());
            findings.push(bad(schema, message, "write {} to allow anything"));
            return;
        }
    }
    for field in schema.fields() {
        keyword(field.key, field.value, root, findings);
    }
}

fn keyword(name: &str, value: View<'_>, root: View<'_>, findings: &mut Vec<Finding>) {
    match name {
        "type" => kind(value, findings),
        "properties" | "$defs" | "definitions" | "dependentSchemas" => named(name, value, root, findings),
        "patternProperties" => {
            named(name, value, root, findings);
            findings.extend(value.fields().filter_map(|field| costly(field.key, field.key_span)));
        }
        "items" if value.kind() == Kind::List => value.items().for_each(|view| subschema(view, root, findings)),
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contains"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else" => subschema(value, root, findings),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => parts(name, value, root, findings),
        "required" => names(name, value, findings),
        "enum" if value.kind() != Kind::List => findings.push(expected(name, "an array", value)),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains" | "maxContains" => {
            findings.extend(whole(name, value));
        }
        "minimum" | "maximum" | "multipleOf" if value.kind() != Kind::Number => findings.push(expected(name, "a number", value)),
        "exclusiveMinimum" | "exclusiveMaximum" if value.kind() != Kind::Number => findings.push(exclusive(name, value)),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" if value.kind() != Kind::Bool => {
            findings.push(expected(name, "true or false", value));
        }
        "pattern" => pattern(value, findings),
        "$ref" | "$dynamicRef" => reference(name, value, root, findings),
        "title" | "description" | "format" | "$comment" | "$id" | "$anchor" | "$schema" if value.kind() != Kind::String => {
            findings.push(expected(name, "a string", value));
        }
        _ => {}
    }
}

fn kind(value: View<'_>, findings: &mut Vec<Finding>) {
    if !matches!(value.kind(), Kind::String | Kind::List) {
        findings.push(expected("type", "a string or an array", value));
        return;
    }
    let words = value.items().chain((value.kind() == Kind::String).then_some(value));
    for view in words {
        let Some(word) = view.as_str() else {
            findings.push(expected("type", "a string", view));
            continue;
        };
        if TYPES.contains(&word) {
            continue;
        }
        let finding = Finding::new(&table::BAD_SCHEMA, view.span(), format!("`{word}` is not a type"));
        findings.push(match guess(word) {
            Some(right) => finding.label(format!("did you mean `{right}`?")).fix(
                format!("write `{right}`"),
                vec![Edit {
                    span: view.span(),
                    text: format!("\"{right}\""),
                }],
            ),
            None => finding.help(format!("choose one of {}", listed(TYPES))),
        });
    }
}

/// Types as other languages name them, or a slip.
fn guess(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "int" | "long" => Some("integer"),
        "float" | "double" | "decimal" => Some("number"),
        "bool" => Some("boolean"),
        "str" | "text" => Some("string"),
        "list" => Some("array"),
        "map" | "dict" => Some("object"),
        _ => nearest(word, TYPES),
    }
}

fn named(name: &str, value: View<'_>, root: View<'_>, findings: &mut Vec<Finding>) {
    if value.kind() != Kind::Map {
        findings.push(expected(name, "an object", value));
    }
    value.fields().for_each(|field| subschema(field.value, root, findings));
}

fn parts(name: &str, value: View<'_>, root: View<'_>, findings: &mut Vec<Finding>) {
    if value.kind() != Kind::List {
        findings.push(expected(name, "an array of schemas", value));
    } else if value.items().len() == 0 {
        findings.push(bad(value, format!("`{name}` is empty"), "write at least one schema, or remove it"));
    }
    value.items().for_each(|view| subschema(view, root, findings));
}

fn names(name: &str, value: View<'_>, findings: &mut Vec<Finding>) {
    if value.kind() == Kind::Bool {
        let help = "list the required arguments beside `properties`: \"required\": [\"query\"]";
        findings.push(bad(value, format!("`{name}` is a list of names"), help));
        return;
    }
    if value.kind() != Kind::List {
        findings.push(expected(name, "an array of strings", value));
    }
    let wrong = value.items().filter(|view| view.kind() != Kind::String);
    findings.extend(wrong.map(|view| expected(name, "a string", view)));
}

fn whole(name: &str, value: View<'_>) -> Option<Finding> {
    let Some(text) = value.as_number() else {
        return Some(expected(name, "a whole number", value));
    };
    let digits = text.split('.').next().unwrap_or_default();
    let right =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && text.split('.').skip(1).all(|rest| rest.bytes().all(|byte| byte == b'0'));
    let exponent = text.contains(['e', 'E']) && !text.starts_with('-');
    (!right && !exponent).then(|| {
        bad(
            value,
            format!("`{name}` is `{text}`, not a whole number from 0"),
            "write a whole number",
        )
    })
}

fn exclusive(name: &str, value: View<'_>) -> Finding {
    let finding = expected(name, "a number", value);
    match value.kind() {
        Kind::Bool => finding.help(format!("write the bound itself: `{name}` was a boolean only before draft 6")),
        _ => finding,
    }
}

fn pattern(value: View<'_>, findings: &mut Vec<Finding>) {
    match value.as_str() {
        Some(text) => findings.extend(costly(text, value.span())),
        None => findings.push(expected("pattern", "a string", value)),
    }
}

/// Lookaround and backreferences: what makes a pattern more than linear.
fn costly(pattern: &str, at: crate::source::Span) -> Option<Finding> {
    let around = ["(?=", "(?!", "(?<=", "(?<!"].into_iter().find(|around| pattern.contains(around));
    let back = pattern
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'\\' && (b'1'..=b'9').contains(&pair[1]));
    let what = around.map(|_| "lookaround").or(back.then_some("a backreference"))?;
    let message = format!("the pattern has {what}, which can take very long");
    Some(Finding::new(&table::COSTLY_PATTERN, at, message).help("write it without, or check the value in the service"))
}

fn reference(name: &str, value: View<'_>, root: View<'_>, findings: &mut Vec<Finding>) {
    let Some(text) = value.as_str() else {
        findings.push(expected(name, "a string", value));
        return;
    };
    let Some(pointer) = text.strip_prefix('#') else {
        let message = format!("`{text}` is outside this schema, and nothing is fetched");
        findings.push(bad(
            value,
            message,
            "copy what it names into `$defs` and refer to it with `#/$defs/…`",
        ));
        return;
    };
    let is_pointer = pointer.is_empty() || pointer.starts_with('/');
    if name == "$ref" && is_pointer && root.at(pointer).is_none() {
        findings.push(bad(
            value,
            format!("`{text}` is not in this schema"),
            "name something under `$defs`",
        ));
    }
}
