//! The words after `call PATH CAPABILITY` as arguments:
//!
//! | word | the argument `k` is |
//! |---|---|
//! | `k=v` | the text `v`; the capability's schema types it later |
//! | `k:=json` | the JSON value, digit for digit |
//! | `k=@file` | the text of a file, its last line end included; `@-` is standard input |
//! | `k:=@file` | the JSON value in a file |
//!
//! A `k` that comes again makes a list of its values where a list may be, and is an error elsewhere.
//! `--args` gives an object whose arguments the words replace. A text that starts with `@` is
//! written `k:='"@…"'`. Reads nothing itself, and no error holds more of a value than the one letter
//! where it stops being JSON: it may be private.

use serde_json::{Map, Value};

use crate::model::quoted;
use crate::source::{Limits, Source, SyntaxError, parse_json};

/// Why the words are no arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgumentError {
    #[error("word {position} after the capability is not `name=value` or `name:=json`")]
    NotAnArgument { position: usize },
    #[error("word {position} after the capability has no name before its `=`")]
    NoName { position: usize },
    #[error("the argument {} is given twice", quoted(.key))]
    Twice { key: String },
    #[error("the value of {} cannot be read as JSON: {reason}", quoted(.key))]
    NotJson { key: String, reason: String, help: String },
    #[error("the value of {} has one field twice", quoted(.key))]
    Duplicate { key: String },
    #[error("the file for {} cannot be read: {}", quoted(.key), .unread.reason)]
    File { key: String, unread: Unread },
    #[error("`--args` cannot be read as JSON: {reason}")]
    ArgsNotJson { reason: String, help: Option<String> },
    #[error("`--args` needs an object, not {kind}")]
    ArgsNotAnObject { kind: &'static str },
    #[error("`--args` has one field twice")]
    ArgsDuplicate,
}

/// Why a file that a word names gives no text, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unread {
    pub(super) reason: String,
    pub(super) help: Option<String>,
}

const OBJECT: &str = "write `--args '{\"name\": \"value\"}'`";
const LITERAL: &str = "for a text that starts with `@`, write `name:='\"@…\"'`";

impl ArgumentError {
    /// What to do about it, as an order.
    pub(super) fn help(&self) -> Option<String> {
        let fixed = match self {
            Self::NotAnArgument { .. } | Self::NoName { .. } => "write `name=text`, `name:=json` or `name=@file`",
            Self::Twice { .. } => "give it once; an argument that may be a list takes several",
            Self::NotJson { help, .. } => help,
            Self::ArgsNotJson { help: Some(help), .. } => help,
            Self::ArgsNotJson { help: None, .. } | Self::ArgsNotAnObject { .. } => OBJECT,
            Self::Duplicate { .. } | Self::ArgsDuplicate => "leave one of them out",
            Self::File { unread, .. } => unread.help.as_deref().unwrap_or(LITERAL),
        };
        Some(fixed.to_owned())
    }
}

/// What the words are read with.
pub(super) struct Around<'a> {
    /// The text of a file that a word names with `@`, or why it cannot be read.
    pub(super) read: &'a mut dyn FnMut(&str) -> Result<String, Unread>,
    /// Whether an argument may be a list.
    pub(super) lists: &'a dyn Fn(&str) -> bool,
}

/// The arguments of a call.
pub(super) fn parse(words: &[String], args: Option<&str>, mut around: Around<'_>) -> Result<Map<String, Value>, ArgumentError> {
    let mut all = args.map_or_else(|| Ok(Map::new()), object)?;
    let mut given: Map<String, Value> = Map::new();
    let mut repeated: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (key, value) = argument(word, at + 1, &mut around)?;
        match given.get_mut(&key) {
            None => {
                given.insert(key, value);
            }
            Some(_) if !(around.lists)(&key) => return Err(ArgumentError::Twice { key }),
            Some(Value::Array(list)) if repeated.contains(&key) => list.push(value),
            Some(first) => {
                *first = Value::Array(vec![first.take(), value]);
                repeated.push(key);
            }
        }
    }
    all.extend(given);
    Ok(all)
}

fn argument(word: &str, position: usize, around: &mut Around<'_>) -> Result<(String, Value), ArgumentError> {
    let (name, value) = word.split_once('=').ok_or(ArgumentError::NotAnArgument { position })?;
    let typed = name.strip_suffix(':');
    let key = typed.unwrap_or(name).to_owned();
    if key.is_empty() {
        return Err(ArgumentError::NoName { position });
    }
    let file = value.strip_prefix('@');
    let text = match file {
        Some(file) => (around.read)(file).map_err(|unread| ArgumentError::File { key: key.clone(), unread })?,
        None => value.to_owned(),
    };
    let value = match typed {
        Some(_) => json_of(&key, text, file.is_some())?,
        None => Value::String(text),
    };
    Ok((key, value))
}

