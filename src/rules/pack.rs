//! What a profile's `api` block says, judged: the address, tools, methods and limits. [`check`]
//! takes the text of one profile; [`host_field`] judges what an owner fills in.

mod around;
mod tool;

use crate::diag::{Edit, Finding, Level, table};
use crate::format::Word;
use crate::format::pack::{self, ApiBlock, AuthBlock, Limit, Profile, ToolBlock};
use crate::model::{Base, BaseError, Method, Scheme, Span, is_forbidden_header, is_header_name, nearest};
use crate::source::{self, Doc, Limits, Source, SyntaxError};

use super::listed;
use super::requests::{PathRules, Written, judge_address, judge_path};

const ADDRESS: Written = Written {
    bad: &table::BAD_BASE_URL,
    odd: &table::ODD_BASE_URL,
    query: false,
};
const PATH: PathRules = PathRules {
    bad: &table::BAD_PACK_PATH,
    odd: &table::ODD_PACK_PATH,
    query: &table::BAD_PACK_PATH,
    query_place: "`params` or `fixed`",
    braces: true,
};

/// First words that ChatPilot refuses, by its own documentation.
const REFUSED: [&str; 3] = ["create", "pause", "update"];
/// First words that sound like writing too.
const WRITING: [&str; 22] = [
    "add", "approve", "assign", "block", "cancel", "change", "delete", "disable", "edit", "enable", "import", "patch", "pay", "post",
    "put", "reject", "remove", "reset", "resume", "send", "set", "write",
];
/// Of these, `start` and `stop` may read as well ("start dates").
const MAYBE: [&str; 2] = ["start", "stop"];

/// Checks the text of one profile. Findings come in the order of the text.
pub fn check(source: Source) -> Vec<Finding> {
    match source::parse_yaml(source, Limits::MANIFEST) {
        Err(error) => vec![not_yaml(error)],
        Ok(doc) => {
            let loaded = pack::load(&doc);
            let mut findings = loaded.findings;
            run(&loaded.profile, &mut findings);
            findings.extend(traps(&doc, &loaded.profile));
            super::sort(&mut findings);
            findings
        }
    }
}

fn not_yaml(error: SyntaxError) -> Finding {
    let finding = Finding::new(&table::NOT_YAML, error.span, format!("not valid YAML: {}", error.message));
    match error.help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Every rule on a profile that was read.
pub fn run(profile: &Profile<'_>, findings: &mut Vec<Finding>) {
    let Some(api) = &profile.api else { return };
    if let Some(base_url) = &api.base_url {
        address(base_url, findings);
    }
    findings.extend(api.auth.as_ref().and_then(auth));
    findings.extend(api.check.and_then(|check| check_tool(&check, api)));
    findings.extend(api.limits.iter().filter_map(limit));
    for tool in &api.tools {
        findings.extend(tool_name(tool));
        findings.extend(tool.path.iter().flat_map(|path| judge_path(path, &PATH)));
        findings.extend(method(tool));
        tool::check(tool, findings);
    }
    around::check(profile, api, findings);
}

fn address(word: &Word<'_>, findings: &mut Vec<Finding>) {
    match fields(word.text) {
        Ok(names) => {
            let filled = names
                .iter()
                .fold(word.text.to_owned(), |text, name| text.replace(&format!("{{{name}}}"), "a.example"));
            judge_address(word, &filled, &ADDRESS, findings);
        }
        Err((start, end)) => findings.push(
            Finding::new(&table::BAD_BASE_URL, word.part(start..end), "only the host may hold `{fields}`")
                .help("write the rest of the address out, as in `https://{domain}/api/v1`"),
        ),
    }
}

/// The fields of an address, or the place of one that stands outside the host.
fn fields(text: &str) -> Result<Vec<&str>, (usize, usize)> {
    let host = text.find("://").map_or(0, |at| at + 3);
    let end = text[host..].find(['/', '?', '#', ':']).map_or(text.len(), |at| host + at);
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{').map(|found| at + found) {
        let close = text[open..].find('}').map_or(text.len(), |found| open + found + 1);
        let name = text[open + 1..close].trim_end_matches('}');
        let named = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if open < host || close > end || !named || host == 0 {
            return Err((open, close));
        }
        names.push(name);
        at = close;
    }
    Ok(names)
}

/// Why a field's value is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    #[error("`{name}` is part of a host: letters, digits, `-` and dots")]
    Letters { name: String },
    #[error("the address needs a value for `{name}`")]
    Missing { name: String },
    #[error("the address has no field `{name}`{}", if fields.is_empty() { String::new() } else { format!("; it has {fields}") })]
    Unknown { name: String, fields: String },
    #[error("{0}")]
    Address(#[from] BaseError),
    #[error("`{host}` is this computer, which is reached by plain `http` only")]
    Local { host: String },
}

/// Fills one field of a `base_url` with what the owner typed, and judges the address that comes
/// out.
pub fn host_field(base_url: &str, name: &str, value: &str) -> Result<Base, FieldError> {
    letters(name, value)?;
    judged(&base_url.replace(&format!("{{{name}}}"), value), Span::default())
}

/// Fills the fields of a `base_url` with what the owner typed. Every field needs a value, and every
/// value a field.
pub fn filled(base_url: &Word<'_>, values: &[(String, String)]) -> Result<Base, FieldError> {
    let names = fields(base_url.text).unwrap_or_default();
    if let Some((name, _)) = values.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        let name = name.clone();
        return Err(FieldError::Unknown {
            name,
            fields: listed(names),
        });
    }
    let mut filled = base_url.text.to_owned();
    for name in names {
        let Some((_, value)) = values.iter().find(|(given, _)| given == name) else {
            return Err(FieldError::Missing { name: name.to_owned() });
        };
        letters(name, value)?;
        filled = filled.replace(&format!("{{{name}}}"), value);
    }
    judged(&filled, base_url.at())
}

