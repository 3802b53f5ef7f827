//! The query as ordered pairs: the base's as written, then the connector's, then the request's. A
//! later parameter that has a value takes the place of an earlier one with its name.

use serde_json::Value;

use super::encode::percent;
use super::error::Place;
use super::fill::Fill;
use super::{KeyForm, Piece, PlanError, QueryPair};
use crate::model::{ArgPath, Base, Each, Http, Parameter, Request, Style, Template, text_form};

/// The pairs of one parameter under its decoded name.
struct Group {
    name: String,
    pairs: Vec<QueryPair>,
}

pub(super) fn query(fill: &Fill<'_>, http: &Http, request: &Request) -> Result<Vec<QueryPair>, PlanError> {
    let mut groups = base_groups(&http.base);
    for parameter in http.query.iter().chain(&request.query) {
        let pairs = pairs(fill, parameter)?;
        if pairs.is_empty() {
            continue;
        }
        let name = parameter.name.clone();
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.pairs = pairs,
            None => groups.push(Group { name, pairs }),
        }
    }
    Ok(groups.into_iter().flat_map(|group| group.pairs).collect())
}

/// The base's query as written, but for a name without `=`, which gets one.
fn base_groups(base: &Base) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for written in base.query.iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty()) {
        let (raw, value) = written.split_once('=').unwrap_or((written, ""));
        let name = url::form_urlencoded::parse(raw.as_bytes())
            .next()
            .map_or_else(String::new, |(name, _)| name.into_owned());
        let pair = QueryPair {
            name: raw.to_owned(),
            value: text(value),
            at: base.at,
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.pairs.push(pair),
            None => groups.push(Group { name, pairs: vec![pair] }),
        }
    }
    groups
}

/// What one parameter sends: nothing when its argument or key is missing or its text is empty.
fn pairs(fill: &Fill<'_>, parameter: &Parameter) -> Result<Vec<QueryPair>, PlanError> {
    let one = |template: &Template| fill.text(template, KeyForm::Query).unwrap_or_default();
    let name = percent(&parameter.name);
    let values = match &parameter.value {
        // A blank that the manifest itself writes is sent: `?public=`.
        Each::One(template) if template.slots.is_empty() => {
            return Ok(vec![QueryPair {
                name,
                value: Vec::new(),
                at: parameter.at,
            }]);
        }
        Each::One(template) => vec![one(template)],
        Each::Every(templates) => templates
            .iter()
            .flat_map(|template| match list(fill, template) {
                Some(items) => items.iter().map(|item| text(&percent(&scalar_text(item)))).collect(),
                None => vec![one(template)],
            })
            .collect(),
        Each::Styled(template, style) => match template.whole_argument() {
            None => vec![one(template)],
            Some(path) => match (fill.argument(path), style) {
                (None, _) => Vec::new(),
                (Some(value), Style::DeepObject) => return bracketed(path, parameter, value),
                (Some(value), style) => vec![text(&joined(path, value, *style)?)],
            },
        },
    };
    Ok(values
        .into_iter()
        .filter(|value| !value.is_empty())
        .map(|value| QueryPair {
            name: name.clone(),
            value,
            at: parameter.at,
        })
        .collect())
}

fn list<'a>(fill: &Fill<'a>, template: &Template) -> Option<&'a Vec<Value>> {
    fill.argument(template.whole_argument()?)?.as_array()
}

fn text(text: &str) -> Vec<Piece> {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![Piece::Text(text.to_owned())]
    }
}

/// A null in a list counts as not given.
fn scalar_text(value: &Value) -> String {
    if value.is_null() { String::new() } else { text_form(value) }
}

/// Values joined by a delimiter that is not encoded, while one inside a value is. An object gives
/// name, value, name, value.
fn joined(argument: &ArgPath, value: &Value, style: Style) -> Result<String, PlanError> {
    let texts: Vec<String> = match value {
        Value::Array(items) => items.iter().filter(|item| !item.is_null()).map(text_form).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .flat_map(|(name, value)| [name.clone(), text_form(value)])
            .collect(),
        _ => vec![text_form(value)],
    };
    let delimiter = match style {
        Style::Pipe => "|",
        Style::Space => "%20",
        Style::Comma | Style::DeepObject => ",",
    };
    if style == Style::Space && texts.iter().any(|text| text.contains(' ')) {
        return Err(PlanError::BlankInside {
            argument: argument.clone(),
        });
    }
    Ok(texts.iter().map(|text| percent(text)).collect::<Vec<_>>().join(delimiter))
}

/// `name[field]=value`, nested as the value is; a list gives `name[]=value` for each item.
fn bracketed(argument: &ArgPath, parameter: &Parameter, value: &Value) -> Result<Vec<QueryPair>, PlanError> {
    let mut named = Vec::new();
    brackets(argument, parameter.name.clone(), value, &mut named)?;
    let pair = |(name, value): (String, String)| QueryPair {
        name: percent(&name),
        value: text(&percent(&value)),
        at: parameter.at,
    };
    Ok(named.into_iter().map(pair).filter(|pair| !pair.value.is_empty()).collect())
}

fn brackets(argument: &ArgPath, name: String, value: &Value, named: &mut Vec<(String, String)>) -> Result<(), PlanError> {
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(field, value)| {
            if field.is_empty() || field.contains(['[', ']']) {
                return Err(PlanError::FieldName {
                    argument: argument.clone(),
                });
            }
            brackets(argument, format!("{name}[{field}]"), value, named)
        }),
        Value::Array(items) if items.iter().any(|item| item.is_array() || item.is_object()) => Err(PlanError::NotAScalar {
            argument: argument.clone(),
            kind: "a list of lists or objects",
            place: Place::Bracket,
        }),
        Value::Array(items) => {
            named.extend(items.iter().map(|item| (format!("{name}[]"), scalar_text(item))));
            Ok(())
        }
        _ => {
            named.push((name, scalar_text(value)));
            Ok(())
        }
    }
}
