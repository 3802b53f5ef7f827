//! Names that the released host's import gives to operations, arguments and keys, and the shorter
//! form that fits the longest client prefix.

use std::collections::{HashMap, HashSet};

/// The host cuts a method name here.
const METHOD: usize = 60;
/// What a client accepts as a tool's name, its own prefix included.
const TOOL: usize = 64;
/// `mcp__<connector>__<connector>_<method>`: the longest prefix that a known client adds.
const PREFIX: usize = "mcp__".len() + "__".len() + "_".len();
/// However long the connector's name is, a method keeps this much.
const LEAST: usize = 16;

/// Gives every name once: `x`, `x_2`, `x_3`.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl Names {
    pub(super) fn take(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let next = self.next.entry(name.clone()).or_insert(2);
        loop {
            let numbered = format!("{name}_{next}");
            *next += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// A method name before it is cut and made unique.
pub(super) fn method_name(operation_id: Option<&str>, method: &str, path: &str) -> String {
    let given = operation_id.map_or_else(
        || {
            let steps = path.split('/').filter(|step| !step.is_empty() && !step.starts_with('{'));
            std::iter::once(method).chain(steps).collect::<Vec<_>>().join("_")
        },
        str::to_owned,
    );
    let name = snake(&given);
    match name.bytes().next() {
        None => method.to_owned(),
        Some(b'0'..=b'9') => format!("op_{name}"),
        Some(_) => name,
    }
}

/// The host's cut.
pub(super) fn cut(name: &str) -> &str {
    name.get(..METHOD).unwrap_or(name).trim_matches('_')
}

fn snake(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for letter in text.chars() {
        if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        let lower = letter.to_ascii_lowercase();
        if lower.is_ascii_lowercase() || lower.is_ascii_digit() || lower == '_' {
            out.push(lower);
        } else if !out.ends_with('_') || before == '_' {
            out.push('_');
        }
        before = letter;
    }
    out.trim_matches('_').to_owned()
}

/// The method's name inside `connector`: the host's, unless the tool would be too long for a
/// client. Then a cut of the whole name and a mark of what was cut, which depends on the operation
/// alone.
pub(super) fn fit(id: &str, whole: &str, mark: &str, connector: &str) -> String {
    let most = TOOL
        .saturating_sub(PREFIX + 2 * connector.len())
        .max(LEAST)
        .min(TOOL - 1 - connector.len());
    if id.len() <= most {
        return id.to_owned();
    }
    let kept = whole.get(..most - 6).unwrap_or(whole).trim_matches('_');
    format!("{kept}_{}", fingerprint(mark))
}

/// Five characters of `[a-z0-9]` from the FNV-1a hash of the text.
fn fingerprint(text: &str) -> String {
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (0..5)
        .map(|_| {
            let digit = u32::try_from(hash % 36).unwrap_or_default();
            hash /= 36;
            char::from_digit(digit, 36).unwrap_or('0')
        })
        .collect()
}

/// An argument's name before it is made unique.
pub(super) fn argument_name(wire: &str) -> String {
    let name = runs(wire, |letter| letter.is_ascii_alphanumeric() || letter == '_');
    if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
        format!("p_{name}")
    } else {
        name
    }
}

/// The environment variable of a key before it is made unique.
pub(super) fn key_name(scheme: &str) -> String {
    let mut name = runs(&scheme.to_ascii_uppercase(), |letter| {
        letter.is_ascii_uppercase() || letter.is_ascii_digit()
    });
    if !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        name.insert_str(0, "KEY_");
        name.truncate(name.trim_end_matches('_').len());
    }
    if !name.ends_with("KEY") && !name.ends_with("TOKEN") {
        name.push_str("_KEY");
    }
    name
}

/// Runs of other characters become one `_`, none at the ends.
fn runs(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for letter in text.chars() {
        if keep(letter) {
            if gap {
                out.push('_');
            }
            gap = false;
            out.push(letter);
        } else {
            gap = true;
        }
    }
    out.trim_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_named_as_the_host_names_them() {
        for (id, expected) in [
            ("listAPIKeys", "list_apikeys"),
            ("Books.Search v2", "books_search_v2"),
            ("42answers", "op_42answers"),
            ("日本", "get"),
            ("../../x", "x"),
            ("\u{1b}[31mx", "31mx"),
            ("a__b", "a__b"),
        ] {
            let expected = if expected.starts_with("31") { "op_31mx" } else { expected };
            assert_eq!(method_name(Some(id), "get", "/x"), expected, "{id}");
        }
        assert_eq!(method_name(None, "get", "/books/{isbn}/pages"), "get_books_pages");
    }

    #[test]
    fn keys_are_upper_case_and_say_what_they_are() {
        for (scheme, expected) in [
            ("shelfAuth", "SHELFAUTH_KEY"),
            ("x.token", "X_TOKEN"),
            ("api_key", "API_KEY"),
            ("2fa", "KEY_2FA_KEY"),
            ("", "KEY"),
            ("ключ", "KEY"),
        ] {
            assert_eq!(key_name(scheme), expected);
        }
    }

    #[test]
    fn a_long_name_is_cut_with_a_mark_of_its_own() {
        let long = "a".repeat(80);
        let first = fit(cut(&long), &format!("{long}x"), "x", "petstore");
        let second = fit(cut(&long), &format!("{long}y"), "y", "petstore");
        assert_eq!(first.len(), 40);
        assert_ne!(first, second);
        assert_eq!(fit("get_books", "get_books", "", "shelf"), "get_books");
        for length in 2..=31 {
            let name = "c".repeat(length);
            assert!(name.len() + 1 + fit(&long, &long, "z", &name).len() <= TOOL);
        }
    }
}
