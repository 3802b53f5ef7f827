//! The connectors in `examples/connectors`: nothing is wrong with their files, their contracts pass
//! over HTTP against stand-ins for their services, and what services are known to answer in place
//! of an answer is told. The program itself is run; nothing leaves this computer.

mod changes;
mod services;
mod tides;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use becket::format::write::write;
use becket::rules;
use becket::source::Source;
use serde_json::Value;

use crate::service::Service;
use services::ALL;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/connectors")
}

fn manifest(connector: &str) -> String {
    fs::read_to_string(folder().join(connector).join("connector.json")).expect("the example's manifest")
}

fn connectors() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the examples");
    let folders = entries.map(|entry| entry.expect("an entry")).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

/// What one run of the program did.
#[derive(Debug)]
struct Ran {
    exit: i32,
    out: String,
    err: String,
}

fn becket(words: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_becket"))
        .args(words)
        .env_clear()
        .envs([("COLUMNS", "100"), ("LANG", "C.UTF-8")])
        .output()
        .expect("the program starts");
    Ran {
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A stand-in for a service, and its connector with only the origin of the base changed.
struct Standin {
    service: Service,
    folder: tempfile::TempDir,
}

impl Standin {
    /// Answers the requests of the contract with what `change` makes of their answers.
    fn start(of: &'static services::Service, change: impl Fn(&str) -> String) -> Self {
        let answers: Vec<String> = of.exchanges.iter().map(|exchange| change(exchange.answer)).collect();
        Self::on(
            of,
            Service::start(move |seen, line| {
                let asked = (format!("{} {}", seen.method, seen.target), seen.body.clone());
                let same = |exchange: &services::Exchange| asked == (exchange.request.to_owned(), exchange.body.as_bytes().to_vec());
                match of.exchanges.iter().position(same) {
                    Some(at) => line.answer(200, &[("Content-Type", "application/json")], answers[at].as_bytes()),
                    None => line.answer(404, &[], b"not what the service knows"),
                }
            }),
        )
    }

    /// Answers every request alike.
    fn saying(of: &'static services::Service, status: u16, headers: &'static [(&str, &str)], body: &'static str) -> Self {
        Self::on(of, Service::start(move |_, line| line.answer(status, headers, body.as_bytes())))
    }

    fn on(of: &services::Service, service: Service) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let text = manifest(of.connector);
        assert_eq!(text.matches(of.origin).count(), 1, "{}", of.connector);
        let moved = text.replace(of.origin, &format!("http://{}", service.address()));
        fs::write(folder.path().join("connector.json"), moved).expect("a manifest");
        Self { service, folder }
    }

    fn run(&self, words: &[&str]) -> Ran {
        let path = self.folder.path().to_str().expect("a path of text");
        becket(&[&words[..1], &[path], &words[1..]].concat())
    }

    fn call(&self, exchange: &services::Exchange) -> Ran {
        self.run(&["call", exchange.capability, "--args", exchange.args])
    }
}

#[test]
fn the_examples_are_these() {
    assert_eq!(
        connectors(),
        ["frankfurter", "hnsearch", "openmeteo", "osv", "quakes", "tides", "wikipedia"]
    );
    let readme = fs::read_to_string(folder().join("README.md")).expect("a README");
    for connector in connectors() {
        let checked = rules::read(Source::new("connector.json", manifest(&connector)));
        for capability in &checked.connector.expect("a connector").capabilities {
            assert!(readme.contains(&format!("`{}`", capability.name)), "{}", capability.name);
        }
    }
}

#[test]
fn a_strict_check_finds_nothing() {
    for connector in connectors() {
        let path = folder().join(&connector);
        let path = path.to_str().expect("a path of text");
        let ran = becket(&["check", "--offline", "--strict", "--format", "json", path]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        let checked = rules::read(Source::new("connector.json", manifest(&connector)));
        assert!(checked.findings.is_empty(), "{connector}: {:?}", checked.findings);
    }
    let path = folder();
    let ran = becket(&["check", "--offline", "--strict", path.to_str().expect("a path of text")]);
    assert_eq!((ran.exit, ran.out.lines().count()), (0, 7), "{ran:?}");
}

#[test]
fn what_is_written_says_the_same() {
    for connector in connectors() {
        let text = manifest(&connector);
        let read = rules::read(Source::new("connector.json", text.clone()));
        let written = write(&read.connector.expect("a connector"));
        assert_eq!(json(&written), json(&text), "{connector}");
        let again = rules::read(Source::new("connector.json", written.clone()));
        assert!(again.findings.is_empty(), "{connector}: {:?}", again.findings);
        assert_eq!(write(&again.connector.expect("a connector")), written, "{connector}");
    }
}

#[test]
fn contracts_pass_against_the_documented_shapes() {
    for of in &ALL {
        let standin = Standin::start(of, str::to_owned);
        let ran = standin.run(&["check"]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        assert!(ran.out.ends_with("contract ok\n"), "{ran:?}");
        let cases: Vec<&str> = ran.err.lines().collect();
        assert_eq!(cases.len(), of.exchanges.len(), "{ran:?}");
        for (case, exchange) in cases.iter().zip(of.exchanges) {
            assert!(
                case.starts_with(&format!("{} {} … ok (", exchange.capability, exchange.args)),
                "{case}"
            );
        }
        let seen = standin.service.seen();
        let asked: Vec<(String, &[u8])> = seen
            .iter()
            .map(|seen| (format!("{} {}", seen.method, seen.target), seen.body.as_slice()))
            .collect();
        let wanted: Vec<(String, &[u8])> = of
            .exchanges
            .iter()
            .map(|exchange| (exchange.request.to_owned(), exchange.body.as_bytes()))
            .collect();
        assert_eq!(asked, wanted, "{}", of.connector);
    }
}

#[test]
fn services_are_told_who_asks() {
    for of in &ALL {
        let standin = Standin::start(of, str::to_owned);
        for exchange in of.exchanges {
            standin.call(exchange);
        }
        for seen in standin.service.seen() {
            let agent = match of.connector {
                "wikipedia" => "becket-example-wikipedia/1.0",
                _ => concat!("becket/", env!("CARGO_PKG_VERSION")),
            };
            assert_eq!(seen.header("user-agent"), Some(agent), "{}", seen.target);
            assert_eq!(seen.header("accept"), Some("application/json"), "{}", seen.target);
            let media = (!seen.body.is_empty()).then_some("application/json");
            assert_eq!(seen.header("content-type"), media, "{}", seen.target);
        }
    }
}

#[test]
fn calls_keep_what_returns_promises() {
    for of in &ALL {
        let standin = Standin::start(of, str::to_owned);
        for exchange in of.exchanges {
            let ran = standin.call(exchange);
            assert_eq!(ran.exit, 0, "{ran:?}");
            assert_eq!(json(&ran.out), json(exchange.result), "{}", exchange.capability);
        }
    }
}

#[test]
fn every_argument_goes_where_the_service_reads_it() {
    let calls: [(&str, &[&str], &str); 9] = [
        (
            "frankfurter.latest",
            &["base=USD", "quotes=EUR,GBP"],
            "GET https://api.frankfurter.dev/v2/rates?base=USD&quotes=EUR%2CGBP",
        ),
        (
            "frankfurter.history",
            &["from=2024-01-08", "base=USD", "quotes=EUR"],
            "GET https://api.frankfurter.dev/v2/rates?from=2024-01-08&base=USD&quotes=EUR",
        ),
        (
            "hnsearch.stories",
            &["query=c++ & rust", "min_points=10", "max=5"],
            "GET https://hn.algolia.com/api/v1/search?query=c%2B%2B%20%26%20rust&tags=story&numericFilters=points%3E%3D10&hitsPerPage=5",
        ),
        (
            "openmeteo.days",
            &["latitude=-33.9", "longitude=151"],
            "GET https://api.open-meteo.com/v1/forecast?timezone=auto&latitude=-33.9&longitude=151\
                &daily=temperature_2m_max%2Ctemperature_2m_min%2Cprecipitation_sum",
        ),
        (
            "osv.get",
            &["id=DSA-3029-1/../x"],
            "GET https://api.osv.dev/v1/vulns/DSA-3029-1%2F..%2Fx",
        ),
        (
            "quakes.list",
            &["from=2026-01-01", "max=3"],
            "GET https://earthquake.usgs.gov/fdsnws/event/1/query?format=geojson&orderby=time&limit=3&starttime=2026-01-01",
        ),
        (
            "wikipedia.search",
            &["query=spring tide", "max=50"],
            "GET https://en.wikipedia.org/w/api.php?action=query&list=search&format=json&formatversion=2&srsearch=spring%20tide&srlimit=50",
        ),
        (
            "wikipedia.summary",
            &["title=AC/DC"],
            "GET https://en.wikipedia.org/api/rest_v1/page/summary/AC%2FDC",
        ),
        (
            "osv.query",
            &["ecosystem=npm", r#"name:="@scope/thing""#, "page=abc"],
            r#"{"package":{"ecosystem":"npm","name":"@scope/thing"},"page_token":"abc"}"#,
        ),
    ];
    for (capability, args, wanted) in calls {
        let connector = capability.split_once('.').expect("a dot").0;
        let path = folder().join(connector);
        let words = [&["call", path.to_str().expect("a path of text"), capability, "--dry-run"], args].concat();
        let ran = becket(&words);
        assert_eq!(ran.exit, 0, "{ran:?}");
        let sent = ran.out.lines().map(|line| line.split("  #").next().unwrap_or_default());
        assert!(sent.into_iter().any(|line| line == wanted), "{wanted}\n{}", ran.out);
    }
}

#[test]
fn arguments_that_a_service_would_refuse_are_not_sent() {
    let calls: [(&str, &[&str], &str); 6] = [
        ("frankfurter.latest", &["base=usd"], "`base`"),
        ("frankfurter.history", &["from=8 January", "quotes=USD"], "`from`"),
        ("hnsearch.item", &["id=0"], "`id`"),
        ("openmeteo.now", &["latitude=91", "longitude=0"], "`latitude`"),
        ("openmeteo.days", &["latitude=1", "longitude=1", "days=17"], "`days`"),
        ("quakes.list", &["from=2026-01-01", "max=101"], "`max`"),
    ];
    for (capability, args, named) in calls {
        let connector = capability.split_once('.').expect("a dot").0;
        let of = ALL.iter().find(|of| of.connector == connector).expect("a service");
        let standin = Standin::saying(of, 200, &[], "{}");
        let ran = standin.run(&[&["call", capability], args].concat());
        assert_eq!(ran.exit, 2, "{ran:?}");
        assert!(ran.err.contains(named), "{ran:?}");
        assert!(standin.service.seen().is_empty(), "{capability}");
    }
}
