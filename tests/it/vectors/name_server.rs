//! A name server for one zone, as the dns vectors write it: A, AAAA and CNAME records, `SEQ` (a
//! list of answers, one for each question), `RCODE`, `DROP` and `EMPTY`.

use std::collections::HashMap;
use std::net::{IpAddr, UdpSocket};
use std::sync::{Arc, Mutex};

use serde_json::Value;

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

#[derive(Default)]
struct Zone {
    records: Vec<Value>,
    asked: HashMap<(String, u16), usize>,
}

pub(super) struct NameServer {
    zone: Arc<Mutex<Zone>>,
}

impl NameServer {
    pub(super) fn start(address: &str) -> Self {
        let socket = UdpSocket::bind(address).expect("a port in this namespace");
        let zone = Arc::new(Mutex::new(Zone::default()));
        let served = Arc::clone(&zone);
        std::thread::spawn(move || {
            let mut question = [0; 4096];
            while let Ok((length, from)) = socket.recv_from(&mut question) {
                let mut zone = served.lock().expect("no thread panics with it");
                if let Some(answer) = zone.answer(&question[..length]) {
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        Self { zone }
    }

    pub(super) fn serve(&self, records: Value) {
        *self.zone.lock().expect("no thread panics with it") = Zone {
            records: records.as_array().cloned().unwrap_or_default(),
            asked: HashMap::new(),
        };
    }
}

struct Record {
    name: String,
    kind: u16,
    content: Vec<u8>,
}

impl Zone {
    fn answer(&mut self, question: &[u8]) -> Option<Vec<u8>> {
        let (name, end) = read_name(question)?;
        let kind = u16::from_be_bytes([*question.get(end)?, *question.get(end + 1)?]);
        let mut records = Vec::new();
        let code = self.look(&name, kind, 0, &mut records)?;
        let mut out = question[..2].to_vec();
        for word in [0x8180 | u16::from(code), 1, records.len() as u16, 0, 0] {
            out.extend(word.to_be_bytes());
        }
        out.extend(&question[12..end + 4]);
        for record in records {
            out.extend(write_name(&record.name));
            out.extend(record.kind.to_be_bytes());
            out.extend([0, 1, 0, 0, 0, 1]);
            out.extend((record.content.len() as u16).to_be_bytes());
            out.extend(record.content);
        }
        out.truncate(4000);
        Some(out)
    }

    /// The response code; nothing to stay silent.
    fn look(&mut self, name: &str, kind: u16, depth: usize, out: &mut Vec<Record>) -> Option<u8> {
        let known: Vec<Value> = self
            .records
            .iter()
            .filter(|record| text(&record["name"]).eq_ignore_ascii_case(name))
            .cloned()
            .collect();
        match known.first().map(|record| (text(&record["type"]), &record["data"])) {
            None => return Some(3),
            Some(("DROP", _)) => return None,
            Some(("RCODE", code)) => return Some(code.as_u64().unwrap_or(2) as u8),
            Some(("EMPTY" | "HOSTS", _)) => return Some(0),
            Some(("SEQ", lists)) => {
                let asked = self.asked.entry((name.to_owned(), kind)).or_default();
                let lists = lists.as_array()?;
                let list = lists.get(*asked).or(lists.last())?;
                *asked += 1;
                out.extend(list.as_array()?.iter().filter_map(|address| record(name, kind, text(address))));
                return Some(0);
            }
            Some(_) => {}
        }
        for entry in &known {
            let content = text(&entry["data"]);
            if text(&entry["type"]) == "CNAME" && depth < 24 {
                out.push(Record {
                    name: name.to_owned(),
                    kind: CNAME,
                    content: write_name(content),
                });
                self.look(content, kind, depth + 1, out);
            } else {
                out.extend(record(name, kind, content));
            }
        }
        Some(0)
    }
}

/// The address as a record of the kind that was asked for.
fn record(name: &str, kind: u16, address: &str) -> Option<Record> {
    let content = match (address.parse().ok()?, kind) {
        (IpAddr::V4(ip), A) => ip.octets().to_vec(),
        (IpAddr::V6(ip), AAAA) => ip.octets().to_vec(),
        _ => return None,
    };
    Some(Record {
        name: name.to_owned(),
        kind,
        content,
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The name in a question and where it ends.
fn read_name(question: &[u8]) -> Option<(String, usize)> {
    let mut labels = Vec::new();
    let mut at = 12;
    while let length @ 1.. = usize::from(*question.get(at)?) {
        labels.push(String::from_utf8_lossy(question.get(at + 1..at + 1 + length)?).into_owned());
        at += length + 1;
    }
    Some((labels.join("."), at + 1))
}

fn write_name(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        out.push(label.len() as u8);
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}
