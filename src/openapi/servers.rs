//! The service's address: servers with their variables, the host and basePath of 2.0, resolved
//! against where the description came from.

use url::Url;

use super::Options;
use super::ledger::NoteKind;
use super::refs::Scope;
use crate::model::{Base, BaseError, Scheme};
use crate::source::{Span, View};

/// Hosts that only show how an API works.
const DEMO: &[&str] = &[
    "petstore.swagger.io",
    "petstore3.swagger.io",
    "petstore31.swagger.io",
    "httpbin.org",
    "virtserver.swaggerhub.com",
    "redocly.github.io",
];
const PLACEHOLDERS: &[&str] = &[
    "your-",
    "yourdomain",
    "your.",
    "mydomain",
    "example",
    "tenant",
    "changeme",
    "placeholder",
];

/// A server as the description lists it.
#[derive(Debug, Clone)]
pub struct Server {
    pub url: String,
    pub about: String,
    pub variables: Vec<Variable>,
    /// The address with the variables filled in and resolved.
    pub address: Result<Url, NoAddress>,
}

#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub default: Option<String>,
    /// The values to choose from; empty when any will do.
    pub values: Vec<String>,
}

/// Why there is no address to send requests to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAddress {
    #[error("the server `{server}` is relative, and where the description came from is not known")]
    Relative { server: String },
    #[error("the server `{server}` needs a choice for `{}`", names.join("`, `"))]
    Variables { server: String, names: Vec<String> },
    #[error("the server `{server}` has braces that are no variable")]
    Braces { server: String },
    #[error("`{server}` is not an http or https address")]
    NotHttp { server: String },
    #[error("`{server}` cannot be a connector's address: {why}")]
    Refused { server: String, why: BaseError },
    #[error("there is no server number {index}; there are {count}")]
    NoSuchServer { index: usize, count: usize },
}

/// The servers of the description, in its order. A description without one has one, `/`.
pub(super) fn servers<'d>(scope: &Scope<'d>, root: View<'d>, options: &Options) -> Vec<Server> {
    if root.get("swagger").is_some() {
        return vec![swagger(root, options)];
    }
    let mut servers = listed(scope, root.get("servers"), options);
    if servers.is_empty() {
        servers.push(server("/", String::new(), Vec::new(), options));
    }
    servers
}

/// The variables of every server: the root's, those of paths and operations, and the caller's own.
pub(super) fn variable_names<'d>(scope: &Scope<'d>, root: View<'d>, own: impl Iterator<Item = View<'d>>, options: &Options) -> Vec<String> {
    let mut names: Vec<String> = options.server.iter().flat_map(|server| blanks(server)).map(str::to_owned).collect();
    for entry in root.get("servers").into_iter().chain(own).flat_map(View::items) {
        let url = entry.get("url").and_then(View::as_str).unwrap_or_default();
        let declared = scope.map(entry.get("variables"));
        let declared = declared.into_iter().flat_map(View::fields).map(|field| field.key);
        for name in declared.chain(blanks(url)) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn blanks(url: &str) -> impl Iterator<Item = &str> {
    let names = url.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    names.filter(|name| !name.is_empty())
}

/// The servers of a list: the root's, a path item's or an operation's.
pub(super) fn listed<'d>(scope: &Scope<'d>, list: Option<View<'d>>, options: &Options) -> Vec<Server> {
    let Some(list) = list else { return Vec::new() };
    list.items()
        .filter_map(|entry| {
            let url = entry.get("url")?.as_str()?;
            let about = entry.get("description").and_then(View::as_str).unwrap_or_default();
            let variables = variables(scope, entry, options);
            Some(server(url, super::text::prose(about, 200), variables, options))
        })
        .collect()
}

fn variables<'d>(scope: &Scope<'d>, entry: View<'d>, options: &Options) -> Vec<Variable> {
    let Some(map) = scope.map(entry.get("variables")) else {
        return Vec::new();
    };
    map.fields()
        .map(|field| {
            let values = field
                .value
                .get("enum")
                .map(|list| list.items().filter_map(word).collect())
                .unwrap_or_default();
            let variable = Variable {
                name: field.key.to_owned(),
                default: field.value.get("default").and_then(word),
                values,
            };
            let chosen = options.variable(field.key);
            if chosen.is_some_and(|chosen| !variable.values.is_empty() && !variable.values.iter().any(|value| value == chosen)) {
                scope.note(
                    NoteKind::ServerVariable,
                    field.value,
                    format!("the value of `{}` is not one of those listed", field.key),
                );
            }
            variable
        })
        .collect()
}

fn word(view: View<'_>) -> Option<String> {
    view.as_str()
        .or_else(|| view.as_number())
        .map(str::to_owned)
        .or_else(|| view.as_bool().map(|value| value.to_string()))
}

