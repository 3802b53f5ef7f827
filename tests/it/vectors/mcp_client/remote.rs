//! The vectors of remote servers, played by a fixture on 127.0.0.1 in both eras.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use becket::exec;
use becket::keys::{Keys, Origin, Secret};
use becket::mcp::{Era, Session, Settings, Why, header_key};
use becket::model::{Base, Connector, Scheme, Transport};
use becket::rules;
use becket::source::Source;
use serde_json::{Map, Value, json};

use super::super::response::together;
use super::{Called, LIMITS, clean, expected, figures, good, is, load};
use crate::service::{Line, Seen, Service, Then};

#[test]
fn remote() {
    let Some(vectors) = load("mcp_client.json") else { return };
    let of_class: Vec<_> = vectors.iter().filter(|vector| vector["transport"] == "http").collect();
    let failures = together(&of_class, judge);
    figures("mcp http", of_class.len(), &failures);
}

/// A server of one era, with the fault of a vector.
pub(crate) struct Fixture {
    pub(crate) fault: Value,
    pub(crate) era: Era,
    pub(crate) tools: Value,
    calls: AtomicUsize,
    sessions: AtomicUsize,
    /// Sessions that the server has forgotten.
    forgotten: Mutex<Vec<String>>,
}

impl Fixture {
    pub(crate) fn new(fault: &Value, era: Era, tools: Value) -> Self {
        Self {
            fault: fault.clone(),
            era,
            tools,
            calls: AtomicUsize::new(0),
            sessions: AtomicUsize::new(0),
            forgotten: Mutex::default(),
        }
    }

    pub(crate) fn start(self) -> Service {
        Service::start(move |seen, line| self.play(seen, line))
    }

    pub(crate) fn play(&self, seen: &Seen, line: &mut Line) -> io::Result<Then> {
        if seen.method != "POST" {
            return line.answer(200, &[], b"");
        }
        let message: Value = serde_json::from_slice(&seen.body).unwrap_or_default();
        let fault = &self.fault;
        if let Some(status) = fault["status"].as_u64() {
            let everywhere = fault["after"].is_null() && !(fault["empty"] == true);
            let once = fault["after"].is_u64() && message["method"] == "tools/call" && self.calls.fetch_add(1, Ordering::Relaxed) == 1;
            let first = fault["empty"] == true && message["method"] == "server/discover";
            if once {
                let session = seen.header("mcp-session-id").unwrap_or_default().to_owned();
                self.forgotten.lock().expect("no panic").push(session);
            }
            if everywhere || once || first {
                return self.refuse(u16::try_from(status).expect("a status"), &message, line);
            }
        }
        let method = message["method"].as_str().unwrap_or_default();
        let (result, session) = match (method, self.era) {
            (_, Era::Legacy) if message["id"].is_null() => return line.answer(202, &[], b""),
            ("server/discover", Era::Modern) => (
                json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private"}),
                None,
            ),
            ("server/discover", _) => {
                let error =
                    json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Bad Request: Server not initialized"}});
                return line.answer(400, &[("Content-Type", "application/json")], error.to_string().as_bytes());
            }
            ("initialize", Era::Legacy) => {
                let number = self.sessions.fetch_add(1, Ordering::Relaxed);
                let version = &message["params"]["protocolVersion"];
                let result =
                    json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "fixture", "version": "1"}});
                (result, Some(self.session(number)))
            }
            ("tools/list", _) => (json!({ "tools": self.tools }), None),
            ("tools/call", _) => {
                return self.call(&message, line);
            }
            _ => {
                let error = json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no such method"}});
                return line.answer(404, &[("Content-Type", "application/json")], error.to_string().as_bytes());
            }
        };
        let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(session.as_deref().map(|session| ("Mcp-Session-Id", session)));
        headers.extend(fault["h"]["Set-Cookie"].as_str().map(|cookie| ("Set-Cookie", cookie)));
        line.answer(200, &headers, body.as_bytes())
    }

    fn session(&self, number: usize) -> String {
        match self.fault["session"].as_str() {
            Some(_) => "x".repeat(1_000_000),
            None => format!("session-{number}"),
        }
    }

    fn refuse(&self, status: u16, message: &Value, line: &mut Line) -> io::Result<Then> {
        let mut headers = Vec::new();
        headers.extend(
            self.fault["h"]["WWW-Authenticate"]
                .as_str()
                .map(|value| ("WWW-Authenticate", value)),
        );
        let body = match self.fault["code"].as_i64() {
            Some(code) => {
                json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": "Method not found"}}).to_string()
            }
            None => String::new(),
        };
        line.answer(status, &headers, body.as_bytes())
    }

    fn call(&self, message: &Value, line: &mut Line) -> io::Result<Then> {
        let fault = &self.fault;
        let answer = |id: &Value| {
            let mut result = json!({"content": [], "structuredContent": good()});
            if self.era == Era::Modern {
                result["resultType"] = "complete".into();
            }
            json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string()
        };
        let right = answer(&message["id"]);
        if let Some(kind) = fault["sse"].as_str() {
            return events(kind, &right, &answer(&json!(999_999_999)), line);
        }
        let body = match (&fault["empty"], &fault["batch"]) {
            (Value::Bool(true), _) if fault["status"].is_null() => String::new(),
            (_, Value::Bool(true)) => format!("[{right}]"),
            _ => right.clone(),
        };
        match fault.get("ct") {
            Some(Value::Null) => line.answer(200, &[], body.as_bytes()),
            Some(Value::String(media)) if media == "text/event-stream" => events("plain", &right, "", line),
            Some(Value::String(media)) => line.answer(200, &[("Content-Type", media)], body.as_bytes()),
            _ => line.answer(200, &[("Content-Type", "application/json")], body.as_bytes()),
        }
    }
}

