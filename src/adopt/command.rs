//! A command as one would type it.

/// The command and its arguments for a shell of Unix, each word quoted that needs it.
///
/// ```
/// use becket::adopt::command_line;
/// let words = ["-y".to_owned(), "a b".to_owned(), String::new()];
/// assert_eq!(command_line("npx", &words), "npx -y 'a b' ''");
/// ```
pub fn command_line(command: &str, args: &[String]) -> String {
    let words = std::iter::once(command).chain(args.iter().map(String::as_str));
    words.map(word).collect::<Vec<_>>().join(" ")
}

fn word(word: &str) -> String {
    let tame = |letter: char| letter.is_alphanumeric() || "_@%+=:,./-".contains(letter);
    match !word.is_empty() && word.chars().all(tame) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
