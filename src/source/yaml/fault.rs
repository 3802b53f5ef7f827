//! What can be wrong with a YAML text, in words. The parser's own words remain for what authors
//! seldom meet.

use granit_parser::{ErrorKind, ScanError};

use super::super::{Limits, Span, SyntaxError, letter};

pub(super) fn fault(span: Span, message: impl Into<String>, help: impl Into<String>) -> SyntaxError {
    SyntaxError {
        message: message.into(),
        span,
        help: Some(help.into()),
    }
}

pub(super) fn too_deep(span: Span, limits: Limits) -> SyntaxError {
    SyntaxError {
        message: format!("nested deeper than {} levels", limits.depth),
        span,
        help: None,
    }
}

pub(super) fn too_many(span: Span, limits: Limits) -> SyntaxError {
    SyntaxError {
        message: format!("more than {} values", limits.nodes),
        span,
        help: None,
    }
}

pub(super) fn too_much(span: Span, limits: Limits) -> SyntaxError {
    let message = format!("aliases stand for more than {} values", limits.aliased);
    fault(span, message, "write the values out, or share fewer of them")
}

pub(super) fn own_alias(span: Span) -> SyntaxError {
    let message = "an alias inside the value that it stands for";
    fault(span, message, "point the alias at another value")
}

pub(super) fn empty() -> SyntaxError {
    fault(Span::default(), "the file is empty", "write `key: value` lines")
}

pub(super) fn second_document(span: Span) -> SyntaxError {
    let message = "a second document starts here";
    fault(span, message, "keep one document in the file")
}

pub(super) fn control(at: usize, byte: u8) -> SyntaxError {
    let message = format!("a raw control character (U+{byte:04X})");
    let help = format!("remove it, or write it as `\\x{byte:02x}` in double quotes");
    fault(Span::new(at, at + 1), message, help)
}

pub(super) fn key_with_parts(span: Span, kind: &str) -> SyntaxError {
    let message = format!("{kind} as a key");
    fault(
        span,
        message,
        "write the key as text; put text that starts with `{` or `[` in quotes",
    )
}

pub(super) fn no_key(span: Span) -> SyntaxError {
    fault(span, "a value without a key", "write a key before the `:`")
}

pub(super) fn bad_merge(span: Span) -> SyntaxError {
    let message = "`<<` needs an object or a list of objects";
    fault(span, message, "give it an alias of an object, or put `<<` in quotes")
}

/// A tag is shown when it is short.
pub(super) fn bad_tag(span: Span, tag: &str) -> SyntaxError {
    let message = match tag.len() {
        0..=40 => format!(
            "the tag `{}` does not fit this value or is not known",
            tag.chars().map(letter).collect::<String>()
        ),
        _ => "a tag that is not known".to_owned(),
    };
    fault(span, message, "remove the tag, or put text that starts with `!` in quotes")
}

pub(super) fn of_parser(error: &ScanError, text: &str, limits: Limits) -> SyntaxError {
    let at = error.marker().byte_offset().unwrap_or_default().min(text.len());
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    let span = Span::new(at, at + here.map_or(0, char::len_utf8));
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return too_deep(span, limits);
    }
    let Some((message, help)) = known(error.kind()) else {
        return SyntaxError {
            message: error.kind().to_string().replace('`', "'"),
            span,
            help: None,
        };
    };
    fault(span, message, help)
}

/// What authors meet most: the sign that is wrong is named where there is one.
fn known(kind: &ErrorKind) -> Option<(String, &'static str)> {
    let (message, help) = match kind {
        ErrorKind::UnexpectedCharacter { character } if character.is_control() => (
            format!("a raw control character (U+{:04X})", u32::from(*character)),
            "remove it, or write it as an escape in double quotes",
        ),
        ErrorKind::UnexpectedCharacter { character: '`' } => ("text that starts with a backtick".to_owned(), "put the text in quotes"),
        ErrorKind::UnexpectedCharacter { character } => {
            (format!("text that starts with `{}`", letter(*character)), "put the text in quotes")
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            (format!("`{open}` is closed by `{close}`"), "close what was opened last first")
        }
        ErrorKind::UnclosedFlowCollection { open } => (
            format!("`{open}` is not closed"),
            "close it, and check that commas stand between its parts",
        ),
        _ => return fixed(kind).map(|(message, help)| (message.to_owned(), help)),
    };
    Some((message, help))
}

fn fixed(kind: &ErrorKind) -> Option<(&'static str, &'static str)> {
    use ErrorKind as Kind;
    Some(match kind {
        Kind::TabNotAllowed | Kind::TabInBlockIndentation | Kind::TabInIndentation | Kind::TabAtBlockScalarStart => {
            ("a tab in the indentation", "indent with spaces")
        }
        Kind::UnknownAnchor => (
            "an alias without its anchor",
            "write `&name` before the value to share, or put text that starts with `*` in quotes",
        ),
        Kind::UnclosedQuotedScalar => ("a quote that is not closed", "close the text with the same quote"),
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => {
            ("text after the closing quote", "put the whole text in one pair of quotes")
        }
        Kind::MappingValueNotAllowed | Kind::InvalidColonPlacement | Kind::InvalidMappingValueWhitespace => (
            "a `:` where no value can begin",
            "put text that holds `: ` in quotes, or mend the indentation",
        ),
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => ("a line without `:` among keys", "write it as `key: value`"),
        Kind::ExpectedBlockMappingKey
        | Kind::ExpectedBlockSequenceEntry
        | Kind::BlockSequenceEntryNotAllowed
        | Kind::InvalidIndentation
        | Kind::InvalidBlockScalarIndent
        | Kind::InvalidQuotedScalarIndent
        | Kind::InvalidFlowScalarIndent => (
            "a line that does not fit the indentation above it",
            "indent it like the lines that it belongs to",
        ),
        Kind::ExpectedFlowMappingSeparator => ("a part that is not followed by `,` or `}`", "add the comma or the brace"),
        Kind::ExpectedFlowSequenceSeparator => ("a part that is not followed by `,` or `]`", "add the comma or the bracket"),
        Kind::UnsupportedYamlMajorVersion => ("a YAML version that is not known", "write `%YAML 1.2`, or remove the line"),
        Kind::UnknownQuotedScalarEscape => (
            "an escape that YAML does not have",
            "write `\\\\` for a backslash, or use single quotes",
        ),
        Kind::InvalidLowSurrogateHexEscape | Kind::InvalidLowSurrogate | Kind::MissingLowSurrogate | Kind::UnpairedLowSurrogate => {
            ("half of a surrogate pair", "write both halves, or the character itself")
        }
        Kind::UndeclaredTagHandle => (
            "a tag that is not known",
            "remove the tag, or put text that starts with `!` in quotes",
        ),
        _ => return None,
    })
}
