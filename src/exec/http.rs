//! Sends a plan and judges the answer: one clock over connecting, redirects and body; keys placed
//! here and nowhere else; nothing sent twice that changes anything.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use ureq::http::{HeaderValue, Request, Response, Uri, header};
use ureq::{AsSendBody, Body};
use ureq_proto::client::header_raw;
use zeroize::Zeroizing;

use super::answer::{self, Answer};
use super::failure::Failure;
use super::guard::Reach;
use super::redirect::{self, Hop};
use super::wire::{Roots, Wire};
use super::wire_failure::{self, Phase};
use super::{KeyForm, Media, Piece, Plan};
use crate::keys::{Keys, Redactor};
use crate::model::Method;

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
        let call = Call {
            plan,
            redactor: &redactor,
            wire: self.wire(plan),
            limit: Duration::from_secs(plan.limits.seconds.into()),
            started: Instant::now(),
        };
        Outgoing::new(plan, keys)
            .and_then(|outgoing| call.run(outgoing))
            .map_err(|failure| failure.cleaned(|text| redactor.clean(text).into_owned()))
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

/// A plan with its keys in place.
struct Outgoing {
    method: Method,
    target: Zeroizing<String>,
    headers: Vec<(String, Zeroizing<String>)>,
    body: Option<Zeroizing<String>>,
}

impl Outgoing {
    fn new(plan: &Plan, keys: &Keys) -> Result<Self, Failure> {
        let mut headers = Vec::new();
        for header in &plan.headers {
            headers.push((header.name.clone(), place(&header.value, keys)?));
        }
        let typed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        if let Some(content) = plan.body.as_ref().filter(|_| !typed) {
            headers.push(("Content-Type".to_owned(), Zeroizing::new(media_type(content.media).to_owned())));
        }
        Ok(Self {
            method: plan.method,
            target: place(&plan.target(), keys)?,
            headers,
            body: plan.body.as_ref().map(|content| place(&content.pieces, keys)).transpose()?,
        })
    }

    /// The next request of the same call.
    fn follow(&mut self, hop: Hop) {
        self.method = hop.method;
        self.target = Zeroizing::new(hop.target);
        if !hop.body {
            self.body = None;
            self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        }
    }

    /// The body as bytes, when the request has one or its method wants a length all the same.
    fn content(&self) -> Option<&[u8]> {
        let wanted = matches!(self.method, Method::Post | Method::Put | Method::Patch).then_some(&[][..]);
        self.body.as_ref().map(|body| body.as_bytes()).or(wanted)
    }
}

fn media_type(media: Media) -> &'static str {
    match media {
        Media::Json => "application/json",
        Media::Form => "application/x-www-form-urlencoded",
    }
}

fn place(pieces: &[Piece], keys: &Keys) -> Result<Zeroizing<String>, Failure> {
    let mut text = Zeroizing::new(String::new());
    for piece in pieces {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Key { name, form } => text.push_str(&placed(name, *form, keys)?),
        }
    }
    Ok(text)
}

/// A key's value in the form of its place. One line break at its end is a file's, not the key's.
fn placed(name: &str, form: KeyForm, keys: &Keys) -> Result<Zeroizing<String>, Failure> {
    let missing = || Failure::KeyMissing { name: name.to_owned() };
    let value = keys.get(name).ok_or_else(missing)?.expose();
    let value = value
        .strip_suffix('\n')
        .map_or(value, |value| value.strip_suffix('\r').unwrap_or(value));
    if value.is_empty() {
        return Err(missing());
    }
    Ok(Zeroizing::new(match form {
        KeyForm::Header => fit(name, value)?.to_owned(),
        KeyForm::Query => percent(value),
        KeyForm::Form => url::form_urlencoded::byte_serialize(value.as_bytes()).collect(),
        KeyForm::Json => json_inside(value),
    }))
}

/// The value, if a header can carry it.
fn fit<'v>(name: &str, value: &'v str) -> Result<&'v str, Failure> {
    let problem = if value.contains(['\r', '\n']) {
        "has a line break"
    } else if value.contains(char::is_control) {
        "has a control character"
    } else if !value.is_ascii() {
        "has a character outside ASCII"
    } else {
        return Ok(value);
    };
    Err(Failure::KeyUnfit {
        name: name.to_owned(),
        problem,
    })
}

/// Everything but unreserved characters (RFC 3986, 2.3) encoded.
fn percent(value: &str) -> String {
    let mut text = String::with_capacity(value.len() * 3);
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn json_inside(value: &str) -> String {
    let quoted = Zeroizing::new(serde_json::Value::from(value).to_string());
    quoted[1..quoted.len() - 1].to_owned()
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
                let (value, shape, bytes) = answer::read(response, self.plan, self.redactor)?;
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

    fn hop(&self, outgoing: &Outgoing, response: &Response<Body>) -> Result<Option<Hop>, Failure> {
        let location = response.headers().get(header::LOCATION).map(HeaderValue::as_bytes);
        let sent = (outgoing.method, outgoing.target.as_str());
        redirect::next(&self.plan.base, self.plan.redirects, sent, response.status().as_u16(), location)
    }

    /// One request and the head of its answer. A read on a kept connection that turns out to be
    /// closed is sent once more; nothing else ever is.
    fn exchange(&self, outgoing: &Outgoing) -> Result<Response<Body>, Failure> {
        let told = |error| wire_failure::told(error, self.plan, Phase::Head);
        let dials = self.wire.dials();
        let error = match self.once(outgoing)? {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        let stale = self.wire.dials() == dials && wire_failure::is_disconnect(&error);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{Origin, Secret};

    fn one(name: &str, value: &str) -> Keys {
        let mut keys = Keys::default();
        keys.insert(name, Secret::new(value), Origin::Environment);
        keys
    }

    fn written(value: &str, form: KeyForm) -> Result<String, String> {
        placed("K", form, &one("K", value))
            .map(|text| text.to_string())
            .map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_key_takes_the_form_of_its_place() {
        let value = "a b+/\"é\n";
        assert_eq!(written(value, KeyForm::Query).as_deref(), Ok("a%20b%2B%2F%22%C3%A9"));
        assert_eq!(written(value, KeyForm::Form).as_deref(), Ok("a+b%2B%2F%22%C3%A9"));
        assert_eq!(written(value, KeyForm::Json).as_deref(), Ok("a b+/\\\"é"));
        assert_eq!(written("tok\r\n", KeyForm::Header).as_deref(), Ok("tok"));
    }

    #[test]
    fn a_key_that_no_header_carries_is_named_and_not_shown() {
        for (value, problem) in [
            ("a\nb", "has a line break"),
            ("a\r\nX: 1", "has a line break"),
            ("ab\n\n", "has a line break"),
            ("a\u{7f}", "has a control character"),
            ("a\tb", "has a control character"),
            ("clé", "has a character outside ASCII"),
        ] {
            assert_eq!(
                written(value, KeyForm::Header),
                Err(format!("the key `K` {problem}, so it cannot go in a header"))
            );
        }
        assert_eq!(written("\n", KeyForm::Header), Err("the key `K` has no value".to_owned()));
    }
}
