//! The operations of a description, for people and as JSON.

use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::io::Layout;
use super::super::{Ending, Session};
use super::record::Ledger;
use crate::diag::count;
use crate::openapi::{Api, ApiKey, ChoiceError, LeftOut, Operation, missed, select};
use crate::report::visible;

/// The widest id that has a column of its own.
const WIDEST: usize = 40;

pub(super) fn run(api: &Api<'_>, args: &OpenApi, session: &Session) -> Ending {
    let shown = Shown::read(api, args)?;
    let ledger = match args.choice.only.is_empty() {
        true => Ledger::whole(api),
        false => Ledger::part(api, &shown.operations, shown.left_out.clone()),
    };
    ledger.save(args)?;
    if args.output.json {
        session.io.out_json(&ledger.json(), Layout::OneLine);
    } else {
        session.io.say(&head(api));
        session.io.say(&lines(api, &shown));
        if !api.operations.is_empty() {
            session
                .io
                .say("choose with --only op1,op2 (or --only get, --only '*') and give NAME DIR\n");
        }
        session.io.progress(&ledger.summary(args));
    }
    if api.operations.len() + api.left_out.len() == 0 {
        return Err(super::refused(&ChoiceError::NoOperations, api));
    }
    if args.output.strict && ledger.losses() > 0 {
        return Err(ledger.too_lossy(args, session));
    }
    Ok(Exit::Success)
}

/// What is listed: all of a description, or what `--only` chooses.
struct Shown<'a> {
    operations: Vec<usize>,
    left_out: Vec<&'a LeftOut>,
}

impl<'a> Shown<'a> {
    fn read(api: &'a Api<'_>, args: &OpenApi) -> Result<Self, super::Fault> {
        if args.choice.only.is_empty() {
            return Ok(Self {
                operations: (0..api.operations.len()).collect(),
                left_out: api.left_out.iter().collect(),
            });
        }
        let selection = super::selection(args);
        let left_out = missed(api, selection);
        match select(api, selection) {
            Ok(operations) => Ok(Self { operations, left_out }),
            Err(ChoiceError::Nothing | ChoiceError::LeftOut { .. } | ChoiceError::OnlyLeftOut { .. }) if !left_out.is_empty() => Ok(Self {
                operations: Vec::new(),
                left_out,
            }),
            Err(error) => Err(super::refused(&error, api)),
        }
    }
}

/// `Swagger Petstore — https://petstore3.swagger.io/api/v3, 19 operations`, and a line for each key.
pub(super) fn head(api: &Api<'_>) -> String {
    let base = match &api.base {
        Ok(base) => base.text(),
        Err(why) => why.to_string(),
    };
    let all = api.operations.len() + api.left_out.len();
    let mut text = format!("{}\n", visible(&format!("{} — {base}, {}", api.title, count(all, "operation"))));
    if api.servers.len() > 1 {
        for (at, server) in api.servers.iter().enumerate() {
            let line = format!("  server {at}: {} {}", without_keys(&server.url), server.about);
            text += &format!("{}\n", visible(line.trim_end()));
        }
    }
    text
}

/// An address without what may be a key: its user part and its query.
pub(super) fn without_keys(address: &str) -> String {
    let address = address.split('?').next().unwrap_or_default();
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let host = rest.split('/').next().unwrap_or_default();
    match host.rsplit_once('@') {
        Some((user, _)) => format!("{scheme}://***{}", &rest[user.len()..]),
        None => address.to_owned(),
    }
}

pub(super) fn keys(keys: &[ApiKey]) -> String {
    keys.iter()
        .map(|key| format!("{}\n", visible(&format!("  key {}: {}{}", key.env, key.place.words(), about(key)))))
        .collect()
}

fn about(key: &ApiKey) -> String {
    if key.about.is_empty() {
        String::new()
    } else {
        format!(": {}", key.about)
    }
}

fn lines(api: &Api<'_>, shown: &Shown<'_>) -> String {
    let operations = || shown.operations.iter().map(|at| &api.operations[*at]);
    let ids = operations()
        .map(|operation| &operation.id)
        .chain(shown.left_out.iter().map(|left| &left.id));
    let paths = operations()
        .map(|operation| operation.path)
        .chain(shown.left_out.iter().map(|left| left.path.as_str()));
    let widths = (widest(ids.map(String::as_str)), widest(paths));
    let imported = operations().map(|operation| line(operation, widths));
    let left_out = shown.left_out.iter().map(|left| unsupported(left, widths));
    keys(&api.keys) + &imported.chain(left_out).collect::<String>()
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts
        .map(|text| text.chars().count())
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0)
}

fn line(operation: &Operation<'_>, (width, path): (usize, usize)) -> String {
    let (id, method, risk) = (&operation.id, operation.method.word(), operation.risk.word());
    let text = format!(
        "  {id:<width$}  {method:<6}  {:<path$}  {risk:<12}  {}",
        operation.path, operation.summary
    );
    format!("{}\n", visible(text.trim_end()))
}

fn unsupported(left: &LeftOut, (width, path): (usize, usize)) -> String {
    let why = left.reason.words();
    let text = format!(
        "  {:<width$}  {:<6}  {:<path$}  (left out: it {why})",
        left.id, left.method, left.path
    );
    format!("{}\n", visible(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_user_and_query() {
        assert_eq!(without_keys("https://u:p@a.example:8/v1?token=x"), "https://***@a.example:8/v1");
        assert_eq!(
            without_keys("https://{region}.a.example/v1/@me"),
            "https://{region}.a.example/v1/@me"
        );
        assert_eq!(without_keys("/v2?x=1"), "/v2");
    }
}
