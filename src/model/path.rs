//! The template of a request path: slots between slashes. Filling and judging it is `exec/plan`.

use super::Span;
use super::template::{self, Need, Slot, TemplateError};

/// A request path: segments between slashes, each with slots. Holds no keys once `rules` let it
/// pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathTemplate {
    pub segments: Vec<Vec<Slot>>,
    pub at: Span,
}

impl PathTemplate {
    /// Parses a path that starts with `/`. Keys in it come back as slots for `rules` to refuse.
    pub fn parse(text: &str, at: Span) -> Result<Self, TemplateError> {
        let mut segments = Vec::new();
        let mut last = Vec::new();
        // The slash in front goes after parsing, so that offsets in errors are those of `text`.
        let mut first = true;
        for slot in template::slots(text)? {
            match slot {
                Slot::Literal(text) => {
                    let text = if first { text.strip_prefix('/').unwrap_or(&text) } else { &text };
                    for (at, part) in text.split('/').enumerate() {
                        if at > 0 {
                            segments.push(std::mem::take(&mut last));
                        }
                        if !part.is_empty() {
                            last.push(Slot::Literal(part.to_owned()));
                        }
                    }
                }
                slot => last.push(slot),
            }
            first = false;
        }
        segments.push(last);
        Ok(Self { segments, at })
    }

    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.segments.iter().flatten()
    }

    /// The arguments and keys that the path asks for, in order.
    pub fn needs(&self) -> impl Iterator<Item = Need<'_>> {
        self.slots().filter_map(Slot::need)
    }
}

impl std::fmt::Display for PathTemplate {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.segments.iter().try_for_each(|segment| {
            out.write_str("/")?;
            segment.iter().try_for_each(|slot| slot.fmt(out))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ArgPath;

    #[test]
    fn a_path_is_split_at_its_own_slashes_only() {
        let path = PathTemplate::parse("/v1/a-{{ o.id }}.json//{{b}}{{c}}/", Span::default()).unwrap();
        let argument = |steps: &[&str]| Slot::Arg(ArgPath(steps.iter().map(|step| (*step).to_owned()).collect()));
        let literal = |text: &str| Slot::Literal(text.to_owned());
        assert_eq!(
            path.segments,
            [
                vec![literal("v1")],
                vec![literal("a-"), argument(&["o", "id"]), literal(".json")],
                vec![],
                vec![argument(&["b"]), argument(&["c"])],
                vec![],
            ]
        );
        assert_eq!(path.to_string(), "/v1/a-{{o.id}}.json//{{b}}{{c}}/");
        assert_eq!(path.needs().count(), 3);
    }

    #[test]
    fn the_root_is_one_empty_segment() {
        for text in ["/", ""] {
            assert_eq!(PathTemplate::parse(text, Span::default()).unwrap().segments, [vec![]]);
        }
    }
}
