//! `openapi`: list the operations of a description, or write a connector of some.

mod description;
mod listing;
mod next;
mod pick;
mod record;
mod web_page;
mod weight;
mod write;

use self::description::Description;
use super::args::OpenApi;
use super::exit::Exit;
use super::fault::Fault;
use super::{Ending, Session};
use crate::keys::is_connector;
use crate::model::nearest;
use crate::openapi::{Api, Choice, ChoiceError, Chosen, Lowered, NoAddress, Options, Selection, choose, lower, missed, read};

pub(super) fn run(args: &OpenApi, session: &mut Session) -> Ending {
    let description = Description::open(args, session)?;
    let options = options(args, &description);
    let api = read(&description.files, &options).map_err(|error| {
        let fault = Fault::new(Exit::Findings, "not_a_description", error.to_string());
        fault.hint("give the description itself; services often publish it as /openapi.json, /openapi.yaml or /swagger.json")
    })?;
    known_variables(&api, args)?;
    let Some(name) = &args.name else {
        return listing::run(&api, args, session);
    };
    if !is_connector(name) {
        return Err(refused(&ChoiceError::Name(name.clone()), &api));
    }
    let chosen = chosen(&api, args, session)?;
    let choice = Choice {
        name: name.clone(),
        description: None,
        source: description.source.clone(),
        operations: chosen,
    };
    let lowered = lower(&api, &choice).map_err(|error| refused(&error, &api))?;
    finish(&api, &lowered, args, session)
}

fn options(args: &OpenApi, description: &Description) -> Options {
    Options {
        target: args.output.target(),
        address: description.files.address().cloned(),
        base: args.address.base.clone(),
        server: args.address.server.clone(),
        variables: args.address.variables.clone(),
        headers: args.keys.headers.clone(),
        query_keys: args.keys.query_keys.clone(),
    }
}

/// A value for a variable that no server has would change nothing.
fn known_variables(api: &Api<'_>, args: &OpenApi) -> Result<(), Fault> {
    let mut asked = args.address.variables.iter().map(|(name, _)| name);
    let Some(unknown) = asked.find(|name| !api.variables.contains(name)) else {
        return Ok(());
    };
    let fault = Fault::usage("bad_choice", format!("no server has a variable `{unknown}`"));
    let near = nearest(unknown, api.variables.iter().map(String::as_str));
    Err(match (near, api.variables.is_empty()) {
        (Some(near), _) => fault.hint(format!("did you mean `{near}`?")),
        (None, true) => fault.hint("leave out `--server-var`: the servers have no variables"),
        (None, false) => fault.hint(format!("the variables are `{}`", api.variables.join("`, `"))),
    })
}

fn selection(args: &OpenApi) -> Selection<'_> {
    Selection {
        only: &args.choice.only,
        except: &args.choice.except,
        risks: &args.choice.risks,
    }
}

/// The operations that the flags choose; without `--only`, those ticked in a terminal.
fn chosen(api: &Api<'_>, args: &OpenApi, session: &Session) -> Result<Vec<Chosen>, Fault> {
    let selection = selection(args);
    if args.choice.only.is_empty() {
        if !session.io.facts.can_ask {
            return Err(Fault::usage("nothing_chosen", "choose the operations: this is not a terminal")
                .hint("add `--only get` for all reads, `--only '*'` for everything, or `--only` with ids, `tag:NAME` or `path:/x/**`"));
        }
        return pick::ask(api, selection, session);
    }
    choose(api, selection).map_err(|error| refused(&error, api))
}

fn finish(api: &Api<'_>, lowered: &Lowered, args: &OpenApi, session: &Session) -> Ending {
    let missed = missed(api, selection(args));
    let ledger = record::Ledger::of(api, lowered, missed);
    // First, so that a report that cannot be written leaves no connector behind.
    ledger.save(args)?;
    if args.output.strict && ledger.losses() > 0 {
        return Err(ledger.too_lossy(args, session));
    }
    let exit = write::run(api, lowered, args, session)?;
    if !args.output.json && !args.output.diff {
        session.io.progress(&ledger.summary(args));
        session.io.progress(&next::steps(lowered, args, session));
    }
    Ok(exit)
}

fn refused(error: &ChoiceError, api: &Api<'_>) -> Fault {
    let fault = Fault::usage("bad_choice", error.to_string());
    let nothing = || Fault::new(Exit::Findings, "nothing_to_import", error.to_string());
    match error {
        ChoiceError::NoOperations => nothing().hint("give a description whose `paths` lists them; webhooks are not imported"),
        ChoiceError::AllLeftOut => nothing().hint("list them, each with its reason, by leaving out NAME and DIR"),
        ChoiceError::Name(name) => match suggested(name) {
            Some(better) => fault.hint(format!("try `{better}`")),
            None => fault,
        },
        ChoiceError::NoSuch { nearest: Some(near), .. } => fault.hint(format!("did you mean `{near}`?")),
        ChoiceError::NoSuch { word, nearest: None } => fault.hint(tags(word, api)),
        ChoiceError::TooMany { narrower, .. } => {
            let words: Vec<String> = narrower
                .iter()
                .map(|narrow| format!("{} ({})", narrow.word, narrow.count))
                .collect();
            let example = if words.is_empty() {
                String::new()
            } else {
                format!(", for example {}", words.join(", "))
            };
            fault.hint(format!("narrow it by tag, path or search (`*word*`){example}"))
        }
        ChoiceError::NoAddress(why) => no_address(fault, why),
        ChoiceError::Nothing | ChoiceError::LeftOut { .. } | ChoiceError::OnlyLeftOut { .. } => {
            fault.hint("list the operations by leaving out NAME and DIR")
        }
    }
}

fn tags(word: &str, api: &Api<'_>) -> String {
    let tags: Vec<&str> = api.operations.iter().flat_map(|operation| operation.tags.iter().copied()).collect();
    let wanted = word.strip_prefix("tag:").unwrap_or(word);
    match nearest(wanted, tags.iter().copied()).or_else(|| tags.iter().copied().find(|tag| *tag == wanted)) {
        Some(tag) => format!("did you mean `tag:{tag}`?"),
        None => "list the operations by leaving out NAME and DIR".to_owned(),
    }
}

fn no_address(fault: Fault, why: &NoAddress) -> Fault {
    match why {
        NoAddress::Relative { .. } => fault.hint("say where the service is: `--base https://…`"),
        NoAddress::Variables { names, .. } => fault.hint(format!(
            "choose with `--server-var {}=…`",
            names.first().map_or("NAME", String::as_str)
        )),
        NoAddress::Braces { .. } | NoAddress::NotHttp { .. } | NoAddress::Refused { .. } => {
            fault.hint("give another address with `--server https://…`")
        }
        NoAddress::NoSuchServer { .. } => fault.hint("list the servers by leaving out NAME and DIR"),
    }
}

/// A name that would do, when the wrong one has enough letters in it.
fn suggested(name: &str) -> Option<String> {
    let letters: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).take(31).collect();
    let better = letters.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (better.len() >= 2).then(|| better.to_owned())
}
