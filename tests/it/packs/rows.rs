//! What the documentation of packs fixes, row by row: each profile that breaks it raises exactly one
//! code at exactly one place, and the profile that keeps it nothing.

use becket::rules::pack::check;
use becket::source::Source;

const RIGHT: &str = r#"name: example-tracker
title: Example tracker
category: ad_platform
account:
  lookup: {tool: find_offers, arg: q, id: id, label: name}
roles: {offers: find_offers}
card:
  - {title: Offers, tool: list_offers, show: [id]}
api:
  base_url: https://{domain}/api/v1
  auth: {type: header, name: X-Api-Key}
  check: list_offers
  limits: {timeout: 60, per_minute: 30, max_bytes: 1000, max_items: 5}
  tools:
    list_offers:
      about: Offers
      path: /offers
      params:
        page: {type: integer, default: 1}
      fixed: {per_page: 50, "status[]": [a, b]}
      items: data
      returns: {id: id}
    find_offers:
      about: Offers by name
      path: /offers
      params:
        q: {type: string, required: true, name: search, in: query}
        status: {type: string, options: [active, paused], default: active}
      returns: {id: 0.id, name: 0.name}
    clicks_report:
      about: Clicks of one offer
      method: POST
      read: true
      path: /offers/{offer}/clicks
      params:
        from: {type: date, required: true}
        kind: {type: boolean, required: true, name: filters.0.value}
        page: {type: number, in: query}
      fixed: {filters: [{type: kind}], columns: [day]}
      items: rows
      returns: {day: day}
"#;

fn found(profile: &str) -> Vec<(&'static str, String)> {
    let source = Source::new("profile.yaml", profile);
    let place = |finding: &becket::diag::Finding| (finding.rule.code, source.slice(finding.span).to_owned());
    check(source.clone()).iter().map(place).collect()
}

#[test]
fn the_right_profile_is_right() {
    assert_eq!(found(RIGHT), []);
}

