//! `chatpilot mcp`: the entries of `discuss.mcp` in a config.yaml that are profiles with an `api`
//! block, each with what it is and what it may read. Nothing is called without `--live`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::live;
use super::open::{Open, open};
use crate::cli::args::{Connected, Connection};
use crate::cli::exit::Exit;
use crate::cli::fault::Fault;
use crate::cli::io::{Layout, variable};
use crate::cli::{Ending, Session, paths};
use crate::diag::count;
use crate::format::pack;
use crate::model::{Capability, Schema, Transport, listed};
use crate::report::visible;
use crate::source::{Limits, Source, View, parse_yaml, read_file};

/// The roles that a profile of this kind may have. They are a proposal: none are published.
const ROLES: [&str; 7] = ["find_account", "account", "stats", "breakdown", "timeline", "offers", "events"];

pub(crate) fn run(args: &Connected, session: &mut Session) -> Ending {
    let source = read_file(&args.config, Limits::MANIFEST).map_err(|error| paths::unreadable(&error))?;
    let wrong = |message: String| Fault::new(Exit::Findings, "config_wrong", format!("{}: {message}", args.config.display()));
    let doc = parse_yaml(source.clone(), Limits::MANIFEST).map_err(|error| {
        let line = source.position(error.span.start).line;
        wrong(format!("not valid YAML at line {line}: {}", error.message))
    })?;
    let entries = doc.root().get("discuss").and_then(|discuss| discuss.get("mcp"));
    let entries: Vec<View<'_>> = entries
        .into_iter()
        .flat_map(View::items)
        .filter(|entry| entry.get("api").is_some())
        .collect();
    if entries.is_empty() {
        return Err(wrong("no entry of `discuss.mcp` has an `api`".to_owned()).hint("add one: `{name: tracker, api: example-tracker}`"));
    }
    let folder = args.dir.clone().map_or_else(profiles_folder, Ok)?;
    let mut shown = Vec::new();
    let mut exits = vec![Exit::Success];
    for entry in entries {
        let line = source.position(entry.span().start).line;
        match Entry::read(entry).and_then(|entry| described(&entry, &folder, args.live, session)) {
            Ok(described) => shown.push(described),
            Err(fault) => {
                exits.push(fault.exit);
                let fault = Fault {
                    message: format!("{}, line {line}: {}", args.config.display(), fault.message),
                    ..fault
                };
                fault.show(&session.io, args.json);
            }
        }
    }
    match args.json {
        true => session.io.out_json(&Value::Array(shown), Layout::Pretty),
        false => shown.iter().for_each(|source| session.io.say(&text(source))),
    }
    Ok(Exit::gravest(exits))
}

fn profiles_folder() -> Result<PathBuf, Fault> {
    let home = variable("HOME").ok_or_else(|| Fault::usage("no_home", "there is no home folder to look for profiles in"));
    Ok(PathBuf::from(home.map_err(|fault| fault.hint("give the folder with `--dir`"))?).join(".chatpilot/profiles"))
}

/// An entry of `discuss.mcp`.
struct Entry {
    name: String,
    title: Option<String>,
    api: String,
    connection: Connection,
}

impl Entry {
    fn read(view: View<'_>) -> Result<Self, Fault> {
        let text = |key: &str| view.get(key).and_then(View::as_str).map(str::to_owned);
        let lacks = |key: &str| Fault::new(Exit::Findings, "config_wrong", format!("an entry of `discuss.mcp` has no `{key}`"));
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        let name = text("name").ok_or_else(|| lacks("name"))?;
        if name.is_empty() || !name.bytes().all(letter) {
            let fault = Fault::new(
                Exit::Findings,
                "config_wrong",
                format!("`{}` is no name of an entry", visible(&name)),
            );
            return Err(fault.hint("use lowercase letters, digits, `_` and `-`: the key is stored as `mcp_<name>_key`"));
        }
        let fields = view.get("api_fields").into_iter().flat_map(View::fields);
        let fields = fields.filter_map(|field| Some(format!("{}={}", field.key, field.value.as_str().or(field.value.as_number())?)));
        Ok(Self {
            title: text("title"),
            api: text("api").ok_or_else(|| lacks("api"))?,
            connection: Connection {
                fields: fields.collect(),
                key: Some(format!("mcp_{}_key", name.replace('-', "_"))),
            },
            name,
        })
    }
}

