//! A profile of a pack as a typed document: the `api` block as far as it is judged today. What
//! stands around it is passed through unread.

use crate::diag::{Finding, table};
use crate::model::Span;
use crate::source::{Doc, Kind, View};

use super::Word;
use super::block::{self, Block, Flag, Grammar, Owner};

static GRAMMAR: Grammar = Grammar {
    noun: "key",
    unknown: &table::UNKNOWN_KEY,
    misspelt: &table::MISSPELT_KEY,
    missing: &table::MISSING_KEY_OF_PACK,
    wrong_type: &table::WRONG_TYPE_IN_PACK,
    repeated: &table::REPEATED_KEY_IN_PACK,
    any_case: false,
};

const API: [&str; 5] = ["base_url", "auth", "check", "limits", "tools"];
const TOOL: [&str; 8] = ["about", "path", "method", "read", "params", "fixed", "items", "returns"];
const LIMITS: [&str; 4] = ["timeout", "per_minute", "max_bytes", "max_items"];

/// A profile.
#[derive(Debug)]
pub struct Profile<'d> {
    pub root: View<'d>,
    pub name: Option<Word<'d>>,
    pub api: Option<ApiBlock<'d>>,
}

#[derive(Debug)]
pub struct ApiBlock<'d> {
    pub view: View<'d>,
    pub base_url: Option<Word<'d>>,
    pub check: Option<Word<'d>>,
    pub limits: Vec<Limit<'d>>,
    pub tools: Vec<ToolBlock<'d>>,
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
    pub items: Option<Word<'d>>,
    pub returns: Option<View<'d>>,
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
        api: root.get("api").and_then(|view| api(view, &mut findings)),
    };
    Loaded { profile, findings }
}

fn api<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<ApiBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("`api`"), &API, &GRAMMAR, findings)?;
    let base_url = block.required_text("base_url");
    let _ = block.optional("auth");
    let check = block.text("check");
    let limits = block.optional("limits");
    let _ = block.required("tools");
    let tools = view.get("tools").filter(|view| !view.is_null());
    Some(ApiBlock {
        view,
        base_url,
        check,
        limits: limits.map(|field| self::limits(field.value, findings)).unwrap_or_default(),
        tools: tools.map(|view| self::tools(view, findings)).unwrap_or_default(),
    })
}

fn limits<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Vec<Limit<'d>> {
    let Some(mut block) = Block::open(view, Owner::Words("`limits`"), &LIMITS, &GRAMMAR, findings) else {
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
        let _ = (block.optional("params"), block.optional("fixed"));
        Some(ToolBlock {
            name: field.key,
            name_at: field.key_span,
            about: block.required_text("about"),
            path: block.required_text("path"),
            method: block.text("method"),
            read: block.flag("read"),
            items: block.text("items"),
            returns: block.required("returns").map(|field| field.value),
        })
    };
    view.fields().filter_map(tool).collect()
}
