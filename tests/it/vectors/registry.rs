//! Entries of the registry, and what it answers: what may be run of each. Those about the API are
//! played by a server of this computer and the program itself.

use becket::model::Transport;
use becket::registry::{self, Entry, Kind, Status};
use serde_json::{Value, json};
use url::Url;

use super::{figures, load};
use crate::program::{Ended, becket, run};
use crate::service::Service;

const JSON: &[(&str, &str)] = &[("Content-Type", "application/json")];

fn at(service: &Service) -> String {
    format!("http://{}", service.address())
}

#[test]
fn registry() {
    let Some(vectors) = load("registry.json") else {
        return;
    };
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            judge(vector)
                .err()
                .map(|why| format!("{} {} ({}): {why}", vector["id"], vector["what"], vector["expect"]))
        })
        .collect();
    figures("registry", vectors.len(), &failures);
}

fn judge(vector: &Value) -> Result<(), String> {
    let (server, expect) = (&vector["server"], vector["expect"].as_str().unwrap_or_default());
    if vector["cls"] == "api" {
        return api(vector["what"].as_str().unwrap_or_default(), server, expect);
    }
    let mut server = server.clone();
    let fields = server.as_object_mut().ok_or("no server")?;
    let status = fields.remove("_status").unwrap_or(json!("active"));
    let latest = fields.remove("_isLatest").unwrap_or(json!(true));
    let text = server.to_string();
    let long = "x".repeat(1_000_000);
    let server: Value = serde_json::from_str(&text.replace("@size:1000000", &long)).map_err(|error| error.to_string())?;
    let official = json!({"status": status, "isLatest": latest});
    let listed = json!({"server": server, "_meta": {"io.modelcontextprotocol.registry/official": official}});
    let page = registry::page(&json!({"servers": [listed]})).map_err(|error| error.to_string())?;
    match (expect, page.entries.as_slice()) {
        ("not offered", []) => Ok(()),
        (_, [entry]) => entry_is(vector["what"].as_str().unwrap_or_default(), entry, expect),
        (_, entries) => Err(format!("{} entries", entries.len())),
    }
}

/// The command without inputs, and whatever else came of an entry.
fn entry_is(what: &str, entry: &Entry, expect: &str) -> Result<(), String> {
    let ways: Vec<_> = entry.takeable().collect();
    let refused = ways.is_empty() && !entry.why_not().is_empty();
    let holds = match expect {
        "remote" => ways.len() == 1 && ways[0].kind == Kind::Remote,
        "asks API_KEY, hidden input, keyring" => {
            let keys = &ways.first().ok_or("no way")?.keys;
            keys.len() == 1 && keys[0].name == "API_KEY" && keys[0].secret && keys[0].required
        }
        "asks region from the two" => {
            let way = ways.first().ok_or("no way")?;
            let one = |region: &str| way.fill(&[("region".to_owned(), region.to_owned())]);
            let reached = |region: &str| match one(region).map(|filled| filled.transport) {
                Ok(Transport::Remote { url, .. }) => url.text(),
                other => format!("{other:?}"),
            };
            way.inputs[0].choices == ["eu", "us"] && reached("us") == "https://us.example.com/mcp" && one("cn").is_err()
        }
        "asks list" => {
            let way = ways.first().ok_or("no way")?;
            let given = ["/a", "/b"].map(|dir| ("dir".to_owned(), dir.to_owned()));
            way.inputs[0].repeated && command(way, &given)? == "npx -y @acme/weather@1.2.3 /a /b"
        }
        "lets choose" => ways.len() == 2,
        "unsupported" | "refuse" | "refuse or shown and asked" | "ignored or refuse" | "unsupported, said so" => refused,
        "shown in full and asked, or refused" => refused,
        "refuse: must be one exact version" => refused && entry.why_not() == "does not name one exact version",
        "asked, checked after filling" => {
            let way = ways.first();
            let filled = |base: &str| way.map(|way| way.fill(&[("base".to_owned(), base.to_owned())]).is_ok());
            // Braces that no variable explains are text, and no address begins with them.
            filled("https://mcp.example.com") == Some(true) && filled("http://127.0.0.1") == Some(false) || refused
        }
        "unsupported-or-ok" => refused || ways.len() == 1,
        "warn" => !entry.remarks().is_empty(),
        "escaped" => !shown(entry)?.contains('\u{1b}'),
        "warned" => entry.status == Status::Deprecated && !entry.remarks().is_empty(),
        "latest preferred" => {
            let version = |number: &str, latest: bool| {
                let official = json!({"isLatest": latest});
                json!({"server": {"name": "a/b", "version": number}, "_meta": {"io.modelcontextprotocol.registry/official": official}})
            };
            let page = registry::page(&json!({"servers": [version("1.0.0", false), version("1.1.0", true)]}));
            let versions: Vec<String> = page
                .map_err(|error| error.to_string())?
                .entries
                .into_iter()
                .map(|entry| entry.version)
                .collect();
            !entry.latest && versions == ["1.1.0"]
        }
        "ignored" => entry.name == "io.github.acme/weather",
        line => command(ways.first().ok_or_else(|| format!("no way: {}", entry.why_not()))?, &[])? == line,
    };
    match holds {
        true => Ok(()),
        false => Err(format!("{what}: {ways:?}, {}", entry.why_not())),
    }
}

