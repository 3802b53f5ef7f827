//! For people: the transcripts of the design, and every kind of screen and source.

use super::*;
use proptest::prelude::*;

#[test]
fn check_names_what_where_and_what_now() {
    let expected = r#"  × P501: `petstore.pet` is a read without a contract case
   ╭─[petstore/connector.json:7:15]
 6 │     {
 7 │       "name": "petstore.pet",
   ·               ───────┬──────
   ·                      ╰── no case calls it
 8 │       "risk": "read",
   ╰────
  help: add {"capability": "petstore.pet", "args": {"id": …}, "keys": ["id"]}

  × P302: a key may not go in the path
    ╭─[petstore/connector.json:11:44]
 10 │       "returns": "{id, name, status}",
 11 │       "request": {"method": "GET", "path": "/pet/{{id}}/{{env.PETSTORE_KEY}}"}
    ·                                            ─────────────────┬────────────────
    ·                                                             ╰── `env.PETSTORE_KEY` ends up in the address
 12 │     },
    ╰────
  help: move it to `headers`, `query` or `body`

  × P002: `petstore.find` has no `request`
    ╭─[petstore/connector.json:18:7]
 17 │       "returns": "[{id, name, status}]",
 18 │       "reqest": {"method": "GET", "path": "/pet/findByStatus", "query": {"status": "{{status}}"}}
    ·       ────┬───
    ·           ╰── did you mean `request`?
 19 │     }
    ╰────

Found 3 errors in petstore/connector.json (1 fixable with `--fix`).
"#;
    assert_eq!(human(&[petstore()], Look::PLAIN), expected);
}

#[test]
fn a_failed_contract_shows_the_case() {
    let expected = r#"  × P510: petstore3.swagger.io did not answer in 30 s
    ╭─[petstore/connector.json:21:31]
 20 │   ],
 21 │   "contract": [{"capability": "petstore.find", "args": {"status": "sold"}, "keys": ["id", "nmae"]}]
    ·                               ───────────────
 22 │ }
    ╰────

  × P511: the answer has no `nmae`
    ╭─[petstore/connector.json:21:91]
 20 │   ],
 21 │   "contract": [{"capability": "petstore.find", "args": {"status": "sold"}, "keys": ["id", "nmae"]}]
    ·                                                                                           ───┬──
    ·                                                                                              ╰── the answer has id, name, status
 22 │ }
    ╰────
  help: did you mean `name`?

Found 2 errors in petstore/connector.json.
contract failed: 2 of 3 cases
"#;
    assert_eq!(human(&[contract()], Look::PLAIN), expected);
}

#[test]
fn a_pack_counts_files_and_levels() {
    let expected = r"  × C502: `check` names a tool that does not exist
   ╭─[my-pack/example-tracker.yaml:6:10]
 5 │   auth: {type: header, name: X-Api-Key}
 6 │   check: find_offers
   ·          ─────┬─────
   ·               ╰── no tool `find_offers`
 7 │   limit: {timeout: 20}
   ╰────
  help: the tools are: create_offer

  ⚠ C001: unknown key `limit`
   ╭─[my-pack/example-tracker.yaml:7:3]
 6 │   check: find_offers
 7 │   limit: {timeout: 20}
   ·   ──┬──
   ·     ╰── did you mean `limits`?
 8 │   tools:
   ╰────

  × C401: tool name `create_offer` sounds like writing
    ╭─[my-pack/example-tracker.yaml:9:5]
  8 │   tools:
  9 │     create_offer:
    ·     ──────┬─────
    ·           ╰── an `api` block only reads
 10 │       about: Offers by name
    ╰────
  help: name what the tool reads, for example `find_offers`

Found 2 errors and 1 warning in 1 file (1 fixable with `--fix`).
";
    assert_eq!(human(&pack(), Look::PLAIN), expected);
}

#[test]
fn nothing_found_says_nothing_and_a_contract_says_ok() {
    let mut report = contract();
    assert_eq!(human(&pack()[1..], Look::PLAIN), "");
    report.cases.retain(|case| matches!(case.outcome, Outcome::Passed));
    assert_eq!(human(&[report], Look::PLAIN), "contract ok\n");
}

