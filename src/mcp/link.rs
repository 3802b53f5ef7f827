//! One connection to a server, whatever carries it: numbers requests, keeps their time, and turns
//! what comes back into a value or a failure.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::failure::{Failure, Said, Why};
use super::message::{self, Id, Outcome, RpcError};
use super::stdio::{Lost, Program};
use super::version::Dialect;
use crate::exec::shown;
use crate::keys::Redactor;

/// Characters shown of a server's message.
const SHOWN: usize = 300;

/// What carries the messages.
pub(super) enum Wire {
    Program(Program),
}

/// A connection.
pub(super) struct Link {
    pub(super) wire: Wire,
    pub(super) dialect: Dialect,
    pub(super) server: String,
    redactor: Arc<Redactor>,
    last: Id,
    broken: bool,
}

/// An answer that came: a result and its bytes, or the server's error.
pub(super) type Answered = Result<(Value, usize), RpcError>;

impl Link {
    pub(super) fn new(wire: Wire, server: &str, redactor: &Arc<Redactor>) -> Self {
        Self {
            wire,
            dialect: Dialect::Opening,
            server: server.to_owned(),
            redactor: Arc::clone(redactor),
            last: 0,
            broken: false,
        }
    }

    /// Whether the connection is over: the next call makes a new one.
    pub(super) fn is_gone(&self) -> bool {
        let Wire::Program(program) = &self.wire;
        self.broken || program.is_gone()
    }

    pub(super) fn tools_changed(&self) -> bool {
        let Wire::Program(program) = &self.wire;
        program.tools_changed()
    }

    /// What the server has written beside its messages.
    pub(super) fn said(&self) -> Said {
        let Wire::Program(program) = &self.wire;
        program.said(Duration::ZERO, &self.redactor)
    }

    /// Answers the server's own requests while the era is not yet known.
    pub(super) fn answers(&self) {
        let Wire::Program(program) = &self.wire;
        program.answers_requests(true);
    }

    /// Fixes what is spoken from now on.
    pub(super) fn speak(&mut self, dialect: Dialect) {
        let Wire::Program(program) = &self.wire;
        program.answers_requests(!dialect.is_modern());
        self.dialect = dialect;
    }

    /// Sends a request and waits for its answer, up to `limit` in all.
    pub(super) fn ask(&mut self, method: &str, params: Map<String, Value>, limit: Duration) -> Result<Answered, Failure> {
        let id = self.next();
        let message = message::request(id, method, &self.dialect.params(params));
        let deadline = Instant::now() + limit;
        let Wire::Program(program) = &mut self.wire;
        let (outcome, bytes) = match program.ask(id, &message, deadline) {
            Ok(answer) => answer,
            Err(lost) => return Err(self.lost(lost, id, method, limit)),
        };
        match outcome {
            Outcome::Result(result) => Ok(Ok((result, bytes))),
            Outcome::Error(error) => Ok(Err(error)),
            Outcome::Neither => Err(self.malformed(method, "has neither a result nor an error")),
        }
    }

    /// As [`Link::ask`], where an error of the server is a failure.
    pub(super) fn result(&mut self, method: &str, params: Map<String, Value>, limit: Duration) -> Result<(Value, usize), Failure> {
        self.ask(method, params, limit)?.map_err(|error| self.refused(method, &error))
    }

    /// Sends a notification, if the server still reads.
    pub(super) fn notify(&self, method: &str, params: Option<Value>) {
        let Wire::Program(program) = &self.wire;
        let _ = program.tell(&message::notification(method, params), Instant::now());
    }

    /// Whether no answer came in a short time; the connection stays.
    pub(super) fn silent(&mut self, method: &str, params: Map<String, Value>, limit: Duration) -> Result<Option<Answered>, Lost> {
        let id = self.next();
        let message = message::request(id, method, &self.dialect.params(params));
        let Wire::Program(program) = &mut self.wire;
        match program.ask(id, &message, Instant::now() + limit) {
            Ok((Outcome::Result(result), bytes)) => Ok(Some(Ok((result, bytes)))),
            Ok((Outcome::Error(error), _)) => Ok(Some(Err(error))),
            Ok((Outcome::Neither, _)) | Err(Lost::Late) => Ok(None),
            Err(lost) => Err(lost),
        }
    }

    /// Numbers that a server cannot guess: an answer that it sends before the question is dropped.
    fn next(&mut self) -> Id {
        let step = RandomState::new().build_hasher().finish() % 1000;
        self.last += if self.last == 0 { 1 } else { 2 + step };
        self.last
    }

    pub(super) fn lost(&mut self, lost: Lost, id: Id, method: &str, limit: Duration) -> Failure {
        if lost == Lost::Late && method != "initialize" {
            self.notify("notifications/cancelled", Some(json!({"requestId": id, "reason": "too slow"})));
        }
        self.broken = true;
        let Wire::Program(program) = &mut self.wire;
        let (why, said) = program.fail(lost, method, &self.redactor, limit);
        Failure { why, said }
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
