//! For programs: concise, github, json, sarif and junit, byte for byte.

use super::*;
use serde_json::{Value, json};

#[test]
fn concise_is_one_line_each_by_place() {
    let expected = "petstore/connector.json:7:15: P501 `petstore.pet` is a read without a contract case
petstore/connector.json:11:44: P302 a key may not go in the path
petstore/connector.json:18:7: P002 `petstore.find` has no `request` (did you mean `request`?)
";
    assert_eq!(plain(Format::Concise, &[petstore()]), expected);
    let expected = "my-pack/example-tracker.yaml:6:10: C502 `check` names a tool that does not exist
my-pack/example-tracker.yaml:7:3: C001 warning: unknown key `limit` (did you mean `limits`?)
my-pack/example-tracker.yaml:9:5: C401 tool name `create_offer` sounds like writing
";
    assert_eq!(plain(Format::Concise, &pack()), expected);
    let expected = "petstore/connector.json:21:31: P510 petstore3.swagger.io did not answer in 30 s
petstore/connector.json:21:91: P511 the answer has no `nmae` (did you mean `name`?)\n";
    assert_eq!(plain(Format::Concise, &[contract()]), expected);
}

#[test]
fn github_annotates_the_place() {
    let expected = "::error file=my-pack/example-tracker.yaml,line=6,col=10,endLine=6,endColumn=21,title=C502 no-such-tool\
        ::`check` names a tool that does not exist%0Ahelp: the tools are: create_offer
::warning file=my-pack/example-tracker.yaml,line=7,col=3,endLine=7,endColumn=8,title=C001 unknown-field\
        ::unknown key `limit` (did you mean `limits`?)
::error file=my-pack/example-tracker.yaml,line=9,col=5,endLine=9,endColumn=17,title=C401 name-writes\
        ::tool name `create_offer` sounds like writing%0Ahelp: name what the tool reads, for example `find_offers`
";
    assert_eq!(plain(Format::Github, &pack()), expected);
}

#[test]
fn github_escapes_what_would_end_a_command() {
    let finding = Finding::new(&SURPRISE, Span::new(0, 1), "50%\n::error::forged");
    let reports = [FileReport::new(Source::new("a,b:c%.json", "{}"), vec![finding])];
    let expected = "::notice file=a%2Cb%3Ac%25.json,line=1,col=1,endLine=1,endColumn=2,title=P901 surprise::50%25\\n::error::forged\n";
    assert_eq!(plain(Format::Github, &reports), expected);
}

fn point(line: usize, column: usize, offset: usize) -> Value {
    json!({"line": line, "column": column, "offset": offset})
}

fn parsed(format: Format, reports: &[FileReport]) -> Value {
    serde_json::from_str(&plain(format, reports)).expect("JSON")
}

#[test]
fn json_has_every_fact() {
    let report = parsed(Format::Json, &[petstore()]);
    let range =
        |line, from: usize, to: usize, start: usize| json!({"start": point(line, from, start), "end": point(line, to, start + to - from)});
    let start = |text: &str| PETSTORE.find(text).expect("there");
    let misspelt = range(18, 7, 15, start("\"reqest\""));
    let expected = json!({
        "version": 1,
        "files": [{"path": "petstore/connector.json", "cases": [], "findings": [
            {
                "code": "P501", "slug": "unproven-read", "level": "error", "related": [],
                "message": "`petstore.pet` is a read without a contract case",
                "help": "add {\"capability\": \"petstore.pet\", \"args\": {\"id\": …}, \"keys\": [\"id\"]}",
                "range": range(7, 15, 29, start("\"petstore.pet\"")),
                "pointer": "/capabilities/0/name",
                "label": "no case calls it",
            },
            {
                "code": "P302", "slug": "key-in-path", "level": "error", "related": [],
                "message": "a key may not go in the path",
                "help": "move it to `headers`, `query` or `body`",
                "range": range(11, 44, 78, start("\"/pet/{{id}}")),
                "pointer": "/capabilities/0/request/path",
                "label": "`env.PETSTORE_KEY` ends up in the address",
            },
            {
                "code": "P002", "slug": "missing-field", "level": "error", "related": [],
                "message": "`petstore.find` has no `request`",
                "range": misspelt,
                "pointer": "/capabilities/1/reqest",
                "label": "did you mean `request`?",
                "fix": {"title": "rename it to `request`", "edits": [{"range": misspelt, "text": "\"request\""}]},
            },
        ]}],
        "summary": {"errors": 3, "warnings": 0, "notes": 0, "fixable": 1, "cases": 0, "failed": 0},
    });
    assert_eq!(report, expected);
}

