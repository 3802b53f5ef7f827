//! Plays what a faulty service sends, as the `server` part of a response vector says.

use std::io::{self, Write};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibDecoder, ZlibEncoder};
use serde_json::Value;

use crate::brotli;
use crate::service::{Line, Seen, Then};

/// One fault and how much faster than written it plays.
pub(crate) struct Fault {
    pub(crate) server: Value,
    pub(crate) pace: f64,
    /// Made before the call, so that packing a bomb takes none of its time.
    body: Vec<u8>,
}

impl Fault {
    pub(crate) fn new(server: Value, pace: f64) -> Self {
        let body = body(&server["gen"]);
        Self { server, pace, body }
    }

    fn time(&self, milliseconds: &Value) -> Duration {
        Duration::from_secs_f64(milliseconds.as_f64().unwrap_or(0.0) / 1000.0 / self.pace)
    }

    pub(crate) fn play(&self, seen: &Seen, line: &mut Line) -> io::Result<Then> {
        let server = &self.server;
        if server["rst"] == "after-request" {
            return Ok(Then::Reset);
        }
        if server["gen"].is_null() && server["then"] == "close" {
            return Ok(Then::Close);
        }
        if server["gen"].is_null() && server["then"] == "hold" {
            line.hold();
            return Ok(Then::Close);
        }
        if let Some(every) = server["informational"].get("every_ms") {
            return self.inform(line, every);
        }
        if !server["raw"].is_null() {
            line.write_all(&body(&server["raw"]))?;
            return Ok(Then::Close);
        }
        if server["redirects"].is_u64() {
            return self.redirect(seen, line);
        }
        if server["part"] != "body" {
            line.pause(self.time(&server["delay_ms"]))?;
        }
        self.answer(line)
    }

    fn inform(&self, line: &mut Line, every: &Value) -> io::Result<Then> {
        for _ in 0..1000 {
            line.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            line.pause(self.time(every))?;
        }
        Ok(Then::Close)
    }

    fn redirect(&self, seen: &Seen, line: &mut Line) -> io::Result<Then> {
        let step: u64 = seen.target.rsplit('/').next().and_then(|text| text.parse().ok()).unwrap_or(0);
        line.pause(self.time(&self.server["delay_ms"]))?;
        if self.server["redirects"].as_u64().is_some_and(|all| step < all) {
            return line.answer(302, &[("Location", &format!("/x/{}", step + 1))], b"");
        }
        line.answer(200, &[], b"{\"ok\":true}")
    }

