//! One manifest with twelve mistakes, through the program: each format names each finding at its
//! line and column, and what programs read fits the published schemas.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::formats::schemas::{assert_junit, assert_value};
use crate::program::{becket, run};

const TWELVE: [(&str, u64, u64); 12] = [
    ("P004", 3, 3),
    ("P107", 4, 26),
    ("P202", 6, 13),
    ("P209", 8, 7),
    ("P301", 9, 21),
    ("P401", 16, 15),
    ("P214", 20, 92),
    ("P501", 23, 15),
    ("P003", 26, 18),
    ("P302", 27, 44),
    ("P601", 28, 25),
    ("P502", 31, 31),
];

const FILE: &str = "tests/fixtures/twelve/connector.json";

/// What `check` prints in a format; it ends with `code` and says nothing else.
fn printed(format: &str, code: i32) -> String {
    let mut command = becket();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let ended = run(command.args(["check", "--quiet", "--format", format, "tests/fixtures/twelve"]));
    assert_eq!((ended.code, ended.err.as_str()), (code, ""), "{format}");
    ended.out
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn concise_lines_name_all_twelve() {
    let text = printed("concise", 1);
    let starts: Vec<String> = TWELVE.map(|(code, line, column)| format!("{FILE}:{line}:{column}: {code} ")).into();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12);
    for (line, start) in lines.iter().zip(&starts) {
        assert!(line.starts_with(start.as_str()), "{line} is not {start}");
    }
}

#[test]
fn human_text_draws_all_twelve() {
    let text = printed("human", 1);
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with("  × ")).collect();
    let places: Vec<&str> = text.lines().filter(|line| line.contains("╭─[")).collect();
    assert_eq!((heads.len(), places.len()), (12, 12), "{text}");
    for ((code, line, column), (head, place)) in TWELVE.iter().zip(heads.iter().zip(places)) {
        assert!(head.starts_with(&format!("  × {code}: ")), "{head}");
        assert!(place.ends_with(&format!("[{FILE}:{line}:{column}]")), "{place}");
    }
    assert!(
        text.ends_with(&format!("Found 12 errors in {FILE} (2 fixable with `--fix`).\n")),
        "{text}"
    );
}

#[test]
fn annotations_name_all_twelve() {
    let text = printed("github", 1);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 12);
    for ((code, line, column), found) in TWELVE.iter().zip(lines) {
        assert!(
            found.starts_with(&format!("::error file={FILE},line={line},col={column},")),
            "{found}"
        );
        assert!(found.contains(&format!(",title={code} ")), "{found}");
    }
}

#[test]
fn json_names_all_twelve_and_fits_its_schema() {
    let value: Value = serde_json::from_str(&printed("json", 1)).expect("JSON");
    assert_value("docs/schemas/check-report.schema.json", &value);
    let findings = value["files"][0]["findings"].as_array().expect("a list");
    let found: Vec<_> = findings
        .iter()
        .map(|finding| {
            let start = &finding["range"]["start"];
            (
                finding["code"].as_str().expect("a code"),
                number(&start["line"]),
                number(&start["column"]),
            )
        })
        .collect();
    assert_eq!(found, TWELVE);
    assert_eq!(value["files"][0]["path"], FILE);
    assert_eq!(number(&value["summary"]["errors"]), 12);
}

#[test]
fn sarif_names_all_twelve_and_fits_its_schema() {
    let value: Value = serde_json::from_str(&printed("sarif", 0)).expect("JSON");
    assert_value("tests/schemas/sarif-2.1.0.json", &value);
    let results = value["runs"][0]["results"].as_array().expect("a list");
    let found: Vec<_> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], FILE);
            let region = &place["region"];
            (
                result["ruleId"].as_str().expect("a code"),
                number(&region["startLine"]),
                number(&region["startColumn"]),
            )
        })
        .collect();
    assert_eq!(found, TWELVE);
}

#[test]
fn junit_names_all_twelve_and_fits_its_schema() {
    let text = printed("junit", 1);
    assert_junit(&text);
    let mut reader = Reader::from_str(&text);
    let mut all = String::new();
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Text(text) => all += &String::from_utf8_lossy(&text),
            Event::Eof => break,
            _ => {}
        }
    }
    let found: Vec<&str> = all.lines().map(str::trim).filter(|line| line.starts_with(FILE)).collect();
    assert_eq!(found.len(), 12, "{all}");
    for ((code, line, column), found) in TWELVE.iter().zip(found) {
        assert!(found.starts_with(&format!("{FILE}:{line}:{column}: {code} ")), "{found}");
    }
}
