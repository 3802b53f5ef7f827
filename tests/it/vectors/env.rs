//! What the environment may not change, each in a process of its own. Proxies of the vectors are a
//! listener on 127.0.0.1 here, which must see nothing.

use becket::exec::{Client, Roots};
use becket::keys::Keys;
use becket::model::Scheme;
use serde_json::{Value, json};

use super::{figures, load, namespace};
use crate::authority::Authority;
use crate::child;
use crate::program;
use crate::service::{Service, base, get};

#[test]
fn environment() {
    let Some(vectors) = load("ssrf_env.json") else {
        return;
    };
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| judge(vector).err().map(|why| format!("{} {}: {why}", vector["id"], vector["var"])))
        .collect();
    figures("ssrf_env", vectors.len(), &failures);
}

/// The call of a child process.
#[test]
fn inside() {
    let Some(task) = child::task() else {
        return;
    };
    let scheme = if task["scheme"] == "https" { Scheme::Https } else { Scheme::Http };
    let port = task["port"].as_u64().expect("a port") as u16;
    let roots = match task["roots"].as_str() {
        Some(pem) => Roots::from_pem(pem.as_bytes()).expect("certificates"),
        None => Roots::System,
    };
    let plan = get(base(scheme, "localhost", port), "/");
    let result = Client::new(roots).send(&plan, &Keys::default());
    child::report(&json!(
        result.map_or_else(|failure| failure.to_string(), |answer| answer.value.to_string())
    ));
}

fn judge(vector: &Value) -> Result<(), String> {
    let name = vector["var"].as_str().unwrap_or_default();
    let value = vector["value"].as_str().unwrap_or_default();
    match vector["expect"].as_str().unwrap_or_default() {
        "ignored" | "same-result" | "not-shown" => unchanged(name, value, vector["base"] != "local-http"),
        "document" => roots(),
        "refuse-if-private" => aliases(),
        "not-passed" => passed_on(name, value),
        other => Err(format!("an unknown expectation: {other}")),
    }
}

/// The call works as without the variable; the proxy sees nothing and is not named.
fn unchanged(name: &str, value: &str, secure: bool) -> Result<(), String> {
    let proxy = Service::start(|_, line| line.answer(502, &[], b""));
    let value = value.replace("198.41.0.9:3128", &proxy.address().to_string());
    let value = value.replace("198.41.0.9:1080", &proxy.address().to_string());
    let authority = Authority::new();
    let pem = secure.then(|| authority.pem());
    let (result, printed) = call(&authority, secure, pem, &[(name, &value)])?;
    if proxy.connections() > 0 || printed.contains("user:pw") {
        return Err("the proxy was used or shown".to_owned());
    }
    (result == "{\"ok\":true}").then_some(()).ok_or(result)
}

fn call(authority: &Authority, secure: bool, roots: Option<String>, environment: &[(&str, &str)]) -> Result<(String, String), String> {
    let answer = |_: &crate::service::Seen, line: &mut crate::service::Line| line.answer(200, &[], b"{\"ok\":true}");
    let service = match secure {
        true => Service::secure(authority.server(&["localhost"], |_| {}), answer),
        false => Service::start(answer),
    };
    let task = json!({"scheme": if secure { "https" } else { "http" }, "port": service.port(), "roots": roots});
    let (result, printed) = child::run(&[], "vectors::env::inside", &task, environment)?;
    Ok((result.as_str().unwrap_or_default().to_owned(), printed))
}

/// As documented: `SSL_CERT_FILE` and `SSL_CERT_DIR` replace the computer's own roots.
fn roots() -> Result<(), String> {
    let authority = Authority::new();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (file, empty) = (folder.path().join("0123abcd.0"), folder.path().join("empty"));
    std::fs::write(&file, authority.pem()).map_err(|error| error.to_string())?;
    std::fs::create_dir(&empty).map_err(|error| error.to_string())?;
    for (name, place, expected) in [
        ("SSL_CERT_FILE", &file, "{\"ok\":true}"),
        ("SSL_CERT_DIR", &folder.path().to_path_buf(), "{\"ok\":true}"),
        ("SSL_CERT_DIR", &empty, "this computer has no root certificates"),
    ] {
        let (result, _) = call(&authority, true, None, &[(name, &place.to_string_lossy())])?;
        if !result.contains(expected) {
            return Err(format!("{name}: {result}"));
        }
    }
    Ok(())
}

/// A program of a connector is given its declared key and three names of the user's environment,
/// whatever else is set. It writes down what it was started with, and ends.
fn passed_on(name: &str, value: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let told = folder.path().join("environment");
    let manifest = json!({
        "name": "shelf",
        "description": "Books.",
        "command": "/bin/sh",
        "args": ["-c", "cat /proc/$$/environ > \"$0\"", told.to_string_lossy()],
        "env": ["SHELF_KEY"],
        "capabilities": [{"name": "shelf.find", "risk": "read", "signature": "shelf.find({})", "returns": "{title}"}],
        "contract": [{"capability": "shelf.find", "args": {}, "keys": ["title"]}],
    });
    std::fs::write(folder.path().join("connector.json"), manifest.to_string()).map_err(|error| error.to_string())?;
    let mut becket = program::becket();
    becket.args(["test".as_ref(), folder.path()]);
    becket.envs([
        ("HOME", "/root"),
        ("SHELF_KEY", "k-31415926"),
        ("UNDECLARED_KEY", "k-27182818"),
        (name, value),
    ]);
    let ended = program::run(&mut becket);
    let told = std::fs::read_to_string(&told).map_err(|error| format!("{error}: {}", ended.err))?;
    let mut names: Vec<&str> = told
        .split('\0')
        .filter_map(|pair| pair.split('=').next())
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    (names == ["HOME", "LANG", "PATH", "SHELF_KEY"])
        .then_some(())
        .ok_or_else(|| format!("it was given {names:?}"))
}

/// An alias of the C library that leads a public name to this computer.
fn aliases() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("aliases");
    std::fs::write(&file, "api.example.com localhost\napi localhost\n").map_err(|error| error.to_string())?;
    let zone = json!([
        {"name": "api.example.com", "type": "A", "data": "198.41.0.4"},
        {"name": "localhost", "type": "A", "data": "127.0.0.1"},
    ]);
    let tasks = ["https://api.example.com/v1/ok", "https://api/v1/ok"].map(|url| json!({"url": url, "zone": zone}));
    let results = namespace::play(&tasks, &[("HOSTALIASES", &file.to_string_lossy())])?;
    let public = results[0]["dialled"] == json!(["198.41.0.4"]) || results[0]["outcomes"][0]["kind"] == "Blocked";
    let refused = results[1]["dialled"] == json!([]) && results[1]["outcomes"][0]["kind"] == "Blocked";
    (public && refused).then_some(()).ok_or_else(|| format!("{results:?}"))
}
