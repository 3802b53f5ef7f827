//! Streamable HTTP, as a server of ours sees it.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc;

use becket::mcp::{Era, Session, Why};
use serde_json::{Map, Value, json};

use crate::service::{Line, Seen, Service, Then};
use crate::vectors::mcp_client::remote::{Fixture, address, connector, keys, settings, tool};

const SECRET: &str = "SECRETVALUE";

fn tools() -> Value {
    json!([tool("tides_today", json!({"type": "object"}))])
}

fn body(seen: &Seen) -> Value {
    serde_json::from_slice(&seen.body).unwrap_or_default()
}

fn call(url: &str, era: Era) -> Result<Value, String> {
    let (connector, keys) = (connector(url, "tides_today", false), keys());
    let mut session = Session::new(&connector, &keys, settings(era));
    let called = session.call(&connector.capabilities[0], &Map::new());
    called.map(|reply| reply.value).map_err(|failure| failure.to_string())
}

#[test]
fn a_session_of_the_older_era() {
    let service = Fixture::new(&json!({}), Era::Legacy, tools()).start();
    call(&address(&service), Era::Legacy).expect("an answer");
    let seen = service.seen();
    let lines: Vec<(String, Value)> = seen
        .iter()
        .map(|seen| (seen.method.clone(), body(seen)["method"].clone()))
        .collect();
    let post = |method: &str| ("POST".to_owned(), json!(method));
    let expected = [
        post("initialize"),
        post("notifications/initialized"),
        post("tools/list"),
        post("tools/call"),
        ("DELETE".to_owned(), Value::Null),
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        (seen[0].header("mcp-session-id"), seen[0].header("mcp-protocol-version")),
        (None, None)
    );
    for later in &seen[1..] {
        assert_eq!(later.header("mcp-session-id"), Some("session-0"));
        assert_eq!(later.header("mcp-protocol-version"), Some("2025-11-25"));
    }
    for request in &seen {
        assert_eq!(request.header("accept"), Some("application/json, text/event-stream"));
        assert_eq!(request.header("x-api-key"), Some(SECRET));
        assert_eq!(request.target, "/mcp");
        assert!(!body(request).to_string().contains(SECRET));
    }
}

