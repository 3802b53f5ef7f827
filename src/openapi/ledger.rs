//! What the import could not keep, as data: operations left out with their reason, and notes on
//! everything that was dropped, cut, changed or guessed.

use super::files::At;

/// Why an operation is left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A file has to be uploaded.
    File,
    /// The body is offered as this type only, which a connector cannot send.
    Binary(String),
    /// The body is offered as multipart only.
    Multipart,
    Xml,
    Text(String),
    CookieParameter(String),
    CookieKey,
    /// A key would go into the path.
    PathKey(String),
    OtherHost(String),
    ExternalRef(String),
    BrokenRef(String),
    /// A required list or object has a form that the format cannot say.
    Form(String),
    /// The released host cannot say it; this program can.
    HostForm(String),
    /// A method that connectors do not have.
    Method(String),
    /// JSON and form fields in one body.
    MixedBody,
    PathShape(String),
    /// It is not an object.
    Malformed,
}

impl Reason {
    /// The stable word of `--json`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File => "file-upload",
            Self::Binary(_) => "binary-body",
            Self::Multipart => "multipart-body",
            Self::Xml => "xml-body",
            Self::Text(_) => "text-body",
            Self::CookieParameter(_) => "cookie-parameter",
            Self::CookieKey => "cookie-key",
            Self::PathKey(_) => "key-in-path",
            Self::OtherHost(_) => "other-host",
            Self::ExternalRef(_) => "external-ref",
            Self::BrokenRef(_) => "broken-ref",
            Self::Form(_) | Self::HostForm(_) => "list-form",
            Self::Method(_) => "method",
            Self::MixedBody => "mixed-body",
            Self::PathShape(_) => "path-shape",
            Self::Malformed => "malformed",
        }
    }

    /// Completes "left out: it …".
    pub fn words(&self) -> String {
        match self {
            Self::File => "uploads a file".to_owned(),
            Self::Binary(media) | Self::Text(media) => format!("sends {media}"),
            Self::Multipart => "sends multipart/form-data".to_owned(),
            Self::Xml => "sends XML".to_owned(),
            Self::CookieParameter(name) => format!("needs a cookie (`{name}`)"),
            Self::CookieKey => "needs a key in a cookie".to_owned(),
            Self::PathKey(name) => format!("puts a key into the path (`{name}`)"),
            Self::OtherHost(host) => format!("goes to another host ({host})"),
            Self::ExternalRef(reference) => format!("is described elsewhere (`{reference}`)"),
            Self::BrokenRef(reference) => format!("refers to `{reference}`, which is not there"),
            Self::Form(name) => format!("needs `{name}` in a form that a connector cannot send"),
            Self::HostForm(name) => format!("needs `{name}` in a form that the released host cannot send; `--target becket` can"),
            Self::Method(word) => format!("is a {word}; connectors send GET, POST, PUT, PATCH and DELETE"),
            Self::MixedBody => "mixes a JSON body with form fields".to_owned(),
            Self::PathShape(path) => format!("has a path that a connector cannot send (`{path}`)"),
            Self::Malformed => "is not an object".to_owned(),
        }
    }
}

/// An operation that is not imported.
#[derive(Debug, Clone)]
pub struct LeftOut {
    pub id: String,
    pub operation_id: Option<String>,
    pub method: String,
    pub path: String,
    pub tags: Vec<String>,
    pub deprecated: bool,
    pub reason: Reason,
    pub at: At,
}

/// What kind of thing a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// A key stands twice in one object.
    DuplicateKey,
    BrokenRef,
    ExternalRef,
    /// A header that the host itself sends, a cookie, or a form that cannot be said.
    DroppedArgument,
    /// A part of a body that cannot be sent.
    DroppedField,
    DroppedKeyword,
    /// A `oneOf` or `anyOf` loses what its place cannot send.
    DroppedAlternative,
    /// What leads to the next page is not in what is kept of an answer.
    NextPage,
    /// A schema is cut: too deep or too large.
    Cut,
    /// A schema is cut where it comes back to itself.
    Cycle,
    UndeclaredPathParameter,
    UnusedPathParameter,
    /// The caller joins a list in one text.
    JoinedList,
    /// A parameter that is a key in all but name.
    KeyParameter,
    UndeclaredScheme,
    UnsupportedScheme,
    PrefixUnknown,
    PrefixFound,
    PastedToken,
    SecretDefault,
    HttpToHttps,
    DemoHost,
    PrivateHost,
    ServerVariable,
    ServerResolved,
    AddressPart,
    /// The released host does not read it; this program does.
    BeyondHost,
    /// The released host refuses the whole connector for it.
    HostRefuses,
    ShortName,
    OddValue,
}

impl NoteKind {
    pub fn code(self) -> &'static str {
        match self {
            Self::DuplicateKey => "duplicate-key",
            Self::BrokenRef => "broken-ref",
            Self::ExternalRef => "external-ref",
            Self::DroppedArgument => "dropped-argument",
            Self::DroppedField => "dropped-field",
            Self::DroppedKeyword => "dropped-keyword",
            Self::DroppedAlternative => "dropped-alternative",
            Self::NextPage => "next-page",
            Self::Cut => "cut",
            Self::Cycle => "cycle",
            Self::UndeclaredPathParameter => "undeclared-path-parameter",
            Self::UnusedPathParameter => "unused-path-parameter",
            Self::JoinedList => "joined-list",
            Self::KeyParameter => "key-parameter",
            Self::UndeclaredScheme => "undeclared-scheme",
            Self::UnsupportedScheme => "unsupported-scheme",
            Self::PrefixUnknown => "prefix-unknown",
            Self::PrefixFound => "prefix-found",
            Self::PastedToken => "pasted-token",
            Self::SecretDefault => "secret-default",
            Self::HttpToHttps => "http-to-https",
            Self::DemoHost => "demo-host",
            Self::PrivateHost => "private-host",
            Self::ServerVariable => "server-variable",
            Self::ServerResolved => "server-resolved",
            Self::AddressPart => "address-part",
            Self::BeyondHost => "beyond-host",
            Self::HostRefuses => "host-refuses",
            Self::ShortName => "short-name",
            Self::OddValue => "odd-value",
        }
    }

    /// Whether something of the description is lost by it: what `--strict` fails on.
    pub fn is_loss(self) -> bool {
        !matches!(
            self,
            Self::KeyParameter
                | Self::PrefixFound
                | Self::PastedToken
                | Self::HttpToHttps
                | Self::DemoHost
                | Self::ServerVariable
                | Self::ServerResolved
                | Self::ShortName
                | Self::BeyondHost
                | Self::UndeclaredPathParameter
                | Self::JoinedList
        )
    }
}

/// Something that the reader of an import should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub kind: NoteKind,
    pub at: At,
    /// The operation that it is about; nothing when it is about what several share.
    pub operation: Option<At>,
    /// A lower-case fragment.
    pub text: String,
}

/// Notes in the order in which they came, each once.
#[derive(Debug, Default)]
pub(super) struct Notes {
    notes: Vec<Note>,
    seen: std::collections::HashSet<(NoteKind, At, Option<At>, usize)>,
}

impl Notes {
    pub(super) fn add(&mut self, kind: NoteKind, at: At, operation: Option<At>, text: String) {
        if self.seen.insert((kind, at, operation, text.len())) {
            self.notes.push(Note { kind, at, operation, text });
        }
    }

    pub(super) fn into_all(self) -> Vec<Note> {
        self.notes
    }
}
