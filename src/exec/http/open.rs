//! Sends a plan and leaves its answer unread, for a protocol that reads it as it comes. The same
//! guard, keys and redirects as any call.

use std::io::Read;
use std::time::Instant;

use ureq::http::Response;
use ureq::{Body, BodyReader};

use super::error::{self, Phase};
use super::outgoing::Outgoing;
use super::{Call, Client, receive};
use crate::exec::failure::Failure;
use crate::exec::plan::Plan;
use crate::exec::redirect;
use crate::keys::{Keys, Redactor};

/// An answer whose head has come.
pub struct Incoming<'p> {
    response: Response<Body>,
    plan: &'p Plan,
    redactor: Redactor,
}

/// The body of an answer, as it comes.
pub struct Stream<'p> {
    reader: BodyReader<'static>,
    plan: &'p Plan,
}

impl Client {
    /// Sends a plan with its keys filled in and follows its redirects. The clock goes on while the
    /// answer is read.
    pub fn open<'p>(&self, plan: &'p Plan, keys: &Keys) -> Result<Incoming<'p>, Failure> {
        let redactor = keys.redactor();
        let call = self.begin(plan, &redactor, Instant::now());
        let response = Outgoing::new(plan, keys).and_then(|outgoing| call.head(outgoing));
        match response {
            Ok(response) => Ok(Incoming { response, plan, redactor }),
            Err(failure) => Err(failure.cleaned(|text| redactor.clean(text).into_owned())),
        }
    }
}

impl Call<'_> {
    fn head(&self, mut outgoing: Outgoing) -> Result<Response<Body>, Failure> {
        for _ in 0..=redirect::LIMIT {
            let response = self.exchange(&outgoing)?;
            match self.hop(&outgoing, &response)? {
                Some(hop) => outgoing.follow(hop),
                None => return Ok(response),
            }
        }
        Err(Failure::TooManyRedirects {
            host: self.plan.base.authority(),
            limit: redirect::LIMIT,
        })
    }
}

impl<'p> Incoming<'p> {
    pub fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// A header's value, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// The whole body of a success, within the plan's limit.
    pub fn whole(self) -> Result<Vec<u8>, Failure> {
        let cleaned = |failure: Failure| failure.cleaned(|text| self.redactor.clean(text).into_owned());
        receive::bytes(self.response, self.plan, &self.redactor).map_err(cleaned)
    }

    /// The beginning of the body of an answer that is no success, and what such an answer means.
    pub fn refused(self) -> (Vec<u8>, Failure) {
        receive::refused(self.response, self.plan, &self.redactor)
    }

    /// The body of a success, as it comes.
    pub fn stream(self) -> Result<Stream<'p>, Failure> {
        receive::encoding(self.response.headers(), &self.plan.base.authority())?;
        Ok(Stream {
            reader: self.response.into_body().into_reader(),
            plan: self.plan,
        })
    }
}

impl Stream<'_> {
    /// The next bytes; none at the end.
    pub fn read(&mut self, part: &mut [u8]) -> Result<usize, Failure> {
        self.reader
            .read(part)
            .map_err(|error| error::told(ureq::Error::from(error), self.plan, Phase::Body))
    }
}