#[test]
fn json_has_the_contract() {
    let report = parsed(Format::Json, &[contract()]);
    let expected = json!([
        {
            "capability": "petstore.find", "args": "{\"status\":\"sold\"}", "outcome": "failed",
            "milliseconds": 212, "bytes": 1234, "message": "the answer has no `nmae`",
        },
        {"capability": "petstore.find", "args": "{\"status\":\"free\"}", "outcome": "passed", "milliseconds": 98, "bytes": 1234},
        {
            "capability": "petstore.find", "args": "{}", "outcome": "failed",
            "milliseconds": 30000, "bytes": 1234, "message": "petstore3.swagger.io did not answer in 30 s",
        },
    ]);
    assert_eq!(report["files"][0]["cases"], expected);
    assert_eq!(report["files"][0]["findings"][1]["pointer"], "/contract/0/keys/1");
    assert_eq!(
        report["summary"],
        json!({"errors": 2, "warnings": 0, "notes": 0, "fixable": 0, "cases": 3, "failed": 2})
    );
}

#[test]
fn sarif_lists_each_rule_once_and_each_place() {
    let log = parsed(Format::Sarif, &[petstore()]);
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = &run["tool"]["driver"]["rules"];
    let codes: Vec<_> = rules.as_array().expect("a list").iter().map(|rule| &rule["id"]).collect();
    assert_eq!(codes, ["P002", "P302", "P501"]);
    let rule = json!({
        "id": "P302", "name": "key-in-path",
        "shortDescription": {"text": "a key is in the path"},
        "fullDescription": {"text": "A key from `env` is used in a request's path."},
        "defaultConfiguration": {"level": "error"},
        "help": {"text": PAGE, "markdown": PAGE},
    });
    assert_eq!(rules[1], rule);
    let region = json!({"startLine": 18, "startColumn": 7, "endLine": 18, "endColumn": 15});
    let mut quoted = region.clone();
    quoted["snippet"] = json!({"text": "\"reqest\""});
    let file = json!({"uri": "petstore/connector.json"});
    let mut result = run["results"][2].clone();
    let fingerprint = result["partialFingerprints"]["becketFinding/v1"].take();
    let expected = json!({
        "ruleId": "P002", "ruleIndex": 0, "level": "error",
        "message": {"text": "`petstore.find` has no `request` (did you mean `request`?)"},
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": quoted}}],
        "fixes": [{
            "description": {"text": "rename it to `request`"},
            "artifactChanges": [{
                "artifactLocation": file,
                "replacements": [{"deletedRegion": region, "insertedContent": {"text": "\"request\""}}],
            }],
        }],
        "partialFingerprints": {"becketFinding/v1": null},
    });
    assert_eq!(result, expected);
    assert_eq!(fingerprint.as_str().map(str::len), Some(18), "{fingerprint}");
}

