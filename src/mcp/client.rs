//! A connector's server, for as long as a command needs it: started at the first call, held to
//! what the connector declares before anything is called, and replaced after it has failed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::enforce::{enforce, tool_name};
use super::failure::{Failure, Said, Why};
use super::handshake::{self, Opened, object};
use super::http::Remote;
use super::link::{CALL, Link, Wire};
use super::result::{Meaning, asks, meaning};
use super::stdio::{Launch, Program, Surroundings};
use super::tool::Tool;
use super::version::Era;
use super::{Input, Limits, list, mirror};
use crate::exec::Reply;
use crate::keys::{Keys, Redactor};
use crate::model::{Capability, Connector, Transport};

/// How often a server may say that it wants the same call again.
const ROUNDS: usize = 10;
/// How often a server is started for one call: once for each era.
const STARTS: usize = 2;

/// Which question a server whose era is unknown is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum First {
    /// As fits the transport.
    #[default]
    Usual,
    Initialize,
    Discover,
}

/// Where and how a server is run or reached.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The connector's folder.
    pub folder: PathBuf,
    pub places: Surroundings,
    pub limits: Limits,
    pub era: Era,
    pub first: First,
    pub input: Input,
}

/// One connector's server.
pub struct Session<'c> {
    connector: &'c Connector,
    keys: &'c Keys,
    redactor: Arc<Redactor>,
    declared: Vec<String>,
    settings: Settings,
    live: Option<Live<'c>>,
    notes: Vec<String>,
    /// The era in which the server was last spoken to: the next start begins in it.
    found: Option<Era>,
}

/// A conversation that has begun, and the tools that were listed.
struct Live<'c> {
    link: Link<'c>,
    tools: Vec<Tool>,
}

impl<'c> Session<'c> {
    /// Starts nothing yet.
    pub fn new(connector: &'c Connector, keys: &'c Keys, settings: Settings) -> Self {
        Self {
            connector,
            keys,
            redactor: Arc::new(keys.redactor()),
            declared: connector.keys.iter().map(|key| key.text.clone()).collect(),
            settings,
            live: None,
            notes: Vec::new(),
            found: None,
        }
    }

    /// The message that a call sends, without its number's meaning: for `--dry-run`.
    pub fn message(capability: &Capability, args: &Map<String, Value>) -> Value {
        let params = json!({"name": tool_name(capability), "arguments": args});
        super::message::request(1, "tools/call", params)
    }

    /// Calls the tool of a capability. The arguments have been checked.
    pub fn call(&mut self, capability: &Capability, args: &Map<String, Value>) -> Result<Reply, Failure> {
        self.ready()?;
        let started = Instant::now();
        let called = match self.rounds(capability, args) {
            // The server has forgotten us before it looked at the call.
            Err(failure) if matches!(*failure.why, Why::SessionLost { .. }) => {
                self.ready()?;
                self.rounds(capability, args)
            }
            called => called,
        };
        let (value, bytes) = called?;
        Ok(Reply {
            value,
            bytes,
            elapsed: started.elapsed(),
        })
    }

    /// The tools that the server offers, whether or not the connector declares them.
    pub fn tools(&mut self) -> Result<&[Tool], Failure> {
        let live = self.connected()?;
        Ok(&live.tools)
    }

    /// Lists the tools again and holds the server to what the connector declares.
    pub fn refresh(&mut self) -> Result<(), Failure> {
        let connector = self.connector;
        let (limits, lenient) = (self.settings.limits, connector.imported);
        let Some(live) = &mut self.live else { return self.ready() };
        let listed = all(&mut live.link, &limits, lenient, &mut self.notes);
        let held = listed.and_then(|tools| {
            live.tools = tools;
            Ok(enforce(connector, &live.tools)?)
        });
        // A server that has changed is not asked anything more.
        held.inspect_err(|_| self.live = None)
    }

    /// What is odd about the server so far, each in one sentence.
    pub fn notes(&self) -> Vec<String> {
        let noise = self
            .said()
            .noise
            .map(|noise| noise_note(&self.connector.name, noise.lines, &noise.first));
        self.notes.iter().cloned().chain(noise).collect()
    }

    /// What the server has written beside its messages, since it was started.
    pub fn said(&self) -> Said {
        self.live.as_ref().map(|live| live.link.said()).unwrap_or_default()
    }

    /// The era that the server speaks, once that is known.
    pub fn era(&self) -> Option<Era> {
        self.found
    }

    /// Ends the conversation and everything that was started for it.
    pub fn close(&mut self) {
        self.live = None;
    }

