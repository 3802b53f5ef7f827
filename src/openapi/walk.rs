//! Every path and method of a description as it stands there. Judges nothing: that is `read`'s.

use super::Options;
use super::ledger::{LeftOut, Reason};
use super::names::{Names, cut, method_name};
use super::params::{Param, collect, is_deprecated};
use super::refs::{Broken, Object, Scope};
use super::text::clean;
use crate::model::Method;
use crate::source::{Kind, View};

const METHODS: [(&str, Method); 5] = [
    ("get", Method::Get),
    ("post", Method::Post),
    ("put", Method::Put),
    ("patch", Method::Patch),
    ("delete", Method::Delete),
];
const OTHERS: [&str; 5] = ["head", "options", "trace", "query", "connect"];

/// An operation as it stands in the description.
pub(super) struct Raw<'d> {
    pub(super) word: &'static str,
    pub(super) method: Method,
    pub(super) path: &'d str,
    pub(super) view: View<'d>,
    pub(super) item: Object<'d>,
    pub(super) object: Result<Object<'d>, Broken>,
    pub(super) params: Vec<Param<'d>>,
}

impl<'d> Raw<'d> {
    /// The servers of the operation or of its path.
    pub(super) fn servers(&self) -> Option<View<'d>> {
        let own = self.object.as_ref().ok().and_then(|object| object.get("servers"));
        own.or_else(|| self.item.get("servers"))
    }
}

/// An operation of a method that connectors do not have.
pub(super) struct Other<'d> {
    word: String,
    path: &'d str,
    view: View<'d>,
}

pub(super) struct Walked<'d> {
    pub(super) raw: Vec<Raw<'d>>,
    pub(super) others: Vec<Other<'d>>,
}

/// Where an operation stands, for the list of those that are left out.
pub(super) struct Stands<'a, 'd> {
    pub(super) method: &'a str,
    pub(super) path: &'d str,
    pub(super) view: View<'d>,
    pub(super) object: Option<Object<'d>>,
}

pub(super) fn walk<'d>(scope: &Scope<'d>, root: View<'d>, options: &Options) -> Walked<'d> {
    let (mut raw, mut others) = (Vec::new(), Vec::new());
    let Some(paths) = scope.map(root.get("paths")) else {
        return Walked { raw, others };
    };
    let mut fields: Vec<_> = paths
        .fields()
        .filter(|field| !field.key.starts_with("x-") && field.key != "$ref" && field.value.kind() == Kind::Map)
        .collect();
    fields.sort_by_key(|field| field.key);
    for field in fields {
        let Some(item) = scope.object_or_note(field.value) else { continue };
        others.extend(others_of(item, field.key));
        for (word, method) in METHODS {
            let Some(view) = item.get(word).or_else(|| item.get(method.word())) else {
                continue;
            };
            let object = scope.object(view);
            let params = match &object {
                Ok(object) => scope.within(scope.files.at(view), || collect(scope, item, *object, options.target)),
                Err(_) => Vec::new(),
            };
            raw.push(Raw {
                word,
                method,
                path: field.key,
                view,
                item,
                object,
                params,
            });
        }
    }
    Walked { raw, others }
}

/// HEAD and its like, and the `additionalOperations` of 3.2.
fn others_of<'d>(item: Object<'d>, path: &'d str) -> Vec<Other<'d>> {
    let other = |word: &str, view| Other {
        word: clean(word, 40).to_ascii_uppercase(),
        path,
        view,
    };
    let named = OTHERS.iter().filter_map(|word| Some(other(word, item.get(word)?)));
    let added = item.get("additionalOperations").into_iter().flat_map(View::fields);
    named.chain(added.map(|field| other(field.key, field.value))).collect()
}

impl<'d> Other<'d> {
    pub(super) fn left_out(self, scope: &Scope<'d>, names: &mut Names) -> LeftOut {
        let object = scope.object(self.view).ok();
        let operation_id = object.and_then(|object| object.text("operationId"));
        let name = method_name(operation_id, &self.word.to_ascii_lowercase(), self.path);
        let stands = Stands {
            method: &self.word,
            path: self.path,
            view: self.view,
            object,
        };
        stands.left_out(scope, names.take(cut(&name).to_owned()), Reason::Method(self.word.clone()))
    }
}

impl<'d> Stands<'_, 'd> {
    pub(super) fn left_out(&self, scope: &Scope<'d>, id: String, reason: Reason) -> LeftOut {
        LeftOut {
            id,
            operation_id: self.object.and_then(|object| object.text("operationId")).map(str::to_owned),
            method: self.method.to_owned(),
            path: self.path.to_owned(),
            tags: self.object.map(tags).unwrap_or_default().into_iter().map(str::to_owned).collect(),
            deprecated: self.object.is_some_and(is_deprecated),
            reason,
            at: scope.files.at(self.view),
        }
    }
}

pub(super) fn tags<'d>(object: Object<'d>) -> Vec<&'d str> {
    let tags = object.get("tags").into_iter().flat_map(View::items);
    tags.filter_map(View::as_str).collect()
}