#[test]
fn sarif_knows_a_finding_again_that_moved() {
    let prints = |source: &str| -> Vec<Value> {
        let twice = Finding::new(&SURPRISE, at(source, "1"), "look").related(at(source, "2"), "and here");
        let reports = [FileReport::new(Source::new("x y.json", source), vec![twice.clone(), twice])];
        let results = parsed(Format::Sarif, &reports)["runs"][0]["results"].take();
        let place = &results[0]["relatedLocations"][0];
        assert_eq!((&place["id"], &place["message"]["text"]), (&json!(1), &json!("and here")));
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "x%20y.json");
        results
            .as_array()
            .expect("a list")
            .iter()
            .map(|result| result["partialFingerprints"].clone())
            .collect()
    };
    let before = prints("[1, 2]");
    assert_eq!(before, prints("\n\n  [1, 2]"));
    assert_ne!(before[0], before[1]);
}

#[test]
fn junit_has_a_case_for_the_rules_and_one_for_each_contract_case() {
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="becket" tests="4" failures="1" errors="1">
    <testsuite name="petstore/connector.json" tests="4" skipped="0" errors="1" failures="1" time="30.310">
        <testcase name="rules" classname="petstore/connector.json"/>
        <testcase name="petstore.find {&quot;status&quot;:&quot;sold&quot;}" classname="petstore/connector.json" time="0.212">
            <failure message="the answer has no `nmae`" type="P511">petstore/connector.json:21:91: P511 the answer has no `nmae` (did you mean `name`?)
</failure>
            <system-out>1234 bytes</system-out>
        </testcase>
        <testcase name="petstore.find {&quot;status&quot;:&quot;free&quot;}" classname="petstore/connector.json" time="0.098">
            <system-out>1234 bytes</system-out>
        </testcase>
        <testcase name="petstore.find {}" classname="petstore/connector.json" time="30.000">
            <error message="petstore3.swagger.io did not answer in 30 s" type="P510">petstore/connector.json:21:31: P510 petstore3.swagger.io did not answer in 30 s
</error>
            <system-out>1234 bytes</system-out>
        </testcase>
    </testsuite>
</testsuites>
"#;
    assert_eq!(plain(Format::Junit, &[contract()]), expected);
}

