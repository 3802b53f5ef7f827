//! Is it a schema: limits, draft, the shape of each keyword, references, patterns.

use serde_json::Value;

use super::bounded::{Size, bounded};
use super::graph::{Graph, Reach};
use super::survey::{Survey, address};
use super::{SchemaFault, SchemaProblem, engine};

/// Evaluations and levels of recursion that are made on the caller's own stack.
const LIGHT: u64 = 1_000_000;
const SHALLOW: usize = 500;
/// Levels of recursion that no stack of ours holds.
const BOTTOMLESS: usize = 30_000;

/// How costly a schema is to build and to judge by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// Building needs a stack and a time of its own.
    pub(super) heavy: bool,
    /// The longest chain of schemas over one value.
    height: usize,
    /// The evaluations that one value may cost; nothing when that depends on the value.
    evaluations: Option<u64>,
}

impl Facts {
    pub(super) fn is_light(self, size: Size) -> bool {
        let few = self.evaluations.is_some_and(|each| each.saturating_mul(size.values) <= LIGHT);
        few && self.height * size.depth <= SHALLOW
    }

    pub(super) fn is_endless(self, size: Size) -> bool {
        size.is_bottomless() || self.height * size.depth > BOTTOMLESS
    }
}

/// Everything that is wrong with a schema.
pub(super) fn check(schema: &Value) -> Vec<SchemaProblem> {
    examine(schema).0
}

/// Everything that is wrong with a schema, and what it will cost.
pub(super) fn examine(schema: &Value) -> (Vec<SchemaProblem>, Facts) {
    let survey = Survey::of(schema);
    if let Some(problem) = survey.too_large() {
        return (vec![problem.clone()], facts(&survey, None));
    }
    if !survey.heavy() {
        return judge(&survey);
    }
    let own = schema.clone();
    bounded(move || judge(&Survey::of(&own))).unwrap_or_else(|| (vec![too_costly()], facts(&survey, None)))
}

fn judge(survey: &Survey<'_>) -> (Vec<SchemaProblem>, Facts) {
    let Some(draft) = survey.draft else {
        return (vec![unknown_draft(survey.root)], facts(survey, None));
    };
    let mut problems = Vec::new();
    if survey.unusual {
        problems.extend(engine::misshapen(survey.root, draft));
    }
    let (misled, graph) = references(survey);
    problems.extend(misled);
    problems.extend(patterns(survey));
    let sound = problems.iter().all(|problem| problem.fault == SchemaFault::CostlyPattern);
    if sound && survey.exotic {
        problems.extend(engine::build(survey.root).err());
    }
    (problems, facts(survey, graph))
}

/// The longest chain over one value, and what the whole costs if that can be said.
type Chains = (Reach, Option<Reach>);

fn facts(survey: &Survey<'_>, chains: Option<Chains>) -> Facts {
    let plain = survey.references.is_empty() && !survey.exotic;
    let subschemas = u64::try_from(survey.subschemas).unwrap_or(u64::MAX);
    let counted = match chains {
        _ if plain => Some(subschemas),
        Some((_, all)) if !survey.exotic => all.map(|all| all.spread),
        _ => None,
    };
    Facts {
        heavy: survey.heavy(),
        height: chains.map_or(survey.levels, |(over_one, _)| over_one.height),
        evaluations: counted.filter(|_| !survey.unevaluated),
    }
}

fn references(survey: &Survey<'_>) -> (Vec<SchemaProblem>, Option<Chains>) {
    if survey.references.is_empty() {
        return (Vec::new(), None);
    }
    let graph = Graph::new(survey.root);
    let problems: Vec<_> = survey
        .references
        .iter()
        .filter_map(|reference| {
            misled(&graph, survey, reference.text).map(|message| problem(&reference.pointer, SchemaFault::Reference, message))
        })
        .collect();
    match graph.over_one_value(&survey.references) {
        Ok(reach) if reach.is_too_wide() => (vec![multiplied()], None),
        Ok(reach) => (problems, Some((reach, graph.over_all()))),
        Err(cycle) => {
            let closing = survey
                .references
                .iter()
                .find(|reference| Some(address(reference.holder)) == cycle.0);
            let pointer = closing.map_or("", |reference| &reference.pointer);
            let message = "`$ref` leads back to itself without a step into the value";
            (vec![problem(pointer, SchemaFault::Cycle, message.to_owned())], None)
        }
    }
}

/// What is wrong with where a reference leads.
fn misled(graph: &Graph<'_>, survey: &Survey<'_>, reference: &str) -> Option<String> {
    let shown: String = reference.chars().take(80).collect();
    if graph.fragment(reference).is_none() {
        return (!graph.has_part(reference)).then(|| format!("`{shown}` leads out of the schema, and nothing is fetched"));
    }
    (!survey.exotic && graph.target(reference).is_none()).then(|| format!("`{shown}` leads nowhere in the schema"))
}

fn patterns(survey: &Survey<'_>) -> Vec<SchemaProblem> {
    let judged = survey.patterns.iter().filter_map(|(pointer, text)| {
        let (fault, message) = match engine::pattern(text) {
            engine::Pattern::Linear => return None,
            engine::Pattern::Costly => (SchemaFault::CostlyPattern, "the pattern looks around or back, which can be slow"),
            engine::Pattern::Broken => (SchemaFault::Pattern, "the pattern is no regular expression, or too large a one"),
        };
        Some(problem(pointer, fault, message.to_owned()))
    });
    judged.collect()
}

fn problem(pointer: &str, fault: SchemaFault, message: String) -> SchemaProblem {
    SchemaProblem {
        pointer: pointer.to_owned(),
        fault,
        message,
        help: None,
    }
}

fn unknown_draft(schema: &Value) -> SchemaProblem {
    let named = schema.get("$schema").and_then(Value::as_str);
    let message = named.map_or("`$schema` needs a string".to_owned(), |named| {
        let shown: String = named.chars().take(80).collect();
        format!("`{shown}` is not a draft of JSON Schema that is known")
    });
    SchemaProblem {
        help: Some("write `https://json-schema.org/draft/2020-12/schema`, or leave `$schema` out".to_owned()),
        ..problem("/$schema", SchemaFault::Draft, message)
    }
}

fn multiplied() -> SchemaProblem {
    let message = "the references multiply to more than 1,000,000 schemas for one value";
    problem("", SchemaFault::TooLarge, message.to_owned())
}

pub(super) fn too_costly() -> SchemaProblem {
    let message = "the schema takes more than 2 seconds to check";
    problem("", SchemaFault::TooLarge, message.to_owned())
}