fn command(way: &registry::Way, given: &[(String, String)]) -> Result<String, String> {
    match way.fill(given).map_err(|error| error.to_string())?.transport {
        Transport::Program { command, args } => Ok(becket::adopt::command_line(&command, &args)),
        other => Err(format!("{other:?}")),
    }
}

/// What a terminal would show of it.
fn shown(entry: &Entry) -> Result<String, String> {
    let body = json!({"servers": [{"server": {"name": entry.name, "version": entry.version}}]}).to_string();
    let service = Service::start(move |_, line| line.answer(200, JSON, body.as_bytes()));
    let ended = search(&at(&service), &["x"]);
    match ended.code {
        0 => Ok(ended.out + &ended.err),
        _ => Err(ended.err),
    }
}

fn search(registry: &str, words: &[&str]) -> Ended {
    run(becket().args(["search", "--registry", registry]).args(words))
}

/// What the program makes of an answer of the registry.
fn api(what: &str, server: &Value, expect: &str) -> Result<(), String> {
    let text = |body: Value, status: u16, headers: &'static [(&'static str, &'static str)]| {
        Service::start(move |_, line| line.answer(status, headers, body.to_string().as_bytes()))
    };
    let entry = |name: &str| json!({"server": {"name": name, "version": "1.0.0"}});
    match expect {
        "more on request" => {
            let service = Service::start(move |request, line| {
                let number: usize = request
                    .target
                    .split("cursor=c")
                    .nth(1)
                    .and_then(|number| number[..1].parse().ok())
                    .unwrap_or(0);
                let servers: Vec<Value> = (0..30).map(|at| json!({"server": {"name": format!("a/n{number}x{at}")}})).collect();
                let next = if number < 2 { json!(format!("c{}", number + 1)) } else { json!("") };
                let body = json!({"servers": servers, "metadata": {"nextCursor": next, "count": 30}});
                line.answer(200, JSON, body.to_string().as_bytes())
            });
            let (first, all) = (search(&at(&service), &["n"]), search(&at(&service), &["n", "--limit", "90"]));
            let count = |ended: &Ended| ended.out.lines().filter(|line| line.starts_with("a/n")).count();
            let right = count(&first) == 30 && first.err.contains("--limit") && count(&all) == 90 && !all.err.contains("--limit");
            right.then_some(()).ok_or(format!("{} {}", first.out, first.err))
        }
        "stops" => {
            let body = json!({"servers": [entry("a/b")], "metadata": {"nextCursor": server["cursor"]}});
            let service = text(body, 200, JSON);
            let ended = search(&at(&service), &["b", "--limit", "100"]);
            let right = ended.code == 0 && ended.err.contains("the registry gives the same page again");
            right.then_some(()).ok_or(ended.err)
        }
        "clean-error" => {
            let status = server["status"].as_u64().unwrap_or(500) as u16;
            let service = text(json!({}), status, &[("Retry-After", "7")]);
            let ended = search(&at(&service), &["b"]);
            let right = matches!(ended.code, 4 | 5) && ended.err.starts_with("error: ") && !ended.err.contains("panicked");
            right.then_some(()).ok_or(format!("{} {}", ended.code, ended.err))
        }
        "too-large" => {
            let service = Service::start(|_, line| line.answer(200, JSON, "x".repeat(6 << 20).as_bytes()));
            let ended = search(&at(&service), &["b"]);
            ended.err.contains("is larger than 5 MB").then_some(()).ok_or(ended.err)
        }
        "empty" => {
            let body: Value = serde_json::from_str(server["body"].as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
            let ended = search(&at(&text(body, 200, JSON)), &["b"]);
            let right = (ended.code, ended.out.as_str()) == (0, "") && ended.err.contains("no server");
            right.then_some(()).ok_or(format!("{} {} {}", ended.code, ended.out, ended.err))
        }
        "ok or clean-error" => {
            let body = json!({"servers": [{"name": "a/b", "description": "d", "version_detail": {"version": "1.0.0"}}]});
            let ended = search(&at(&text(body, 200, JSON)), &["b"]);
            (ended.code == 0 && ended.out.starts_with("a/b")).then_some(()).ok_or(ended.err)
        }
        "refused" => {
            let service = Service::start(|_, line| line.answer(302, &[("Location", "http://x/v0.1/servers")], b""));
            let ended = search(&at(&service), &["b"]);
            (ended.code == 4 && ended.err.contains("redirect"))
                .then_some(())
                .ok_or(format!("{} {}", ended.code, ended.err))
        }
        path if path.starts_with("GET ") => {
            let registry = Url::parse("https://registry.example").expect("an address");
            let asked = format!("GET {}", registry::version(&registry, "io.github.acme/weather", "latest").path());
            (asked == path).then_some(()).ok_or(asked)
        }
        other => Err(format!("{what}: an unknown expectation: {other}")),
    }
}
