//! Which version a command runs: of a package that `npx`, `uvx` and their like fetch, or of an
//! image of a container. Without an exact one, each start may run other code than was reviewed.

mod image;
mod npm;
mod pypi;
mod runner;

use self::runner::Packages;

/// What a command says of the version that it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// It fetches nothing that we know of.
    NoPackage,
    /// Every package that it names is exact; this is the first.
    Exact(Package),
    Loose(Loose),
}

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Npm,
    PyPi,
    Image,
}

/// A package in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    pub kind: Kind,
    pub name: String,
    /// As its words name it, with the version.
    pub exact: String,
}

/// A package without an exact version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    pub kind: Kind,
    pub name: String,
    /// What stands where the version belongs: nothing, `latest`, `^1.2`.
    pub asked: String,
    /// Its place among the command and its arguments.
    at: usize,
    /// What stands before the version when it is exact; nothing where no version can be named.
    lead: Option<String>,
    /// What stands before the package in its word: `--from=`.
    flag: String,
}

/// What a word says of its package.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Spec {
    /// A file or folder of this computer.
    Local,
    Exact {
        name: String,
    },
    Loose {
        name: String,
        asked: String,
        lead: Option<String>,
    },
}

impl Spec {
    /// A repository or an archive: only a whole commit names one state of it.
    fn address(text: &str, commit: Option<&str>) -> Self {
        let name = text.to_owned();
        match commit.is_some_and(|commit| commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit())) {
            true => Self::Exact { name },
            false => Self::Loose {
                name,
                asked: String::new(),
                lead: None,
            },
        }
    }
}

/// Judges a command and its arguments.
pub fn pin(command: &str, args: &[String]) -> Pin {
    let words: Vec<&str> = std::iter::once(command).chain(args.iter().map(String::as_str)).collect();
    let Packages { kind, places } = runner::packages(&words);
    let mut first = None;
    for place in places {
        let text = &words[place.at][place.flag.len()..];
        let spec = match kind {
            Kind::Npm => npm::spec(text),
            Kind::PyPi => pypi::spec(text),
            Kind::Image => image::spec(text),
        };
        match spec {
            Spec::Local => {}
            Spec::Exact { name } => {
                let exact = text.to_owned();
                first.get_or_insert(Package { kind, name, exact });
            }
            Spec::Loose { name, asked, lead } => {
                let (at, flag) = (place.at, place.flag);
                return Pin::Loose(Loose {
                    kind,
                    name,
                    asked,
                    at,
                    lead,
                    flag,
                });
            }
        }
    }
    first.map_or(Pin::NoPackage, Pin::Exact)
}

impl Package {
    /// As it is written into a connector: `npm:@acme/weather@1.4.2`.
    pub fn source(&self) -> String {
        let kind = match self.kind {
            Kind::Npm => "npm",
            Kind::PyPi => "pypi",
            Kind::Image => "image",
        };
        format!("{kind}:{}", self.exact.trim_start_matches("npm:"))
    }
}

impl Loose {
    /// The arguments with a made-up version, to show how one is named.
    pub fn form(&self, args: &[String]) -> Option<Vec<String>> {
        self.pinned(args, "1.2.3")
    }

    /// The arguments with this version in the place of what was asked; nothing where no version
    /// can be named, or where the text is none.
    pub fn pinned(&self, args: &[String], version: &str) -> Option<Vec<String>> {
        let exact = format!("{}{version}", self.lead.as_ref()?);
        let spec = match self.kind {
            Kind::Npm => npm::spec(&exact),
            Kind::PyPi => pypi::spec(&exact),
            Kind::Image => image::spec(&exact),
        };
        matches!(spec, Spec::Exact { .. }).then_some(())?;
        let mut args = args.to_vec();
        // The command itself is no package.
        *args.get_mut(self.at.checked_sub(1)?)? = format!("{}{exact}", self.flag);
        Some(args)
    }

    /// What asks the package's own client which version it would take: a program, its arguments
    /// and its input. Nothing where there is none to ask.
    pub fn question(&self) -> Option<(&'static str, Vec<String>, String)> {
        self.lead.as_ref()?;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        match self.kind {
            Kind::Npm => {
                let spec = if self.asked.is_empty() {
                    self.name.clone()
                } else {
                    format!("{}@{}", self.name, self.asked)
                };
                Some(("npm", words(&["view", &spec, "version", "--json"]), String::new()))
            }
            Kind::PyPi => {
                let range = if self.asked == "latest" { "" } else { &self.asked };
                let compile = ["pip", "compile", "-", "--no-deps", "--quiet", "--no-header", "--no-annotate"];
                Some(("uv", words(&compile), format!("{}{range}\n", self.name)))
            }
            Kind::Image => None,
        }
    }

