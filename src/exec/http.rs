//! Sends a plan and judges the answer: one clock over connecting, redirects and body; keys placed
//! here and nowhere else; nothing sent twice that changes anything.

mod error;
mod open;
mod outgoing;
mod page;
mod receive;
mod wire;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ureq::http::{HeaderValue, Request, Response, Uri, header};
use ureq::{AsSendBody, Body};
use ureq_proto::client::header_raw;

use self::error::Phase;
use self::outgoing::Outgoing;
use self::wire::Wire;
use super::Plan;
use super::answer::Answer;
use super::failure::Failure;
use super::guard::Reach;
use super::redirect::{self, Hop};
use crate::keys::{Keys, Redactor};
use crate::model::Method;

pub use self::open::{Incoming, Stream};
pub use self::page::{Page, PageError};
pub use self::wire::Roots;

/// How little of a call's time may have passed for its request to count as the first.
const FRESH: Duration = Duration::from_millis(20);
/// Bytes of path and query that an address may have.
const ADDRESS: usize = u16::MAX as usize - 1;

/// Sends plans and keeps connections between them. Making one costs nothing; root certificates are
/// read at the first https connection.
#[derive(Default)]
pub struct Client {
    roots: Roots,
    public: OnceLock<Wire>,
    local: OnceLock<Wire>,
}

impl Client {
    pub fn new(roots: Roots) -> Self {
        Self { roots, ..Self::default() }
    }

    /// Sends a plan with its keys filled in, follows its redirects and reads the answer.
    pub fn send(&self, plan: &Plan, keys: &Keys) -> Result<Answer, Failure> {
        let redactor = keys.redactor();
        let call = self.begin(plan, &redactor, Instant::now());
        Outgoing::new(plan, keys)
            .and_then(|outgoing| call.run(outgoing))
            .map_err(|failure| failure.cleaned(|text| redactor.clean(text).into_owned()))
    }

    /// A call on its clock, which may have begun with an earlier request.
    fn begin<'c>(&'c self, plan: &'c Plan, redactor: &'c Redactor, started: Instant) -> Call<'c> {
        Call {
            plan,
            redactor,
            wire: self.wire(plan),
            limit: Duration::from_secs(plan.limits.seconds.into()),
            started,
        }
    }

    fn wire(&self, plan: &Plan) -> &Wire {
        let (wire, reach) = match plan.base.local {
            true => (&self.local, Reach::Loopback),
            false => (&self.public, Reach::Public),
        };
        let limit = Duration::from_secs(plan.limits.seconds.into());
        wire.get_or_init(|| Wire::new(reach, &self.roots, limit))
    }
}

/// One call on its way.
struct Call<'c> {
    plan: &'c Plan,
    redactor: &'c Redactor,
    wire: &'c Wire,
    limit: Duration,
    started: Instant,
}

impl Call<'_> {
    fn run(&self, mut outgoing: Outgoing) -> Result<Answer, Failure> {
        for redirects in 0..=redirect::LIMIT {
            let response = self.exchange(&outgoing)?;
            let Some(hop) = self.hop(&outgoing, &response)? else {
                let status = response.status().as_u16();
                let (value, shape, bytes) = receive::read(response, self.plan, self.redactor)?;
                self.in_time()?;
                return Ok(Answer {
                    status,
                    shape,
                    value,
                    bytes,
                    elapsed: self.started.elapsed(),
                    redirects,
                    method: outgoing.method,
                });
            };
            outgoing.follow(hop);
        }
        Err(Failure::TooManyRedirects {
            host: self.plan.base.authority(),
            limit: redirect::LIMIT,
        })
    }

    /// A busy computer may read an answer that came too late.
    fn in_time(&self) -> Result<(), Failure> {
        if self.started.elapsed() <= self.limit {
            return Ok(());
        }
        Err(Failure::TooSlow {
            host: self.plan.base.authority(),
            seconds: self.plan.limits.seconds,
        })
    }

    fn hop(&self, outgoing: &Outgoing, response: &Response<Body>) -> Result<Option<Hop>, Failure> {
        let location = response.headers().get(header::LOCATION).map(HeaderValue::as_bytes);
        let sent = (outgoing.method, outgoing.target.as_str());
        redirect::next(&self.plan.base, self.plan.redirects, sent, response.status().as_u16(), location)
    }

    /// One request and the head of its answer. A read on a kept connection that turns out to be
    /// closed is sent once more; nothing else ever is.
    fn exchange(&self, outgoing: &Outgoing) -> Result<Response<Body>, Failure> {
        let told = |error| error::told(error, self.plan, Phase::Head);
        let dials = self.wire.dials();
        let error = match self.once(outgoing)? {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        let stale = self.wire.dials() == dials && error::is_disconnect(&error);
        if stale && self.plan.reads && outgoing.method == Method::Get {
            return self.once(outgoing)?.map_err(told);
        }
        Err(told(error))
    }

    fn once(&self, outgoing: &Outgoing) -> Result<Result<Response<Body>, ureq::Error>, Failure> {
        let request = self.request(outgoing)?;
        Ok(match outgoing.content() {
            Some(content) => self.agent_run(request.map(|()| content)),
            None => self.agent_run(request),
        })
    }

    /// The agent's own settings serve the first request; what follows has less time left. Settings
    /// of a request's own would read the root certificates again for each connection.
    fn agent_run(&self, request: Request<impl AsSendBody>) -> Result<Response<Body>, ureq::Error> {
        let agent = &self.wire.agent;
        let left = self.limit.saturating_sub(self.started.elapsed());
        let spent = self.limit - left;
        if agent.config().timeouts().global == Some(self.limit) && spent < FRESH {
            return agent.run(request);
        }
        agent.run(agent.configure_request(request).timeout_global(Some(left)).build())
    }

    fn request(&self, outgoing: &Outgoing) -> Result<Request<()>, Failure> {
        let unsendable = |problem: &str| Failure::Unsendable {
            host: self.plan.base.authority(),
            problem: problem.to_owned(),
        };
        let mut builder = Request::builder().method(outgoing.method.word()).uri(self.uri(outgoing)?);
        for (name, value) in &outgoing.headers {
            builder = header_raw(builder, name, value.as_bytes());
        }
        let mut request = builder
            .body(())
            .map_err(|_| unsendable("a header has a name or value that HTTP does not allow"))?;
        for value in request.headers_mut().values_mut() {
            value.set_sensitive(true);
        }
        Ok(request)
    }

    /// The address from its parts; what does not come out as it went in is not sent.
    fn uri(&self, outgoing: &Outgoing) -> Result<Uri, Failure> {
        let base = &self.plan.base;
        let target = outgoing.target.as_str();
        let uri = Uri::builder()
            .scheme(base.scheme.word())
            .authority(base.authority())
            .path_and_query(target)
            .build();
        uri.ok()
            .filter(|uri| uri.path_and_query().is_some_and(|parsed| parsed.as_str() == target))
            .ok_or_else(|| Failure::Unsendable {
                host: base.authority(),
                problem: match target.len() {
                    ..ADDRESS => "its address has a character that HTTP does not allow".to_owned(),
                    _ => "its address is longer than 64 kB".to_owned(),
                },
            })
    }
}
