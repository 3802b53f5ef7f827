//! Which tools to take, by the words of a command line, each with a risk.

use super::{MOST, Offered, Unfit};
use crate::model::{Risk, nearest};

/// The words of `--tools` and `--risk`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    /// Names of tools or methods, or `all`.
    pub tools: &'a [String],
    pub risks: &'a [(String, Risk)],
}

/// A tool with the risk that it is declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// Its place in the offer.
    pub at: usize,
    pub risk: Risk,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error("no tool is chosen")]
    Nothing,
    #[error("no tool `{word}`")]
    NoSuch { word: String, nearest: Option<String> },
    #[error("`{tool}` cannot be taken: {unfit}")]
    Unfit { tool: String, unfit: Unfit },
    #[error("{count} tools are chosen; a connector takes at most {MOST}")]
    TooMany { count: usize },
}

/// The tools that the words choose, in the order of the server. `all` leaves out what cannot be
/// taken.
pub fn choose(offers: &[Offered], selection: Selection<'_>) -> Result<Vec<Chosen>, ChoiceError> {
    let mut picked = vec![false; offers.len()];
    for word in selection.tools {
        match (word.as_str(), named(offers, word)) {
            ("all", _) => picked
                .iter_mut()
                .zip(offers)
                .for_each(|(picked, offer)| *picked |= offer.unfit.is_none()),
            (_, Some(at)) => picked[taken(offers, at)?] = true,
            (_, None) => return Err(unknown(offers, word)),
        }
    }
    let mut chosen: Vec<Chosen> = (0..offers.len())
        .filter(|at| picked[*at])
        .map(|at| Chosen { at, risk: offers[at].risk })
        .collect();
    for (word, risk) in selection.risks {
        let at = named(offers, word).ok_or_else(|| unknown(offers, word))?;
        chosen.iter_mut().filter(|one| one.at == at).for_each(|one| one.risk = *risk);
    }
    match chosen.len() {
        0 => Err(ChoiceError::Nothing),
        1..=MOST => Ok(chosen),
        count => Err(ChoiceError::TooMany { count }),
    }
}

/// A tool by its own name, which no other tool has, or else by its method, alone or behind the
/// connector's name.
fn named(offers: &[Offered], word: &str) -> Option<usize> {
    let method = |word: &str| offers.iter().position(|offer| offer.method == word);
    let by_name = offers.iter().position(|offer| offer.tool.name == word);
    by_name
        .or_else(|| method(word))
        .or_else(|| word.split_once('.').and_then(|(_, word)| method(word)))
}

fn taken(offers: &[Offered], at: usize) -> Result<usize, ChoiceError> {
    match &offers[at].unfit {
        None => Ok(at),
        Some(unfit) => Err(ChoiceError::Unfit {
            tool: offers[at].tool.shown_name(),
            unfit: unfit.clone(),
        }),
    }
}

fn unknown(offers: &[Offered], word: &str) -> ChoiceError {
    let names = offers.iter().flat_map(|offer| [offer.tool.name.as_str(), offer.method.as_str()]);
    ChoiceError::NoSuch {
        word: word.to_owned(),
        nearest: nearest(word, names).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adopt::offered;
    use crate::mcp::Tool;

    fn offers(names: &[&str]) -> Vec<Offered> {
        let tool = |name: &&str| Tool {
            name: (*name).to_owned(),
            title: None,
            description: None,
            input: serde_json::Value::Null,
            output: None,
            annotations: serde_json::Value::Null,
            task_only: *name == "task",
        };
        let described = crate::adopt::Described {
            name: "shelf".to_owned(),
            description: String::new(),
            source: None,
            transport: crate::model::Transport::Program {
                command: "x".to_owned(),
                args: Vec::new(),
            },
            keys: Vec::new(),
        };
        offered(
            &described,
            &names.iter().map(tool).collect::<Vec<_>>(),
            &crate::keys::Redactor::default(),
        )
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn words_choose_by_name_and_by_method() {
        let offers = offers(&["get-sum", "echo", "task"]);
        let places = |tools: &[&str]| {
            let selection = Selection {
                tools: &words(tools),
                risks: &[],
            };
            choose(&offers, selection).map(|chosen| chosen.iter().map(|one| one.at).collect::<Vec<_>>())
        };
        assert_eq!(places(&["echo", "get_sum"]), Ok(vec![0, 1]));
        assert_eq!(places(&["get-sum", "get-sum"]), Ok(vec![0]));
        assert_eq!(places(&["all"]), Ok(vec![0, 1]));
        assert_eq!(places(&["shelf.get_sum"]), Ok(vec![0]));
        assert_eq!(places(&[]), Err(ChoiceError::Nothing));
        let missing = ChoiceError::NoSuch {
            word: "ecko".to_owned(),
            nearest: Some("echo".to_owned()),
        };
        assert_eq!(places(&["ecko"]), Err(missing));
        assert_eq!(
            places(&["task"]).map_err(|error| error.to_string()),
            Err("`task` cannot be taken: it can only be called as a task, which is not supported".to_owned())
        );
    }

    #[test]
    fn a_risk_is_declared_anew() {
        let offers = offers(&["a", "b"]);
        let risks = [("b".to_owned(), Risk::Read)];
        let selection = Selection {
            tools: &words(&["all"]),
            risks: &risks,
        };
        let chosen = choose(&offers, selection).expect("two tools");
        assert_eq!(
            chosen.iter().map(|one| one.risk).collect::<Vec<_>>(),
            [Risk::Irreversible, Risk::Read]
        );
        let many: Vec<String> = (0..101).map(|at| format!("t{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let selection = Selection {
            tools: &words(&["all"]),
            risks: &[],
        };
        assert_eq!(choose(&self::offers(&many), selection), Err(ChoiceError::TooMany { count: 101 }));
    }
}
