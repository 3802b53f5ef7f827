//! What clap says of a command line that it cannot read: shortened, with the command that says
//! more, and without words that may be a key.

use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};

use super::exit::Exit;
use super::fault::Fault;
use super::{Brand, io, keys};

/// The longest word that can be a misspelt command or flag.
const WORD: usize = 24;

/// Shows it, and tells how the program ends.
pub(super) fn refused(brand: Brand, error: &clap::Error, words: &[OsString]) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            io::raw_out(&error.render().to_string());
            Exit::Success
        }
        ErrorKind::MissingSubcommand => {
            io::raw_err(&brand.first_run());
            Exit::Usage
        }
        _ => {
            let text = discreet(&shortened(brand, error, words), words);
            io::raw_err(&keys::likely().clean(&text));
            Exit::Usage
        }
    }
}

fn shortened(brand: Brand, error: &clap::Error, words: &[OsString]) -> String {
    let text = error.render().to_string();
    let short = text.split("\n\nUsage:").next().unwrap_or(&text);
    let short = short.split("\n\nFor more information").next().unwrap_or(short);
    // How to pass what looks like a flag as a value is never what was meant.
    let lines: Vec<&str> = short.lines().filter(|line| !line.starts_with("  tip: to pass '")).collect();
    let said = lines.join("\n").trim_end().to_owned();
    if words.iter().any(|word| word == "--json") {
        let message = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
        return format!("{}\n", Fault::usage("usage", message).json());
    }
    if let Some(command) = behind_two_dashes(brand, error, words) {
        return format!("{said}\n\n  tip: put `--` before the command: `{command}`\n");
    }
    if said.contains("\n  tip: ") {
        return format!("{said}\n");
    }
    match own_command(brand, error) {
        Some(command) => format!("{said}\n\n  tip: did you mean `{command}`?\n"),
        None => format!("{said}\n\nFor more: `{} --help`.\n", asked(brand, words)),
    }
}

/// `becket add weather -- npx -y …` for the same without `--`, where a flag of the command was taken
/// for one of ours. Only words that cannot be a key are repeated.
fn behind_two_dashes(brand: Brand, error: &clap::Error, words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(|word| word.to_str()).collect::<Option<_>>()?;
    let at = words.iter().position(|word| *word == "add")?;
    let [name, command, rest @ ..] = words.get(at + 1..)? else {
        return None;
    };
    let is_one = brand != Brand::ChatPilot && error.kind() == ErrorKind::UnknownArgument && !words.contains(&"--");
    if !is_one || [name, command].iter().any(|word| word.starts_with('-') || !is_plain(word)) {
        return None;
    }
    let flags: String = rest
        .iter()
        .take_while(|word| is_plain(word))
        .map(|word| format!("{word} "))
        .collect();
    Some(brand.command(&format!("add {name} -- {command} {flags}…")))
}

/// `pimpo check` for `pimpo connector check`.
fn own_command(brand: Brand, error: &clap::Error) -> Option<String> {
    let word = error.get(ContextKind::InvalidSubcommand)?.to_string();
    let is_ours = brand == Brand::Pimpo && brand.commands().any(|(name, _)| name == word);
    is_ours.then(|| brand.command(&word))
}

/// The command that was asked for, as one types it.
fn asked(brand: Brand, words: &[OsString]) -> String {
    let known = |word: &OsString| brand.commands().find(|(name, _)| word == name.as_str());
    match words.iter().skip(1).find_map(known) {
        Some((name, _)) => brand.command(&name),
        None => brand.prefix().to_owned(),
    }
}

/// The text without the words of the command line that cannot be a misspelt command, flag or
/// choice: one may be a key that somebody typed in the wrong place.
fn discreet(text: &str, words: &[OsString]) -> String {
    let mut parts: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    parts.extend(
        parts
            .clone()
            .iter()
            .filter_map(|word| word.split_once('='))
            .flat_map(|(name, value)| [name.to_owned(), value.to_owned()]),
    );
    parts.retain(|part| !part.is_empty() && !is_plain(part));
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    parts
        .iter()
        .fold(text.to_owned(), |text, part| text.replace(&format!("'{part}'"), "'…'"))
}

fn is_plain(word: &str) -> bool {
    let letters = word.trim_start_matches('-');
    letters.len() <= WORD && letters.bytes().all(|byte| byte.is_ascii_lowercase() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn said(brand: Brand, line: &str) -> String {
        let words = words(line);
        let error = brand.tree().try_get_matches_from(&words).expect_err(line);
        discreet(&shortened(brand, &error, &words), &words)
    }

    #[test]
    fn a_misspelt_word_is_repeated_and_another_is_not() {
        for (line, expected) in [
            (
                "becket chek",
                "error: unrecognized subcommand 'chek'\n\n  tip: a similar subcommand exists: 'check'\n",
            ),
            (
                "becket sk-SECRET9",
                "error: unrecognized subcommand '…'\n\nFor more: `becket --help`.\n",
            ),
            (
                "becket check --frmat",
                "error: unexpected argument '--frmat' found\n\n  tip: a similar argument exists: '--format'\n",
            ),
            (
                "becket call a b --k=SECRET9",
                "error: unexpected argument '--k' found\n\nFor more: `becket call --help`.\n",
            ),
            (
                "becket call a b --SECRET9",
                "error: unexpected argument '…' found\n\nFor more: `becket call --help`.\n",
            ),
            (
                "becket explain a SECRET9",
                "error: unexpected argument '…' found\n\nFor more: `becket explain --help`.\n",
            ),
            (
                "becket check --color=SECRET9",
                "error: invalid value '…' for '--color <WHEN>'\n  [possible values: auto, always, never]\n\nFor more: `becket check --help`.\n",
            ),
            (
                "becket check --json --SECRET9",
                "{\"error\":{\"code\":\"usage\",\"exit\":2,\"message\":\"unexpected argument '…' found\"}}\n",
            ),
        ] {
            assert_eq!(said(Brand::Becket, line), expected, "{line}");
        }
    }

    #[test]
    fn a_command_of_another_place_is_shown_in_its_own() {
        assert_eq!(
            said(Brand::Pimpo, "pimpo check"),
            "error: unrecognized subcommand 'check'\n\n  tip: did you mean `pimpo connector check`?\n"
        );
    }
}
