//! Names and choices as messages show them: in backticks, printable, not too many, without what
//! may be a key.

use super::credential;

/// How many choices a message names.
const NAMED: usize = 7;
/// How much of a name or a pattern is shown.
const SHOWN: usize = 80;

/// A name in backticks, on one line and not too long.
///
/// ```
/// use becket::model::quoted;
/// assert_eq!(quoted("it's \n"), "`it's \\n`");
/// ```
pub fn quoted(name: &str) -> String {
    cut(name, SHOWN)
}

/// As [`quoted`], at most `most` letters of it.
pub(super) fn cut(name: &str, most: usize) -> String {
    let near: String = name.chars().take(2 * most).collect();
    let near = credential::masked(&near);
    let shown: String = near.chars().take(most).map(letter).collect();
    let more = if near.chars().nth(most).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

/// A letter that ends no line. What hides letters is for the writer of messages to show.
fn letter(letter: char) -> String {
    match letter {
        _ if letter.is_control() => letter.escape_debug().to_string(),
        _ => letter.to_string(),
    }
}

/// Choices in backticks, at most seven of them.
///
/// ```
/// use becket::model::listed;
/// assert_eq!(listed(["a", "b"]), "`a`, `b`");
/// assert_eq!(listed(["1", "2", "3", "4", "5", "6", "7", "8"]), "`1`, `2`, `3`, `4`, `5`, `6`, `7` and 1 more");
/// ```
pub fn listed<'a>(choices: impl IntoIterator<Item = &'a str>) -> String {
    each(choices.into_iter().map(quoted))
}

/// Words joined, at most seven of them.
pub(super) fn each(words: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = words.into_iter().collect();
    let shown = all.get(..NAMED).unwrap_or(&all).join(", ");
    match all.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