    fn answer(&self, line: &mut Line) -> io::Result<Then> {
        let server = &self.server;
        let mut head = format!("HTTP/1.1 {} X\r\n", server["status"].as_u64().unwrap_or(200));
        let mut measured = false;
        for (name, value) in server["headers"].as_object().into_iter().flatten() {
            measured |= name.eq_ignore_ascii_case("content-length");
            head.push_str(&format!("{name}: {}\r\n", value.as_str().unwrap_or_default()));
        }
        let drip = &server["drip"];
        match drip["part"].as_str() {
            Some("status") => return self.drip(line, head.as_bytes(), &drip["every_ms"]),
            Some("headers") => {
                line.write_all(head.as_bytes())?;
                let rest = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", self.body.len());
                return self.drip(line, rest.as_bytes(), &drip["every_ms"]);
            }
            Some("endless-headers") => {
                line.write_all(head.as_bytes())?;
                return self.drip_lines(line, &drip["every_ms"]);
            }
            _ => {}
        }
        match server["gen"]["kind"].as_str() {
            Some("endless") => return self.endless(line, &head),
            Some("drip") => {
                line.write_all(format!("{head}\r\n").as_bytes())?;
                return self.drip(line, &[b'x'; 1000], &server["gen"]["every_ms"]);
            }
            _ => {}
        }
        if !measured {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        line.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
        if server["rst"] == "in-body" {
            line.write_all(&self.body[..self.body.len().min(1)])?;
            return Ok(Then::Reset);
        }
        if server["part"] == "body" {
            line.pause(self.time(&server["delay_ms"]))?;
        }
        if drip["part"] == "body" {
            return self.drip(line, &self.body, &drip["every_ms"]);
        }
        line.write_all(&self.body)?;
        if server["then"] == "hold" {
            line.hold();
        }
        Ok(Then::Close)
    }

    fn drip(&self, line: &mut Line, bytes: &[u8], every: &Value) -> io::Result<Then> {
        for byte in bytes {
            line.write_all(&[*byte])?;
            line.pause(self.time(every))?;
        }
        Ok(Then::Close)
    }

    fn drip_lines(&self, line: &mut Line, every: &Value) -> io::Result<Then> {
        for _ in 0..1000 {
            line.write_all(b"X: y\r\n")?;
            line.pause(self.time(every))?;
        }
        Ok(Then::Close)
    }

    fn endless(&self, line: &mut Line, head: &str) -> io::Result<Then> {
        line.write_all(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes())?;
        let chunk = vec![b'x'; self.server["gen"]["chunk"].as_u64().unwrap_or(1024) as usize];
        for _ in 0..100_000 {
            line.write_all(format!("{:x}\r\n", chunk.len()).as_bytes())?;
            line.write_all(&chunk)?;
            line.write_all(b"\r\n")?;
        }
        Ok(Then::Close)
    }
}

/// The bytes that a `gen` part stands for.
fn body(made: &Value) -> Vec<u8> {
    let number = |name: &str| made[name].as_u64().unwrap_or(0) as usize;
    let encode = made["encode"].as_str().unwrap_or("");
    match made["kind"].as_str() {
        None => b"{\"ok\":true}".to_vec(),
        Some("raw") => raw(made),
        Some("fill") => vec![b'x'; number("n")],
        Some("zeros") if encode == "br" => brotli::zeros(number("n")),
        Some("zeros") => zeros(number("n") >> 20, encode),
        Some("members") => (0..number("n"))
            .flat_map(|at| encoded(format!("{{\"a\":{at}}}").as_bytes(), "gzip"))
            .collect(),
        Some("json_string") => json_string(number("total"), encode, made),
        Some(_) => Vec::new(),
    }
}

fn raw(made: &Value) -> Vec<u8> {
    let decode = |name: &str| made[name].as_str().map(|text| STANDARD.decode(text).expect("base64"));
    decode("b64").unwrap_or_else(|| {
        let mut decoder = ZlibDecoder::new(Vec::new());
        decoder.write_all(&decode("b64zlib").expect("one of the two")).expect("zlib");
        decoder.finish().expect("zlib")
    })
}

/// So many MiB of zeros, made out of one: as members of gzip, or as blocks of deflate.
fn zeros(mebibytes: usize, encodings: &str) -> Vec<u8> {
    let zeros = vec![0; 1 << 20];
    if let Some(more) = encodings.strip_prefix("gzip") {
        let members = encoded(&zeros, "gzip").repeat(mebibytes);
        return more.strip_prefix(',').map_or(members.clone(), |more| encoded(&members, more));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&zeros).and_then(|()| encoder.flush()).expect("memory");
    let sum = ((mebibytes << 20) % 65521) as u32;
    let mut out = vec![0x78, 0x9c];
    out.extend(encoder.get_ref().repeat(mebibytes));
    out.extend([3, 0]);
    out.extend((sum << 16 | 1).to_be_bytes());
    out
}

fn json_string(total: usize, encode: &str, made: &Value) -> Vec<u8> {
    let mut text = vec![b'a'; total];
    for at in [0, total.saturating_sub(1)] {
        if let Some(byte) = text.get_mut(at) {
            *byte = b'"';
        }
    }
    let mut body = match encode {
        "br" => brotli::stored(&text),
        _ => encoded(&text, encode),
    };
    if let Some(part) = made["cut"].as_f64() {
        body.truncate((body.len() as f64 * part) as usize);
    }
    body.extend(std::iter::repeat_n(b'z', made["trail"].as_u64().unwrap_or(0) as usize));
    body
}

/// Packed as a list of encodings says; what nobody packs (zstd) goes as it is.
fn encoded(body: &[u8], encodings: &str) -> Vec<u8> {
    encodings
        .split(',')
        .map(str::trim)
        .fold(body.to_vec(), |body, encoding| match encoding {
            "gzip" => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&body).expect("memory");
                encoder.finish().expect("memory")
            }
            "deflate" => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(&body).expect("memory");
                encoder.finish().expect("memory")
            }
            _ => body,
        })
}
