//! Calls a program again and again, through the library as `call` does: the arguments checked, the
//! server held to its manifest. `calls FOLDER COUNT` uses the first case of FOLDER/connector.json.

use std::path::Path;
use std::process::ExitCode;

use becket::keys::Keys;
use becket::mcp::{Settings, Surroundings};
use becket::rules;
use becket::service::Service;
use becket::source::Source;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(bytes) => {
            println!("{} calls, {bytes} bytes", words[1]);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<usize, String> {
    let [folder, count] = words else {
        return Err("calls FOLDER COUNT".to_owned());
    };
    let count: usize = count.parse().map_err(|error| format!("{count}: {error}"))?;
    let folder = Path::new(folder);
    let text = std::fs::read_to_string(folder.join("connector.json")).map_err(|error| error.to_string())?;
    let connector = rules::read(Source::new("connector.json", text))
        .connector
        .ok_or("no sound connector")?;
    let case = connector.cases.first().ok_or("no case")?;
    let named = connector.capabilities.iter().find(|capability| capability.name == case.capability);
    let capability = named.ok_or("no capability")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let settings = Settings {
        folder: folder.to_owned(),
        places: Surroundings {
            search: std::env::split_paths(&path).collect(),
            path,
            ..Surroundings::default()
        },
        ..Settings::default()
    };
    let keys = Keys::default();
    let mut service = Service::new(&connector, &keys, settings);
    let mut bytes = 0;
    for _ in 0..count {
        let answer = service.call(&connector, capability, case.args.clone(), &keys);
        let answer = answer.map_err(|trouble| format!("{trouble:?}"))?;
        bytes += answer.value["title"].as_str().map_or(0, str::len);
    }
    Ok(bytes)
}
