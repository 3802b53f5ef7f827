//! JUnit XML for test reports: a suite for each file, with one case `rules` that fails when a rule
//! found an error, and one case for each contract case that was run. Fits the schema that the
//! xunit plugin of Jenkins publishes.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::concise::line;
use super::sheet::{Case, Entry, Sheet};
use super::text::visible;
use super::{Look, Outcome};
use crate::diag::{Level, count};

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
    suite.add_test_cases(sheet.cases.iter().map(|case| contract_case(sheet, case)));
    if !sheet.cases.is_empty() {
        suite.set_time(sheet.cases.iter().map(time).sum());
    }
    suite
}

fn time(case: &Case<'_>) -> Duration {
    Duration::from_millis(case.run.milliseconds)
}

fn rules(sheet: &Sheet<'_>) -> TestCase {
    let errors: Vec<_> = sheet.rules.iter().filter(|entry| entry.level == Level::Error).collect();
    let others: Vec<_> = sheet.rules.iter().filter(|entry| entry.level != Level::Error).collect();
    let status = match errors.first() {
        None => TestCaseStatus::success(),
        Some(first) => failure(&count(errors.len(), "error"), first.rule.code, &describe(sheet, &errors)),
    };
    let mut case = TestCase::new("rules", status);
    case.set_classname(visible(sheet.name()));
    if !others.is_empty() {
        case.set_system_out(describe(sheet, &others));
    }
    case
}

fn contract_case(sheet: &Sheet<'_>, case: &Case<'_>) -> TestCase {
    let name = visible(&format!("{} {}", case.run.capability, case.args));
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
            failure(message, code, &describe(sheet, &entries))
        }
        Outcome::Unanswered(_) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            let why = visible(case.unanswered.as_deref().unwrap_or_default());
            status.set_message(why).set_type("unanswered");
            status
        }
    }
}

fn failure(message: &str, code: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
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
    out
}
