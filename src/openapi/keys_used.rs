//! Which keys the chosen operations need: one alternative for each, the same for as many as
//! possible, and whether a key goes on every request or only on some.

use super::security::{ApiKey, Need, Origin, share};
use super::{Api, Operation};

/// Keys by their number in [`Api::keys`].
#[derive(Debug, Default)]
pub(super) struct KeysUsed {
    /// On every request.
    pub(super) everywhere: Vec<usize>,
    /// For each chosen operation, the others.
    pub(super) own: Vec<Vec<usize>>,
}

impl KeysUsed {
    /// Every key that is used, in the order of the description.
    pub(super) fn all(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.everywhere.iter().chain(self.own.iter().flatten()).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

pub(super) fn keys_used(api: &Api<'_>, chosen: &[&Operation<'_>]) -> KeysUsed {
    let mut sets: Vec<Vec<usize>> = chosen.iter().map(|operation| set(api, operation, chosen)).collect();
    for set in &mut sets {
        set.retain(|key| !api.asked_keys.contains(key));
    }
    let mut used = KeysUsed {
        everywhere: api.asked_keys.clone().collect(),
        own: Vec::new(),
    };
    let first = sets.first().cloned().unwrap_or_default();
    used.everywhere
        .extend(first.into_iter().filter(|key| sets.iter().all(|set| set.contains(key))));
    used.own = sets
        .into_iter()
        .map(|set| set.into_iter().filter(|key| !used.everywhere.contains(key)).collect())
        .collect();
    used
}

/// The keys of one operation: an alternative of its requirements and its own key parameters.
fn set(api: &Api<'_>, operation: &Operation<'_>, chosen: &[&Operation<'_>]) -> Vec<usize> {
    let mut set = match &operation.need {
        Need::Unstated => api.every_key.clone(),
        Need::Cookie => Vec::new(),
        Need::OneOf(sets) => {
            let named = sets.iter().enumerate().filter(|(_, set)| !set.is_empty());
            let best = named.min_by_key(|(at, set)| (std::cmp::Reverse(common(set, chosen)), rank(&api.keys, set), *at));
            best.map(|(_, set)| set.clone()).unwrap_or_default()
        }
    };
    for key in &operation.param_keys {
        if !set.iter().any(|other| share(&api.keys, *other, *key)) {
            set.push(*key);
        }
    }
    let mut kept: Vec<usize> = Vec::new();
    for key in set {
        if !kept.iter().any(|other| share(&api.keys, *other, key)) {
            kept.push(key);
        }
    }
    kept.sort_unstable();
    kept
}

/// On how many of the chosen operations these keys would do.
fn common(set: &Vec<usize>, chosen: &[&Operation<'_>]) -> usize {
    let takes = |operation: &&&Operation<'_>| match &operation.need {
        Need::OneOf(sets) => sets.contains(set),
        Need::Unstated | Need::Cookie => false,
    };
    chosen.iter().filter(takes).count()
}

/// A key that stays before a token that expires.
fn rank(keys: &[ApiKey], set: &[usize]) -> usize {
    set.iter().filter(|key| keys[**key].origin == Origin::Pasted).count()
}
