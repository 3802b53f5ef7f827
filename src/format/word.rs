//! A text in a file, with the place of every part of it.

use std::ops::Range;

use crate::model::{Need, Slot, Span, Template, TemplateError, twice};
use crate::source::View;

/// Bytes of a text with escapes in which places are looked for, one after the other.
const LONGEST: usize = 64 << 10;

/// Bytes of a text that a message may quote. A report cuts it shorter, where it is not masked.
const QUOTED: usize = 400;

/// A text and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Word<'d> {
    pub text: &'d str,
    pub view: View<'d>,
}

impl<'d> Word<'d> {
    pub fn new(view: View<'d>) -> Option<Self> {
        view.as_str().map(|text| Self { text, view })
    }

    /// The whole value, quotes included.
    pub fn at(&self) -> Span {
        self.view.span()
    }

    /// What a finding about something else quotes of it: it may be as long as the file.
    pub fn short(&self) -> &'d str {
        short(self.text)
    }

    /// The place of some bytes of the text, found through the escapes of JSON. Otherwise (a folded
    /// YAML text, a very long one with escapes) the whole value.
    pub fn part(&self, range: Range<usize>) -> Span {
        let Range { start, end } = range;
        let whole = self.at();
        let raw = self.view.doc().source().slice(whole);
        let from = whole.start as usize;
        // A text without escapes is a slice of the source, within quotes or bare.
        for quote in [0, 1] {
            let inner = raw.get(quote..raw.len().saturating_sub(quote)).unwrap_or_default();
            if std::ptr::eq(inner, self.text) {
                return Span::new(from + quote + start, from + quote + end);
            }
        }
        if raw.len() > LONGEST {
            return whole;
        }
        match (offset(raw, start), offset(raw, end)) {
            (Some(start), Some(end)) => Span::new(from + start, from + end),
            _ => whole,
        }
    }
}

/// As much of a text as any message shows.
pub(crate) fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(QUOTED)]
}

/// The byte of a JSON string, quotes included, at which byte `wanted` of its text begins.
fn offset(raw: &str, wanted: usize) -> Option<usize> {
    let inner = raw.strip_prefix('"')?;
    let mut text = 0;
    let mut at = 0;
    while text < wanted {
        let rest = &inner[at..];
        let (taken, given) = match rest.as_bytes() {
            [b'\\', b'u', ..] => {
                let code = u32::from_str_radix(rest.get(2..6)?, 16).ok()?;
                match code {
                    0xd800..0xe000 => (12, 4),
                    _ => (6, char::from_u32(code)?.len_utf8()),
                }
            }
            [b'\\', ..] => (2, 1),
            _ => {
                let length = rest.chars().next()?.len_utf8();
                (length, length)
            }
        };
        at += taken;
        text += given;
    }
    Some(1 + at)
}

/// A text with blanks to fill; the template is absent when the text is not one.
#[derive(Debug, Clone)]
pub struct Blank<'d> {
    pub word: Word<'d>,
    pub template: Option<Template>,
}

impl<'d> Blank<'d> {
    pub(crate) fn read(word: Word<'d>) -> (Self, Option<TemplateError>) {
        match Template::parse(word.text, word.at()) {
            Ok(template) => (
                Self {
                    word,
                    template: Some(template),
                },
                None,
            ),
            Err(error) => (Self { word, template: None }, Some(error)),
        }
    }

    /// The arguments and keys that the text asks for, in order.
    pub fn needs(&self) -> impl Iterator<Item = Need<'_>> {
        self.template.iter().flat_map(Template::needs)
    }

    /// The literal parts of the text.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        let slots = self.template.iter().flat_map(|template| &template.slots);
        slots.filter_map(|slot| match slot {
            Slot::Literal(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The same, each with the bytes of its placeholder, braces included.
    pub fn asked(&self) -> impl Iterator<Item = (Need<'_>, Range<usize>)> {
        let text = self.word.text;
        self.needs().scan(0, move |from, need| {
            let start = twice(b'{', text, *from)?;
            *from = twice(b'}', text, start).map_or(text.len(), |end| end + 2);
            Some((need, start..*from))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Limits, Source, parse_json};

    #[test]
    fn a_part_is_found_through_escapes() {
        let doc = parse_json(Source::new("x", r#" "a\n\u00e9\ud83d\ude00é{{x}}\"{{ y }}" "#), Limits::MANIFEST).unwrap();
        let word = Word::new(doc.root()).unwrap();
        let at = word.text.find("{{x}}").unwrap();
        assert_eq!(doc.source().slice(word.part(at..at + 5)), "{{x}}");
        let (blank, error) = Blank::read(word);
        assert_eq!(error, None);
        let asked: Vec<_> = blank
            .asked()
            .map(|(need, range)| (need.to_string(), doc.source().slice(word.part(range))))
            .collect();
        assert_eq!(asked, [("x".to_owned(), "{{x}}"), ("y".to_owned(), "{{ y }}")]);
    }
}
