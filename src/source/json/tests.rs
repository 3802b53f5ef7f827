use crate::source::{Doc, Limits, Source, SyntaxError, parse, parse_json};

fn read(text: &str) -> Result<Doc, SyntaxError> {
    parse_json(Source::new("x", text), Limits::MANIFEST)
}

/// The span's text, the message and the help of what is wrong.
fn wrong(text: &str) -> (String, String, String) {
    let error = read(text).expect_err(text);
    let place = text.get(error.span.range()).expect("a span in the text").to_owned();
    (place, error.message, error.help.unwrap_or_default())
}

#[test]
fn values_and_their_places_come_out() {
    let text = " {\"a\" : [1, -2.50e+3, true,false , null],\r\n\t\"é\\u00e9\": \"x\\n\\ud83d\\ude00\\/\", \"\": {}, \"l\": [ ]}\n";
    let doc = read(text).unwrap();
    assert_eq!(doc.root().value(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    let slice = |pointer: &str| doc.source().slice(doc.at(pointer).unwrap().span());
    assert_eq!(slice(""), text.trim());
    assert_eq!(slice("/a"), "[1, -2.50e+3, true,false , null]");
    assert_eq!(slice("/a/1"), "-2.50e+3");
    assert_eq!(slice("/a/3"), "false");
    assert_eq!(slice("/éé"), "\"x\\n\\ud83d\\ude00\\/\"");
    assert_eq!(slice("/l"), "[ ]");
    let field = doc.root().field("éé").unwrap();
    assert_eq!(doc.source().slice(field.key_span), "\"é\\u00e9\"");
    assert_eq!(doc.at("/éé").unwrap().as_str(), Some("x\n😀/"));
    assert_eq!(doc.at("/a/1").unwrap().as_number(), Some("-2.50e+3"));
    assert_eq!(doc.len(), 10);
    assert!(doc.duplicates().is_empty() && doc.traps().is_empty());
}

#[test]
fn numbers_keep_their_digits() {
    let digits = "123456789012345678901234567890.10E-400";
    let doc = read(digits).unwrap();
    assert_eq!(doc.root().as_number(), Some(digits));
    assert_eq!(doc.root().value().to_string(), digits);
    assert_eq!(read("1e400").unwrap().root().value().to_string(), "1e400");
}

#[test]
fn duplicates_are_found_in_small_and_large_objects() {
    let doc = read(r#"{"a":1,"b":{"c":1,"c":2},"a":3,"\u0061":4}"#).unwrap();
    assert_eq!(doc.root().value().to_string(), r#"{"a":4,"b":{"c":2}}"#);
    let found: Vec<_> = doc
        .duplicates()
        .iter()
        .map(|found| (found.key.as_str(), found.first.start, found.again.start))
        .collect();
    assert_eq!(found, [("c", 12, 18), ("a", 1, 25), ("a", 1, 31)]);

    let many = |extra: &str| {
        let fields: Vec<_> = (0..500).map(|n| format!("\"key number {n}\":{n}")).collect();
        read(&format!("{{{}{extra}}}", fields.join(","))).unwrap()
    };
    assert_eq!(many("").duplicates().len(), 0);
    let doc = many(",\"key number 77\":\"again\"");
    assert_eq!(doc.duplicates().len(), 1);
    assert_eq!(doc.duplicates()[0].key, "key number 77");
    assert_eq!(doc.at("/key number 77").unwrap().as_str(), Some("again"));
    assert_eq!(doc.root().fields().len(), 500);
    assert_eq!(doc.root().fields().nth(77).unwrap().key, "key number 77");
}

#[test]
fn faults_name_their_place_and_a_remedy() {
    let cases = [
        ("{\"a\":1,}", ",", "a comma before `}`", "remove the comma"),
        ("[1 , ]", ",", "a comma before `]`", "remove the comma"),
        (
            "{'a':1}",
            "'",
            "expected a key in double quotes, found `'`",
            "write the key in double quotes",
        ),
        ("[1, 'x']", "'", "expected a value, found `'`", "write the text in double quotes"),
        (
            "{a:1}",
            "a",
            "expected a key in double quotes, found `a`",
            "write the key in double quotes",
        ),
        ("{\"a\":NaN}", "NaN", "`NaN` is not a JSON value", "write a number, or `null`"),
        (
            "[-Infinity]",
            "-Infinity",
            "`-Infinity` is not a JSON value",
            "write a number, or `null`",
        ),
        ("[True]", "True", "`True` is not a JSON value", "write `true`"),
        (
            "[nulls]",
            "nulls",
            "a word that is not a JSON value",
            "write text in double quotes; the words of JSON are `true`, `false` and `null`",
        ),
        ("// x\n{}", "/", "a comment, which JSON does not have", "remove the comment"),
        ("{} # x", "#", "a comment, which JSON does not have", "remove the comment"),
        ("[1 /* x */]", "/", "a comment, which JSON does not have", "remove the comment"),
        ("{}{}", "{", "expected the end of the text, found `{`", "keep one JSON value"),
        ("", "", "the file is empty", "write one JSON value"),
        (" \n", "", "the file is empty", "write one JSON value"),
        (
            "<html>",
            "<",
            "expected a value, found `<`",
            "check that this is JSON and not a web page",
        ),
        (
            "[1 2]",
            "2",
            "expected `,` or `]`, found `2`",
            "add a comma after the value before it",
        ),
        ("{\"a\" 1}", "1", "expected `:` after the key, found `1`", ""),
        (
            "{\"a\"=1}",
            "=",
            "expected `:` after the key, found `=`",
            "write `:` between a key and its value",
        ),
        ("{\"a\":[1}", "}", "expected `,` or `]`, found `}`", "close with `]` first"),
        (
            "[1,,2]",
            ",",
            "expected a value, found `,`",
            "remove the comma, or write the value that is missing",
        ),
        (
            "\n{\"a\":[1",
            "",
            "the text ends before the `[` of line 2 is closed",
            "check that the text is whole, and close what is open",
        ),
        (
            "[01]",
            "01",
            "a number that starts with `0`",
            "remove the zero, or write the value as text in double quotes",
        ),
        ("[.5]", ".", "expected a value, found `.`", "write a `0` before the point"),
        ("[+1]", "+", "expected a value, found `+`", "remove the `+`"),
        (
            "[1.]",
            "1.",
            "not a number that JSON has",
            "write digits, or the value as text in double quotes",
        ),
        (
            "[1_000]",
            "1_000",
            "not a number that JSON has",
            "write digits, or the value as text in double quotes",
        ),
        (
            "[0x1F]",
            "0x1F",
            "a hexadecimal number, which JSON does not have",
            "write it in decimal digits",
        ),
        ("-", "-", "the text ends inside a number", ""),
        ("\"a", "\"", "a string without its closing quote", "close the string with `\"`"),
        (
            "[\"a\n\"]",
            "\"a",
            "a string that does not end on its line",
            "close the string with `\"`, or write the line end in it as `\\n`",
        ),
        (
            "\"a\tb\"",
            "\t",
            "a raw control character (U+0009) in a string",
            "write it as `\\t`",
        ),
        (
            "\"\\n\u{1}\"",
            "\u{1}",
            "a raw control character (U+0001) in a string",
            "write it as `\\u0001`",
        ),
        (
            "\"\\ud800\"",
            "\\ud800",
            "half of a surrogate pair",
            "write both halves, or the character itself",
        ),
        (
            "\"\\udc00\"",
            "\\udc00",
            "half of a surrogate pair",
            "write both halves, or the character itself",
        ),
        (
            "\"\\ud800\\u0041\"",
            "\\ud800",
            "half of a surrogate pair",
            "write both halves, or the character itself",
        ),
        (
            "\"\\x41\"",
            "\\x",
            "`\\x` is not an escape that JSON has",
            "write `\\\\` for a backslash",
        ),
        (
            "\"\\u00g0\"",
            "\\u",
            "`\\u` without four hexadecimal digits",
            "write all four digits, as in `\\u00e9`",
        ),
        ("\"\\", "\\", "the text ends inside a string", ""),
    ];
    for (text, place, message, help) in cases {
        assert_eq!(wrong(text), (place.into(), message.into(), help.into()), "{text:?}");
    }
}

#[test]
fn depth_and_nodes_are_limited_without_a_deep_stack() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(read(&nested(128)).unwrap().len(), 128);
    assert_eq!(wrong(&nested(129)).1, "nested deeper than 128 levels");
    assert_eq!(wrong(&"{\"a\":".repeat(100_000)).1, "nested deeper than 128 levels");
    let deep = Limits {
        depth: usize::MAX,
        ..Limits::MANIFEST
    };
    assert_eq!(parse_json(Source::new("x", nested(500_000)), deep).unwrap().len(), 500_000);
    let few = Limits {
        nodes: 3,
        ..Limits::MANIFEST
    };
    assert!(parse_json(Source::new("x", "[1,2]"), few).is_ok());
    assert_eq!(
        parse_json(Source::new("x", "[1,2,3]"), few).unwrap_err().message,
        "more than 3 values"
    );
    let short = Limits {
        bytes: 3,
        ..Limits::MANIFEST
    };
    let error = parse_json(Source::new("x", "[1,2]"), short).unwrap_err();
    assert_eq!(error.to_string(), "the file is larger than 3 bytes");
}

#[test]
fn either_format_is_told_by_the_first_sign() {
    let read = |text: &str| parse(Source::new("x", text), Limits::DESCRIPTION);
    assert_eq!(
        read(" {\"a\": \"\\ud83d\\ude00\"}").unwrap().root().value().to_string(),
        "{\"a\":\"😀\"}"
    );
    assert_eq!(read("{a: 1,}").unwrap().root().value().to_string(), "{\"a\":1}");
    assert_eq!(read("a: 1").unwrap().root().value().to_string(), "{\"a\":1}");
    assert_eq!(
        read("{\"a\": 1").unwrap_err().message,
        "the text ends before the `{` of line 1 is closed"
    );
}