#[test]
fn ascii_is_ascii() {
    let look = Look {
        unicode: false,
        ..Look::PLAIN
    };
    let expected = "  x P302: a key may not go in the path
    ,-[petstore/connector.json:11:44]
 10 |       \"returns\": \"{id, name, status}\",
 11 |       \"request\": {\"method\": \"GET\", \"path\": \"/pet/{{id}}/{{env.PETSTORE_KEY}}\"}
    :                                            ^^^^^^^^^^^^^^^^^|^^^^^^^^^^^^^^^^
    :                                                             `-- `env.PETSTORE_KEY` ends up in the address
 12 |     },
    `----
  help: move it to `headers`, `query` or `body`
";
    let text = human(&[petstore()], look);
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(r#""args": {"id": ...}"#), "{text}");
    let accents = human(&one("\"é — ∞\"", Span::new(0, 4)), look);
    assert!(accents.contains(" 1 | \"\\u{e9} - \\u{221e}\"\n"), "{accents}");
    for text in [text, accents] {
        assert!(text.is_ascii(), "{text}");
    }
}

#[test]
fn colour_and_links_only_where_asked() {
    for unicode in [true, false] {
        for width in [60, Look::PAGE, 200] {
            let look = Look {
                unicode,
                width,
                ..Look::PLAIN
            };
            let color = Look { color: true, ..look };
            for format in [Format::Human, Format::Concise] {
                let escapes = |look: &Look| write(format, &[petstore()], look).contains('\u{1b}');
                assert!(!escapes(&look), "{format} {look:?}");
                assert!(escapes(&color), "{format} {look:?}");
            }
            let colored = human(&[petstore()], color);
            assert_eq!(uncolored(&colored), human(&[petstore()], look));
            assert!(!colored.contains("\u{1b}]8"), "{colored}");
        }
    }
}

fn uncolored(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        rest = after.split_once('m').expect("an escape that ends").1;
    }
    out + rest
}

#[test]
fn sixty_columns_are_enough() {
    let expected = r#"  × P501: `petstore.pet` is a read without a contract case
   ╭─[petstore/connector.json:7:15]
 6 │     {
 7 │       "name": "petstore.pet",
   ·               ───────┬──────
   ·                      ╰── no case calls it
 8 │       "risk": "read",
   ╰────
  help: add {"capability": "petstore.pet", "args": {"id":
        …}, "keys": ["id"]}

  × P302: a key may not go in the path
    ╭─[petstore/connector.json:11:44]
 10 │       "returns": "{id, name, status}",
 11 │ …"path": "/pet/{{id}}/{{env.PETSTORE_KEY}}"}
    ·          ─────────────────┬────────────────
    ·                           ╰─┤ `env.PETSTORE_KEY` ends
    ·                             │ up in the address
 12 │     },
    ╰────
  help: move it to `headers`, `query` or `body`

  × P002: `petstore.find` has no `request`
    ╭─[petstore/connector.json:18:7]
 17 │       "returns": "[{id, name, status}]",
 18 │       "reqest": {"method": "GET", "path": "/pet/findB…
    ·       ────┬───
    ·           ╰── did you mean `request`?
 19 │     }
    ╰────

Found 3 errors in petstore/connector.json (1 fixable with `--fix`).
"#;
    let text = human(&[petstore()], Look { width: 60, ..Look::PLAIN });
    assert_eq!(text, expected);
    let wide = |line: &&str| line.chars().count() > 60 && !line.starts_with("Found");
    assert_eq!(text.lines().find(wide), None);
}

