//! A web page where a description was expected: which addresses in it may be the description.

use url::Url;

use super::super::address;
use super::super::exit::Exit;
use super::super::fault::Fault;
use crate::exec::Page;

/// How many addresses are named.
const NAMED: usize = 5;

pub(super) fn is_one(page: &Page) -> bool {
    let start = page.bytes.trim_ascii_start();
    let says_so = page
        .media
        .as_ref()
        .is_some_and(|media| media.to_ascii_lowercase().starts_with("text/html"));
    start.starts_with(b"<") || (says_so && !start.starts_with(b"{"))
}

pub(super) fn fault(page: &Page) -> Fault {
    let fault = Fault::new(
        Exit::Findings,
        "web_page",
        format!("{} is a web page, not a description", address::public(&page.address)),
    );
    let found = candidates(page);
    if found.is_empty() {
        if let Some(script) = initializer(page) {
            return fault.hint(format!("{script} says where the description is; give that address"));
        }
        return fault.hint("the description is often at /openapi.json, /openapi.yaml, /swagger.json or /v3/api-docs");
    }
    let found: Vec<String> = found.iter().map(address::public).collect();
    fault.hint(format!("the page refers to {}", found.join(" and ")))
}

/// The script in which the pages of Swagger UI keep the address of the description.
fn initializer(page: &Page) -> Option<String> {
    let text = String::from_utf8_lossy(&page.bytes);
    let quoted = text.split(['"', '\'']).find(|quoted| quoted.ends_with("swagger-initializer.js"))?;
    page.address.join(quoted).ok().map(|url| address::public(&url))
}

/// Quoted addresses in the page that look like a description: what documentation pages load.
fn candidates(page: &Page) -> Vec<Url> {
    let text = String::from_utf8_lossy(&page.bytes);
    let mut found: Vec<Url> = Vec::new();
    for quoted in text.split(['"', '\'', '`']).filter(|quoted| is_likely(quoted)) {
        let Ok(url) = page.address.join(&quoted.replace("&amp;", "&")) else {
            continue;
        };
        if matches!(url.scheme(), "http" | "https") && !found.contains(&url) && found.len() < NAMED {
            found.push(url);
        }
    }
    found
}

fn is_likely(quoted: &str) -> bool {
    if quoted.len() > 300 || quoted.contains(|letter: char| letter.is_whitespace() || letter == '<') {
        return false;
    }
    let path = quoted.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let named = ["openapi", "swagger", "api-docs", "apispec"].iter().any(|word| path.contains(word));
    let typed = [".json", ".yaml", ".yml"].iter().any(|end| path.ends_with(end));
    (named && typed) || path.ends_with("api-docs") || (typed && (path.contains("spec") || path.contains("/api")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(media: &str, text: &str) -> Page {
        Page {
            bytes: text.as_bytes().to_vec(),
            address: Url::parse("https://docs.shelf.example/ui/index.html").expect("an address"),
            media: Some(media.to_owned()),
        }
    }

    #[test]
    fn a_page_names_the_descriptions_that_it_loads() {
        let text = r#"<html><script src="swagger-ui-bundle.js"></script><script>SwaggerUIBundle({url: "../openapi.json"})</script>
            <redoc spec-url='/v2/swagger.yaml?x=1'></redoc> <a href="/about.json">"#;
        let found = candidates(&page("text/html", text));
        let found: Vec<&str> = found.iter().map(Url::as_str).collect();
        assert_eq!(
            found,
            [
                "https://docs.shelf.example/openapi.json",
                "https://docs.shelf.example/v2/swagger.yaml?x=1"
            ]
        );
    }

    #[test]
    fn a_description_served_as_html_is_none() {
        assert!(!is_one(&page("text/html; charset=utf-8", " {\"openapi\": \"3.0.0\"}")));
        assert!(is_one(&page("text/html", "openapi: 3.0.0")));
        assert!(is_one(&page("text/plain", "\n<!doctype html>")));
        assert!(!is_one(&page("text/plain", "openapi: 3.0.0")));
    }
}