    /// The version in the answer to the question.
    pub fn answer(&self, text: &str) -> Option<String> {
        match self.kind {
            Kind::Npm => npm::newest(text),
            Kind::PyPi => pypi::compiled(text),
            Kind::Image => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> (String, Vec<String>) {
        let mut words = line.split(' ').map(str::to_owned);
        (words.next().expect("a command"), words.collect())
    }

    /// The command with its package at a version, or what its package is.
    fn told(line: &str) -> String {
        let (command, args) = words(line);
        match pin(&command, &args) {
            Pin::NoPackage => "none".to_owned(),
            Pin::Exact(package) => package.source(),
            Pin::Loose(loose) => match loose.pinned(&args, "1.2.3") {
                Some(args) => format!("{} [{}]: {command} {}", loose.name, loose.asked, args.join(" ")),
                None => format!("{} cannot be pinned", loose.name),
            },
        }
    }

    #[test]
    fn packages_of_npm() {
        for (line, expected) in [
            ("npx -y @acme/weather@1.4.2", "npm:@acme/weather@1.4.2"),
            ("npx weather@1.4.2-beta.1+x --root /x", "npm:weather@1.4.2-beta.1+x"),
            ("npx -y @acme/weather", "@acme/weather []: npx -y @acme/weather@1.2.3"),
            ("npx weather@latest a@2.0.0", "weather [latest]: npx weather@1.2.3 a@2.0.0"),
            ("npx weather@^1.2", "weather [^1.2]: npx weather@1.2.3"),
            ("npx weather@1.2", "weather [1.2]: npx weather@1.2.3"),
            ("npx weather@1.x", "weather [1.x]: npx weather@1.2.3"),
            ("npx weather@v1.2.3", "weather [v1.2.3]: npx weather@1.2.3"),
            ("npx weather@", "weather []: npx weather@1.2.3"),
            (
                "npx --package=weather@2 -- weather-mcp",
                "weather [2]: npx --package=weather@1.2.3 -- weather-mcp",
            ),
            (
                "npx -p weather@2.0.0 -p other weather-mcp",
                "other []: npx -p weather@2.0.0 -p other@1.2.3 weather-mcp",
            ),
            ("npx -p weather@2.0.0 weather-mcp", "npm:weather@2.0.0"),
            ("npx --registry https://r.example weather@2.0.0", "npm:weather@2.0.0"),
            ("npm exec -y -- weather", "weather []: npm exec -y -- weather@1.2.3"),
            ("pnpm dlx weather@2.0.0", "npm:weather@2.0.0"),
            ("bunx weather", "weather []: bunx weather@1.2.3"),
            ("/usr/bin/npx.cmd weather", "weather []: /usr/bin/npx.cmd weather@1.2.3"),
            ("env A=1 npx weather", "weather []: env A=1 npx weather@1.2.3"),
            ("sudo npx weather", "weather []: sudo npx weather@1.2.3"),
            ("deno run -A npm:weather@2.0.0/mcp", "npm:weather@2.0.0/mcp"),
            ("deno run -A npm:weather", "weather []: deno run -A npm:weather@1.2.3"),
            ("npx github:acme/weather", "github:acme/weather cannot be pinned"),
            ("npx acme/weather", "acme/weather cannot be pinned"),
            (
                "npx git+https://g.example/w.git#0123456789abcdef0123456789abcdef01234567",
                "npm:git+https://g.example/w.git#0123456789abcdef0123456789abcdef01234567",
            ),
            (
                "npx git+https://g.example/w.git#main",
                "git+https://g.example/w.git#main cannot be pinned",
            ),
            ("npx https://g.example/w.tgz", "https://g.example/w.tgz cannot be pinned"),
            ("npx alias@npm:weather@1.0.0", "alias@npm:weather@1.0.0 cannot be pinned"),
            ("npx ./weather", "none"),
            ("npx -y", "none"),
            ("node server.js", "none"),
            ("npm start", "none"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn packages_of_pypi() {
        for (line, expected) in [
            (
                "uvx mcp-server-time==2026.10.19 --local-timezone UTC",
                "pypi:mcp-server-time==2026.10.19",
            ),
            ("uvx mcp-server-time@2026.10.19", "pypi:mcp-server-time@2026.10.19"),
            ("uvx mcp-server-time", "mcp-server-time []: uvx mcp-server-time==1.2.3"),
            ("uvx mcp-server-time@latest", "mcp-server-time [latest]: uvx mcp-server-time==1.2.3"),
            ("uvx weather>=1,<2", "weather [>=1,<2]: uvx weather==1.2.3"),
            ("uvx weather==1.*", "weather [==1.*]: uvx weather==1.2.3"),
            ("uvx weather~=1.0", "weather [~=1.0]: uvx weather==1.2.3"),
            ("uvx weather[mcp]==1.0rc1", "pypi:weather[mcp]==1.0rc1"),
            (
                "uvx --from weather[mcp] weather-mcp",
                "weather[mcp] []: uvx --from weather[mcp]==1.2.3 weather-mcp",
            ),
            ("uvx --from=weather==2.0 weather-mcp", "pypi:weather==2.0"),
            ("uvx -p 3.12 weather==2.0", "pypi:weather==2.0"),
            ("uvx --with extra weather==2.0", "extra []: uvx --with extra==1.2.3 weather==2.0"),
            ("uv tool run weather", "weather []: uv tool run weather==1.2.3"),
            (
                "uv run --with weather python -m weather",
                "weather []: uv run --with weather==1.2.3 python -m weather",
            ),
            ("uv run server.py", "none"),
            ("pipx run --spec weather==2.0 weather-mcp", "pypi:weather==2.0"),
            ("pipx run weather", "weather []: pipx run weather==1.2.3"),
            (
                "uvx --from git+https://g.example/w@0123456789abcdef0123456789abcdef01234567 w",
                "pypi:git+https://g.example/w@0123456789abcdef0123456789abcdef01234567",
            ),
            ("uvx --from git+https://g.example/w w", "git+https://g.example/w cannot be pinned"),
            ("uvx --from ./weather w", "none"),
            ("uvx --from weather.whl w", "none"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn images() {
        let digest = format!("a/w@sha256:{}", "0a".repeat(32));
        for (line, expected) in [
            ("docker run -i --rm a/weather:1.4.2", "image:a/weather:1.4.2"),
            ("docker run -i --rm a/weather", "a/weather []: docker run -i --rm a/weather:1.2.3"),
            (
                "docker run -it -e KEY --name w localhost:5000/weather:latest -x",
                "localhost:5000/weather [latest]: docker run -it -e KEY --name w localhost:5000/weather:1.2.3 -x",
            ),
            ("podman run --pull=always w:2", "w [2]: podman run --pull=always w:1.2.3"),
            (&format!("docker run {digest}"), &format!("image:{digest}")),
            ("docker ps", "none"),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn clients_are_asked_and_their_answers_read() {
        let loose = |line: &str| {
            let (command, args) = words(line);
            match pin(&command, &args) {
                Pin::Loose(loose) => loose,
                pin => panic!("{pin:?}"),
            }
        };
        let npm = loose("npx w@^1");
        let (program, args, input) = npm.question().expect("a question");
        assert_eq!(
            (program, args.join(" ").as_str(), input.as_str()),
            ("npm", "view w@^1 version --json", "")
        );
        assert_eq!(npm.answer("\"1.4.2\"\n").as_deref(), Some("1.4.2"));
        assert_eq!(
            npm.answer("[\"1.4.2\", \"1.10.0\", \"1.10.0-rc.1\", \"1.9.9\"]").as_deref(),
            Some("1.10.0")
        );
        for wrong in ["", "{}", "\"latest\"", "[]", "\"1.4.2\\n\"", "\"1.4.2 --x\""] {
            assert_eq!(npm.answer(wrong), None, "{wrong}");
        }
        let pypi = loose("uvx W.x[a]>=1");
        let (program, _, input) = pypi.question().expect("a question");
        assert_eq!((program, input.as_str()), ("uv", "W.x[a]>=1\n"));
        assert_eq!(pypi.answer("w-x[a]==1.4\n").as_deref(), Some("1.4"));
        for wrong in ["", "w-x\n", "w-x==1.*\n", "a==1\nb==2\n"] {
            assert_eq!(pypi.answer(wrong), None, "{wrong}");
        }
        assert_eq!(loose("docker run w").question(), None);
        assert_eq!(loose("npx github:a/b").question(), None);
        assert_eq!(npm.pinned(&["w@^1".to_owned()], "1.2.3 --x"), None);
    }
}
