//! The exact request of one call, before it is sent. A plan holds no key: where one goes, it holds
//! the key's name and the form that the value takes there. So a plan may be printed.
//!
//! One rule for what is not there: an argument that was not given (or is null) and a key that has
//! no value leave out the query parameter, the header, the form field, the JSON field or the
//! array element that asks for them; in a path a missing argument is an error. An empty text
//! leaves out a query parameter and a header, as the released host does; bodies and forms send it.

mod body;
mod encode;
mod error;
mod fill;
mod headers;
mod multipart;
mod path;
mod query;

use serde_json::{Map, Value};

use self::fill::Fill;
use crate::keys::Keys;
use crate::model::{Base, Capability, Connector, Limits, Method, Redirects, Risk, Span, Transport};

pub use self::error::{Place, PlanError};
pub(super) use self::fill::Pieces;
pub use self::multipart::Boundary;

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
    /// The whole query, the base's first, in the order in which it is sent.
    pub query: Vec<QueryPair>,
    /// In the order in which they are sent, `Accept` and `User-Agent` included, `Host` and
    /// `Content-Length` not.
    pub headers: Vec<Header>,
    pub body: Option<Content>,
    pub limits: Limits,
    pub redirects: Redirects,
    /// Where the manifest has the path.
    pub at: Span,
}

impl Plan {
    /// The path and the query as they stand in the request line.
    pub fn target(&self) -> Vec<Piece> {
        let mut target = Pieces::default();
        target.text(&self.path);
        for (at, pair) in self.query.iter().enumerate() {
            target.text(if at == 0 { "?" } else { "&" });
            target.text(&pair.name);
            target.text("=");
            target.extend(pair.value.clone());
        }
        target.0
    }
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

impl Piece {
    /// The text; empty for a key.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Key { .. } => "",
        }
    }
}

/// How a key's value is written where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// As it is, in a header.
    Header,
    /// In base64, in a header.
    Base64,
    /// Percent-encoded, in a query.
    Query,
    /// Form-encoded, in a form body.
    Form,
    /// Inside the quotes of a JSON string.
    Json,
    /// As it is, in a part of a multipart body.
    Part,
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
    Multipart(Boundary),
}

impl Media {
    /// The value of `Content-Type`.
    pub fn word(self) -> String {
        match self {
            Self::Json => "application/json".to_owned(),
            Self::Form => "application/x-www-form-urlencoded".to_owned(),
            Self::Multipart(boundary) => format!("multipart/form-data; boundary={boundary}"),
        }
    }
}

/// A body and its media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    pub media: Media,
    pub pieces: Vec<Piece>,
    pub at: Span,
}

/// The request of a call. Keys are only asked whether they have a value.
pub fn plan(connector: &Connector, capability: &str, args: &Map<String, Value>, keys: &Keys) -> Result<Plan, PlanError> {
    let Transport::Http(http) = &connector.transport else {
        return Err(PlanError::NotHttp {
            connector: connector.name.clone(),
        });
    };
    let capability = find(connector, capability)?;
    let request = capability.request.as_ref().ok_or_else(|| PlanError::NoRequest {
        capability: capability.name.clone(),
    })?;
    let fill = Fill {
        capability: &capability.name,
        args,
        keys,
    };
    let body = request.body.as_ref().map(|body| body::content(&fill, body)).transpose()?.flatten();
    Ok(Plan {
        capability: capability.name.clone(),
        method: request.method,
        reads: capability.risk == Risk::Read,
        base: http.base.clone(),
        path: path::path(&fill, &http.base, &request.path)?,
        query: query::query(&fill, http, request)?,
        headers: headers::headers(&fill, http, request, capability.risk, body.as_ref().map(|body| body.media))?,
        body,
        limits: http.limits,
        redirects: http.redirects,
        at: request.path.at,
    })
}

fn find<'c>(connector: &'c Connector, name: &str) -> Result<&'c Capability, PlanError> {
    let found = connector.capabilities.iter().find(|capability| capability.name == name);
    found.ok_or_else(|| PlanError::NoSuchCapability {
        connector: connector.name.clone(),
        name: name.to_owned(),
    })
}
