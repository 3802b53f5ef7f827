//! Which header names a connector may use. `rules` tell the author, `exec` refuses them again.

/// Names that belong to the connection and not to the request's author.
const FORBIDDEN: [&str; 9] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "upgrade",
    "te",
    "trailer",
    "expect",
];

/// Names by which some services take another method than the one sent.
const OVERRIDES: [&str; 3] = ["x-http-method", "x-http-method-override", "x-method-override"];

/// Whether the name is a token (RFC 9110, 5.6.2).
pub fn is_header_name(name: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(token)
}

/// Whether no request may set this header: it would change the connection, its framing or its host.
pub fn is_forbidden_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    FORBIDDEN.contains(&name.as_str()) || name.starts_with("proxy-")
}

/// Whether the header can turn a read into a change.
pub fn overrides_method(name: &str) -> bool {
    OVERRIDES.iter().any(|other| name.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_in_any_case() {
        for name in [
            "Host",
            "HOST",
            "te",
            "Proxy-Connection",
            "proxy-authorization",
            "Expect",
            "Keep-Alive",
        ] {
            assert!(is_forbidden_header(name), "{name}");
        }
        for name in ["X-Host", "Accept", "TE2", "Proxied"] {
            assert!(!is_forbidden_header(name), "{name}");
        }
        assert!(overrides_method("x-HTTP-method-override"));
        assert!(is_header_name("X-Ok") && !is_header_name("X-Ok:") && !is_header_name("") && !is_header_name("X-Ök"));
    }
}
