//! Fetches a public text, such as a description: no keys, redirects to public https addresses only
//! (on this computer: to the same origin), one clock and one limit for all of it.

use std::time::Instant;

use ureq::http::{HeaderValue, header};
use url::Url;

use super::outgoing::Outgoing;
use super::{Client, receive};
use crate::exec::failure::Failure;
use crate::exec::plan::{Header, Piece, Plan};
use crate::exec::redirect;
use crate::keys::{Keys, Redactor};
use crate::model::{Base, BaseError, Limits, Method, Redirects, Span};

/// A text as it was fetched.
#[derive(Debug, Clone)]
pub struct Page {
    pub bytes: Vec<u8>,
    /// Where it was in the end, after redirects.
    pub address: Url,
    /// The media type, as the service says.
    pub media: Option<String>,
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("{0}")]
    Address(BaseError),
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl Client {
    /// Fetches what is at an address.
    pub fn fetch(&self, address: &Url, accept: &str, limits: Limits) -> Result<Page, PageError> {
        let started = Instant::now();
        let redactor = Redactor::default();
        let mut address = address.clone();
        for _ in 0..=redirect::LIMIT {
            let plan = plan(&address, accept, limits)?;
            let call = self.begin(&plan, &redactor, started);
            let response = call.exchange(&Outgoing::new(&plan, &Keys::default())?)?;
            let status = response.status().as_u16();
            let location = response.headers().get(header::LOCATION).map(HeaderValue::as_bytes);
            if matches!(status, 301 | 302 | 303 | 307 | 308) {
                address = moved(&plan, &address, status, location)?;
                continue;
            }
            let media = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
            let media = media.map(str::to_owned);
            let bytes = receive::bytes(response, &plan, &redactor)?;
            call.in_time()?;
            return Ok(Page { bytes, address, media });
        }
        let host = address.host_str().unwrap_or_default().to_owned();
        Err(Failure::TooManyRedirects {
            host,
            limit: redirect::LIMIT,
        }
        .into())
    }
}

/// Where a redirect leads. The description of a service on this computer stays on its origin.
fn moved(plan: &Plan, address: &Url, status: u16, location: Option<&[u8]>) -> Result<Url, Failure> {
    let next = redirect::next(&plan.base, Redirects::SameOrigin, (Method::Get, &plan.path), status, location);
    match (next, location) {
        (Ok(Some(hop)), _) => Ok(address.join(&hop.target).unwrap_or_else(|_| address.clone())),
        (Err(Failure::RedirectOutside { .. }), Some(location)) if !plan.base.local => {
            redirect::next_public(&plan.base, &plan.path, location)
        }
        (Err(failure), _) => Err(failure),
        (Ok(None), _) => Err(Failure::RedirectUnfit {
            host: plan.base.authority(),
            status,
            problem: "no redirect",
        }),
    }
}

fn plan(address: &Url, accept: &str, limits: Limits) -> Result<Plan, PageError> {
    let origin = address.origin().ascii_serialization();
    let at = Span::default();
    let (base, _) = Base::parse(&origin, at).map_err(PageError::Address)?;
    let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
    let header = |name: &str, value: &str| Header {
        name: name.to_owned(),
        value: vec![Piece::Text(value.to_owned())],
        at: None,
    };
    let agent = concat!("becket/", env!("CARGO_PKG_VERSION"));
    Ok(Plan {
        capability: String::new(),
        method: Method::Get,
        reads: true,
        base,
        path: format!("{}{query}", address.path()),
        query: Vec::new(),
        headers: vec![header("Accept", accept), header("User-Agent", agent)],
        body: None,
        limits,
        redirects: Redirects::SameOrigin,
        at,
    })
}
