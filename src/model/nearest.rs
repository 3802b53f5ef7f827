//! "Did you mean": the one known name that a misspelt word stands for. Guesses only when there is
//! one good guess.

/// Longer words are not worth guessing about.
const LONGEST: usize = 64;

/// The choice that `word` was meant to be: equal but for case, or the only one with the fewest
/// slips (a letter too many, too few, wrong, or two swapped). Words under three letters may have
/// no slip, under six letters one, longer ones two.
///
/// ```
/// use becket::model::nearest;
/// assert_eq!(nearest("querry", ["query", "limit"]), Some("query"));
/// assert_eq!(nearest("cat", ["bat", "hat"]), None);
/// ```
pub fn nearest<'a>(word: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = lower(word)?;
    let mut best: Option<(usize, &'a str)> = None;
    let mut tied = false;
    for choice in choices {
        let Some(slips) = lower(choice).and_then(|other| slips(&letters, &other)) else {
            continue;
        };
        match best {
            Some((fewest, known)) if slips > fewest || known == choice => {}
            Some((fewest, _)) if slips == fewest => tied = true,
            _ => {
                best = Some((slips, choice));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, choice)| choice)
}

fn lower(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// How many slips turn one word into the other, when that is few enough for a guess.
fn slips(word: &[char], choice: &[char]) -> Option<usize> {
    let most = match word.len().max(choice.len()) {
        0..3 => 0,
        3..6 => 1,
        _ => 2,
    };
    if word.len().abs_diff(choice.len()) > most {
        return None;
    }
    let slips = distance(word, choice);
    (slips <= most).then_some(slips)
}

/// Damerau's distance in its restricted form: no letter is touched twice.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = above[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_once_or_not_at_all() {
        let table: &[(&str, &[&str], Option<&str>)] = &[
            ("querry", &["query", "limit"], Some("query")),
            ("capabilites", &["capabilities", "capability"], Some("capabilities")),
            ("Safe", &["safe", "save"], Some("safe")),
            ("tittle", &["title", "little"], None),
            ("cat", &["bat", "hat"], None),
            ("ID", &["id"], Some("id")),
            ("ie", &["id"], None),
            ("ur", &["url"], Some("url")),
            ("metohd", &["method"], Some("method")),
            ("ehlo", &["hello"], None),
            ("firstName", &["first_name"], Some("first_name")),
            ("query", &["query", "query"], Some("query")),
            ("naïv", &["naïve"], Some("naïve")),
            ("description", &["desc"], None),
            ("", &["", "a"], Some("")),
            ("x", &[], None),
        ];
        for (word, choices, expected) in table {
            assert_eq!(nearest(word, choices.iter().copied()), *expected, "{word}");
        }
    }

    #[test]
    fn very_long_words_are_not_compared() {
        let long = "a".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
