//! Which operations to import: `get`, ids, globs, `tag:x`, `path:/x/**`, less what is excepted,
//! with a risk for each.

use std::collections::BTreeMap;

use super::narrow::{Narrow, narrower};
use super::servers::NoAddress;
use super::{Api, LeftOut, MOST, Operation, Reason};
use crate::model::{Method, Risk, nearest};

/// An operation with the risk it is declared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The method name in [`Operation::id`].
    pub id: String,
    pub risk: Risk,
}

/// What to make a connector of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The connector's name.
    pub name: String,
    /// The connector's description; the title and the text of the API when it is not given.
    pub description: Option<String>,
    /// Where the description came from, to be written as `source`.
    pub source: Option<String>,
    pub operations: Vec<Chosen>,
}

/// The words of `--only`, `--except` and `--risk`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    pub only: &'a [String],
    pub except: &'a [String],
    pub risks: &'a [(String, Risk)],
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error("a connector name is 2 to 31 lowercase letters and digits, starting with a letter")]
    Name(String),
    #[error("no operation is chosen")]
    Nothing,
    #[error("the description has no operations")]
    NoOperations,
    #[error("none of the operations can be imported")]
    AllLeftOut,
    #[error("no operation `{word}`")]
    NoSuch { word: String, nearest: Option<String> },
    #[error("`{id}` is left out: it {}", reason.words())]
    LeftOut { id: String, reason: Reason },
    #[error("`{word}` chooses only what is left out, such as `{id}`: it {}", reason.words())]
    OnlyLeftOut { word: String, id: String, reason: Reason },
    #[error("{count} operations are chosen; a connector takes at most {MOST}")]
    TooMany { count: usize, narrower: Vec<Narrow> },
    #[error(transparent)]
    NoAddress(#[from] NoAddress),
}

/// The operations that the words choose, in the order of the description.
pub fn choose(api: &Api<'_>, selection: Selection<'_>) -> Result<Vec<Chosen>, ChoiceError> {
    let picked = select(api, selection)?;
    if picked.len() > MOST {
        return Err(ChoiceError::TooMany {
            count: picked.len(),
            narrower: narrower(api, &picked),
        });
    }
    let mut risks = BTreeMap::new();
    for (word, risk) in selection.risks {
        for at in matching(api, word)? {
            risks.insert(at, *risk);
        }
    }
    let chosen = |at: usize| Chosen {
        id: api.operations[at].id.clone(),
        risk: risks.get(&at).copied().unwrap_or(api.operations[at].risk),
    };
    Ok(picked.into_iter().map(chosen).collect())
}

