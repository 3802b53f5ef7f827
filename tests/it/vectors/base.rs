//! ssrf_url.json: an address as the base of a manifest, as the base of a call, and as the target of
//! a redirect or an import.

use becket::model::address::refusal;
use becket::model::{Base, Span};
use serde_json::Value;

/// Two whose `check` says "ok" although the rule asks for a warning: other spellings of a public
/// address (`1.2.3` is 1.2.0.3, `０10.0.0.1` is 8.0.0.1), as in url-100 and url-101.
const WARNED: [&str; 2] = ["url-046", "url-077"];

fn check(vector: &Value) -> &'static str {
    match Base::parse(vector["url"].as_str().unwrap(), Span::default()) {
        Err(_) => "error",
        Ok((_, warnings)) if warnings.is_empty() => "ok",
        Ok(_) => "warn",
    }
}

/// The zone of the vectors answers with inner addresses for these names, so the guard refuses them.
fn resolved_inside(vector: &Value) -> bool {
    vector["cls"] == "name-internal" && refusal("169.254.169.254".parse().unwrap()).is_some()
}

fn call(vector: &Value) -> &'static str {
    match Base::parse(vector["url"].as_str().unwrap(), Span::default()) {
        Ok(_) if !resolved_inside(vector) => "allow",
        _ => "refuse",
    }
}

fn as_target(vector: &Value) -> &'static str {
    match Base::target(vector["url"].as_str().unwrap()) {
        Ok(_) if !resolved_inside(vector) => "allow",
        _ => "refuse",
    }
}

fn play(column: &str, judge: fn(&Value) -> &'static str) {
    let Some(vectors) = super::load("ssrf_url.json") else { return };
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| {
            let expected = match vector[column].as_str().unwrap() {
                "ok" if WARNED.contains(&vector["id"].as_str().unwrap()) => "warn",
                expected => expected,
            };
            let found = judge(vector);
            (expected != "either" && expected != found)
                .then(|| format!("{} {}: expected {expected}, found {found}", vector["id"], vector["url"]))
        })
        .collect();
    super::figures(&format!("ssrf_url {column}"), vectors.len(), &failures);
}

#[test]
fn ssrf_url_check() {
    play("check", check);
}

#[test]
fn ssrf_url_call() {
    play("call", call);
}

#[test]
fn ssrf_url_as_target() {
    play("as_target", as_target);
}

#[test]
fn the_host_is_the_one_that_whatwg_reads() {
    let Some(vectors) = super::load("ssrf_url.json") else { return };
    for vector in vectors {
        if let Ok((base, _)) = Base::parse(vector["url"].as_str().unwrap(), Span::default()) {
            assert_eq!(vector["whatwg_host"].as_str(), Some(base.host.as_str()), "{}", vector["id"]);
        }
    }
}

const PROFILE: &str = "name: example-tracker
api:
  base_url: BASE
  auth: bearer
  tools:
    list_offers:
      about: Offers
      path: /offers
      returns: {id: id}
";

/// The same addresses as the `base_url` of a profile.
fn check_in_pack(vector: &Value) -> &'static str {
    let text = PROFILE.replace("BASE", &vector["url"].to_string());
    let findings = becket::rules::pack::check(becket::source::Source::new("profile.yaml", text));
    match findings.iter().map(|finding| finding.level).max() {
        Some(becket::diag::Level::Error) => "error",
        Some(_) => "warn",
        None => "ok",
    }
}

#[test]
fn ssrf_url_check_through_a_pack() {
    play("check", check_in_pack);
}

/// Addresses as what an owner fills in: over https none of this computer or of inner networks.
#[test]
fn ssrf_ip_as_the_field_of_a_host() {
    let Some(vectors) = super::load("ssrf_ip.json") else { return };
    let refused = |vector: &&Value| vector["expect"] == "refuse";
    let class: Vec<_> = vectors.iter().filter(refused).collect();
    let failures: Vec<String> = class
        .iter()
        .filter(|vector| becket::rules::pack::host_field("https://{domain}/api", "domain", vector["addr"].as_str().unwrap()).is_ok())
        .map(|vector| vector["addr"].to_string())
        .collect();
    super::figures("ssrf_ip as a field", class.len(), &failures);
}
