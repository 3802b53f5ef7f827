//! The parts of a connector.

use super::{PathTemplate, Span, Template, Tree};

/// A connector, lowered from a file without errors.
#[derive(Debug, Clone)]
pub struct Connector {
    pub name: String,
    pub description: String,
    /// Where an imported one came from.
    pub source: Option<String>,
    pub imported: bool,
    pub transport: Transport,
    /// The declared keys.
    pub keys: Vec<Name>,
    pub capabilities: Vec<Capability>,
    pub cases: Vec<Case>,
}

/// A name and where it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub at: Span,
}

/// How a connector reaches its service.
#[derive(Debug, Clone)]
pub enum Transport {
    Http(Http),
    /// An MCP server over stdio.
    Program {
        command: String,
        args: Vec<String>,
    },
    /// An MCP server over streamable HTTP; `headers` are names whose values are keys.
    Remote {
        url: Base,
        headers: Vec<Name>,
    },
}

/// What every request of a connector shares.
#[derive(Debug, Clone)]
pub struct Http {
    pub base: Base,
    pub headers: Vec<Pair>,
    pub query: Vec<Parameter>,
    pub limits: Limits,
    pub redirects: Redirects,
    /// Requests that a minute may have, when the author says so.
    pub per_minute: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// A service's address, judged and taken apart once. All requests stay on its scheme, host and
/// port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub scheme: Scheme,
    /// As it goes on the wire: lower case, punycode, IPv6 in brackets.
    pub host: String,
    pub port: u16,
    /// Percent-encoded, without a trailing slash: empty or `/…`.
    pub path: String,
    /// Percent-encoded and kept as written, when the address had one.
    pub query: Option<String>,
    /// Whether the host is this computer (`localhost`, 127.0.0.0/8, `[::1]`).
    pub local: bool,
    pub at: Span,
}

impl Base {
    /// `host` or `host:port` when the port is not the scheme's own.
    pub fn authority(&self) -> String {
        let usual = match self.scheme {
            Scheme::Http => 80,
            Scheme::Https => 443,
        };
        if self.port == usual {
            self.host.clone()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// At most five, on the same scheme, host and port.
    SameOrigin,
    None,
}

/// What one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub seconds: u32,
    /// Bytes of answer after decoding.
    pub bytes: usize,
}

impl Limits {
    /// 30 seconds and 5 MB (seed, JSON connectors).
    pub const CONNECTOR: Self = Self {
        seconds: 30,
        bytes: 5 << 20,
    };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Risk {
    Read,
    Notify,
    Reversible,
    Irreversible,
}

impl Risk {
    pub const ALL: [Self; 4] = [Self::Read, Self::Notify, Self::Reversible, Self::Irreversible];

    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Notify => "notify",
            Self::Reversible => "reversible",
            Self::Irreversible => "irreversible",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.word() == text)
    }
}

/// One thing that a connector can do.
#[derive(Debug, Clone)]
pub struct Capability {
    /// `<connector>.<method>`.
    pub name: String,
    /// The MCP tool, when it is not `<connector>_<method>`.
    pub tool: Option<String>,
    pub risk: Risk,
    /// What an imported tool said when its owner reviewed it.
    pub reviewed: Option<Reviewed>,
    pub signature: String,
    pub returns: String,
    /// The JSON Schema of the arguments, as written.
    pub schema: Option<serde_json::Value>,
    pub schema_at: Option<Span>,
    /// What an argument is when a call does not give it.
    pub defaults: serde_json::Map<String, serde_json::Value>,
    pub request: Option<Request>,
    pub pick: Option<Pick>,
    pub at: Span,
}

/// A tool as its owner reviewed it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// A digest of each part: they decide.
    pub marks: String,
    /// The parts themselves, to show what has changed. The schema of the arguments is the
    /// capability's own; what is absent was nothing, or was not kept.
    pub parts: serde_json::Map<String, serde_json::Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub const ALL: [Self; 5] = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete];

    pub fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// The method in any case, as the released host takes it.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.word().eq_ignore_ascii_case(text))
    }
}

/// One HTTP request with its blanks.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: Method,
    pub path: PathTemplate,
    pub query: Vec<Parameter>,
    pub headers: Vec<Pair>,
    pub body: Option<Body>,
    /// A POST that only reads.
    pub safe: bool,
    pub at: Span,
}

/// A header.
#[derive(Debug, Clone)]
pub struct Pair {
    pub name: String,
    pub value: Template,
    pub keys: KeyText,
    pub at: Span,
}

/// How a key stands in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyText {
    AsIs,
    /// `user:password`, in base64.
    Base64,
}

/// A query parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub value: Each,
    pub at: Span,
}

/// How a query parameter's value becomes pairs.
#[derive(Debug, Clone)]
pub enum Each {
    /// One pair; a list becomes JSON text, as the released host sends it.
    One(Template),
    /// One pair for each template, and one for each item of a list: `["{{tags}}"]`.
    Every(Vec<Template>),
    /// One pair joined, or bracketed names: `{"value": "{{tags}}", "style": "comma"}`.
    Styled(Template, Style),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Comma,
    Pipe,
    Space,
    DeepObject,
}

impl Style {
    pub const ALL: [Self; 4] = [Self::Comma, Self::Pipe, Self::Space, Self::DeepObject];

    pub fn word(self) -> &'static str {
        match self {
            Self::Comma => "comma",
            Self::Pipe => "pipe",
            Self::Space => "space",
            Self::DeepObject => "deepObject",
        }
    }
}

/// What a request sends.
#[derive(Debug, Clone)]
pub enum Body {
    Json {
        tree: Tree,
        at: Span,
    },
    /// Fields in the order of the file.
    Form {
        kind: FormKind,
        fields: Vec<(String, Tree)>,
        at: Span,
    },
}

/// How a form is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// `application/x-www-form-urlencoded`.
    UrlEncoded,
    /// `multipart/form-data`, texts only.
    Multipart,
}

/// What is kept of an answer.
#[derive(Debug, Clone, Default)]
pub struct Pick {
    /// A dot path; empty for the whole answer.
    pub path: String,
    pub path_at: Option<Span>,
    /// New name and dot path; empty keeps everything.
    pub fields: Vec<PickField>,
    /// Items of a list; 0 keeps all.
    pub max: usize,
    pub expects: Expects,
}

/// What an answer has to be for `path` and `fields` to mean something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Expects {
    /// Anything; an answer that is not JSON is kept as it is.
    #[default]
    Anything,
    /// JSON with a list at `path`.
    List,
    /// JSON with one of the fields at least.
    Fields,
}

#[derive(Debug, Clone)]
pub struct PickField {
    pub name: String,
    pub path: String,
    pub at: Span,
}

/// One call that proves a capability.
#[derive(Debug, Clone)]
pub struct Case {
    pub capability: String,
    pub args: serde_json::Map<String, serde_json::Value>,
    pub keys: Vec<Name>,
    pub at: Span,
}
