//! Whether alternatives shut each other out as they are written here. Where a pattern, a format
//! or a depth is lost, one value fits two branches of a `oneOf`, and no call could give it.

use serde_json::{Map, Value};

/// Whether no value fits two of the branches.
pub(super) fn are_exclusive(branches: &[Value]) -> bool {
    let mut rest = branches;
    while let Some((one, others)) = rest.split_first() {
        if !others.iter().all(|other| apart(one, other)) {
            return false;
        }
        rest = others;
    }
    true
}

fn apart(one: &Value, other: &Value) -> bool {
    disjoint(&types(one), &types(other), share_a_type)
        || disjoint(&fixed(one), &fixed(other), |one, other| one == other)
        || told_by_a_property(one, other)
}

/// Whether both say what they allow and nothing is in both.
fn disjoint<T>(one: &Option<Vec<T>>, other: &Option<Vec<T>>, same: fn(&T, &T) -> bool) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => !one.iter().any(|value| other.iter().any(|more| same(value, more))),
        _ => false,
    }
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect()),
        word => Some(vec![word.as_str()?]),
    }
}

fn share_a_type(one: &&str, other: &&str) -> bool {
    let number = |word: &str| matches!(word, "integer" | "number");
    one == other || (number(one) && number(other))
}

/// The only values of a schema.
fn fixed(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// Whether both are objects that need one property, each with other values of it.
fn told_by_a_property(one: &Value, other: &Value) -> bool {
    let properties = |schema: &Value| schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let (mine, theirs): (Map<String, Value>, Map<String, Value>) = (properties(one), properties(other));
    let both_objects = types(one).as_deref() == Some(&["object"]) && types(other).as_deref() == Some(&["object"]);
    let told = |(name, schema): (&String, &Value)| {
        let values = theirs.get(name).and_then(fixed);
        needs(one, name) && needs(other, name) && disjoint(&fixed(schema), &values, |one, other| one == other)
    };
    both_objects && mine.iter().any(told)
}

fn needs(schema: &Value, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_no_value_fits_twice_is_exclusive() {
        let kind = |word: &str| json!({"type": "object", "properties": {"kind": {"const": word}}, "required": ["kind"]});
        let loose = json!({"type": "object", "properties": {"kind": {"const": "c"}}});
        let table = [
            (json!([]), true),
            (json!([{"type": "string"}]), true),
            (json!([{"type": "string"}, {"type": ["array", "null"]}]), true),
            (json!([{"type": "string"}, {"type": ["string", "null"]}]), false),
            (json!([{"type": "integer"}, {"type": "number"}]), false),
            (
                json!([{"type": "string", "format": "uuid"}, {"type": "string", "maxLength": 63}]),
                false,
            ),
            (json!([{"const": 1}, {"enum": [2, 3]}]), true),
            (json!([{"const": 1}, {"enum": [1, 3]}]), false),
            (json!([{"type": "string", "enum": ["a"]}, {"type": "string"}]), false),
            (json!([{}, {"type": "string"}]), false),
            (json!([kind("a"), kind("b"), {"type": "null"}]), true),
            (json!([kind("a"), kind("a")]), false),
            (json!([kind("a"), loose]), false),
        ];
        for (branches, expected) in table {
            let list = branches.as_array().expect("a list");
            assert_eq!(are_exclusive(list), expected, "{branches}");
        }
    }
}
