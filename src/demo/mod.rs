//! What `demo` shows: a small library service on this computer that describes itself, a connector
//! for it written by hand, and a mistake.

mod service;

pub use service::Service;

/// A connector for the service at `base`.
pub fn connector(base: &str) -> String {
    include_str!("connector.json").replace("http://127.0.0.1:1", base)
}

/// A connector of the service with a key where none may be.
pub fn mistake(connector: &str) -> String {
    connector.replace("\"/books/{{isbn}}\"", "\"/books/{{isbn}}/{{env.LIBRARY_KEY}}\"")
}
