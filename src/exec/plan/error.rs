//! Why a call can't be planned. Messages name the argument, never its value.

use crate::model::ArgPath;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("`{connector}` has no capability `{name}`")]
    NoSuchCapability { connector: String, name: String },
    #[error("`{connector}` has no HTTP requests")]
    NotHttp { connector: String },
    #[error("`{capability}` has no request")]
    NoRequest { capability: String },
    #[error("missing {}: `{capability}` needs {} for its path", listed(names), if names.len() == 1 { "it" } else { "them" })]
    MissingArgument { capability: String, names: Vec<ArgPath> },
    #[error("`{argument}` is {kind}, and {place} takes one value")]
    NotAScalar {
        argument: ArgPath,
        kind: &'static str,
        place: Place,
    },
    #[error("`{argument}` is empty, and {} takes a value", Place::Path)]
    EmptySegment { argument: ArgPath },
    #[error("{} would turn a part of the path into `.` or `..`", quoted(arguments))]
    DotSegment { arguments: Vec<ArgPath> },
    #[error("the path of `{capability}` has a part that is `.` or `..`")]
    DotInPath { capability: String },
    #[error("`{argument}` has a control character, which a path may not have")]
    Control { argument: ArgPath },
    #[error("`{key}` is a key, which a path may not have")]
    KeyInPath { key: String },
    #[error("`{header}` has a line break")]
    HeaderLineBreak { header: String },
    #[error("`{header}` has a control character")]
    HeaderControl { header: String },
    #[error("`{header}` is longer than 16 KiB")]
    HeaderTooLong { header: String },
    #[error("`{header}` is not a header name")]
    HeaderName { header: String },
    #[error("`{header}` may not be set by a connector")]
    ForbiddenHeader { header: String },
    #[error("`{header}` may not be set by a read: it can turn it into a change")]
    MethodOverride { header: String },
    #[error("`{argument}` has a blank inside, and its parameter joins values with blanks")]
    BlankInside { argument: ArgPath },
    #[error("`{argument}` has a field name that does not fit in brackets")]
    FieldName { argument: ArgPath },
    #[error("`{key}` stands inside the JSON text of a form field, where a key has no sure form")]
    KeyInFormJson { key: String },
}

/// A place that takes one value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Path,
    Header(String),
    Bracket,
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Path => out.write_str("the path"),
            Self::Header(name) => write!(out, "the header `{name}`"),
            Self::Bracket => out.write_str("each part of a `deepObject` list"),
        }
    }
}

fn listed(names: &[ArgPath]) -> String {
    names.iter().map(ArgPath::to_string).collect::<Vec<_>>().join(", ")
}

fn quoted(names: &[ArgPath]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}