/// The names of the fields of a `base_url`.
pub fn host_fields(base_url: &str) -> Vec<&str> {
    fields(base_url).unwrap_or_default()
}

fn letters(name: &str, value: &str) -> Result<(), FieldError> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    match !value.is_empty() && value.bytes().all(letter) {
        true => Ok(()),
        false => Err(FieldError::Letters { name: name.to_owned() }),
    }
}

fn judged(filled: &str, at: Span) -> Result<Base, FieldError> {
    let (base, _) = Base::parse(filled, at)?;
    if base.local && base.scheme == Scheme::Https {
        return Err(FieldError::Local { host: base.host });
    }
    Ok(base)
}

/// Bare words inside the `api` block that a reader of YAML 1.1 takes for something else.
fn traps(doc: &Doc, profile: &Profile<'_>) -> Vec<Finding> {
    let Some(api) = &profile.api else { return Vec::new() };
    let whole = api.view.span();
    let inside = doc
        .traps()
        .iter()
        .filter(|trap| (whole.start..whole.end).contains(&trap.span.start));
    let finding = |trap: &source::Trap| {
        let text = trap.text.escape_debug();
        Finding::new(
            &table::YAML_TRAP,
            trap.span,
            format!("`{text}` is {} for readers of YAML 1.1", trap.kind.elsewhere()),
        )
        .help("put it in quotes")
        .fix(
            "put it in quotes",
            vec![Edit {
                span: trap.span,
                text: format!("\"{}\"", trap.text),
            }],
        )
    };
    inside.map(finding).collect()
}

fn auth(auth: &AuthBlock<'_>) -> Option<Finding> {
    let kind = auth.kind.as_ref()?;
    if !AuthBlock::TYPES.contains(&kind.text) {
        let message = format!("`{}` is not a way to send a key", kind.short().escape_debug());
        let finding = Finding::new(&table::UNKNOWN_AUTH, kind.at(), message).help(format!("choose one of {}", listed(AuthBlock::TYPES)));
        return Some(match nearest(kind.text, AuthBlock::TYPES) {
            Some(near) => finding.label(format!("did you mean `{near}`?")),
            None => finding,
        });
    }
    let named = matches!(kind.text, "header" | "query");
    let name = auth.name.filter(|name| !name.text.trim().is_empty());
    if named && name.is_none() {
        let message = format!(
            "a key in a {} needs its `name`",
            if kind.text == "header" { "header" } else { "query" }
        );
        return Some(
            Finding::new(&table::AUTH_WITHOUT_NAME, auth.at, message).help(format!("write `auth: {{type: {}, name: …}}`", kind.text)),
        );
    }
    let name = name.filter(|name| kind.text == "header" && (!is_header_name(name.text) || is_forbidden_header(name.text)))?;
    let message = format!("`{}` is no header that can hold a key", name.short().escape_debug());
    Some(Finding::new(&table::AUTH_WITHOUT_NAME, name.at(), message).help("write the header that the API names, such as `X-Api-Key`"))
}

