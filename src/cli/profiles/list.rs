//! `chatpilot profiles list`: the profiles of packs with their tools.

use serde_json::{Value, json};

use crate::cli::args::ProfilesList;
use crate::cli::exit::Exit;
use crate::cli::io::Layout;
use crate::cli::{Ending, Session, paths};
use crate::diag::count;
use crate::format::pack::{self, ToolBlock};
use crate::report::visible;
use crate::source::{Limits, parse_yaml, read_file};

pub(crate) fn run(args: &ProfilesList, session: &mut Session) -> Ending {
    let mut listed = Vec::new();
    for pack in &args.packs {
        for file in super::profiles(pack)? {
            let source = read_file(&file, Limits::MANIFEST).map_err(|error| paths::unreadable(&error))?;
            if let Ok(doc) = parse_yaml(source, Limits::MANIFEST) {
                listed.push(profile(&file.display().to_string(), &pack::load(&doc).profile));
            }
        }
    }
    if args.json {
        session.io.out_json(&Value::Array(listed), Layout::Pretty);
    } else {
        listed.iter().for_each(|profile| session.io.say(&text(profile)));
    }
    Ok(Exit::Success)
}

fn profile(file: &str, profile: &pack::Profile<'_>) -> Value {
    let tools = profile.api.iter().flat_map(|api| &api.tools);
    json!({
        "file": file,
        "name": profile.name.map(|name| name.text),
        "title": profile.title.map(|title| title.text),
        "base_url": profile.api.as_ref().and_then(|api| api.base_url).map(|base| base.text),
        "tools": tools.map(tool).collect::<Vec<_>>(),
    })
}

fn tool(tool: &ToolBlock<'_>) -> Value {
    let path = tool.path.map(|path| path.text).unwrap_or_default();
    let of_path = pack::path_arguments(path);
    let declared = tool.params.iter().map(|param| param.name).filter(|name| !of_path.contains(name));
    json!({
        "name": tool.name,
        "about": tool.about.map(|about| about.text),
        "method": tool.method.map_or("GET", |method| method.text),
        "arguments": of_path.iter().copied().chain(declared).collect::<Vec<_>>(),
        "returns": tool.kept().map(|(name, _)| name).collect::<Vec<_>>(),
    })
}

fn text(profile: &Value) -> String {
    let word = |value: &Value| visible(value.as_str().unwrap_or("-"));
    let tools = profile["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    let width = tools
        .iter()
        .map(|tool| word(&tool["name"]).chars().count())
        .max()
        .unwrap_or_default();
    let mut text = format!(
        "{}: {}, {}\n",
        word(&profile["name"]),
        word(&profile["base_url"]),
        count(tools.len(), "tool")
    );
    for tool in tools {
        text.push_str(&format!("  {:width$}  {}\n", word(&tool["name"]), word(&tool["about"])));
    }
    text
}
