//! One call, from arguments to a value: arguments checked by the schema, a plan, an answer, and
//! what `result` keeps of it.

use std::time::Duration;

use serde_json::{Map, Value};

use super::failure::fit;
use super::{Answer, Client, Failure, KeyForm, Piece, Plan, PlanError, Shape, plan};
use crate::keys::Keys;
use crate::model::{
    ArgumentProblem, Body, Capability, Connector, Each, Expects, Need, PickError, Schema, SchemaProblem, Template, Transport, pick,
};

/// Why a call gave no value.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    #[error("`{capability}` was not sent: {}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Arguments {
        capability: String,
        problems: Vec<ArgumentProblem>,
    },
    #[error("the `schema` of `{capability}` is no JSON Schema: {problem}")]
    Schema { capability: String, problem: SchemaProblem },
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Failure(#[from] Failure),
    #[error(transparent)]
    Pick(#[from] PickError),
}

/// An answer after `result`.
#[derive(Debug, Clone)]
pub struct Reply {
    pub value: Value,
    pub bytes: usize,
    pub elapsed: Duration,
}

/// The plan of a call whose arguments the schema accepts.
pub fn prepare(connector: &Connector, capability: &Capability, args: Map<String, Value>, keys: &Keys) -> Result<Plan, CallError> {
    let args = accepted(capability, args)?;
    let plan = plan(connector, &capability.name, &args, keys)?;
    fitting(&plan, keys)?;
    Ok(plan)
}

/// Refuses a plan with a key that its header cannot carry: it would not be sent.
fn fitting(plan: &Plan, keys: &Keys) -> Result<(), Failure> {
    let pieces = plan.headers.iter().flat_map(|header| &header.value);
    let named = pieces.filter_map(|piece| match piece {
        // In base64 any key fits.
        Piece::Text(_) | Piece::Key { form: KeyForm::Base64, .. } => None,
        Piece::Key { name, .. } => Some((name, keys.get(name)?)),
    });
    named.into_iter().try_for_each(|(name, secret)| fit(name, secret))
}

/// Sends a plan and keeps what `result` says.
pub fn fetch(capability: &Capability, plan: &Plan, keys: &Keys, client: &Client) -> Result<Reply, CallError> {
    let answer = client.send(plan, keys)?;
    let (bytes, elapsed) = (answer.bytes, answer.elapsed);
    Ok(Reply {
        value: kept(capability, answer)?,
        bytes,
        elapsed,
    })
}

/// What `result` keeps. An answer that is not JSON, or empty, is kept as it is.
fn kept(capability: &Capability, answer: Answer) -> Result<Value, PickError> {
    match (&capability.pick, answer.shape) {
        (Some(rules), Shape::Json) => pick(rules, answer.value),
        (Some(rules), _) if rules.expects != Expects::Anything => Err(PickError::NotJson),
        _ => Ok(answer.value),
    }
}

/// The arguments as the schema of the capability takes them.
pub fn accepted(capability: &Capability, args: Map<String, Value>) -> Result<Map<String, Value>, CallError> {
    let mut args = args;
    for (name, value) in &capability.defaults {
        if args.get(name).is_none_or(Value::is_null) {
            args.insert(name.clone(), value.clone());
        }
    }
    let Some(schema) = &capability.schema else {
        return Ok(args);
    };
    if let Some(args) = Schema::coerce_plainly(schema, &args) {
        return Ok(args);
    }
    let name = || capability.name.clone();
    let schema = Schema::compile(schema).map_err(|problem| CallError::Schema {
        capability: name(),
        problem,
    })?;
    schema.coerce(args).map_err(|problems| CallError::Arguments {
        capability: name(),
        problems,
    })
}

/// The keys that a capability's request has a place for, in the order of their declaration.
pub fn needed_keys(connector: &Connector, capability: &Capability) -> Vec<String> {
    let Some(needs) = needs(connector, capability) else {
        return connector.keys.iter().map(|key| key.text.clone()).collect();
    };
    let declared = connector.keys.iter().map(|key| key.text.as_str());
    declared.filter(|key| needs.contains(&Need::Key(key))).map(str::to_owned).collect()
}

/// The arguments that nothing in the request takes. Only where no schema says which there are.
pub fn idle_arguments(connector: &Connector, capability: &Capability, args: &Map<String, Value>) -> Vec<String> {
    let Some(needs) = needs(connector, capability).filter(|_| capability.schema.is_none()) else {
        return Vec::new();
    };
    let takes = |name: &str| {
        needs
            .iter()
            .any(|need| matches!(need, Need::Argument(path) if path.argument() == name))
    };
    args.keys().filter(|name| !takes(name)).cloned().collect()
}

/// What a request asks for, in headers, query, path and body.
fn needs<'c>(connector: &'c Connector, capability: &'c Capability) -> Option<Vec<Need<'c>>> {
    let (Transport::Http(http), Some(request)) = (&connector.transport, &capability.request) else {
        return None;
    };
    let headers = http.headers.iter().chain(&request.headers).map(|header| &header.value);
    let query = http
        .query
        .iter()
        .chain(&request.query)
        .flat_map(|parameter| templates(&parameter.value));
    let mut needs: Vec<Need<'_>> = headers.chain(query).flat_map(Template::needs).collect();
    match &request.body {
        Some(Body::Json { tree, .. }) => needs.extend(tree.needs().into_iter().map(|(need, _)| need)),
        Some(Body::Form { fields, .. }) => needs.extend(fields.iter().flat_map(|(_, tree)| tree.needs()).map(|(need, _)| need)),
        None => {}
    }
    needs.extend(request.path.needs());
    Some(needs)
}

fn templates(value: &Each) -> &[Template] {
    match value {
        Each::One(template) | Each::Styled(template, _) => std::slice::from_ref(template),
        Each::Every(templates) => templates,
    }
}
