//! Which addresses a call may reach. A name is looked up once for each connection, every address
//! of the answer is judged, and exactly the judged addresses are dialled. One bad address refuses
//! the whole name. Literal hosts come this way too. Called by the wire; knows no HTTP.

use std::net::IpAddr;

use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::model::address;

/// What a connection may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Public addresses only.
    Public,
    /// This computer only, for a base that is this computer.
    Loopback,
}

/// Why a name leads nowhere that we may go.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Blocked {
    #[error("{address} is a private address; a connector may reach one only if its base is this computer")]
    Private { address: IpAddr },
    #[error("{address} is not a public address ({why}); a connector may reach one only if its base is this computer")]
    Special { address: IpAddr, why: &'static str },
    #[error("{address} is not this computer, where the base says that the service is")]
    Elsewhere { address: IpAddr },
}

/// A name that no resolver knows, or that could not be looked up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unresolved(pub(super) String);

/// Whether an address may be dialled.
pub fn judge(reach: Reach, address: IpAddr) -> Result<(), Blocked> {
    match (reach, address::refusal(address)) {
        (Reach::Loopback, _) if address.to_canonical().is_loopback() => Ok(()),
        (Reach::Loopback, _) => Err(Blocked::Elsewhere { address }),
        (Reach::Public, None) => Ok(()),
        (Reach::Public, Some("private")) => Err(Blocked::Private { address }),
        (Reach::Public, Some(why)) => Err(Blocked::Special { address, why }),
    }
}

/// The system's resolver, with every answer judged.
#[derive(Debug)]
pub(super) struct Guard {
    reach: Reach,
    system: DefaultResolver,
}

impl Guard {
    pub(super) fn new(reach: Reach) -> Self {
        Self {
            reach,
            system: DefaultResolver::default(),
        }
    }
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.system.resolve(uri, config, timeout).map_err(|error| match error {
            Error::Io(error) => Error::Other(Box::new(Unresolved(error.to_string()))),
            other => other,
        })?;
        for socket in &found {
            judge(self.reach, socket.ip()).map_err(|blocked| Error::Other(Box::new(blocked)))?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn public_reach_refuses_what_is_not_public() {
        assert_eq!(judge(Reach::Public, at("93.184.215.14")), Ok(()));
        assert_eq!(
            judge(Reach::Public, at("10.0.0.5")).unwrap_err().to_string(),
            "10.0.0.5 is a private address; a connector may reach one only if its base is this computer"
        );
        for refused in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1"] {
            assert!(judge(Reach::Public, at(refused)).is_err(), "{refused}");
        }
    }

    #[test]
    fn loopback_reach_refuses_everything_else() {
        for allowed in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(judge(Reach::Loopback, at(allowed)), Ok(()), "{allowed}");
        }
        for refused in ["93.184.215.14", "10.0.0.1", "0.0.0.0", "::"] {
            assert!(judge(Reach::Loopback, at(refused)).is_err(), "{refused}");
        }
    }
}
