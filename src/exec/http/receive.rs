//! Reads an answer whole: within its limits, in encodings that we asked for, and to the failure
//! that it is when it is not a success.

use std::io::Read;

use serde_json::Value;
use ureq::Body;
use ureq::http::{HeaderMap, Response, header};

use super::error::{self, Phase};
use crate::exec::answer::{Shape, value};
use crate::exec::failure::Failure;
use crate::exec::said::{said, visible};
use crate::exec::{Piece, Plan, retry};
use crate::keys::Redactor;

/// Bytes read of an answer that is an error.
const ERROR_BYTES: u64 = 64 * 1024;

/// A value, what it was, and the bytes that it took.
pub(super) fn read(response: Response<Body>, plan: &Plan, redactor: &Redactor) -> Result<(Value, Shape, usize), Failure> {
    let bytes = bytes(response, plan, redactor)?;
    let (value, shape) = value(&bytes, &plan.base.authority(), redactor)?;
    Ok((value, shape, bytes.len()))
}

/// The bytes of a success, decoded.
pub(super) fn bytes(response: Response<Body>, plan: &Plan, redactor: &Redactor) -> Result<Vec<u8>, Failure> {
    if !response.status().is_success() {
        return Err(refusal(response, plan, redactor));
    }
    let host = plan.base.authority();
    encoding(response.headers(), &host)?;
    let limit = plan.limits.bytes;
    let mut body = response.into_body();
    if body.content_length().is_some_and(|length| length > limit as u64) {
        return Err(Failure::TooLarge { host, limit });
    }
    body.with_config()
        .limit(limit as u64)
        .read_to_vec()
        .map_err(|error| error::told(error, plan, Phase::Body))
}

/// An encoding that is still named was not decoded; of the transfer, only chunks are read.
pub(super) fn encoding(headers: &HeaderMap, host: &str) -> Result<(), Failure> {
    let foreign = |name, known: &[&str]| {
        let mut values = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
        values.find(|value| !known.contains(&value.trim().to_ascii_lowercase().as_str()))
    };
    let content = foreign(header::CONTENT_ENCODING, &["", "identity"]);
    match content.or_else(|| foreign(header::TRANSFER_ENCODING, &["chunked", "identity"])) {
        None => Ok(()),
        Some(encoding) => Err(Failure::Encoding {
            host: host.to_owned(),
            encoding: visible(&encoding, 40),
        }),
    }
}

/// Why an answer that is not a success is none.
fn refusal(response: Response<Body>, plan: &Plan, redactor: &Redactor) -> Failure {
    refused(response, plan, redactor).1
}

/// As [`refusal`], with the beginning of the body.
pub(super) fn refused(response: Response<Body>, plan: &Plan, redactor: &Redactor) -> (Vec<u8>, Failure) {
    let host = plan.base.authority();
    let status = response.status().as_u16();
    let wait = wait(response.headers());
    let body = beginning(response);
    let said = said(&body, redactor);
    let failure = match status {
        401 | 403 if carries_key(plan) => Failure::KeyRefused { host, status, said },
        401 | 403 => Failure::Refused { host, status, said },
        429 => Failure::TooManyRequests { host, said, wait },
        _ => Failure::Answered { host, status, said, wait },
    };
    (body, failure)
}

fn carries_key(plan: &Plan) -> bool {
    let query = plan.query.iter().flat_map(|pair| &pair.value);
    let headers = plan.headers.iter().flat_map(|header| &header.value);
    let body = plan.body.iter().flat_map(|content| &content.pieces);
    query.chain(headers).chain(body).any(|piece| matches!(piece, Piece::Key { .. }))
}

fn wait(headers: &HeaderMap) -> Option<retry::Wait> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    retry::wait(text(header::RETRY_AFTER)?, text(header::DATE))
}

/// As much of an error's body as can be had; nothing when it is in an encoding that we do not read.
fn beginning(response: Response<Body>) -> Vec<u8> {
    if encoding(response.headers(), "").is_err() {
        return Vec::new();
    }
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    let mut reader = response.into_body().into_reader().take(ERROR_BYTES);
    while let Ok(read @ 1..) = reader.read(&mut part) {
        bytes.extend_from_slice(&part[..read]);
    }
    bytes
}
