//! What can be wrong or odd with an address. No text here quotes user information or a query:
//! they may hold a key.

/// Why an address is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseError {
    #[error("the address has {}", letter_words(*.0))]
    Letter(char),
    #[error("the address has a placeholder")]
    Placeholder,
    #[error("not an address that starts with `https://` and a host")]
    NotAbsolute,
    #[error("`{0}` is not a scheme for a service")]
    Scheme(String),
    #[error("an `@` comes after the host, so some readers look for another host behind it")]
    AtSign,
    /// The offsets are bytes of the text that was parsed.
    #[error("the address has a user name or a key before the host")]
    UserInfo { start: usize, end: usize },
    #[error("not an address: {0}")]
    NotAnAddress(String),
    #[error("the path of the address has a dot segment")]
    DotSegment,
    #[error("plain `http` reaches only this computer")]
    NotHttps,
    #[error("`{host}` is not a public address: it is {why}")]
    NotPublic { host: String, why: &'static str },
    #[error("`{written}` is another way to write `{means}`")]
    Spelling { written: String, means: String },
    #[error("`{host}` is this computer")]
    Local { host: String },
    #[error("`{host}` is not a host name: {why}")]
    HostName { host: String, why: &'static str },
}

/// What will surprise someone about an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseWarning {
    #[error("the host is read as `{means}`")]
    Spelling { means: String },
    #[error("`{host}` mixes letters that look alike; it is read as `{means}`")]
    Lookalike { host: String, means: String },
    #[error("`{host}` is a name of an inner network")]
    Inner { host: String },
    #[error("`{host}` is an unusual host name: {why}")]
    HostName { host: String, why: &'static str },
    #[error("port {0} is unusual for an API")]
    Port(u16),
    #[error("braces in the address are sent as they are")]
    Braces,
    #[error("the address has a query of its own")]
    Query,
    #[error("the part after `#` is never sent")]
    Fragment,
}

fn letter_words(letter: char) -> &'static str {
    match letter {
        '\\' => "a backslash",
        '\n' | '\r' => "a line break",
        _ if letter.is_control() => "a control character",
        _ => "a blank",
    }
}
