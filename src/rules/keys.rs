//! Keys: declared and used, never in a path, never typed into the file.

use std::collections::HashSet;
use std::ops::Range;

use crate::diag::{Finding, table};
use crate::format::connector::{Document, Pair, Place, QueryEntry};
use crate::format::{Blank, Word};
use crate::model::credential::{self, Named};
use crate::model::{Need, Span, twice};
use crate::source::{Kind, View};

use super::lookup::Lookup;
use super::{guess, listed};

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    let used = declared(document, findings);
    if document.http.is_some() {
        unused(document, &used, findings);
    }
    let mut typed = Typed {
        findings,
        texts: HashSet::new(),
    };
    typed.walk(document.root);
    typed.named(document);
}

/// Which keys templates use or mean; those that `env` does not list become findings.
fn declared<'a>(document: &'a Document<'_>, findings: &mut Vec<Finding>) -> Lookup<'a> {
    // An `env` that is no list has its finding; what it would declare is not known.
    let is_list = document.root.get("env").is_none_or(|env| env.is_null() || env.kind() == Kind::List);
    let names: Lookup<'_> = document.env.iter().map(|key| key.text).collect();
    let mut used = Vec::new();
    for (place, blank) in document.blanks() {
        let keys = blank.asked().filter_map(|(need, range)| match need {
            Need::Key(name) => Some((range, name)),
            Need::Argument(_) => None,
        });
        let mut in_path = false;
        for (range, name) in keys {
            used.push(name);
            if place == Place::Path {
                findings.extend((!in_path).then(|| key_in_path(blank, name)));
                in_path = true;
            } else if is_list && !names.has(name) {
                let right = guess(findings.len(), name, document.env.iter().map(|key| key.text));
                used.extend(right);
                findings.push(undeclared(blank.word.part(range), name, document, right));
            }
        }
    }
    used.into_iter().collect()
}

fn key_in_path(blank: &Blank<'_>, name: &str) -> Finding {
    Finding::new(&table::KEY_IN_PATH, blank.word.at(), "a key may not go in the path")
        .label(format!("`env.{name}` ends up in the address"))
        .help("move it to `headers`, `query` or `body`")
}

fn undeclared(place: Span, name: &str, document: &Document<'_>, right: Option<&str>) -> Finding {
    let names = || document.env.iter().map(|key| key.text);
    let finding = Finding::new(&table::UNDECLARED_KEY, place, format!("`env` does not list `{name}`"));
    match right {
        Some(right) => finding.label(format!("did you mean `{right}`?")),
        None if names().next().is_none() => finding.help(format!("add \"env\": [\"{name}\"]")),
        None => finding.help(format!("add it to `env`, which has {}", listed(names()))),
    }
}

fn unused(document: &Document<'_>, used: &Lookup<'_>, findings: &mut Vec<Finding>) {
    let idle = document.env.iter().filter(|key| !used.has(key.text));
    findings.extend(idle.map(|key| {
        Finding::new(&table::UNUSED_KEY, key.at(), format!("no template uses the key `{}`", key.text))
            .help(format!("write `{{{{env.{}}}}}` where it goes, or remove it", key.text))
    }));
}

/// What the flag of a program says of its value. `--key` is as often a file.
fn of_flag(name: &str) -> Named {
    match name.trim_start_matches('-') {
        "key" => Named::Perhaps,
        name => credential::parameter(name),
    }
}

fn in_pair(named: Named, is_pair: bool) -> Named {
    if is_pair && named == Named::Key { Named::Perhaps } else { named }
}

/// Whether a text is a key, by what its place is called: any literal where keys stand, what looks
/// random where they may.
fn is_typed(named: Named, text: &str) -> bool {
    match named {
        Named::Key => twice(b'{', text, 0).is_none() && !credential::is_plain_value(text),
        Named::Perhaps => credential::is_random(text),
        Named::Other => false,
    }
}

/// Where the key starts behind a scheme: `Bearer …`.
fn after_scheme(text: &str) -> usize {
    match text.split_once(' ') {
        Some((scheme, rest)) if credential::is_plain_value(scheme) => text.len() - rest.trim_start().len(),
        _ => 0,
    }
}

