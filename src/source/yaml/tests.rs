use serde_json::json;

use crate::source::{Doc, Limits, Source, SyntaxError, TrapKind, parse_yaml};

fn read(text: &str) -> Result<Doc, SyntaxError> {
    parse_yaml(Source::new("x", text), Limits::MANIFEST)
}

fn value(text: &str) -> serde_json::Value {
    read(text).expect(text).root().value()
}

/// The span's text, the message and the help of what is wrong.
fn wrong(text: &str) -> (String, String, String) {
    let error = read(text).expect_err(text);
    let place = text.get(error.span.range()).expect("a span in the text").to_owned();
    (place, error.message, error.help.unwrap_or_default())
}

#[test]
fn plain_texts_become_values_and_numbers_keep_their_digits() {
    let text = "200: a\nb: 1.10\nc: +.5\nd: no\ne: ~\nf:\ng: [on, 0x1F, '1', \"\\u00e9\"]\nh: !!str 5\ni: ! 6\nj: !!int '7'\nk: True\n";
    assert_eq!(
        value(text).to_string(),
        "{\"200\":\"a\",\"b\":1.10,\"c\":0.5,\"d\":\"no\",\"e\":null,\"f\":null,\"g\":[\"on\",31,\"1\",\"é\"],\"h\":\"5\",\"i\":\"6\",\"j\":7,\"k\":true}"
    );
}

#[test]
fn places_are_the_bytes_of_keys_and_values() {
    let text = "é: &x\n  b: 'q''r'\n  c: # note | this\n  - 1\n  - {d: [e], f}\n\n# end\ng: |  # lines\n  one\n\n  two\n\nh: >-\n  z\ni: \"t\"\nj: *x\nk: p\n  q # r\nl: |\n\nm:\n- |+\n  w\n\n";
    let doc = read(text).unwrap();
    let slice = |pointer: &str| doc.source().slice(doc.at(pointer).expect(pointer).span());
    assert_eq!(slice("/é"), "b: 'q''r'\n  c: # note | this\n  - 1\n  - {d: [e], f}");
    assert_eq!(slice("/é/b"), "'q''r'");
    assert_eq!(slice("/é/c"), "- 1\n  - {d: [e], f}");
    assert_eq!(slice("/é/c/1"), "{d: [e], f}");
    assert_eq!(slice("/é/c/1/d"), "[e]");
    assert_eq!(slice("/é/c/1/f"), "");
    assert_eq!(slice("/g"), "|  # lines\n  one\n\n  two");
    assert_eq!(slice("/h"), ">-\n  z");
    assert_eq!(slice("/i"), "\"t\"");
    assert_eq!(slice("/j"), slice("/é"));
    assert_eq!(slice("/k"), "p\n  q");
    assert_eq!(slice("/l"), "|");
    assert_eq!(slice("/m/0"), "|+\n  w");
    for key in "é g h i j k l m".split(' ') {
        assert_eq!(doc.source().slice(doc.root().field(key).unwrap().key_span), key);
    }
    assert_eq!(doc.at("/g").unwrap().as_str(), Some("one\n\ntwo\n"));
    assert_eq!(doc.at("/m/0").unwrap().as_str(), Some("w\n\n"));
    assert_eq!(doc.at("/l").unwrap().as_str(), Some(""));
    assert_eq!(doc.at("/é/b").unwrap().as_str(), Some("q'r"));
    assert_eq!(slice(""), text.trim_end());
}

#[test]
fn aliases_share_nodes_within_a_budget() {
    let doc = read("a: &x [1, {b: 2}]\nc: *x\nd: [*x, *x]\n? &k e\n: *k\n").unwrap();
    assert_eq!(
        doc.root().value(),
        json!({"a": [1, {"b": 2}], "c": [1, {"b": 2}], "d": [[1, {"b": 2}], [1, {"b": 2}]], "e": "e"})
    );
    assert_eq!(doc.at("/c").unwrap().id(), doc.at("/d/1").unwrap().id());
    assert_eq!(doc.len(), 7);
    let bomb: String = (1..12)
        .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(",")))
        .collect();
    let bomb = format!("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n{bomb}");
    assert_eq!(
        wrong(&bomb),
        (
            "*a3".into(),
            "aliases stand for more than 100000 values".into(),
            "write the values out, or share fewer of them".into()
        )
    );
    let deep: String = (1..200).map(|n| format!("- &a{n} [[*a{}]]\n", n - 1)).collect();
    assert_eq!(wrong(&format!("- &a0 []\n{deep}")).1, "nested deeper than 128 levels");
}

