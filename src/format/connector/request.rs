//! The parts of a connector that speak HTTP: `http`, `request` and `result`.

use crate::diag::Finding;
use crate::model::{FormKind, Style};
use crate::source::{Field, Kind, View};

use super::block::{self, Block, Owner};
use super::{
    Blank, BodyBlock, FormBlock, GRAMMAR, HttpBlock, Kept, Pair, QueryEntry, QueryForm, RequestBlock, ResultBlock, StyleWord, Word, blank,
    named_text,
};

pub(super) const HTTP: [&str; 3] = ["base", "headers", "query"];
pub(super) const REQUEST: [&str; 7] = ["method", "path", "query", "headers", "body", "form", "safe"];
pub(super) const RESULT: [&str; 3] = ["path", "fields", "max"];
pub(super) const STYLED: [&str; 2] = ["value", "style"];

pub(super) fn http<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<HttpBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("`http`"), &HTTP, &GRAMMAR, findings)?;
    let base = block.required_text("base");
    let (headers, query) = (block.map("headers"), block.map("query"));
    Some(HttpBlock {
        view,
        base,
        headers: pairs(headers, findings),
        query: entries(query, findings),
    })
}

pub(super) fn request<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<RequestBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("`request`"), &REQUEST, &GRAMMAR, findings)?;
    let method = block.required_text("method");
    let path = block.required_text("path");
    let (query, headers) = (block.map("query"), block.map("headers"));
    let body = block.optional("body");
    let (form, safe) = (form(&mut block), block.flag("safe"));
    Some(RequestBlock {
        view,
        method,
        path: path.map(|word| blank(word, findings)),
        query: entries(query, findings),
        headers: pairs(headers, findings),
        body: body.map(|field| self::body(&field, findings)),
        form,
        safe,
    })
}

fn form(block: &mut Block<'_, '_>) -> Option<FormBlock> {
    let field = block.optional("form")?;
    let kind = match (field.value.as_bool(), field.value.as_str()) {
        (Some(true), _) => Some(FormKind::UrlEncoded),
        (Some(false), _) => None,
        (None, Some("multipart")) => Some(FormKind::Multipart),
        (None, _) => {
            let wanted = "true, false or \"multipart\"";
            block.findings.push(block::wrong_type(&GRAMMAR, "`form`", wanted, field.value));
            return None;
        }
    };
    Some(FormBlock {
        kind,
        at: field.value.span(),
        key_at: field.key_span,
    })
}

fn pairs<'d>(map: Option<View<'d>>, findings: &mut Vec<Finding>) -> Vec<Pair<'d>> {
    let fields = map.into_iter().flat_map(View::fields);
    fields
        .filter_map(|field| {
            let word = named_text("headers", &field, findings)?;
            Some(Pair {
                name: field.key,
                name_at: field.key_span,
                value: blank(word, findings),
            })
        })
        .collect()
}

fn entries<'d>(map: Option<View<'d>>, findings: &mut Vec<Finding>) -> Vec<QueryEntry<'d>> {
    let fields = map.into_iter().flat_map(View::fields);
    fields
        .filter_map(|field| {
            let form = match field.value.kind() {
                Kind::List => QueryForm::Every(every(&field, findings)),
                Kind::Map => styled(&field, findings)?,
                _ => QueryForm::One(blank(named_text("query", &field, findings)?, findings)),
            };
            Some(QueryEntry {
                name: field.key,
                name_at: field.key_span,
                at: field.value.span(),
                form,
            })
        })
        .collect()
}

fn every<'d>(field: &Field<'d>, findings: &mut Vec<Finding>) -> Vec<Blank<'d>> {
    let mut blanks = Vec::new();
    for view in field.value.items() {
        match Word::new(view) {
            Some(word) => blanks.push(blank(word, findings)),
            None => findings.push(block::wrong_type(
                &GRAMMAR,
                &format!("an entry of `{}` in `query`", field.key),
                "a string",
                view,
            )),
        }
    }
    blanks
}

fn styled<'d>(field: &Field<'d>, findings: &mut Vec<Finding>) -> Option<QueryForm<'d>> {
    let mut block = Block::open(field.value, Owner::Name(field.key), &STYLED, &GRAMMAR, findings)?;
    let (value, style) = (block.required_text("value"), block.required_text("style"));
    Some(QueryForm::Styled {
        value: value.map(|word| blank(word, findings)),
        style: style.map(|word| StyleWord {
            word,
            style: Style::ALL.into_iter().find(|style| style.word() == word.text),
        }),
    })
}

fn body<'d>(field: &Field<'d>, findings: &mut Vec<Finding>) -> BodyBlock<'d> {
    let mut blanks = Vec::new();
    texts(field.value, &mut |word| blanks.push(blank(word, findings)));
    BodyBlock {
        view: field.value,
        key_at: field.key_span,
        blanks,
    }
}

/// Every text value of a body. Depth is bounded by the reader of the file.
fn texts<'d>(view: View<'d>, found: &mut impl FnMut(Word<'d>)) {
    match view.kind() {
        Kind::String => found(Word::new(view).expect("a string has a text")),
        Kind::List => view.items().for_each(|view| texts(view, found)),
        Kind::Map => view.fields().for_each(|field| texts(field.value, found)),
        _ => {}
    }
}

pub(super) fn result<'d>(view: View<'d>, findings: &mut Vec<Finding>) -> Option<ResultBlock<'d>> {
    let mut block = Block::open(view, Owner::Words("`result`"), &RESULT, &GRAMMAR, findings)?;
    let path = block.text("path");
    let fields = block.map("fields");
    let max = block.optional("max").map(|field| field.value);
    Some(ResultBlock {
        view,
        path,
        fields_at: fields.map(View::span),
        fields: fields.map(|map| kept(map, findings)),
        max: max.filter(|view| is_number(*view, findings)),
    })
}

fn is_number(view: View<'_>, findings: &mut Vec<Finding>) -> bool {
    let right = view.kind() == Kind::Number;
    if !right {
        findings.push(block::wrong_type(&GRAMMAR, "`max`", "a number", view));
    }
    right
}

fn kept<'d>(map: View<'d>, findings: &mut Vec<Finding>) -> Vec<Kept<'d>> {
    map.fields()
        .filter_map(|field| {
            Some(Kept {
                name: field.key,
                name_at: field.key_span,
                path: named_text("fields", &field, findings)?,
            })
        })
        .collect()
}
