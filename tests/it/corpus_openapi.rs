//! Every real description of the shared corpus: nothing panics or is refused, the figures agree
//! with the index, and the connectors are right. Without the folder, and without BECKET_CORPUS,
//! there is nothing to read and the tests pass.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use becket::diag::Level;
use becket::format::write::write;
use becket::model::{Schema, SchemaFault};
use becket::openapi::{self, Api, Beside, Choice, Chosen, Files, Options, Target};
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

fn files(path: &Path) -> Files {
    let home = path.parent().expect("a file has a folder").to_owned();
    let open = move |beside: &Beside| match beside {
        Beside::File(below) => doc(&home.join(below)),
        Beside::Address(_) => Err("not fetched".to_owned()),
    };
    Files::new(
        doc(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        None,
        Box::new(open),
    )
}

fn alone(path: &Path) -> Files {
    Files::single(doc(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())), None)
}

fn options(target: Target) -> Options {
    Options {
        target,
        base: Some("https://api.corpus.dev/".parse().expect("an address")),
        ..Options::default()
    }
}

/// Runs `test` for every file of the index on a small stack.
fn each(test: impl Fn(&str, &Path, &BTreeMap<String, String>) + Send + 'static) {
    let Some(folder) = folder() else { return };
    let index = table(&folder.join("INDEX.tsv"));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        for (file, row) in &index {
            test(file, &folder.join(file), row);
        }
    });
    thread.expect("a thread").join().expect("no file ends the thread");
}

fn in_chunks(api: &Api<'_>, mut each: impl FnMut(Choice)) {
    for operations in api.operations.chunks(openapi::MOST) {
        let chosen = operations.iter().map(|operation| Chosen {
            id: operation.id.clone(),
            risk: operation.risk,
        });
        each(Choice {
            name: "corpus".to_owned(),
            description: None,
            source: None,
            operations: chosen.collect(),
        });
    }
}

#[test]
fn corpus_counts_agree_with_the_index() {
    each(|file, path, row| {
        let wanted: usize = row["operations"].parse().expect("a count");
        for target in [Target::Pimpo, Target::Becket] {
            let files = alone(path);
            let api = openapi::read(&files, &options(target)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(api.operations.len() + api.left_out.len(), wanted, "{file}");
        }
    });
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is what this test is run for")]
fn corpus_operations_that_can_be_imported_are() {
    let facts = folder().map(|folder| table(&folder.join("facts.tsv")));
    each(move |file, path, row| {
        let fact = facts.as_ref().map(|facts| &facts[file]);
        for target in [Target::Pimpo, Target::Becket] {
            let files = alone(path);
            let api = openapi::read(&files, &options(target)).expect("it was read before");
            let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
            for left in &api.left_out {
                *reasons.entry(left.reason.code()).or_default() += 1;
            }
            println!(
                "{file}\t{target:?}\t{}\t{}\t{reasons:?}\t{}",
                row["operations"],
                api.operations.len(),
                fact.map_or("", |fact| &fact["unsupported_reasons"])
            );
        }
    });
}

#[test]
fn corpus_operations_lower_to_plain_schemas_within_bounds() {
    each(|file, path, _| {
        for target in [Target::Pimpo, Target::Becket] {
            let files = files(path);
            let api = openapi::read(&files, &options(target)).expect("it was read before");
            if let Err(error) = &api.base {
                panic!("{file}: {error}");
            }
            in_chunks(&api, |choice| {
                let lowered = openapi::lower(&api, &choice).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(lowered.work.expansions, lowered.work.pairs, "{file}");
                assert!(lowered.work.largest <= 1200, "{file}: {}", lowered.work.largest);
                for capability in &lowered.connector.capabilities {
                    let schema = capability.schema.as_ref().expect("a schema");
                    let problems = Schema::check(schema);
                    assert!(
                        problems.iter().all(|problem| problem.fault == SchemaFault::CostlyPattern),
                        "{file} {}: {problems:?}\n{schema:#}",
                        capability.name
                    );
                }
            });
        }
    });
}

#[test]
#[expect(clippy::print_stdout, reason = "wip")]
fn corpus_odd() {
    each(|file, path, _| {
        let files = alone(path);
        let api = openapi::read(&files, &options(Target::Becket)).expect("it was read before");
        for left in &api.left_out {
            if matches!(
                left.reason.code(),
                "list-form"
                    | "path-shape"
                    | "mixed-body"
                    | "malformed"
                    | "broken-ref"
                    | "key-in-path"
                    | "multipart-body"
                    | "binary-body"
                    | "text-body"
            ) {
                println!("ODD {file} {} {} {:?}", left.method, left.path, left.reason);
            }
        }
    });
}

#[test]
fn corpus_connectors_pass_the_rules_and_are_written_alike() {
    each(|file, path, _| {
        for target in [Target::Pimpo, Target::Becket] {
            let files = files(path);
            let api = openapi::read(&files, &options(target)).expect("it was read before");
            in_chunks(&api, |choice| {
                let lowered = openapi::lower(&api, &choice).unwrap_or_else(|error| panic!("{file}: {error}"));
                let text = write(&lowered.connector);
                let checked = rules::read(Source::new("connector.json", text.as_str()));
                let errors: Vec<_> = checked.findings.iter().filter(|finding| finding.level == Level::Error).collect();
                for error in errors.iter().take(3) {
                    let at = &text[error.span.range()];
                    println!(
                        "RULE {file} {target:?} {} {} at {}",
                        error.rule.code,
                        error.message,
                        &at[..at.len().min(300)]
                    );
                }
                if let Some(connector) = checked.connector {
                    assert_eq!(write(&connector), text, "{file}");
                }
            });
        }
    });
}
