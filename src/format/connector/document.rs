//! The typed document of a connector.json. What was absent or wrong is `None` or left out; what is
//! there keeps its place.

use crate::model::{FormKind, Span, Style};
use crate::source::View;

use super::{Blank, Flag, Word};

/// A connector.json.
#[derive(Debug)]
pub struct Document<'d> {
    pub root: View<'d>,
    pub name: Option<Word<'d>>,
    pub description: Option<Word<'d>>,
    pub source: Option<Word<'d>>,
    pub imported: bool,
    /// Which of `command`, `url` and `http` stand there, and where.
    pub transports: Vec<(&'static str, Span)>,
    pub command: Option<Word<'d>>,
    pub args: Vec<Word<'d>>,
    pub env: Vec<Word<'d>>,
    pub url: Option<Word<'d>>,
    /// Names only, for `url`.
    pub headers: Vec<Word<'d>>,
    pub http: Option<HttpBlock<'d>>,
    pub capabilities: Vec<CapabilityBlock<'d>>,
    pub cases: Vec<CaseBlock<'d>>,
}

impl<'d> Document<'d> {
    pub(super) fn empty(root: View<'d>) -> Self {
        Self {
            root,
            name: None,
            description: None,
            source: None,
            imported: false,
            transports: Vec::new(),
            command: None,
            args: Vec::new(),
            env: Vec::new(),
            url: None,
            headers: Vec::new(),
            http: None,
            capabilities: Vec::new(),
            cases: Vec::new(),
        }
    }

    /// Every text that may hold placeholders, with its kind of place.
    pub fn blanks(&self) -> impl Iterator<Item = (Place, &Blank<'d>)> {
        let shared = self.http.iter().flat_map(HttpBlock::blanks);
        let requests = self.capabilities.iter().filter_map(|capability| capability.request.as_ref());
        shared.chain(requests.flat_map(RequestBlock::blanks))
    }
}

/// What every request shares.
#[derive(Debug)]
pub struct HttpBlock<'d> {
    pub view: View<'d>,
    pub base: Option<Word<'d>>,
    pub headers: Vec<Pair<'d>>,
    pub query: Vec<QueryEntry<'d>>,
}

impl<'d> HttpBlock<'d> {
    pub fn blanks(&self) -> impl Iterator<Item = (Place, &Blank<'d>)> {
        let query = self.query.iter().flat_map(QueryEntry::blanks).map(|blank| (Place::Query, blank));
        query.chain(self.headers.iter().map(|pair| (Place::Header, &pair.value)))
    }
}

/// Where in a request a text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Header,
    Body,
}

impl Place {
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Body => "body",
        }
    }
}

/// A header.
#[derive(Debug)]
pub struct Pair<'d> {
    pub name: &'d str,
    pub name_at: Span,
    pub value: Blank<'d>,
}

/// A query parameter.
#[derive(Debug)]
pub struct QueryEntry<'d> {
    pub name: &'d str,
    pub name_at: Span,
    /// The whole value.
    pub at: Span,
    pub form: QueryForm<'d>,
}

#[derive(Debug)]
pub enum QueryForm<'d> {
    One(Blank<'d>),
    Every(Vec<Blank<'d>>),
    Styled {
        value: Option<Blank<'d>>,
        style: Option<StyleWord<'d>>,
    },
}

/// A style as written, and what it means when it is one.
#[derive(Debug)]
pub struct StyleWord<'d> {
    pub word: Word<'d>,
    pub style: Option<Style>,
}

impl<'d> QueryEntry<'d> {
    pub fn blanks(&self) -> impl Iterator<Item = &Blank<'d>> {
        let (one, every) = match &self.form {
            QueryForm::One(blank) => (Some(blank), &[][..]),
            QueryForm::Every(blanks) => (None, &blanks[..]),
            QueryForm::Styled { value, .. } => (value.as_ref(), &[][..]),
        };
        one.into_iter().chain(every)
    }
}

#[derive(Debug)]
pub struct CapabilityBlock<'d> {
    pub view: View<'d>,
    pub name: Option<Word<'d>>,
    pub tool: Option<Word<'d>>,
    pub reviewed: Option<Word<'d>>,
    pub as_reviewed: Option<View<'d>>,
    pub risk: Option<Word<'d>>,
    pub signature: Option<Word<'d>>,
    pub returns: Option<Word<'d>>,
    pub schema: Option<View<'d>>,
    pub request_at: Option<Span>,
    pub result_at: Option<Span>,
    pub request: Option<RequestBlock<'d>>,
    pub result: Option<ResultBlock<'d>>,
}

#[derive(Debug)]
pub struct RequestBlock<'d> {
    pub view: View<'d>,
    pub method: Option<Word<'d>>,
    pub path: Option<Blank<'d>>,
    pub query: Vec<QueryEntry<'d>>,
    pub headers: Vec<Pair<'d>>,
    pub body: Option<BodyBlock<'d>>,
    pub form: Option<FormBlock>,
    pub safe: Option<Flag>,
}

impl<'d> RequestBlock<'d> {
    /// How the body is sent, when it is a form.
    pub fn form_kind(&self) -> Option<FormKind> {
        self.form.as_ref()?.kind
    }

    pub fn blanks(&self) -> impl Iterator<Item = (Place, &Blank<'d>)> {
        let path = self.path.iter().map(|blank| (Place::Path, blank));
        let query = self.query.iter().flat_map(QueryEntry::blanks).map(|blank| (Place::Query, blank));
        let headers = self.headers.iter().map(|pair| (Place::Header, &pair.value));
        let body = self.body.iter().flat_map(|body| &body.blanks).map(|blank| (Place::Body, blank));
        path.chain(query).chain(headers).chain(body)
    }
}

/// `form`: nothing for false.
#[derive(Debug, Clone, Copy)]
pub struct FormBlock {
    pub kind: Option<FormKind>,
    pub at: Span,
    pub key_at: Span,
}

/// A body: the value, and the texts in it that may hold placeholders.
#[derive(Debug)]
pub struct BodyBlock<'d> {
    pub view: View<'d>,
    pub key_at: Span,
    pub blanks: Vec<Blank<'d>>,
}

#[derive(Debug)]
pub struct ResultBlock<'d> {
    pub view: View<'d>,
    pub path: Option<Word<'d>>,
    pub fields: Option<Vec<Kept<'d>>>,
    pub fields_at: Option<Span>,
    pub max: Option<View<'d>>,
}

/// A field that an answer keeps: its new name and its dot path.
#[derive(Debug)]
pub struct Kept<'d> {
    pub name: &'d str,
    pub name_at: Span,
    pub path: Word<'d>,
}

#[derive(Debug)]
pub struct CaseBlock<'d> {
    pub view: View<'d>,
    pub capability: Option<Word<'d>>,
    pub args: Option<View<'d>>,
    pub keys: Vec<Word<'d>>,
}
