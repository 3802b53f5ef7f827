use serde_json::json;

use super::*;

mod bounds;
mod checking;
mod coercion;
mod plain;

fn exact(text: &str) -> Value {
    serde_json::from_str(text).expect("a test writes JSON")
}

fn compiled(schema: &Value) -> Schema {
    Schema::compile(schema).unwrap_or_else(|problem| panic!("{schema}: {problem:?}"))
}

fn coerced(schema: &Value, args: &str) -> Result<String, Vec<String>> {
    let Value::Object(args) = exact(args) else {
        panic!("arguments are an object")
    };
    match compiled(schema).coerce(args) {
        Ok(args) => Ok(Value::Object(args).to_string()),
        Err(problems) => Err(problems
            .into_iter()
            .map(|problem| match problem.help {
                Some(help) => format!("{}: {} ({help})", problem.path, problem.message),
                None => format!("{}: {}", problem.path, problem.message),
            })
            .collect()),
    }
}

/// A schema with one argument `x`.
fn only(x: Value) -> Value {
    json!({"type": "object", "properties": {"x": x}})
}

fn checked(schema: &Value) -> Vec<(String, SchemaFault, String)> {
    let problems = Schema::check(schema);
    problems
        .into_iter()
        .map(|problem| (problem.pointer, problem.fault, problem.message))
        .collect()
}