fn server(url: &str, about: String, variables: Vec<Variable>, options: &Options) -> Server {
    let address = fill(url, &variables, options).and_then(|filled| resolve(&filled, options));
    Server {
        url: url.to_owned(),
        about,
        variables,
        address,
    }
}

fn fill(url: &str, variables: &[Variable], options: &Options) -> Result<String, NoAddress> {
    let mut out = String::new();
    let mut missing = Vec::new();
    let mut rest = url;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let name = after.split_once('}').filter(|(name, _)| !name.is_empty() && !name.contains('{'));
        let Some((name, after)) = name else {
            return Err(NoAddress::Braces { server: url.to_owned() });
        };
        let default = variables.iter().find(|variable| variable.name == name);
        let default = default.and_then(|variable| variable.default.as_deref().or(variable.values.first().map(String::as_str)));
        match options.variable(name).or(default) {
            Some(value) => out.push_str(value),
            None => missing.push(name.to_owned()),
        }
        rest = after;
    }
    out.push_str(rest);
    if missing.is_empty() {
        Ok(out)
    } else {
        Err(NoAddress::Variables {
            server: url.to_owned(),
            names: missing,
        })
    }
}

fn resolve(server: &str, options: &Options) -> Result<Url, NoAddress> {
    let server = server.trim();
    let not_http = || NoAddress::NotHttp { server: server.to_owned() };
    let found = match Url::parse(server) {
        Ok(url) => Ok(url),
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            if let Some(base) = &options.base {
                // `//host` says everything but the scheme.
                return if base.path().trim_end_matches('/').is_empty() || server.starts_with("//") {
                    base.join(server).map_err(|_| not_http())
                } else {
                    Ok(base.clone())
                };
            }
            match &options.address {
                Some(address) => address.join(if server.is_empty() { "/" } else { server }),
                // `//host` says everything but the scheme.
                None if server.starts_with("//") => Url::parse(&format!("https:{server}")),
                None => {
                    return Err(NoAddress::Relative { server: server.to_owned() });
                }
            }
        }
        Err(error) => Err(error),
    };
    found
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(not_http)
}

fn swagger(root: View<'_>, options: &Options) -> Server {
    let path = root.get("basePath").and_then(View::as_str).unwrap_or("/");
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    };
    let host = root.get("host").and_then(View::as_str).filter(|host| !host.trim().is_empty());
    let schemes: Vec<&str> = root
        .get("schemes")
        .map(|list| list.items().filter_map(View::as_str).collect())
        .unwrap_or_default();
    let scheme = if schemes.contains(&"https") {
        "https"
    } else {
        schemes.first().copied().unwrap_or("https")
    };
    let url = match host {
        Some(host) if host.contains("://") => format!("{}{path}", host.trim_end_matches('/')),
        Some(host) => format!("{scheme}://{}{path}", host.trim_end_matches('/')),
        None => path,
    };
    server(&url, String::new(), Vec::new(), options)
}

/// The server that most operations name for themselves, when the description names none.
pub(super) fn common<'d>(scope: &Scope<'d>, root: View<'d>, own: &[Option<Url>], options: &Options) -> Option<Base> {
    let named: Vec<&Url> = own.iter().flatten().collect();
    let told = options.base.is_some() || options.server.is_some();
    if told || named.is_empty() || (named.len() < own.len() && options.address.is_some()) {
        return None;
    }
    let count = |url: &Url| named.iter().filter(|other| other.origin() == url.origin()).count();
    let most = named
        .iter()
        .max_by(|a, b| count(a).cmp(&count(b)).then_with(|| b.as_str().cmp(a.as_str())))?;
    base(scope, root, most).ok()
}

/// The address of the description's own choice.
pub(super) fn own_choice(servers: &[Server]) -> Option<Base> {
    preferred(servers).ok().and_then(|url| base_of(&url).ok())
}

