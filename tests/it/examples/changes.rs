//! What services answer in place of an answer, or after a change of theirs: the contract fails and
//! says where, and a call tells it in the service's own words.

use super::services::{self, ALL};
use super::{Standin, json};

#[test]
fn a_changed_shape_fails_the_contract() {
    let changes = [
        ("frankfurter", "\"rate\"", "\"value\"", "P511 the answer has no `rate`"),
        ("hnsearch", "\"points\"", "\"score\"", "P511 the answer has no `points`"),
        ("hnsearch", "\"hits\"", "\"results\"", "P512 `hits` is not in the answer"),
        ("hnsearch", "\"children\"", "\"comments\"", "P511 the answer has no `replies`"),
        (
            "openmeteo",
            "temperature_2m_max",
            "temperature_max",
            "P511 the answer has no `max_c`",
        ),
        ("osv", "\"vulns\"", "\"vulnerabilities\"", "P511 the answer has no `ids`"),
        ("quakes", "\"features\"", "\"events\"", "P512 `features` is not in the answer"),
        ("quakes", "\"coordinates\"", "\"position\"", "P511 the answer has no `depth_km`"),
        ("wikipedia", "\"search\"", "\"pages\"", "P512 `query.search` is not in the answer"),
        ("wikipedia", "\"desktop\"", "\"web\"", "P511 the answer has no `url`"),
    ];
    for (connector, from, to, wanted) in changes {
        let of = ALL.iter().find(|of| of.connector == connector).expect("a service");
        let standin = Standin::start(of, |answer| answer.replace(from, to));
        let ran = standin.run(&["check", "--format", "concise"]);
        assert_eq!(ran.exit, 1, "{connector} {from}: {ran:?}");
        assert!(ran.out.contains(wanted), "{connector} {from}: {ran:?}");
        assert_eq!(standin.service.seen().len(), of.exchanges.len(), "every case runs: {connector}");
    }
}

#[test]
fn what_is_no_answer_fails_the_contract() {
    let answers = [
        (
            "wikipedia",
            r#"{"error": {"code": "cirrussearch-too-busy-error", "info": "Search is too busy."}, "servedby": "mw1"}"#,
            "P512 `query.search` is not in the answer: it has `error`, `servedby`",
        ),
        (
            "quakes",
            r#"{"type": "FeatureCollection", "metadata": {}, "features": []}"#,
            "P513 `quakes.list` answered an empty list",
        ),
        ("frankfurter", "[]", "P513 `frankfurter.latest` answered an empty list"),
        ("osv", "{}", "P511 the answer has no `ids`"),
        (
            "openmeteo",
            "<html>busy</html>",
            "P514 `openmeteo.now` answered with text that is not JSON",
        ),
    ];
    for (connector, body, wanted) in answers {
        let of = ALL.iter().find(|of| of.connector == connector).expect("a service");
        let ran = Standin::saying(of, 200, &[], body).run(&["check", "--format", "concise"]);
        assert_eq!(ran.exit, 1, "{ran:?}");
        assert!(ran.out.contains(wanted), "{ran:?}");
    }
}

#[test]
fn a_clean_package_is_no_failure() {
    let of = &services::OSV;
    let ran = Standin::saying(of, 200, &[], "{}").call(&of.exchanges[0]);
    assert_eq!(
        (ran.exit, json(&ran.out)),
        (0, json(r#"{"ids": null, "next_page": null}"#)),
        "{ran:?}"
    );
}

#[test]
fn a_refusal_is_told_in_the_words_of_the_service() {
    type Refusal = (
        &'static services::Service,
        u16,
        &'static [(&'static str, &'static str)],
        &'static str,
        &'static str,
    );
    let refusals: [Refusal; 7] = [
        (
            &services::FRANKFURTER,
            422,
            &[],
            r#"{"message": "invalid currency"}"#,
            "answered 422: invalid currency",
        ),
        (
            &services::HNSEARCH,
            400,
            &[],
            r#"{"message": "invalid numeric attribute(points)", "status": 400}"#,
            "answered 400: invalid numeric attribute(points)",
        ),
        (
            &services::OPENMETEO,
            400,
            &[],
            r#"{"error": true, "reason": "Latitude must be in range of -90 to 90°."}"#,
            "answered 400: Latitude must be in range of -90 to 90°.",
        ),
        (
            &services::OSV,
            404,
            &[],
            r#"{"code": 5, "message": "Bug not found."}"#,
            "answered 404: Bug not found.",
        ),
        (
            &services::QUAKES,
            400,
            &[],
            "Error 400: Bad Request",
            "answered 400: Error 400: Bad Request",
        ),
        (
            &services::WIKIPEDIA,
            404,
            &[("Content-Type", "application/problem+json")],
            r#"{"type": "https://example.com/not_found", "title": "Not found.", "detail": "Page or revision not found."}"#,
            "answered 404: Page or revision not found.",
        ),
        (
            &services::WIKIPEDIA,
            429,
            &[("Retry-After", "12")],
            "Too many requests",
            "it asks to wait 12 s",
        ),
    ];
    for (of, status, headers, body, wanted) in refusals {
        let ran = Standin::saying(of, status, headers, body).call(&of.exchanges[0]);
        assert_eq!((ran.exit, ran.out.as_str()), (5, ""), "{ran:?}");
        assert!(ran.err.contains(wanted), "{wanted}: {ran:?}");
    }
}
