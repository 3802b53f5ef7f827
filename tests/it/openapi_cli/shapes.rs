//! What `--json` and `--report` write fits the published schemas.

use serde_json::{Value, json};

use super::*;
use crate::formats::schemas::assert_value;

const LEDGER: &str = "docs/schemas/openapi-ledger.schema.json";
const WRITTEN: &str = "docs/schemas/openapi-written.schema.json";

const ODD: &str = "{openapi: 3.1.0, info: {title: S, version: 7}, servers: [{url: 'https://{x}.dev'}, {url: 'https://b.dev', description: Second}], paths: {
    /a: {get: {tags: [T], deprecated: true, parameters: [{$ref: '#/gone'}]}, trace: {}, additionalOperations: {COPY: {}}},
    /b: {post: {servers: [{url: 'https://other.dev'}]}}}}";

#[test]
fn ledgers_fit_their_schema() {
    let folder = folder(&[("pets.yaml", PETS), ("odd.yaml", ODD), ("none.yaml", "openapi: 3.1.0")]);
    for words in [
        &["pets.yaml"][..],
        &["--target", "becket", "pets.yaml"],
        &["odd.yaml"],
        &["--only", "post", "odd.yaml"],
        &["none.yaml"],
    ] {
        let ended = openapi(folder.path(), &[words, &["--json", "--report", "report.json"]].concat());
        let value: Value = serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
        assert_value(LEDGER, &value);
        let report: Value = serde_json::from_str(&read(folder.path(), "report.json")).expect("JSON");
        assert_eq!(report, value, "{words:?}");
        let list = |name: &str| value[name].as_array().expect("a list").len();
        assert_eq!(
            value["counts"]["operations"],
            json!(list("operations") + list("left_out")),
            "{words:?}"
        );
    }
    let written = openapi(
        folder.path(),
        &[
            "--base",
            "https://pets.dev",
            "--only",
            "get",
            "--json",
            "--report",
            "report.json",
            "pets.yaml",
            "pets",
        ],
    );
    assert_value(LEDGER, &serde_json::from_str(&read(folder.path(), "report.json")).expect("JSON"));
    let value: Value = serde_json::from_str(&written.out).expect("JSON");
    assert_value(WRITTEN, &value);
    assert_eq!(
        value,
        json!({"version": 1, "file": "pets/connector.json", "capabilities": ["pets.find_pets", "pets.get_pet"], "keys": ["KEY"]})
    );
}

#[test]
fn the_schemas_are_strict() {
    for (schema, bad) in [
        (LEDGER, json!({"version": 1})),
        (
            WRITTEN,
            json!({"version": 1, "file": "x", "capabilities": [], "keys": [], "more": 1}),
        ),
        (WRITTEN, json!({"version": 2, "file": "x", "capabilities": [], "keys": []})),
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(schema)).expect(schema);
        let schema: Value = serde_json::from_str(&text).expect("a schema");
        jsonschema::meta::validate(&schema).expect("a right schema");
        assert!(!jsonschema::validator_for(&schema).expect("a schema").is_valid(&bad), "{bad}");
    }
}

/// The page for authors has every reason and every kind of note that there is.
#[test]
fn the_page_names_what_the_ledger_may_hold() {
    let text = |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name);
    let (page, schema) = (text("docs/openapi.md"), text(LEDGER));
    let schema: Value = serde_json::from_str(&schema).expect("a schema");
    let reasons = schema["definitions"]["left_out"]["properties"]["reason"]["enum"]
        .as_array()
        .expect("a list");
    for reason in reasons.iter().filter_map(Value::as_str) {
        assert!(page.contains(&format!("`{reason}`")), "{reason}");
    }
    for line in text("src/openapi/ledger.rs")
        .lines()
        .filter(|line| line.contains("Self::") && line.contains("=> \""))
    {
        let Some(code) = line
            .split('"')
            .nth(1)
            .filter(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'))
        else {
            continue;
        };
        assert!(page.contains(&format!("`{code}`")), "{code}");
    }
}