/// An event stream that ends with the connection.
fn events(kind: &str, right: &str, wrong: &str, line: &mut Line) -> io::Result<Then> {
    let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}).to_string();
    let text = match kind {
        "multiline" => {
            let half = right.find(",\"id\"").expect("an id");
            let rest = right[half + 1..].find(',').expect("more") + half + 1;
            format!(
                "data: {}\ndata: {}\ndata: {}\n\n",
                &right[..half],
                &right[half..rest],
                &right[rest..]
            )
        }
        "crlf" => format!("event: message\r\ndata: {right}\r\n\r\n"),
        "cr" => format!("event: message\rdata: {right}\r\r"),
        "bom" => format!("\u{feff}data: {right}\n\n"),
        "noend" => format!("data: {right}"),
        "nocolon" => format!("data\nfield\n\ndata: {right}\n\n"),
        "otherevent" => format!("event: ping\ndata: {{}}\n\n: comment\n\nevent: message\ndata: {right}\n\n"),
        "noanswer" => format!("data: {note}\n\n"),
        "wrongid" => format!("data: {wrong}\n\ndata: {right}\n\n"),
        _ => format!("event: message\ndata: {note}\n\nevent: message\ndata: {right}\n\n"),
    };
    line.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")?;
    line.write_all(text.as_bytes())?;
    line.flush()?;
    if kind == "hang-after" {
        line.hold();
    }
    Ok(Then::Close)
}

/// A connector for a remote server.
pub(crate) fn connector(url: &str, tool: &str, imported: bool) -> Connector {
    let manifest = json!({
        "name": "tides",
        "description": "Tides.",
        "url": url,
        "headers": ["X-Api-Key"],
        "imported": imported,
        "capabilities": [{"name": "tides.today", "tool": tool, "risk": "read", "signature": "tides.today({})", "returns": "tides"}],
        "contract": [{"capability": "tides.today", "args": {}, "keys": ["port"]}],
    });
    let checked = rules::read(Source::new("connector.json", manifest.to_string()));
    checked.connector.unwrap_or_else(|| panic!("{:?}", checked.findings))
}