fn check_tool(check: &Word<'_>, api: &ApiBlock<'_>) -> Option<Finding> {
    if let Some(tool) = api.tools.iter().find(|tool| tool.name == check.text) {
        let names = tool::needs_arguments(tool);
        return (!names.is_empty()).then(|| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Finding::new(
                &table::CHECK_WITH_ARGUMENTS,
                check.at(),
                "`check` names a tool that needs arguments",
            )
            .label(format!("`{}` needs {}", tool.name, listed(names)))
            .help("choose a tool without required arguments, or write one that lists something")
        });
    }
    let names = || api.tools.iter().map(|tool| tool.name);
    names().all(|name| name != check.text).then(|| {
        Finding::new(&table::CHECK_WITHOUT_TOOL, check.at(), "`check` names a tool that does not exist")
            .label(format!("no tool `{}`", check.text))
            .help(format!("the tools are: {}", listed(names())))
    })
}

fn tool_name(tool: &ToolBlock<'_>) -> Option<Finding> {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let first = tool.name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if !first || !tool.name.bytes().all(letter) {
        let message = format!("`{}` is not a tool name", tool.name.escape_debug());
        return Some(Finding::new(&table::BAD_TOOL_NAME, tool.name_at, message).help("use lowercase letters, digits and `_`"));
    }
    let word = tool.name.split('_').next().unwrap_or_default();
    let rule = if REFUSED.contains(&word) {
        &table::WRITING_NAME
    } else if WRITING.contains(&word) || MAYBE.contains(&word) {
        &table::WRITING_WORD
    } else {
        return None;
    };
    let rest = tool.name.strip_prefix(word).unwrap_or_default();
    let better = if rest.len() > 1 {
        format!("find{rest}s")
    } else {
        "find_offers".to_owned()
    };
    let verb = if rule.level == Level::Error { "sounds" } else { "may sound" };
    Some(
        Finding::new(rule, tool.name_at, format!("tool name `{}` {verb} like writing", tool.name))
            .label("an `api` block only reads")
            .help(format!("name what the tool reads, for example `{better}`")),
    )
}

fn method(tool: &ToolBlock<'_>) -> Option<Finding> {
    let word = tool.method.as_ref()?;
    match Method::parse(word.text) {
        Some(Method::Get) => None,
        Some(Method::Post) if tool.read.is_some_and(|read| read.value) => None,
        Some(Method::Post) => Some(
            Finding::new(
                &table::POST_WITHOUT_READ,
                word.at(),
                format!("`{}` is a POST that is not said to read", tool.name),
            )
            .help("add `read: true` if it only reads"),
        ),
        _ => Some(
            Finding::new(
                &table::UNKNOWN_PACK_METHOD,
                word.at(),
                format!("`{}` is not a method that reads", word.text.escape_debug()),
            )
            .help("use GET, or POST with `read: true`"),
        ),
    }
}

fn limit(limit: &Limit<'_>) -> Option<Finding> {
    let number = limit.value.as_number();
    let whole: Option<u64> = number.and_then(|text| text.parse().ok());
    let (right, range) = match limit.name {
        "timeout" => (whole.is_some_and(|seconds| (1..=60).contains(&seconds)), "1 to 60 seconds"),
        _ => (whole.is_some_and(|count| count >= 1), "a whole number from 1"),
    };
    (!right).then(|| {
        let shown = number.map_or_else(|| limit.value.kind().words().to_owned(), |text| format!("`{text}`"));
        let message = format!("`{}` is {shown}, not {range}", limit.name);
        Finding::new(&table::BAD_LIMIT, limit.value.span(), message).help(format!("write {range}"))
    })
}
