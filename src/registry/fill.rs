//! A way with its inputs filled in: what is started or reached.

use super::remote::address;
use super::{Input, Part, Shape, Way};
use crate::model::{Name, Span, Transport, nearest};

/// What is started or reached, with the names of its keys.
#[derive(Debug, Clone)]
pub struct Filled {
    pub transport: Transport,
    /// The variables of a program; the headers of a remote server are in its transport.
    pub variables: Vec<String>,
}

/// Why the inputs do not fill it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    #[error("the server needs `{}`{}", .0.name, about(.0))]
    Missing(Box<Input>),
    #[error("`{name}` is one of {}", .choices.join(", "))]
    NotAChoice { name: String, choices: Vec<String> },
    #[error("`{name}` is given twice and taken once")]
    Twice { name: String },
    #[error("the server has no input `{name}`")]
    Unknown { name: String, nearest: Option<String> },
    #[error("the server {0}")]
    Address(String),
}

fn about(input: &Input) -> String {
    match input.description.as_str() {
        "" => String::new(),
        about => format!(": {about}"),
    }
}

impl Way {
    /// Fills the words of the command, or the address.
    pub fn fill(&self, given: &[(String, String)]) -> Result<Filled, FillError> {
        for (name, value) in given {
            let Some(input) = self.inputs.iter().find(|input| input.name == *name) else {
                let names = self.inputs.iter().map(|input| input.name.as_str());
                return Err(FillError::Unknown {
                    name: name.clone(),
                    nearest: nearest(name, names).map(str::to_owned),
                });
            };
            if !input.choices.is_empty() && !input.choices.contains(value) {
                return Err(FillError::NotAChoice {
                    name: name.clone(),
                    choices: input.choices.clone(),
                });
            }
            if !input.repeated && given.iter().filter(|(other, _)| other == name).count() > 1 {
                return Err(FillError::Twice { name: name.clone() });
            }
        }
        let mut values: Vec<Vec<&str>> = Vec::new();
        for input in &self.inputs {
            let mut those: Vec<&str> = given
                .iter()
                .filter(|(name, _)| *name == input.name)
                .map(|(_, value)| value.as_str())
                .collect();
            if those.is_empty() && input.required {
                match &input.default {
                    Some(default) => those.push(default),
                    None => return Err(FillError::Missing(Box::new(input.clone()))),
                }
            }
            values.push(those);
        }
        match &self.shape {
            Shape::Program {
                command,
                before,
                arguments,
            } => {
                let mut args = before.clone();
                for argument in arguments {
                    for value in filled(&argument.value, &values) {
                        args.extend(argument.flag.clone());
                        args.push(value);
                    }
                }
                Ok(Filled {
                    transport: Transport::Program {
                        command: (*command).to_owned(),
                        args,
                    },
                    variables: self.keys.iter().map(|key| key.name.clone()).collect(),
                })
            }
            Shape::Remote { url } => {
                let text = filled(url, &values).into_iter().next().unwrap_or_default();
                let url = address(&text).map_err(|why| FillError::Address(why.to_string()))?;
                let name = |key: &Input| Name {
                    text: key.name.clone(),
                    at: Span::default(),
                };
                Ok(Filled {
                    transport: Transport::Remote {
                        url,
                        headers: self.keys.iter().map(name).collect(),
                    },
                    variables: Vec::new(),
                })
            }
        }
    }
}

/// The word, once for each value of an input that is the whole of it; none when an input is open.
fn filled(parts: &[Part], values: &[Vec<&str>]) -> Vec<String> {
    if let [Part::Input(number)] = parts {
        return values[*number].iter().map(|value| (*value).to_owned()).collect();
    }
    let mut word = String::new();
    for part in parts {
        match part {
            Part::Text(text) => word.push_str(text),
            Part::Input(number) => match values[*number].first() {
                Some(value) => word.push_str(value),
                None => return Vec::new(),
            },
        }
    }
    vec![word]
}
