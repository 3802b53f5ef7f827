//! Which names of files are taken. The answer is the same on every system: a connector that is
//! packed here must unpack there. A name is judged as it stands, never mended.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::{ArchiveError, Limits};

/// Bytes of one part of a path, and of a whole one.
const LONGEST: usize = 255;
const LONGEST_PATH: usize = 1024;

/// The name of a file or a folder, without the slash that ends a folder's.
pub(super) fn judged(raw: &[u8], limits: Limits) -> Result<&str, ArchiveError> {
    let Ok(name) = std::str::from_utf8(raw) else {
        return Err(ArchiveError::Name {
            name: String::from_utf8_lossy(raw).into_owned(),
            problem: "is not UTF-8",
        });
    };
    match problem(name, limits) {
        Some(problem) => Err(ArchiveError::Name {
            name: name.to_owned(),
            problem,
        }),
        None => Ok(name),
    }
}

fn problem(name: &str, limits: Limits) -> Option<&'static str> {
    if name.is_empty() {
        return Some("is empty");
    }
    if name.starts_with('/') {
        return Some("is absolute");
    }
    if name.contains('\\') {
        return Some("has a backslash");
    }
    if name.chars().any(|letter| letter.is_control() || is_invisible(letter)) {
        return Some("has a control character");
    }
    if name.contains(['<', '>', ':', '"', '|', '?', '*']) {
        return Some("has a character that Windows does not take");
    }
    if name.len() > LONGEST_PATH {
        return Some("is too long");
    }
    if name.split('/').count() > limits.depth {
        return Some("lies too deep");
    }
    name.split('/').find_map(part)
}

fn part(part: &str) -> Option<&'static str> {
    match part {
        "" => Some("has an empty part"),
        "." | ".." => Some("leads elsewhere"),
        _ if part.ends_with(['.', ' ']) => Some("ends in a dot or a blank"),
        _ if part.len() > LONGEST => Some("is too long"),
        _ if is_device(part) => Some("is a device on Windows"),
        _ => None,
    }
}

/// Letters that turn the writing around or do not show.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let one = |rest: &str| rest.chars().count() == 1 && rest.chars().all(|letter| letter.is_ascii_digit() || "¹²³".contains(letter));
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(&stem.as_str()) || numbered.is_some_and(one)
}

/// What two names have in common when some file system takes one for the other.
pub(super) fn folded(name: &str) -> String {
    let form = ComposingNormalizerBorrowed::new_nfc();
    let folded = form.normalize(name).to_uppercase().to_lowercase();
    form.normalize(&folded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_or_refused_everywhere_alike() {
        for name in [
            "connector.json",
            "a/b-c/_d.py",
            "-rf",
            "~/x",
            " a",
            "é",
            "....",
            "COM10",
            "console",
            "a..b",
        ] {
            let expected = if name == "...." { Some("ends in a dot or a blank") } else { None };
            assert_eq!(problem(name, Limits::CONNECTOR), expected, "{name}");
        }
        for (name, expected) in [
            ("", "is empty"),
            ("/etc/passwd", "is absolute"),
            ("C:x", "has a character that Windows does not take"),
            ("a\\b", "has a backslash"),
            ("a//b", "has an empty part"),
            ("a/../b", "leads elsewhere"),
            ("a\nb", "has a control character"),
            ("a\u{202e}b", "has a control character"),
            ("a /b", "ends in a dot or a blank"),
            ("nul.txt", "is a device on Windows"),
            ("a/LPT¹.x", "is a device on Windows"),
        ] {
            assert_eq!(problem(name, Limits::CONNECTOR), Some(expected), "{name:?}");
        }
        assert_eq!(problem(&"x".repeat(256), Limits::CONNECTOR), Some("is too long"));
        assert_eq!(problem(&"x/".repeat(40), Limits::CONNECTOR), Some("lies too deep"));
    }

    #[test]
    fn names_that_a_system_takes_for_one_fold_to_one() {
        for (a, b) in [
            ("A.TXT", "a.txt"),
            ("é", "e\u{301}"),
            ("ß", "ss"),
            ("K", "\u{212a}"),
            ("É", "e\u{301}"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_ne!(folded("a"), folded("b"));
    }
}