/// The one that requests go to, with a word on everything that was changed in it.
pub(super) fn choose<'d>(scope: &Scope<'d>, root: View<'d>, servers: &[Server], options: &Options) -> Result<Base, NoAddress> {
    let place = root.get("servers").or_else(|| root.get("host")).unwrap_or(root);
    let chosen = match (&options.server, &options.base) {
        (Some(text), _) => pick(text, servers, options)?,
        (None, Some(base)) => {
            let first = servers.first();
            let whole = first.is_none_or(|server| is_absolute(server, options));
            let chosen = if whole { base.clone() } else { preferred(servers)? };
            if let Some(lost) = first.and_then(|server| lost_path(server, &chosen, options)) {
                let text = format!("the path `{lost}` of the server is not kept: `--base` says the whole address");
                scope.note(NoteKind::AddressPart, place, text);
            }
            chosen
        }
        (None, None) => preferred(servers)?,
    };
    for server in servers
        .iter()
        .filter(|server| server.address.as_ref() == Ok(&chosen) && server.url.starts_with("//"))
    {
        scope.note(NoteKind::ServerResolved, place, format!("`{}` is read as `{chosen}`", server.url));
    }
    let told = options.server.is_some() || options.base.is_some();
    let schemes = root.get("schemes").is_some_and(|schemes| schemes.items().len() > 0);
    if let Some(host) = root.get("host").filter(|_| root.get("swagger").is_some() && !schemes && !told) {
        scope.note(NoteKind::ServerResolved, host, "no scheme is said; https is taken");
    }
    base(scope, place, &chosen)
}

/// Whether a server says the whole address, or would with values for its variables.
fn is_absolute(server: &Server, options: &Options) -> bool {
    let whole = |url: &str| Url::parse(url).is_ok() || url.starts_with("//");
    fill(&server.url, &server.variables, options).is_ok_and(|url| whole(url.trim())) || server.url.contains("://")
}

/// The path of a server that the address does not end in.
fn lost_path(server: &Server, chosen: &Url, options: &Options) -> Option<String> {
    let filled = fill(&server.url, &server.variables, options).ok()?;
    let anywhere = Url::parse("https://anywhere.invalid").ok()?;
    let path = anywhere.join(filled.trim()).ok()?.path().trim_end_matches('/').to_owned();
    (!path.is_empty() && !chosen.path().trim_end_matches('/').ends_with(&path)).then(|| super::text::clean(&path, 80))
}

fn pick(text: &str, servers: &[Server], options: &Options) -> Result<Url, NoAddress> {
    if let Ok(index) = text.parse::<usize>() {
        let count = servers.len();
        return servers
            .get(index)
            .ok_or(NoAddress::NoSuchServer { index, count })
            .and_then(|server| server.address.clone());
    }
    match servers.iter().find(|server| server.url == text) {
        Some(server) => server.address.clone(),
        None => resolve(&fill(text, &[], options)?, options),
    }
}

/// The first, unless it is not https and a later one is.
fn preferred(servers: &[Server]) -> Result<Url, NoAddress> {
    let https = |server: &&Server| server.address.as_ref().is_ok_and(|url| url.scheme() == "https");
    let first = servers.first().ok_or_else(|| NoAddress::Relative { server: "/".to_owned() })?;
    if https(&first) {
        return first.address.clone();
    }
    servers.iter().find(https).unwrap_or(first).address.clone()
}

fn base<'d>(scope: &Scope<'d>, place: View<'d>, url: &Url) -> Result<Base, NoAddress> {
    let base = base_of(url)?;
    if url.scheme() == "http" && base.scheme == Scheme::Https {
        scope.note(
            NoteKind::HttpToHttps,
            place,
            format!("`http://{}` is changed to https", base.authority()),
        );
    }
    if url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
        scope.note(
            NoteKind::AddressPart,
            place,
            "only scheme, host and path of the server's address are kept",
        );
    }
    if DEMO.iter().any(|demo| base.host.ends_with(demo)) {
        scope.note(NoteKind::DemoHost, place, format!("`{}` is a host for demonstrations", base.host));
    } else if PLACEHOLDERS.iter().any(|word| base.host.contains(word)) {
        scope.note(NoteKind::DemoHost, place, format!("`{}` looks like a placeholder", base.host));
    }
    if !base.local && is_inner(&base.host) {
        scope.note(
            NoteKind::PrivateHost,
            place,
            format!("`{}` is a name of an inner network, which connectors may not reach", base.host),
        );
    }
    Ok(base)
}

fn is_inner(host: &str) -> bool {
    !host.contains(['.', ':'])
        || [".local", ".lan", ".internal", ".home", ".corp"]
            .iter()
            .any(|end| host.ends_with(end))
}

/// An address as a connector's base: https unless it is this computer, without a trailing slash,
/// a query or a fragment.
pub(super) fn base_of(url: &Url) -> Result<Base, NoAddress> {
    let refused = |why: BaseError| NoAddress::Refused { server: shown(url), why };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let text = |scheme: &str| format!("{scheme}://{}{port}{}", url.host_str().unwrap_or_default(), url.path());
    let written = Base::parse(&text(url.scheme()), Span::default());
    let (base, _) = match written {
        Err(BaseError::NotHttps) => Base::parse(&text("https"), Span::default()),
        other => other,
    }
    .map_err(refused)?;
    Ok(base)
}

/// The address without what may hold a key.
fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path())
}
