//! Where in a command the packages stand that it fetches and runs.

use super::Kind;

/// The packages of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Packages {
    pub(super) kind: Kind,
    pub(super) places: Vec<Place>,
}

/// A word that names a package, and what stands before the name in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) at: usize,
    pub(super) flag: String,
}

/// How a runner reads its arguments.
struct Reading {
    kind: Kind,
    /// Flags whose value is a package.
    packages: &'static [&'static str],
    /// Other flags with a value of their own.
    values: &'static [&'static str],
    /// Whether the first word that is no flag is a package, where no flag names it.
    first: bool,
    /// Whether every flag that is not known has a value, but for those of `plain`.
    plain: Option<&'static [&'static str]>,
}

const NPX: Reading = Reading {
    kind: Kind::Npm,
    packages: &["-p", "--package"],
    values: &[
        "-c",
        "--call",
        "-w",
        "--workspace",
        "--prefix",
        "--registry",
        "--userconfig",
        "--cache",
        "--node-options",
        "--loglevel",
        "--shell",
        "--script-shell",
    ],
    first: true,
    plain: None,
};
const UVX_VALUES: [&str; 32] = [
    "-p",
    "--python",
    "--with-requirements",
    "--with-editable",
    "-i",
    "--index",
    "--index-url",
    "--extra-index-url",
    "--default-index",
    "-f",
    "--find-links",
    "--directory",
    "--project",
    "--config-file",
    "--cache-dir",
    "--env-file",
    "-c",
    "--constraints",
    "--overrides",
    "-b",
    "--build-constraints",
    "--refresh-package",
    "-P",
    "--upgrade-package",
    "--color",
    "--exclude-newer",
    "--prerelease",
    "--resolution",
    "--link-mode",
    "--keyring-provider",
    "--index-strategy",
    "--python-platform",
];
const UVX: Reading = Reading {
    kind: Kind::PyPi,
    packages: &["--from", "--with"],
    values: &UVX_VALUES,
    first: true,
    plain: None,
};
const UV_RUN: Reading = Reading { first: false, ..UVX };
const PIPX: Reading = Reading {
    kind: Kind::PyPi,
    packages: &["--spec", "--with"],
    values: &["--python", "--index-url", "-i", "--pip-args"],
    first: true,
    plain: None,
};
const CONTAINER: Reading = Reading {
    kind: Kind::Image,
    packages: &[],
    values: &[],
    first: true,
    plain: Some(&[
        "--rm",
        "--interactive",
        "--tty",
        "--detach",
        "--init",
        "--privileged",
        "--read-only",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--publish-all",
        "--quiet",
        "--sig-proxy",
        "--disable-content-trust",
    ]),
};

/// Finds the packages behind `env` and the like.
pub(super) fn packages(words: &[&str]) -> Packages {
    let start = behind_wrappers(words);
    let found = reading(&words[start..]).map(|(reading, length)| (start + length, reading));
    if let Some((from, reading)) = found {
        let places = places(words, from, &reading);
        return Packages {
            kind: reading.kind,
            places,
        };
    }
    // `deno run npm:name` and others that take packages of npm by their address.
    let is_address = |at: &usize| words[*at].starts_with("npm:");
    let places = (1..words.len()).filter(is_address).take(1).map(plain).collect();
    Packages { kind: Kind::Npm, places }
}

fn plain(at: usize) -> Place {
    Place { at, flag: String::new() }
}

/// The name of a program without its folder and ending.
fn program(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    let bare = [".exe", ".cmd", ".bat"].iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(&name).to_owned()
}

fn behind_wrappers(words: &[&str]) -> usize {
    let mut at = 0;
    while at + 1 < words.len() {
        match program(words[at]).as_str() {
            "env" | "sudo" | "doas" | "nice" | "nohup" => {
                let rest = words[at + 1..].iter();
                at += 1 + rest.take_while(|word| word.starts_with('-') || word.contains('=')).count();
            }
            "cmd" if words[at + 1].eq_ignore_ascii_case("/c") => at += 2,
            _ => break,
        }
    }
    at.min(words.len() - 1)
}

/// How the runner that the words begin with reads the others, and how many words it takes itself.
fn reading(words: &[&str]) -> Option<(Reading, usize)> {
    let second = words.get(1).copied().unwrap_or_default();
    let third = words.get(2).copied().unwrap_or_default();
    Some(match (program(words[0]).as_str(), second, third) {
        ("npx" | "pnpx" | "bunx", ..) => (NPX, 1),
        ("npm", "exec" | "x", _) | ("pnpm" | "yarn", "dlx", _) | ("bun", "x", _) => (NPX, 2),
        ("uvx", ..) => (UVX, 1),
        ("uv", "tool", "run") => (UVX, 3),
        ("uv", "run", _) => (UV_RUN, 2),
        ("pipx", "run", _) => (PIPX, 2),
        ("docker" | "podman" | "nerdctl", "run", _) => (CONTAINER, 2),
        _ => return None,
    })
}

fn places(words: &[&str], from: usize, reading: &Reading) -> Vec<Place> {
    let mut named = Vec::new();
    let (mut at, mut first) = (from, None);
    while let Some(word) = words.get(at) {
        let (flag, value) = word.split_once('=').map_or((*word, None), |(flag, value)| (flag, Some(value)));
        if !word.starts_with('-') {
            first = Some(at);
            break;
        }
        let takes_next = value.is_none() && has_value(reading, flag);
        if reading.packages.contains(&flag) {
            match value {
                Some(_) => named.push(Place {
                    at,
                    flag: format!("{flag}="),
                }),
                None => named.extend(words.get(at + 1).map(|_| plain(at + 1))),
            }
        }
        at += if takes_next { 2 } else { 1 };
    }
    let asks = named.iter().any(|place| !is_with(words, place));
    if reading.first && !asks {
        named.extend(first.map(plain));
    }
    named
}

/// Whether a package stands beside another one: `--with`.
fn is_with(words: &[&str], place: &Place) -> bool {
    place.flag == "--with=" || (place.flag.is_empty() && words[place.at - 1] == "--with")
}

fn has_value(reading: &Reading, flag: &str) -> bool {
    let short = |flag: &str| {
        flag.strip_prefix('-')
            .is_some_and(|letters| letters.bytes().all(|byte| b"itdPq".contains(&byte)))
    };
    match reading.plain {
        Some(plain) => !plain.contains(&flag) && !short(flag),
        None => reading.packages.contains(&flag) || reading.values.contains(&flag),
    }
}