#[test]
fn junit_fails_on_errors_and_only_tells_warnings() {
    let text = plain(Format::Junit, &pack());
    let expected = r#"        <testcase name="rules" classname="my-pack/example-tracker.yaml">
            <failure message="2 errors" type="C502">my-pack/example-tracker.yaml:6:10: C502 `check` names a tool that does not exist
  help: the tools are: create_offer
my-pack/example-tracker.yaml:9:5: C401 tool name `create_offer` sounds like writing
  help: name what the tool reads, for example `find_offers`
</failure>
            <system-out>my-pack/example-tracker.yaml:7:3: C001 warning: unknown key `limit` (did you mean `limits`?)
</system-out>
        </testcase>
"#;
    assert!(text.contains(expected), "{text}");
    assert!(
        text.contains(r#"<testsuites name="becket" tests="2" failures="1" errors="0">"#),
        "{text}"
    );
}

#[test]
fn the_order_of_the_input_changes_nothing() {
    let mut turned = pack();
    turned.reverse();
    for report in &mut turned {
        report.findings.reverse();
    }
    for format in Format::ALL {
        assert_eq!(plain(format, &turned), plain(format, &pack()), "{format}");
    }
}

#[test]
fn pointers_name_the_smallest_value() {
    let source = "{\"a/b~\": [1, {\"c\": \"d\"}], \"e\": {}}";
    let spans = [
        at(source, "d"),
        at(source, "\"c\""),
        at(source, "[1,"),
        at(source, "1"),
        at(source, "\"a/b~\""),
        at(source, ", \"e\""),
    ];
    let findings = spans.map(|span| Finding::new(&SURPRISE, span, "x")).to_vec();
    let report = parsed(Format::Json, &[FileReport::new(Source::new("x", source), findings)]);
    let found: Vec<_> = report["files"][0]["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| &finding["pointer"])
        .collect();
    assert_eq!(found, ["/a~1b~0", "/a~1b~0", "/a~1b~0/0", "/a~1b~0/1/c", "/a~1b~0/1/c", ""]);
    assert_eq!(parsed(Format::Json, &pack())["files"][1]["findings"][0]["pointer"], "/api/check");
    assert_eq!(pointer("a: &x {b: 1}\nc: *x\nd: 2\n", "b"), "/a/b");
    assert_eq!(pointer("a: &x {b: 1}\nc: *x\nd: 2\n", "c"), "/c");
    assert_eq!(pointer("a: &x {b: 1}\nc: *x\nd: 2\n", "d"), "/d");
    assert_eq!(pointer("[1, ", "1"), Value::Null);
}

fn pointer(source: &str, text: &str) -> Value {
    parsed(Format::Json, &one(source, at(source, text)))["files"][0]["findings"][0]["pointer"].take()
}

#[test]
fn many_findings_in_one_long_line_are_quick_enough_to_list() {
    let source = format!("[{}0]", "\"é\",".repeat(5_000));
    let findings = source.match_indices("\"é\"").map(|(start, text)| {
        let span = Span::new(start, start + text.len());
        Finding::new(&SURPRISE, span, "x")
    });
    let reports = [FileReport::new(Source::new("x", source.clone()), findings.collect())];
    let report = parsed(Format::Json, &reports);
    let last = &report["files"][0]["findings"][999];
    assert_eq!(
        (&last["pointer"], &last["range"]["start"]["column"]),
        (&json!("/999"), &json!(3_998))
    );
    assert_eq!(plain(Format::Concise, &reports).lines().count(), 101);
    assert_eq!(human(&reports, Look::PLAIN).matches("P901").count(), 100);
}

#[test]
fn every_format_says_that_a_contract_could_not_begin() {
    let reports = [stopped()];
    let why = "`petstore.find` needs a key that has no value: PETSTORE_KEY";
    assert_eq!(plain(Format::Concise, &reports), format!("petstore/connector.json: error: {why}\n"));
    let expected = format!("::error file=petstore/connector.json,title=contract::{why}%0Ahelp: set PETSTORE_KEY for this run\n");
    assert_eq!(plain(Format::Github, &reports), expected);
    let failure = json!({"code": "key_missing", "exit": 3, "message": why, "help": "set PETSTORE_KEY for this run"});
    assert_eq!(parsed(Format::Json, &reports)["files"][0]["failure"], failure);
    let sarif = parsed(Format::Sarif, &reports);
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert_eq!(
        notification["message"]["text"],
        format!("{why}\nhelp: set PETSTORE_KEY for this run")
    );
    let junit = plain(Format::Junit, &reports);
    assert!(junit.contains("tests=\"2\" failures=\"0\" errors=\"1\""), "{junit}");
    assert!(
        junit.contains(&format!("<error message=\"{why}\" type=\"key_missing\">")),
        "{junit}"
    );
    assert!(parsed(Format::Sarif, &[petstore()])["runs"][0].get("invocations").is_none());
}

#[test]
fn programs_get_a_bounded_list_and_exact_totals() {
    let reports = [many(5_000)];
    let json = parsed(Format::Json, &reports);
    assert_eq!(json["files"][0]["findings"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(json["files"][0]["omitted"], 4_001);
    assert_eq!(json["files"][0]["findings"][999]["code"], "P302");
    assert_eq!(json["summary"]["notes"], 5_000);
    let sarif = parsed(Format::Sarif, &reports);
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(sarif["runs"][0]["properties"], json!({"found": 5_001, "omitted": 4_001}));
    assert!(plain(Format::Github, &reports).ends_with("::notice file=x.json,title=more::and 4901 more findings\n"));
    assert!(plain(Format::Concise, &reports).ends_with("x.json: and 4901 more findings\n"));
    assert!(plain(Format::Junit, &reports).contains("and 4001 more findings\n"));
}