    /// Started, listed and held to the connector.
    fn ready(&mut self) -> Result<(), Failure> {
        let fresh = self.connected_before().is_none();
        if !fresh {
            let changed = self.live.as_mut().is_some_and(|live| live.link.tools_changed());
            return if changed { self.refresh() } else { Ok(()) };
        }
        let connector = self.connector;
        let live = self.connected()?;
        let held = enforce(connector, &live.tools);
        held.map_err(|why| {
            let said = self.live.as_ref().map(|live| live.link.last_words()).unwrap_or_default();
            self.live = None;
            Failure { why: Box::new(why), said }
        })
    }

    /// The conversation of the last call, if it is still there.
    fn connected_before(&mut self) -> Option<&mut Live<'c>> {
        if self.live.as_ref().is_some_and(|live| live.link.is_gone()) {
            self.live = None;
        }
        self.live.as_mut()
    }

    fn connected(&mut self) -> Result<&mut Live<'c>, Failure> {
        if self.connected_before().is_none() {
            self.notes.clear();
            // A start that fails forgets the era: perhaps the server is another one now.
            let known = self.found.take();
            let mut link = self.open(known.unwrap_or(self.settings.era))?;
            self.found = Some(era(&link));
            let listed = all(&mut link, &self.settings.limits, self.connector.imported, &mut self.notes);
            let tools = with_words(listed, &link)?;
            self.notes.extend(tools.iter().flat_map(Tool::oddities));
            self.live = Some(Live { link, tools });
        }
        Ok(self.live.as_mut().expect("it was made above"))
    }

    /// Begins a conversation in an era that the server speaks.
    fn open(&mut self, era: Era) -> Result<Link<'c>, Failure> {
        let mut ways = self.ways(era).into_iter();
        let mut way = ways.next();
        let mut reused: Option<Link<'c>> = None;
        for _ in 0..STARTS {
            let Some(now) = way else { break };
            let mut link = match reused.take() {
                Some(link) => link,
                None => self.start()?,
            };
            let limits = &self.settings.limits;
            let opened = match now {
                Way::Initialize => handshake::initialize(&mut link, limits, &mut self.notes),
                Way::Probe => handshake::probe(&mut link, limits),
                Way::Discover => handshake::discover(&mut link, limits),
            };
            if let Opened::Ready = with_words(opened, &link)? {
                return Ok(link);
            }
            way = ways.next();
            // An older server that did not know the question can still be asked the older one.
            if now == Way::Probe && !link.is_gone() {
                link.speak(super::version::Dialect::Opening);
                reused = Some(link);
            }
        }
        Err(Why::Version {
            server: self.connector.name.clone(),
            offered: "another era".to_owned(),
            known: format!("only {}", era.word()),
        }
        .into())
    }

    fn ways(&self, era: Era) -> Vec<Way> {
        match (era, self.settings.first) {
            (Era::Legacy, _) => vec![Way::Initialize],
            (Era::Modern, _) => vec![Way::Discover],
            (Era::Auto, First::Discover) => vec![Way::Probe, Way::Initialize],
            (Era::Auto, First::Usual) if matches!(self.connector.transport, Transport::Remote { .. }) => {
                vec![Way::Probe, Way::Initialize]
            }
            (Era::Auto, _) => vec![Way::Initialize, Way::Discover],
        }
    }

    fn start(&self) -> Result<Link<'c>, Failure> {
        let connector = self.connector;
        let name = &connector.name;
        let (command, args) = match &connector.transport {
            Transport::Program { command, args } => (command, args),
            Transport::Remote { url, headers } => {
                let remote = Remote::new(name, url, headers, self.keys, self.settings.limits, self.settings.input);
                return Ok(Link::new(Wire::Remote(remote), name, &self.redactor, self.settings.input));
            }
            Transport::Http(_) => {
                let (command, problem) = (name.clone(), "is no MCP server".to_owned());
                return Err(Why::NoProgram { command, problem }.into());
            }
        };
        let program = Program::start(&Launch {
            name,
            command,
            args,
            folder: &self.settings.folder,
            declared: &self.declared,
            keys: self.keys,
            places: &self.settings.places,
            limits: self.settings.limits,
            input: self.settings.input,
        })?;
        program.answers_requests(true);
        Ok(Link::new(Wire::Program(program), name, &self.redactor, self.settings.input))
    }

    /// The call, as often as the server wants to hear it again with its own note of where it was.
    fn rounds(&mut self, capability: &Capability, args: &Map<String, Value>) -> Result<(Value, usize), Failure> {
        let live = self.live.as_mut().expect("the caller made it ready");
        let ends = Instant::now() + self.settings.limits.call;
        let name = tool_name(capability);
        let mirrored = if live.link.is_remote() {
            live.mirrored(&name, args)
        } else {
            Vec::new()
        };
        let mut params = object(json!({"name": name, "arguments": args}));
        for _ in 0..ROUNDS {
            let left = ends.saturating_duration_since(Instant::now());
            let (result, bytes) = live.link.call(params.clone(), &mirrored, left)?;
            match meaning(result) {
                Meaning::Value(value) => return Ok((value, bytes)),
                Meaning::Error(message) => return Err(tool_error(capability, &live.link, &message)),
                Meaning::Malformed(problem) => return Err(live.link.malformed(CALL, &problem)),
                Meaning::NeedsInput { requests, state } => {
                    let responses = live.link.input.responses(&requests);
                    let again = live.link.dialect.is_modern() && !(requests.is_empty() && state.is_none());
                    let Some(responses) = responses.filter(|_| again) else {
                        return Err(needs_input(capability, &live.link, &asks(&requests)));
                    };
                    params.remove("requestState");
                    params.remove("inputResponses");
                    params.extend(state.map(|state| ("requestState".to_owned(), state)));
                    if !responses.is_empty() {
                        params.insert("inputResponses".to_owned(), responses.into());
                    }
                }
            }
        }
        Err(needs_input(
            capability,
            &live.link,
            &format!("after {ROUNDS} rounds it still wants another"),
        ))
    }
}

