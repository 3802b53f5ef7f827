//! An object of a file, read field by field: which fields it may have, which must be there, what
//! type each has. Whatever does not fit becomes a finding. A misspelt field is read as the one that
//! was meant, so that what stands in it is still checked.

use crate::diag::{Edit, Finding, Rule};
use crate::model::nearest;
use crate::source::{Field, Kind, Span, View};

use super::Word;

/// The words and rules of one format.
pub(crate) struct Grammar {
    /// `field` or `key`.
    pub(crate) noun: &'static str,
    pub(crate) unknown: &'static Rule,
    pub(crate) misspelt: &'static Rule,
    pub(crate) missing: &'static Rule,
    pub(crate) wrong_type: &'static Rule,
    pub(crate) repeated: &'static Rule,
    /// Whether the format's reader takes `Name` for `name`.
    pub(crate) any_case: bool,
}

/// Unknown fields of one object that are worth a guess.
const GUESSES: usize = 50;

/// What an object is called in messages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Owner<'d> {
    /// As it stands: "a case", "`http`".
    Words(&'static str),
    /// A name from the file.
    Name(&'d str),
}

impl std::fmt::Display for Owner<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Words(words) => out.write_str(words),
            Self::Name(name) => write!(out, "`{name}`"),
        }
    }
}

/// One object and what is still to be read of it.
pub(crate) struct Block<'d, 'f> {
    pub(crate) view: View<'d>,
    grammar: &'static Grammar,
    /// Who lacks a missing field.
    owner: Owner<'d>,
    /// Where a missing field is reported.
    place: Span,
    meant: Vec<(&'static str, Field<'d>)>,
    pub(crate) findings: &'f mut Vec<Finding>,
}

