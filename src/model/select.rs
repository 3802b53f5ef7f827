//! Dot paths into an answer, and what a [`Pick`] keeps of it. A path is object keys, list indexes
//! and `*` between dots: `data.items`, `rows.0.id`, `labels.*.name`. There are no negative
//! indexes, no filters and no way to name a key that has a dot in it.
//!
//! `*` takes the rest of the path from every element of a list and skips the elements that lack it,
//! as the released host does: `labels.*.name` over ten labels of which one has no name gives nine
//! names. So two `*` fields of one answer need not line up. An element whose value is null has it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Expects, Pick, words};

/// A path has at most this many steps.
const LONGEST: usize = 64;
/// How much of a key an error shows.
const SHOWN: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// A key of an object, or an index when the value is a list.
    Name(String),
    Every,
}

/// A dot path, parsed once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    steps: Vec<Step>,
}

/// Why a text is not a dot path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error("the path is empty")]
    Empty,
    #[error("the path has nothing between two dots, or a dot at an end")]
    EmptyStep,
    #[error("the path has more than {LONGEST} steps")]
    TooLong,
}

/// What stood where a path ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// An object, with its keys.
    Keys(Vec<String>),
    /// A list, with its length.
    List(usize),
    /// Anything else: `null`, `a string` …
    Other(&'static str),
}

/// Why nothing could be picked from an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    #[error("`{path}` is not a dot path: {problem}")]
    Path { path: String, problem: PathError },
    /// `reached` is the part of the path that was there, empty for the answer itself.
    #[error("`{path}` is not in the answer: {}", describe(reached, found))]
    NotThere { path: String, reached: String, found: Found },
    #[error("`{path}` is not a list: {}", describe(path, found))]
    NotAList { path: String, found: Found },
    #[error("nothing that `returns` names is in the answer: {}", describe("", found))]
    NoField { found: Found },
    #[error("the answer is not JSON")]
    NotJson,
}

impl std::str::FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&written(&self.steps))
    }
}

impl Path {
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        let mut steps = Vec::new();
        for step in text.split('.') {
            match step {
                "" => return Err(PathError::EmptyStep),
                _ if steps.len() == LONGEST => return Err(PathError::TooLong),
                "*" => steps.push(Step::Every),
                name => steps.push(Step::Name(name.to_owned())),
            }
        }
        Ok(Self { steps })
    }

    /// The value at the path. Borrowed, unless `*` gathers a list.
    pub fn find<'v>(&self, value: &'v Value) -> Option<Cow<'v, Value>> {
        find(&self.steps, value).ok()
    }

    /// Whether the path gathers a list with `*`.
    pub fn gathers(&self) -> bool {
        self.steps.contains(&Step::Every)
    }
}

/// What `pick` keeps of an answer: the value at its path; of a list at most `max` elements; of
/// every element (or of the value that is no list) the fields, each under its new name and null
/// where there is none. A path that is not there is an error, so that a wrong one is seen.
pub fn pick(pick: &Pick, answer: Value) -> Result<Value, PickError> {
    let fields = fields(pick)?;
    let value = at(&pick.path, answer)?;
    expected(pick, &fields, &value)?;
    Ok(match value {
        Value::Array(mut list) => {
            if pick.max > 0 {
                list.truncate(pick.max);
            }
            list.into_iter().map(|element| keep(&fields, element)).collect()
        }
        value => keep(&fields, value),
    })
}

/// Refuses an answer that has nothing of what is wanted: a failure may come as one.
fn expected(pick: &Pick, fields: &[(&str, Path)], value: &Value) -> Result<(), PickError> {
    let found = || describe_value(value);
    match pick.expects {
        Expects::List if !value.is_array() => Err(PickError::NotAList {
            path: pick.path.clone(),
            found: found(),
        }),
        Expects::Fields if !value.is_array() && fields.iter().all(|(_, path)| path.find(value).is_none()) => {
            Err(PickError::NoField { found: found() })
        }
        _ => Ok(()),
    }
}

