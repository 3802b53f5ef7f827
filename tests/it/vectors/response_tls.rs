//! The class `tls` of the responses, with an authority made for each vector.

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;

use becket::exec::{Client, Plan, Roots};
use becket::model::Scheme;
use rcgen::{CertificateParams, DnType, date_time_ymd};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};

use super::namespace;
use super::response::{Outcome, send};
use crate::authority::{Authority, server, stored};
use crate::service::{Line, Seen, Service, Then, base, get};

/// Plays one vector by its name.
pub(super) fn play(name: &str) -> Result<Outcome, String> {
    let authority = Authority::new();
    let with = |change: &dyn Fn(&mut CertificateParams)| authority.server(&["localhost"], change);
    let plain = || with(&|_| {});
    let (config, roots): (_, Roots) = match name {
        "expired" => (with(&|params| params.not_after = date_time_ymd(2001, 1, 1)), authority.roots()),
        "not yet valid" => (with(&|params| params.not_before = date_time_ymd(3001, 1, 1)), authority.roots()),
        "wrong name" => (authority.server(&["other.example"], |_| {}), authority.roots()),
        "name only in CN" => (authority.server(&[], |params| named(params, "localhost")), authority.roots()),
        "wildcard *.example.com for a.b.example.com" => return namespace::wildcard(),
        "self signed" => (plain(), Authority::new().roots()),
        "IP base, certificate with a name only" => return Ok(call("127.0.0.1", plain(), authority.roots(), ok)),
        "TLS 1.0 only" => return Ok(old(0x01, authority.roots())),
        "TLS 1.1 only" => return Ok(old(0x02, authority.roots())),
        "TLS 1.2" => (only(&authority, &rustls::version::TLS12), authority.roots()),
        "TLS 1.3" => (only(&authority, &rustls::version::TLS13), authority.roots()),
        "RSA 1024 key" => pair(include_str!("../certificates/short-key.pem")),
        "SHA-1 signature" => pair(include_str!("../certificates/sha1.pem")),
        "server asks for a client certificate" => (asking(&authority), authority.roots()),
        "plain HTTP on the TLS port" => return Ok(plain_on_tls(authority.roots())),
        "TLS on the plain port (local base)" => return Ok(tls_on_plain(plain())),
        "close without close_notify, length known" => return Ok(call("localhost", plain(), authority.roots(), cut_after_length)),
        "close without close_notify, no length" => return Ok(call("localhost", plain(), authority.roots(), cut_without_length)),
        "ALPN h2 only" => (h2(&authority), authority.roots()),
        "trusted local CA through --ca-file" => (plain(), authority.roots()),
        "renegotiation" => return Ok(call("localhost", plain(), authority.roots(), changing_keys)),
        other => return Err(format!("nobody knows how to play {other}")),
    };
    Ok(call("localhost", config, roots, ok))
}

fn named(params: &mut CertificateParams, name: &str) {
    params.distinguished_name.push(DnType::CommonName, name);
}

fn pair(chain: &str) -> (Arc<ServerConfig>, Roots) {
    let (roots, config) = stored(chain);
    (config, roots)
}

fn only(authority: &Authority, version: &'static rustls::SupportedProtocolVersion) -> Arc<ServerConfig> {
    let (chain, key) = authority.certificate(&["localhost"], |_| {});
    server(chain, key, &[version])
}

fn asking(authority: &Authority) -> Arc<ServerConfig> {
    let (chain, key) = authority.certificate(&["localhost"], |_| {});
    let mut roots = RootCertStore::empty();
    roots.add(chain[0].clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), Arc::clone(&provider))
        .build()
        .expect("a verifier");
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(rustls::ALL_VERSIONS)
        .expect("versions")
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)
        .expect("a key that fits");
    Arc::new(config)
}

fn h2(authority: &Authority) -> Arc<ServerConfig> {
    let mut config = (*authority.server(&["localhost"], |_| {})).clone();
    config.alpn_protocols = vec![b"h2".to_vec()];
    Arc::new(config)
}

type Answering = fn(&Seen, &mut Line) -> std::io::Result<Then>;

fn ok(_: &Seen, line: &mut Line) -> std::io::Result<Then> {
    line.answer(200, &[], b"{\"ok\":true}")
}

fn cut_after_length(_: &Seen, line: &mut Line) -> std::io::Result<Then> {
    line.answer(200, &[("Connection", "close")], b"{}").map(|_| Then::Cut)
}

fn cut_without_length(_: &Seen, line: &mut Line) -> std::io::Result<Then> {
    line.write_all(b"HTTP/1.1 200 X\r\nConnection: close\r\n\r\n{}")?;
    Ok(Then::Cut)
}

/// The renegotiation of today: TLS 1.3 changes keys under way.
fn changing_keys(_: &Seen, line: &mut Line) -> std::io::Result<Then> {
    line.change_keys()?;
    line.answer(200, &[], b"{\"ok\":true}")
}

fn call(host: &str, config: Arc<ServerConfig>, roots: Roots, answering: Answering) -> Outcome {
    let service = Service::secure(config, answering);
    send(&Client::new(roots), plan(Scheme::Https, host, service.port()), || {
        service.seen().len()
    })
}

fn plan(scheme: Scheme, host: &str, port: u16) -> Plan {
    get(base(scheme, host, port), "/")
}

/// A server that chooses an old version: a ServerHello of TLS 1.0 or 1.1.
fn old(minor: u8, roots: Roots) -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a bound socket").port();
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else {
            return;
        };
        let mut hello = vec![0x16, 3, minor, 0, 42, 2, 0, 0, 38, 3, minor];
        hello.extend([7; 32]);
        hello.extend([0, 0, 0x2f, 0]);
        let _ = stream.write_all(&hello);
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    send(&Client::new(roots), plan(Scheme::Https, "localhost", port), || 0)
}

fn plain_on_tls(roots: Roots) -> Outcome {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a bound socket").port();
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else {
            return;
        };
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    send(&Client::new(roots), plan(Scheme::Https, "localhost", port), || 0)
}

fn tls_on_plain(config: Arc<ServerConfig>) -> Outcome {
    let service = Service::secure(config, ok);
    let plan = plan(Scheme::Http, "localhost", service.port());
    send(&Client::default(), plan, || service.seen().len())
}
