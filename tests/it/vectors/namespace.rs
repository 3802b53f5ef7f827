//! Calls in network and mount namespaces of their own: a name server with the zone of a vector,
//! listeners on every address of it, and our client. Which addresses accepted a connection is the
//! proof. Needs `unshare`, `ip` and `mount`; nothing leaves the namespace.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use becket::exec::{Answer, Client, Failure};
use becket::keys::Keys;
use becket::model::Scheme;
use rustls::ServerConfig;
use serde_json::{Value, json};
use url::Url;

use super::name_server::NameServer;
use super::response::Outcome;
use crate::authority::Authority;
use crate::child;
use crate::service::{Line, Seen, Service, Then, base, get};

/// Plays tasks (`zone`, `url`, and `calls`, `names`, `seconds` where they differ from one call, the
/// URL's own host and 20 s) and returns for each `dialled`, `outcomes` and `seconds`.
pub(super) fn play(tasks: &[Value], environment: &[(&str, &str)]) -> Result<Vec<Value>, String> {
    let works = |words: &[&str]| {
        Command::new(words[0])
            .args(&words[1..])
            .arg("true")
            .status()
            .is_ok_and(|status| status.success())
    };
    let wrapper: &[&str] = [&["unshare", "-n", "-m"][..], &["unshare", "-r", "-n", "-m"]]
        .into_iter()
        .find(|words| works(words))
        .ok_or("no network namespaces here: `unshare -n -m` fails")?;
    let (result, _) = child::run(wrapper, "vectors::namespace::inside", &json!(tasks), environment)?;
    Ok(result.as_array().cloned().unwrap_or_default())
}

/// A wildcard certificate for one level and a host two levels below.
pub(super) fn wildcard() -> Result<Outcome, String> {
    let started = Instant::now();
    let host = "a.b.example.com";
    let zone = json!([{"name": host, "type": "A", "data": "198.41.0.4"}]);
    let results = play(
        &[json!({"zone": zone, "url": format!("https://{host}/"), "names": ["*.example.com"]})],
        &[],
    )?;
    let outcome = &results[0]["outcomes"][0];
    let message = outcome["message"].as_str().unwrap_or_default();
    let why = message.rsplit(", ").next().unwrap_or_default().to_owned();
    if outcome["kind"] != "Insecure" || results[0]["dialled"] != json!(["198.41.0.4"]) {
        return Err(format!("{}", results[0]));
    }
    Ok(Outcome {
        result: Err(Failure::Insecure {
            host: host.to_owned(),
            why,
        }),
        requests: 0,
        took: started.elapsed(),
    })
}

#[test]
fn inside() {
    let Some(tasks) = child::task() else {
        return;
    };
    let mut world = World::new(&tasks);
    let results: Vec<Value> = tasks.as_array().expect("tasks").iter().map(|task| world.play(task)).collect();
    child::report(&json!(results));
}

/// The namespace: its files, its name server and its listeners.
struct World {
    folder: tempfile::TempDir,
    names: NameServer,
    authority: Authority,
    tls: Arc<ServerConfig>,
    listeners: BTreeMap<String, Vec<Service>>,
}

impl World {
    fn new(tasks: &Value) -> Self {
        let authority = Authority::new();
        let names = names(tasks);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let folder = tempfile::tempdir().expect("a folder");
        run("ip", &["link", "set", "lo", "up"]);
        place(
            folder.path(),
            "resolv.conf",
            "nameserver 127.0.0.53\nsearch corp.example\noptions timeout:1 attempts:1\n",
        );
        place(folder.path(), "nsswitch.conf", "hosts: files dns\n");
        place(folder.path(), "hosts", "");
        Self {
            folder,
            names: NameServer::start("127.0.0.53:53"),
            tls: authority.server(&names, |_| {}),
            authority,
            listeners: BTreeMap::new(),
        }
    }

    fn play(&mut self, task: &Value) -> Value {
        let url = Url::parse(task["url"].as_str().expect("a url")).expect("a url");
        let local = url.host_str() == Some("localhost");
        let mut hosts = if local {
            String::new()
        } else {
            "127.0.0.1 localhost\n::1 localhost\n".to_owned()
        };
        self.listen("127.0.0.1");
        self.listen("::1");
        for record in task["zone"].as_array().into_iter().flatten() {
            for address in addresses(record) {
                self.listen(&address);
            }
            if record["type"] == "HOSTS" {
                hosts.push_str(&format!(
                    "{} {}\n",
                    record["data"].as_str().unwrap_or_default(),
                    record["name"].as_str().unwrap_or_default()
                ));
            }
        }
        std::fs::write(self.folder.path().join("hosts"), hosts).expect("a writable file");
        self.names.serve(task["zone"].clone());
        let before = self.counts();
        let started = Instant::now();
        let outcomes: Vec<Value> = (0..task["calls"].as_u64().unwrap_or(1)).map(|_| self.call(&url, task)).collect();
        let seconds = started.elapsed().as_secs_f64();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let dialled: Vec<String> = self
            .counts()
            .into_iter()
            .filter(|(address, count)| before.get(address) != Some(count))
            .map(|(address, _)| address)
            .collect();
        json!({"dialled": dialled, "outcomes": outcomes, "seconds": seconds})
    }

