//! A profile of a pack as a typed document: the `api` block as far as it is judged today. What
//! stands around it is passed through unread.

mod body;
mod lower;

use crate::diag::{Finding, table};
use crate::model::{Method, Span};
use crate::source::{Doc, Kind, View};

use super::Word;
use super::block::{self, Block, Flag, Grammar, Owner};

pub use body::{StepError, put, steps_into_list};
pub use lower::{Defaults, literal, lower, path_arguments};

static GRAMMAR: Grammar = Grammar {
    noun: "key",
    unknown: &table::UNKNOWN_KEY,
    misspelt: &table::MISSPELT_KEY,
    missing: &table::MISSING_KEY_OF_PACK,
    wrong_type: &table::WRONG_TYPE_IN_PACK,
    repeated: &table::REPEATED_KEY_IN_PACK,
    any_case: false,
};

/// Limits keep a service and its owner from harm: one that is not read is an error.
static LIMIT_GRAMMAR: Grammar = Grammar {
    noun: "limit",
    unknown: &table::UNKNOWN_LIMIT,
    misspelt: &table::UNKNOWN_LIMIT,
    ..GRAMMAR
};

const API: [&str; 5] = ["base_url", "auth", "check", "limits", "tools"];
const TOOL: [&str; 8] = ["about", "path", "method", "read", "params", "fixed", "items", "returns"];
const LIMITS: [&str; 4] = ["timeout", "per_minute", "max_bytes", "max_items"];

const PARAM: [&str; 6] = ["type", "required", "name", "in", "options", "default"];
const AUTH: [&str; 2] = ["type", "name"];

/// Every key of the `api` block, by the mapping that has it.
pub const KEYS: [&[&str]; 5] = [&API, &AUTH, &LIMITS, &TOOL, &PARAM];

/// A profile.
#[derive(Debug)]
pub struct Profile<'d> {
    pub root: View<'d>,
    pub name: Option<Word<'d>>,
    pub title: Option<Word<'d>>,
    pub api: Option<ApiBlock<'d>>,
}

#[derive(Debug)]
pub struct ApiBlock<'d> {
    pub view: View<'d>,
    pub base_url: Option<Word<'d>>,
    pub auth: Option<AuthBlock<'d>>,
    pub check: Option<Word<'d>>,
    pub limits: Vec<Limit<'d>>,
    pub tools: Vec<ToolBlock<'d>>,
}

/// Where the key goes: `auth: {type: header, name: X-Api-Key}`, or a word alone: `auth: bearer`.
#[derive(Debug)]
pub struct AuthBlock<'d> {
    pub at: Span,
    pub kind: Option<Word<'d>>,
    pub name: Option<Word<'d>>,
}

/// Where a key goes, with the name of the header or query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth<'d> {
    Header(&'d str),
    Bearer,
    /// The key is `user:password`.
    Basic,
    Query(&'d str),
    None,
}

impl<'d> AuthBlock<'d> {
    pub const TYPES: [&'static str; 5] = ["header", "bearer", "basic", "query", "none"];

    /// What it says, when it says all of it.
    pub fn form(&self) -> Option<Auth<'d>> {
        let name = self.name.map(|name| name.text);
        Some(match self.kind?.text {
            "header" => Auth::Header(name?),
            "query" => Auth::Query(name?),
            "bearer" => Auth::Bearer,
            "basic" => Auth::Basic,
            "none" => Auth::None,
            _ => return None,
        })
    }
}

/// A limit that was written down.
#[derive(Debug)]
pub struct Limit<'d> {
    pub name: &'static str,
    pub value: View<'d>,
}

#[derive(Debug)]
pub struct ToolBlock<'d> {
    pub name: &'d str,
    pub name_at: Span,
    pub about: Option<Word<'d>>,
    pub path: Option<Word<'d>>,
    pub method: Option<Word<'d>>,
    pub read: Option<Flag>,
    pub params: Vec<ParamBlock<'d>>,
    pub fixed: Option<View<'d>>,
    pub items: Option<Word<'d>>,
    pub returns: Option<View<'d>>,
}

impl<'d> ToolBlock<'d> {
    /// GET, or a POST that is said to read.
    pub fn method(&self) -> Option<Method> {
        match self.method.map(|word| Method::parse(word.text)) {
            None | Some(Some(Method::Get)) => Some(Method::Get),
            Some(Some(Method::Post)) => self.read.filter(|read| read.value).map(|_| Method::Post),
            Some(_) => None,
        }
    }

    /// What is kept of an answer: our name and the path.
    pub fn kept(&self) -> impl Iterator<Item = (&'d str, Word<'d>)> + use<'d> {
        let fields = self.returns.into_iter().flat_map(View::fields);
        fields.filter_map(|field| Some((field.key, Word::new(field.value)?)))
    }
}

/// An argument of a tool.
#[derive(Debug)]
pub struct ParamBlock<'d> {
    pub name: &'d str,
    pub name_at: Span,
    pub kind: Option<Word<'d>>,
    pub required: Option<Flag>,
    /// The API's own name.
    pub own: Option<Word<'d>>,
    pub place: Option<Word<'d>>,
    pub options: Option<View<'d>>,
    pub default: Option<View<'d>>,
}

