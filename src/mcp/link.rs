//! One connection to a server, whatever carries it: numbers requests, keeps their time, and turns
//! what comes back into a value or a failure.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::failure::{Failure, Said, Why};
use super::http::{Envelope, Remote};
use super::input::Input;
use super::message::{self, Id, Outcome, RpcError};
use super::stdio::{Lost, Program};
use super::version::Dialect;
use crate::exec::{self, shown};
use crate::keys::Redactor;

/// How long a program's standard error is waited for when the program is given up.
const SETTLES: Duration = Duration::from_millis(250);

/// Characters shown of a server's message.
const SHOWN: usize = 300;
/// The method that calls a tool.
pub(super) const CALL: &str = "tools/call";

/// What carries the messages.
pub(super) enum Wire<'c> {
    Program(Program),
    Remote(Remote<'c>),
}

/// A connection.
pub(super) struct Link<'c> {
    pub(super) wire: Wire<'c>,
    pub(super) dialect: Dialect,
    pub(super) server: String,
    redactor: Arc<Redactor>,
    last: Id,
    pub(super) input: Input,
    broken: bool,
}

/// An answer that came: a result and its bytes, or the server's error.
pub(super) type Answered = Result<(Value, usize), RpcError>;

impl<'c> Link<'c> {
    pub(super) fn new(wire: Wire<'c>, server: &str, redactor: &Arc<Redactor>, input: Input) -> Self {
        Self {
            wire,
            dialect: Dialect::Opening,
            server: server.to_owned(),
            redactor: Arc::clone(redactor),
            last: 0,
            input,
            broken: false,
        }
    }

    /// Whether the connection is over: the next call makes a new one.
    pub(super) fn is_gone(&self) -> bool {
        self.broken || matches!(&self.wire, Wire::Program(program) if program.is_gone())
    }

    pub(super) fn is_remote(&self) -> bool {
        matches!(self.wire, Wire::Remote(_))
    }

    pub(super) fn tools_changed(&mut self) -> bool {
        match &mut self.wire {
            Wire::Program(program) => program.tools_changed(),
            Wire::Remote(remote) => remote.tools_changed(),
        }
    }

    /// What a server that is given up has written: with a moment for what is still on its way.
    pub(super) fn last_words(&self) -> Said {
        match &self.wire {
            Wire::Program(program) => program.said(SETTLES, &self.redactor),
            Wire::Remote(_) => Said::default(),
        }
    }

    /// What the server has written beside its messages.
    pub(super) fn said(&self) -> Said {
        match &self.wire {
            Wire::Program(program) => program.said(Duration::ZERO, &self.redactor),
            Wire::Remote(_) => Said::default(),
        }
    }

    /// Fixes what is spoken from now on. Only the older protocol has requests of the server.
    pub(super) fn speak(&mut self, dialect: Dialect) {
        if let Wire::Program(program) = &self.wire {
            program.answers_requests(!dialect.is_modern());
        }
        self.dialect = dialect;
    }

    /// Sends a request and waits for its answer, up to `limit` in all.
    pub(super) fn ask(&mut self, method: &str, params: Map<String, Value>, limit: Duration) -> Result<Answered, Failure> {
        let (outcome, bytes) = self.send(method, params, &[], limit)?;
        self.judged(method, outcome, bytes)
    }

    /// As [`Link::ask`], where an error of the server is a failure.
    pub(super) fn result(&mut self, method: &str, params: Map<String, Value>, limit: Duration) -> Result<(Value, usize), Failure> {
        self.ask(method, params, limit)?.map_err(|error| self.refused(method, &error))
    }

    /// Calls a tool.
    pub(super) fn call(
        &mut self,
        params: Map<String, Value>,
        mirrored: &[(String, String)],
        limit: Duration,
    ) -> Result<(Value, usize), Failure> {
        let (outcome, bytes) = self.send(CALL, params, mirrored, limit)?;
        self.judged(CALL, outcome, bytes)?.map_err(|error| self.refused(CALL, &error))
    }