#[test]
fn each_row_has_its_code_and_its_place() {
    // What is replaced, by what, the code, and the text at its place.
    let table = [
        // A tool is a GET, or a POST with `read: true`.
        ("      read: true\n", "", "C403", "POST"),
        ("      method: POST", "      method: DELETE", "C204", "DELETE"),
        ("read: true", "read: false", "C403", "POST"),
        // Its name.
        ("    clicks_report:", "    Clicks-report:", "C101", "Clicks-report"),
        ("    clicks_report:", "    create_report:", "C401", "create_report"),
        ("    clicks_report:", "    update_report:", "C401", "update_report"),
        ("    clicks_report:", "    pause_report:", "C401", "pause_report"),
        ("    clicks_report:", "    delete_report:", "C402", "delete_report"),
        // `about` is one line.
        ("about: Clicks of one offer", "about: \"a\\nb\"", "C007", "\"a\\nb\""),
        ("about: Clicks of one offer", "about: \"\"", "C007", "\"\""),
        ("      about: Clicks of one offer\n", "", "C002", "clicks_report"),
        // `path`.
        ("path: /offers/{offer}/clicks", "path: clicks", "C205", "clicks"),
        ("path: /offers/{offer}/clicks", "path: https://x/clicks", "C205", "https://x/clicks"),
        ("path: /offers/{offer}/clicks", "path: /clicks?a=1", "C205", "?a=1"),
        ("path: /offers/{offer}/clicks", "path: /a/../b", "C205", ".."),
        // `params`.
        ("kind: {type: boolean", "kind: {type: bool", "C207", "bool"),
        (
            "page: {type: number, in: query}",
            "page: {type: number, in: header}",
            "C208",
            "header",
        ),
        ("name: search, in: query", "name: search, in: body", "C209", "body"),
        ("default: active", "default: all", "C210", "all"),
        (
            "page: {type: integer, default: 1}",
            "page: {type: integer, default: one}",
            "C210",
            "one",
        ),
        ("options: [active, paused]", "options: [active, 1]", "C210", "1"),
        ("options: [active, paused], default: active", "options: []", "C210", "[]"),
        ("        from: {type", "        day: {type", "C102", "day"),
        ("name: search, in", "nmae: search, in", "C004", "nmae"),
        // Names in a body.
        (
            "fixed: {filters: [{type: kind}], columns",
            "fixed: {columns",
            "C211",
            "filters.0.value",
        ),
        ("name: filters.0.value", "name: filters.1.value", "C211", "filters.1.value"),
        ("name: filters.0.value", "name: columns", "C211", "columns"),
        (
            "required: true, name: filters.0.value",
            "name: filters.0.value",
            "C212",
            "filters.0.value",
        ),
        // Values of a query.
        ("per_page: 50", "per_page: {a: 1}", "C214", "{a: 1}"),
        ("per_page: 50", "page: 50", "C213", "page"),
        // `items` and `returns`.
        ("      returns: {day: day}\n", "", "C002", "clicks_report"),
        ("returns: {day: day}", "returns: {}", "C701", "{}"),
        ("returns: {day: day}", "returns: [day]", "C701", "[day]"),
        ("returns: {day: day}", "returns: {day: 1}", "C701", "1"),
        ("returns: {day: day}", "returns: {day: a..b}", "C702", "a..b"),
        ("items: rows", "items: rows.", "C702", "rows."),
        ("items: rows", "items: rows.*.x", "C703", "rows.*.x"),
        // `base_url`.
        (
            "https://{domain}/api/v1",
            "http://{domain}/api/v1",
            "C202",
            "http://{domain}/api/v1",
        ),
        ("https://{domain}/api/v1", "https://x.example/{tenant}", "C202", "{tenant}"),
        ("https://{domain}/api/v1", "\"{scheme}://x.example\"", "C202", "{scheme}"),
        ("  base_url: https://{domain}/api/v1\n", "", "C002", "a"),
        // `auth`.
        ("{type: header, name: X-Api-Key}", "{type: token}", "C301", "token"),
        ("{type: header, name: X-Api-Key}", "oauth", "C301", "oauth"),
        ("{type: header, name: X-Api-Key}", "{type: query}", "C302", "{type: query}"),
        ("{type: header, name: X-Api-Key}", "{type: header, name: Host}", "C302", "Host"),
        ("{type: header, name: X-Api-Key}", "{name: X-Api-Key}", "C002", "{"),
        // `check`.
        ("check: list_offers", "check: all_offers", "C502", "all_offers"),
        ("check: list_offers", "check: find_offers", "C503", "find_offers"),
        ("check: list_offers", "check: clicks_report", "C503", "clicks_report"),
        // `limits`.
        ("timeout: 60", "timeout: 61", "C601", "61"),
        ("timeout: 60", "timeout: 0", "C601", "0"),
        ("max_items: 5", "max_items: 1.5", "C601", "1.5"),
        ("max_bytes: 1000", "max_byte: 1000", "C602", "max_byte"),
        ("per_minute: 30", "per_second: 1", "C602", "per_second"),
        // The profile around it.
        ("roles: {offers: find_offers}", "roles: {offers: offers}", "C504", "offers"),
        ("lookup: {tool: find_offers", "lookup: {tool: offers", "C504", "offers"),
        ("arg: q", "arg: email", "C506", "email"),
        ("label: name", "label: email", "C506", "email"),
        ("tool: list_offers, show", "tool: offers, show", "C505", "offers"),
        ("show: [id]", "show: [id, name]", "C506", "name"),
        // Readers of YAML 1.1.
        ("options: [active, paused]", "options: [active, NO]", "C006", "NO"),
        (
            "title: Example tracker\n",
            "title: Example tracker\ntitle: Twice\n",
            "C005",
            "title",
        ),
    ];
    let mut wrong = Vec::new();
    for (old, new, code, text) in table {
        assert!(RIGHT.contains(old), "{old}");
        let found = found(&RIGHT.replacen(old, new, 1));
        if found != [(code, text.to_owned())] {
            wrong.push(format!("{old} -> {new}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_nobody_fixed_passes() {
    for (old, new) in [
        (
            "name: example-tracker\n",
            "name: example-tracker\nmatches: {any: [1]}\nautopilot_answers: later\nmonitors: {a: b}\n",
        ),
        ("  auth: {type: header, name: X-Api-Key}\n", "  auth: bearer\n"),
        ("  limits: {timeout: 60, per_minute: 30, max_bytes: 1000, max_items: 5}\n", ""),
        ("      method: POST", "      method: post"),
        ("category: ad_platform\n", "category: anything\n"),
        ("show: [id]", "show: id"),
    ] {
        assert_eq!(found(&RIGHT.replacen(old, new, 1)), [], "{new}");
    }
}

#[test]
fn anchors_and_merge_keys_are_read_in_place() {
    let profile = RIGHT.replacen("    list_offers:\n", "    list_offers: &offers\n", 1).replace(
        "    find_offers:\n      about: Offers by name\n      path: /offers\n",
        "    find_offers:\n      <<: *offers\n      about: Offers by name\n",
    );
    // The merged list is in `items`, so the paths of the answer are those of a row.
    assert_eq!(found(&profile.replace("{id: 0.id, name: 0.name}", "{id: id, name: name}")), []);
    let wrong = profile.replacen("items: data", "items: data..x", 1);
    assert!(
        found(&wrong).iter().all(|(code, text)| *code == "C702" && text == "data..x"),
        "{:?}",
        found(&wrong)
    );
}