fn fields(pick: &Pick) -> Result<Vec<(&str, Path)>, PickError> {
    let parsed = pick.fields.iter().map(|field| Ok((field.name.as_str(), parse(&field.path)?)));
    parsed.collect()
}

fn parse(text: &str) -> Result<Path, PickError> {
    Path::parse(text).map_err(|problem| PickError::Path {
        path: text.to_owned(),
        problem,
    })
}

fn at(path: &str, answer: Value) -> Result<Value, PickError> {
    if path.is_empty() {
        return Ok(answer);
    }
    let path = parse(path)?;
    match find(&path.steps, &answer) {
        Ok(Cow::Owned(value)) => Ok(value),
        Ok(Cow::Borrowed(_)) => Ok(take(&path.steps, answer)),
        Err(missing) => Err(PickError::NotThere {
            path: path.to_string(),
            reached: written(&path.steps[..missing.reached]),
            found: describe_value(missing.value),
        }),
    }
}

fn keep(fields: &[(&str, Path)], value: Value) -> Value {
    if fields.is_empty() {
        return value;
    }
    let kept = fields.iter().map(|(name, path)| {
        let found = path.find(&value).map_or(Value::Null, Cow::into_owned);
        ((*name).to_owned(), found)
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

/// Where a path ended before its last step.
struct Missing<'v> {
    reached: usize,
    value: &'v Value,
}

fn find<'v>(steps: &[Step], value: &'v Value) -> Result<Cow<'v, Value>, Missing<'v>> {
    let mut value = value;
    for (reached, step) in steps.iter().enumerate() {
        let next = match (step, value) {
            (Step::Every, Value::Array(list)) => {
                let rest = &steps[reached + 1..];
                let found = list.iter().filter_map(|element| find(rest, element).ok());
                return Ok(Cow::Owned(found.map(Cow::into_owned).collect()));
            }
            (Step::Every, _) => None,
            (Step::Name(name), Value::Array(list)) => index(name).and_then(|at| list.get(at)),
            (Step::Name(name), value) => value.get(name),
        };
        value = next.ok_or(Missing { reached, value })?;
    }
    Ok(Cow::Borrowed(value))
}

/// The value at a path that is known to be there and to have no `*`, without a copy.
fn take(steps: &[Step], answer: Value) -> Value {
    steps.iter().fold(answer, |value, step| match (step, value) {
        (Step::Name(name), Value::Array(mut list)) => list.swap_remove(index(name).expect("found before")),
        (Step::Name(name), Value::Object(mut map)) => map.swap_remove(name).expect("found before"),
        _ => Value::Null,
    })
}

fn index(text: &str) -> Option<usize> {
    let decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| decimal)
}

fn written(steps: &[Step]) -> String {
    let words = steps.iter().map(|step| match step {
        Step::Name(name) => name.as_str(),
        Step::Every => "*",
    });
    words.collect::<Vec<_>>().join(".")
}

fn describe_value(value: &Value) -> Found {
    match value {
        Value::Object(map) => Found::Keys(map.keys().cloned().collect()),
        Value::Array(list) => Found::List(list.len()),
        Value::String(_) => Found::Other("a string"),
        Value::Number(_) => Found::Other("a number"),
        Value::Bool(_) => Found::Other("a boolean"),
        Value::Null => Found::Other("null"),
    }
}

fn describe(reached: &str, found: &Found) -> String {
    let place = if reached.is_empty() {
        "it".to_owned()
    } else {
        format!("`{reached}`")
    };
    match found {
        Found::Keys(keys) if keys.is_empty() => format!("{place} is an object without keys"),
        Found::Keys(keys) => format!("{place} has {}", words::each(keys.iter().map(|key| words::cut(key, SHOWN)))),
        Found::List(length) => format!("{place} is a list of {length}"),
        Found::Other(kind) => format!("{place} is {kind}"),
    }
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;
