//! A value that must not be seen.

use zeroize::Zeroizing;

/// A shorter value is replaced only where it stands as a word of its own.
pub(super) const SHORT: usize = 6;

/// Why a header cannot carry a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    LineBreak,
    Control,
    NotAscii,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::LineBreak => "has a line break",
            Self::Control => "has a control character",
            Self::NotAscii => "has a character outside ASCII",
        })
    }
}

/// A key's value. It has no `Debug`, no `Display` and no `Clone`; its memory is cleared when it is
/// dropped. [`Secret::expose`] may be called only where bytes leave for the service.
pub struct Secret(Zeroizing<String>);

impl Secret {
    pub fn new(value: impl Into<String>) -> Self {
        Self(Zeroizing::new(value.into()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn holds(&self, letter: char) -> bool {
        self.0.contains(letter)
    }

    pub fn has_blanks_around(&self) -> bool {
        self.0.trim().len() != self.0.len()
    }

    pub fn same(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    /// Whether it is so short that text may hold it by chance: it is masked only as a word.
    pub fn is_short(&self) -> bool {
        self.0.len() < SHORT
    }

    /// Why a header cannot carry it.
    pub fn unfit_for_header(&self) -> Option<Unfit> {
        let value = one_line(&self.0);
        if value.contains(['\r', '\n']) {
            Some(Unfit::LineBreak)
        } else if value.contains(char::is_control) {
            Some(Unfit::Control)
        } else if !value.is_ascii() {
            Some(Unfit::NotAscii)
        } else {
            None
        }
    }

    /// The value. `tests/it/layers.rs` lists the files that may ask for it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

fn one_line(value: &str) -> &str {
    let line = value.strip_suffix('\n');
    line.map_or(value, |line| line.strip_suffix('\r').unwrap_or(line))
}
