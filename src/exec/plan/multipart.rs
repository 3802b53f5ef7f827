//! A form as `multipart/form-data` (RFC 7578): a part for each field that is there, in the order of
//! the file. Texts only, no files.

use std::collections::HashSet;

use serde_json::Value;

use super::body::field;
use super::fill::{Fill, Pieces};
use super::{Content, KeyForm, Media, Piece, PlanError};
use crate::model::{Span, Tree};

/// What every boundary begins with.
const BEGINNING: &str = "becket-";
/// Hexadecimal digits after it.
const DIGITS: usize = 32;

/// The line between parts. The same parts always have the same one, and none of their texts holds
/// it. Keys have no value in a plan: whoever fills them in looks for it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boundary(u128);

impl std::fmt::Display for Boundary {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{BEGINNING}{:0DIGITS$x}", self.0)
    }
}

impl Boundary {
    fn of(parts: &[Vec<Piece>]) -> Self {
        let texts = || parts.iter().flatten().map(Piece::text);
        Self::outside(texts().fold(FNV_START, digest), texts())
    }

    /// The number, or the first one after it that no text holds: as many are tried as the texts
    /// hold, and one more.
    fn outside<'t>(mut number: u128, texts: impl Iterator<Item = &'t str>) -> Self {
        let held: HashSet<u128> = texts.flat_map(numbers).collect();
        while held.contains(&number) {
            number = number.wrapping_add(1);
        }
        Self(number)
    }
}

/// The numbers of all boundaries that a text holds.
fn numbers(text: &str) -> impl Iterator<Item = u128> {
    let after = text.match_indices(BEGINNING).map(|(at, _)| at + BEGINNING.len());
    let digits = after.filter_map(|at| text.get(at..at + DIGITS));
    digits.filter_map(|digits| u128::from_str_radix(digits, 16).ok())
}

const FNV_START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// FNV-1a with 128 bits. It may be guessed: a text that holds the boundary only changes it.
fn digest(number: u128, text: &str) -> u128 {
    let step = |number: u128, byte: u8| (number ^ u128::from(byte)).wrapping_mul(FNV_PRIME);
    text.bytes().fold(number, step)
}

/// Nothing when every field is missing: a multipart body has at least one part (RFC 2046, 5.1.1).
pub(super) fn content(fill: &Fill<'_>, fields: &[(String, Tree)], at: Span) -> Result<Option<Content>, PlanError> {
    let mut parts = Vec::new();
    for (name, tree) in fields {
        parts.extend(part(fill, name, tree)?);
    }
    if parts.is_empty() {
        return Ok(None);
    }
    let boundary = Boundary::of(&parts);
    let mut out = Pieces::default();
    for part in parts {
        out.text(&format!("--{boundary}\r\n"));
        out.extend(part);
        out.text("\r\n");
    }
    out.text(&format!("--{boundary}--\r\n"));
    Ok(Some(Content {
        media: Media::Multipart(boundary),
        pieces: out.0,
        at,
    }))
}

/// The head and the value of a part, or nothing when the field is missing.
fn part(fill: &Fill<'_>, name: &str, tree: &Tree) -> Result<Option<Vec<Piece>>, PlanError> {
    let Some(value) = field(fill, tree, KeyForm::Part)? else {
        return Ok(None);
    };
    let media = if is_json(fill, tree) {
        "\r\nContent-Type: application/json"
    } else {
        ""
    };
    let mut part = Pieces::default();
    part.text(&format!(
        "Content-Disposition: form-data; name=\"{}\"{media}\r\n\r\n",
        escaped(name)
    ));
    part.extend(value);
    Ok(Some(part.0))
}

/// Whether the value is a list or an object, which go as JSON text.
fn is_json(fill: &Fill<'_>, tree: &Tree) -> bool {
    match tree {
        Tree::List(_) | Tree::Map(_) => true,
        Tree::Arg { path, .. } => matches!(fill.argument(path), Some(Value::Array(_) | Value::Object(_))),
        Tree::Literal(_) | Tree::Text(_) => false,
    }
}

/// A name between quotes, as browsers write it (HTML, "multipart/form-data encoding algorithm").
fn escaped(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_in_no_text() {
        let last = Boundary(u128::MAX).to_string();
        assert_eq!(last, "becket-ffffffffffffffffffffffffffffffff");
        let texts = [
            "becket-becket-00000000000000000000000000000000é",
            "becket-é",
            &last[..38],
            &format!("{last}0"),
        ];
        for (start, expected) in [(u128::MAX, 1), (u128::MAX - 1, u128::MAX - 1), (0, 1), (1, 1)] {
            assert_eq!(Boundary::outside(start, texts.into_iter()), Boundary(expected));
        }
    }

    #[test]
    fn the_digest_is_fnv_1a() {
        assert_eq!(digest(FNV_START, ""), FNV_START);
        assert_eq!(digest(FNV_START, "a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
