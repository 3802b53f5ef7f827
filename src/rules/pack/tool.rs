//! What each tool says of its arguments, its fixed values and its answer, judged.

use crate::diag::{Finding, table};
use crate::format::Word;
use crate::format::pack::{ParamBlock, ParamType, StepError, ToolBlock, literal, path_arguments, put, sent_in, steps_into_list};
use crate::model::{ArgPath, Method, Path, Tree, nearest};
use crate::rules::listed;
use crate::source::{Kind, Span, View};

/// Everything about one tool but its name, path and method.
pub(super) fn check(tool: &ToolBlock<'_>, findings: &mut Vec<Finding>) {
    findings.extend(tool.about.and_then(|about| one_line(&about)));
    for param in &tool.params {
        param_type(param, findings);
        findings.extend(place(param, tool));
        values(param, findings);
    }
    sent(tool, findings);
    answer(tool, findings);
}

fn one_line(about: &Word<'_>) -> Option<Finding> {
    let lines = about.text.trim_end().lines().count();
    (lines != 1 || about.text.trim().is_empty()).then(|| {
        let message = if lines > 1 {
            "`about` has more than one line"
        } else {
            "`about` is empty"
        };
        Finding::new(&table::NOT_ONE_LINE, about.at(), message).help("say in one line what the tool gives")
    })
}

fn param_type(param: &ParamBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(word) = param.kind else { return };
    match ParamType::parse(word.text) {
        None => {
            let types = ParamType::ALL.map(ParamType::word);
            let message = format!("`{}` is not a type of `params`", word.short().escape_debug());
            let finding = Finding::new(&table::UNKNOWN_TYPE, word.at(), message).help(format!("choose one of {}", listed(types)));
            findings.push(match nearest(word.text, types) {
                Some(near) => finding.label(format!("did you mean `{near}`?")),
                None => finding,
            });
        }
        Some(ParamType::Date) if !["from", "to"].contains(&param.name) => findings.push(
            Finding::new(
                &table::PERIOD_NAME,
                param.name_at,
                format!("the date `{}` is not called `from` or `to`", param.name.escape_debug()),
            )
            .help("call the two ends of a period `from` and `to`, with the API's own names in `name`"),
        ),
        Some(_) => {}
    }
}

fn place(param: &ParamBlock<'_>, tool: &ToolBlock<'_>) -> Option<Finding> {
    let word = param.place?;
    match word.text {
        "query" => None,
        "body" if tool.method() == Some(Method::Get) => Some(
            Finding::new(
                &table::BODY_ON_READING_GET,
                word.at(),
                format!("`{}` is a GET, which sends no body", tool.name),
            )
            .help("leave `in` out, or write `method: POST` with `read: true`"),
        ),
        "body" => None,
        other => Some(
            Finding::new(
                &table::UNKNOWN_PLACE,
                word.at(),
                format!("`{}` is not a place for an argument", other.escape_debug()),
            )
            .help("write `query` or `body`"),
        ),
    }
}

/// Options and the default, by the type of their argument.
fn values(param: &ParamBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(kind) = param.kind() else { return };
    let options: Vec<View<'_>> = param.options.into_iter().flat_map(View::items).collect();
    if let Some(view) = param.options.filter(|view| view.kind() != Kind::List || options.is_empty()) {
        findings.push(Finding::new(&table::WRONG_VALUE, view.span(), "`options` is not a list of values").help("write `options: [a, b]`"));
    }
    let misfit = |view: &View<'_>, what: &str| {
        let message = format!("{what} of `{}` is not {}", param.name.escape_debug(), kind_words(kind));
        Finding::new(&table::WRONG_VALUE, view.span(), message).help(match kind {
            ParamType::String => "put it in quotes",
            ParamType::Date => "write it as \"2026-11-30\", in quotes",
            _ => "write it without quotes, or change the `type`",
        })
    };
    findings.extend(
        options
            .iter()
            .filter(|view| !fits(kind, **view))
            .map(|view| misfit(view, "an option")),
    );
    let Some(default) = param.default else { return };
    if !fits(kind, default) {
        findings.push(misfit(&default, "the default"));
    } else if !options.is_empty() && options.iter().all(|option| option.value() != default.value()) {
        let message = format!("the default of `{}` is not among its options", param.name.escape_debug());
        findings.push(Finding::new(&table::WRONG_VALUE, default.span(), message).help("choose one of the options, or add it to them"));
    }
}

fn kind_words(kind: ParamType) -> &'static str {
    match kind {
        ParamType::String => "a string",
        ParamType::Integer => "an integer",
        ParamType::Number => "a number",
        ParamType::Boolean => "true or false",
        ParamType::Date => "a date",
    }
}

fn fits(kind: ParamType, view: View<'_>) -> bool {
    match kind {
        ParamType::String => view.as_str().is_some(),
        ParamType::Integer => view.as_number().is_some_and(|number| !number.contains(['.', 'e', 'E'])),
        ParamType::Number => view.as_number().is_some(),
        ParamType::Boolean => view.as_bool().is_some(),
        ParamType::Date => view.as_str().is_some_and(is_date),
    }
}

fn is_date(text: &str) -> bool {
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2))
}

