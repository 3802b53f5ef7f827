//! The operations of a description, for people and as JSON.

use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::{Ending, Session};
use super::record::Ledger;
use crate::diag::count;
use crate::openapi::{Api, ApiKey, LeftOut, Operation, Selection, choose};

/// The widest id that has a column of its own.
const WIDEST: usize = 40;

pub(super) fn run(api: &Api<'_>, args: &OpenApi, session: &Session) -> Ending {
    let ledger = Ledger::new(api, None);
    ledger.save(args)?;
    if args.output.json {
        session.io.out(&format!("{}\n", ledger.json()));
    } else {
        let wanted = wanted(api, args)?;
        session.io.say(&head(api));
        session.io.say(&lines(api, &wanted));
        session.io.say("choose with --only op1,op2 (or --only get) and give NAME DIR\n");
        session.io.progress(&ledger.summary(args));
    }
    if args.output.strict && ledger.losses() > 0 {
        return Err(ledger.too_lossy(args, session));
    }
    Ok(Exit::Success)
}

/// The ids to list; nothing lists all.
fn wanted(api: &Api<'_>, args: &OpenApi) -> Result<Vec<String>, super::Fault> {
    if args.choice.only.is_empty() {
        return Ok(Vec::new());
    }
    let selection = Selection {
        only: &args.choice.only,
        except: &args.choice.except,
        risks: &args.choice.risks,
    };
    match choose(api, selection) {
        Ok(chosen) => Ok(chosen.into_iter().map(|one| one.id).collect()),
        Err(error) => Err(super::refused(&error, api)),
    }
}

/// `Swagger Petstore — https://petstore3.swagger.io/api/v3, 19 operations`, and a line for each key.
pub(super) fn head(api: &Api<'_>) -> String {
    let base = match &api.base {
        Ok(base) => base.text(),
        Err(why) => why.to_string(),
    };
    let all = api.operations.len() + api.left_out.len();
    let mut text = format!("{} — {base}, {}\n", api.title, count(all, "operation"));
    if api.servers.len() > 1 {
        for (at, server) in api.servers.iter().enumerate() {
            text += &format!("  server {at}: {} {}\n", without_keys(&server.url), server.about);
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
        .map(|key| format!("  key {}: {}{}\n", key.env, key.place.words(), about(key)))
        .collect()
}

fn about(key: &ApiKey) -> String {
    if key.about.is_empty() {
        String::new()
    } else {
        format!(": {}", key.about)
    }
}

fn lines(api: &Api<'_>, wanted: &[String]) -> String {
    let shown = |id: &String| wanted.is_empty() || wanted.contains(id);
    let ids = api
        .operations
        .iter()
        .map(|operation| &operation.id)
        .chain(api.left_out.iter().map(|left| &left.id));
    let width = ids.map(|id| id.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let path = api
        .operations
        .iter()
        .map(|operation| operation.path.chars().count())
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0);
    let operations = api
        .operations
        .iter()
        .filter(|operation| shown(&operation.id))
        .map(|operation| line(operation, width, path));
    let left_out = api
        .left_out
        .iter()
        .filter(|left| shown(&left.id))
        .map(|left| unsupported(left, width));
    keys(&api.keys) + &operations.chain(left_out).collect::<String>()
}

fn line(operation: &Operation<'_>, width: usize, path: usize) -> String {
    let (id, method, risk) = (&operation.id, operation.method.word(), operation.risk.word());
    let text = format!(
        "  {id:<width$}  {method:<6}  {:<path$}  {risk:<12}  {}",
        operation.path, operation.summary
    );
    format!("{}\n", text.trim_end())
}

fn unsupported(left: &LeftOut, width: usize) -> String {
    format!("  {:<width$}  (left out: it {})\n", left.id, left.reason.words())
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