pub(crate) fn keys() -> Keys {
    let mut keys = Keys::default();
    keys.insert(header_key("tides", "X-Api-Key"), Secret::new(super::SECRET), Origin::Environment);
    keys
}

pub(crate) fn address(service: &Service) -> String {
    format!("http://127.0.0.1:{}/mcp", service.port())
}

pub(crate) fn settings(era: Era) -> Settings {
    Settings {
        limits: LIMITS,
        era,
        ..Settings::default()
    }
}

pub(crate) fn tool(name: &str, schema: Value) -> Value {
    json!({"name": name, "inputSchema": schema})
}

fn plain_tools() -> Value {
    json!([tool("tides_today", json!({"type": "object"}))])
}

fn judge(vector: &Value) -> Result<(), String> {
    match vector["era"].as_str() {
        Some("both") => {
            played(vector, Era::Legacy).map_err(|why| format!("legacy: {why}"))?;
            played(vector, Era::Modern).map_err(|why| format!("modern: {why}"))
        }
        Some("modern") => played(vector, Era::Modern),
        _ => played(vector, Era::Legacy),
    }
}

fn played(vector: &Value, era: Era) -> Result<(), String> {
    let fault = &vector["server"][0]["http"];
    let words = vector["expect"].as_str().expect("words");
    match vector["id"].as_str().unwrap_or_default() {
        "mcpc-247" => return private(),
        "mcpc-250" | "mcpc-251" | "mcpc-252" => return left_out(fault),
        "mcpc-253" | "mcpc-257" => return mirrored(fault),
        "mcpc-254" => return mirrored_value(fault, "=?base64?YQpi?="),
        "mcpc-255" => return mirrored_value(fault, "=?base64?PT9iYXNlNjQ/eD89?="),
        "mcpc-256" => return named(fault),
        _ => {}
    }
    let service = Fixture::new(fault, era, plain_tools()).start();
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    // Unless the vector fixes it, the client finds the era out.
    let asked = if vector["era"] == "modern" { Era::Modern } else { Era::Auto };
    let mut session = Session::new(&connector, &keys, settings(asked));
    let started = Instant::now();
    let called = session.call(&connector.capabilities[0], &Map::new());
    let took = started.elapsed();
    is(took < LIMITS.call, &took)?;
    let spoken = session.era();
    let cookies = service.seen().iter().filter(|seen| seen.header("cookie").is_some()).count();
    is(cookies == 0, &"a cookie was sent")?;
    let why = |called: &Called| called.as_ref().err().map(|failure| failure.to_string()).unwrap_or_default();
    match words {
        "clean-error (legacy with id: resume)" => clean(&called),
        "clean-error: sign-in not supported; nothing fetched" | "nothing fetched" => {
            is(why(&called).contains("asks for a sign-in"), &called)?;
            is(service.seen().len() == 1, &service.seen().len())
        }
        "clean-error: refused the key" => is(why(&called).contains("refused the key (403)"), &called),
        "clean-error: modern, method unknown" => is(why(&called).contains("Method not found (-32601)"), &called),
        "clean-error naming the old transport" => is(why(&called).contains("HTTP+SSE"), &called),
        "new session, once" => {
            expected("call-ok", &called)?;
            expected("call-ok", &session.call(&connector.capabilities[0], &Map::new()))?;
            let starts = service
                .seen()
                .iter()
                .filter(|seen| String::from_utf8_lossy(&seen.body).contains("\"initialize\""))
                .count();
            is(starts == 2, &starts)
        }
        "initialize" => expected("call-ok", &called).and_then(|()| is(spoken == Some(Era::Legacy), &spoken)),
        "refused" => clean(&called),
        "not kept" => expected("call-ok", &called),
        "call-ok" | "ok at once" => expected("call-ok", &called).and_then(|()| is(spoken == Some(era), &spoken)),
        words => expected(words, &called),
    }
}