/// Where fixed values and arguments go: each in a place of its own.
fn sent(tool: &ToolBlock<'_>, findings: &mut Vec<Finding>) {
    let Some(method) = tool.method() else { return };
    let fixed: Vec<_> = tool.fixed.into_iter().flat_map(View::fields).collect();
    let mut body = Vec::new();
    for field in &fixed {
        if method == Method::Get {
            findings.extend(nested(field.value));
        } else if let Err(error) = put(&mut body, field.key, literal(field.value)) {
            findings.push(misplaced(field.key_span, &error));
        }
    }
    let in_path = tool.path.map(|path| path_arguments(path.text)).unwrap_or_default();
    let mut query: Vec<&str> = Vec::new();
    if method == Method::Get {
        query.extend(fixed.iter().map(|field| field.key));
    }
    for param in tool.params.iter().filter(|param| !in_path.contains(&param.name)) {
        let (name, at) = (param.sent_as(), param.own.map_or(param.name_at, |own| own.at()));
        if sent_in(param, method) == "body" {
            let argument = Tree::Arg {
                path: ArgPath(vec![param.name.to_owned()]),
                at,
            };
            match put(&mut body, name, argument) {
                Err(error) => findings.push(misplaced(at, &error)),
                Ok(()) => findings.extend(optional_step(param, name, at)),
            }
        } else if query.contains(&name) {
            let message = format!("`{}` is sent twice", name.escape_debug());
            findings.push(Finding::new(&table::SENT_TWICE, at, message).help("leave one of them out: the argument replaces the other"));
        } else {
            query.push(name);
        }
    }
}

/// A query has texts and lists of texts.
fn nested(view: View<'_>) -> Option<Finding> {
    let is_nested = |view: View<'_>| matches!(view.kind(), Kind::List | Kind::Map);
    let wrong = view.kind() == Kind::Map || view.items().any(is_nested);
    wrong.then(|| {
        Finding::new(&table::NESTED_IN_QUERY, view.span(), "a query holds no nested values")
            .help("write the whole name, as in `\"filter[status]\": active`; a list repeats its name")
    })
}

fn misplaced(at: Span, error: &StepError) -> Finding {
    Finding::new(&table::BAD_STEP, at, error.to_string()).help(match error {
        StepError::NoList { .. } | StepError::TooShort { .. } => "give `fixed` a list with enough entries there, as in `filters: [{}]`",
        StepError::Empty { .. } => "write names between dots",
        StepError::NotAnObject { .. } | StepError::Taken { .. } => "choose another name, or take the value out of `fixed`",
    })
}

/// Without its value, an entry of a list in `fixed` is sent incomplete.
fn optional_step(param: &ParamBlock<'_>, name: &str, at: Span) -> Option<Finding> {
    let given = param.required.is_some_and(|flag| flag.value) || param.default.is_some();
    (steps_into_list(name) && !given).then(|| {
        let message = format!(
            "without `{}`, an entry of a fixed list is sent incomplete",
            param.name.escape_debug()
        );
        Finding::new(&table::OPTIONAL_STEP, at, message).help("add `required: true`, or a `default`")
    })
}

fn answer(tool: &ToolBlock<'_>, findings: &mut Vec<Finding>) {
    findings.extend(tool.items.and_then(|items| dot_path(&items)));
    let Some(returns) = tool.returns else { return };
    if returns.kind() != Kind::Map || returns.fields().len() == 0 {
        let message = format!("`{}` returns nothing", tool.name.escape_debug());
        findings.push(Finding::new(&table::NO_RETURNS, returns.span(), message).help("write `returns: {our_name: path.in.the.answer}`"));
        return;
    }
    for field in returns.fields() {
        match Word::new(field.value) {
            Some(path) => findings.extend(dot_path(&path)),
            None => findings.push(
                Finding::new(
                    &table::NO_RETURNS,
                    field.value.span(),
                    format!("`{}` is not a path in the answer", field.key.escape_debug()),
                )
                .help("write the path as text, in quotes if it is a number"),
            ),
        }
    }
}

fn dot_path(word: &Word<'_>) -> Option<Finding> {
    match word.text.parse::<Path>() {
        Err(error) => Some(
            Finding::new(&table::BAD_ANSWER_PATH, word.at(), error.to_string())
                .help("write keys and numbers between dots, as in `data.rows.0.id`"),
        ),
        Ok(path) if path.gathers() => Some(
            Finding::new(&table::STAR_IN_PATH, word.at(), "ChatPilot is not known to read `*` in a path")
                .help("name one entry by its number, as in `labels.0.name`"),
        ),
        Ok(_) => None,
    }
}

/// Whether a call has to give an argument.
pub(super) fn needs_arguments(tool: &ToolBlock<'_>) -> Vec<String> {
    let in_path = tool.path.map(|path| path_arguments(path.text)).unwrap_or_default();
    let required = |param: &&ParamBlock<'_>| param.required.is_some_and(|flag| flag.value) && param.default.is_none();
    let of_params = tool.params.iter().filter(required).map(|param| param.name);
    let has_default = |name: &&str| tool.params.iter().any(|param| param.name == *name && param.default.is_some());
    let mut names: Vec<String> = in_path
        .iter()
        .filter(|name| !has_default(name))
        .map(|name| (*name).to_owned())
        .collect();
    names.extend(of_params.filter(|name| !in_path.contains(name)).map(str::to_owned));
    names
}
