//! Words about keys: names that say "this is a key", texts that say what stands before one, values
//! that look like one.

/// The word before the key in a text such as `Authorization: Token <key>` or "Bearer {token}".
pub(super) fn prefix_in(scheme: &str, about: &str) -> Option<String> {
    let words: Vec<&str> = about.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .to_owned()
    };
    for pair in words.windows(2) {
        let word = bare(pair[0]);
        let known = [
            "bearer",
            "token",
            "apikey",
            "api-key",
            "key",
            "basic",
            "jwt",
            "oauth",
            "ssws",
            "geniekey",
            "bot",
            "apitoken",
            "klaviyo-api-key",
            "discogs",
        ]
        .contains(&word.to_ascii_lowercase().as_str());
        let first = pair[1].trim_start_matches(['"', '\'', '`', '*', '(']);
        let blank = first.starts_with(['<', '{', '[', '$']) || is_stand_in(first);
        if known && blank && !pair[0].ends_with([',', '.', ';']) {
            return Some(word);
        }
    }
    let names_bearer = scheme.to_ascii_lowercase().contains("bearer");
    let quotes_bearer = [
        "\"Bearer\"",
        "'Bearer'",
        "`Bearer`",
        "\"Bearer ",
        "'Bearer ",
        "`Bearer ",
        "Bearer scheme",
        "Bearer prefix",
    ];
    (names_bearer || quotes_bearer.iter().any(|text| about.contains(text))).then(|| "Bearer".to_owned())
}

/// A word that stands for a key's value.
fn is_stand_in(word: &str) -> bool {
    let upper = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let shouted = upper.len() > 3 && upper.contains('_') && upper.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let lower = upper.to_ascii_lowercase();
    shouted
        || ["xxx", "your_", "your-", "yourt", "api_token", "api_key", "access_token", "eyj"]
            .iter()
            .any(|start| lower.starts_with(start))
}

/// Whether a header or query parameter of this name holds a key.
pub(super) fn is_key_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let plain = plain.strip_prefix('x').filter(|rest| KEY_NAMES.contains(rest)).unwrap_or(&plain);
    KEY_NAMES.contains(&plain)
}

const KEY_NAMES: &[&str] = &[
    "apikey",
    "authorization",
    "authtoken",
    "authkey",
    "accesstoken",
    "accesskey",
    "apitoken",
    "apisecret",
    "appkey",
    "secretkey",
    "clientsecret",
    "privatetoken",
    "subscriptionkey",
    "ocpapimsubscriptionkey",
    "usertoken",
    "sessiontoken",
    "bearertoken",
    "bottoken",
];

/// Whether a value under this name may be a key: broader than [`is_key_name`].
pub(super) fn is_secret_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    is_key_name(name)
        || ["token", "secret", "password", "passwd", "apikey", "credential", "privatekey"]
            .iter()
            .any(|word| plain.ends_with(word))
}

/// Whether a text has the form of a key that some service gives out.
pub(super) fn is_like_a_key(text: &str) -> bool {
    const STARTS: [&str; 17] = [
        "sk_",
        "sk-",
        "pk_",
        "rk_",
        "whsec_",
        "ghp_",
        "gho_",
        "ghs_",
        "github_pat_",
        "glpat-",
        "xoxb-",
        "xoxp-",
        "AKIA",
        "AIza",
        "eyJ",
        "Bearer ",
        "Basic ",
    ];
    STARTS.iter().any(|start| text.len() >= start.len() + 8 && text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_is_found_in_the_text() {
        for (scheme, about, expected) in [
            ("auth", "Use `Authorization: Token <key>`", Some("Token")),
            ("auth", "Send Bearer {token} in the header", Some("Bearer")),
            ("BearerAuth", "", Some("Bearer")),
            ("auth", "Type \"Bearer\" and then your token", Some("Bearer")),
            ("auth", "Authorization: ApiKey YOUR_API_KEY", Some("ApiKey")),
            ("auth", "The API key of your account", None),
            ("auth", "", None),
        ] {
            assert_eq!(prefix_in(scheme, about).as_deref(), expected, "{about}");
        }
    }

    #[test]
    fn names_of_keys_are_known_in_any_writing() {
        for name in [
            "api-key",
            "X-API-Key",
            "api_key",
            "Authorization",
            "x-auth-token",
            "Ocp-Apim-Subscription-Key",
        ] {
            assert!(is_key_name(name), "{name}");
        }
        for name in ["Idempotency-Key", "X-Request-Id", "key", "tokens", "xero-tenant-id"] {
            assert!(!is_key_name(name), "{name}");
        }
        assert!(is_secret_name("invite_token") && !is_secret_name("tokens"));
    }
}