impl<'d, 'f> Block<'d, 'f> {
    /// Opens an object; nothing when the value is something else.
    pub(crate) fn open(
        view: View<'d>,
        owner: Owner<'d>,
        fields: &'static [&'static str],
        grammar: &'static Grammar,
        findings: &'f mut Vec<Finding>,
    ) -> Option<Self> {
        if view.kind() != Kind::Map {
            findings.push(wrong_type(grammar, &owner.to_string(), "an object", view));
            return None;
        }
        let start = view.span().start as usize;
        let mut block = Self {
            view,
            grammar,
            owner,
            place: Span::new(start, start + 1),
            meant: Vec::new(),
            findings,
        };
        block.sort_out(fields);
        Some(block)
    }

    /// Names the object by one of its own texts: the place of what it lacks.
    pub(crate) fn call(&mut self, name: &Word<'d>) {
        self.owner = Owner::Name(name.text);
        self.place = name.at();
    }

    /// Where what the object lacks is reported, when a key names it.
    pub(crate) fn stands_at(&mut self, place: Span) {
        self.place = place;
    }

    fn sort_out(&mut self, fields: &'static [&'static str]) {
        let mut guesses = 0;
        for field in self.view.fields() {
            if fields.contains(&field.key) {
                continue;
            }
            // A file with more has other problems, and every guess costs a look at all fields.
            guesses += 1;
            let guess = if guesses > GUESSES {
                None
            } else {
                nearest(field.key, fields.iter().copied())
            };
            let free = |name: &str| self.view.get(name).is_none() && self.meant.iter().all(|(other, _)| *other != name);
            match guess {
                Some(name) if free(name) => self.meant.push((name, field)),
                Some(name) if self.grammar.any_case && name.eq_ignore_ascii_case(field.key) => {
                    let first = self.view.field(name).map(|field| field.key_span);
                    self.findings.push(other_case(self.grammar, &field, name, first));
                }
                _ => self.findings.push(unknown(self.grammar, &field, guess, fields)),
            }
        }
    }

    /// The field, or the misspelt one that was meant. A null counts as absent.
    fn find(&mut self, name: &str) -> Option<(Field<'d>, Spelling)> {
        if let Some(field) = self.view.field(name) {
            return Some((field, Spelling::Right));
        }
        let at = self.meant.iter().position(|(other, _)| *other == name)?;
        Some((self.meant.swap_remove(at).1, Spelling::Wrong))
    }

    pub(crate) fn optional(&mut self, name: &'static str) -> Option<Field<'d>> {
        let (field, spelling) = self.find(name)?;
        if spelling == Spelling::Wrong {
            self.findings.push(misspelt(self.grammar, &field, name));
        }
        Some(field).filter(|field| !field.value.is_null())
    }

    pub(crate) fn required(&mut self, name: &'static str) -> Option<Field<'d>> {
        let found = self.find(name);
        let (owner, rule) = (self.owner, self.grammar.missing);
        let missing = |place| Finding::new(rule, place, format!("{owner} has no `{name}`"));
        match found {
            None => {
                self.findings.push(missing(self.place));
                None
            }
            Some((field, Spelling::Wrong)) => {
                let finding = missing(field.key_span);
                self.findings
                    .push(renamed(finding.label(format!("did you mean `{name}`?")), &field, name));
                Some(field).filter(|field| !field.value.is_null())
            }
            Some((field, _)) if field.value.is_null() => {
                let finding = missing(field.value.span());
                self.findings.push(finding.label("null counts as nothing"));
                None
            }
            Some((field, _)) => Some(field),
        }
    }

    fn typed<T>(&mut self, field: Field<'d>, wanted: &str, read: impl FnOnce(View<'d>) -> Option<T>) -> Option<T> {
        let value = read(field.value);
        if value.is_none() {
            self.findings
                .push(wrong_type(self.grammar, &format!("`{}`", field.key), wanted, field.value));
        }
        value
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Option<Word<'d>> {
        let field = self.optional(name)?;
        self.typed(field, "a string", Word::new)
    }

    pub(crate) fn required_text(&mut self, name: &'static str) -> Option<Word<'d>> {
        let field = self.required(name)?;
        self.typed(field, "a string", Word::new)
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Option<Flag> {
        let field = self.optional(name)?;
        let value = self.typed(field, "true or false", View::as_bool)?;
        Some(Flag {
            value,
            at: field.value.span(),
            key_at: field.key_span,
        })
    }

    pub(crate) fn list(&mut self, field: Option<Field<'d>>) -> Option<View<'d>> {
        let is_list = |view: View<'d>| (view.kind() == Kind::List).then_some(view);
        self.typed(field?, "an array", is_list)
    }

    pub(crate) fn map(&mut self, name: &'static str) -> Option<View<'d>> {
        let field = self.optional(name)?;
        let is_map = |view: View<'d>| (view.kind() == Kind::Map).then_some(view);
        self.typed(field, "an object", is_map)
    }

    /// A list of texts. Those that are none are left out.
    pub(crate) fn texts(&mut self, name: &'static str) -> Vec<Word<'d>> {
        let field = self.optional(name);
        let Some(list) = self.list(field) else { return Vec::new() };
        list.items()
            .filter_map(|view| {
                let word = Word::new(view);
                if word.is_none() {
                    self.findings
                        .push(wrong_type(self.grammar, &format!("an entry of `{name}`"), "a string", view));
                }
                word
            })
            .collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Right,
    Wrong,
}

/// A boolean that was written down.
#[derive(Debug, Clone, Copy)]
pub struct Flag {
    pub value: bool,
    pub at: Span,
    pub key_at: Span,
}

pub(crate) fn wrong_type(grammar: &Grammar, owner: &str, wanted: &str, view: View<'_>) -> Finding {
    let message = format!("{owner}: expected {wanted}, found {}", view.kind().words());
    Finding::new(grammar.wrong_type, view.span(), message)
}

fn unknown(grammar: &Grammar, field: &Field<'_>, guess: Option<&str>, fields: &[&str]) -> Finding {
    let message = format!("unknown {} `{}`", grammar.noun, field.key);
    let finding = Finding::new(grammar.unknown, field.key_span, message);
    match guess {
        Some(name) => finding.label(format!("did you mean `{name}`?")),
        None if fields.len() <= 7 => finding.help(format!("remove it; the {}s are: {}", grammar.noun, fields.join(", "))),
        None => finding.help("remove it, or look for its right name"),
    }
}

fn misspelt(grammar: &Grammar, field: &Field<'_>, name: &str) -> Finding {
    let message = format!("unknown {} `{}`", grammar.noun, field.key);
    let finding = Finding::new(grammar.misspelt, field.key_span, message);
    renamed(finding.label(format!("did you mean `{name}`?")), field, name)
}

fn renamed(finding: Finding, field: &Field<'_>, name: &str) -> Finding {
    let quoted = field.value.doc().source().slice(field.key_span).starts_with('"');
    let text = if quoted { format!("\"{name}\"") } else { name.to_owned() };
    let span = field.key_span;
    finding.fix(format!("rename it to `{name}`"), vec![Edit { span, text }])
}

fn other_case(grammar: &Grammar, field: &Field<'_>, name: &str, first: Option<Span>) -> Finding {
    let message = format!("`{}` is read as a second `{name}`", field.key);
    let finding = Finding::new(grammar.repeated, field.key_span, message).help("keep one of them");
    match first {
        Some(first) => finding.related(first, "the other one"),
        None => finding,
    }
}

/// Keys that stand twice in one object, wherever it is.
pub(crate) fn repeated(grammar: &Grammar, doc: &crate::source::Doc) -> Vec<Finding> {
    let finding = |twice: &crate::source::Duplicate| {
        let message = format!("`{}` stands here twice", twice.key);
        Finding::new(grammar.repeated, twice.again, message)
            .label("only this one counts")
            .related(twice.first, "the first one")
            .help("keep one of them")
    };
    doc.duplicates().iter().map(finding).collect()
}
