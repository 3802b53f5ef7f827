//! What the engine holds, whatever a pack says.

use super::{Answer, KEY, Stage};
use crate::program;
use crate::service::Seen;

const PROFILE: &str = "name: example-tracker
title: Example tracker
api:
  base_url: BASE/api/v1
  auth: AUTH
  check: list_offers
  limits: {timeout: 2, per_minute: 30, max_bytes: 400, max_items: 2}
  tools:
    list_offers:
      about: Offers
      path: /offers
      items: data
      returns: {id: id}
    get_offer:
      about: One offer
      path: /offers/{offer_id}/terms
      returns: {id: id, text: text}
";

fn profile(auth: &str) -> String {
    PROFILE.replace("AUTH", auth)
}

fn plain(body: &'static str) -> impl Fn(&Seen) -> Answer + Send + Sync {
    move |_| (200, Vec::new(), body.to_owned())
}

const ROWS: &str = r#"{"data":[{"id":1,"secret":"s"},{"id":2},{"id":3}]}"#;

#[test]
fn a_key_goes_where_auth_says() {
    let table = [
        ("{type: header, name: X-Api-Key}", "X-Api-Key", Some("k3y-of-the-owner")),
        ("{type: bearer}", "Authorization", Some("Bearer k3y-of-the-owner")),
        ("bearer", "Authorization", Some("Bearer k3y-of-the-owner")),
        ("basic", "Authorization", Some("Basic azN5LW9mLXRoZS1vd25lcg==")),
        ("none", "Authorization", None),
    ];
    for (auth, header, expected) in table {
        let stage = Stage::new(&profile(auth), plain(ROWS));
        let ended = stage.call("list_offers", &[]);
        assert_eq!(
            (ended.code, ended.out.as_str()),
            (0, "[{\"id\":1},{\"id\":2}]\n"),
            "{auth}: {ended:?}"
        );
        assert_eq!(stage.header(header).as_deref(), expected, "{auth}");
        assert_eq!(stage.requests(), ["GET /api/v1/offers"], "{auth}");
    }
    let stage = Stage::new(&profile("{type: query, name: api-key}"), plain(ROWS));
    assert_eq!(stage.call("list_offers", &[]).code, 0);
    assert_eq!(stage.requests(), [format!("GET /api/v1/offers?api-key={KEY}")]);
}

#[test]
fn no_redirect_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        let away = move |_: &Seen| (status, vec![("Location", "/api/v1/elsewhere".to_owned())], String::new());
        let stage = Stage::new(&profile("bearer"), away);
        let ended = stage.call("list_offers", &[]);
        assert_eq!(ended.code, 4, "{ended:?}");
        assert!(ended.err.contains("a redirect, which is not followed"), "{}", ended.err);
        assert_eq!(stage.requests(), ["GET /api/v1/offers"]);
    }
}

