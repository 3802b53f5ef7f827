//! An address that somebody typed: which words are one, and how it is shown and remembered, which
//! is without the keys in it. Fetches nothing.

use url::Url;

use super::fault::Fault;
use crate::model::credential::names_a_key;

/// An address to fetch; nothing when the words are a file's path.
pub(super) fn parse(spec: &str) -> Result<Option<Url>, Fault> {
    let Ok(url) = Url::parse(spec) else { return Ok(None) };
    if !matches!(url.scheme(), "http" | "https") {
        return match spec.contains("://") {
            true => Err(Fault::usage("bad_address", format!("`{}` addresses are not fetched", url.scheme()))
                .hint("give an `https` address or the path of a file")),
            false => Ok(None),
        };
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Fault::usage("bad_address", "the address has a user name or a password in it")
            .hint("save what is there as a file and give its path"));
    }
    Ok(Some(url))
}

/// The address without the parts of its query that are keys.
pub(super) fn public(url: &Url) -> String {
    let mut shown = url.clone();
    let kept: Vec<(String, String)> = url.query_pairs().filter(|(name, _)| !names_a_key(name)).map(owned).collect();
    if kept.len() < url.query_pairs().count() {
        shown.set_query(None);
        if !kept.is_empty() {
            shown.query_pairs_mut().extend_pairs(kept);
        }
    }
    shown.into()
}

fn owned((name, value): (std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)) -> (String, String) {
    (name.into_owned(), value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_addresses_files_or_refused() {
        for (spec, expected) in [
            ("https://a.example/x?y=z", Ok(true)),
            ("petstore.yaml", Ok(false)),
            ("-", Ok(false)),
            ("", Ok(false)),
            ("C:\\apis\\petstore.yaml", Ok(false)),
            ("ftp://a.example/x", Err("`ftp` addresses are not fetched")),
            ("file:///etc/x", Err("`file` addresses are not fetched")),
            ("https://u@a.example/x", Err("the address has a user name or a password in it")),
            ("https://:p@a.example/x", Err("the address has a user name or a password in it")),
        ] {
            let parsed = parse(spec).map(|url| url.is_some());
            assert_eq!(
                parsed.as_ref().map_err(|fault| fault.message.as_str()),
                expected.as_ref().map_err(|why| *why),
                "{spec}"
            );
        }
    }

    #[test]
    fn keys_in_the_query_are_neither_shown_nor_remembered() {
        for (address, expected) in [
            ("https://a.example/x", "https://a.example/x"),
            ("https://a.example/x?v=1&f=a%20b", "https://a.example/x?v=1&f=a%20b"),
            ("https://a.example/x?api_key=k", "https://a.example/x"),
            ("https://a.example/x?v=a%20b&access_token=k#top", "https://a.example/x?v=a+b#top"),
        ] {
            assert_eq!(public(&Url::parse(address).expect("an address")), expected);
        }
    }
}
