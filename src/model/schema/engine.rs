//! The calls to the jsonschema crate. Nothing is fetched: the crate is built without its network
//! and file readers, and told to be offline besides.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, draft4, draft6, draft7, draft201909, draft202012};
use serde_json::{Value, json};

use super::{ArgumentProblem, Draft, SchemaFault, SchemaProblem, words};

pub(super) use jsonschema::Validator;

/// How often a pattern with look-around may try again before its value is called too costly.
const BACKTRACKS: usize = 10_000;
/// Bytes of a compiled pattern.
const PATTERN: usize = 1 << 20;
/// Problems of one value, or of one schema.
const MOST: usize = 50;

/// Builds a validator for a schema that was checked.
pub(super) fn build(schema: &Value) -> Result<Validator, SchemaProblem> {
    let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(PATTERN);
    let options = jsonschema::options().offline().with_pattern_options(patterns);
    options.build(schema).map_err(|error| refused(&error))
}

fn refused(error: &ValidationError<'_>) -> SchemaProblem {
    let referencing = matches!(error.kind(), ValidationErrorKind::Referencing(_));
    SchemaProblem {
        pointer: error.instance_path().as_str().to_owned(),
        fault: if referencing { SchemaFault::Reference } else { SchemaFault::Shape },
        message: if referencing {
            "a reference leads nowhere in the schema".to_owned()
        } else {
            words::of_keyword(error).0
        },
        help: None,
    }
}

/// What the meta-schema of a draft says against a schema.
pub(super) fn misshapen(schema: &Value, draft: Draft) -> Vec<SchemaProblem> {
    let meta = match draft {
        Draft::V4 => draft4::meta::validator(),
        Draft::V6 => draft6::meta::validator(),
        Draft::V7 => draft7::meta::validator(),
        Draft::V2019 => draft201909::meta::validator(),
        Draft::V2020 => draft202012::meta::validator(),
    };
    let mut problems: Vec<SchemaProblem> = Vec::new();
    for error in meta.iter_errors(schema).take(MOST) {
        let (message, help) = words::of_keyword(&error);
        let pointer = error.instance_path().as_str().to_owned();
        // Several parts of the meta-schema say the same; patterns are judged by us.
        let again = problems.iter().any(|known| known.pointer == pointer);
        if !again && !matches!(error.kind(), ValidationErrorKind::Format { .. }) {
            problems.push(SchemaProblem {
                pointer,
                fault: SchemaFault::Shape,
                message,
                help,
            });
        }
    }
    problems
}

/// Everything that is wrong with a value.
pub(super) fn judge(validator: &Validator, root: &Value, value: &Value) -> Vec<ArgumentProblem> {
    if validator.is_valid(value) {
        return Vec::new();
    }
    let problems = validator
        .iter_errors(value)
        .take(MOST)
        .flat_map(|error| words::of_argument(root, &error));
    problems.take(MOST).collect()
}

/// What a regular expression costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    Linear,
    Costly,
    Broken,
}

/// Judges a pattern as the validator would read it.
pub(super) fn pattern(text: &str) -> Pattern {
    let linear = PatternOptions::regex().size_limit(PATTERN);
    let schema = json!({ "pattern": text });
    if jsonschema::options().offline().with_pattern_options(linear).build(&schema).is_ok() {
        Pattern::Linear
    } else if looks_around(text) && build(&schema).is_ok() {
        Pattern::Costly
    } else {
        Pattern::Broken
    }
}

/// Whether a pattern may hold what only a backtracking engine can do.
fn looks_around(pattern: &str) -> bool {
    let around = ["(?=", "(?!", "(?<=", "(?<!", "\\k"];
    let back = pattern
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'\\' && matches!(pair[1], b'1'..=b'9'));
    back || around.iter().any(|sign| pattern.contains(sign))
}