/// The profile with a name, among the files of a folder and of the folders in it.
fn profile(folder: &Path, name: &str) -> Result<Source, Fault> {
    let mut names = Vec::new();
    for file in files(folder) {
        let Ok(source) = read_file(&file, Limits::MANIFEST) else { continue };
        let Ok(doc) = parse_yaml(source.clone(), Limits::MANIFEST) else {
            continue;
        };
        match pack::load(&doc).profile.name.map(|word| word.text) {
            Some(found) if found == name => return Ok(source),
            Some(found) => names.push(found.to_owned()),
            None => {}
        }
    }
    let fault = Fault::usage("no_profile", format!("{} has no profile `{}`", folder.display(), visible(name)));
    Err(match names.is_empty() {
        true => fault.hint("put the pack's folder there, or name another folder with `--dir`"),
        false => fault.hint(format!("it has {}", listed(names.iter().map(String::as_str)))),
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect()
    };
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let top = entries(folder);
    let inner: Vec<PathBuf> = top.iter().filter(|path| path.is_dir()).flat_map(|path| entries(path)).collect();
    let mut files: Vec<PathBuf> = top.into_iter().chain(inner).filter(is_yaml).collect();
    files.sort();
    files
}

fn described(entry: &Entry, folder: &Path, live: bool, session: &mut Session) -> Result<Value, Fault> {
    let source = profile(folder, &entry.api)?;
    let open = open(source.clone(), &entry.connection)?;
    let loaded = open.keys(session)?;
    let key = open
        .connector
        .keys
        .first()
        .map(|key| json!({"name": key.text, "set": loaded.keys.has(&key.text)}));
    let check = match (&open.check, live) {
        (None, _) => json!(null),
        (Some(tool), false) => json!({"tool": tool, "called": false}),
        (Some(tool), true) => match live::run(source.clone(), &entry.connection, session) {
            Ok(()) => json!({"tool": tool, "called": true, "ok": true}),
            Err(fault) => json!({"tool": tool, "called": true, "ok": false, "error": fault.message}),
        },
    };
    let (found, missing) = roles(&source);
    Ok(json!({
        "name": entry.name,
        "title": entry.title,
        "profile": open.connector.name,
        "address": open.base.text(),
        "key": key,
        "check": check,
        "tools": open.connector.capabilities.iter().map(tool).collect::<Vec<_>>(),
        "limits": limits(&open),
        "roles": found,
        "missing_roles": missing,
    }))
}

fn roles(source: &Source) -> (Value, Vec<&'static str>) {
    let Ok(doc) = parse_yaml(source.clone(), Limits::MANIFEST) else {
        return (json!({}), Vec::new());
    };
    let found = doc.root().get("roles").map_or_else(|| json!({}), View::value);
    let missing = ROLES.into_iter().filter(|role| found.get(role).is_none()).collect();
    (found, missing)
}

fn tool(capability: &Capability) -> Value {
    let schema = capability.schema.as_ref();
    let arguments: Vec<&str> = schema
        .into_iter()
        .flat_map(Schema::properties)
        .map(|property| property.name)
        .collect();
    let fields: Vec<&str> = capability
        .pick
        .iter()
        .flat_map(|pick| &pick.fields)
        .map(|field| field.name.as_str())
        .collect();
    json!({"name": capability.name, "arguments": arguments, "returns": fields})
}

fn limits(open: &Open) -> Value {
    let Transport::Http(http) = &open.connector.transport else {
        return json!(null);
    };
    let max_items = open
        .connector
        .capabilities
        .iter()
        .find_map(|capability| Some(capability.pick.as_ref()?.max));
    json!({"timeout": http.limits.seconds, "per_minute": http.per_minute, "max_bytes": http.limits.bytes, "max_items": max_items})
}

fn text(source: &Value) -> String {
    let word = |value: &Value| visible(value.as_str().unwrap_or("-"));
    let list = |value: &Value| value.as_array().into_iter().flatten().map(word).collect::<Vec<_>>().join(", ");
    let key = match &source["key"] {
        Value::Null => "needs none".to_owned(),
        key if key["set"] == true => format!("{} is set", word(&key["name"])),
        key => format!("{} is not set", word(&key["name"])),
    };
    let check = match &source["check"] {
        Value::Null => "none".to_owned(),
        check if check["called"] == false => format!("{}, not called (`--live` does)", word(&check["tool"])),
        check if check["ok"] == true => format!("{} answered", word(&check["tool"])),
        check => format!("{} failed: {}", word(&check["tool"]), word(&check["error"])),
    };
    let tools = source["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let limits = &source["limits"];
    let mut text = format!(
        "{}: {} at {}\n  key     {key}\n  check   {check}\n  limits  {} s, {} requests a minute, {} bytes, {} entries\n  reads   {}\n",
        word(&source["name"]),
        word(&source["profile"]),
        word(&source["address"]),
        limits["timeout"],
        limits["per_minute"],
        limits["max_bytes"],
        limits["max_items"],
        count(tools.len(), "tool"),
    );
    for tool in tools {
        text.push_str(&format!(
            "    {}({}) -> {}\n",
            word(&tool["name"]),
            list(&tool["arguments"]),
            list(&tool["returns"])
        ));
    }
    let missing = list(&source["missing_roles"]);
    let found = source["roles"]
        .as_object()
        .map(|roles| roles.keys().map(|role| visible(role)).collect::<Vec<_>>().join(", "));
    let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    text.push_str(&format!(
        "  roles   {}; missing: {}\n",
        or_none(found.unwrap_or_default()),
        or_none(missing)
    ));
    text
}