fn json_of(key: &str, text: String, from_file: bool) -> Result<Value, ArgumentError> {
    let begins = text.trim_start().chars().next();
    let name = || key.to_owned();
    json(text).map_err(|fault| match fault {
        Fault::Duplicate => ArgumentError::Duplicate { key: name() },
        Fault::Syntax { reason, help } => ArgumentError::NotJson {
            key: name(),
            reason,
            help: match (from_file, begins) {
                (true, _) => help.unwrap_or_else(|| "write one JSON value in the file".to_owned()),
                // A shell takes double quotes away that nothing protects.
                (false, Some('[' | '{')) => "put the whole word in single quotes: `'name:=[\"a\", \"b\"]'`".to_owned(),
                (false, _) => "write `=` instead of `:=` for a text".to_owned(),
            },
        },
    })
}

fn object(text: &str) -> Result<Map<String, Value>, ArgumentError> {
    match json(text.to_owned()) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(ArgumentError::ArgsNotAnObject { kind: kind(&other) }),
        Err(Fault::Syntax { reason, help }) => Err(ArgumentError::ArgsNotJson {
            reason,
            help: help.filter(|_| text.trim_start().starts_with('{')),
        }),
        Err(Fault::Duplicate) => Err(ArgumentError::ArgsDuplicate),
    }
}

enum Fault {
    Syntax { reason: String, help: Option<String> },
    Duplicate,
}

fn json(text: String) -> Result<Value, Fault> {
    if text.trim().is_empty() {
        let reason = "there is nothing".to_owned();
        return Err(Fault::Syntax { reason, help: None });
    }
    let source = Source::new("arguments", text);
    let doc = parse_json(source.clone(), Limits::MANIFEST).map_err(|error| syntax(&source, error))?;
    if doc.duplicates().is_empty() {
        Ok(doc.root().value())
    } else {
        Err(Fault::Duplicate)
    }
}