impl<'d> ParamBlock<'d> {
    /// The name under which the API takes it.
    pub fn sent_as(&self) -> &'d str {
        self.own.map_or(self.name, |own| own.text)
    }

    pub fn kind(&self) -> Option<ParamType> {
        self.kind.and_then(|word| ParamType::parse(word.text))
    }
}

/// `query` or `body`: as it says, or as the method has it.
pub fn sent_in<'d>(param: &ParamBlock<'d>, method: Method) -> &'d str {
    let usual = if method == Method::Get { "query" } else { "body" };
    param.place.map_or(usual, |place| place.text)
}

/// What kind of value an argument has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamType {
    String,
    Integer,
    Number,
    Boolean,
    /// `YYYY-MM-DD`.
    Date,
}

impl ParamType {
    pub const ALL: [Self; 5] = [Self::String, Self::Integer, Self::Number, Self::Boolean, Self::Date];

    pub fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == text)
    }
}

/// What could be read of a profile, and all that is wrong with its keys, in no order.
#[derive(Debug)]
pub struct Loaded<'d> {
    pub profile: Profile<'d>,
    pub findings: Vec<Finding>,
}

/// Reads a profile. Keys that are wrong are absent in it.
pub fn load(doc: &Doc) -> Loaded<'_> {
    let mut findings = block::repeated(&GRAMMAR, doc);
    let root = doc.root();
    if root.kind() != Kind::Map {
        findings.push(block::wrong_type(&GRAMMAR, "the profile", "a mapping", root));
    }
    let profile = Profile {
        root,
        name: root.get("name").and_then(Word::new),
        title: root.get("title").and_then(Word::new),
        api: root.get("api").and_then(|view| api(view, &mut findings)),
    };
    Loaded { profile, findings }
}

fn api<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<ApiBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("`api`"), &API, &GRAMMAR, findings)?;
    let base_url = block.required_text("base_url");
    let auth = block.optional("auth");
    let check = block.text("check");
    let limits = block.optional("limits");
    let _ = block.required("tools");
    let tools = view.get("tools").filter(|view| !view.is_null());
    Some(ApiBlock {
        view,
        base_url,
        auth: auth.and_then(|field| self::auth(field.value, findings)),
        check,
        limits: limits.map(|field| self::limits(field.value, findings)).unwrap_or_default(),
        tools: tools.map(|view| self::tools(view, findings)).unwrap_or_default(),
    })
}

fn auth<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<AuthBlock<'d>> {
    if let Some(kind) = Word::new(view) {
        return Some(AuthBlock {
            at: view.span(),
            kind: Some(kind),
            name: None,
        });
    }
    let mut block = Block::open(view, Owner::Words("`auth`"), &AUTH, &GRAMMAR, findings)?;
    Some(AuthBlock {
        at: view.span(),
        kind: block.required_text("type"),
        name: block.text("name"),
    })
}

fn limits<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Vec<Limit<'d>> {
    let Some(mut block) = Block::open(view, Owner::Words("`limits`"), &LIMITS, &LIMIT_GRAMMAR, findings) else {
        return Vec::new();
    };
    let limit = |name| block.optional(name).map(|field| Limit { name, value: field.value });
    LIMITS.into_iter().filter_map(limit).collect()
}

fn tools<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Vec<ToolBlock<'d>> {
    if view.kind() != Kind::Map {
        findings.push(block::wrong_type(&GRAMMAR, "`tools`", "a mapping", view));
    }
    let tool = |field: crate::source::Field<'d>| {
        let mut block = Block::open(field.value, Owner::Name(field.key), &TOOL, &GRAMMAR, findings)?;
        block.stands_at(field.key_span);
        let (params, fixed) = (block.map("params"), block.map("fixed"));
        let tool = ToolBlock {
            name: field.key,
            name_at: field.key_span,
            about: block.required_text("about"),
            path: block.required_text("path"),
            method: block.text("method"),
            read: block.flag("read"),
            params: Vec::new(),
            fixed,
            items: block.text("items"),
            returns: block.required("returns").map(|field| field.value),
        };
        let params = params.map(|view| self::params(view, findings)).unwrap_or_default();
        Some(ToolBlock { params, ..tool })
    };
    view.fields().filter_map(tool).collect()
}

fn params<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Vec<ParamBlock<'d>> {
    let param = |field: crate::source::Field<'d>| {
        let mut block = Block::open(field.value, Owner::Name(field.key), &PARAM, &GRAMMAR, findings)?;
        block.stands_at(field.key_span);
        Some(ParamBlock {
            name: field.key,
            name_at: field.key_span,
            kind: block.required_text("type"),
            required: block.flag("required"),
            own: block.text("name"),
            place: block.text("in"),
            options: block.optional("options").map(|field| field.value),
            default: block.optional("default").map(|field| field.value),
        })
    };
    view.fields().filter_map(param).collect()
}