impl Live<'_> {
    /// The headers in which a call is mirrored.
    fn mirrored(&self, name: &str, args: &Map<String, Value>) -> Vec<(String, String)> {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let mirrors = tool.and_then(|tool| mirror::mirrors(&tool.input).ok()).unwrap_or_default();
        let mut headers = vec![("Mcp-Name".to_owned(), mirror::encoded(name))];
        headers.extend(mirror::headers(&mirrors, args));
        headers
    }
}

/// The tools of a server that can be called as they want.
fn all(link: &mut Link<'_>, limits: &Limits, lenient: bool, notes: &mut Vec<String>) -> Result<Vec<Tool>, Failure> {
    let tools = list::list(link, limits, lenient, notes)?;
    Ok(match link.is_remote() && link.dialect.is_modern() {
        true => mirrorable(tools, notes),
        false => tools,
    })
}

/// The tools whose arguments can be mirrored as they ask; the others are left out and noted.
fn mirrorable(tools: Vec<Tool>, notes: &mut Vec<String>) -> Vec<Tool> {
    let mut kept = Vec::new();
    for tool in tools {
        let name = tool.shown_name();
        match mirror::mirrors(&tool.input) {
            Ok(mirrors) => {
                let secrets = mirrors.iter().filter(|mirror| mirror::sounds_secret(mirror));
                notes.extend(secrets.map(|mirror| {
                    let argument = mirror.path.join(".");
                    format!("the tool `{name}` has `{argument}` sent in a header too, where everything on the way can read it")
                }));
                kept.push(tool);
            }
            Err(problem) => notes.push(format!("the tool `{name}` is left out: {problem}")),
        }
    }
    kept
}

fn era(link: &Link<'_>) -> Era {
    if link.dialect.is_modern() { Era::Modern } else { Era::Legacy }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Initialize,
    /// To see which era it is.
    Probe,
    /// Known to be of the newer era.
    Discover,
}

/// A failure of the beginning, with what the server wrote.
fn with_words<T>(result: Result<T, Failure>, link: &Link<'_>) -> Result<T, Failure> {
    result.map_err(|failure| match failure.said == Said::default() {
        true => Failure {
            said: link.last_words(),
            ..failure
        },
        false => failure,
    })
}

fn tool_error(capability: &Capability, link: &Link<'_>, message: &str) -> Failure {
    Why::Tool {
        capability: capability.name.clone(),
        message: link.shown(message),
    }
    .into()
}

fn needs_input(capability: &Capability, link: &Link<'_>, asks: &str) -> Failure {
    Why::NeedsInput {
        capability: capability.name.clone(),
        asks: link.shown(asks),
    }
    .into()
}

pub(super) fn noise_note(server: &str, lines: usize, first: &str) -> String {
    let lines = crate::diag::count(lines, "line");
    format!("`{server}` writes {lines} on standard output that are no messages; the first is `{first}`")
}
