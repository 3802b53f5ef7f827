//! Reading: every path and method of a description becomes an operation that can be imported or
//! one that is left out with a reason. One broken operation never sinks the rest. No schema is
//! expanded here.

use std::collections::HashMap;

use super::body::{Body, of_content, of_params};
use super::files::{At, Files};
use super::key_words::is_key_name;
use super::ledger::{NoteKind, Reason};
use super::names::{Names, cut, method_name};
use super::params::{Param, Place, is_deprecated, is_own_header, is_unsendable_header, refusal};
use super::refs::{Broken, Object, Scope};
use super::security::{Keys, Need, Place as KeyPlace};
use super::servers::{self, base_of};
use super::text::{clean, prose};
use super::walk::{Raw, Stands, Walked, walk};
use super::{Api, NotADescription, Operation, Options, path};
use crate::model::{Base, Method, Risk};
use crate::source::{Kind, View};

/// Reads a description.
pub fn read<'d>(files: &'d Files, options: &Options) -> Result<Api<'d>, NotADescription> {
    let root = files.main().root();
    let format = version(root)?;
    let scope = Scope::new(files);
    for duplicate in files.main().duplicates() {
        let at = At {
            file: 0,
            span: duplicate.again,
        };
        scope.note_at(
            NoteKind::DuplicateKey,
            at,
            format!("`{}` stands twice; the last one counts", clean(&duplicate.key, 60)),
        );
    }
    let servers = servers::servers(&scope, root, options);
    let mut base = servers::choose(&scope, root, &servers, options);
    let mut keys = Keys::read(&scope, root, options);
    let Walked { raw, others } = walk(&scope, root, options);
    let servers_named = root.get("swagger").is_some() || root.get("servers").is_some_and(|list| list.items().len() > 0);
    if base.is_err() || !servers_named {
        let own: Vec<_> = raw.iter().map(|raw| own_server(&scope, raw, options)).collect();
        base = servers::common(&scope, root, &own, options).map_or(base, Ok);
    }
    let own_base = servers::own_choice(&servers);
    let own_lists = raw.iter().filter_map(Raw::servers);
    let variables = servers::variable_names(&scope, root, own_lists, options);
    let counts = Counts::of(&raw);
    let mut names = Names::default();
    let mut operations = Vec::new();
    let mut left_out = Vec::new();
    let context = Context {
        scope: &scope,
        root,
        options,
        base: base.as_ref().ok(),
        own_base: own_base.as_ref(),
        swagger: root.get("swagger").is_some(),
        counts: &counts,
        total: raw.len(),
    };
    for raw in raw {
        let operation_id = raw.object.as_ref().ok().and_then(|object| object.text("operationId"));
        let whole_name = method_name(operation_id, raw.word, raw.path);
        let id = names.take(cut(&whole_name).to_owned());
        let place = Stands {
            method: raw.method.word(),
            path: raw.path,
            view: raw.view,
            object: raw.object.as_ref().ok().copied(),
        };
        let made = scope.within(files.at(raw.view), || context.operation(raw, id.clone(), whole_name, &mut keys));
        match made {
            Ok(operation) => operations.push(operation),
            Err(reason) => left_out.push(place.left_out(&scope, id, reason)),
        }
    }
    // After the others, whose names the released host gives without these.
    left_out.extend(others.into_iter().map(|other| other.left_out(&scope, &mut names)));
    operations.sort_by_key(|operation| operation.deprecated);
    let text = |pointer: &str, most| {
        root.at(pointer)
            .and_then(View::as_str)
            .map(|text| prose(text, most))
            .unwrap_or_default()
    };
    let version = root
        .at("/info/version")
        .and_then(|version| version.as_str().or_else(|| version.as_number()));
    Ok(Api {
        title: text("/info/title", 80),
        about: text("/info/description", 400),
        version: version.map(|version| clean(version, 40)).unwrap_or_default(),
        format,
        base,
        servers,
        variables,
        operations,
        left_out,
        notes: scope.take_notes().into_all(),
        target: options.target,
        address: options.address.clone(),
        every_key: keys.all(),
        asked_keys: keys.asked(),
        keys: keys.keys,
        scope,
    })
}

