//! Places whose name says that a key stands there, whatever its letters: `Authorization`,
//! `api_key=`.

/// What a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// It is a key.
    Key,
    /// It may be one: only letters like those of a key tell.
    Perhaps,
    Other,
}

/// Headers whose value is a key.
const HEADERS: [&str; 15] = [
    "api-key",
    "apikey",
    "authorization",
    "ocp-apim-subscription-key",
    "private-token",
    "proxy-authorization",
    "x-access-key",
    "x-access-token",
    "x-api-key",
    "x-api-token",
    "x-apikey",
    "x-auth-key",
    "x-auth-token",
    "x-secret-key",
    "x-token",
];
/// Parameters and fields whose value is a key, without `-`, `_` and dots.
const PARAMETERS: [&str; 14] = [
    "accesskey",
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authkey",
    "authtoken",
    "clientsecret",
    "key",
    "password",
    "secret",
    "secretkey",
    "token",
    "xapikey",
];
/// What stands in such places and is no key: schemes without one, and nothing at all.
const PLAIN: [&str; 13] = [
    "anonymous",
    "apikey",
    "basic",
    "bearer",
    "bot",
    "digest",
    "false",
    "negotiate",
    "none",
    "null",
    "token",
    "true",
    "undefined",
];

/// What the name of a header says.
pub fn header(name: &str) -> Named {
    let name = name.to_ascii_lowercase();
    match HEADERS.contains(&name.as_str()) || name.ends_with("-api-key") {
        true => Named::Key,
        false => perhaps(&name),
    }
}

/// What the name of a query parameter, a body's field or a program's flag says.
pub fn parameter(name: &str) -> Named {
    let bare = name.to_ascii_lowercase().replace(['-', '_', '.'], "");
    match PARAMETERS.contains(&bare.as_str()) {
        true => Named::Key,
        false => perhaps(name),
    }
}

fn perhaps(name: &str) -> Named {
    match super::names_a_key(name) {
        true => Named::Perhaps,
        false => Named::Other,
    }
}

/// Whether a value says nothing secret wherever it stands.
pub fn is_plain_value(text: &str) -> bool {
    let word = text.trim().to_ascii_lowercase();
    word.is_empty() || PLAIN.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        for name in ["Authorization", "X-API-Key", "api-key", "X-Auth-Token", "x-goog-api-key"] {
            assert_eq!(header(name), Named::Key, "{name}");
        }
        for name in ["api_key", "apikey", "access_token", "token", "key", "--api-key", "client_secret"] {
            assert_eq!(parameter(name), Named::Key, "{name}");
        }
        for name in [
            "page_token",
            "sort_key",
            "keyword",
            "token_type",
            "keys",
            "q",
            "idempotency_key",
            "grant_type",
        ] {
            assert_ne!(parameter(name), Named::Key, "{name}");
        }
        for name in ["Accept", "Idempotency-Key", "X-Page-Token", "If-None-Match"] {
            assert_ne!(header(name), Named::Key, "{name}");
        }
    }
}
