//! What a name leads to, judged by which addresses were dialled.

use std::net::IpAddr;

use serde_json::{Value, json};

use super::{figures, load, namespace};

#[test]
fn names() {
    let Some(vectors) = load("ssrf_dns.json") else {
        return;
    };
    let tasks: Vec<Value> = vectors.iter().map(task).collect();
    let results = match namespace::play(&tasks, &[]) {
        Ok(results) => results,
        // A machine without namespaces can play these only if it was asked to, and then fails.
        Err(_) if std::env::var_os("BECKET_VECTORS").is_none() => return,
        Err(why) => panic!("{why}"),
    };
    let failures: Vec<String> = vectors
        .iter()
        .zip(&results)
        .filter_map(|(vector, result)| {
            judge(vector, result)
                .err()
                .map(|why| format!("{} {}: {why}: {result}", vector["id"], vector["why"]))
        })
        .collect();
    assert_eq!(results.len(), vectors.len());
    figures("ssrf_dns", vectors.len(), &failures);
}

/// What to play beyond the zone: two runs for "public on check, private on call", a redirect for
/// the one whose second look-up belongs to a hop, a short limit for the silent name server.
fn task(vector: &Value) -> Value {
    let why = vector["why"].as_str().unwrap_or_default();
    let mut task = vector.clone();
    if why.contains("two processes") {
        task["calls"] = json!(2);
    }
    if vector["expect"] == "refuse-on-hop" {
        task["url"] = json!("https://api.example.com/v1/hop");
    }
    if vector["cls"] == "timeout" {
        task["seconds"] = json!(1);
    }
    task
}

fn judge(vector: &Value, result: &Value) -> Result<(), &'static str> {
    let dialled: Vec<&str> = result["dialled"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let last = result["outcomes"]
        .as_array()
        .and_then(|outcomes| outcomes.last())
        .unwrap_or(&Value::Null);
    let (ok, blocked) = (last["kind"] == "Ok", last["kind"] == "Blocked");
    let named = last["message"].as_str().is_some_and(|message| message.contains("api.example.com"));
    let allowed = vector["connects_to"].as_str().unwrap_or("");
    let only = dialled.iter().all(|address| leads_to(allowed, address));
    let first_run = result["outcomes"].as_array().is_some_and(|outcomes| outcomes.len() > 1);
    let right = match vector["expect"].as_str().unwrap_or_default() {
        "ok" => ok && only && dialled.len() == 1,
        "refuse" if first_run => blocked && dialled == ["198.41.0.4"],
        "refuse" => blocked && dialled.is_empty(),
        "refuse-on-hop" => blocked && dialled == ["198.41.0.4"],
        "refuse-or-public-only" | "ok-or-refuse" => only && (ok || blocked),
        "ok-or-error" => only,
        "error-clean" => last["class"] == "Unreachable" && named && dialled.is_empty(),
        "loopback-only" => dialled.iter().all(|address| is_loopback(address)) && !ok,
        _ => return Err("an unknown expectation"),
    };
    let seconds = vector_seconds(vector);
    if result["seconds"].as_f64().is_none_or(|took| took > seconds) {
        return Err("took too long");
    }
    right.then_some(()).ok_or("not as expected")
}

fn vector_seconds(vector: &Value) -> f64 {
    if vector["cls"] == "timeout" { 3.0 } else { 22.0 }
}

fn leads_to(allowed: &str, address: &str) -> bool {
    match allowed {
        "any public" => !is_loopback(address) && address.starts_with("198.41.0."),
        text => text.split(" or ").any(|one| one == address),
    }
}

fn is_loopback(address: &str) -> bool {
    address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
