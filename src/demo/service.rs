//! The library: a few books over HTTP on a loopback port. It answers this program's own demo, so
//! it reads plain requests only and closes after each answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use url::Url;

/// The largest request body that is read.
const BODY: u64 = 64 << 10;

/// A running service. It ends with the program.
pub struct Service {
    base: String,
}

impl Service {
    /// Starts on a free port of 127.0.0.1.
    pub fn start() -> io::Result<Self> {
        Self::on(0)
    }

    /// Starts on a port of 127.0.0.1; 0 is a free one.
    pub fn on(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let base = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                std::thread::spawn(move || answer(stream));
            }
        });
        Ok(Self { base })
    }

    /// Its address, without a trailing slash.
    pub fn base(&self) -> &str {
        &self.base
    }
}

fn answer(mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let (method, target, body) = request(&stream)?;
    let (status, value) = route(&method, &target, &body);
    let text = value.to_string();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
}

fn request(stream: &TcpStream) -> io::Result<(String, String, Vec<u8>)> {
    let mut reader = BufReader::new(stream).take(BODY);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().unwrap_or(0),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    let mut words = first.split(' ').map(str::to_owned);
    Ok((words.next().unwrap_or_default(), words.next().unwrap_or_default(), body))
}

fn route(method: &str, target: &str, body: &[u8]) -> (&'static str, Value) {
    let Ok(url) = Url::parse("http://library").and_then(|base| base.join(target)) else {
        return ("400 Bad Request", json!({"detail": "not an address"}));
    };
    match (method, url.path()) {
        ("GET", "/openapi.json") => ("200 OK", description()),
        ("GET", "/books") => ("200 OK", search(&url)),
        ("POST", "/loans") => lend(body),
        ("GET", path) => path
            .strip_prefix("/books/")
            .and_then(book)
            .map_or_else(no_book, |book| ("200 OK", book)),
        _ => ("404 Not Found", json!({"detail": "no such place"})),
    }
}

/// What the service says of itself.
fn description() -> Value {
    serde_json::from_str(include_str!("openapi.json")).expect("our own description is JSON")
}

fn no_book() -> (&'static str, Value) {
    ("404 Not Found", json!({"detail": "no book has this isbn"}))
}

fn books() -> [Value; 3] {
    let book = |isbn: &str, title: &str, author: &str, subject: &str, copies: u8| json!({"isbn": isbn, "title": title, "author": {"name": author}, "subject": subject, "copies": copies});
    [
        book("9780000000019", "Ebb and Flow", "A. Harbour", "tides", 3),
        book("9780000000026", "Springs and Neaps", "B. Quay", "tides", 1),
        book("9780000000033", "Knots for Sailors", "C. Becket", "ropes", 2),
    ]
}

fn book(isbn: &str) -> Option<Value> {
    books().into_iter().find(|book| book["isbn"] == isbn)
}

fn search(url: &Url) -> Value {
    let asked = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let subject = asked("subject").unwrap_or_default();
    let limit = asked("limit").and_then(|limit| limit.parse().ok()).unwrap_or(usize::MAX);
    let rows: Vec<Value> = books()
        .into_iter()
        .filter(|book| book["subject"] == subject.as_str())
        .take(limit)
        .collect();
    json!({"total": rows.len(), "rows": rows})
}

fn lend(body: &[u8]) -> (&'static str, Value) {
    let Ok(loan) = serde_json::from_slice::<Value>(body) else {
        return ("400 Bad Request", json!({"detail": "the body is not JSON"}));
    };
    match loan["isbn"].as_str().and_then(book) {
        Some(book) => ("201 Created", json!({"loan": 1, "isbn": book["isbn"], "reader": loan["reader"]})),
        None => no_book(),
    }
}
