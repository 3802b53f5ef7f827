//! The exact request of one call, before it is sent. A plan holds no key: where one goes, it holds
//! the key's name and the form that the value takes there. So a plan may be printed.

use crate::model::{Base, Limits, Method, Redirects, Span};

/// One request, ready to be sent or shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub capability: String,
    pub method: Method,
    /// Whether sending it twice changes nothing more (a read).
    pub reads: bool,
    pub base: Base,
    /// The whole path, the base's included: percent-encoded, starts with `/`.
    pub path: String,
    /// In the order in which they are sent.
    pub query: Vec<QueryPair>,
    /// In the order in which they are sent, `Accept` and `User-Agent` included, `Host` and
    /// `Content-Length` not.
    pub headers: Vec<Header>,
    pub body: Option<Content>,
    pub limits: Limits,
    pub redirects: Redirects,
}

/// A part of a request's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Encoded for its place.
    Text(String),
    Key {
        name: String,
        form: KeyForm,
    },
}

/// How a key's value is written where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// As it is, in a header.
    Header,
    /// Percent-encoded, in a query.
    Query,
    /// Form-encoded, in a form body.
    Form,
    /// Inside the quotes of a JSON string.
    Json,
}

/// One `name=value` of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPair {
    /// Percent-encoded.
    pub name: String,
    pub value: Vec<Piece>,
    /// Where the manifest says so.
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub value: Vec<Piece>,
    /// Where the manifest says so; nothing for our own.
    pub at: Option<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    Json,
    Form,
}

/// A body and its media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub media: Media,
    pub pieces: Vec<Piece>,
    pub at: Span,
}
