//! Runs a connector's cases: calls each capability with its arguments and compares the answer with
//! the keys that the case names. All cases run, whatever happens to one.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::diag::{Finding, table};
use crate::exec::Shape;
use crate::keys::Keys;
use crate::model::{Capability, Case, Connector, Name, Path, Pick, PickError, nearest, pick};
use crate::service::{Given, Service, Trouble};

/// How many keys of an answer a finding names.
const NAMED: usize = 7;

/// What became of one case.
#[derive(Debug)]
pub struct Run<'c> {
    pub case: &'c Case,
    pub verdict: Verdict,
    pub bytes: usize,
    pub elapsed: Duration,
}

#[derive(Debug)]
pub enum Verdict {
    Passed,
    /// The answer is not what the case says.
    Wrong(Vec<Finding>),
    /// There was no answer to judge.
    Unanswered(Trouble),
}

impl Run<'_> {
    pub fn passed(&self) -> bool {
        matches!(self.verdict, Verdict::Passed)
    }
}

/// Runs every case in order and tells `each` as it ends.
pub fn run<'c>(connector: &'c Connector, keys: &Keys, service: &mut Service<'_>, mut each: impl FnMut(&Run<'c>)) -> Vec<Run<'c>> {
    let mut runs = Vec::new();
    for case in &connector.cases {
        let Some(capability) = connector.capabilities.iter().find(|capability| capability.name == case.capability) else {
            continue;
        };
        let run = one(connector, capability, case, keys, service);
        each(&run);
        runs.push(run);
    }
    runs
}

fn one<'c>(connector: &Connector, capability: &Capability, case: &'c Case, keys: &Keys, service: &mut Service<'_>) -> Run<'c> {
    let started = Instant::now();
    let answer = service.call(connector, capability, case.args.clone(), keys);
    let mut run = Run {
        case,
        verdict: Verdict::Passed,
        bytes: 0,
        elapsed: started.elapsed(),
    };
    match answer {
        Ok(answer) => {
            (run.bytes, run.elapsed) = (answer.bytes, answer.elapsed);
            let findings = judge(capability, case, answer);
            if !findings.is_empty() {
                run.verdict = Verdict::Wrong(findings);
            }
        }
        Err(error) => run.verdict = Verdict::Unanswered(error),
    }
    run
}

/// Compares an answer with what a case says.
pub fn judge(capability: &Capability, case: &Case, answer: Given) -> Vec<Finding> {
    let asks_for_text = case.keys.iter().any(|key| key.text == "text");
    if answer.shape == Shape::Text && !asks_for_text {
        return vec![not_json(case)];
    }
    let asks_for_ok = case.keys.iter().any(|key| key.text == "ok");
    if let (Shape::Empty, false, Some(key)) = (answer.shape, asks_for_ok, case.keys.first()) {
        return vec![empty(case, key)];
    }
    let everything = Pick::default();
    let rules = capability
        .pick
        .as_ref()
        .filter(|_| answer.shape == Shape::Json)
        .unwrap_or(&everything);
    let place = Pick {
        fields: Vec::new(),
        ..rules.clone()
    };
    match pick(&place, answer.value) {
        Err(error) => vec![missing_path(rules, case, &error)],
        Ok(value) => judge_keys(rules, case, &value),
    }
}

fn judge_keys(rules: &Pick, case: &Case, value: &Value) -> Vec<Finding> {
    if case.keys.is_empty() {
        return Vec::new();
    }
    let element = match value {
        Value::Array(list) => match list.first() {
            Some(first) => first,
            None => return vec![empty_list(case)],
        },
        value => value,
    };
    let Value::Object(fields) = element else {
        return vec![wrong_shape(case, value)];
    };
    case.keys.iter().filter_map(|key| judge_key(rules, key, element, fields)).collect()
}

fn judge_key(rules: &Pick, key: &Name, element: &Value, fields: &Map<String, Value>) -> Option<Finding> {
    let there: Vec<&str> = fields.keys().map(String::as_str).collect();
    if rules.fields.is_empty() {
        return (!fields.contains_key(&key.text)).then(|| missing_key(key, &there));
    }
    let Some(field) = rules.fields.iter().find(|field| field.name == key.text) else {
        let kept: Vec<&str> = rules.fields.iter().map(|field| field.name.as_str()).collect();
        return Some(missing_key(key, &kept));
    };
    let found = Path::parse(&field.path).is_ok_and(|path| path.find(element).is_some());
    (!found).then(|| missing_key(key, &there).related(field.at, format!("taken from `{}`, which the answer does not have", field.path)))
}

fn missing_key(key: &Name, there: &[&str]) -> Finding {
    let finding = Finding::new(&table::MISSING_KEY, key.at, format!("the answer has no `{}`", key.text))
        .label(format!("the answer has {}", listed(there)));
    match nearest(&key.text, there.iter().copied()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}

/// A success without a word: the host makes `{"ok": true}` of it.
fn empty(case: &Case, key: &Name) -> Finding {
    let message = format!("`{}` answered nothing, so there is no `{}`", case.capability, key.text);
    Finding::new(&table::MISSING_KEY, key.at, message)
        .label("an empty answer becomes {\"ok\": true}")
        .help("let the case ask for the key `ok`, or give it arguments that find something")
}

fn listed(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    match (names.len(), more) {
        (0, _) => "no fields".to_owned(),
        (_, 0) => named,
        _ => format!("{named} and {more} more"),
    }
}

fn missing_path(rules: &Pick, case: &Case, error: &PickError) -> Finding {
    Finding::new(&table::MISSING_PATH, rules.path_at.unwrap_or(case.at), error.to_string())
        .related(case.at, "the case that called it")
        .help("set `result.path` to where the answer has what you want")
}

fn empty_list(case: &Case) -> Finding {
    Finding::new(&table::EMPTY_LIST, case.at, format!("`{}` answered an empty list", case.capability))
        .label("so no key could be looked for")
        .help("give the case arguments that find something")
}

fn not_json(case: &Case) -> Finding {
    Finding::new(
        &table::WRONG_SHAPE,
        case.at,
        format!("`{}` answered with text that is not JSON", case.capability),
    )
    .label("perhaps an error page with status 200")
    .help("correct the address or the arguments; if the service answers in text, let the case ask for the key `text`")
}

fn wrong_shape(case: &Case, value: &Value) -> Finding {
    let kind = match value {
        Value::Array(_) => "a list of values without fields",
        Value::String(_) => "a string",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a boolean",
        _ => "null",
    };
    Finding::new(
        &table::WRONG_SHAPE,
        case.at,
        format!("`{}` answered with {kind}, which has no keys", case.capability),
    )
    .help("leave `keys` empty, or pick an object with `result.path`")
}