    /// Asks what a server of the older era need not understand: nothing, when it shows that it did
    /// not. The connection stays, unless the server ends it.
    pub(super) fn probe(&mut self, method: &str, limit: Duration) -> Result<Option<Answered>, Failure> {
        let id = self.next();
        let message = message::request(id, method, self.dialect.params(Map::new(), self.input));
        let answer = match &mut self.wire {
            Wire::Program(program) => {
                let asked = program.ask(id, &message, Instant::now() + limit);
                // One that ended over the question is started anew for the next one.
                self.broken |= asked.as_ref().is_err_and(|lost| *lost != Lost::Late);
                asked.ok()
            }
            Wire::Remote(remote) => {
                let envelope = envelope(&self.dialect, method, &[]);
                match remote.ask(id, &message, &envelope, limit) {
                    Ok(answer) => Some(answer),
                    Err(failure) if is_older(&failure) => None,
                    Err(failure) => return Err(failure),
                }
            }
        };
        Ok(match answer {
            Some((Outcome::Result(result), bytes)) => Some(Ok((result, bytes))),
            Some((Outcome::Error(error), _)) => Some(Err(error)),
            Some((Outcome::Neither, _)) | None => None,
        })
    }

    fn send(
        &mut self,
        method: &str,
        params: Map<String, Value>,
        mirrored: &[(String, String)],
        limit: Duration,
    ) -> Result<(Outcome, usize), Failure> {
        let id = self.next();
        let message = message::request(id, method, self.dialect.params(params, self.input));
        match &mut self.wire {
            Wire::Program(program) => {
                let answer = program.ask(id, &message, Instant::now() + limit);
                answer.map_err(|lost| self.lost(lost, id, method, limit))
            }
            Wire::Remote(remote) => {
                let answer = remote.ask(id, &message, &envelope(&self.dialect, method, mirrored), limit);
                answer.inspect_err(|failure| self.broken |= matches!(*failure.why, Why::SessionLost { .. }))
            }
        }
    }

    fn judged(&self, method: &str, outcome: Outcome, bytes: usize) -> Result<Answered, Failure> {
        match outcome {
            Outcome::Result(result) => Ok(Ok((result, bytes))),
            Outcome::Error(error) => Ok(Err(error)),
            Outcome::Neither => Err(self.malformed(method, "has neither a result nor an error")),
        }
    }

    /// Sends a notification, if the server still reads.
    pub(super) fn notify(&self, method: &str, params: Option<Value>) {
        let message = message::notification(method, params);
        match &self.wire {
            Wire::Program(program) => drop(program.tell(&message, Instant::now())),
            Wire::Remote(remote) => remote.tell(&message, &envelope(&self.dialect, method, &[])),
        }
    }

    /// Hears what a remote server of the older era asks outside of any call, if it may ask us at all.
    pub(super) fn listen(&self) {
        if let (Wire::Remote(remote), Input::Defaults) = (&self.wire, self.input) {
            remote.listen(&self.dialect);
        }
    }

    /// Numbers that a server cannot guess: an answer that it sends before the question is dropped.
    fn next(&mut self) -> Id {
        let step = RandomState::new().build_hasher().finish() % 1000;
        self.last += if self.last == 0 { 1 } else { 2 + step };
        self.last
    }

    fn lost(&mut self, lost: Lost, id: Id, method: &str, limit: Duration) -> Failure {
        if lost == Lost::Late && method != "initialize" {
            self.notify("notifications/cancelled", Some(json!({"requestId": id, "reason": "too slow"})));
        }
        self.broken = true;
        let Wire::Program(program) = &mut self.wire else {
            return self.malformed(method, "was lost");
        };
        let (why, said) = program.fail(lost, method, &self.redactor, limit);
        Failure { why: Box::new(why), said }
    }

    pub(super) fn malformed(&self, method: &str, problem: &str) -> Failure {
        let problem = self.shown(problem);
        let (server, method) = (self.server.clone(), method.to_owned());
        Why::Malformed { server, method, problem }.into()
    }

    pub(super) fn refused(&self, method: &str, error: &RpcError) -> Failure {
        Why::Refused {
            server: self.server.clone(),
            method: method.to_owned(),
            code: error.code,
            message: self.shown(&error.message),
        }
        .into()
    }

    pub(super) fn shown(&self, text: &str) -> String {
        shown(text, SHOWN, &self.redactor)
    }
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        if let Wire::Remote(remote) = &mut self.wire {
            remote.close(&self.dialect);
        }
    }
}

fn envelope<'e>(dialect: &'e Dialect, method: &'e str, mirrored: &'e [(String, String)]) -> Envelope<'e> {
    Envelope { dialect, method, mirrored }
}

/// Whether a remote server's answer means that it does not know the newer era.
fn is_older(failure: &Failure) -> bool {
    match &*failure.why {
        Why::Malformed { .. } | Why::SessionLost { .. } => true,
        Why::Http(failure) => matches!(failure, exec::Failure::Answered { .. } | exec::Failure::TooSlow { .. }),
        _ => false,
    }
}
