//! What the registry answers: pages of entries, and single ones. Fields that are not known are left
//! alone, wrong ones count as absent.

use serde_json::Value;

use super::text::{list, read, truth};
use super::{Unsupported, Way, package, remote};

/// Ways that are looked at in one entry.
const WAYS: usize = 20;

/// One page of a search.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub entries: Vec<Entry>,
    /// Asks for the page after it.
    pub next: Option<String>,
}

/// A server of the registry, in one version.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    pub title: String,
    pub description: String,
    pub version: String,
    pub repository: String,
    pub status: Status,
    /// Whether it is the newest version, as the registry says; true where it says nothing.
    pub latest: bool,
    /// Packages first, then remote servers, each as they are listed.
    pub ways: Vec<Result<Way, Unsupported>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Active,
    Deprecated,
    Deleted,
}

/// An answer that is not of this API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not of the registry's API: {0}")]
pub struct Unreadable(pub &'static str);

impl Entry {
    /// The first way that can be taken.
    pub fn way(&self) -> Option<&Way> {
        self.ways.iter().find_map(|way| way.as_ref().ok())
    }

    /// The ways that can be taken.
    pub fn takeable(&self) -> impl Iterator<Item = &Way> {
        self.ways.iter().filter_map(|way| way.as_ref().ok())
    }

    /// Why there is none.
    pub fn why_not(&self) -> String {
        match self.ways.iter().find_map(|way| way.as_ref().err()) {
            Some(why) => why.to_string(),
            None => "it lists neither a package nor a remote server".to_owned(),
        }
    }

    /// What is odd about it, each in one sentence.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.status == Status::Deprecated {
            remarks.push("its makers have deprecated it".to_owned());
        }
        let mut parts = self.name.split('/');
        if !matches!((parts.next(), parts.next(), parts.next()), (Some(space), Some(name), None) if !space.is_empty() && !name.is_empty()) {
            remarks.push("its name has no namespace, so nobody vouches for who made it".to_owned());
        }
        remarks
    }
}

/// Reads a page. Deleted servers and older versions of a server in it are left out.
pub fn page(answer: &Value) -> Result<Page, Unreadable> {
    let Value::Object(fields) = answer else {
        return Err(Unreadable("it is no object"));
    };
    let servers = match fields.get("servers") {
        Some(Value::Array(servers)) => servers.as_slice(),
        Some(Value::Null) => &[],
        Some(_) => return Err(Unreadable("`servers` is no list")),
        None => return Err(Unreadable("it has no `servers`")),
    };
    let mut entries: Vec<Entry> = servers.iter().filter_map(entry).collect();
    entries.retain(|entry| entry.status != Status::Deleted);
    let newest: Vec<String> = entries
        .iter()
        .filter(|entry| entry.latest)
        .map(|entry| entry.name.clone())
        .collect();
    entries.retain(|entry| entry.latest || !newest.contains(&entry.name));
    let next = &answer["metadata"]["nextCursor"];
    Ok(Page {
        entries,
        next: next.as_str().filter(|cursor| !cursor.is_empty()).map(str::to_owned),
    })
}

/// Reads the answer about one version.
pub fn single(answer: &Value) -> Result<Entry, Unreadable> {
    entry(answer).ok_or(Unreadable("it is no server"))
}

/// A server with what the registry says of it beside it, or alone as in older answers.
fn entry(value: &Value) -> Option<Entry> {
    let server = value.get("server").filter(|server| server.is_object()).unwrap_or(value);
    let meta = &value["_meta"]["io.modelcontextprotocol.registry/official"];
    let name = read(&server["name"]);
    if name.is_empty() {
        return None;
    }
    let status = match meta["status"].as_str().or_else(|| server["status"].as_str()) {
        Some("deleted") => Status::Deleted,
        Some("deprecated") => Status::Deprecated,
        _ => Status::Active,
    };
    let packages = list(&server["packages"]).iter().map(package::way);
    let remotes = list(&server["remotes"]).iter().map(remote::way);
    Some(Entry {
        name,
        title: read(&server["title"]),
        description: read(&server["description"]),
        version: read(&server["version"]),
        repository: read(&server["repository"]["url"]),
        status,
        latest: meta.get("isLatest").is_none_or(truth),
        ways: packages.chain(remotes).take(WAYS).collect(),
    })
}
