//! The headers in order: our own, the connector's, the request's. A later one that has a value
//! takes the place of an earlier one with its name in any case.

use super::error::Place;
use super::fill::Fill;
use super::{Header, KeyForm, Media, Piece, PlanError};
use crate::model::{Http, KeyText, Pair, Request, Risk, Slot, is_forbidden_header, is_header_name, overrides_method};

/// The program's own name to services.
const AGENT: &str = concat!("becket/", env!("CARGO_PKG_VERSION"));

/// Bytes of one header's text. Servers take 8 KiB or 16 KiB for all of them.
const LONGEST: usize = 16 << 10;

pub(super) fn headers(fill: &Fill<'_>, http: &Http, request: &Request, risk: Risk, media: Option<Media>) -> Result<Vec<Header>, PlanError> {
    let mut headers = own(media);
    // Only we know the boundary.
    let typed = matches!(media, Some(Media::Multipart(_)));
    for pair in http.headers.iter().chain(&request.headers) {
        name(pair, risk)?;
        if typed && pair.name.eq_ignore_ascii_case("Content-Type") {
            continue;
        }
        let Some(value) = value(fill, pair)? else { continue };
        let header = Header {
            name: pair.name.clone(),
            value,
            at: Some(pair.at),
        };
        match headers.iter_mut().find(|other| other.name.eq_ignore_ascii_case(&header.name)) {
            Some(other) => *other = header,
            None => headers.push(header),
        }
    }
    Ok(headers)
}

fn own(media: Option<Media>) -> Vec<Header> {
    let mut headers = vec![("Accept", "application/json".to_owned()), ("User-Agent", AGENT.to_owned())];
    headers.extend(media.map(|media| ("Content-Type", media.word())));
    let header = |(name, value): (&str, String)| Header {
        name: name.to_owned(),
        value: vec![Piece::Text(value)],
        at: None,
    };
    headers.into_iter().map(header).collect()
}

fn name(pair: &Pair, risk: Risk) -> Result<(), PlanError> {
    let header = pair.name.clone();
    if !is_header_name(&header) {
        return Err(PlanError::HeaderName { header });
    }
    if is_forbidden_header(&header) {
        return Err(PlanError::ForbiddenHeader { header });
    }
    if risk == Risk::Read && overrides_method(&header) {
        return Err(PlanError::MethodOverride { header });
    }
    Ok(())
}

/// Nothing when something is missing, when the text is empty, and for `Accept-Encoding`: which
/// encodings can be read is known to the sender alone.
fn value(fill: &Fill<'_>, pair: &Pair) -> Result<Option<Vec<Piece>>, PlanError> {
    if pair.name.eq_ignore_ascii_case("Accept-Encoding") {
        return Ok(None);
    }
    one_value_each(fill, pair)?;
    let form = match pair.keys {
        KeyText::AsIs => KeyForm::Header,
        KeyText::Base64 => KeyForm::Base64,
    };
    let Some(value) = fill.text(&pair.value, form) else {
        return Ok(None);
    };
    let header = pair.name.clone();
    let has = |wrong: fn(char) -> bool| value.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(wrong)));
    if has(|letter| matches!(letter, '\r' | '\n')) {
        return Err(PlanError::HeaderLineBreak { header });
    }
    if has(|letter| letter.is_control() && letter != '\t') {
        return Err(PlanError::HeaderControl { header });
    }
    if value
        .iter()
        .map(|piece| if let Piece::Text(text) = piece { text.len() } else { 0 })
        .sum::<usize>()
        > LONGEST
    {
        return Err(PlanError::HeaderTooLong { header });
    }
    Ok(Some(trimmed(value)).filter(|value| !value.is_empty()))
}

fn one_value_each(fill: &Fill<'_>, pair: &Pair) -> Result<(), PlanError> {
    for slot in &pair.value.slots {
        let Slot::Arg(path) = slot else { continue };
        let kind = match fill.argument(path) {
            Some(serde_json::Value::Array(_)) => "a list",
            Some(serde_json::Value::Object(_)) => "an object",
            _ => continue,
        };
        return Err(PlanError::NotAScalar {
            argument: path.clone(),
            kind,
            place: Place::Header(pair.name.clone()),
        });
    }
    Ok(())
}

/// Without blanks around it: they are no part of a header's value (RFC 9110, 5.5).
fn trimmed(mut value: Vec<Piece>) -> Vec<Piece> {
    const BLANKS: [char; 2] = [' ', '\t'];
    if let Some(Piece::Text(text)) = value.first_mut() {
        *text = text.trim_start_matches(BLANKS).to_owned();
    }
    if let Some(Piece::Text(text)) = value.last_mut() {
        *text = text.trim_end_matches(BLANKS).to_owned();
    }
    value.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    value
}
