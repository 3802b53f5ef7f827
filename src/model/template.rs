//! Templates: text with `{{argument}}` and `{{env.KEY}}` in it, parsed once into slots. What fills
//! a slot is data; it is never read as a template again.

use serde_json::{Map, Value};

use super::Span;
use crate::source::View;

/// A dot path into the arguments: `owner.id`, `ids.0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArgPath(pub Vec<String>);

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    Literal(String),
    Arg(ArgPath),
    Key(String),
}

/// What a slot asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need<'t> {
    Argument(&'t ArgPath),
    Key(&'t str),
}

/// A text with slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub slots: Vec<Slot>,
    pub at: Span,
}

/// What is wrong with a placeholder. The offsets are bytes of the text that was parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("`{{{{` has no `}}}}`")]
    Unclosed { start: usize },
    #[error("`{text}` is not a placeholder")]
    NotAName { start: usize, end: usize, text: String },
}

impl ArgPath {
    /// The argument that the path starts at.
    pub fn argument(&self) -> &str {
        &self.0[0]
    }

    /// The value at the path. A null counts as not given.
    pub fn find<'a>(&self, args: &'a Map<String, Value>) -> Option<&'a Value> {
        let mut value = args.get(self.argument())?;
        for step in &self.0[1..] {
            value = match value {
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => value.get(step)?,
            };
        }
        (!value.is_null()).then_some(value)
    }
}

impl Slot {
    pub fn need(&self) -> Option<Need<'_>> {
        match self {
            Self::Literal(_) => None,
            Self::Arg(path) => Some(Need::Argument(path)),
            Self::Key(name) => Some(Need::Key(name)),
        }
    }
}

impl Template {
    /// Parses a text. The grammar of a placeholder: `{{`, blanks, `[A-Za-z_][A-Za-z0-9_.]*`,
    /// blanks, `}}`. Every `{{` must begin one.
    pub fn parse(text: &str, at: Span) -> Result<Self, TemplateError> {
        Ok(Self { slots: slots(text)?, at })
    }

    /// The argument, when the text is only one placeholder with blanks around it.
    pub fn whole_argument(&self) -> Option<&ArgPath> {
        let mut words = self
            .slots
            .iter()
            .filter(|slot| !matches!(slot, Slot::Literal(text) if text.trim().is_empty()));
        match (words.next(), words.next()) {
            (Some(Slot::Arg(path)), None) => Some(path),
            _ => None,
        }
    }

    /// The arguments and keys that the text asks for, in order.
    pub fn needs(&self) -> impl Iterator<Item = Need<'_>> {
        self.slots.iter().filter_map(Slot::need)
    }
}

impl TemplateError {
    /// The broken placeholder in the file; the whole string if that has escapes.
    pub fn span_in(&self, view: View<'_>) -> Span {
        let whole = view.span();
        let text = view.as_str().unwrap_or_default();
        let (start, end) = match self {
            Self::Unclosed { start } => (*start, text.len()),
            Self::NotAName { start, end, .. } => (*start, *end),
        };
        let from = whole.start as usize;
        let source = view.doc().source();
        // With quotes around it, or without any in YAML.
        [from + 1, from]
            .into_iter()
            .find(|from| source.text().get(*from..from + text.len()) == Some(text))
            .map_or(whole, |from| Span::new(from + start, from + end))
    }
}

impl std::fmt::Display for ArgPath {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0.join("."))
    }
}

impl std::fmt::Display for Need<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Argument(path) => path.fmt(out),
            Self::Key(name) => write!(out, "env.{name}"),
        }
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self, self.need()) {
            (_, Some(need)) => write!(out, "{{{{{need}}}}}"),
            (Self::Literal(text), None) => out.write_str(text),
            (_, None) => Ok(()),
        }
    }
}

impl std::fmt::Display for Template {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.slots.iter().try_for_each(|slot| slot.fmt(out))
    }
}