#[test]
fn merge_keys_give_way_to_own_fields_and_earlier_maps() {
    let text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], z: 3}\nd: {w: 0, <<: *b}\ne: {'<<': 1}\nf: {<<: {v: 4}}\n";
    let doc = read(text).unwrap();
    assert_eq!(doc.at("/c").unwrap().value().to_string(), r#"{"z":3,"x":1,"y":1}"#);
    assert_eq!(doc.at("/d").unwrap().value().to_string(), r#"{"w":0,"y":2,"z":2}"#);
    assert_eq!(doc.at("/e").unwrap().value().to_string(), r#"{"<<":1}"#);
    assert_eq!(doc.at("/f").unwrap().value().to_string(), r#"{"v":4}"#);
    assert_eq!(doc.at("/f/v").unwrap().pointer(), "/f/v");
    assert_eq!(doc.at("/d/y").unwrap().id(), doc.at("/b/y").unwrap().id());
    assert!(doc.duplicates().is_empty());
    let twice = read("a: &a {x: 1}\nb: {<<: *a, <<: *a}\n").unwrap();
    assert_eq!((twice.duplicates().len(), twice.duplicates()[0].key.as_str()), (1, "<<"));
}

#[test]
fn duplicates_are_kept_with_both_places() {
    let text = "name: a\nb: {c: 1, \"c\": 2}\nname: d\n";
    let doc = read(text).unwrap();
    let found: Vec<_> = doc
        .duplicates()
        .iter()
        .map(|found| (found.key.as_str(), found.first.start, found.again.start))
        .collect();
    assert_eq!(found, [("c", 12, 18), ("name", 0, 26)]);
    assert_eq!(doc.root().value(), json!({"name": "d", "b": {"c": 2}}));
}

#[test]
fn traps_are_noted_for_keys_and_values_but_not_for_quoted_texts() {
    let doc = read("on: 'no'\na: no\nb: [2024-01-31, 1.10, !!str 017]\n").unwrap();
    let found: Vec<_> = doc.traps().iter().map(|trap| (trap.text.as_str(), trap.kind, trap.key)).collect();
    assert_eq!(
        found,
        [
            ("on", TrapKind::Word, true),
            ("no", TrapKind::Word, false),
            ("2024-01-31", TrapKind::Date, false),
            ("1.10", TrapKind::TrailingZero, false),
        ]
    );
    for trap in doc.traps() {
        assert_eq!(doc.source().slice(trap.span), trap.text);
    }
}

#[test]
fn line_ends_and_marks_do_not_matter() {
    for text in [
        "\u{feff}a: 1\r\nb: |\r\n  x\r\n  y\r\n",
        "a: 1\rb: |\r  x\r  y\r",
        "---\na: 1\nb: |\n  x\n  y\n...\n",
    ] {
        assert_eq!(value(text), json!({"a": 1, "b": "x\ny\n"}), "{text:?}");
    }
}

#[test]
fn faults_name_their_place_and_a_remedy() {
    let cases = [
        ("", "", "the file is empty", "write `key: value` lines"),
        ("# only a comment\n", "", "the file is empty", "write `key: value` lines"),
        ("---\n", "", "the file is empty", "write `key: value` lines"),
        (
            "a: 1\n---\nb: 2\n",
            "---",
            "a second document starts here",
            "keep one document in the file",
        ),
        (
            "a: x: y\n",
            ":",
            "a `:` where no value can begin",
            "put text that holds `: ` in quotes, or mend the indentation",
        ),
        ("a: \"x", "\"", "a quote that is not closed", "close the text with the same quote"),
        ("a:\n\t- b\n", "-", "a tab in the indentation", "indent with spaces"),
        (
            "a: *b\n",
            "*",
            "an alias without its anchor",
            "write `&name` before the value to share, or put text that starts with `*` in quotes",
        ),
        (
            "a: &b [*b]\n",
            "*b",
            "an alias inside the value that it stands for",
            "point the alias at another value",
        ),
        (
            "a: !secret key\n",
            "!secret",
            "the tag `!secret` does not fit this value or is not known",
            "remove the tag, or put text that starts with `!` in quotes",
        ),
        (
            "a: !!int x\n",
            "!!int",
            "the tag `!!int` does not fit this value or is not known",
            "remove the tag, or put text that starts with `!` in quotes",
        ),
        (
            "a: !!python/object/apply:os.system ['id']",
            "!!python/object/apply:os.system",
            "the tag `!!python/object/apply:os.system` does not fit this value or is not known",
            "remove the tag, or put text that starts with `!` in quotes",
        ),
        (
            "a: {{ b }}: c\n",
            "{",
            "an object as a key",
            "write the key as text; put text that starts with `{` or `[` in quotes",
        ),
        (
            "a: {b: 1\n",
            "{",
            "`{` is not closed",
            "close it, and check that commas stand between its parts",
        ),
        ("a: [b}\n", "[", "`[` is closed by `}`", "close what was opened last first"),
        ("a: @b\n", "@", "text that starts with `@`", "put the text in quotes"),
        ("a: `b`\n", "`", "text that starts with a backtick", "put the text in quotes"),
        (
            "a: x\u{0}y\n",
            "\u{0}",
            "a raw control character (U+0000)",
            "remove it, or write it as `\\x00` in double quotes",
        ),
        (
            "a: {<<: 1}\n",
            "1",
            "`<<` needs an object or a list of objects",
            "give it an alias of an object, or put `<<` in quotes",
        ),
        ("a: {: 1}\n", "", "a value without a key", "write a key before the `:`"),
        (
            "%YAML 9.9\n---\na: 1",
            "%",
            "a YAML version that is not known",
            "write `%YAML 1.2`, or remove the line",
        ),
        (
            "a: \"\\q\"\n",
            "\"",
            "an escape that YAML does not have",
            "write `\\\\` for a backslash, or use single quotes",
        ),
        (
            "a: 'b' c\n",
            "c",
            "text after the closing quote",
            "put the whole text in one pair of quotes",
        ),
        (
            "a: \"\\ud800\"\n",
            "\"",
            "half of a surrogate pair",
            "write both halves, or the character itself",
        ),
        (
            "a:\n  b: 1\n c: 2\n",
            "c",
            "a line that does not fit the indentation above it",
            "indent it like the lines that it belongs to",
        ),
    ];
    let mut wrongs = Vec::new();
    for (text, place, message, help) in cases {
        let found = wrong(text);
        if found != (place.to_owned(), message.to_owned(), help.to_owned()) {
            wrongs.push(format!("{text:?}: {found:?}"));
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[test]
fn depth_and_nodes_are_limited() {
    let flow = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(read(&flow(128)).unwrap().len(), 128);
    assert_eq!(wrong(&flow(129)).1, "nested deeper than 128 levels");
    assert_eq!(wrong(&"[".repeat(100_000)).1, "nested deeper than 128 levels");
    assert_eq!(wrong(&"- ".repeat(5_000)).1, "nested deeper than 128 levels");
    assert_eq!(
        wrong(&format!("{}{}", "- ".repeat(70), flow(70))).1,
        "nested deeper than 128 levels"
    );
    let few = Limits {
        nodes: 3,
        ..Limits::MANIFEST
    };
    assert!(parse_yaml(Source::new("x", "[1, 2]"), few).is_ok());
    assert_eq!(
        parse_yaml(Source::new("x", "[1, 2, 3]"), few).unwrap_err().message,
        "more than 3 values"
    );
}
