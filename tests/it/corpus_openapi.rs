//! Every real description of the shared corpus: nothing panics or is refused, the figures agree
//! with the index, and the connectors are right. Without the folder, and without BECKET_CORPUS,
//! there is nothing to read and the tests pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use becket::diag::{Finding, Level};
use becket::format::write::write;
use becket::model::Schema;
use becket::openapi::{self, Beside, Choice, Chosen, Files, Lowered, Options, Target};
use becket::rules;
use becket::source::{Doc, Limits, Source, parse};

/// What every walk has to get by with.
const STACK: usize = 512 << 10;

fn folder() -> Option<PathBuf> {
    let asked = std::env::var_os("BECKET_CORPUS").map(PathBuf::from);
    let folder = asked
        .clone()
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/corpus").into());
    (asked.is_some() || folder.is_dir()).then_some(folder)
}

/// A table by its first column; each row by the names of the columns.
fn table(path: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("a table has a head");
    lines.map(|row| (row[0].clone(), head.iter().cloned().zip(row).collect())).collect()
}

fn doc(path: &Path) -> Result<Doc, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    parse(Source::new(path.to_string_lossy(), text), Limits::DESCRIPTION).map_err(|error| error.message)
}

/// The description with the files beside it.
fn whole(path: &Path, main: Doc) -> Files {
    let home = path.parent().expect("a file has a folder").to_owned();
    let open = move |beside: &Beside| match beside {
        Beside::File(below) => doc(&home.join(below)),
        Beside::Address(_) => Err("not fetched".to_owned()),
    };
    Files::new(main, None, Box::new(open))
}

fn options(target: Target) -> Options {
    Options {
        target,
        base: Some("https://api.corpus.dev/".parse().expect("an address")),
        ..Options::default()
    }
}

/// The index counts a member of `paths` that is an extension, and not the path that refers to it.
const MISCOUNTED: (&str, usize) = ("Mermade__extensionsEverywhere.yaml", 6);

/// Why an operation may be left out.
const REASONS: [&str; 6] = ["file-upload", "binary-body", "cookie-key", "xml-body", "other-host", "external-ref"];

/// What is left out all the same: file, operation, reason.
/// Bodies of text (also mail and JavaScript) that are not a number, true or false, cookies that are no keys, and lists and
/// objects that neither a path (`label`, `matrix`) nor a form says.
const EXCEPTIONS: [(&str, &str, &str); 19] = [
    ("higress-group__cookie-params.json", "get_preferences", "cookie-parameter"),
    ("higress-group__cookie-params.json", "get_session", "cookie-parameter"),
    ("meilisearch__open-api.json", "deletedistinct_attribute", "text-body"),
    ("meilisearch__open-api.json", "putdistinct_attribute", "text-body"),
    ("mixpanel__ingestion.openapi.yaml", "replace_lookup_table", "text-body"),
    ("moby__v1.47.yaml", "image_create", "text-body"),
    (
        "npm--octokit-openapi-23.0.2__api.github.com.json",
        "markdown_render_raw",
        "text-body",
    ),
    ("od__gmail.json", "gmail_users_drafts_create", "text-body"),
    ("od__gmail.json", "gmail_users_drafts_send", "text-body"),
    ("od__gmail.json", "gmail_users_drafts_update", "text-body"),
    ("od__gmail.json", "gmail_users_messages_import", "text-body"),
    ("od__gmail.json", "gmail_users_messages_insert", "text-body"),
    ("od__gmail.json", "gmail_users_messages_send", "text-body"),
    ("pb33f__stripe-old.yaml", "post_billing_portal_configurations", "list-form"),
    ("readmeio__cloudflare.json", "worker_script_deprecated_upload_worker", "text-body"),
    ("readmeio__parameters-style.yaml", "paths_label_exploded", "list-form"),
    ("readmeio__parameters-style.yaml", "paths_label_non_exploded", "list-form"),
    ("readmeio__parameters-style.yaml", "paths_matrix_exploded", "list-form"),
    ("readmeio__parameters-style.yaml", "paths_matrix_non_exploded", "list-form"),
];

/// What the operations of one target became.
#[derive(Default)]
struct Tally {
    files: usize,
    operations: usize,
    imported: usize,
    supported: usize,
    reasons: BTreeMap<&'static str, usize>,
    /// Left out for another reason than [`REASONS`]: file, operation, reason.
    exceptions: BTreeSet<(String, String, &'static str)>,
}

/// A description with what the index and the facts say of it.
struct Case<'c> {
    file: &'c str,
    path: &'c Path,
    counted: usize,
    supported: usize,
}

