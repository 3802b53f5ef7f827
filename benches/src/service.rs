//! A service on this computer that gives the same small answer to every request.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

/// 73 bytes of JSON.
pub const ANSWER: &str = r#"{"id":1007,"title":"a thing of the bench","state":"open","updated":12345}"#;

/// Starts the service for as long as the program runs, and gives its address.
pub fn start() -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let base = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(&stream));
        }
    });
    Ok(base)
}

/// Answers request after request; their bodies are empty.
fn answer(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let text = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{ANSWER}",
        ANSWER.len()
    );
    let mut lines = BufReader::new(stream).lines();
    loop {
        while !lines.next().ok_or(io::ErrorKind::UnexpectedEof)??.is_empty() {}
        let mut out = stream;
        out.write_all(text.as_bytes())?;
    }
}