#[test]
fn related_places_share_a_window_or_have_their_own() {
    let source = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3,\n  \"c\": 4,\n  \"d\": 5,\n  \"e\": 6,\n  \"f\": 7,\n  \"a\": 8\n}\n";
    let third = source.rfind("\"a\"").expect("there");
    let second = source.find("\"a\": 3").expect("there");
    let finding = Finding::new(&SURPRISE, Span::new(second, second + 3), "`a` stands three times")
        .label("again")
        .related(at(source, "\"a\""), "first here")
        .related(Span::new(third, third + 3), "and here");
    let text = human(&[FileReport::new(Source::new("x.json", source), vec![finding])], Look::PLAIN);
    let expected = r#"  ☞ P901: `a` stands three times
   ╭─[x.json:4:3]
 1 │ {
 2 │   "a": 1,
   ·   ─┬─
   ·    ╰── first here
 3 │   "b": 2,
 4 │   "a": 3,
   ·   ─┬─
   ·    ╰── again
 5 │   "c": 4,
   ╰────
    ╭─[x.json:9:3]
  8 │   "f": 7,
  9 │   "a": 8
    ·   ─┬─
    ·    ╰── and here
 10 │ }
    ╰────

Found 1 note in x.json.
"#;
    assert_eq!(text, expected);
}

