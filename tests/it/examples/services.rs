//! Stand-ins for the services of the examples. Each answers the requests of its connector's
//! contract, written out exactly, with an answer in the documented shape, cut to what matters and
//! one field more; to any other request it says 404. What `call` then prints is beside it.

pub(super) struct Exchange {
    pub(super) capability: &'static str,
    pub(super) args: &'static str,
    /// Method and target.
    pub(super) request: &'static str,
    /// The body that is sent, empty for none.
    pub(super) body: &'static str,
    pub(super) answer: &'static str,
    pub(super) result: &'static str,
}

pub(super) struct Service {
    pub(super) connector: &'static str,
    pub(super) origin: &'static str,
    pub(super) exchanges: &'static [Exchange],
}

pub(super) const ALL: [Service; 6] = [FRANKFURTER, HNSEARCH, OPENMETEO, OSV, QUAKES, WIKIPEDIA];

pub(super) const FRANKFURTER: Service = Service {
    connector: "frankfurter",
    origin: "https://api.frankfurter.dev",
    exchanges: &[
        Exchange {
            capability: "frankfurter.latest",
            args: r#"{"quotes":"USD"}"#,
            request: "GET /v2/rates?quotes=USD",
            body: "",
            answer: r#"[{"date": "2024-01-15", "base": "EUR", "quote": "USD", "rate": 1.0950}]"#,
            result: r#"[{"date": "2024-01-15", "base": "EUR", "quote": "USD", "rate": 1.0950}]"#,
        },
        Exchange {
            capability: "frankfurter.history",
            args: r#"{"from":"2024-01-08","to":"2024-01-12","quotes":"USD"}"#,
            request: "GET /v2/rates?from=2024-01-08&to=2024-01-12&quotes=USD",
            body: "",
            answer: r#"[
                {"date": "2024-01-08", "base": "EUR", "quote": "USD", "rate": 1.0946},
                {"date": "2024-01-09", "base": "EUR", "quote": "USD", "rate": 1.094}
            ]"#,
            result: r#"[
                {"date": "2024-01-08", "base": "EUR", "quote": "USD", "rate": 1.0946},
                {"date": "2024-01-09", "base": "EUR", "quote": "USD", "rate": 1.094}
            ]"#,
        },
    ],
};

pub(super) const HNSEARCH: Service = Service {
    connector: "hnsearch",
    origin: "https://hn.algolia.com",
    exchanges: &[
        Exchange {
            capability: "hnsearch.stories",
            args: r#"{"query":"rust"}"#,
            request: "GET /api/v1/search?query=rust&tags=story",
            body: "",
            answer: r#"{
                "hits": [
                    {"objectID": "101", "title": "A crab", "url": "https://example.com/crab", "points": 12, "author": "ann", "num_comments": 3},
                    {"objectID": "102", "title": "Ask: crabs?", "points": 2, "author": "bob", "story_text": "Which?"}
                ],
                "nbHits": 2, "page": 0, "nbPages": 1, "hitsPerPage": 20
            }"#,
            result: r#"[
                {"id": "101", "title": "A crab", "url": "https://example.com/crab", "points": 12},
                {"id": "102", "title": "Ask: crabs?", "url": null, "points": 2}
            ]"#,
        },
        Exchange {
            capability: "hnsearch.item",
            args: r#"{"id":1}"#,
            request: "GET /api/v1/items/1",
            body: "",
            answer: r#"{
                "id": 1, "type": "story", "title": "A first story", "url": "https://example.com/", "author": "ann", "points": 57, "text": null,
                "parent_id": null,
                "children": [
                    {"id": 15, "author": "bob", "text": "<p>One", "children": [{"id": 17, "author": "ann", "text": "Two", "children": []}]},
                    {"id": 16, "author": null, "text": null, "children": []}
                ]
            }"#,
            result: r#"{
                "title": "A first story", "url": "https://example.com/", "author": "ann", "points": 57, "text": null,
                "replies": ["<p>One", null]
            }"#,
        },
    ],
};

pub(super) const OPENMETEO: Service = Service {
    connector: "openmeteo",
    origin: "https://api.open-meteo.com",
    exchanges: &[
        Exchange {
            capability: "openmeteo.now",
            args: r#"{"latitude":38.72,"longitude":-9.14}"#,
            request: "GET /v1/forecast?timezone=auto&latitude=38.72&longitude=-9.14\
                &current=temperature_2m%2Cwind_speed_10m%2Cweather_code",
            body: "",
            answer: r#"{
                "latitude": 38.72, "longitude": -9.14, "utc_offset_seconds": 0, "timezone": "Europe/Lisbon", "elevation": 20.0,
                "current_units": {"time": "iso8601", "temperature_2m": "°C"},
                "current": {"time": "2026-01-31T10:15", "interval": 900, "temperature_2m": 13.0, "wind_speed_10m": 9.4, "weather_code": 61}
            }"#,
            result: r#"{"time": "2026-01-31T10:15", "zone": "Europe/Lisbon", "temperature_c": 13.0, "wind_kmh": 9.4, "code": 61}"#,
        },
        Exchange {
            capability: "openmeteo.days",
            args: r#"{"latitude":38.72,"longitude":-9.14,"days":3}"#,
            request: "GET /v1/forecast?timezone=auto&latitude=38.72&longitude=-9.14\
                &daily=temperature_2m_max%2Ctemperature_2m_min%2Cprecipitation_sum&forecast_days=3",
            body: "",
            answer: r#"{
                "latitude": 38.72, "longitude": -9.14, "timezone": "Europe/Lisbon",
                "daily_units": {"time": "iso8601", "precipitation_sum": "mm"},
                "daily": {
                    "time": ["2026-01-31", "2026-02-01", "2026-02-02"],
                    "temperature_2m_max": [15.1, 14.0, null], "temperature_2m_min": [9.8, 9.0, null], "precipitation_sum": [0.0, 4.2, null]
                }
            }"#,
            result: r#"{
                "zone": "Europe/Lisbon", "dates": ["2026-01-31", "2026-02-01", "2026-02-02"],
                "max_c": [15.1, 14.0, null], "min_c": [9.8, 9.0, null], "precipitation_mm": [0.0, 4.2, null]
            }"#,
        },
    ],
};