#[test]
fn a_request_of_the_newer_era_says_what_it_is() {
    let service = Fixture::new(&json!({}), Era::Modern, tools()).start();
    call(&address(&service), Era::Auto).expect("an answer");
    let seen = service.seen();
    let methods: Vec<_> = seen.iter().map(|seen| seen.header("mcp-method").map(str::to_owned)).collect();
    assert_eq!(
        methods,
        ["server/discover", "tools/list", "tools/call"].map(|method| Some(method.to_owned()))
    );
    for request in &seen {
        assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
        assert_eq!(request.header("mcp-session-id"), None);
        let meta = &body(request)["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
    assert_eq!(seen[2].header("mcp-name"), Some("tides_today"));
    assert_eq!(seen[1].header("mcp-name"), None);
}

/// Plays a call by itself and everything else as a good server of the older era.
fn legacy(play: impl Fn(&Seen, &mut Line) -> Option<std::io::Result<Then>> + Send + Sync + 'static) -> Service {
    let good = Fixture::new(&json!({}), Era::Legacy, tools());
    Service::start(move |seen, line| play(seen, line).unwrap_or_else(|| good.play(seen, line)))
}

const EVENTS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

fn answer(id: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": "7"}]}}).to_string()
}

#[test]
fn the_servers_own_request_is_answered_while_the_stream_is_open() {
    let (tells, told) = mpsc::channel::<Value>();
    let (tells, told) = (std::sync::Mutex::new(tells), Arc::new(std::sync::Mutex::new(told)));
    let service = legacy(move |seen, line| {
        let message = body(seen);
        if message.get("method").is_none() && message["id"] == "s1" {
            tells.lock().expect("no panic").send(message).expect("the stream waits");
            return Some(line.answer(202, &[], b""));
        }
        (message["method"] == "tools/call").then(|| {
            let asks = json!({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": {}});
            line.write_all(EVENTS)?;
            write!(line, "data: {asks}\n\n")?;
            line.flush()?;
            let reply = told.lock().expect("no panic").recv_timeout(std::time::Duration::from_secs(10));
            assert_eq!(reply.expect("an answer")["error"]["code"], -32601);
            write!(line, "data: {}\n\n", answer(&message["id"]))?;
            Ok(Then::Close)
        })
    });
    assert_eq!(call(&address(&service), Era::Legacy), Ok(json!(7)));
}

#[test]
fn a_broken_stream_is_gone_on_with() {
    let service = legacy(|seen, line| {
        if seen.method == "GET" {
            assert_eq!(seen.header("last-event-id"), Some("e1"));
            assert_eq!(seen.header("accept"), Some("text/event-stream"));
            let played = line
                .write_all(EVENTS)
                .and_then(|()| write!(line, "id: e2\ndata: {}\n\n", answer(&json!(LAST.get()))));
            return Some(played.map(|()| Then::Close));
        }
        let message = body(seen);
        (message["method"] == "tools/call").then(|| {
            LAST.set(message["id"].as_u64().expect("a number"));
            line.write_all(EVENTS)?;
            line.write_all(b"id: e1\nretry: 10\ndata:\n\n")?;
            Ok(Then::Close)
        })
    });
    assert_eq!(call(&address(&service), Era::Legacy), Ok(json!(7)));
    assert_eq!(service.seen().iter().filter(|seen| seen.method == "GET").count(), 1);
}

/// The number of the call that is to be answered later.
struct Last(std::sync::atomic::AtomicU64);

impl Last {
    fn set(&self, id: u64) {
        self.0.store(id, std::sync::atomic::Ordering::SeqCst);
    }

    fn get(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }
}

static LAST: Last = Last(std::sync::atomic::AtomicU64::new(0));

#[test]
fn no_key_follows_a_redirect_to_another_origin() {
    let other = Service::start(|_, line| line.answer(200, &[], b"{}"));
    let away = address(&other);
    let service = Service::start(move |_, line| line.answer(307, &[("Location", &away)], b""));
    let called = call(&address(&service), Era::Auto);
    assert!(called.as_ref().is_err_and(|why| why.contains("is outside")), "{called:?}");
    assert_eq!(other.seen().len(), 0);
}

#[test]
fn an_answer_has_a_limit() {
    for media in ["application/json", "text/event-stream"] {
        let service = legacy(move |seen, line| {
            (body(seen)["method"] == "tools/call").then(|| {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nConnection: close\r\n\r\ndata: ");
                line.write_all(head.as_bytes())?;
                line.write_all(&vec![b'x'; (5 << 20) + 10])?;
                Ok(Then::Close)
            })
        });
        let called = call(&address(&service), Era::Legacy);
        assert!(called.as_ref().is_err_and(|why| why.contains("is larger than 5 MB")), "{called:?}");
    }
}

#[test]
fn a_key_that_is_not_set_sends_no_header() {
    let service = Fixture::new(&json!({}), Era::Legacy, tools()).start();
    let (connector, keys) = (connector(&address(&service), "tides_today", false), becket::keys::Keys::default());
    Session::new(&connector, &keys, settings(Era::Legacy))
        .call(&connector.capabilities[0], &Map::new())
        .expect("an answer");
    assert!(service.seen().iter().all(|seen| seen.header("x-api-key").is_none()));
}

#[test]
fn a_refused_key_says_so() {
    let service = Service::start(|_, line| line.answer(401, &[], b"{\"message\": \"bad key SECRETVALUE\"}"));
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    let failure = Session::new(&connector, &keys, settings(Era::Auto))
        .call(&connector.capabilities[0], &Map::new())
        .expect_err("refused");
    let host = format!("127.0.0.1:{}", service.port());
    assert_eq!(failure.to_string(), format!("{host} refused the key (401): bad key ***"));
    assert!(matches!(*failure.why, Why::Http(_)));
}

#[test]
fn what_a_server_asks_outside_of_a_call_is_answered() {
    let (tells, told) = mpsc::channel::<Value>();
    let (tells, told) = (std::sync::Mutex::new(tells), std::sync::Mutex::new(told));
    let (begins, begun) = mpsc::channel::<()>();
    let (begins, begun) = (std::sync::Mutex::new(begins), std::sync::Mutex::new(begun));
    let service = legacy(move |seen, line| {
        if seen.method == "GET" {
            let asked = (|| {
                line.write_all(EVENTS)?;
                line.flush()?;
                begun.lock().expect("no panic").recv().expect("a call");
                let schema = json!({"type": "object", "properties": {"port": {"type": "string", "default": "Santos"}}});
                let params = json!({"message": "Which?", "requestedSchema": schema});
                let asks = json!({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create", "params": params});
                write!(line, "data: {asks}\n\n")?;
                line.flush()?;
                Ok(Then::Close)
            })();
            return Some(asked);
        }
        let message = body(seen);
        if message.get("method").is_none() && message["id"] == "s1" {
            tells.lock().expect("no panic").send(message).expect("the call waits");
            return Some(line.answer(202, &[], b""));
        }
        (message["method"] == "tools/call").then(|| {
            begins.lock().expect("no panic").send(()).expect("the stream waits");
            let answered = told.lock().expect("no panic").recv().expect("an answer");
            let text = answered["result"]["content"]["port"].as_str().unwrap_or_default();
            let result = json!({"content": [{"type": "text", "text": text}]});
            let whole = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
            line.answer(200, &[("Content-Type", "application/json")], whole.as_bytes())
        })
    });
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    let asking = becket::mcp::Settings {
        input: becket::mcp::Input::Defaults,
        ..settings(Era::Legacy)
    };
    let mut session = Session::new(&connector, &keys, asking);
    let called = session.call(&connector.capabilities[0], &Map::new());
    assert_eq!(
        called.map(|reply| reply.value).map_err(|failure| failure.to_string()),
        Ok(json!({"text": "Santos"}))
    );
    drop(session);
    let seen = service.seen();
    let stream = seen.iter().find(|seen| seen.method == "GET").expect("a stream was asked for");
    assert_eq!(
        (stream.header("accept"), stream.header("mcp-session-id"), stream.header("x-api-key")),
        (Some("text/event-stream"), Some("session-0"), Some(SECRET))
    );
}

#[test]
fn a_session_that_is_lost_is_begun_anew() {
    let lost = std::sync::atomic::AtomicBool::new(false);
    let service = legacy(move |seen, line| {
        let first = body(seen)["method"] == "tools/call" && !lost.swap(true, std::sync::atomic::Ordering::SeqCst);
        let gone = json!({"jsonrpc": "2.0", "id": body(seen)["id"], "error": {"code": -32001, "message": "Session not found"}});
        first.then(|| line.answer(404, &[("Content-Type", "application/json")], gone.to_string().as_bytes()))
    });
    let (connector, keys) = (connector(&address(&service), "tides_today", false), keys());
    let mut session = Session::new(&connector, &keys, settings(Era::Legacy));
    let mut call = || session.call(&connector.capabilities[0], &Map::new()).map(|reply| reply.value);
    // The server has not looked at the call, so it is made again by itself.
    assert!(call().is_ok());
    assert!(call().is_ok());
    let methods: Vec<Value> = service.seen().iter().map(|seen| body(seen)["method"].clone()).collect();
    let asked = |method: &str| methods.iter().filter(|asked| **asked == *method).count();
    assert_eq!((asked("initialize"), asked("tools/list"), asked("tools/call")), (2, 2, 3));
}