fn import(case: &Case<'_>, main: &Doc, target: Target, tally: &mut Tally) {
    let file = case.file;
    let alone = Files::single(main.clone(), None);
    let api = openapi::read(&alone, &options(target)).unwrap_or_else(|error| panic!("{file}: {error}"));
    // The index counts the five methods that connectors have.
    let others = api.left_out.iter().filter(|left| left.reason.code() == "method").count();
    assert_eq!(api.operations.len() + api.left_out.len() - others, case.counted, "{file}");
    let files = whole(case.path, main.clone());
    let api = openapi::read(&files, &options(target)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(api.operations.len() + api.left_out.len() >= case.counted, "{file}");
    tally.files += 1;
    tally.operations += api.operations.len() + api.left_out.len();
    tally.imported += api.operations.len();
    tally.supported += case.supported;
    for left in &api.left_out {
        let code = left.reason.code();
        *tally.reasons.entry(code).or_default() += 1;
        if !REASONS.contains(&code) && code != "method" {
            tally.exceptions.insert((file.to_owned(), left.id.clone(), code));
        }
    }
    for operations in api.operations.chunks(openapi::MOST) {
        let chosen = operations.iter().map(|operation| Chosen {
            id: operation.id.clone(),
            risk: operation.risk,
        });
        let choice = Choice {
            name: "corpus".to_owned(),
            description: None,
            source: None,
            operations: chosen.collect(),
        };
        let lowered = openapi::lower(&api, &choice).unwrap_or_else(|error| panic!("{file}: {error}"));
        bounded(file, &lowered);
        written(file, &lowered);
    }
}

fn bounded(file: &str, lowered: &Lowered) {
    assert_eq!(lowered.work.expansions, lowered.work.pairs, "{file}");
    assert!(lowered.work.largest <= 480, "{file}: {}", lowered.work.largest);
    for capability in &lowered.connector.capabilities {
        let schema = capability.schema.as_ref().expect("a schema");
        let problems = Schema::check(schema);
        assert!(problems.is_empty(), "{file} {}: {problems:?}", capability.name);
    }
}

fn written(file: &str, lowered: &Lowered) {
    let text = write(&lowered.connector);
    let checked = rules::read(Source::new("connector.json", text.as_str()));
    let errors: Vec<&Finding> = checked.findings.iter().filter(|finding| finding.level == Level::Error).collect();
    let shown = |finding: &&Finding| format!("{} {}", finding.message, &text[finding.span.range()]);
    assert!(
        errors.is_empty(),
        "{file}: {:?}",
        errors.iter().take(3).map(shown).collect::<Vec<_>>()
    );
    let unused: Vec<&Finding> = checked.findings.iter().filter(|finding| finding.rule.code == "P215").collect();
    assert!(
        unused.is_empty(),
        "{file}: {:?}",
        unused.iter().take(3).map(shown).collect::<Vec<_>>()
    );
    let connector = checked.connector.unwrap_or_else(|| panic!("{file}: no connector"));
    assert_eq!(write(&connector), text, "{file}");
}

/// Every description on a small stack, once for each target.
fn tallies(folder: &Path) -> [Tally; 2] {
    let index = table(&folder.join("INDEX.tsv"));
    let facts = table(&folder.join("facts.tsv"));
    let mut tallies = [Tally::default(), Tally::default()];
    for (file, row) in &index {
        let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<usize>().expect("a count");
        let fact = &facts[file];
        let case = Case {
            file,
            path: &folder.join(file),
            counted: if file == MISCOUNTED.0 {
                MISCOUNTED.1
            } else {
                number(row, "operations")
            },
            supported: number(fact, "ops") - number(fact, "ops_unsupported") - number(fact, "ops_on_other_host"),
        };
        let main = doc(case.path).unwrap_or_else(|error| panic!("{file}: {error}"));
        for (target, tally) in [Target::Pimpo, Target::Becket].into_iter().zip(&mut tallies) {
            import(&case, &main, target, tally);
        }
    }
    tallies
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what this test is run for")]
fn corpus_descriptions_become_connectors() {
    let Some(folder) = folder() else { return };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || tallies(&folder));
    let tallies = thread.expect("a thread").join().expect("no file ends the thread");
    for (target, tally) in ["pimpo", "becket"].into_iter().zip(&tallies) {
        println!(
            "openapi --target {target}: {} files, {} operations, {} imported",
            tally.files, tally.operations, tally.imported
        );
        for (reason, count) in &tally.reasons {
            println!("  {count:>5} {reason}");
        }
    }
    let becket = &tallies[1];
    assert!(
        becket.imported * 100 >= becket.supported * 99,
        "{} of {}",
        becket.imported,
        becket.supported
    );
    let expected = EXCEPTIONS.map(|(file, id, code)| (file.to_owned(), id.to_owned(), code));
    assert_eq!(becket.exceptions, BTreeSet::from(expected));
}