#[test]
fn an_answer_has_its_limits_and_only_what_is_mapped() {
    let stage = Stage::new(&profile("bearer"), |_| {
        (200, Vec::new(), format!("{{\"data\":[],\"x\":\"{}\"}}", "a".repeat(400)))
    });
    let large = stage.call("list_offers", &[]);
    assert!(large.code == 5 && large.err.contains("is larger than"), "{large:?}");
    // Neither a text nor an empty answer reaches anyone.
    for (body, expected) in [
        ("<p>private</p>", "the answer is not JSON"),
        ("", "the answer is not JSON"),
        ("{\"private\":1}", "nothing that `returns` names is in the answer: it has `private`"),
        ("\"private\"", "nothing that `returns` names is in the answer: it is a string"),
    ] {
        let stage = Stage::new(&profile("bearer"), plain(body));
        let ended = stage.call("get_offer", &["offer_id=7"]);
        assert!(
            ended.code == 5 && ended.out.is_empty() && ended.err.contains(expected),
            "{body}: {ended:?}"
        );
    }
    let stage = Stage::new(&profile("bearer"), plain(r#"{"data":{"id":1}}"#));
    let ended = stage.call("list_offers", &[]);
    assert!(ended.err.contains("`data` is not a list: `data` has `id`"), "{ended:?}");
}

#[test]
fn a_path_argument_stays_in_its_place() {
    let stage = Stage::new(&profile("bearer"), plain(r#"{"id":1}"#));
    assert_eq!(stage.call("get_offer", &["offer_id=a/b?c#d%2e e"]).code, 0);
    assert_eq!(stage.requests(), ["GET /api/v1/offers/a%2Fb%3Fc%23d%252e%20e/terms"]);
    for refused in ["offer_id=..", "offer_id=.", "offer_id="] {
        assert_eq!(stage.call("get_offer", &[refused]).code, 2, "{refused}");
    }
    assert_eq!(stage.call("get_offer", &[]).code, 2);
    assert_eq!(stage.call("get_offer", &["offer_id=1", "other=2"]).code, 2);
    assert_eq!(stage.requests().len(), 1);
}

#[test]
fn a_minute_is_held_by_processes_side_by_side() {
    let stage = Stage::new(&profile("bearer").replace("per_minute: 30", "per_minute: 3"), plain(ROWS));
    let running: Vec<_> = (0..8).map(|_| stage.calling("list_offers", &[]).spawn().unwrap()).collect();
    let ended: Vec<_> = running.into_iter().map(program::ended).collect();
    let count = |code| ended.iter().filter(|ended| ended.code == code).count();
    assert_eq!((count(0), count(5)), (3, 5), "{ended:?}");
    assert_eq!(stage.requests().len(), 3);
    let refused = ended.iter().find(|ended| ended.code == 5).unwrap();
    assert!(
        refused.err.contains("may have 3 requests a minute; the next may go in "),
        "{}",
        refused.err
    );
}

#[test]
fn nothing_is_sent_without_its_key_or_with_a_wrong_field() {
    let stage = Stage::new(&profile("bearer"), plain(ROWS));
    let mut command = stage.calling("list_offers", &[]);
    let ended = program::run(command.env_remove("mcp_tracker_key"));
    assert!(ended.code == 3 && ended.err.contains("mcp_tracker_key"), "{ended:?}");
    let ended = stage.call("list_offers", &["--field", "domain=x.example"]);
    assert!(
        ended.code == 2 && ended.err.contains("the address has no field `domain`"),
        "{ended:?}"
    );
    let ended = stage.call("lst_offers", &[]);
    assert!(ended.code == 2 && ended.err.contains("did you mean `list_offers`?"), "{ended:?}");
    let shown = stage.call("get_offer", &["offer_id=7", "--dry-run"]);
    assert!(shown.code == 0 && shown.out.starts_with("GET http://127.0.0.1:"), "{shown:?}");
    assert_eq!(stage.requests(), [] as [&str; 0]);
}

#[test]
fn what_a_config_connects_is_shown_with_the_answer_of_its_check() {
    let stage = Stage::new(&profile("bearer"), plain(ROWS));
    let config = stage.pack().join("config.txt");
    std::fs::write(
        &config,
        "discuss:\n  mcp:\n    - {name: tracker, api: example-tracker}\n    - {name: other, api: nothing}\n",
    )
    .unwrap();
    let mut command = stage.program();
    command
        .args(["mcp", "--live", "--json", "--config"])
        .arg(&config)
        .arg("--dir")
        .arg(stage.pack());
    let ended = program::run(command.env("mcp_tracker_key", KEY));
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(
        ended.err.contains("line 4: ") && ended.err.contains("has no profile `nothing`"),
        "{}",
        ended.err
    );
    assert!(!ended.out.contains(KEY) && !ended.err.contains(KEY));
    let shown: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let tracker = &shown[0];
    assert_eq!(tracker["key"], serde_json::json!({"name": "mcp_tracker_key", "set": true}));
    assert_eq!(
        tracker["check"],
        serde_json::json!({"tool": "list_offers", "called": true, "ok": true})
    );
    assert_eq!(
        tracker["limits"],
        serde_json::json!({"timeout": 2, "per_minute": 30, "max_bytes": 400, "max_items": 2})
    );
    assert_eq!(
        tracker["tools"][1],
        serde_json::json!({"name": "get_offer", "arguments": ["offer_id"], "returns": ["id", "text"]})
    );
    assert_eq!(stage.requests(), ["GET /api/v1/offers"]);
}
