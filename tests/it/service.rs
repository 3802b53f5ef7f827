//! A small HTTP service on 127.0.0.1 for tests. A test says what happens to each request; the
//! service keeps what it saw. Threads, no timing, no real service.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use becket::exec::{Header, Piece, Plan};
use becket::model::{Base, Limits, Method, Redirects, Scheme, Span};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// One request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Which connection brought it, from 0.
    pub(crate) connection: usize,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// What becomes of the connection after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Keep,
    Close,
    /// Closed without the goodbye of TLS.
    Cut,
    /// Closed with a reset; only for requests without a body.
    Reset,
}

/// The connection, for a test to write to.
pub(crate) struct Line {
    stream: Stream,
    stop: Arc<AtomicBool>,
}

enum Stream {
    Plain(TcpStream),
    Secure(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Line {
    /// Waits until the other side goes away or the test ends.
    pub(crate) fn hold(&mut self) {
        let socket = self.socket();
        let _ = socket.set_read_timeout(Some(Duration::from_millis(50)));
        for _ in 0..2400 {
            match self.read(&mut [0]) {
                Ok(0) => return,
                Err(error) if !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => return,
                _ if self.stop.load(Ordering::Relaxed) => return,
                _ => {}
            }
        }
    }

    /// Fails when the test has ended, so that endless answers end.
    pub(crate) fn pause(&self, time: Duration) -> io::Result<()> {
        let ends = std::time::Instant::now() + time;
        while std::time::Instant::now() < ends {
            if self.stop.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let left = ends.saturating_duration_since(std::time::Instant::now());
            std::thread::sleep(left.min(Duration::from_millis(20)));
        }
        Ok(())
    }

    /// An answer with its length.
    pub(crate) fn answer(&mut self, status: u16, headers: &[(&str, &str)], body: &[u8]) -> io::Result<Then> {
        let mut head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        self.write_all(format!("{head}\r\n").as_bytes())?;
        self.write_all(body)?;
        Ok(Then::Keep)
    }

    /// TLS only: changes the traffic keys under way.
    pub(crate) fn change_keys(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Secure(stream) => stream.conn.refresh_traffic_keys().map_err(io::Error::other),
            Stream::Plain(_) => Ok(()),
        }
    }

    fn socket(&self) -> &TcpStream {
        match &self.stream {
            Stream::Plain(stream) => stream,
            Stream::Secure(stream) => &stream.sock,
        }
    }

    /// The head up to its last line feed, which stays unread so that a reset is possible.
    fn head(&mut self) -> Option<Vec<u8>> {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r") && head.len() < 1 << 20 {
            match self.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                _ => return None,
            }
        }
        Some(head)
    }

    fn end(&mut self, then: Then) {
        if let (Stream::Secure(stream), Then::Close) = (&mut self.stream, then) {
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
        if then != Then::Reset {
            let _ = self.socket().shutdown(Shutdown::Write);
            // Waits for the other side, so that no unread byte turns the close into a reset.
            let _ = self.socket().set_read_timeout(Some(Duration::from_secs(2)));
            let mut rest = [0; 4096];
            for _ in 0..64 {
                match self.socket().read(&mut rest) {
                    Ok(1..) => {}
                    _ => break,
                }
            }
        }
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Plain(stream) => stream.read(buffer),
            Stream::Secure(stream) => stream.read(buffer),
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stream {
            Stream::Plain(stream) => stream.write(bytes),
            Stream::Secure(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.stream {
            Stream::Plain(stream) => stream.flush(),
            Stream::Secure(stream) => stream.flush(),
        }
    }
}

/// What a test does with a request.
pub(crate) type Play = dyn Fn(&Seen, &mut Line) -> io::Result<Then> + Send + Sync;

pub(crate) struct Service {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    connections: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
}

impl Service {
    pub(crate) fn start(play: impl Fn(&Seen, &mut Line) -> io::Result<Then> + Send + Sync + 'static) -> Self {
        Self::on(LOOPBACK, None, play).expect("a loopback port")
    }

    pub(crate) fn secure(config: Arc<ServerConfig>, play: impl Fn(&Seen, &mut Line) -> io::Result<Then> + Send + Sync + 'static) -> Self {
        Self::on(LOOPBACK, Some(config), play).expect("a loopback port")
    }

    /// On an address of its own; with TLS when there is a configuration for it.
    pub(crate) fn on(
        address: SocketAddr,
        tls: Option<Arc<ServerConfig>>,
        play: impl Fn(&Seen, &mut Line) -> io::Result<Then> + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let service = Self {
            address: listener.local_addr()?,
            seen: Arc::default(),
            connections: Arc::default(),
            stop: Arc::default(),
        };
        let play: Arc<Play> = Arc::new(play);
        let (seen, connections, stop) = (
            Arc::clone(&service.seen),
            Arc::clone(&service.connections),
            Arc::clone(&service.stop),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let number = connections.fetch_add(1, Ordering::Relaxed);
                let (seen, play, stop, tls) = (Arc::clone(&seen), Arc::clone(&play), Arc::clone(&stop), tls.clone());
                std::thread::spawn(move || serve(line(stream, tls, stop), number, &seen, &*play));
            }
        });
        Ok(service)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no test panics while it holds this").clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// The service as a connector's base.
    pub(crate) fn base(&self, scheme: Scheme) -> Base {
        base(scheme, &self.address.ip().to_string(), self.port())
    }

    /// A read of a path of it, without keys.
    pub(crate) fn get(&self, path: &str) -> Plan {
        get(self.base(Scheme::Http), path)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

fn line(stream: TcpStream, tls: Option<Arc<ServerConfig>>, stop: Arc<AtomicBool>) -> Line {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
    let stream = match tls {
        None => Stream::Plain(stream),
        Some(config) => {
            let connection = ServerConnection::new(config).expect("a usable TLS configuration");
            Stream::Secure(Box::new(StreamOwned::new(connection, stream)))
        }
    };
    Line { stream, stop }
}

fn serve(mut line: Line, connection: usize, seen: &Mutex<Vec<Seen>>, play: &Play) {
    let mut then = Then::Keep;
    while then == Then::Keep {
        let Some(head) = line.head() else {
            break;
        };
        let mut request = parse(&head, connection);
        let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        if length > 0 {
            request.body = vec![0; length];
            let _ = line.read(&mut [0]).and_then(|_| line.read_exact(&mut request.body));
        }
        seen.lock().expect("no test panics while it holds this").push(request.clone());
        then = play(&request, &mut line).unwrap_or(Then::Cut);
        if length == 0 && then != Then::Reset {
            let _ = line.read(&mut [0]);
        }
    }
    line.end(then);
}

fn parse(head: &[u8], connection: usize) -> Seen {
    let text: String = head.iter().map(|byte| char::from(*byte)).collect();
    let mut lines = text.lines();
    let mut words = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
    Seen {
        method: words.next().unwrap_or_default(),
        target: words.next().unwrap_or_default(),
        headers: lines
            .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect(),
        body: Vec::new(),
        connection,
    }
}

pub(crate) fn base(scheme: Scheme, host: &str, port: u16) -> Base {
    Base {
        scheme,
        host: host.to_owned(),
        port,
        path: String::new(),
        query: None,
        local: host == "localhost" || host.starts_with("127.") || host == "[::1]",
        at: Span::default(),
    }
}

pub(crate) fn get(base: Base, path: &str) -> Plan {
    Plan {
        capability: "test.read".to_owned(),
        method: Method::Get,
        reads: true,
        base,
        path: path.to_owned(),
        query: Vec::new(),
        headers: vec![
            header("Accept", text("application/json")),
            header("User-Agent", text("becket-test")),
        ],
        body: None,
        limits: Limits {
            seconds: 20,
            ..Limits::CONNECTOR
        },
        redirects: Redirects::SameOrigin,
        at: Span::default(),
    }
}

pub(crate) fn header(name: &str, value: Piece) -> Header {
    Header {
        name: name.to_owned(),
        value: vec![value],
        at: None,
    }
}

pub(crate) fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}