/// Where a letter first stands twice in a row, from a place on. Texts are short: a general search
/// takes longer to set up than this takes to end.
pub(crate) fn twice(letter: u8, text: &str, from: usize) -> Option<usize> {
    let pairs = text.as_bytes().get(from..)?.windows(2);
    pairs.zip(from..).find(|(pair, _)| *pair == [letter, letter]).map(|(_, at)| at)
}

pub(super) fn slots(text: &str) -> Result<Vec<Slot>, TemplateError> {
    let mut slots = Vec::new();
    let mut from = 0;
    while let Some(open) = twice(b'{', text, from) {
        let close = twice(b'}', text, open).ok_or(TemplateError::Unclosed { start: open })?;
        if open > from {
            slots.push(Slot::Literal(text[from..open].to_owned()));
        }
        let end = close + 2;
        slots.push(placeholder(text[open + 2..close].trim()).ok_or_else(|| TemplateError::NotAName {
            start: open,
            end,
            text: text[open..end].to_owned(),
        })?);
        from = end;
    }
    if from < text.len() {
        slots.push(Slot::Literal(text[from..].to_owned()));
    }
    Ok(slots)
}

fn placeholder(name: &str) -> Option<Slot> {
    if let Some(key) = name.strip_prefix("env.") {
        return is_name(key).then(|| Slot::Key(key.to_owned()));
    }
    let path: Vec<String> = name.split('.').map(str::to_owned).collect();
    let right = is_name(&path[0]) && path.iter().all(|step| !step.is_empty() && step.bytes().all(is_name_byte));
    right.then_some(Slot::Arg(ArgPath(path)))
}

fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_') && text.bytes().all(is_name_byte)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::PathTemplate;

    fn parse(text: &str) -> Result<Template, TemplateError> {
        Template::parse(text, Span::default())
    }

    #[test]
    fn placeholders_have_one_grammar() {
        let printed = |text| parse(text).map(|template| template.to_string());
        assert_eq!(printed("a {{ b.0.c }} {d} }} {{env.K}}").unwrap(), "a {{b.0.c}} {d} }} {{env.K}}");
        for wrong in [
            "{{}}",
            "{{1a}}",
            "{{first-name}}",
            "{{a..b}}",
            "{{.a}}",
            "{{a.}}",
            "{{env.}}",
            "{{env.a-b}}",
            "{{é}}",
            "{{{a}}}",
        ] {
            assert!(matches!(parse(wrong), Err(TemplateError::NotAName { start: 0, .. })), "{wrong}");
        }
        assert_eq!(parse("x{{id}").unwrap_err().to_string(), "`{{` has no `}}`");
        assert_eq!(parse("{{a*}}").unwrap_err().to_string(), "`{{a*}}` is not a placeholder");
    }

    #[test]
    fn a_path_finds_its_value() {
        let args = serde_json::json!({"o": {"id": 7, "0": "k"}, "l": [1, [2]], "n": null, "s": "x"});
        let find = |text: &str| {
            let path = ArgPath(text.split('.').map(str::to_owned).collect());
            path.find(args.as_object().unwrap()).map(Value::to_string)
        };
        assert_eq!(find("o.id").as_deref(), Some("7"));
        assert_eq!(find("o.0").as_deref(), Some("\"k\""));
        assert_eq!(find("l.1.0").as_deref(), Some("2"));
        for missing in ["n", "x", "l.2", "l.a", "s.0", "o.id.x"] {
            assert_eq!(find(missing), None, "{missing}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(text in "[{}a-c._ /é%]{0,24}|(\\{\\{ ?[a-c.]{1,4} ?\\}\\}|[/ -~]){0,6}") {
            if let Ok(template) = parse(&text) {
                prop_assert_eq!(parse(&template.to_string()), Ok(template));
            }
            if let Ok(path) = PathTemplate::parse(&text, Span::default()) {
                prop_assert_eq!(PathTemplate::parse(&path.to_string(), Span::default()), Ok(path));
            }
        }

        #[test]
        fn no_text_is_too_strange_to_parse(text in any::<String>()) {
            let _ = parse(&text);
            let _ = PathTemplate::parse(&text, Span::default());
        }
    }
}
