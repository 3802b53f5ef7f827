//! JUnit XML for test reports: a suite for each file, with one case `rules` that fails when a rule
//! found an error, and one case for each contract case that was run. Fits the schema that the
//! xunit plugin of Jenkins publishes.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::concise::line;
use super::sheet::{Case, Entry, Sheet};
use super::text::visible;
use super::veil::cut;
use super::words::more;
use super::{Look, Outcome, Stop};
use crate::diag::{Level, count, table};

/// The longest name of a case, in characters.
const NAME: usize = 200;

pub(super) fn write(sheets: &[Sheet<'_>]) -> String {
    let mut report = Report::new("becket");
    report.add_test_suites(sheets.iter().map(suite));
    let text = report.to_string().expect("a String takes all");
    // The root has no `skipped` in the schema; the writer always puts it there. We skip nothing.
    text.replacen(" skipped=\"0\"", "", 1)
}

fn suite(sheet: &Sheet<'_>) -> TestSuite {
    let mut suite = TestSuite::new(visible(sheet.name()));
    suite.add_test_case(rules(sheet));
    suite.add_test_cases(sheet.stop.iter().map(|stop| stopped(sheet, stop)));
    suite.add_test_cases(sheet.cases.iter().map(|case| contract_case(sheet, case)));
    if !sheet.cases.is_empty() {
        suite.set_time(sheet.cases.iter().map(time).sum());
    }
    suite
}

/// A contract that could not begin, or a file that could not be read.
fn stopped(sheet: &Sheet<'_>, stop: &Stop) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(visible(&stop.message)).set_type(stop.code);
    if let Some(help) = &stop.help {
        status.set_description(format!("help: {}", visible(help)));
    }
    let mut case = TestCase::new("contract", status);
    case.set_classname(visible(sheet.name()));
    case
}

fn time(case: &Case<'_>) -> Duration {
    Duration::from_millis(case.run.milliseconds)
}

fn rules(sheet: &Sheet<'_>) -> TestCase {
    let all = sheet.report.findings.iter().filter(|finding| finding.level == Level::Error);
    let errors: Vec<_> = sheet.rules.iter().filter(|entry| entry.level == Level::Error).collect();
    let others: Vec<_> = sheet.rules.iter().filter(|entry| entry.level != Level::Error).collect();
    let status = match errors.first() {
        None => TestCaseStatus::success(),
        Some(first) => not_well(
            NonSuccessKind::Failure,
            &count(all.count(), "error"),
            first.rule.code,
            &describe(sheet, &errors),
        ),
    };
    let mut case = TestCase::new("rules", status);
    case.set_classname(visible(sheet.name()));
    if !others.is_empty() {
        case.set_system_out(describe(sheet, &others));
    }
    case
}

fn contract_case(sheet: &Sheet<'_>, case: &Case<'_>) -> TestCase {
    let name = cut(&visible(&format!("{} {}", case.capability, case.args)), NAME);
    let mut test = TestCase::new(name, status(sheet, case));
    test.set_classname(visible(sheet.name())).set_time(time(case));
    test.set_system_out(count(usize::try_from(case.run.bytes).unwrap_or(usize::MAX), "byte"));
    test
}

fn status(sheet: &Sheet<'_>, case: &Case<'_>) -> TestCaseStatus {
    match &case.run.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Failed(_) => {
            let entries: Vec<_> = case.findings.iter().collect();
            let (message, code) = entries
                .first()
                .map_or(("the case failed", "contract"), |e| (&e.message, e.rule.code));
            let kind = match code == table::CASE_FAILED.code {
                true => NonSuccessKind::Error,
                false => NonSuccessKind::Failure,
            };
            not_well(kind, message, code, &describe(sheet, &entries))
        }
    }
}

fn not_well(kind: NonSuccessKind, message: &str, code: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(visible(message)).set_type(code).set_description(description);
    status
}

/// The findings in their concise form, each with its remedy.
fn describe(sheet: &Sheet<'_>, entries: &[&Entry<'_>]) -> String {
    let mut out = String::new();
    for entry in entries {
        out.push_str(&line(sheet, entry, &Look::PLAIN));
        out.push('\n');
        for help in entry.help.iter().filter(|help| !help.starts_with("did you mean")) {
            out.push_str(&format!("  help: {}\n", visible(help)));
        }
    }
    out.extend(more(sheet).map(|more| more + "\n"));
    out
}
