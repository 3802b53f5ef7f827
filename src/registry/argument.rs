//! Words of a command and parts of an address, with the inputs in them.

use serde_json::Value;

use super::text::{WORD, exact, list, read, truth};
use super::{Input, Part, Unsupported, unsupported};

/// Arguments that one entry may have.
const MOST: usize = 100;

/// One argument: `--flag value`, or a value alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) flag: Option<String>,
    pub(super) value: Vec<Part>,
}

/// Reads a list of arguments; the inputs in them go behind those that are there.
pub(super) fn arguments(listed: &Value, inputs: &mut Vec<Input>) -> Result<Vec<Argument>, Unsupported> {
    let listed = list(listed);
    if listed.len() > MOST {
        return unsupported(format!("has more than {MOST} arguments"));
    }
    let read = listed.iter().map(|argument| argument_of(argument, inputs));
    let read: Result<Vec<Option<Argument>>, Unsupported> = read.collect();
    Ok(read?.into_iter().flatten().collect())
}

fn argument_of(argument: &Value, inputs: &mut Vec<Input>) -> Result<Option<Argument>, Unsupported> {
    let flag = match (argument["type"].as_str(), exact(&argument["name"])) {
        (Some("named"), Some(name)) => Some(if name.starts_with('-') {
            name.to_owned()
        } else {
            format!("--{name}")
        }),
        (Some("named"), None) => return unsupported("has a named argument without a name"),
        _ => None,
    };
    if let Some(flag) = &flag {
        plain(flag)?;
    }
    if let Some(value) = exact(&argument["value"]) {
        plain(value)?;
        let value = parts(value, &argument["variables"], inputs)?;
        return Ok(Some(Argument { flag, value }));
    }
    let name = exact(&argument["valueHint"]).or_else(|| exact(&argument["name"]));
    let name = name.map_or_else(
        || format!("argument{}", inputs.len() + 1),
        |name| name.trim_start_matches('-').to_owned(),
    );
    let Some(number) = asked(&name, argument, inputs)? else {
        return Ok(None);
    };
    Ok(Some(Argument {
        flag,
        value: vec![Part::Input(number)],
    }))
}

/// A text with `{name}` for each of its variables; other braces are text.
pub(super) fn parts(text: &str, variables: &Value, inputs: &mut Vec<Input>) -> Result<Vec<Part>, Unsupported> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut plain = String::new();
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        plain.push_str(before);
        let named = behind[1..].split_once('}').filter(|(name, _)| variables.get(*name).is_some());
        let Some((name, after)) = named else {
            plain.push('{');
            rest = &behind[1..];
            continue;
        };
        match asked(name, &variables[name], inputs)? {
            Some(number) => {
                parts.extend((!plain.is_empty()).then(|| Part::Text(std::mem::take(&mut plain))));
                parts.push(Part::Input(number));
            }
            None => plain.push_str(&behind[..name.len() + 2]),
        }
        rest = after;
    }
    plain.push_str(rest);
    parts.extend((!plain.is_empty()).then_some(Part::Text(plain)));
    Ok(parts)
}

/// Takes up an input, once for each name; nothing for a secret that nobody needs.
fn asked(name: &str, described: &Value, inputs: &mut Vec<Input>) -> Result<Option<usize>, Unsupported> {
    if let Some(number) = inputs.iter().position(|input| input.name == name) {
        return Ok(Some(number));
    }
    plain(name)?;
    let input = input(name, described);
    if input.secret {
        return match input.required {
            true => unsupported(format!(
                "wants the secret `{name}` as a word of its command, where it would stand in the file"
            )),
            false => Ok(None),
        };
    }
    inputs.push(input);
    Ok(Some(inputs.len() - 1))
}

pub(super) fn input(name: &str, described: &Value) -> Input {
    let default = exact(&described["value"]).or_else(|| exact(&described["default"]));
    let choices = list(&described["choices"]).iter().filter_map(Value::as_str);
    Input {
        name: name.to_owned(),
        description: read(&described["description"]),
        required: truth(&described["isRequired"]),
        secret: truth(&described["isSecret"]),
        default: default.map(str::to_owned),
        choices: choices.take(50).map(str::to_owned).collect(),
        repeated: truth(&described["isRepeated"]),
    }
}

/// Refuses a word that no one can read: with control characters, or endless.
pub(super) fn plain(word: &str) -> Result<(), Unsupported> {
    let unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if word.chars().any(unseen) {
        return unsupported("has an argument with control characters, or ones that cannot be seen");
    }
    if word.len() > WORD {
        return unsupported(format!("has an argument of more than {WORD} bytes"));
    }
    Ok(())
}