    /// One call as its own run of the program would make it: with a client of its own.
    fn call(&self, url: &Url, task: &Value) -> Value {
        let scheme = if url.scheme() == "https" { Scheme::Https } else { Scheme::Http };
        let port = url.port_or_known_default().expect("http or https");
        let mut plan = get(base(scheme, url.host_str().expect("a host"), port), url.path());
        plan.limits.seconds = task["seconds"].as_u64().map_or(20, |seconds| seconds as u32);
        match Client::new(self.authority.roots()).send(&plan, &Keys::default()) {
            Ok(Answer { value, .. }) => json!({"kind": "Ok", "value": value}),
            Err(failure) => json!({
                "kind": format!("{failure:?}").split([' ', '(']).next(),
                "class": format!("{:?}", failure.class()),
                "message": failure.to_string(),
            }),
        }
    }

    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for (address, services) in &self.listeners {
            *counts.entry(address.clone()).or_default() += services.iter().map(Service::connections).sum::<usize>();
        }
        counts.retain(|_, count| *count > 0);
        counts
    }

    /// Listens on the ports 80, 443 and 8080 of an address, unless nobody is meant to answer there.
    fn listen(&mut self, text: &str) {
        let ip: IpAddr = text.parse().expect("an address");
        let ip = ip.to_canonical();
        let dead = text == "198.41.0.99" || text.starts_with("198.41.1.");
        if dead || ip.is_multicast() || ip.is_unspecified() || self.listeners.contains_key(&ip.to_string()) {
            return;
        }
        if !ip.is_loopback() {
            let bits = if ip.is_ipv4() { 32 } else { 128 };
            let address = format!("{ip}/{bits}");
            let duplicates = if ip.is_ipv4() { &[][..] } else { &["nodad"][..] };
            run("ip", &[&["addr", "replace", &address, "dev", "lo"][..], duplicates].concat());
        }
        self.listeners.insert(ip.to_string(), services(ip, &self.tls));
    }
}

/// The names that the tasks' services have certificates for.
fn names(tasks: &Value) -> Vec<String> {
    let host = |task: &Value| Url::parse(task["url"].as_str()?).ok()?.host_str().map(str::to_owned);
    let mut names: Vec<String> = Vec::new();
    for task in tasks.as_array().into_iter().flatten() {
        match task["names"].as_array() {
            Some(own) => names.extend(own.iter().filter_map(Value::as_str).map(str::to_owned)),
            None => names.extend(host(task)),
        }
    }
    names.sort();
    names.dedup();
    names
}

fn services(ip: IpAddr, tls: &Arc<ServerConfig>) -> Vec<Service> {
    let service = |port| {
        let address = match ip {
            // The loopback interface is the first.
            IpAddr::V6(ip) if ip.is_unicast_link_local() => SocketAddrV6::new(ip, port, 0, 1).into(),
            ip => SocketAddr::new(ip, port),
        };
        Service::on(address, (port == 443).then(|| Arc::clone(tls)), answer).ok()
    };
    [80, 443, 8080].into_iter().filter_map(service).collect()
}

fn answer(seen: &Seen, line: &mut Line) -> std::io::Result<Then> {
    let close = ("Connection", "close");
    match seen.target.as_str() {
        "/v1/hop" => line.answer(302, &[("Location", "/v1/ok"), close], b"")?,
        _ => line.answer(200, &[close], b"{\"ok\":true}")?,
    };
    Ok(Then::Close)
}

/// The addresses that a record can lead to.
fn addresses(record: &Value) -> Vec<String> {
    let texts = |value: &Value| -> Vec<String> { value.as_str().map(str::to_owned).into_iter().collect() };
    match record["type"].as_str() {
        Some("A" | "AAAA" | "HOSTS") => texts(&record["data"]),
        Some("SEQ") => record["data"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|list| list.as_array())
            .flatten()
            .flat_map(texts)
            .collect(),
        _ => Vec::new(),
    }
}

/// A file of ours in the place of one in /etc, in this namespace only.
fn place(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a writable folder");
    run("mount", &["--bind", &file.to_string_lossy(), &format!("/etc/{name}")]);
}

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    assert!(status.is_ok_and(|status| status.success()), "{program} {arguments:?}");
}
