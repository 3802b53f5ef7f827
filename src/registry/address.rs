//! The addresses of the API.

use url::Url;

/// Where the official registry is.
pub const DEFAULT: &str = "https://registry.modelcontextprotocol.io";

/// One page of the servers whose names hold a text, in their latest versions.
pub fn search(registry: &Url, words: &str, cursor: Option<&str>, limit: usize) -> Url {
    let mut url = below(registry, &["v0.1", "servers"]);
    {
        let mut query = url.query_pairs_mut();
        query.append_pair("limit", &limit.to_string()).append_pair("version", "latest");
        if !words.is_empty() {
            query.append_pair("search", words);
        }
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
    }
    url
}

/// One version of a server; `latest` for the newest.
///
/// ```
/// let registry = url::Url::parse("https://registry.example/").unwrap();
/// let address = becket::registry::version(&registry, "io.github.acme/weather", "latest");
/// assert_eq!(address.path(), "/v0.1/servers/io.github.acme%2Fweather/versions/latest");
/// ```
pub fn version(registry: &Url, server: &str, version: &str) -> Url {
    below(registry, &["v0.1", "servers", server, "versions", version])
}

fn below(registry: &Url, segments: &[&str]) -> Url {
    let mut url = registry.clone();
    url.set_query(None);
    url.set_fragment(None);
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}