/// What is wrong and where, as people count.
fn syntax(source: &Source, error: SyntaxError) -> Fault {
    let place = source.position(error.span.start);
    let at = match source.line(2) {
        None => format!("at character {}", place.column),
        Some(_) => format!("at line {}, character {}", place.line, place.column),
    };
    Fault::Syntax {
        reason: format!("{}, {at}", error.message),
        help: error.help,
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(name: &str) -> Result<String, Unread> {
        match name {
            "note.txt" => Ok("two\nlines\n".to_owned()),
            "list.json" => Ok("[1, 2]\n".to_owned()),
            _ => Err(Unread {
                reason: "there is no such file".to_owned(),
                help: None,
            }),
        }
    }

    /// Only what begins with `t` may be a list.
    fn read(words: &[String], args: Option<&str>) -> Result<Map<String, Value>, ArgumentError> {
        let around = Around {
            read: &mut file,
            lists: &|name| name.starts_with('t'),
        };
        parse(words, args, around)
    }

    fn parsed(words: &[&str], args: Option<&str>) -> Result<String, ArgumentError> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        read(&words, args).map(|args| Value::Object(args).to_string())
    }

    #[test]
    fn words_become_arguments() {
        let table: &[(&[&str], Option<&str>, &str)] = &[
            (&[], None, "{}"),
            (&["q=rust"], None, r#"{"q":"rust"}"#),
            (&["q=a=b"], None, r#"{"q":"a=b"}"#),
            (&["q="], None, r#"{"q":""}"#),
            (&["q==x"], None, r#"{"q":"=x"}"#),
            (&["n=7", "m=007"], None, r#"{"n":"7","m":"007"}"#),
            (&["n:=7"], None, r#"{"n":7}"#),
            (
                &["n:=123456789012345678901234567890", "p:=1.10"],
                None,
                r#"{"n":123456789012345678901234567890,"p":1.10}"#,
            ),
            (&["o:={\"a\": [1, null]}"], None, r#"{"o":{"a":[1,null]}}"#),
            (&["a:b=c"], None, r#"{"a:b":"c"}"#),
            (&["owner.id=3"], None, r#"{"owner.id":"3"}"#),
            (&["t=@note.txt", "l:=@list.json"], None, r#"{"t":"two\nlines\n","l":[1,2]}"#),
            (&["t:=\"@note.txt\""], None, r#"{"t":"@note.txt"}"#),
            (&["t=a", "u=x", "t=b", "t=c"], None, r#"{"t":["a","b","c"],"u":"x"}"#),
            (&["t:=[1]", "t:=2"], None, r#"{"t":[[1],2]}"#),
            (&["t:=[1]"], None, r#"{"t":[1]}"#),
            (&["é=ü"], None, r#"{"é":"ü"}"#),
            (
                &[],
                Some(r#"{"a": 9007199254740993, "b": "x"}"#),
                r#"{"a":9007199254740993,"b":"x"}"#,
            ),
            (&["b=y", "c=z"], Some(r#"{"a": 1, "b": ["x"]}"#), r#"{"a":1,"b":"y","c":"z"}"#),
            (&["t=y", "t=z"], Some(r#"{"t": "x"}"#), r#"{"t":["y","z"]}"#),
            (&["n:=1e400", "m:=-1.50E+2"], None, r#"{"n":1e400,"m":-1.50E+2}"#),
        ];
        for (words, args, expected) in table {
            assert_eq!(parsed(words, *args).as_deref(), Ok(*expected), "{words:?}");
        }
    }

    #[test]
    fn errors_name_the_argument_and_not_its_value() {
        let table: &[(&[&str], Option<&str>, &str)] = &[
            (
                &["q=x", "s3cret"],
                None,
                "word 2 after the capability is not `name=value` or `name:=json`",
            ),
            (&["=s3cret"], None, "word 1 after the capability has no name before its `=`"),
            (&[":=1"], None, "word 1 after the capability has no name before its `=`"),
            (&["id=1", "id=s3cret"], None, "the argument `id` is given twice"),
            (
                &["n:=s3cret"],
                None,
                "the value of `n` cannot be read as JSON: a word that is not a JSON value, at character 1",
            ),
            (&["n:="], None, "the value of `n` cannot be read as JSON: there is nothing"),
            (
                &["n:=[1,s3cret]"],
                None,
                "the value of `n` cannot be read as JSON: a word that is not a JSON value, at character 4",
            ),
            (&["o:={\"s3cret\":1,\"s3cret\":2}"], None, "the value of `o` has one field twice"),
            (&["o=@nothing"], None, "the file for `o` cannot be read: there is no such file"),
            (
                &["o:=@note.txt"],
                None,
                "the value of `o` cannot be read as JSON: a word that is not a JSON value, at line 1, character 1",
            ),
            (&[], Some("[]"), "`--args` needs an object, not a list"),
            (
                &[],
                Some("s3cret"),
                "`--args` cannot be read as JSON: a word that is not a JSON value, at character 1",
            ),
            (&[], Some(r#"{"s3cret":1,"s3cret":1}"#), "`--args` has one field twice"),
            (&[], Some(""), "`--args` cannot be read as JSON: there is nothing"),
            (
                &[],
                Some("{\n \"a\": 1,}"),
                "`--args` cannot be read as JSON: a comma before `}`, at line 2, character 8",
            ),
        ];
        for (words, args, expected) in table {
            let error = parsed(words, *args).expect_err("an error");
            assert_eq!(error.to_string(), *expected, "{words:?}");
            assert!(!format!("{error:?} {:?}", error.help()).contains("s3cret"), "{words:?}");
        }
    }

    #[test]
    fn help_says_what_to_write() {
        for (word, expected) in [
            ("n:=rust", "write `=` instead of `:=` for a text"),
            ("n:=[a]", "put the whole word in single quotes: `'name:=[\"a\", \"b\"]'`"),
            ("n:={a:1}", "put the whole word in single quotes: `'name:=[\"a\", \"b\"]'`"),
            ("n=@scope/pkg", "for a text that starts with `@`, write `name:='\"@…\"'`"),
            (
                "n:=@note.txt",
                "write text in double quotes; the words of JSON are `true`, `false` and `null`",
            ),
        ] {
            let error = parsed(&[word], None).expect_err("an error");
            assert_eq!(error.help().as_deref(), Some(expected), "{word}");
        }
    }

    #[test]
    fn a_value_that_is_nested_too_deep_is_said_to_be() {
        let error = parsed(&[], Some(&format!("{{\"a\": {}", "[".repeat(200)))).expect_err("an error");
        assert_eq!(
            error.to_string(),
            "`--args` cannot be read as JSON: nested deeper than 128 levels, at character 134"
        );
    }

    proptest! {
        #[test]
        fn texts_come_through_unchanged(key in "[a-z_][a-z0-9_.:-]{0,6}[a-z]", value in "[^@].*") {
            let words = [format!("{key}={value}")];
            let args = read(&words, None);
            prop_assert_eq!(args.map(|args| args[&key].clone()), Ok(Value::String(value)));
        }

        #[test]
        fn no_word_makes_it_panic(words in prop::collection::vec(".{0,12}", 0..4), args in prop::option::of(".{0,12}")) {
            if let Err(error) = read(&words, args.as_deref()) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}
