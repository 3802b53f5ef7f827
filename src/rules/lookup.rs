//! Words of a file, found by name. A sorted list: for the few words of a usual file it costs a
//! fraction of a hash map, and names that are made to collide cannot slow it down.

/// Words and what each stands for.
pub(super) struct Lookup<'t, T = ()>(Vec<(&'t str, T)>);

impl<'t, T: Copy> FromIterator<(&'t str, T)> for Lookup<'t, T> {
    fn from_iter<I: IntoIterator<Item = (&'t str, T)>>(words: I) -> Self {
        let mut words: Vec<_> = words.into_iter().collect();
        words.sort_by_key(|(word, _)| *word);
        Self(words)
    }
}

impl<'t> FromIterator<&'t str> for Lookup<'t> {
    fn from_iter<I: IntoIterator<Item = &'t str>>(words: I) -> Self {
        words.into_iter().map(|word| (word, ())).collect()
    }
}

impl<T: Copy> Lookup<'_, T> {
    /// What a word stands for; of several with one name, what the last one does.
    pub(super) fn get(&self, word: &str) -> Option<T> {
        let after = self.0.partition_point(|(known, _)| *known <= word);
        let (known, value) = self.0.get(after.checked_sub(1)?)?;
        (*known == word).then_some(*value)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Lookup;

    #[test]
    fn the_last_of_a_name_is_found() {
        let words: Lookup<'_, u8> = [("b", 1), ("a", 2), ("b", 3), ("", 4)].into_iter().collect();
        assert_eq!(
            ["", "a", "b", "c", "aa"].map(|word| words.get(word)),
            [Some(4), Some(2), Some(3), None, None]
        );
        let none: Lookup<'_> = std::iter::empty::<&str>().collect();
        assert!(!none.has(""));
    }
}