/// No address but a public one is ever dialled.
fn private() -> Result<(), String> {
    let mut connector = connector("https://mcp.example.com/", "tides_today", false);
    connector.transport = Transport::Remote {
        url: Base {
            local: false,
            ..crate::service::base(Scheme::Https, "10.0.0.1", 443)
        },
        headers: Vec::new(),
    };
    let keys = Keys::default();
    let called = Session::new(&connector, &keys, settings(Era::Auto)).call(&connector.capabilities[0], &Map::new());
    let blocked = called
        .as_ref()
        .is_err_and(|failure| matches!(*failure.why, Why::Http(exec::Failure::Blocked(_))));
    is(blocked, &called)
}

fn property(fault: &Value) -> Value {
    let kind = fault["type"].as_str().unwrap_or("string");
    match &fault["xhdr"] {
        Value::Array(names) => json!({"a": {"type": kind, "x-mcp-header": names[0]}, "b": {"type": kind, "x-mcp-header": names[1]}}),
        name => json!({"a": {"type": kind, "x-mcp-header": name}}),
    }
}

fn left_out(fault: &Value) -> Result<(), String> {
    let bad = tool("bad", json!({"type": "object", "properties": property(fault)}));
    let tools = json!([tool("tides_today", json!({"type": "object"})), bad]);
    let service = Fixture::new(&json!({}), Era::Modern, tools).start();
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    let mut session = Session::new(&connector, &keys, settings(Era::Auto));
    expected("call-ok", &session.call(&connector.capabilities[0], &Map::new()))?;
    let notes = session.notes();
    is(notes.iter().any(|note| note.contains("`bad` is left out")), &notes)
}

/// The request of a call whose argument `a` is mirrored, and the session's notes.
fn call_with(property: Value, value: &str) -> Result<(Seen, Vec<String>), String> {
    let schema = json!({"type": "object", "properties": property});
    let service = Fixture::new(&json!({}), Era::Modern, json!([tool("tides_today", schema)])).start();
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    let mut session = Session::new(&connector, &keys, settings(Era::Auto));
    let args = [("a".to_owned(), Value::from(value))].into_iter().collect();
    expected("call-ok", &session.call(&connector.capabilities[0], &args))?;
    let seen = service
        .seen()
        .into_iter()
        .find(|seen| seen.header("mcp-method") == Some("tools/call"));
    Ok((seen.ok_or("no call came")?, session.notes()))
}

fn mirrored(fault: &Value) -> Result<(), String> {
    let (seen, notes) = call_with(property(fault), "v")?;
    let name = format!("mcp-param-{}", fault["xhdr"].as_str().unwrap_or_default());
    is(seen.header(&name) == Some("v") && seen.header("authorization").is_none(), &seen)?;
    let warned = notes.iter().any(|note| note.contains("everything on the way"));
    is(warned == (fault["xhdr"] == "Token"), &notes)
}

fn mirrored_value(fault: &Value, expected: &str) -> Result<(), String> {
    let value = fault["xval"].as_str().unwrap_or_default();
    let (seen, _) = call_with(json!({"a": {"type": "string", "x-mcp-header": "Region"}}), value)?;
    is(seen.header("mcp-param-region") == Some(expected), &seen)
}

fn named(fault: &Value) -> Result<(), String> {
    let name = fault["name"].as_str().unwrap_or_default();
    let service = Fixture::new(&json!({}), Era::Modern, json!([tool(name, json!({"type": "object"}))])).start();
    let (connector, keys) = (connector(&address(&service), name, true), keys());
    expected(
        "call-ok",
        &Session::new(&connector, &keys, settings(Era::Auto)).call(&connector.capabilities[0], &Map::new()),
    )?;
    let seen = service.seen();
    let call = seen.iter().find(|seen| seen.header("mcp-method") == Some("tools/call"));
    is(
        call.and_then(|call| call.header("mcp-name")) == Some("=?base64?bcOpdMOpbw==?="),
        &call,
    )
}
