//! Templates: text with `{{argument}}` and `{{env.KEY}}` in it, parsed once into slots. What fills
//! a slot is data; it is never read as a template again.

use super::Span;

/// A dot path into the arguments: `owner.id`, `ids.0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArgPath(pub Vec<String>);

impl ArgPath {
    /// The argument that the path starts at.
    pub fn argument(&self) -> &str {
        &self.0[0]
    }
}

impl std::fmt::Display for ArgPath {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0.join("."))
    }
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slot {
    Literal(String),
    Arg(ArgPath),
    Key(String),
}

/// A text with slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub slots: Vec<Slot>,
    pub at: Span,
}

/// A request path: segments between slashes, each with slots. Holds no keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathTemplate {
    pub segments: Vec<Vec<Slot>>,
    pub at: Span,
}

/// A JSON body with templates for its strings.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// Sent as written, its number text and a literal null included.
    Literal(serde_json::Value),
    /// A string that is only one placeholder: the argument with its type.
    Arg(ArgPath),
    /// A longer text.
    Text(Template),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

/// What is wrong with a placeholder. The offsets are bytes of the text that was parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("`{{{{` has no `}}}}`")]
    Unclosed { start: usize },
    #[error("`{text}` is not a placeholder")]
    NotAName { start: usize, end: usize, text: String },
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
}

impl PathTemplate {
    /// Parses a path that starts with `/`. Keys in it come back as slots for `rules` to refuse.
    pub fn parse(text: &str, at: Span) -> Result<Self, TemplateError> {
        let mut segments = vec![Vec::new()];
        for slot in slots(text.strip_prefix('/').unwrap_or(text))? {
            let Slot::Literal(text) = slot else {
                segments.last_mut().expect("never empty").push(slot);
                continue;
            };
            for (at, part) in text.split('/').enumerate() {
                if at > 0 {
                    segments.push(Vec::new());
                }
                if !part.is_empty() {
                    segments.last_mut().expect("never empty").push(Slot::Literal(part.to_owned()));
                }
            }
        }
        Ok(Self { segments, at })
    }

    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.segments.iter().flatten()
    }
}

fn slots(text: &str) -> Result<Vec<Slot>, TemplateError> {
    let mut slots = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find("{{").map(|at| from + at) {
        let close = text[open..]
            .find("}}")
            .map(|at| open + at)
            .ok_or(TemplateError::Unclosed { start: open })?;
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