/// Where the operations stand that the words choose, however many they are.
pub fn select(api: &Api<'_>, selection: Selection<'_>) -> Result<Vec<usize>, ChoiceError> {
    match (api.operations.is_empty(), api.left_out.is_empty()) {
        (true, true) => return Err(ChoiceError::NoOperations),
        (true, false) => return Err(ChoiceError::AllLeftOut),
        (false, _) => {}
    }
    let mut chosen = vec![false; api.operations.len()];
    for word in selection.only {
        for at in matching(api, word)? {
            chosen[at] = true;
        }
    }
    for word in selection.except {
        match matching(api, word) {
            Ok(found) => found.into_iter().for_each(|at| chosen[at] = false),
            // What is left out anyway can be taken away too: `--strict` asks for it.
            Err(ChoiceError::LeftOut { .. } | ChoiceError::OnlyLeftOut { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let picked: Vec<usize> = (0..chosen.len()).filter(|at| chosen[*at]).collect();
    if picked.is_empty() { Err(ChoiceError::Nothing) } else { Ok(picked) }
}

/// What the words would choose if it could be imported.
pub fn missed<'a>(api: &'a Api<'_>, selection: Selection<'_>) -> Vec<&'a LeftOut> {
    let named = |words: &[String], left: &LeftOut| words.iter().any(|word| means(word.trim(), &Facts::of_left_out(left)));
    let missed = |left: &&LeftOut| named(selection.only, left) && !named(selection.except, left);
    api.left_out.iter().filter(missed).collect()
}

/// What a word can be held against.
struct Facts<'a> {
    id: &'a str,
    operation_id: Option<&'a str>,
    method: &'a str,
    path: &'a str,
    tags: Vec<&'a str>,
    deprecated: bool,
}

impl<'a> Facts<'a> {
    fn of(operation: &'a Operation<'_>) -> Self {
        Self {
            id: &operation.id,
            operation_id: operation.operation_id,
            method: operation.method.word(),
            path: operation.path,
            tags: operation.tags.clone(),
            deprecated: operation.deprecated,
        }
    }

    fn of_left_out(left: &'a LeftOut) -> Self {
        Self {
            id: &left.id,
            operation_id: left.operation_id.as_deref(),
            method: &left.method,
            path: &left.path,
            tags: left.tags.iter().map(String::as_str).collect(),
            deprecated: left.deprecated,
        }
    }
}

/// Whether a word means an operation. Only its own name chooses a deprecated one.
fn means(word: &str, facts: &Facts<'_>) -> bool {
    if facts.id == word || facts.operation_id == Some(word) {
        return true;
    }
    if facts.deprecated {
        return false;
    }
    if let Some(method) = Method::parse(word) {
        return method.word() == facts.method;
    }
    if let Some(tag) = word.strip_prefix("tag:") {
        let tag = tag.to_lowercase();
        return facts.tags.iter().any(|other| glob(&tag, &other.to_lowercase()));
    }
    if let Some(path) = word.strip_prefix("path:") {
        return path_glob(path, facts.path);
    }
    word.contains('*') && (glob(word, facts.id) || facts.operation_id.is_some_and(|id| glob(word, id)))
}

/// The operations that one word means; an id means one.
pub(super) fn matching(api: &Api<'_>, word: &str) -> Result<Vec<usize>, ChoiceError> {
    let word = word.trim();
    let named = |operation: &Operation<'_>| operation.id == word || operation.operation_id == Some(word);
    if let Some(at) = api.operations.iter().position(named) {
        return Ok(vec![at]);
    }
    let found: Vec<usize> = (0..api.operations.len())
        .filter(|at| means(word, &Facts::of(&api.operations[*at])))
        .collect();
    if found.is_empty() && Method::parse(word).is_none() {
        return Err(unknown(api, word));
    }
    Ok(found)
}

fn unknown(api: &Api<'_>, word: &str) -> ChoiceError {
    if let Some(LeftOut { id, reason, .. }) = api
        .left_out
        .iter()
        .find(|left| left.id == word || left.operation_id.as_deref() == Some(word))
    {
        return ChoiceError::LeftOut {
            id: id.clone(),
            reason: reason.clone(),
        };
    }
    let meant = |left: &&LeftOut| means(word, &Facts::of_left_out(left));
    if let Some(LeftOut { id, reason, .. }) = api.left_out.iter().find(meant) {
        return ChoiceError::OnlyLeftOut {
            word: super::clean(word, 80),
            id: id.clone(),
            reason: reason.clone(),
        };
    }
    let tags = || api.operations.iter().flat_map(|operation| &operation.tags).copied();
    let ids = || {
        api.operations
            .iter()
            .flat_map(|operation| operation.operation_id.into_iter().chain([operation.id.as_str()]))
    };
    let near = match word.strip_prefix("tag:") {
        Some(tag) => nearest(tag, tags()).map(|tag| format!("tag:{tag}")),
        None => nearest(word, ids()).map(str::to_owned),
    };
    ChoiceError::NoSuch {
        word: super::clean(word, 80),
        nearest: near,
    }
}

/// `*` for any run of characters.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// `*` for one segment or a part of one, `**` for any number of segments.
fn path_glob(pattern: &str, path: &str) -> bool {
    let split = |text: &str| -> Vec<String> { text.trim_matches('/').split('/').map(str::to_owned).collect() };
    let (pattern, path) = (split(pattern), split(path));
    // Which positions of the path the pattern so far may end at.
    let mut ends = vec![false; path.len() + 1];
    ends[0] = true;
    for step in &pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            if step == "**" {
                next[at] = ends[at] || (at > 0 && next[at - 1]);
            } else if at > 0 {
                next[at] = ends[at - 1] && glob(step, &path[at - 1]);
            }
        }
        ends = next;
    }
    ends[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        for (pattern, text, expected) in [
            ("get_*", "get_books", true),
            ("*books*", "get_books_2", true),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*b*c", "axxbyyc", true),
            ("get", "get_books", false),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn two_stars_stand_for_any_segments() {
        for (pattern, path, expected) in [
            ("/books/**", "/books", true),
            ("/books/**", "/books/{id}/pages", true),
            ("/books/*", "/books/{id}/pages", false),
            ("/**/pages", "/books/{id}/pages", true),
            ("/book*", "/books", true),
            ("/books", "/books/", true),
            ("/books/**", "/bookshelf", false),
        ] {
            assert_eq!(path_glob(pattern, path), expected, "{pattern} {path}");
        }
    }
}
