//! What a stored key is called: by its connector and its variable, or by one name of its own. Every
//! store files it under the service [`SERVICE`] and an account made of these.

/// The service under which every key is stored.
pub const SERVICE: &str = "becket";
/// The longest name.
const LONGEST: usize = 128;

/// The name of one stored key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyName {
    connector: Option<String>,
    key: String,
}

impl KeyName {
    /// A key of a connector: `tides` and `TIDES_KEY`.
    pub fn of_connector(connector: &str, key: &str) -> Option<Self> {
        (is_connector(connector) && is_variable(key) && key.len() <= LONGEST).then(|| Self {
            connector: Some(connector.to_owned()),
            key: key.to_owned(),
        })
    }

    /// A key with a name of its own: `mcp_tracker_key`.
    pub fn own(key: &str) -> Option<Self> {
        is_word(key).then(|| Self {
            connector: None,
            key: key.to_owned(),
        })
    }

    pub fn service(&self) -> &'static str {
        SERVICE
    }

    /// `tides/TIDES_KEY`, or `mcp_tracker_key`.
    pub fn account(&self) -> String {
        match &self.connector {
            Some(connector) => format!("{connector}/{}", self.key),
            None => self.key.clone(),
        }
    }

    /// The name that an account stands for; nothing when it is no account of ours.
    pub fn read(account: &str) -> Option<Self> {
        match account.split_once('/') {
            Some((connector, key)) => Self::of_connector(connector, key),
            None => Self::own(account),
        }
    }

    pub fn connector(&self) -> Option<&str> {
        self.connector.as_deref()
    }

    pub fn key(&self) -> &str {
        &self.key
    }
}

/// A connector's name: 2 to 31 lower-case letters and digits, a letter first.
pub fn is_connector(name: &str) -> bool {
    (2..=31).contains(&name.len())
        && name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// The name of a variable: upper-case letters, digits and `_`, a letter first.
pub fn is_variable(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_uppercase()) && name.bytes().all(letter)
}

fn is_word(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_account_say_the_same() {
        for account in ["tides/TIDES_KEY", "mcp_tracker_key", "TIDES_KEY"] {
            assert_eq!(KeyName::read(account).expect(account).account(), account);
        }
        let name = KeyName::of_connector("tides", "TIDES_KEY").unwrap();
        assert_eq!(
            (name.service(), name.connector(), name.key()),
            ("becket", Some("tides"), "TIDES_KEY")
        );
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for account in [
            "",
            "../../x",
            "a\nb",
            "tides/",
            "/X",
            "tides/x",
            "Tides/X",
            "t/X",
            "9x",
            "a-b",
            "tides/A/B",
            "é",
        ] {
            assert_eq!(KeyName::read(account), None, "{account}");
        }
        assert_eq!(KeyName::own(&"a".repeat(129)), None);
        assert!(KeyName::own(&"a".repeat(128)).is_some());
    }
}
