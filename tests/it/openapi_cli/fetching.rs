//! Descriptions at an address: what is fetched, what never is, and what is said instead.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

const ZIPPED: (&str, &str) = ("Content-Encoding", "gzip");

#[test]
fn a_description_comes_zipped_and_by_redirects_of_its_origin() {
    let service = shop(|seen, line| match seen.target.as_str() {
        "/zipped" => line.answer(200, &[YAML, ZIPPED], &zipped(PETS.as_bytes())),
        "/moved" => line.answer(301, &[("Location", "/hop")], b""),
        "/hop" => line.answer(307, &[("Location", "api/v3/openapi.yaml")], b""),
        "/json" => line.answer(200, &[HTML], br#"{"openapi": "3.0.3", "info": {"title": "Pet shop"}, "paths": {}}"#),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    for path in ["/zipped", "/moved"] {
        let ended = openapi(folder.path(), &[&at(&service, path)]);
        assert_eq!(ended.code, 0, "{path}: {ended:?}");
        // Relative to where the description was found in the end.
        let base = format!("Pet shop — http://127.0.0.1:{}/api/v3, 5 operations\n", service.port());
        assert!(ended.out.starts_with(&base), "{path}: {ended:?}");
    }
    let ended = openapi(folder.path(), &[&at(&service, "/json")]);
    assert!(
        ended.out.starts_with("Pet shop — "),
        "JSON is read whatever it is called: {ended:?}"
    );
    let first = &service.seen()[0];
    assert_eq!(first.header("User-Agent"), Some(concat!("becket/", env!("CARGO_PKG_VERSION"))));
    assert!(
        first
            .header("Accept")
            .is_some_and(|accept| accept.starts_with("application/json, application/yaml"))
    );
}

#[test]
fn another_origin_is_not_followed_unasked() {
    let other = shop(nothing);
    let leads = format!("http://localhost:{}/api/v3/openapi.yaml", other.port());
    let service = shop(move |seen, line| match seen.target.as_str() {
        "/other" => line.answer(302, &[("Location", leads.as_str())], b""),
        "/loop" => line.answer(302, &[("Location", "/loop")], b""),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    let failed = |path: &str| {
        let ended = openapi(folder.path(), &["--only", "get", &at(&service, path), "pets"]);
        (ended.code, ended.err)
    };
    let (port, there) = (service.port(), other.port());
    assert_eq!(
        failed("/other"),
        (
            4,
            format!(
                "error: cannot read the description at http://127.0.0.1:{port}/other\n  cause: redirect to localhost:{there} is outside 127.0.0.1:{port}\n\nhint: give the address that it leads to, when that is what you want\n"
            )
        )
    );
    assert_eq!(
        failed("/loop"),
        (
            4,
            format!("error: cannot read the description at http://127.0.0.1:{port}/loop\n  cause: 127.0.0.1 sends more than 5 redirects\n")
        )
    );
    assert_eq!((other.connections(), entries(folder.path())), (0, vec![]));
}

#[test]
fn what_is_no_description_is_said() {
    let service = shop(|seen, line| match seen.target.as_str() {
        "/text" => line.answer(200, &[], b"asyncapi: 2.0.0"),
        "/list" => line.answer(200, &[], b"[1]"),
        "/broken" => line.answer(200, &[], b"{\"openapi\": \"3.0.0\", \"paths\": {"),
        "/old" => line.answer(200, &[], b"openapi: 4.0.0"),
        "/bytes" => line.answer(200, &[], b"\xff\xfe\x00"),
        "/empty" => line.answer(200, &[], b""),
        "/locked" => line.answer(401, &[], b"no"),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    let port = service.port();
    for (path, code, start) in [
        (
            "/gone?token=s3cret&v=1",
            5,
            "cannot read the description at http://127.0.0.1:PORT/gone?v=1\n  cause: 127.0.0.1:PORT answered 404: no such place\n\nhint: open the address in a browser; many services publish it as /openapi.yaml or /swagger.json\n",
        ),
        (
            "/text",
            1,
            "there is no `openapi` or `swagger` field: this is no OpenAPI description\n\nhint: give the description itself; services often publish it as /openapi.json, /openapi.yaml or /swagger.json\n",
        ),
        ("/list", 1, "this is an array, not an OpenAPI description\n"),
        ("/broken", 1, "http://127.0.0.1:PORT/broken:1:"),
        ("/old", 1, "OpenAPI version `4.0.0` is not known\n"),
        ("/bytes", 1, "`http://127.0.0.1:PORT/bytes` is not UTF-8 text"),
        ("/empty", 1, "http://127.0.0.1:PORT/empty:1:1: the file is empty\n"),
        ("/locked", 5, "cannot read the description at http://127.0.0.1:PORT/locked\n"),
    ] {
        let ended = openapi(folder.path(), &["--only", "get", &at(&service, path), "pets"]);
        let start = format!("error: {}", start.replace("PORT", &port.to_string()));
        assert_eq!(ended.code, code, "{path}: {ended:?}");
        assert!(ended.err.starts_with(&start) && !ended.err.contains("s3cret"), "{path}: {ended:?}");
    }
    assert_eq!(entries(folder.path()), [""; 0]);
}

#[test]
fn a_web_page_names_the_description_that_it_loads() {
    let service = shop(|seen, line| match seen.target.as_str() {
        "/redoc" => line.answer(200, &[HTML], b"<!doctype html><redoc spec-url='/api/v3/openapi.yaml'></redoc>"),
        "/swagger" => line.answer(
            200,
            &[HTML],
            b"<html><script>window.ui = SwaggerUIBundle({url: \"../api/v3/openapi.yaml\", dom_id: '#swagger-ui'})</script>",
        ),
        "/ui/" => line.answer(
            200,
            &[HTML],
            b"<html><div id=\"swagger-ui\"></div><script src=\"./swagger-initializer.js\"></script>",
        ),
        "/plain" => line.answer(200, &[], b"\n<html>hello</html>"),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    let origin = format!("http://127.0.0.1:{}", service.port());
    let found = format!("the page refers to {origin}/api/v3/openapi.yaml");
    for (path, hint) in [
        ("/redoc", found.as_str()),
        ("/swagger", &found),
        (
            "/ui/",
            &format!("{origin}/ui/swagger-initializer.js says where the description is; give that address"),
        ),
        (
            "/plain",
            "the description is often at /openapi.json, /openapi.yaml, /swagger.json or /v3/api-docs",
        ),
    ] {
        let message = format!("error: {origin}{path} is a web page, not a description\n\nhint: {hint}\n");
        assert_failed(&openapi(folder.path(), &[&format!("{origin}{path}")]), 1, &message);
    }
}

#[test]
fn thirty_megabytes_are_the_most_zipped_or_not() {
    const MOST: usize = 30 << 20;
    let padded = |length: usize| {
        let mut text = PETS.as_bytes().to_vec();
        text.push(b'#');
        text.resize(length, b'x');
        text
    };
    let service = shop(move |seen, line| match seen.target.as_str() {
        "/full" => line.answer(200, &[YAML, ZIPPED], &zipped(&padded(MOST))),
        "/more" => line.answer(200, &[YAML], &padded(MOST + 1)),
        "/bomb" => line.answer(200, &[YAML, ZIPPED], &zipped(&vec![b' '; 300 << 20])),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    assert_eq!(openapi(folder.path(), &[&at(&service, "/full")]).code, 0);
    let port = service.port();
    for path in ["/more", "/bomb"] {
        let message = format!(
            "error: cannot read the description at http://127.0.0.1:{port}{path}\n  cause: the answer of 127.0.0.1:{port} is larger than 30 MB\n"
        );
        assert_failed(&openapi(folder.path(), &[&at(&service, path)]), 5, &message);
    }
}

/// A description that refers beside itself, to another service and to a file of this computer.
fn referring(other: u16) -> String {
    format!(
        "{{openapi: 3.0.3, info: {{title: Refs, version: '1'}}, paths: {{/a: {{get: {{parameters: [{{$ref: 'common.yaml#/Q'}}]}}}}, /b: {{get: {{$ref: 'http://127.0.0.1:{other}/x'}}}}, /c: {{get: {{$ref: 'file:///etc/passwd'}}}}}}}}"
    )
}

const COMMON: &str = "Q: {name: q, in: query, schema: {$ref: 'deep/s.yaml'}}";

#[test]
fn references_are_followed_on_request_and_only_at_home() {
    let other = Service::start(nothing);
    let there = other.port();
    let service = shop(move |seen, line| match seen.target.as_str() {
        "/d/openapi.yaml" => line.answer(200, &[YAML], referring(there).as_bytes()),
        "/d/common.yaml" => line.answer(200, &[YAML], COMMON.as_bytes()),
        "/d/deep/s.yaml" => line.answer(200, &[YAML], b"{type: integer}"),
        _ => nothing(seen, line),
    });
    let folder = folder(&[]);
    let spec = at(&service, "/d/openapi.yaml");
    let targets = || service.seen().into_iter().map(|seen| seen.target).collect::<Vec<_>>();
    let ended = openapi(folder.path(), &[&spec]);
    assert_eq!((ended.code, targets()), (0, vec!["/d/openapi.yaml".to_owned()]));
    assert!(ended.err.contains("`--follow-refs` follows those of the same origin"), "{ended:?}");
    assert!(
        ended.out.contains("(left out: it is described elsewhere (`file:///etc/passwd`))"),
        "{ended:?}"
    );
    let ended = openapi(folder.path(), &["--follow-refs", "--only", "get_a", &spec, "refs"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(targets()[1..], ["/d/openapi.yaml", "/d/common.yaml", "/d/deep/s.yaml"]);
    let written: serde_json::Value = serde_json::from_str(&read(folder.path(), "refs/connector.json")).expect("JSON");
    assert_eq!(
        written["capabilities"][0]["schema"]["properties"]["q"],
        serde_json::json!({"type": "integer"})
    );
    assert_eq!(other.connections(), 0, "nobody else is asked");
}

#[test]
fn addresses_that_are_not_fetched() {
    let folder = folder(&[]);
    for (spec, code, err) in [
        (
            "ftp://a.dev/x",
            2,
            "error: `ftp` addresses are not fetched\n\nhint: give an `https` address or the path of a file\n",
        ),
        (
            "https://me:s3cret@a.dev/x",
            2,
            "error: the address has a user name or a password in it\n\nhint: save what is there as a file and give its path\n",
        ),
    ] {
        assert_failed(&openapi(folder.path(), &[spec]), code, err);
    }
    let private = openapi(folder.path(), &["https://169.254.169.254/latest"]);
    assert_eq!(private.code, 2, "{private:?}");
    assert!(
        private
            .err
            .ends_with("  cause: `169.254.169.254` is not a public address: it is link local\n"),
        "{private:?}"
    );
    let plain = openapi(folder.path(), &["http://a.dev/x"]);
    assert_eq!(plain.code, 2, "{plain:?}");
}