fn own_server<'d>(scope: &Scope<'d>, raw: &Raw<'d>, options: &Options) -> Option<url::Url> {
    let list = servers::listed(scope, raw.servers(), options);
    list.into_iter().find_map(|server| server.address.ok())
}

fn version(root: View<'_>) -> Result<String, NotADescription> {
    if root.kind() != Kind::Map {
        return Err(NotADescription::NotAnObject(root.kind().words()));
    }
    let word = |name: &str| root.get(name).and_then(|value| value.as_str().or_else(|| value.as_number()));
    match (word("swagger").filter(|word| !word.is_empty()), word("openapi")) {
        (Some(version), _) => Ok(clean(version, 20)),
        (None, Some(version)) if version.trim().starts_with('3') => Ok(clean(version, 20)),
        (None, Some(version)) => Err(NotADescription::Version(clean(version, 20))),
        (None, None) => Err(NotADescription::NoVersion),
    }
}

/// On how many operations a parameter whose name says "key" stands.
struct Counts<'d>(HashMap<(KeyWhere, &'d str), usize>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum KeyWhere {
    Path,
    Query,
}

impl<'d> Counts<'d> {
    fn of(raw: &[Raw<'d>]) -> Self {
        let mut counts = HashMap::new();
        for param in raw.iter().flat_map(|raw| &raw.params) {
            let place = match param.place {
                Place::Path => KeyWhere::Path,
                Place::Query => KeyWhere::Query,
                _ => continue,
            };
            if is_key_name(param.wire) {
                *counts.entry((place, param.wire)).or_default() += 1;
            }
        }
        Self(counts)
    }

    fn of_param(&self, place: KeyWhere, wire: &str) -> usize {
        self.0.get(&(place, wire)).copied().unwrap_or_default()
    }
}

struct Context<'c, 'd> {
    scope: &'c Scope<'d>,
    root: View<'d>,
    options: &'c Options,
    base: Option<&'c Base>,
    /// What the description itself says, when the caller says something else.
    own_base: Option<&'c Base>,
    swagger: bool,
    counts: &'c Counts<'d>,
    total: usize,
}

impl<'d> Context<'_, 'd> {
    fn operation(&self, raw: Raw<'d>, id: String, whole_name: String, keys: &mut Keys<'d>) -> Result<Operation<'d>, Reason> {
        let object = raw.object.map_err(|broken| match broken {
            Broken::Missing(reference) => Reason::BrokenRef(reference),
            Broken::Outside(reference, _) => Reason::ExternalRef(reference),
        })?;
        if object.target().kind() != Kind::Map {
            return Err(Reason::Malformed);
        }
        if path::parse(raw.path).is_none() {
            return Err(Reason::PathShape(clean(raw.path, 120)));
        }
        let base_path = self.base_path(raw.item, object)?;
        let mut params = raw.params;
        let param_keys = self.param_keys(&mut params, keys)?;
        if let Some(reason) = refusal(&params) {
            return Err(reason);
        }
        let reads = matches!(raw.method, Method::Get | Method::Delete);
        let body = self.body(object, &params, reads)?;
        if let Some(reason) = super::arguments::refusal(self.scope, &body, &params) {
            return Err(reason);
        }
        let need = keys.need(self.scope, object.get("security").or_else(|| self.root.get("security")));
        if need == Need::Cookie {
            return Err(Reason::CookieKey);
        }
        let deprecated = is_deprecated(object);
        Ok(Operation {
            id,
            operation_id: object.text("operationId"),
            method: raw.method,
            path: raw.path,
            summary: summary(object, deprecated),
            tags: super::walk::tags(object),
            deprecated,
            risk: if raw.method == Method::Get {
                Risk::Read
            } else {
                Risk::Irreversible
            },
            at: self.scope.files.at(raw.view),
            whole_name,
            object,
            params,
            body,
            need,
            param_keys,
            base_path,
        })
    }

    fn body(&self, object: Object<'d>, params: &[Param<'d>], reads: bool) -> Result<Body<'d>, Reason> {
        if self.swagger {
            let consumes = object.get("consumes").or_else(|| self.root.get("consumes"));
            return of_params(self.scope, params, consumes, self.options.target);
        }
        match of_content(self.scope, object, reads, self.options.target)? {
            // Left-overs of 2.0 in 3.x.
            Body::None if params.iter().any(|param| matches!(param.place, Place::Body | Place::Form)) => {
                of_params(self.scope, params, object.get("consumes"), self.options.target)
            }
            body => Ok(body),
        }
    }

    /// Takes the parameters that are keys, and those that the host itself sends, out of the list.
    fn param_keys(&self, params: &mut Vec<Param<'d>>, keys: &mut Keys<'d>) -> Result<Vec<usize>, Reason> {
        let mut found = Vec::new();
        let mut kept = Vec::new();
        for param in params.drain(..) {
            if param.place == Place::Path && self.total > 1 && self.is_key(&param, KeyWhere::Path) {
                return Err(Reason::PathKey(param.wire.to_owned()));
            }
            match self.key_place(&param, keys) {
                Some(place) => found.push(keys.parameter(self.scope, param.object.own(), place, param.about())),
                None if self.is_sent(&param) => kept.push(param),
                None => {}
            }
        }
        *params = kept;
        found.dedup();
        Ok(found)
    }

    /// Whether the parameter has the name of a key on at least half of all operations.
    fn is_key(&self, param: &Param<'_>, place: KeyWhere) -> bool {
        is_key_name(param.wire) && self.counts.of_param(place, param.wire) * 2 >= self.total
    }

    fn key_place(&self, param: &Param<'d>, keys: &Keys<'d>) -> Option<KeyPlace> {
        let wire = param.wire.to_owned();
        let (place, named) = match param.place {
            Place::Header => {
                let named = is_key_name(&wire) || wire.eq_ignore_ascii_case("token");
                (KeyPlace::Header(wire), named)
            }
            Place::Query => (KeyPlace::Query(wire), self.is_key(param, KeyWhere::Query)),
            _ => return None,
        };
        (named || keys.has(&place)).then_some(place)
    }

    /// Whether the parameter is an argument: not what the host sends itself, and no cookie.
    fn is_sent(&self, param: &Param<'d>) -> bool {
        let cookie = param.place == Place::Cookie && !param.required;
        let header = param.place == Place::Header && is_unsendable_header(param.wire);
        if cookie || header {
            let text = format!("`{}` is not sent", clean(param.wire, 60));
            self.scope.note(NoteKind::DroppedArgument, param.object.own(), text);
        }
        let own = param.place == Place::Header && is_own_header(param.wire);
        !cookie && !header && !own
    }

    /// The path of the operation's own server; another host is a reason to leave it out.
    fn base_path(&self, item: Object<'d>, object: Object<'d>) -> Result<Option<String>, Reason> {
        let Some(list) = object.get("servers").or_else(|| item.get("servers")) else {
            return Ok(None);
        };
        let own = servers::listed(self.scope, Some(list), self.options);
        let bases: Vec<Base> = own
            .iter()
            .filter_map(|server| server.address.as_ref().ok())
            .filter_map(|url| base_of(url).ok())
            .collect();
        let Some(first) = bases.first() else { return Ok(None) };
        let with = |base: Option<&Base>, own: &Base| {
            base.is_some_and(|base| (base.scheme, &base.host, base.port) == (own.scheme, &own.host, own.port))
        };
        let same = |own: &&Base| with(self.base, own) || with(self.own_base, own);
        match bases.iter().find(same) {
            Some(own) if [self.base, self.own_base].into_iter().flatten().any(|base| base.path == own.path) => Ok(None),
            Some(own) => Ok(Some(own.path.clone())),
            None => Err(Reason::OtherHost(first.authority())),
        }
    }
}

fn summary(object: Object<'_>, deprecated: bool) -> String {
    let text = |name: &str| object.text(name).map(|text| prose(text, 160)).filter(|text| !text.is_empty());
    let summary = text("summary").or_else(|| text("description")).unwrap_or_default();
    if deprecated {
        format!("(deprecated) {summary}").trim_end().to_owned()
    } else {
        summary
    }
}
