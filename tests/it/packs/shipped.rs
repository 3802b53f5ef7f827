//! Everflow, Affise and Scaleo, each with a service that answers as its vendor documents.

use serde_json::json;

use super::{Answer, KEY, Stage, shipped};
use crate::program::Ended;
use crate::service::Seen;

fn ok(body: serde_json::Value) -> Answer {
    (200, vec![("Content-Type", "application/json".to_owned())], body.to_string())
}

fn path(seen: &Seen) -> &str {
    seen.target.split('?').next().unwrap_or_default()
}

fn given(ended: &Ended) -> &str {
    assert_eq!(ended.code, 0, "{ended:?}");
    ended.out.trim_end()
}

fn everflow(seen: &Seen) -> Answer {
    if seen.header("X-Eflow-API-Key") != Some(KEY) {
        return (401, Vec::new(), json!({"Error": "Unauthorized"}).to_string());
    }
    let entity = |columns: serde_json::Value| json!([{"columns": columns, "reporting": {"total_click": 120, "unique_click": 90, "cv": 4, "payout": 12.5, "revenue": 20}}]);
    match (seen.method.as_str(), path(seen)) {
        ("GET", "/v1/networks/dashboard/summary") => ok(json!({
            "click": {"today": 5, "yesterday": 9, "current_month": 100, "last_month": 90, "trending_percentage": 1.5},
            "conversion": {"today": 1}, "payout": {"today": 2.5}, "revenue": {"today": 4}, "profit": {"today": 1.5},
        })),
        ("POST", "/v1/networks/affiliatestable") => ok(json!({
            "affiliates": [{"network_affiliate_id": 7, "name": "Ada", "account_status": "active", "account_manager_name": "Max",
                "network_country_code": "SE", "today_revenue": "$7.32", "balance": 3}],
            "paging": {"page": 1, "page_size": 20, "total_count": 1},
        })),
        ("POST", "/v1/networks/reporting/entity/summary") => ok(json!({
            "total_click": 120, "unique_click": 90, "cv": 4, "cvr": 3.33, "payout": 12.5, "revenue": 20, "profit": 7.5, "imp": 0,
        })),
        ("POST", "/v1/networks/reporting/entity/table") => ok(json!({
            "table": entity(json!([{"column_type": "offer", "id": "31", "label": "Shoes"}])),
            "paging": {"page": 1}, "incomplete_results": false,
        })),
        _ => (404, Vec::new(), json!({"Error": "Not found"}).to_string()),
    }
}

#[test]
fn everflow_reads() {
    let stage = Stage::new(&shipped("everflow"), everflow);
    let live = stage.check_live();
    assert_eq!((live.code, live.out.as_str()), (0, "1 profile ok\n"), "{live:?}");
    assert_eq!(
        given(&stage.call("find_affiliates", &["q=Ada"])),
        r#"[{"id":7,"name":"Ada","status":"active","manager":"Max","country":"SE","today_revenue":"$7.32"}]"#
    );
    let period = ["affiliate_id=7", "from=2026-11-01", "to=2026-11-30"];
    assert_eq!(
        given(&stage.call("affiliate_totals", &period)),
        r#"{"clicks":120,"unique_clicks":90,"conversions":4,"conversion_rate":3.33,"payout":12.5,"revenue":20,"profit":7.5}"#
    );
    assert_eq!(
        given(&stage.call("affiliate_by_offer", &period)),
        r#"[{"offer_id":"31","offer":"Shoes","clicks":120,"conversions":4,"payout":12.5,"revenue":20}]"#
    );
    assert_eq!(
        stage.requests(),
        [
            "GET /v1/networks/dashboard/summary",
            r#"POST /v1/networks/affiliatestable?page=1&page_size=20 {"search_terms":[{"search_type":"name","value":"Ada"}]}"#,
            r#"POST /v1/networks/reporting/entity/summary {"timezone_id":67,"columns":[{"column":"affiliate"}],"query":{"filters":[{"resource_type":"affiliate","filter_id_value":"7"}]},"from":"2026-11-01","to":"2026-11-30","currency_id":"USD"}"#,
            r#"POST /v1/networks/reporting/entity/table {"timezone_id":67,"columns":[{"column":"offer"}],"page":1,"page_size":100,"query":{"filters":[{"resource_type":"affiliate","filter_id_value":"7"}]},"from":"2026-11-01","to":"2026-11-30","currency_id":"USD"}"#,
        ]
    );
}

fn affise(seen: &Seen) -> Answer {
    if seen.header("API-Key") != Some(KEY) {
        return ok(json!({"status": 2, "error": "Access denied", "message": "key"}));
    }
    match path(seen) {
        "/3.0/admin/partners" => ok(json!({
            "status": 1,
            "partners": [{"id": 7, "email": "ada@example.com", "login": "ada", "name": "Ada", "status": "active", "api_key": "never-shown",
                "manager": {"email": "max@example.com", "api_key": "never-shown"}, "offersCount": 3}],
            "pagination": {"per_page": 50, "total_count": 1, "page": 1},
        })),
        "/3.0/admin/partner/7" => ok(
            json!({"status": 1, "partner": {"id": 7, "email": "ada@example.com", "name": "Ada", "status": "active",
            "balance": {"USD": {"balance": 9, "hold": 1, "available": 8}}}}),
        ),
        "/3.0/stats/custom" => ok(json!({
            "status": 1,
            "stats": [{"slice": {"year": 2026, "month": 11, "day": 2}, "traffic": {"raw": "1607530", "uniq": "9"},
                "actions": {"confirmed": {"revenue": 12.5, "charge": 20, "earning": 7.5, "count": 4}}}],
            "pagination": {"per_page": 500},
        })),
        _ => (404, Vec::new(), json!({"status": 2, "error": "Not found"}).to_string()),
    }
}

