//! What `demo` shows: a small library service on this computer, and connectors for it, one right
//! and one with a mistake.

mod service;

pub use service::Service;

/// A connector for the service at `base`.
pub fn connector(base: &str) -> String {
    include_str!("connector.json").replace("http://127.0.0.1:1", base)
}

/// The same connector with a key where none may be.
pub fn mistake(base: &str) -> String {
    connector(base).replace("\"/books/{{isbn}}\"", "\"/books/{{isbn}}/{{env.LIBRARY_KEY}}\"")
}
