//! One HTTP/1.1 agent: addresses vetted by the guard, TLS by rustls with ring, no proxy, no
//! redirect and no retry of its own. Connections are kept for the next call to the same origin.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ureq::Agent;
use ureq::Error;
use ureq::config::Config;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, RustlsConnector, TcpConnector, Transport};

use crate::exec::guard::{Guard, Reach};

/// Whose certificates are trusted.
#[derive(Debug, Clone, Default)]
pub enum Roots {
    /// The computer's own; `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them.
    #[default]
    System,
    /// These and no others.
    Only(Vec<Certificate<'static>>),
}

impl Roots {
    /// The certificates of a PEM text; `None` when there is none.
    pub fn from_pem(text: &[u8]) -> Option<Self> {
        let certificates: Vec<_> = parse_pem(text)
            .filter_map(|part| match part {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            })
            .collect();
        (!certificates.is_empty()).then_some(Self::Only(certificates))
    }
}

/// An agent and the number of connections that it has opened.
#[derive(Debug)]
pub(super) struct Wire {
    pub(super) agent: Agent,
    dials: Arc<AtomicUsize>,
}

impl Wire {
    /// Opens nothing. Root certificates are read at the first https connection.
    pub(super) fn new(reach: Reach, roots: &Roots, limit: Duration) -> Self {
        let dials = Arc::new(AtomicUsize::new(0));
        let dialler = Dialler {
            chain: ().chain(TcpConnector::default()).chain(RustlsConnector::default()),
            dials: Arc::clone(&dials),
        };
        Self {
            agent: Agent::with_parts(config(roots, limit), dialler, Guard::new(reach)),
            dials,
        }
    }

    pub(super) fn dials(&self) -> usize {
        self.dials.load(Ordering::Relaxed)
    }
}

fn config(roots: &Roots, limit: Duration) -> Config {
    let roots = match roots {
        Roots::System => RootCerts::PlatformVerifier,
        Roots::Only(certificates) => RootCerts::Specific(Arc::new(certificates.clone())),
    };
    let tls = TlsConfig::builder()
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(roots)
        .build();
    Config::builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .timeout_global(Some(limit))
        .user_agent("")
        .accept("")
        .tls_config(tls)
        .build()
}

/// A connection that ended without saying that it was the end. The HTTP layer takes some of these
/// for the end of an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection was cut")]
pub(super) struct Cut;

/// Dials, counts, and watches what it dialled.
#[derive(Debug)]
struct Dialler<C> {
    chain: C,
    dials: Arc<AtomicUsize>,
}

impl<C: Connector<()>> Connector<()> for Dialler<C> {
    type Out = Watched<C::Out>;

    fn connect(&self, details: &ConnectionDetails, chained: Option<()>) -> Result<Option<Self::Out>, Error> {
        self.dials.fetch_add(1, Ordering::Relaxed);
        Ok(self.chain.connect(details, chained)?.map(Watched))
    }
}

#[derive(Debug)]
struct Watched<T>(T);

impl<T: Transport> Transport for Watched<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.0.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.0.await_input(timeout).map_err(|error| match error {
            Error::Io(error) if is_cut(&error) => Error::Io(io::Error::other(Cut)),
            other => other,
        })
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }

    fn is_tls(&self) -> bool {
        self.0.is_tls()
    }
}

/// Whether an error says that the other side went away.
pub(super) fn is_cut(error: &io::Error) -> bool {
    let went = matches!(
        error.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
    );
    went || error.get_ref().is_some_and(|inner| inner.is::<Cut>())
}
