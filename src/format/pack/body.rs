//! Where a value goes in a body: dots in a name nest, and a number steps into a list that is
//! already there (`filters.0.value`).

use crate::model::Tree;

/// Why a name leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    #[error("`{name}` has nothing between two dots, or a dot at an end")]
    Empty { name: String },
    #[error("`{name}` steps into a list at `{at}`, and `fixed` has none there")]
    NoList { name: String, at: String },
    #[error("`{name}` steps to {step} of the list at `{at}`, and `fixed` gives it {length}")]
    TooShort {
        name: String,
        at: String,
        step: String,
        length: usize,
    },
    #[error("`{name}` goes into `{at}`, which is no object")]
    NotAnObject { name: String, at: String },
    #[error("`{name}` has a value already")]
    Taken { name: String },
}

/// Whether a name has a step of digits.
pub fn steps_into_list(name: &str) -> bool {
    name.split('.').any(is_number)
}

fn is_number(step: &str) -> bool {
    !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit())
}

/// Puts a value where its name says.
pub fn put(root: &mut Vec<(String, Tree)>, name: &str, value: Tree) -> Result<(), StepError> {
    let steps: Vec<&str> = name.split('.').collect();
    if steps.iter().any(|step| step.is_empty()) {
        return Err(StepError::Empty { name: name.to_owned() });
    }
    let [first, rest @ ..] = steps.as_slice() else { return Ok(()) };
    if is_number(first) {
        return Err(StepError::NoList {
            name: name.to_owned(),
            at: String::new(),
        });
    }
    let path = Path { name, done: first };
    enter_map(root, first, rest, value, path)
}

/// The whole name and how much of it has been walked.
#[derive(Clone, Copy)]
struct Path<'n> {
    name: &'n str,
    done: &'n str,
}

impl<'n> Path<'n> {
    fn step(self, step: &str) -> Self {
        let end = (self.done.len() + 1 + step.len()).min(self.name.len());
        Self {
            done: &self.name[..end],
            ..self
        }
    }
}

fn enter_map(map: &mut Vec<(String, Tree)>, step: &str, rest: &[&str], value: Tree, path: Path<'_>) -> Result<(), StepError> {
    let place = map.iter().position(|(key, _)| key == step);
    let Some(place) = place else {
        let mut fresh = None;
        walk(&mut fresh, rest, value, path)?;
        map.extend(fresh.map(|tree| (step.to_owned(), tree)));
        return Ok(());
    };
    let mut held = Some(std::mem::replace(&mut map[place].1, Tree::List(Vec::new())));
    let ended = walk(&mut held, rest, value, path);
    if let Some(tree) = held {
        map[place].1 = tree;
    }
    ended
}

/// Goes on from a place in the body, which may still be empty.
fn walk(place: &mut Option<Tree>, rest: &[&str], value: Tree, path: Path<'_>) -> Result<(), StepError> {
    let Some((step, rest)) = rest.split_first() else {
        if place.is_some() {
            return Err(StepError::Taken {
                name: path.name.to_owned(),
            });
        }
        *place = Some(value);
        return Ok(());
    };
    let (name, at) = (path.name.to_owned(), path.done.to_owned());
    let next = path.step(step);
    match place {
        Some(Tree::List(items)) if is_number(step) => {
            let length = items.len();
            let Some(item) = step.parse().ok().and_then(|index: usize| items.get_mut(index)) else {
                let step = (*step).to_owned();
                return Err(StepError::TooShort { name, at, step, length });
            };
            let mut held = Some(std::mem::replace(item, Tree::List(Vec::new())));
            let ended = walk(&mut held, rest, value, next);
            if let Some(tree) = held {
                *item = tree;
            }
            ended
        }
        _ if is_number(step) => Err(StepError::NoList { name, at }),
        None => {
            let mut map = Vec::new();
            enter_map(&mut map, step, rest, value, next)?;
            *place = Some(Tree::Map(map));
            Ok(())
        }
        Some(Tree::Map(map)) => enter_map(map, step, rest, value, next),
        Some(_) => Err(StepError::NotAnObject { name, at }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::model::Span;

    fn body(fixed: &Value, names: &[&str]) -> Result<String, StepError> {
        let Tree::Map(mut root) = Tree::from_value(fixed, Span::default()).unwrap() else {
            panic!("an object")
        };
        for name in names {
            put(&mut root, name, Tree::Literal(json!("v")))?;
        }
        Ok(Tree::Map(root).to_value().to_string())
    }

    #[test]
    fn dots_nest_and_numbers_step_into_lists() {
        let table = [
            (json!({}), vec!["a"], r#"{"a":"v"}"#),
            (json!({}), vec!["a.b.c", "a.b.d", "e"], r#"{"a":{"b":{"c":"v","d":"v"}},"e":"v"}"#),
            (
                json!({"q": {"filters": [{"type": "x"}, {}]}}),
                vec!["q.filters.0.value", "q.filters.1.value"],
                r#"{"q":{"filters":[{"type":"x","value":"v"},{"value":"v"}]}}"#,
            ),
            (json!({"l": [[{}]]}), vec!["l.0.0.k"], r#"{"l":[[{"k":"v"}]]}"#),
        ];
        for (fixed, names, expected) in table {
            assert_eq!(body(&fixed, &names).as_deref(), Ok(expected), "{names:?}");
        }
    }

    #[test]
    fn a_name_that_leads_nowhere_says_where_it_stops() {
        let table = [
            (
                json!({}),
                "filters.0.value",
                "`filters.0.value` steps into a list at `filters`, and `fixed` has none there",
            ),
            (json!({}), "0.a", "`0.a` steps into a list at ``, and `fixed` has none there"),
            (
                json!({"a": {"l": [1]}}),
                "a.l.1.x",
                "`a.l.1.x` steps to 1 of the list at `a.l`, and `fixed` gives it 1",
            ),
            (json!({"a": 1}), "a.b", "`a.b` goes into `a`, which is no object"),
            (json!({"a": 1}), "a", "`a` has a value already"),
            (json!({"l": [1]}), "l.x", "`l.x` goes into `l`, which is no object"),
            (json!({"l": [1]}), "l.0", "`l.0` has a value already"),
            (json!({}), "a..b", "`a..b` has nothing between two dots, or a dot at an end"),
        ];
        for (fixed, name, expected) in table {
            assert_eq!(
                body(&fixed, &[name]).map_err(|error| error.to_string()),
                Err(expected.to_owned()),
                "{name}"
            );
        }
    }
}
