//! From the chosen operations to a connector: names, schemas, requests, keys, cases. What is lost
//! on the way is in the notes.

use serde_json::{Map, Value, json};

use super::answer::{Answer, answer, returns};
use super::arguments::{Argument, Arguments, To, arguments};
use super::body::Body;
use super::cases::{CASES, case};
use super::choose::{Choice, ChoiceError, Chosen};
use super::dotted::bound;
use super::files::At;
use super::key_words::is_secret_name;
use super::keys_used::{KeysUsed, keys_used};
use super::ledger::{Note, NoteKind};
use super::names::{Names, fit};
use super::params::Send;
use super::refs::Scope;
use super::request::{Extras, place, request};
use super::schema::{Expander, conjoin, tidy};
use super::security::ApiKey;
use super::taken::narrow;
use super::text::{clean, prose};
use super::{Api, MOST, Operation, Target};
use crate::model::{Base, Capability, Connector, FormKind, Http, Limits, Method, Name, Pick, Redirects, Risk, Span, Transport};
use crate::source::View;

/// Schema nodes that one capability may have: some eight thousand tokens for the model.
const NODES: usize = 400;
/// Items that are kept of a list.
const ITEMS: usize = 50;

/// A connector and what is known of it besides.
pub struct Lowered {
    pub connector: Connector,
    /// The keys that it declares, in the order of `connector.keys`.
    pub keys: Vec<ApiKey>,
    /// Where the chosen operations stand.
    pub operations: Vec<At>,
    /// What was lost or guessed while these operations were lowered.
    pub notes: Vec<Note>,
    pub work: Work,
}

/// How much was done, for tests that bound it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Schemas that were expanded.
    pub expansions: usize,
    /// Pairs of a schema and a remaining depth.
    pub pairs: usize,
    /// Nodes of the largest capability's schema.
    pub largest: usize,
}

/// Makes a connector of the chosen operations.
pub fn lower(api: &Api<'_>, choice: &Choice) -> Result<Lowered, ChoiceError> {
    if !crate::keys::is_connector(&choice.name) {
        return Err(ChoiceError::Name(choice.name.clone()));
    }
    let chosen = chosen(api, choice)?;
    let base = api.base.clone()?;
    let operations: Vec<&Operation<'_>> = chosen.iter().map(|(operation, _)| *operation).collect();
    let used = keys_used(api, &operations);
    let (base, before) = common_base(base, &operations);
    let mut maker = Maker {
        api,
        scope: &api.scope,
        expander: Expander::new(&api.scope),
        names: Names::default(),
        choice,
        largest: 0,
    };
    let mut capabilities = Vec::new();
    let mut cases = Vec::new();
    for (at, (operation, chosen)) in chosen.iter().enumerate() {
        let arguments = maker.scope.within(operation.at, || arguments(maker.scope, operation));
        let capability = maker.capability(operation, chosen, &arguments, &before[at], &used.own[at]);
        if cases.len() < CASES {
            cases.extend(case(maker.scope, &capability.name, operation, chosen, &arguments));
        }
        capabilities.push(capability);
    }
    let work = Work {
        expansions: maker.expander.expansions(),
        pairs: maker.expander.pairs(),
        largest: maker.largest,
    };
    let keys: Vec<ApiKey> = used.all().into_iter().map(|key| api.keys[key].clone()).collect();
    Ok(Lowered {
        connector: Connector {
            name: choice.name.clone(),
            description: choice.description.clone().unwrap_or_else(|| description(api)),
            source: choice.source.clone().or_else(|| api.address.as_ref().map(ToString::to_string)),
            imported: true,
            transport: Transport::Http(http(api, base, &used)),
            keys: keys.iter().map(|key| name(&key.env)).collect(),
            capabilities,
            cases,
        },
        keys,
        operations: operations.iter().map(|operation| operation.at).collect(),
        notes: api.scope.take_notes().into_all(),
        work,
    })
}

fn name(text: &str) -> Name {
    Name {
        text: text.to_owned(),
        at: Span::default(),
    }
}

