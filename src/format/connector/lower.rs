//! From a document without errors to the model.

use serde_json::{Map, Value};

use crate::model::{
    Base, Body, Capability, Case, Connector, Each, Expects, FormKind, Http, KeyText, Limits, Method, Name, Pair, Parameter, PathTemplate,
    Pick, PickField, Redirects, Request, Reviewed, Risk, Template, Transport, Tree,
};

use super::{
    Blank, BodyBlock, CapabilityBlock, CaseBlock, Document, Flag, HttpBlock, QueryEntry, QueryForm, RequestBlock, ResultBlock, Word,
};

/// The connector that a document describes. Nothing when a part is absent or wrong: the caller has
/// the finding that says so.
pub fn lower(document: &Document<'_>) -> Option<Connector> {
    Some(Connector {
        name: owned(&document.name?),
        description: document.description.as_ref().map(owned).unwrap_or_default(),
        source: document.source.as_ref().map(owned),
        imported: document.imported,
        transport: transport(document)?,
        keys: document.env.iter().map(name).collect(),
        capabilities: document.capabilities.iter().map(capability).collect::<Option<_>>()?,
        cases: document.cases.iter().map(case).collect::<Option<_>>()?,
    })
}

fn owned(word: &Word<'_>) -> String {
    word.text.to_owned()
}

fn name(word: &Word<'_>) -> Name {
    Name {
        text: owned(word),
        at: word.at(),
    }
}

fn base(word: &Word<'_>) -> Option<Base> {
    Base::parse(word.text, word.at()).ok().map(|(base, _)| base)
}

fn transport(document: &Document<'_>) -> Option<Transport> {
    match (&document.http, &document.command, &document.url) {
        (Some(block), None, None) => Some(Transport::Http(http(block)?)),
        (None, Some(command), None) => Some(Transport::Program {
            command: owned(command),
            args: document.args.iter().map(owned).collect(),
        }),
        (None, None, Some(url)) => Some(Transport::Remote {
            url: base(url)?,
            headers: document.headers.iter().map(name).collect(),
        }),
        _ => None,
    }
}

fn http(block: &HttpBlock<'_>) -> Option<Http> {
    Some(Http {
        base: base(&block.base?)?,
        headers: pairs(&block.headers)?,
        query: parameters(&block.query)?,
        limits: Limits::CONNECTOR,
        redirects: Redirects::SameOrigin,
        per_minute: None,
    })
}

fn pairs(pairs: &[super::Pair<'_>]) -> Option<Vec<Pair>> {
    pairs
        .iter()
        .map(|pair| {
            Some(Pair {
                name: pair.name.to_owned(),
                value: template(&pair.value)?,
                keys: KeyText::AsIs,
                at: pair.name_at,
            })
        })
        .collect()
}

fn template(blank: &Blank<'_>) -> Option<Template> {
    blank.template.clone()
}

fn parameters(entries: &[QueryEntry<'_>]) -> Option<Vec<Parameter>> {
    entries
        .iter()
        .map(|entry| {
            Some(Parameter {
                name: entry.name.to_owned(),
                value: each(&entry.form)?,
                at: entry.name_at,
            })
        })
        .collect()
}

fn each(form: &QueryForm<'_>) -> Option<Each> {
    Some(match form {
        QueryForm::One(blank) => Each::One(template(blank)?),
        QueryForm::Every(blanks) => Each::Every(blanks.iter().map(template).collect::<Option<_>>()?),
        QueryForm::Styled { value, style } => Each::Styled(template(value.as_ref()?)?, style.as_ref()?.style?),
    })
}

fn capability(block: &CapabilityBlock<'_>) -> Option<Capability> {
    Some(Capability {
        name: owned(&block.name?),
        tool: block.tool.as_ref().map(owned),
        risk: Risk::parse(block.risk?.text)?,
        reviewed: block.reviewed.as_ref().map(|marks| Reviewed {
            marks: owned(marks),
            parts: block.as_reviewed.map_or_else(Map::new, object),
        }),
        signature: owned(&block.signature?),
        returns: owned(&block.returns?),
        schema: block.schema.map(|view| view.value()),
        defaults: serde_json::Map::new(),
        schema_at: block.schema.map(|view| view.span()),
        request: match &block.request {
            Some(block) => Some(request(block)?),
            None => None,
        },
        pick: match &block.result {
            Some(block) => Some(pick(block)?),
            None => None,
        },
        at: block.name?.at(),
    })
}

fn request(block: &RequestBlock<'_>) -> Option<Request> {
    let on = |flag: &Option<Flag>| flag.is_some_and(|flag| flag.value);
    let path = block.path.as_ref()?.word;
    Some(Request {
        method: Method::parse(block.method?.text)?,
        path: PathTemplate::parse(path.text, path.at()).ok()?,
        query: parameters(&block.query)?,
        headers: pairs(&block.headers)?,
        body: match &block.body {
            Some(body) => match block.form_kind() {
                Some(kind) => Some(form_body(body, kind)?),
                None => json_body(body)?,
            },
            None => None,
        },
        safe: on(&block.safe),
        at: path.at(),
    })
}

/// A body that is `null` is no body.
fn json_body(block: &BodyBlock<'_>) -> Option<Option<Body>> {
    if block.view.is_null() {
        return Some(None);
    }
    let tree = Tree::from_view(block.view).ok()?;
    Some(Some(Body::Json {
        tree,
        at: block.view.span(),
    }))
}

fn form_body(block: &BodyBlock<'_>, kind: FormKind) -> Option<Body> {
    let Ok(Tree::Map(fields)) = Tree::from_view(block.view) else {
        return None;
    };
    Some(Body::Form {
        kind,
        fields,
        at: block.view.span(),
    })
}

fn pick(block: &ResultBlock<'_>) -> Option<Pick> {
    let field = |kept: &super::Kept<'_>| PickField {
        name: kept.name.to_owned(),
        path: owned(&kept.path),
        at: kept.path.at(),
    };
    Some(Pick {
        path: block.path.as_ref().map(owned).unwrap_or_default(),
        path_at: block.path.as_ref().map(Word::at),
        fields: block.fields.iter().flatten().map(field).collect(),
        max: match &block.max {
            Some(view) => view.as_number()?.parse().ok()?,
            None => 0,
        },
        expects: Expects::Anything,
    })
}

fn case(block: &CaseBlock<'_>) -> Option<Case> {
    let capability = block.capability?;
    Some(Case {
        capability: owned(&capability),
        args: block.args.map_or_else(Map::new, object),
        keys: block.keys.iter().map(name).collect(),
        at: capability.at(),
    })
}

fn object(view: crate::source::View<'_>) -> Map<String, Value> {
    view.fields().map(|field| (field.key.to_owned(), field.value.value())).collect()
}
