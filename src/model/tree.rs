//! A JSON body with templates for its strings. Keys of objects are never templates. Filling it is
//! `exec/plan`.

use serde_json::Value;

use super::Span;
use super::template::{ArgPath, Need, Template, TemplateError};
use crate::source::{Kind, View};

/// A JSON body with templates for its strings.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// Sent as written, its number text and a literal null included.
    Literal(Value),
    /// A string that is only one placeholder, blanks around it allowed: the argument with its type.
    Arg {
        path: ArgPath,
        at: Span,
    },
    /// A longer text, or one with a key.
    Text(Template),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

/// A broken template and where it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateFault {
    pub error: TemplateError,
    pub span: Span,
}

impl Tree {
    /// The tree of a value; every template in it gets the same place.
    pub fn from_value(value: &Value, at: Span) -> Result<Self, TemplateError> {
        Ok(match value {
            Value::String(text) => Self::from_text(text, at)?,
            Value::Array(items) => Self::List(items.iter().map(|value| Self::from_value(value, at)).collect::<Result<_, _>>()?),
            Value::Object(fields) => Self::Map(
                fields
                    .iter()
                    .map(|(key, value)| Ok((key.clone(), Self::from_value(value, at)?)))
                    .collect::<Result<_, TemplateError>>()?,
            ),
            _ => Self::Literal(value.clone()),
        })
    }

    /// The tree of a node of a document; every template in it has the place of its string. All
    /// broken ones are found in one go.
    pub fn from_view(view: View<'_>) -> Result<Self, Vec<TemplateFault>> {
        let mut faults = Vec::new();
        let tree = Self::read(view, &mut faults);
        if faults.is_empty() { Ok(tree) } else { Err(faults) }
    }

    fn read(view: View<'_>, faults: &mut Vec<TemplateFault>) -> Self {
        match view.kind() {
            Kind::List => Self::List(view.items().map(|view| Self::read(view, faults)).collect()),
            Kind::Map => Self::Map(
                view.fields()
                    .map(|field| (field.key.to_owned(), Self::read(field.value, faults)))
                    .collect(),
            ),
            Kind::String => Self::from_text(view.as_str().unwrap_or_default(), view.span()).unwrap_or_else(|error| {
                let span = error.span_in(view);
                faults.push(TemplateFault { error, span });
                Self::Literal(Value::Null)
            }),
            _ => Self::Literal(view.value()),
        }
    }

    fn from_text(text: &str, at: Span) -> Result<Self, TemplateError> {
        let template = Template::parse(text, at)?;
        Ok(match template.whole_argument() {
            Some(path) => Self::Arg { path: path.clone(), at },
            None if template.needs().next().is_none() => Self::Literal(text.into()),
            None => Self::Text(template),
        })
    }

    /// The JSON that an author would write for this tree.
    pub fn to_value(&self) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Arg { path, .. } => format!("{{{{{path}}}}}").into(),
            Self::Text(template) => template.to_string().into(),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Map(fields) => Value::Object(fields.iter().map(|(key, tree)| (key.clone(), tree.to_value())).collect()),
        }
    }

    /// The arguments and keys that the tree asks for, each with the place of its string.
    pub fn needs(&self) -> Vec<(Need<'_>, Span)> {
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Arg { path, at } => vec![(Need::Argument(path), *at)],
            Self::Text(template) => template.needs().map(|need| (need, template.at)).collect(),
            Self::List(items) => items.iter().flat_map(Self::needs).collect(),
            Self::Map(fields) => fields.iter().flat_map(|(_, tree)| tree.needs()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Limits, Source, parse_json};

    #[test]
    fn a_tree_knows_the_place_of_every_need() {
        let text = r#"{"a": ["{{x}}", 1.10, null], "{{k}}": " {{ o.id }} ", "t": "Bearer {{env.K}}"}"#;
        let doc = parse_json(Source::new("b", text), Limits::MANIFEST).unwrap();
        let tree = Tree::from_view(doc.root()).unwrap();
        let needs: Vec<_> = tree
            .needs()
            .into_iter()
            .map(|(need, at)| (need.to_string(), doc.source().slice(at)))
            .collect();
        assert_eq!(
            needs,
            [
                ("x".to_owned(), "\"{{x}}\""),
                ("o.id".to_owned(), "\" {{ o.id }} \""),
                ("env.K".to_owned(), "\"Bearer {{env.K}}\""),
            ]
        );
        assert_eq!(
            tree.to_value().to_string(),
            r#"{"a":["{{x}}",1.10,null],"{{k}}":"{{o.id}}","t":"Bearer {{env.K}}"}"#
        );
        assert_eq!(
            Tree::from_value(&tree.to_value(), Span::default()).unwrap().to_value(),
            tree.to_value()
        );
    }

    #[test]
    fn every_broken_template_is_found_at_its_place() {
        let text = r#"["{{first-name}}", {"a": "x {{"}, "\u0041{{9}}"]"#;
        let doc = parse_json(Source::new("b", text), Limits::MANIFEST).unwrap();
        let faults = Tree::from_view(doc.root()).unwrap_err();
        let places: Vec<_> = faults.iter().map(|fault| doc.source().slice(fault.span)).collect();
        assert_eq!(places, ["{{first-name}}", "{{", "\"\\u0041{{9}}\""]);
    }
}