/// The chosen operations in the order of the description.
fn chosen<'a, 'd>(api: &'a Api<'d>, choice: &'a Choice) -> Result<Vec<(&'a Operation<'d>, &'a Chosen)>, ChoiceError> {
    let mut found = Vec::new();
    for chosen in &choice.operations {
        let at = api.operations.iter().position(|operation| operation.id == chosen.id);
        let Some(at) = at else {
            let left = api.left_out.iter().find(|left| left.id == chosen.id);
            return Err(left.map_or_else(
                || ChoiceError::NoSuch {
                    word: chosen.id.clone(),
                    nearest: None,
                },
                |left| ChoiceError::LeftOut {
                    id: left.id.clone(),
                    reason: left.reason.clone(),
                },
            ));
        };
        found.push((at, chosen));
    }
    found.sort_by_key(|(at, _)| *at);
    found.dedup_by_key(|(at, _)| *at);
    match found.len() {
        0 => Err(ChoiceError::Nothing),
        count if count > MOST => Err(ChoiceError::TooMany {
            count,
            narrower: Vec::new(),
        }),
        _ => Ok(found.into_iter().map(|(at, chosen)| (&api.operations[at], chosen)).collect()),
    }
}

/// The base that all operations have in common, and what each one's path starts with.
fn common_base(mut base: Base, operations: &[&Operation<'_>]) -> (Base, Vec<String>) {
    let paths: Vec<&str> = operations
        .iter()
        .map(|operation| operation.base_path.as_deref().unwrap_or(&base.path))
        .collect();
    let mut common: Vec<&str> = paths[0].split('/').collect();
    for path in &paths {
        let same = common.iter().zip(path.split('/')).take_while(|(one, other)| *one == other).count();
        common.truncate(same);
    }
    let common = common.join("/");
    let before = paths.iter().map(|path| path[common.len()..].to_owned()).collect();
    base.path = common;
    (base, before)
}

fn http(api: &Api<'_>, base: Base, used: &KeysUsed) -> Http {
    let mut http = Http {
        base,
        headers: Vec::new(),
        query: Vec::new(),
        limits: Limits::CONNECTOR,
        redirects: Redirects::SameOrigin,
        per_minute: None,
    };
    for key in &used.everywhere {
        place(&api.keys[*key], &mut http.headers, &mut http.query);
    }
    http
}

/// "title: description", as the host writes it.
fn description(api: &Api<'_>) -> String {
    match (api.title.is_empty(), api.about.is_empty()) {
        (true, _) => clean(&api.about, 300),
        (false, true) => api.title.clone(),
        (false, false) => clean(&format!("{}: {}", api.title, api.about), 300),
    }
}

struct Maker<'a, 'd> {
    api: &'a Api<'d>,
    scope: &'a Scope<'d>,
    expander: Expander<'d, 'a>,
    names: Names,
    choice: &'a Choice,
    largest: usize,
}

impl<'d> Maker<'_, 'd> {
    fn capability(
        &mut self,
        operation: &Operation<'d>,
        chosen: &Chosen,
        arguments: &Arguments<'d>,
        before: &str,
        keys: &[usize],
    ) -> Capability {
        let name = format!("{}.{}", self.choice.name, self.method(operation));
        let answer = answer(self.scope, operation.object, operation.path);
        if let (Some((field, at)), Some(list)) = (&answer.next, &answer.path) {
            let text = format!("of the answer `{list}` is kept; `{field}`, which leads to the next page, is cut off");
            self.scope
                .within(operation.at, || self.scope.note_at(NoteKind::NextPage, *at, text));
        }
        let about = prose(operation.object.text("description").unwrap_or_default(), 300);
        self.scope.within(operation.at, || self.beyond_host(operation, arguments));
        let media = match &operation.body {
            Body::Json { media, .. } => *media,
            _ => None,
        };
        let extras = Extras {
            method: operation.method,
            safe: operation.method != Method::Get && chosen.risk == Risk::Read,
            before,
            keys: keys.iter().map(|key| &self.api.keys[*key]).collect(),
            accept: answer.accept.as_deref(),
            media,
            form: operation.body.form_kind(),
        };
        Capability {
            signature: signature(&name, &arguments.list),
            returns: returns(&answer, &operation.summary, &about),
            schema: Some(self.schema(&arguments.list)),
            defaults: serde_json::Map::new(),
            schema_at: None,
            request: Some(request(arguments, &extras)),
            pick: pick(&answer),
            tool: None,
            reviewed: None,
            risk: chosen.risk,
            at: Span::default(),
            name,
        }
    }

    fn method(&mut self, operation: &Operation<'d>) -> String {
        let mark = format!("{} {} {}", operation.whole_name, operation.method.word(), operation.path);
        let method = fit(&operation.id, &operation.whole_name, &mark, &self.choice.name);
        if method != operation.id {
            let text = format!("`{}` is called `{method}`: a client takes 64 characters", operation.id);
            self.scope.note_at(NoteKind::ShortName, operation.at, text);
        }
        self.names.take(method)
    }

    /// Notes what the released host refuses to load.
    fn beyond_host(&self, operation: &Operation<'d>, arguments: &Arguments<'d>) {
        if self.api.target == Target::Pimpo && operation.path.contains("..") {
            self.scope.note_at(
                NoteKind::HostRefuses,
                operation.at,
                "the released host refuses a connector with `..` anywhere in a path",
            );
        }
        if operation.body.form_kind() == Some(FormKind::Multipart) {
            self.scope.note_at(
                NoteKind::BeyondHost,
                operation.at,
                "the released host does not send multipart forms",
            );
        }
        let styled = |argument: &&Argument<'_>| matches!(argument.send, Send::Each | Send::Styled(_));
        for argument in arguments.list.iter().filter(styled) {
            let text = format!("the released host sends the list or object `{}` as JSON text", argument.name);
            self.scope.note_at(NoteKind::BeyondHost, operation.at, text);
        }
    }

    fn schema(&mut self, list: &[Argument<'d>]) -> Value {
        let mut order: Vec<&Argument<'d>> = list.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let roots: Vec<View<'d>> = order
            .iter()
            .flat_map(|argument| &argument.schemas)
            .map(|(schema, _)| *schema)
            .collect();
        let mut depths = self.expander.depths(&roots, NODES).into_iter();
        let mut properties = Map::new();
        let mut required = Vec::new();
        let mut nodes = 0;
        for argument in order {
            let schema = self.argument(argument, &mut depths);
            nodes += count(&schema);
            properties.insert(argument.name.clone(), schema);
            if argument.required {
                required.push(Value::from(argument.name.as_str()));
            }
        }
        self.largest = self.largest.max(nodes);
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }

    fn argument(&mut self, argument: &Argument<'d>, depths: &mut impl Iterator<Item = u8>) -> Value {
        let mut parts = Vec::new();
        for (schema, role) in &argument.schemas {
            parts.push(self.expander.expand(*schema, depths.next().unwrap_or_default(), *role));
        }
        let mut schema = conjoin(&parts);
        // A body without a schema is any JSON.
        let is_text = argument.schemas.is_empty() && argument.to != To::Body;
        if argument.send.help().is_some() || is_text {
            schema = Map::from_iter([("type".to_owned(), Value::from("string"))]);
        }
        narrow(&mut schema, &argument.send);
        if let Send::Dotted(pairs) = &argument.send {
            bound(&mut schema, pairs);
        }
        self.about(argument, &mut schema);
        if is_secret_name(argument.wire)
            && let Some(default) = schema.shift_remove("default")
            && !default.is_null()
        {
            let at = argument.schemas.first().map(|(schema, _)| *schema);
            let text = format!("the default of `{}` may be a key and is not written", argument.name);
            if let Some(at) = at {
                self.scope.note(NoteKind::SecretDefault, at, text);
            }
        }
        tidy(schema.into())
    }

    fn about(&self, argument: &Argument<'d>, schema: &mut Map<String, Value>) {
        let mut about = match schema.get("description").and_then(Value::as_str) {
            Some(about) => about.to_owned(),
            None => prose(argument.about.unwrap_or_default(), 200),
        };
        if let Some(help) = argument.send.help() {
            about = format!("{about} {help}").trim_start().to_owned();
        }
        if !about.is_empty() {
            schema.insert("description".to_owned(), about.into());
        }
    }
}

/// How many objects a schema has.
fn count(schema: &Value) -> usize {
    match schema {
        Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
        Value::Array(list) => list.iter().map(count).sum(),
        _ => 0,
    }
}

/// `name({a, b?})`, by name.
fn signature(name: &str, list: &[Argument<'_>]) -> String {
    let mut names: Vec<(&str, bool)> = list.iter().map(|argument| (argument.name.as_str(), argument.required)).collect();
    names.sort_unstable();
    let shown: Vec<String> = names
        .iter()
        .map(|(name, required)| format!("{name}{}", if *required { "" } else { "?" }))
        .collect();
    format!("{name}({{{}}})", shown.join(", "))
}

fn pick(answer: &Answer) -> Option<Pick> {
    answer.is_list.then(|| Pick {
        path: answer.path.clone().unwrap_or_default(),
        max: ITEMS,
        ..Pick::default()
    })
}