/// Keys typed into the file. No message here quotes a value.
struct Typed<'f> {
    findings: &'f mut Vec<Finding>,
    /// Where the texts start that have one.
    texts: HashSet<u32>,
}

impl Typed<'_> {
    /// Every text of the file.
    fn walk(&mut self, view: View<'_>) {
        match view.kind() {
            Kind::String => {
                if let Some(word) = Word::new(view) {
                    self.found(&word, credential::find(word.text));
                }
            }
            Kind::List => view.items().for_each(|view| self.walk(view)),
            Kind::Map => view.fields().for_each(|field| self.walk(field.value)),
            _ => {}
        }
    }

    /// Values whose name says that they are keys.
    fn named(&mut self, document: &Document<'_>) {
        let requests = || document.capabilities.iter().filter_map(|capability| capability.request.as_ref());
        let shared = document.http.iter();
        let headers = shared
            .clone()
            .flat_map(|http| &http.headers)
            .chain(requests().flat_map(|request| &request.headers));
        let query = shared
            .flat_map(|http| &http.query)
            .chain(requests().flat_map(|request| &request.query));
        headers.for_each(|pair: &Pair<'_>| self.value(credential::header(pair.name), &pair.value.word));
        query.for_each(|entry: &QueryEntry<'_>| {
            let named = credential::parameter(entry.name);
            entry.blanks().for_each(|blank| self.value(named, &blank.word));
        });
        requests()
            .filter_map(|request| request.body.as_ref())
            .for_each(|body| self.body(body.view));
        self.flags(&document.args);
        if let Some(base) = document.http.as_ref().and_then(|http| http.base) {
            self.query(&base);
        }
        if let Some(url) = &document.url {
            self.query(url);
        }
    }

    fn body(&mut self, view: View<'_>) {
        // `{"key": "status", "value": …}` names a field; that is no key.
        let pairs = ["value", "values"].iter().any(|name| view.field(name).is_some());
        for field in view.fields() {
            match Word::new(field.value) {
                Some(word) => self.value(in_pair(credential::parameter(field.key), pairs), &word),
                None => self.body(field.value),
            }
        }
        view.items().for_each(|view| self.body(view));
    }

    /// `--token VALUE` and `--token=VALUE` of a program.
    fn flags(&mut self, args: &[Word<'_>]) {
        for pair in args
            .windows(2)
            .filter(|pair| pair[0].text.starts_with('-') && !pair[1].text.starts_with('-'))
        {
            self.value(of_flag(pair[0].text), &pair[1]);
        }
        for word in args {
            if let Some((name, value)) = word.text.split_once('=')
                && is_typed(of_flag(name), value)
            {
                self.found(word, std::iter::once(name.len() + 1..word.text.len()));
            }
        }
    }

    fn value(&mut self, named: Named, word: &Word<'_>) {
        if is_typed(named, word.text) {
            self.found(word, std::iter::once(after_scheme(word.text)..word.text.len()));
        }
    }

    /// The query of an address.
    fn query(&mut self, word: &Word<'_>) {
        let Some(start) = word.text.find('?') else { return };
        let mut at = start + 1;
        for pair in word.text[start + 1..].split(['&', '#']) {
            if let Some((name, value)) = pair.split_once('=')
                && is_typed(credential::parameter(name), value)
            {
                self.found(word, std::iter::once(at + name.len() + 1..at + pair.len()));
            }
            at += pair.len() + 1;
        }
    }

    /// One finding for a text, at its first key; every key in it is hidden.
    fn found(&mut self, word: &Word<'_>, keys: impl IntoIterator<Item = Range<usize>>) {
        let mut places = keys.into_iter().map(|range| word.part(range)).peekable();
        let Some(first) = places.peek().copied() else { return };
        if !self.texts.insert(word.at().start) {
            return;
        }
        let mut finding = Finding::new(&table::LITERAL_KEY, first, "a key is typed into the file")
            .help("declare it in `env` and write `{{env.NAME}}`; if it was real, replace it at the service");
        finding.hidden.extend(places);
        self.findings.push(finding);
    }
}
