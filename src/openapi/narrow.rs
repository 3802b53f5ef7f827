//! Words that choose fewer operations, for a choice that is more than a connector takes.

use std::collections::BTreeMap;

use super::choose::matching;
use super::{Api, MOST, Operation};

/// How many words are offered.
const OFFERED: usize = 7;
/// How many steps of a path a word has at most.
const STEPS: usize = 6;

/// How many operations a tag or the start of a path would choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrow {
    pub word: String,
    pub count: usize,
}

/// Words that choose some of these operations and not too many, the largest first.
pub(super) fn narrower(api: &Api<'_>, picked: &[usize]) -> Vec<Narrow> {
    let live: Vec<&Operation<'_>> = api.operations.iter().filter(|operation| !operation.deprecated).collect();
    let picked: Vec<&Operation<'_>> = picked.iter().map(|at| &api.operations[*at]).collect();
    let mut found = tags(&live, &picked);
    let mut open = picked;
    for steps in 1..=STEPS {
        let counts = counted(live.iter().filter_map(|operation| start(operation.path, steps)));
        let count = |operation: &Operation<'_>| {
            let word = start(operation.path, steps)?;
            counts.get(&word).map(|count| (word, *count))
        };
        found.extend(
            open.iter()
                .filter_map(|operation| count(operation))
                .filter(|(_, count)| *count <= MOST),
        );
        open.retain(|operation| count(operation).is_some_and(|(_, count)| count > MOST));
    }
    let mut narrower: Vec<Narrow> = found.into_iter().map(|(word, count)| Narrow { word, count }).collect();
    narrower.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
    // A star also stands for steps that are no blank.
    let chooses = |word: &str| matching(api, word).map_or(0, |found| found.len());
    let exact = narrower.into_iter().filter(|narrow| chooses(&narrow.word) == narrow.count);
    exact.take(OFFERED).collect()
}

fn tags(live: &[&Operation<'_>], picked: &[&Operation<'_>]) -> BTreeMap<String, usize> {
    let tags = |operations: &[&Operation<'_>]| {
        counted(
            operations
                .iter()
                .flat_map(|operation| &operation.tags)
                .map(|tag| format!("tag:{tag}")),
        )
    };
    let of_picked = tags(picked);
    let mut counts = tags(live);
    counts.retain(|word, count| *count <= MOST && of_picked.contains_key(word));
    counts
}

fn counted(words: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// `path:/repos/*/**`: the first steps of a path, its blanks as stars; nothing when it has fewer.
fn start(path: &str, steps: usize) -> Option<String> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let mut parts = path.trim_matches('/').split('/');
    let first: Vec<&str> = parts
        .by_ref()
        .take(steps)
        .map(|step| if step.starts_with('{') { "*" } else { step })
        .collect();
    (first.len() == steps && !first[0].is_empty()).then(|| format!("path:/{}/**", first.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_path() {
        assert_eq!(start("/v1/pets/{id}", 1).as_deref(), Some("path:/v1/**"));
        assert_eq!(start("/v1/pets/{id}?x=y", 3).as_deref(), Some("path:/v1/pets/*/**"));
        assert_eq!(start("/v1/pets/", 3), None);
        assert_eq!(start("/", 1), None);
    }
}
