//! A certificate authority made for one test, and servers with its certificates.

use std::sync::Arc;

use becket::exec::Roots;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};

pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("ring makes keys");
        Self {
            issuer: CertifiedIssuer::self_signed(params, key).expect("a certificate"),
        }
    }

    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    pub(crate) fn roots(&self) -> Roots {
        Roots::from_pem(self.pem().as_bytes()).expect("a certificate")
    }

    /// A server whose certificate is for `names`, changed as the test wants it.
    pub(crate) fn server(&self, names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Arc<ServerConfig> {
        let (chain, key) = self.certificate(names, change);
        server(chain, key, rustls::ALL_VERSIONS)
    }

    pub(crate) fn certificate(
        &self,
        names: &[&str],
        change: impl FnOnce(&mut CertificateParams),
    ) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names");
        change(&mut params);
        let key = KeyPair::generate().expect("ring makes keys");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        (
            vec![certificate.der().clone()],
            PrivateKeyDer::try_from(key.serialize_der()).expect("a key"),
        )
    }
}

pub(crate) fn server(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    versions: &[&'static rustls::SupportedProtocolVersion],
) -> Arc<ServerConfig> {
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(versions)
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a key that fits");
    Arc::new(config)
}

/// The roots of the stored chains, and a server with one of them.
pub(crate) fn stored(chain: &str) -> (Roots, Arc<ServerConfig>) {
    let root = include_bytes!("certificates/root.pem");
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("certificates/leaf.key")).expect("a key");
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain.as_bytes()).collect();
    let config = server(chain.expect("certificates"), key, rustls::ALL_VERSIONS);
    (Roots::from_pem(root).expect("a certificate"), config)
}
