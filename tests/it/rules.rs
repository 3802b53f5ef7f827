//! Every rule has a page, and its examples prove it.

use becket::diag::{Finding, Level, Rule, table};
use becket::rules;
use becket::source::Source;

/// Found only when a case runs against a service: their examples are two files of which only the
/// answers differ.
const AT_RUN_TIME: [&str; 5] = ["P510", "P511", "P512", "P513", "P514"];

fn examples(page: &str) -> Vec<String> {
    page.split("\n```")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').unwrap().1.to_owned() + "\n")
        .collect()
}

fn check(rule: &Rule, text: String) -> Vec<Finding> {
    if rule.code.starts_with('P') {
        rules::read(Source::new("connector.json", text)).findings
    } else {
        rules::pack::check(Source::new("profile.yaml", text))
    }
}

fn words(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| format!("{} {}", finding.rule.code, finding.message))
        .collect()
}

#[test]
fn a_page_has_one_form() {
    for rule in table::ALL {
        let lines: Vec<&str> = rule.page.lines().collect();
        let kind = if rule.code.starts_with('P') {
            "connector.json"
        } else {
            "a profile of a pack"
        };
        let level = if rule.level == Level::Error { "Error" } else { "Warning" };
        assert_eq!(lines[0], format!("# {} ({})", rule.slug, rule.code));
        assert_eq!(lines[2], format!("{level} in {kind}."), "{}", rule.code);
        assert!(lines[6].starts_with("Why: "), "{}", rule.code);
        assert_eq!(
            lines.iter().filter(|line| line.starts_with("## ")).collect::<Vec<_>>(),
            [&"## Wrong", &"## Right"]
        );
        assert_eq!(examples(rule.page).len(), 2, "{}", rule.code);
    }
}

#[test]
fn the_reference_of_the_format_names_every_rule() {
    let page = include_str!("../../docs/connector.md");
    let unnamed: Vec<&str> = table::ALL
        .iter()
        .map(|rule| rule.code)
        .filter(|code| code.starts_with('P') && !page.contains(code))
        .collect();
    assert_eq!(unnamed, [] as [&str; 0]);
}

#[test]
fn the_reference_of_packs_names_every_rule_and_its_profile_is_right() {
    let page = include_str!("../../docs/pack.md");
    let of_packs = table::ALL.iter().map(|rule| rule.code).filter(|code| code.starts_with('C'));
    let unnamed: Vec<&str> = of_packs.filter(|code| !page.contains(code)).collect();
    assert_eq!(unnamed, [] as [&str; 0]);
    let profile = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(words(&rules::pack::check(Source::new("profile.yaml", profile))), [] as [&str; 0]);
    for key in becket::format::pack::KEYS.iter().flat_map(|keys| keys.iter()) {
        assert!(
            page.contains(&format!("| `{key}` |")) || page.contains(&format!("`{key}`")),
            "{key}"
        );
    }
    let limits = becket::format::pack::Defaults::MAX_BYTES;
    assert_eq!(limits, 1 << 20);
    for (limit, number) in [
        ("timeout", "20"),
        ("per_minute", "30"),
        ("max_bytes", "1 MiB"),
        ("max_items", "100"),
    ] {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{limit}` |"))).unwrap();
        assert!(row.ends_with(&format!("| {number} |")), "{row}");
    }
}

#[test]
fn no_page_is_left_over() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.strip_suffix(".md").unwrap();
        assert!(table::ALL.iter().any(|rule| rule.code == code), "{name}");
    }
}

#[test]
fn the_wrong_example_raises_its_rule_and_the_right_one_nothing() {
    let mut failures = Vec::new();
    for rule in table::ALL {
        let examples = examples(rule.page);
        let right = check(rule, examples[1].clone());
        if !right.is_empty() {
            failures.push(format!("{} right: {:?}", rule.code, words(&right)));
        }
        if AT_RUN_TIME.contains(&rule.code) {
            continue;
        }
        let wrong = check(rule, examples[0].clone());
        let raised = wrong.iter().any(|finding| finding.rule == *rule);
        let others = wrong.iter().any(|finding| finding.level == Level::Error && finding.rule != *rule);
        if !raised || others {
            failures.push(format!("{} wrong: {:?}", rule.code, words(&wrong)));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn what_runs_wrong_is_not_wrong_in_the_file() {
    for code in AT_RUN_TIME {
        let rule = table::find(code).unwrap();
        let errors: Vec<_> = check(rule, examples(rule.page)[0].clone());
        let others = errors.iter().filter(|finding| finding.rule.code != "P506");
        assert_eq!(others.count(), 0, "{code}: {:?}", words(&errors));
    }
}
