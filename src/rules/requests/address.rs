//! `http.base` and `url`: judged by the model, told to the author here.

use crate::diag::{Finding, Rule, table};
use crate::format::Word;
use crate::format::connector::Document;
use crate::model::{Base, BaseError, BaseWarning};

/// What an address stands for, and the rules of its format.
pub(crate) struct Written {
    pub(crate) bad: &'static Rule,
    pub(crate) odd: &'static Rule,
    /// Whether a query of its own is usual.
    pub(crate) query: bool,
}

const HTTP: Written = Written {
    bad: &table::BAD_ADDRESS,
    odd: &table::ODD_ADDRESS,
    query: false,
};
const REMOTE: Written = Written { query: true, ..HTTP };

pub(super) fn check(document: &Document<'_>, findings: &mut Vec<Finding>) {
    if let Some(base) = document.http.as_ref().and_then(|http| http.base) {
        judge(&base, base.text, &HTTP, findings);
    }
    if let Some(url) = &document.url {
        judge(url, url.text, &REMOTE, findings);
    }
}

/// Judges `text`, which stands at `word` (a pack judges its address with fields filled in).
pub(crate) fn judge(word: &Word<'_>, text: &str, written: &Written, findings: &mut Vec<Finding>) {
    match Base::parse(text, word.at()) {
        Ok((_, warnings)) => {
            let shown = warnings
                .into_iter()
                .filter(|warning| !(written.query && *warning == BaseWarning::Query));
            findings.extend(shown.map(|warning| odd(word, &warning, written.odd)));
        }
        Err(error) => findings.push(bad(word, &error, written.bad)),
    }
}

fn bad(word: &Word<'_>, error: &BaseError, rule: &'static Rule) -> Finding {
    let finding = Finding::new(rule, word.at(), error.to_string());
    match error {
        BaseError::UserInfo { start, end } => finding
            .hide(word.part(*start..*end))
            .help("remove it; a key goes into `headers` as `{{env.NAME}}`"),
        BaseError::Letter(_) | BaseError::AtSign => finding.help("write the address without it"),
        BaseError::Placeholder => finding.help("write the address out: a connector has one fixed host"),
        BaseError::NotAbsolute | BaseError::NotAnAddress(_) => finding.help("write it like `https://api.example.com/v1`"),
        BaseError::Scheme(_) | BaseError::NotHttps => finding.help("start it with `https://`"),
        BaseError::DotSegment => finding.help("write the path out"),
        BaseError::NotPublic { .. } => finding.help("use a public address, or `localhost` for this computer"),
        BaseError::Spelling { means, .. } => finding.help(format!("write `{means}` if you mean it")),
        BaseError::Local { .. } => finding.help("write `localhost` or `127.0.0.1` for this computer"),
        BaseError::HostName { .. } => finding.help("write the service's host name"),
    }
}

fn odd(word: &Word<'_>, warning: &BaseWarning, rule: &'static Rule) -> Finding {
    let finding = Finding::new(rule, word.at(), warning.to_string());
    match warning {
        BaseWarning::Spelling { means } | BaseWarning::Lookalike { means, .. } => {
            finding.help(format!("write `{means}` if that is the service"))
        }
        BaseWarning::Inner { .. } => finding.help("use the service's public name: private addresses are refused"),
        BaseWarning::HostName { .. } | BaseWarning::Port(_) => finding.help("look whether it is the service's own address"),
        BaseWarning::Braces => finding.help("write the address out: nothing fills braces here"),
        BaseWarning::Query => finding.help("move it to `http.query`"),
        BaseWarning::Fragment => finding.help("remove it"),
    }
}
