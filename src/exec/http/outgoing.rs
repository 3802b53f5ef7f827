//! A request with its keys in place. The only code that writes a key where bytes leave for the
//! service.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use crate::exec::failure::{Failure, fit};
use crate::exec::redirect::Hop;
use crate::exec::{Content, KeyForm, Media, Piece, Plan};
use crate::keys::Keys;
use crate::model::Method;

/// A plan with its keys in place.
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) target: Zeroizing<String>,
    pub(super) headers: Vec<(String, Zeroizing<String>)>,
    body: Option<Zeroizing<String>>,
}

impl Outgoing {
    pub(super) fn new(plan: &Plan, keys: &Keys) -> Result<Self, Failure> {
        let mut headers = Vec::new();
        for header in &plan.headers {
            headers.push((header.name.clone(), place(&header.value, keys)?));
        }
        let typed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        if let Some(content) = plan.body.as_ref().filter(|_| !typed) {
            headers.push(("Content-Type".to_owned(), Zeroizing::new(content.media.word())));
        }
        Ok(Self {
            method: plan.method,
            target: place(&plan.target(), keys)?,
            headers,
            body: plan.body.as_ref().map(|content| filled(plan, content, keys)).transpose()?,
        })
    }

    /// The next request of the same call.
    pub(super) fn follow(&mut self, hop: Hop) {
        self.method = hop.method;
        self.target = Zeroizing::new(hop.target);
        if !hop.body {
            self.body = None;
            self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        }
    }

    /// The body as bytes, when the request has one or its method wants a length all the same.
    pub(super) fn content(&self) -> Option<&[u8]> {
        let wanted = matches!(self.method, Method::Post | Method::Put | Method::Patch).then_some(&[][..]);
        self.body.as_ref().map(|body| body.as_bytes()).or(wanted)
    }
}

/// The body's text. Where parts have a boundary, no key may bring it in.
fn filled(plan: &Plan, content: &Content, keys: &Keys) -> Result<Zeroizing<String>, Failure> {
    let text = place(&content.pieces, keys)?;
    let Media::Multipart(boundary) = content.media else {
        return Ok(text);
    };
    let boundary = boundary.to_string();
    let planned: usize = content.pieces.iter().map(|piece| piece.text().matches(&boundary).count()).sum();
    if text.matches(&boundary).count() == planned {
        return Ok(text);
    }
    Err(Failure::Unsendable {
        host: plan.base.authority(),
        problem: "a key holds the boundary of its body".to_owned(),
    })
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
    let secret = keys.get(name).ok_or_else(missing)?;
    let value = secret.expose();
    let value = value
        .strip_suffix('\n')
        .map_or(value, |value| value.strip_suffix('\r').unwrap_or(value));
    if value.is_empty() {
        return Err(missing());
    }
    if form == KeyForm::Header {
        fit(name, secret)?;
        return Ok(Zeroizing::new(value.to_owned()));
    }
    if form == KeyForm::Base64 {
        return Ok(Zeroizing::new(STANDARD.encode(value)));
    }
    Ok(Zeroizing::new(form.encode(value)))
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
        assert_eq!(written(value, KeyForm::Part).as_deref(), Ok("a b+/\"é"));
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
