//! A remote server over streamable HTTP: one POST for each message, an answer as JSON or as an
//! event stream. The server's own requests are answered while the stream is open. Addresses,
//! redirects and keys are those of any call.

mod listen;

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::failure::{Failure, Why};
use super::message::{self, Id, Incoming as Message, Outcome};
use super::sse::Events;
use super::version::Dialect;
use super::{Input, Limits};
use crate::exec::{self, Client, Content, Header, Incoming, KeyForm, Media, Piece, Plan};
use crate::keys::Keys;
use crate::model::{self, Base, Method, Redirects, Span};

/// Letters of a session's id.
const SESSION: usize = 1024;
/// How often a broken stream is gone on with in one call.
const RESUMES: usize = 10;
/// How long we wait before that when the server does not say.
const PAUSE: u64 = 1000;
/// Seconds that the goodbye to a session, and an answer to the server's own request, may take.
const SHORT: u32 = 3;
const PART: usize = 16 << 10;

/// The name under which the value of a declared header is kept: `ACME_X_API_KEY` for the header
/// `X-Api-Key` of the connector `acme`.
pub fn header_key(connector: &str, header: &str) -> String {
    format!("{connector}_{header}").replace('-', "_").to_uppercase()
}

/// A remote server.
pub(super) struct Remote<'c> {
    name: String,
    client: Client,
    base: &'c Base,
    /// Declared headers with the names of their keys.
    headers: Vec<(String, String)>,
    keys: &'c Keys,
    limits: Limits,
    input: Input,
    session: Option<String>,
    changed: bool,
}

/// What a message needs beside itself.
pub(super) struct Envelope<'e> {
    pub(super) dialect: &'e Dialect,
    /// The method and the name for the headers of the newer era.
    pub(super) method: &'e str,
    pub(super) mirrored: &'e [(String, String)],
}

impl<'c> Remote<'c> {
    pub(super) fn new(name: &str, base: &'c Base, headers: &[model::Name], keys: &'c Keys, limits: Limits, input: Input) -> Self {
        Self {
            name: name.to_owned(),
            client: Client::default(),
            base,
            headers: headers
                .iter()
                .map(|header| (header.text.clone(), header_key(name, &header.text)))
                .filter(|(_, key)| keys.has(key))
                .collect(),
            keys,
            limits,
            input,
            session: None,
            changed: false,
        }
    }

