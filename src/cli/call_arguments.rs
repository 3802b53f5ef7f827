//! The words after `call PATH CAPABILITY` as arguments:
//!
//! | word | the argument `k` is |
//! |---|---|
//! | `k=v` | the text `v`; the capability's schema types it later |
//! | `k:=json` | the JSON value, digit for digit |
//! | `k=@file` | the text of a file |
//! | `k:=@file` | the JSON value in a file |
//!
//! A `k` that comes again makes a list of its values. `--args` gives an object whose arguments the
//! words replace. A text that starts with `@` is written `k:='"@…"'`. Reads nothing itself, and no
//! error holds a value: it may be private.

use serde_json::{Map, Value};

use crate::source::{Limits, Source, parse_json};

/// Why the words are no arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArgumentError {
    #[error("word {position} after the capability is not `name=value` or `name:=json`")]
    NotAnArgument { position: usize },
    #[error("word {position} after the capability has no name before its `=`")]
    NoName { position: usize },
    #[error("the value of `{key}` is not JSON: byte {offset} is wrong")]
    NotJson { key: String, offset: usize },
    #[error("the value of `{key}` has one field twice")]
    Duplicate { key: String },
    #[error("the file for `{key}` cannot be read: {reason}")]
    File { key: String, reason: String },
    #[error("`--args` is not JSON: byte {offset} is wrong")]
    ArgsNotJson { offset: usize },
    #[error("`--args` needs an object, not {kind}")]
    ArgsNotAnObject { kind: &'static str },
    #[error("`--args` has one field twice")]
    ArgsDuplicate,
}

impl ArgumentError {
    /// What to do about it, as an order.
    pub(super) fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotAnArgument { .. } | Self::NoName { .. } => Some("write `name=text`, `name:=json` or `name=@file`"),
            Self::NotJson { .. } => Some("write `=` instead of `:=` for a text"),
            Self::ArgsNotJson { .. } | Self::ArgsNotAnObject { .. } => Some("write `--args '{\"name\": \"value\"}'`"),
            Self::Duplicate { .. } | Self::ArgsDuplicate => Some("leave one of them out"),
            Self::File { .. } => None,
        }
    }
}

/// The arguments of a call. `read` gives the text of a file that a word names with `@`, or why it
/// cannot be read.
pub(super) fn parse(
    words: &[String],
    args: Option<&str>,
    mut read: impl FnMut(&str) -> Result<String, String>,
) -> Result<Map<String, Value>, ArgumentError> {
    let mut all = args.map_or_else(|| Ok(Map::new()), object)?;
    let mut given: Map<String, Value> = Map::new();
    let mut repeated: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (key, value) = argument(word, at + 1, &mut read)?;
        match given.get_mut(&key) {
            None => {
                given.insert(key, value);
            }
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

fn argument(word: &str, position: usize, read: &mut impl FnMut(&str) -> Result<String, String>) -> Result<(String, Value), ArgumentError> {
    let (name, value) = word.split_once('=').ok_or(ArgumentError::NotAnArgument { position })?;
    let typed = name.strip_suffix(':');
    let key = typed.unwrap_or(name).to_owned();
    if key.is_empty() {
        return Err(ArgumentError::NoName { position });
    }
    let text = match value.strip_prefix('@') {
        Some(file) => read(file).map_err(|reason| ArgumentError::File { key: key.clone(), reason })?,
        None => value.to_owned(),
    };
    let value = if typed.is_some() {
        json_of(&key, text)?
    } else {
        Value::String(text)
    };
    Ok((key, value))
}

fn json_of(key: &str, text: String) -> Result<Value, ArgumentError> {
    let key = || key.to_owned();
    match json(text) {
        Ok(value) => Ok(value),
        Err(Fault::Syntax(offset)) => Err(ArgumentError::NotJson { key: key(), offset }),
        Err(Fault::Duplicate) => Err(ArgumentError::Duplicate { key: key() }),
    }
}

fn object(text: &str) -> Result<Map<String, Value>, ArgumentError> {
    match json(text.to_owned()) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(ArgumentError::ArgsNotAnObject { kind: kind(&other) }),
        Err(Fault::Syntax(offset)) => Err(ArgumentError::ArgsNotJson { offset }),
        Err(Fault::Duplicate) => Err(ArgumentError::ArgsDuplicate),
    }
}

enum Fault {
    Syntax(usize),
    Duplicate,
}

fn json(text: String) -> Result<Value, Fault> {
    let doc = parse_json(Source::new("arguments", text), Limits::MANIFEST).map_err(|error| Fault::Syntax(error.span.start as usize))?;
    if doc.duplicates().is_empty() {
        Ok(doc.root().value())
    } else {
        Err(Fault::Duplicate)
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

    fn file(name: &str) -> Result<String, String> {
        match name {
            "note.txt" => Ok("two\nlines\n".to_owned()),
            "list.json" => Ok("[1, 2]\n".to_owned()),
            _ => Err("there is no such file".to_owned()),
        }
    }

    fn parsed(words: &[&str], args: Option<&str>) -> Result<String, ArgumentError> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        parse(&words, args, file).map(|args| Value::Object(args).to_string())
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
            (&["b=y", "b=z"], Some(r#"{"b": "x"}"#), r#"{"b":["y","z"]}"#),
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
            (&["n:=s3cret"], None, "the value of `n` is not JSON: byte 0 is wrong"),
            (&["n:="], None, "the value of `n` is not JSON: byte 0 is wrong"),
            (&["n:=[1,s3cret]"], None, "the value of `n` is not JSON: byte 3 is wrong"),
            (&["o:={\"s3cret\":1,\"s3cret\":2}"], None, "the value of `o` has one field twice"),
            (&["o=@nothing"], None, "the file for `o` cannot be read: there is no such file"),
            (&["o:=@note.txt"], None, "the value of `o` is not JSON: byte 0 is wrong"),
            (&[], Some("[]"), "`--args` needs an object, not a list"),
            (&[], Some("s3cret"), "`--args` is not JSON: byte 0 is wrong"),
            (&[], Some(r#"{"s3cret":1,"s3cret":1}"#), "`--args` has one field twice"),
        ];
        for (words, args, expected) in table {
            let error = parsed(words, *args).expect_err("an error");
            assert_eq!(error.to_string(), *expected, "{words:?}");
            assert!(!format!("{error:?} {:?}", error.help()).contains("s3cret"), "{words:?}");
        }
    }

    proptest! {
        #[test]
        fn texts_come_through_unchanged(key in "[a-z_][a-z0-9_.:-]{0,6}[a-z]", value in "[^@].*") {
            let words = [format!("{key}={value}")];
            let args = parse(&words, None, file);
            prop_assert_eq!(args.map(|args| args[&key].clone()), Ok(Value::String(value)));
        }

        #[test]
        fn no_word_makes_it_panic(words in prop::collection::vec(".{0,12}", 0..4), args in prop::option::of(".{0,12}")) {
            if let Err(error) = parse(&words, args.as_deref(), file) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}