#[test]
fn affise_reads() {
    let stage = Stage::new(&shipped("affise"), affise);
    let live = stage.check_live();
    assert_eq!((live.code, live.out.as_str()), (0, "1 profile ok\n"), "{live:?}");
    assert_eq!(
        given(&stage.call("find_affiliates", &["affiliate_id=7"])),
        r#"[{"id":7,"email":"ada@example.com","login":"ada","name":"Ada","status":"active","manager":"max@example.com"}]"#
    );
    assert_eq!(
        given(&stage.call("get_affiliate", &["affiliate_id=7"])),
        r#"{"id":7,"email":"ada@example.com","name":"Ada","status":"active","usd_available":8,"usd_hold":1}"#
    );
    assert_eq!(
        given(&stage.call("affiliate_by_day", &["affiliate_id=7", "from=2026-11-01", "to=2026-11-30"])),
        r#"[{"year":2026,"month":11,"day":2,"clicks":"1607530","conversions":4,"payout":12.5}]"#
    );
    assert_eq!(
        stage.requests(),
        [
            "GET /3.0/admin/partners?limit=50&page=1",
            "GET /3.0/admin/partners?limit=1&id%5B%5D=7",
            "GET /3.0/admin/partner/7",
            "GET /3.0/stats/custom?slice%5B%5D=year&slice%5B%5D=month&slice%5B%5D=day&conversionTypes%5B%5D=total\
             &conversionTypes%5B%5D=confirmed&limit=500&page=1&filter%5Bpartner%5D%5B%5D=7&filter%5Bdate_from%5D=2026-11-01\
             &filter%5Bdate_to%5D=2026-11-30",
        ]
    );
}

#[test]
fn a_failure_in_an_ordinary_answer_is_named_with_the_keys_that_were_there() {
    let refuse = |_: &Seen| ok(json!({"status": 2, "error": "Access denied", "key": KEY}));
    let stage = Stage::new(&shipped("affise"), refuse);
    let address = stage.service.address();
    let list = stage.call("list_affiliates", &[]);
    assert_eq!(list.code, 5);
    let expected = format!("error: {address}: `partners` is not in the answer: it has `status`, `error`, `key`\n");
    assert!(list.err.starts_with(&expected), "{}", list.err);
    let one = stage.call("get_affiliate", &["affiliate_id=7"]);
    let expected = format!("error: {address}: nothing that `returns` names is in the answer: it has `status`, `error`, `key`\n");
    assert!(one.code == 5 && one.err.starts_with(&expected), "{}", one.err);
    let live = stage.check_live();
    assert!(live.code == 5 && live.err.contains("`partners` is not in the answer"), "{live:?}");
}

fn scaleo(seen: &Seen) -> Answer {
    if !seen.target.contains(&format!("api-key={KEY}")) {
        return (
            403,
            Vec::new(),
            json!({"status": "error", "code": 403, "message": "Forbidden"}).to_string(),
        );
    }
    let envelope = |info| ok(json!({"status": "success", "code": 200, "name": "OK", "message": "", "info": info}));
    match (seen.method.as_str(), path(seen)) {
        ("GET", "/api/v2/network/affiliates") => envelope(json!({
            "affiliates": [{"id": 7, "email": "ada@example.com", "company_name": "Ada Ltd", "status": 1, "phone": "1"}],
        })),
        ("POST", "/api/v2/network/reports/statistics") => envelope(json!({
            "rows": [{"day": "2026-11-02", "clicks": 120, "cv_approved": 4, "approved_payout": 12.5}], "totals": {"clicks": 120},
        })),
        _ => (404, Vec::new(), "{}".to_owned()),
    }
}

#[test]
fn scaleo_reads() {
    let stage = Stage::new(&shipped("scaleo"), scaleo);
    let live = stage.check_live();
    assert_eq!((live.code, live.out.as_str()), (0, "1 profile ok\n"), "{live:?}");
    assert_eq!(
        given(&stage.call("find_affiliates", &["q=a&b"])),
        r#"[{"id":7,"email":"ada@example.com","company":"Ada Ltd","status":1}]"#
    );
    assert_eq!(
        given(&stage.call(
            "affiliate_by_day",
            &["affiliate_id=7", "from=2026-11-01", "to=2026-11-30", "page=2"]
        )),
        r#"[{"day":"2026-11-02","clicks":120,"conversions":4,"payout":12.5}]"#
    );
    assert_eq!(
        stage.requests(),
        [
            "GET /api/v2/network/affiliates?api-key=k3y-of-the-owner&perPage=50&page=1",
            "GET /api/v2/network/affiliates?api-key=k3y-of-the-owner&perPage=20&q=a%26b",
            r#"POST /api/v2/network/reports/statistics?api-key=k3y-of-the-owner&page=2&perPage=370 {"breakdown":"day","columns":"clicks,cv_approved,approved_payout","filters":{"affiliates":"7"},"rangeFrom":"2026-11-01","rangeTo":"2026-11-30"}"#,
        ]
    );
}
