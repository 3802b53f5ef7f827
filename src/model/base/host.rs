//! The host of an address: this computer, a literal address, or a name.

use std::net::IpAddr;

use url::Url;

use super::{BaseError, BaseWarning};
use crate::model::{Scheme, address};

/// Names for this computer and its links that resolvers know beside `localhost`.
const THIS_COMPUTER: [&str; 11] = [
    "broadcasthost",
    "ip6-allhosts",
    "ip6-allnodes",
    "ip6-allrouters",
    "ip6-localhost",
    "ip6-localnet",
    "ip6-loopback",
    "ip6-mcastprefix",
    "localhost.localdomain",
    "localhost4",
    "localhost6",
];

/// Endings that only inner networks resolve, or nobody.
const INNER: [&str; 17] = [
    "cluster.local",
    "corp",
    "home",
    "home.arpa",
    "i2p",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "metadata.packet.net",
    "onion",
    "private",
    "svc",
    "test",
    "workgroup",
];

pub(super) struct Host {
    pub(super) text: String,
    pub(super) local: bool,
}

impl Host {
    pub(super) fn judge(url: &Url, written: &str, scheme: Scheme, warnings: &mut Vec<BaseWarning>) -> Result<Self, BaseError> {
        let text = url.host_str().unwrap_or_default();
        match url.host() {
            Some(url::Host::Ipv4(ip)) => Self::literal(ip.into(), text, written, scheme, warnings),
            Some(url::Host::Ipv6(ip)) => Self::literal(ip.into(), text, written, scheme, warnings),
            Some(url::Host::Domain(name)) => Self::named(name, written, warnings),
            None => Err(BaseError::NotAbsolute),
        }
    }

    /// Another spelling of this computer passes with plain `http`, which can mean nothing else.
    fn literal(ip: IpAddr, text: &str, written: &str, scheme: Scheme, warnings: &mut Vec<BaseWarning>) -> Result<Self, BaseError> {
        let plain = written.eq_ignore_ascii_case(text);
        let text = text.to_owned();
        let local = ip.is_loopback();
        let passes = plain || local && scheme == Scheme::Http;
        match address::refusal(ip) {
            Some(_) if !passes => {
                return Err(BaseError::Spelling {
                    written: written.to_owned(),
                    means: text,
                });
            }
            Some(why) if !local => return Err(BaseError::NotPublic { host: text, why }),
            _ if !plain => warnings.push(BaseWarning::Spelling { means: text.clone() }),
            _ => {}
        }
        Ok(Self { text, local })
    }

    fn named(name: &str, written: &str, warnings: &mut Vec<BaseWarning>) -> Result<Self, BaseError> {
        let host = || name.to_owned();
        if name == "localhost" {
            return if written.eq_ignore_ascii_case(name) {
                Ok(Self { text: host(), local: true })
            } else {
                Err(BaseError::Spelling {
                    written: written.escape_debug().to_string(),
                    means: host(),
                })
            };
        }
        let bare = name.strip_suffix('.').unwrap_or(name);
        if bare == "localhost" || bare.ends_with(".localhost") || THIS_COMPUTER.contains(&bare) {
            return Err(BaseError::Local { host: host() });
        }
        if let Some(why) = wrong_name(bare) {
            return Err(BaseError::HostName { host: host(), why });
        }
        warnings.extend(odd_name(bare, name));
        warnings.extend(odd_spelling(written, name));
        Ok(Self {
            text: host(),
            local: false,
        })
    }
}

fn wrong_name(name: &str) -> Option<&'static str> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !name.bytes().all(letter) {
        return Some("it has something other than letters, digits, hyphens and dots");
    }
    if name.split('.').any(str::is_empty) {
        return Some("it has nothing between two dots");
    }
    if name.len() > 253 || name.split('.').any(|label| label.len() > 63) {
        return Some("it is too long");
    }
    None
}

fn odd_name(bare: &str, name: &str) -> Option<BaseWarning> {
    let host = || name.to_owned();
    let inner = |ending: &str| bare.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    if !bare.contains('.') || INNER.iter().any(|ending| inner(ending)) {
        return Some(BaseWarning::Inner { host: host() });
    }
    let hyphen = |label: &str| label.starts_with('-') || label.ends_with('-');
    let why = if bare.contains('_') {
        "it has an underscore"
    } else if bare.split('.').any(hyphen) {
        "a part of it starts or ends with a hyphen"
    } else {
        return None;
    };
    Some(BaseWarning::HostName { host: host(), why })
}

/// A name that is not read as it is written, or whose letters look like others.
fn odd_spelling(written: &str, name: &str) -> Option<BaseWarning> {
    let means = || name.to_owned();
    if written.eq_ignore_ascii_case(name) {
        return None;
    }
    let (shown, _) = idna::domain_to_unicode(name);
    if written.to_lowercase() != shown || written.contains(['ß', 'ς', '\u{200c}', '\u{200d}']) {
        return Some(BaseWarning::Spelling { means: means() });
    }
    let mixed = |label: &str| label.chars().any(|letter| letter.is_ascii_alphabetic()) && label.chars().any(looks_latin);
    written.split('.').any(mixed).then(|| BaseWarning::Lookalike {
        host: written.to_owned(),
        means: means(),
    })
}

/// A letter of a script whose letters pass for Latin ones: Greek, Cyrillic, Armenian, Cherokee.
fn looks_latin(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{1c80}'..='\u{1c8f}')
}
