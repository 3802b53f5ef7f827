//! An address as an author writes it, judged once and taken apart into a [`Base`]. One parser
//! (WHATWG, the `url` crate) says what it means, and only plain spellings pass: whatever another
//! reader could take for something else is refused or pointed out.

mod error;
mod host;

use url::Url;

use super::{Base, Scheme, Span};
pub use error::{BaseError, BaseWarning};
use host::Host;

/// Ports where an API is no surprise.
const USUAL_PORTS: [u16; 2] = [443, 8443];

impl Base {
    /// Judges the address in a manifest. This computer is allowed when it is spelled plainly.
    pub fn parse(text: &str, at: Span) -> Result<(Self, Vec<BaseWarning>), BaseError> {
        let written = Written::split(text)?;
        let url = Url::parse(text).map_err(|error| BaseError::NotAnAddress(error.to_string()))?;
        if has_dot_segment(written.path) {
            return Err(BaseError::DotSegment);
        }
        let mut warnings = Vec::new();
        let host = Host::judge(&url, written.host, written.scheme, &mut warnings)?;
        if written.scheme == Scheme::Http && !host.local {
            return Err(BaseError::NotHttps);
        }
        let port = url.port_or_known_default().unwrap_or_default();
        judge_port(port, host.local, &mut warnings)?;
        if host.local && written.behind_at {
            return Err(BaseError::AtSign);
        }
        judge_rest(&url, &mut warnings);
        let base = Self {
            scheme: written.scheme,
            host: host.text,
            port,
            path: url.path().trim_end_matches('/').to_owned(),
            query: url.query().filter(|query| !query.is_empty()).map(str::to_owned),
            local: host.local,
            at,
        };
        Ok((base, warnings))
    }

    /// Judges an address that did not come from the author: where a redirect leads, an entry of
    /// `servers`, a remote of the registry. Never this computer.
    pub fn target(text: &str) -> Result<Self, BaseError> {
        let (base, _) = Self::parse(text, Span::default())?;
        if base.local {
            return Err(BaseError::Local { host: base.host });
        }
        Ok(base)
    }

    /// The address as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}://{}{}", self.scheme.word(), self.authority(), self.path);
        if let Some(query) = &self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

/// The parts of the text before anything is decoded.
struct Written<'t> {
    scheme: Scheme,
    host: &'t str,
    path: &'t str,
    /// Whether an `@` comes after a host without a path: some readers take what is before it for
    /// user information.
    behind_at: bool,
}

impl<'t> Written<'t> {
    fn split(text: &'t str) -> Result<Self, BaseError> {
        let wrong = |letter: &char| letter.is_control() || letter.is_whitespace() || *letter == '\\';
        if let Some(letter) = text.chars().find(wrong) {
            return Err(BaseError::Letter(letter));
        }
        if text.contains("{{") {
            return Err(BaseError::Placeholder);
        }
        let (scheme, rest) = text.split_once("://").ok_or(BaseError::NotAbsolute)?;
        let scheme = [Scheme::Http, Scheme::Https]
            .into_iter()
            .find(|known| known.word().eq_ignore_ascii_case(scheme))
            .ok_or_else(|| BaseError::Scheme(scheme.to_owned()))?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if authority.is_empty() {
            return Err(BaseError::NotAbsolute);
        }
        if let Some(at) = authority.rfind('@') {
            let start = text.len() - rest.len() - authority.len();
            return Err(BaseError::UserInfo { start, end: start + at });
        }
        Ok(Self {
            scheme,
            host: without_port(authority),
            path: &rest[..rest.find(['?', '#']).unwrap_or(rest.len())],
            behind_at: rest.starts_with(['?', '#']) && rest.contains('@'),
        })
    }
}

fn without_port(authority: &str) -> &str {
    let end = if authority.starts_with('[') {
        authority.find(']').map(|at| at + 1)
    } else {
        authority.find(':')
    };
    &authority[..end.unwrap_or(authority.len())]
}

/// Whether a segment means this folder or the one above, dots escaped or not.
pub(super) fn has_dot_segment(path: &str) -> bool {
    path.split('/').any(is_dot_segment)
}

fn is_dot_segment(segment: &str) -> bool {
    segment.len() <= 6 && matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

fn judge_port(port: u16, local: bool, warnings: &mut Vec<BaseWarning>) -> Result<(), BaseError> {
    if port == 0 {
        return Err(BaseError::NotAnAddress("port 0 cannot be reached".into()));
    }
    if !local && !USUAL_PORTS.contains(&port) {
        warnings.push(BaseWarning::Port(port));
    }
    Ok(())
}

fn judge_rest(url: &Url, warnings: &mut Vec<BaseWarning>) {
    if url.path().contains("%7B") || url.path().contains("%7D") || url.path().contains(['{', '}']) {
        warnings.push(BaseWarning::Braces);
    }
    if url.query().is_some() {
        warnings.push(BaseWarning::Query);
    }
    if url.fragment().is_some() {
        warnings.push(BaseWarning::Fragment);
    }
}