pub(super) const OSV: Service = Service {
    connector: "osv",
    origin: "https://api.osv.dev",
    exchanges: &[
        Exchange {
            capability: "osv.query",
            args: r#"{"ecosystem":"PyPI","name":"jinja2","version":"2.4.1"}"#,
            request: "POST /v1/query",
            body: r#"{"package":{"ecosystem":"PyPI","name":"jinja2"},"version":"2.4.1"}"#,
            answer: r#"{"vulns": [
                {"id": "GHSA-462w-v97r-4m45", "summary": "A sandbox escape", "modified": "2024-01-01T00:00:00Z", "affected": []},
                {"id": "PYSEC-2019-217", "modified": "2024-01-01T00:00:00Z", "affected": []}
            ]}"#,
            result: r#"{"ids": ["GHSA-462w-v97r-4m45", "PYSEC-2019-217"], "next_page": null}"#,
        },
        Exchange {
            capability: "osv.get",
            args: r#"{"id":"GHSA-462w-v97r-4m45"}"#,
            request: "GET /v1/vulns/GHSA-462w-v97r-4m45",
            body: "",
            answer: r#"{
                "id": "GHSA-462w-v97r-4m45", "details": "It escapes.", "aliases": ["CVE-2019-10906"],
                "modified": "2024-01-01T00:00:00Z", "published": "2019-04-10T14:30:24Z", "schema_version": "1.6.0", "affected": []
            }"#,
            result: r#"{
                "id": "GHSA-462w-v97r-4m45", "aliases": ["CVE-2019-10906"], "summary": null, "details": "It escapes.",
                "published": "2019-04-10T14:30:24Z", "modified": "2024-01-01T00:00:00Z"
            }"#,
        },
    ],
};

pub(super) const QUAKES: Service = Service {
    connector: "quakes",
    origin: "https://earthquake.usgs.gov",
    exchanges: &[Exchange {
        capability: "quakes.list",
        args: r#"{"from":"2011-03-11","to":"2011-03-12","min_magnitude":8.5}"#,
        request: "GET /fdsnws/event/1/query?format=geojson&orderby=time&limit=50\
            &starttime=2011-03-11&endtime=2011-03-12&minmagnitude=8.5",
        body: "",
        answer: r#"{
            "type": "FeatureCollection",
            "metadata": {"generated": 1700000000000, "status": 200, "api": "1.14.1", "limit": 50, "offset": 1, "count": 1},
            "features": [{
                "type": "Feature", "id": "one",
                "properties": {"mag": 9.1, "place": "off the coast", "time": 1299822384120, "url": "https://example.com/one", "tsunami": 1},
                "geometry": {"type": "Point", "coordinates": [142.373, 38.297, 29]}
            }],
            "bbox": [142.373, 38.297, 29, 142.373, 38.297, 29]
        }"#,
        result: r#"[{
            "place": "off the coast", "magnitude": 9.1, "time_ms": 1299822384120, "longitude": 142.373, "latitude": 38.297, "depth_km": 29,
            "url": "https://example.com/one"
        }]"#,
    }],
};

pub(super) const WIKIPEDIA: Service = Service {
    connector: "wikipedia",
    origin: "https://en.wikipedia.org",
    exchanges: &[
        Exchange {
            capability: "wikipedia.search",
            args: r#"{"query":"tide"}"#,
            request: "GET /w/api.php?action=query&list=search&format=json&formatversion=2&srsearch=tide",
            body: "",
            answer: r#"{
                "batchcomplete": true, "continue": {"sroffset": 10, "continue": "-||"},
                "query": {
                    "searchinfo": {"totalhits": 1},
                    "search": [{
                        "ns": 0, "title": "Tide", "pageid": 30718, "size": 100, "wordcount": 15,
                        "snippet": "A <span class=\"searchmatch\">tide</span> is", "timestamp": "2026-01-01T00:00:00Z"
                    }]
                }
            }"#,
            result: r#"[{"title": "Tide", "page_id": 30718, "words": 15, "snippet": "A <span class=\"searchmatch\">tide</span> is"}]"#,
        },
        Exchange {
            capability: "wikipedia.summary",
            args: r#"{"title":"Tide"}"#,
            request: "GET /api/rest_v1/page/summary/Tide",
            body: "",
            answer: r#"{
                "type": "standard", "title": "Tide", "pageid": 30718, "lang": "en", "description": "Rise and fall of the sea level",
                "content_urls": {
                    "desktop": {"page": "https://en.wikipedia.org/wiki/Tide"}, "mobile": {"page": "https://en.m.wikipedia.org/wiki/Tide"}
                },
                "extract": "Tides are the rise and fall of sea levels.", "extract_html": "<p>Tides</p>"
            }"#,
            result: r#"{
                "title": "Tide", "kind": "standard", "description": "Rise and fall of the sea level",
                "extract": "Tides are the rise and fall of sea levels.", "url": "https://en.wikipedia.org/wiki/Tide"
            }"#,
        },
    ],
};