    /// Whether the server has said that its tools changed, since the last question.
    pub(super) fn tools_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, id: Id, message: &Value, envelope: &Envelope<'_>, limit: Duration) -> Result<(Outcome, usize), Failure> {
        let ends = Instant::now() + limit;
        let plan = self.post(message, envelope, seconds(limit));
        let incoming = self.client.open(&plan, self.keys)?;
        if !(200..300).contains(&incoming.status()) {
            return self.unsuccessful(incoming, id, envelope);
        }
        if envelope.method == "initialize" {
            self.session = self.session_of(&incoming)?;
        }
        let media = incoming.header("content-type").unwrap_or_default().to_ascii_lowercase();
        match media.split(';').next().unwrap_or_default().trim() {
            "text/event-stream" => self.stream(incoming, id, envelope, ends),
            "application/json" | "" => self.json(&incoming.whole()?, id, envelope),
            other => Err(self.malformed(envelope, &format!("is `{other}`, neither JSON nor an event stream"))),
        }
    }

    /// Sends what has no answer: a notification, or an answer of ours.
    pub(super) fn tell(&self, message: &Value, envelope: &Envelope<'_>) {
        let plan = self.post(message, envelope, SHORT);
        // A server that does not want it says so to nobody.
        let _ = self.client.open(&plan, self.keys);
    }

    fn post(&self, message: &Value, envelope: &Envelope<'_>, seconds: u32) -> Plan {
        let mut plan = self.plan(Method::Post, envelope, seconds);
        plan.body = Some(Content {
            pieces: vec![Piece::Text(message.to_string())],
            media: Media::Json,
            at: Span::default(),
        });
        plan
    }

    fn plan(&self, method: Method, envelope: &Envelope<'_>, seconds: u32) -> Plan {
        let query = self.base.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
        let path = if self.base.path.is_empty() { "/" } else { &self.base.path };
        Plan {
            capability: String::new(),
            method,
            reads: false,
            base: self.base.clone(),
            path: format!("{path}{query}"),
            query: Vec::new(),
            headers: self.headers(method, envelope),
            body: None,
            limits: model::Limits {
                seconds,
                bytes: self.limits.answer,
            },
            redirects: Redirects::SameOrigin,
            at: Span::default(),
        }
    }

    fn headers(&self, method: Method, envelope: &Envelope<'_>) -> Vec<Header> {
        let accept = match method {
            Method::Get => "text/event-stream",
            _ => "application/json, text/event-stream",
        };
        let mut headers = vec![
            header("Accept", accept),
            header("User-Agent", concat!("becket/", env!("CARGO_PKG_VERSION"))),
        ];
        if let Dialect::Legacy(version) | Dialect::Modern(version) = envelope.dialect {
            headers.push(header("MCP-Protocol-Version", version));
        }
        match (envelope.dialect, &self.session) {
            (Dialect::Modern(_), _) => {
                headers.push(header("Mcp-Method", envelope.method));
                headers.extend(envelope.mirrored.iter().map(|(name, value)| header(name, value)));
            }
            (_, Some(session)) => headers.push(header("Mcp-Session-Id", session)),
            _ => {}
        }
        headers.extend(self.headers.iter().map(|(name, key)| Header {
            name: name.clone(),
            value: vec![Piece::Key {
                name: key.clone(),
                form: KeyForm::Header,
            }],
            at: None,
        }));
        headers
    }

    fn session_of(&self, incoming: &Incoming<'_>) -> Result<Option<String>, Failure> {
        let Some(session) = incoming.header("mcp-session-id") else {
            return Ok(None);
        };
        let fits = (1..=SESSION).contains(&session.len()) && session.bytes().all(|byte| byte.is_ascii_graphic());
        match fits {
            true => Ok(Some(session.to_owned())),
            false => Err(Why::Malformed {
                server: self.name.clone(),
                method: "initialize".to_owned(),
                problem: format!("has a session id that is not 1 to {SESSION} plain letters"),
            }
            .into()),
        }
    }

    /// An answer whose status is no success: an error of the protocol, if its body is one.
    fn unsuccessful(&mut self, incoming: Incoming<'_>, id: Id, envelope: &Envelope<'_>) -> Result<(Outcome, usize), Failure> {
        let status = incoming.status();
        let asks_sign_in = incoming
            .header("www-authenticate")
            .is_some_and(|value| value.to_ascii_lowercase().contains("resource_metadata"));
        let (body, failure) = incoming.refused();
        let server = self.name.clone();
        let opening = matches!(envelope.method, "initialize" | "server/discover");
        // A session that is lost may be told with an error of the protocol beside it.
        if status == 404 && self.session.is_some() && !opening {
            self.session = None;
            return Err(Why::SessionLost { server }.into());
        }
        // Who may not ask has to act, whatever the body says beside it.
        if let Some(outcome) = error_in(&body, id).filter(|_| status != 401) {
            return Ok((outcome, body.len()));
        }
        Err(match status {
            401 if asks_sign_in => Why::SignIn {
                server,
                status,
                refused: self.headers.iter().map(|(_, key)| key.clone()).collect(),
            }
            .into(),
            405 if envelope.method == "initialize" => Why::OldTransport { server }.into(),
            _ => failure.into(),
        })
    }

    fn json(&mut self, body: &[u8], id: Id, envelope: &Envelope<'_>) -> Result<(Outcome, usize), Failure> {
        if body.trim_ascii().is_empty() {
            return Err(self.malformed(envelope, "is empty"));
        }
        let messages = message::read(body).map_err(|_| self.malformed(envelope, "is no JSON-RPC message"))?;
        let answer = messages.into_iter().find_map(|message| match message {
            Message::Answer { id: found, outcome } if found == id => Some(outcome),
            _ => None,
        });
        answer
            .map(|outcome| (outcome, body.len()))
            .ok_or_else(|| self.malformed(envelope, "is for another request"))
    }

    /// Reads events until the answer, and goes on with a broken stream where the server allows it.
    fn stream(&mut self, incoming: Incoming<'_>, id: Id, envelope: &Envelope<'_>, ends: Instant) -> Result<(Outcome, usize), Failure> {
        let mut events = Events::new(self.limits.answer);
        if let Some(answer) = self.events(incoming, &mut events, id, envelope)? {
            return Ok(answer);
        }
        for _ in 0..RESUMES {
            let pause = Duration::from_millis(events.retry.unwrap_or(PAUSE));
            let Some(last) = events.last.clone().filter(|last| !last.is_empty() && !envelope.dialect.is_modern()) else {
                break;
            };
            let left = ends.saturating_duration_since(Instant::now());
            if pause >= left {
                break;
            }
            sleep(pause);
            let mut plan = self.plan(Method::Get, envelope, seconds(left - pause));
            plan.headers.push(header("Last-Event-ID", &last));
            let client = &self.client;
            let incoming = client.open(&plan, self.keys)?;
            match incoming.status() {
                200..300 => {}
                401 | 403 => return Err(incoming.refused().1.into()),
                // It has no stream to go on with.
                _ => break,
            }
            let mut again = Events::new(self.limits.answer);
            let answer = self.events(incoming, &mut again, id, envelope)?;
            if let Some(answer) = answer {
                return Ok(answer);
            }
            events.last = again.last.or(events.last);
            events.retry = again.retry.or(events.retry);
        }
        Err(self.malformed(envelope, "ended before there was one"))
    }

    fn events(
        &mut self,
        incoming: Incoming<'_>,
        events: &mut Events,
        id: Id,
        envelope: &Envelope<'_>,
    ) -> Result<Option<(Outcome, usize)>, Failure> {
        let mut stream = incoming.stream()?;
        let mut part = vec![0; PART];
        loop {
            let read = match stream.read(&mut part) {
                // A stream with an id may break and be gone on with.
                Err(exec::Failure::CutShort { .. }) if events.last.is_some() => 0,
                read => read?,
            };
            let found = match read {
                0 => Ok(events.end().into_iter().collect()),
                read => events.take(&part[..read]),
            };
            let found = found.map_err(|_| exec::Failure::TooLarge {
                host: self.base.authority(),
                limit: self.limits.answer,
            })?;
            for event in found {
                if let Some(outcome) = self.heard(&event.data, id, envelope) {
                    return Ok(Some((outcome, event.data.len())));
                }
            }
            if read == 0 {
                return Ok(None);
            }
        }
    }

    /// The answer, if an event holds it. What the server asks is answered at once.
    fn heard(&mut self, data: &[u8], id: Id, envelope: &Envelope<'_>) -> Option<Outcome> {
        let mut answer = None;
        for message in message::read(data).unwrap_or_default() {
            match message {
                Message::Answer { id: found, outcome } if found == id && answer.is_none() => answer = Some(outcome),
                Message::Request { id, method, params } if !envelope.dialect.is_modern() => {
                    self.tell(&message::reply(&id, &method, &params, self.input), envelope);
                }
                Message::Notification { method } if method == "notifications/tools/list_changed" => self.changed = true,
                _ => {}
            }
        }
        answer
    }

    fn malformed(&self, envelope: &Envelope<'_>, problem: &str) -> Failure {
        Why::Malformed {
            server: self.name.clone(),
            method: envelope.method.to_owned(),
            problem: exec::shown(problem, 200, &self.keys.redactor()),
        }
        .into()
    }

    /// Says goodbye to a session.
    pub(super) fn close(&mut self, dialect: &Dialect) {
        if self.session.is_some() {
            let envelope = Envelope {
                dialect,
                method: "",
                mirrored: &[],
            };
            let plan = self.plan(Method::Delete, &envelope, SHORT);
            let _ = self.client.open(&plan, self.keys);
            self.session = None;
        }
    }
}

/// Whole seconds, and at least one.
fn seconds(limit: Duration) -> u32 {
    u32::try_from(limit.as_secs_f64().ceil() as u64).unwrap_or(u32::MAX).max(1)
}

fn header(name: &str, value: &str) -> Header {
    Header {
        name: name.to_owned(),
        value: vec![Piece::Text(value.to_owned())],
        at: None,
    }
}

/// The JSON-RPC error in a body. One about a message that the server could not read has no id.
fn error_in(body: &[u8], id: Id) -> Option<Outcome> {
    let mut value: Value = serde_json::from_slice(body).ok()?;
    if value["id"].is_null() {
        value["id"] = id.into();
    }
    let messages = message::read(value.to_string().as_bytes()).ok()?;
    messages.into_iter().find_map(|message| match message {
        Message::Answer {
            id: found,
            outcome: Outcome::Error(error),
        } if found == id && error.code.is_some() => Some(Outcome::Error(error)),
        _ => None,
    })
}
