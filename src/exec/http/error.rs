//! The HTTP layer's errors in our words. Their own texts are shown only where they say more and
//! cannot hold what was sent.

use std::io::{self, ErrorKind};

use rustls::{AlertDescription, CertificateError};
use ureq::Error;

use super::wire::is_cut;
use crate::exec::Plan;
use crate::exec::failure::Failure;
use crate::exec::guard::{Blocked, Unresolved};
use crate::exec::said::visible;

/// How far a call had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Up to the end of the answer's headers.
    Head,
    Body,
}

/// Whether the other side went away before it answered.
pub(super) fn is_disconnect(error: &Error) -> bool {
    matches!(error, Error::Io(error) if is_cut(error))
}

pub(super) fn told(error: Error, plan: &Plan, phase: Phase) -> Failure {
    let host = plan.base.authority();
    match error {
        Error::Timeout(_) => Failure::TooSlow {
            host,
            seconds: plan.limits.seconds,
        },
        Error::BodyExceedsLimit(_) => Failure::TooLarge {
            host,
            limit: plan.limits.bytes,
        },
        Error::HostNotFound => Failure::Unreachable {
            host,
            why: "its name leads to no address".to_owned(),
        },
        Error::Rustls(error) => Failure::Insecure { host, why: tls(&error) },
        Error::Tls(why) => Failure::Insecure { host, why: why.to_owned() },
        Error::Io(error) => io_failure(&error, host, phase),
        Error::Decompress(_, error) if is_cut(&error) => Failure::CutShort { host },
        Error::Decompress(encoding, _) => Failure::Malformed {
            host,
            problem: format!("the answer does not decode as {encoding}"),
        },
        Error::LargeResponseHeader(_, limit) => Failure::Malformed {
            host,
            problem: format!("more than {} kB of headers", limit / 1024),
        },
        Error::BodyStalled => Failure::Malformed {
            host,
            problem: "a chunk of the answer cannot be read".to_owned(),
        },
        Error::Other(error) => other(error.as_ref(), host),
        Error::Protocol(error) => Failure::Malformed {
            host,
            problem: visible(error.to_string().trim_start_matches("http parse fail: "), 100),
        },
        error => Failure::Malformed {
            host,
            problem: visible(&error.to_string(), 100),
        },
    }
}

fn other(error: &(dyn std::error::Error + Send + Sync + 'static), host: String) -> Failure {
    if let Some(blocked) = error.downcast_ref::<Blocked>() {
        return Failure::Blocked(blocked.clone());
    }
    let why = match error.downcast_ref::<Unresolved>() {
        Some(Unresolved(why)) => format!("its name cannot be looked up ({})", resolver_words(why)),
        None => error.to_string(),
    };
    Failure::Unreachable {
        host,
        why: visible(&why, 200),
    }
}

/// The resolver's reason without the words that every resolver error begins with.
fn resolver_words(why: &str) -> &str {
    why.strip_prefix("failed to lookup address information: ").unwrap_or(why)
}

fn io_failure(error: &io::Error, host: String, phase: Phase) -> Failure {
    if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return Failure::Insecure { host, why: tls(error) };
    }
    if is_cut(error) && phase == Phase::Body {
        return Failure::CutShort { host };
    }
    let why = match error.kind() {
        _ if is_cut(error) => "it closed the connection without an answer".to_owned(),
        ErrorKind::ConnectionRefused => "it refused the connection".to_owned(),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => "no way leads there from this network".to_owned(),
        _ => visible(&error.to_string(), 200),
    };
    Failure::Unreachable { host, why }
}

/// Which check failed. Names in a certificate are the service's text, so only ours are used.
fn tls(error: &rustls::Error) -> String {
    use rustls::Error as Tls;
    match error {
        Tls::InvalidCertificate(error) => certificate(error).to_owned(),
        Tls::AlertReceived(AlertDescription::CertificateRequired) => "it asks for a client certificate".to_owned(),
        Tls::AlertReceived(alert) => format!("it broke off the handshake ({alert:?})"),
        Tls::PeerIncompatible(_) => "it speaks no version or cipher of TLS that we accept (TLS 1.2 and 1.3)".to_owned(),
        Tls::InvalidMessage(_) => "it does not speak TLS".to_owned(),
        Tls::General(why) if why.contains("CA certificates") => {
            "this computer has no root certificates (install ca-certificates or set SSL_CERT_FILE)".to_owned()
        }
        error => visible(&error.to_string(), 200),
    }
}

fn certificate(error: &CertificateError) -> &'static str {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "its certificate has expired",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "its certificate is not valid yet",
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => "its certificate is for another name",
        CertificateError::UnknownIssuer => "its certificate is signed by nobody whom this computer trusts",
        CertificateError::Revoked => "its certificate was revoked",
        CertificateError::BadSignature => "a signature in its certificate chain is wrong or made with too short a key",
        CertificateError::BadEncoding => "its certificate cannot be read",
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => "its certificate is not for servers",
        CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            "its certificate chain uses a signature algorithm that we do not accept"
        }
        _ => "its certificate is not accepted",
    }
}
