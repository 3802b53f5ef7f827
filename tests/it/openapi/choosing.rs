//! Choosing operations by words.

use becket::openapi::{ChoiceError, Selection, choose};

use super::*;

const SHELF: &str = "{openapi: 3.0.3, info: {title: Shelf, version: '1'}, paths: {
    /books: {get: {operationId: listBooks, tags: [Books]}, post: {operationId: addBook, tags: [Books]}},
    '/books/{isbn}': {get: {operationId: getBook, tags: [Books], deprecated: true}, delete: {operationId: dropBook}},
    /shelves: {get: {operationId: listShelves, tags: [Shelves]}},
    /covers: {post: {operationId: addCover, tags: [Covers], requestBody: {content: {image/png: {}}}}}}}";

fn chosen(only: &[&str], except: &[&str], risks: &[(&str, Risk)]) -> Result<Vec<String>, ChoiceError> {
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (only, except) = (words(only), words(except));
    let risks: Vec<(String, Risk)> = risks.iter().map(|(word, risk)| ((*word).to_owned(), *risk)).collect();
    let selection = Selection {
        only: &only,
        except: &except,
        risks: &risks,
    };
    let chosen = with(SHELF, &fetched(), |api| choose(api, selection))?;
    Ok(chosen
        .into_iter()
        .map(|chosen| format!("{} {}", chosen.id, chosen.risk.word()))
        .collect())
}

#[test]
fn words_choose_operations() {
    for (only, except, expected) in [
        (vec!["get"], vec![], vec!["list_books read", "list_shelves read"]),
        (
            vec!["get", "getBook"],
            vec![],
            vec!["list_books read", "list_shelves read", "get_book read"],
        ),
        (vec!["list_books"], vec![], vec!["list_books read"]),
        (vec!["tag:books"], vec!["post"], vec!["list_books read"]),
        (
            vec!["path:/books/**"],
            vec![],
            vec!["list_books read", "add_book irreversible", "drop_book irreversible"],
        ),
        (vec!["list*"], vec!["listShelves"], vec!["list_books read"]),
        (vec!["*"], vec!["get"], vec!["add_book irreversible", "drop_book irreversible"]),
    ] {
        assert_eq!(
            chosen(&only, &except, &[]).as_deref(),
            Ok(&*expected.into_iter().map(str::to_owned).collect::<Vec<_>>()),
            "{only:?}"
        );
    }
    let risks = [("add_book", Risk::Reversible)];
    assert_eq!(
        chosen(&["post"], &[], &risks).as_deref(),
        Ok(["add_book reversible".to_owned()].as_slice())
    );
}

/// A choice with `--strict` has to be able to take away what is left out.
#[test]
fn what_is_left_out_can_be_excepted() {
    let all = [
        "list_books read",
        "add_book irreversible",
        "drop_book irreversible",
        "list_shelves read",
    ]
    .map(str::to_owned);
    for except in ["addCover", "add_cover", "add*r", "tag:cov*", "path:/covers", "path:/covers/**"] {
        assert_eq!(chosen(&["*"], &[except], &[]).as_deref(), Ok(all.as_slice()), "{except}");
        let words = |word: &str| vec![word.to_owned()];
        let (only, except) = (words("*"), words(except));
        let selection = Selection {
            only: &only,
            except: &except,
            risks: &[],
        };
        let missed = with(SHELF, &fetched(), |api| openapi::missed(api, selection).len());
        assert_eq!(missed, 0, "{except:?}");
    }
    assert_eq!(
        chosen(&["get"], &["addBoks"], &[]).expect_err("no such").to_string(),
        "no operation `addBoks`"
    );
}

#[test]
fn wrong_words_are_named() {
    for (word, expected) in [
        (
            "*cover",
            "`*cover` chooses only what is left out, such as `add_cover`: it sends image/png",
        ),
        (
            "path:/covers",
            "`path:/covers` chooses only what is left out, such as `add_cover`: it sends image/png",
        ),
        ("listBoks", "no operation `listBoks`"),
        ("add_cover", "`add_cover` is left out: it sends image/png"),
        ("tag:Book", "no operation `tag:Book`"),
    ] {
        assert_eq!(chosen(&[word], &[], &[]).expect_err(word).to_string(), expected);
    }
    let near = |word: &str| match chosen(&[word], &[], &[]) {
        Err(ChoiceError::NoSuch { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(near("listBoks").as_deref(), Some("listBooks"));
    assert_eq!(near("tag:Boks").as_deref(), Some("tag:Books"));
    assert_eq!(chosen(&["get"], &["get"], &[]), Err(ChoiceError::Nothing));
}

#[test]
fn too_many_says_what_would_be_fewer() {
    let list: Vec<String> = (0..150)
        .map(|at| {
            format!(
                "/{}/p{at}: {{get: {{tags: [{}]}}}}",
                if at < 60 { "small" } else { "other" },
                if at < 90 { "One" } else { "Two" }
            )
        })
        .collect();
    let text = paths(&list.join(", "));
    let only = ["get".to_owned()];
    let selection = Selection {
        only: &only,
        ..Selection::default()
    };
    let Err(ChoiceError::TooMany { count, narrower }) = with(&text, &fetched(), |api| choose(api, selection)) else {
        panic!("chosen")
    };
    let words: Vec<String> = narrower.iter().map(|narrow| format!("{} {}", narrow.word, narrow.count)).collect();
    assert_eq!(count, 150);
    assert_eq!(words, ["path:/other/** 90", "tag:One 90", "path:/small/** 60", "tag:Two 60"]);
}

/// Words choose by themselves: the other methods under a tag count too, and steps that all paths
/// have in common narrow nothing.
#[test]
fn what_would_be_fewer_is_counted_as_it_would_choose() {
    let list: Vec<String> = (0..110)
        .map(|at| {
            let area = if at < 60 { "small" } else { "other" };
            format!("'/v1/{{tenant}}/{area}/p{at}': {{get: {{tags: [All]}}, post: {{tags: [All]}}}}")
        })
        .collect();
    let text = paths(&list.join(", "));
    let words = |only: &str| {
        let only = [only.to_owned()];
        let selection = Selection {
            only: &only,
            ..Selection::default()
        };
        match with(&text, &fetched(), |api| choose(api, selection)) {
            Err(ChoiceError::TooMany { narrower, .. }) => narrower,
            other => panic!("{other:?}"),
        }
    };
    let narrower = words("get");
    assert_eq!((narrower[0].word.as_str(), narrower[0].count), ("path:/v1/*/other/**", 100));
    let chosen = chosen_of(&text, &narrower[0].word);
    assert_eq!(chosen, 100);
    assert!(
        narrower[1..]
            .iter()
            .all(|narrow| narrow.count == 2 && narrow.word.starts_with("path:/v1/*/small/p")),
        "{narrower:?}"
    );
}

fn chosen_of(text: &str, word: &str) -> usize {
    let only = [word.to_owned()];
    let selection = Selection {
        only: &only,
        ..Selection::default()
    };
    with(text, &fetched(), |api| choose(api, selection)).map_or(0, |chosen| chosen.len())
}