#[test]
fn a_line_of_seven_megabytes_is_cropped() {
    let filler = r#"{"name":"x.y","returns":"é"},"#.repeat(250_000);
    let source = format!("[{filler}\"wrong\",{filler}0]");
    assert!(source.len() > 14_000_000);
    let first = at(&source, "{\"name\"");
    let finding = Finding::new(&SURPRISE, at(&source, "\"wrong\""), "not a capability")
        .label("a string")
        .related(first, "one that is right");
    let text = human(&[FileReport::new(Source::new("x.json", source), vec![finding])], Look::PLAIN);
    let expected = r#"  ☞ P901: not a capability
   ╭─[x.json:1:7250002]
 1 │ …:"x.y","returns":"é"},"wrong",{"name":"x.y","returns":"é"},{"name":"x.y","returns":"é"},{"nam…
   ·                        ───┬───
   ·                           ╰── a string
   ╰────
   ╭─[x.json:1:2]
 1 │ [{"name":"x.y","returns":"é"},{"name":"x.y","returns":"é"},{"name":"x.y","returns":"é"},{"name…
   ·  ───┬───
   ·     ╰── one that is right
   ╰────

Found 1 note in x.json.
"#;
    assert_eq!(text, expected);
}

#[test]
fn underlines_stand_under_what_they_mean() {
    let drawn = |source: &str, span| {
        let text = human(&one(source, span), Look::PLAIN);
        text.lines()
            .skip(1)
            .take_while(|line| !line.contains('╰'))
            .map(|line| line.to_owned() + "\n")
            .collect::<String>()
    };
    let wide = "漢字 = \"x\"";
    assert_eq!(
        drawn(wide, at(wide, "\"x\"")),
        "   ╭─[x.json:1:6]\n 1 │ 漢字 = \"x\"\n   ·        ─┬─\n"
    );
    let combining = "e\u{301}a = \"x\"";
    assert_eq!(
        drawn(combining, at(combining, "\"x\"")),
        "   ╭─[x.json:1:7]\n 1 │ e\u{301}a = \"x\"\n   ·      ─┬─\n"
    );
    let tab = "\ta\t\"x\"";
    assert_eq!(
        drawn(tab, at(tab, "\"x\"")),
        "   ╭─[x.json:1:4]\n 1 │     a   \"x\"\n   ·         ─┬─\n"
    );
    let crlf = "{\r\n \"x\"\r\n}\r\n";
    assert_eq!(
        drawn(crlf, at(crlf, "\"x\"")),
        "   ╭─[x.json:2:2]\n 1 │ {\n 2 │  \"x\"\n   ·  ─┬─\n"
    );
    let lone = "{\r \"x\"\r}";
    assert_eq!(
        drawn(lone, at(lone, "\"x\"")),
        "   ╭─[x.json:2:2]\n 1 │ {\n 2 │  \"x\"\n   ·  ─┬─\n"
    );
    let many = "{\n \"x\": {\n  \"y\": 1\n }\n}\n";
    assert_eq!(
        drawn(many, Span::new(8, 21)),
        "   ╭─[x.json:2:7]\n 1 │ {\n 2 │  \"x\": {\n   ·       ┬\n"
    );
    assert_eq!(drawn("", Span::new(0, 0)), "   ╭─[x.json:1:1]\n 1 │\n   · ▲\n");
    assert_eq!(drawn("{", Span::new(1, 1)), "   ╭─[x.json:1:2]\n 1 │ {\n   ·  ▲\n");
    assert_eq!(drawn("{\n", Span::new(2, 2)), "   ╭─[x.json:2:1]\n 1 │ {\n 2 │\n   · ▲\n");
    assert_eq!(drawn("{\n", Span::new(90, 99)), "   ╭─[x.json:2:1]\n 1 │ {\n 2 │\n   · ▲\n");
}

#[test]
fn no_text_of_an_author_moves_the_cursor() {
    let source = "{\"a\u{1b}[2J\u{9b}31m\u{202e}\": \"b\u{7}\"}";
    let span = at(source, "\"b\u{7}\"");
    let finding = Finding::new(&SURPRISE, span, "no \u{1b}[31m\nFound 0 errors")
        .label("\u{1b}]8;;x\u{7}")
        .help("\rno");
    let reports = [FileReport::new(Source::new("x\u{1b}c.json", source), vec![finding])];
    let expected = "  ☞ P901: no \\u{1b}[31m\\nFound 0 errors
   ╭─[x\\u{1b}c.json:1:16]
 1 │ {\"a\\u{1b}[2J\\u{9b}31m\\u{202e}\": \"b\\u{7}\"}
   ·                                 ────┬───
   ·                                     ╰── \\u{1b}]8;;x\\u{7}
   ╰────
  help: \\rno

Found 1 note in x\\u{1b}c.json.
";
    assert_eq!(human(&reports, Look::PLAIN), expected);
    for format in Format::ALL {
        let text = plain(format, &reports);
        let unseen = text
            .chars()
            .find(|letter| (letter.is_control() && *letter != '\n') || *letter == '\u{202e}');
        assert_eq!(unseen, None, "{format}: {text}");
    }
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z\"{}:, ]{0,30}",
        "[ -~]{150,250}",
        Just("\r\n".to_owned()),
        Just("\n".to_owned()),
        Just("\r".to_owned()),
        Just("\t".to_owned()),
        Just("\u{1b}[2J\u{202e}".to_owned()),
        Just("漢e\u{301}👩\u{200d}🚀".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn every_text_and_every_place_can_be_drawn(
        text in texts(),
        label in "[ -~é]{0,80}",
        spans in proptest::collection::vec((0..900_usize, 0..300_usize), 1..5),
        width in 0..220_usize,
        unicode: bool,
    ) {
        let span = |(start, len): (usize, usize)| Span::new(start, start + len);
        let mut finding = Finding::new(&SURPRISE, span(spans[0]), label.clone()).label(label.clone());
        for other in &spans[1..] {
            finding = finding.related(span(*other), label.clone()).hide(span(*other));
        }
        let reports = [FileReport::new(Source::new("x", text), vec![finding])];
        let look = Look { unicode, width, ..Look::PLAIN };
        for format in Format::ALL {
            let text = write(format, &reports, &look);
            prop_assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{format}: {text}");
            if !unicode && matches!(format, Format::Human | Format::Concise) {
                prop_assert!(text.is_ascii(), "{text}");
            }
        }
    }
}

#[test]
fn a_long_list_ends_with_how_many_are_left() {
    let text = human(&[many(12_345)], Look::PLAIN);
    assert_eq!(text.matches("P901").count(), 99);
    assert_eq!(text.matches("P302").count(), 1);
    let end = "\nand 12246 more findings in x.json\n\nFound 1 error and 12345 notes in x.json.\n";
    assert!(text.ends_with(end), "{}", &text[text.len() - 200..]);
}

#[test]
fn a_long_name_is_cut() {
    let finding = Finding::new(&SURPRISE, Span::new(0, 1), format!("no `{}` here", "é".repeat(100_000)));
    let text = human(&[FileReport::new(Source::new("x.json", "{}"), vec![finding])], Look::PLAIN);
    assert!(text.starts_with(&format!("  ☞ P901: no `{}…` here\n", "é".repeat(79))), "{text}");
}
