//! The method names of tools: those that the released host gives.

use std::collections::HashSet;

/// The longest method name that an assistant takes, the connector's name and a client's prefix
/// beside it.
const LONGEST: usize = 60;

/// A method for each tool, in the order of the server: lower case, other letters as `_`, each
/// once. Tools that are not chosen take names too, so that a choice renames nothing.
pub(super) fn methods<'t>(tools: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut taken = HashSet::new();
    tools.into_iter().map(|tool| once(plain(tool), &mut taken)).collect()
}

fn once(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut free = std::iter::once(name.clone()).chain(numbered).filter(|name| !taken.contains(name));
    let found = free.next().expect("numbers do not end");
    taken.insert(found.clone());
    found
}

fn plain(tool: &str) -> String {
    let mut name = String::new();
    for letter in tool.chars().map(|letter| letter.to_ascii_lowercase()) {
        match letter {
            'a'..='z' | '0'..='9' | '_' => name.push(letter),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
        if name.len() == LONGEST {
            break;
        }
    }
    match name.trim_matches('_') {
        "" => "tool".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_method_of_its_own() {
        for (tools, expected) in [
            (vec!["get-sum", "get_sum", "Get Sum"], vec!["get_sum", "get_sum_2", "get_sum_3"]),
            (vec!["日本", "", "--", "tool"], vec!["tool", "tool_2", "tool_3", "tool_4"]),
            (vec!["a", "a_2", "A"], vec!["a", "a_2", "a_3"]),
            (vec!["9lives", "\u{1b}[31mred"], vec!["9lives", "31mred"]),
        ] {
            assert_eq!(methods(tools.iter().copied()), expected);
        }
        assert_eq!(methods(["x".repeat(200).as_str()])[0].len(), LONGEST);
    }
}
