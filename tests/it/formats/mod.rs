//! Findings made by hand, written in all six formats.

mod human;
mod machine;
pub(crate) mod schemas;
mod secrets;

use becket::diag::{Edit, Finding, Level, Rule};
use becket::report::{CaseRun, FileReport, Format, Look, Outcome, Stop, write};
use becket::source::{Source, Span};

/// So many notes, and one error after them.
fn many(notes: usize) -> FileReport {
    let source = "1,".repeat(notes) + "1";
    let mut findings: Vec<_> = (0..notes)
        .map(|at| Finding::new(&SURPRISE, Span::new(2 * at, 2 * at + 1), "x"))
        .collect();
    findings.push(Finding::new(&KEY_IN_PATH, Span::new(2 * notes, 2 * notes + 1), "y"));
    FileReport::new(Source::new("x.json", source), findings)
}

const PAGE: &str = "# P302: key-in-path\n\nA key from `env` is used in a request's path.\n\nWhy: paths end up in logs.\n";

macro_rules! rule {
    ($name:ident, $code:literal, $slug:literal, $level:ident, $summary:literal) => {
        static $name: Rule = Rule {
            code: $code,
            slug: $slug,
            level: Level::$level,
            summary: $summary,
            page: PAGE,
        };
    };
}

rule!(KEY_IN_PATH, "P302", "key-in-path", Error, "a key is in the path");
rule!(MISSING, "P002", "missing-field", Error, "a required field is missing");
rule!(UNPROVEN, "P501", "unproven-read", Error, "a read has no contract case");
rule!(NO_SUCH_FIELD, "P511", "absent-key", Error, "the answer lacks a key");
rule!(FAILED, "P510", "case-failed", Error, "the call of a case failed");
rule!(UNKNOWN, "C001", "unknown-field", Warning, "a field that nothing reads");
rule!(WRITES, "C401", "name-writes", Error, "a tool name sounds like writing");
rule!(NO_TOOL, "C502", "no-such-tool", Error, "a name that no tool has");
rule!(SURPRISE, "P901", "surprise", Note, "worth knowing");

const PETSTORE: &str = r#"{
  "name": "petstore",
  "env": ["PETSTORE_KEY"],
  "http": {"base": "https://petstore3.swagger.io/api/v3"},
  "capabilities": [
    {
      "name": "petstore.pet",
      "risk": "read",
      "signature": "petstore.pet({id})",
      "returns": "{id, name, status}",
      "request": {"method": "GET", "path": "/pet/{{id}}/{{env.PETSTORE_KEY}}"}
    },
    {
      "name": "petstore.find",
      "risk": "read",
      "signature": "petstore.find({status})",
      "returns": "[{id, name, status}]",
      "reqest": {"method": "GET", "path": "/pet/findByStatus", "query": {"status": "{{status}}"}}
    }
  ],
  "contract": [{"capability": "petstore.find", "args": {"status": "sold"}, "keys": ["id", "nmae"]}]
}
"#;

/// The first place where `text` stands in the source.
fn at(source: &str, text: &str) -> Span {
    let start = source.find(text).expect("the text is there");
    Span::new(start, start + text.len())
}

fn petstore() -> FileReport {
    let key = at(PETSTORE, r#""/pet/{{id}}/{{env.PETSTORE_KEY}}""#);
    let misspelt = at(PETSTORE, r#""reqest""#);
    let findings = vec![
        Finding::new(&KEY_IN_PATH, key, "a key may not go in the path")
            .label("`env.PETSTORE_KEY` ends up in the address")
            .help("move it to `headers`, `query` or `body`"),
        Finding::new(&MISSING, misspelt, "`petstore.find` has no `request`")
            .label("did you mean `request`?")
            .fix(
                "rename it to `request`",
                vec![Edit {
                    span: misspelt,
                    text: r#""request""#.into(),
                }],
            ),
        Finding::new(
            &UNPROVEN,
            at(PETSTORE, r#""petstore.pet""#),
            "`petstore.pet` is a read without a contract case",
        )
        .label("no case calls it")
        .help(r#"add {"capability": "petstore.pet", "args": {"id": …}, "keys": ["id"]}"#),
    ];
    FileReport::new(Source::new("petstore/connector.json", PETSTORE), findings)
}

/// The manifest is fine, its contract fails: one case on a key, one on no answer.
fn contract() -> FileReport {
    let finding = Finding::new(&NO_SUCH_FIELD, at(PETSTORE, r#""nmae""#), "the answer has no `nmae`")
        .label("the answer has id, name, status")
        .help("did you mean `name`?");
    let case = at(PETSTORE, r#""petstore.find", "args""#).range().start;
    let silence = Finding::new(&FAILED, Span::new(case, case + 15), "petstore3.swagger.io did not answer in 30 s");
    let run = |args: &str, outcome, milliseconds| CaseRun {
        capability: "petstore.find".into(),
        args: args.into(),
        outcome,
        milliseconds,
        bytes: 1234,
    };
    FileReport::new(Source::new("petstore/connector.json", PETSTORE), vec![]).cases(vec![
        run(r#"{"status":"sold"}"#, Outcome::Failed(vec![finding]), 212),
        run(r#"{"status":"free"}"#, Outcome::Passed, 98),
        run("{}", Outcome::Failed(vec![silence]), 30_000),
    ])
}

/// A contract that could not begin.
fn stopped() -> FileReport {
    let mut report = FileReport::new(Source::new("petstore/connector.json", PETSTORE), vec![]);
    report.stop = Some(Stop {
        code: "key_missing",
        exit: 3,
        message: "`petstore.find` needs a key that has no value: PETSTORE_KEY".into(),
        help: Some("set PETSTORE_KEY for this run".into()),
    });
    report
}

const PACK: &str = "name: example-tracker
title: Example
api:
  base_url: https://{domain}/api/v1
  auth: {type: header, name: X-Api-Key}
  check: find_offers
  limit: {timeout: 20}
  tools:
    create_offer:
      about: Offers by name
";

fn pack() -> Vec<FileReport> {
    let key = at(PACK, "limit");
    let findings = vec![
        Finding::new(&WRITES, at(PACK, "create_offer"), "tool name `create_offer` sounds like writing")
            .label("an `api` block only reads")
            .help("name what the tool reads, for example `find_offers`"),
        Finding::new(&UNKNOWN, key, "unknown key `limit`")
            .label("did you mean `limits`?")
            .fix(
                "rename it to `limits`",
                vec![Edit {
                    span: key,
                    text: "limits".into(),
                }],
            ),
        Finding::new(&NO_TOOL, at(PACK, "find_offers"), "`check` names a tool that does not exist")
            .label("no tool `find_offers`")
            .help("the tools are: create_offer"),
    ];
    let profile = FileReport::new(Source::new("my-pack/example-tracker.yaml", PACK), findings);
    vec![
        profile,
        FileReport::new(Source::new("my-pack/another.yaml", "name: another\n"), vec![]),
    ]
}

/// One finding over `text` in `source`.
fn one(source: &str, span: Span) -> Vec<FileReport> {
    let finding = Finding::new(&SURPRISE, span, "look here").label("this");
    vec![FileReport::new(Source::new("x.json", source), vec![finding])]
}

fn human(reports: &[FileReport], look: Look) -> String {
    write(Format::Human, reports, &look)
}

fn plain(format: Format, reports: &[FileReport]) -> String {
    write(format, reports, &Look::PLAIN)
}
