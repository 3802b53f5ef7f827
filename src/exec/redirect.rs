//! Where a redirect leads, and whether it is followed: on the same scheme, host and port only.
//! Pure; the caller sends. What the service wrote is never repeated in a failure but for its host.

use url::Url;

use super::failure::Failure;
use super::guard::{self, Reach};
use crate::model::{Base, Method, Redirects};

/// How many redirects one call follows.
pub const LIMIT: usize = 5;

/// The next request of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    pub method: Method,
    /// Whether the body goes along.
    pub body: bool,
    /// Path and query, percent-encoded.
    pub target: String,
}

/// What an answer is as a redirect: nothing when it is none. `target` is the path and query that
/// was asked for.
pub fn next(base: &Base, redirects: Redirects, sent: (Method, &str), status: u16, location: Option<&[u8]>) -> Result<Option<Hop>, Failure> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let unfit = |problem| Failure::RedirectUnfit {
        host: base.authority(),
        status,
        problem,
    };
    let location = location.ok_or_else(|| unfit("no `Location`"))?;
    if redirects == Redirects::None {
        return Err(unfit("a redirect, which is not followed"));
    }
    let (method, target) = sent;
    let url = read(base, target, location).ok_or_else(|| unfit("a `Location` that is not an address"))?;
    if !same_origin(base, &url) {
        return Err(Failure::RedirectOutside {
            host: base.authority(),
            to: shown(base, &url),
        });
    }
    let (method, body) = turned(method, status).ok_or_else(|| unfit("a redirect that changes the method of a change"))?;
    Ok(Some(Hop {
        method,
        body,
        target: request_target(&url),
    }))
}

/// Where the fetch of a public description may go on: to any public https host, since it carries
/// no key.
pub fn next_public(base: &Base, target: &str, location: &[u8]) -> Result<Url, Failure> {
    let outside = |to| Failure::RedirectOutside {
        host: base.authority(),
        to,
    };
    let url = read(base, target, location).ok_or_else(|| outside("an unreadable address".to_owned()))?;
    let address = match url.host() {
        Some(url::Host::Ipv4(ip)) => Some(ip.into()),
        Some(url::Host::Ipv6(ip)) => Some(ip.into()),
        _ => None,
    };
    if let Some(address) = address {
        guard::judge(Reach::Public, address).map_err(Failure::Blocked)?;
    }
    if url.scheme() == "https" && user(&url).is_empty() {
        Ok(url)
    } else {
        Err(outside(shown(base, &url)))
    }
}

/// The address in a `Location`. Spellings that browsers repair and other readers take for another
/// host (backslashes, controls, a scheme without `//`) are refused.
fn read(base: &Base, target: &str, location: &[u8]) -> Option<Url> {
    let text = std::str::from_utf8(location).ok()?.trim_matches([' ', '\t']);
    let odd = |letter: char| letter == '\\' || letter.is_control() || letter == ' ';
    if text.is_empty() || text.contains(odd) {
        return None;
    }
    let from = Url::parse(&format!("{}://{}{target}", base.scheme.word(), base.authority())).ok()?;
    let url = from.join(text).ok()?;
    let written_scheme = Url::parse(text).is_ok();
    let bare = written_scheme && url.has_host() && !text.get(url.scheme().len()..).is_some_and(|rest| rest.starts_with("://"));
    (!bare).then_some(url)
}

fn same_origin(base: &Base, url: &Url) -> bool {
    url.scheme() == base.scheme.word()
        && url.host_str() == Some(base.host.as_str())
        && url.port_or_known_default() == Some(base.port)
        && user(url).is_empty()
}

fn user(url: &Url) -> &str {
    if url.password().is_some() { "user" } else { url.username() }
}

/// How a refused address is named: by its host, or by what differs when that is the same.
fn shown(base: &Base, url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    match url.host_str() {
        None => format!("`{}:`", url.scheme()),
        Some(host) if host != base.host => format!("{host}{port}"),
        Some(_) if !user(url).is_empty() => "an address with a user name".to_owned(),
        Some(host) => format!("{}://{host}{port}", url.scheme()),
    }
}

/// The method after a redirect and whether the body stays: 307 and 308 repeat the request, 303
/// asks for the result, 301 and 302 turn a POST into a GET as every client does. Any other change
/// must not quietly become something else.
fn turned(method: Method, status: u16) -> Option<(Method, bool)> {
    match (status, method) {
        (307 | 308, _) => Some((method, true)),
        (303, _) | (_, Method::Get | Method::Post) => Some((Method::Get, false)),
        _ => None,
    }
}

/// Path and query for a request line; what a URL may hold and a request line may not is encoded.
fn request_target(url: &Url) -> String {
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut target = String::new();
    for byte in format!("{}{query}", url.path()).bytes() {
        match byte {
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => target.push_str(&format!("%{byte:02X}")),
            _ => target.push(char::from(byte)),
        }
    }
    target
}
