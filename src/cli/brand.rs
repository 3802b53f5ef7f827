//! Whose words the program uses, and its tree of commands.

use std::ffi::OsString;

use clap::{ArgMatches, Args as _, Command as Clap, Subcommand as _};

use super::args::{Command, Global, PackCommand};

/// The three programs. They differ in words and in the tree of commands, nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brand {
    Becket,
    Pimpo,
    ChatPilot,
}

const EXIT_CODES: &str = "Exit codes:

  0    done; no errors (warnings do not count without --strict)
  1    the file is wrong, or its contract failed
  2    could not start: bad usage, no such file or capability, input needed but nobody to ask
  3    a key is missing or was refused
  4    the service cannot be reached, is too slow, or its address is blocked
  5    the service answered with an error
  70   a fault in this program
  130  interrupted

With --json a failure is one line on standard error:
  {\"error\": {\"code\": \"key_refused\", \"exit\": 3, \"message\": \"…\", \"status\": 401}}
Of several failures in one run, the exit code is that of the gravest: 2, then 3, 4, 5, then 1.
A reader of the output that goes early (`| head`) changes no exit code: what was found by then counts.";

const ENVIRONMENT: &str = "Environment variables:

  NAME              the value of a key that a connector declares in `env`; empty leaves it out
  …KEY, …TOKEN      what the names of keys end with: no such value is ever printed
  BECKET_STORE      where keys are kept: keyring (the system's, unless this is set) or file
  BECKET_STORE_FILE the encrypted file, in place of the usual one
  BECKET_PASSPHRASE_FILE
                    a file that holds its passphrase; /dev/fd/3 is a descriptor
  NO_COLOR          no colour; FORCE_COLOR and CLICOLOR_FORCE ask for it
  COLUMNS           the width of human output
  LANG, LC_ALL      a locale without UTF-8 gets ASCII only
  CI                never ask
  BECKET_REGISTRY   the registry of MCP servers to ask, in place of the official one
  SSL_CERT_FILE     the certificates to trust, in place of the system's
HTTP_PROXY, HTTPS_PROXY and ALL_PROXY are ignored: a proxy would defeat the check of addresses.";

const PLACEHOLDERS: &str = "Placeholders in a request:

  {{name}}       an argument of the call; {{owner.id}} and {{ids.0}} reach into it
  {{env.NAME}}   a key from `env`: in a header, the query or the body, never in the path

Only values hold placeholders, not the names of headers, parameters or fields. What fills one is \
never read as a placeholder again.

An argument that is not given, or is null: the query parameter, header, form field, or field or \
item of the body that needs it is left out; in the path it is an error. A key that is empty leaves \
its header or parameter out.

In a body a string that is only one placeholder takes the argument with its type. Numbers go out \
digit for digit. In the path a value is escaped; an empty one, `.` and `..` are refused.

A list in a query parameter goes out as JSON text. These forms send it otherwise, and the fields \
of a body as multipart; the released host does not read them (rule beyond-host):

  \"tag\": [\"{{tags}}\"]                                 tag=a&tag=b
  \"tag\": {\"value\": \"{{tags}}\", \"style\": \"comma\"}      tag=a,b (pipe, space, deepObject too)
  \"form\": \"multipart\"                                 multipart/form-data, texts only";

/// Help topics: the name, a line, the text.
pub(super) const TOPICS: [(&str, &str, &str); 3] = [
    ("exit-codes", "What the exit codes mean", EXIT_CODES),
    ("environment", "Which environment variables are read", ENVIRONMENT),
    ("placeholders", "What {{name}} does in a request", PLACEHOLDERS),
];

impl Brand {
    pub fn program(self) -> &'static str {
        match self {
            Self::Becket => "becket",
            Self::Pimpo => "pimpo",
            Self::ChatPilot => "chatpilot",
        }
    }

    /// The words before a command's name.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Becket => "becket",
            Self::Pimpo => "pimpo connector",
            Self::ChatPilot => "chatpilot",
        }
    }

    /// A command as one types it, for hints.
    pub fn command(self, rest: &str) -> String {
        format!("{} {rest}", self.prefix())
    }

    /// What the words of a command line ask for. Building the whole tree of commands takes longer
    /// than most commands do: the asked one alone will do, unless something is wrong or help is
    /// wanted, which the whole tree words.
    pub(super) fn matches(self, words: &[OsString]) -> Result<ArgMatches, clap::Error> {
        let asked = self.asked(words).and_then(|tree| tree.try_get_matches_from(words).ok());
        asked.map_or_else(|| self.tree().try_get_matches_from(words), Ok)
    }

    /// A tree of the one command that the first words name.
    fn asked(self, words: &[OsString]) -> Option<Clap> {
        let (connector, name) = match (self, words) {
            (Self::Becket, [_, name, ..]) => (false, name),
            (Self::Pimpo, [_, first, name, ..]) if first == "connector" => (true, name),
            _ => return None,
        };
        let command = Command::alone(name.to_str()?)?;
        Some(match connector {
            true => self
                .top()
                .subcommand(Clap::new("connector").subcommand_required(true).subcommand(command)),
            false => self.top().subcommand(command),
        })
    }

    fn top(self) -> Clap {
        let top = Clap::new(self.program())
            .version(env!("CARGO_PKG_VERSION"))
            .subcommand_required(true);
        Global::augment_args(top).about(self.about())
    }

    /// The tree of commands.
    pub fn tree(self) -> Clap {
        let top = self.top();
        let tree = match self {
            Self::Pimpo => top.subcommand(commands(Clap::new("connector").about(self.about()).subcommand_required(true), self)),
            Self::Becket | Self::ChatPilot => commands(top, self),
        };
        with_program(tree, self.prefix())
    }

    /// What stands on standard error when nothing was asked for.
    pub fn first_run(self) -> String {
        let prefix = self.prefix();
        let commands: String = self.commands().map(|(name, about)| format!("  {name:<10}{about}\n")).collect();
        let not_the_app = if self == Self::Pimpo {
            " Not the Pimpo app: that is `pimpo start`."
        } else {
            ""
        };
        format!(
            "{}.\n\nUsage: {prefix} <COMMAND>\n\nStart here:\n{}\nCommands:\n{commands}\n`{prefix} help <command>` says more.{not_the_app}\n",
            self.about(),
            self.first_steps()
        )
    }

    fn about(self) -> &'static str {
        match self {
            Self::Becket | Self::Pimpo => "Write, check and try connectors",
            Self::ChatPilot => "Check profile packs that describe a REST API",
        }
    }

    fn first_steps(self) -> String {
        let prefix = self.prefix();
        match self {
            Self::Becket | Self::Pimpo => format!(
                "  {prefix} demo                see all of it at work, offline\n  {prefix} openapi api.yaml    what a description of an API offers as a connector\n  {prefix} check .             the connector of this folder: its file, then its contract\n"
            ),
            Self::ChatPilot => format!(
                "  {prefix} profiles check my-pack/    the profiles of a pack\n  {prefix} explain C401               what a code means\n"
            ),
        }
    }

    /// The names of the commands, each with its line.
    pub(super) fn commands(self) -> impl Iterator<Item = (String, String)> {
        let tree = commands(Clap::new("x"), self);
        let lines: Vec<_> = tree
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(|command| {
                (
                    command.get_name().to_owned(),
                    command.get_about().map(ToString::to_string).unwrap_or_default(),
                )
            })
            .collect();
        lines.into_iter()
    }
}

fn commands(parent: Clap, brand: Brand) -> Clap {
    let about = parent.get_about().cloned().unwrap_or_default();
    let parent = match brand {
        Brand::ChatPilot => PackCommand::augment_subcommands(parent),
        Brand::Becket | Brand::Pimpo => Command::augment_subcommands(parent),
    };
    let parent = parent.about(about);
    let topics = TOPICS.map(|(name, line, text)| {
        Clap::new(name)
            .about(line)
            .long_about(text)
            .hide(true)
            .help_template("{about-with-newline}")
    });
    let names: String = TOPICS.map(|(name, ..)| format!("`{name}`")).join(", ");
    let topics_line = format!("Help topics, for `{} help`: {names}.", brand.prefix());
    parent.subcommands(topics).after_help(topics_line)
}

/// Examples are written with `{program}` for the words before a command's name.
fn with_program(tree: Clap, prefix: &'static str) -> Clap {
    let examples = tree.get_after_long_help().map(|text| text.to_string().replace("{program}", prefix));
    let mut tree = match examples {
        Some(examples) => tree.after_long_help(examples),
        None => tree,
    };
    for command in tree.get_subcommands_mut() {
        *command = with_program(std::mem::take(command), prefix);
    }
    tree
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    fn lines(command: &Clap) -> Vec<String> {
        command.get_arguments().map(|arg| format!("{arg:?}")).collect()
    }

    /// What a line comes to.
    fn read(brand: Brand, mut matches: ArgMatches) -> String {
        let global = Global::from_arg_matches(&matches).expect("the global flags");
        if brand == Brand::Pimpo {
            matches = matches.remove_subcommand().expect("connector").1;
        }
        format!("{global:?} {:?}", Command::from_arg_matches(&matches).expect("a command"))
    }

    #[test]
    fn a_command_alone_is_the_one_of_the_tree() {
        let tree = Brand::Becket.tree();
        let visible: Vec<_> = tree.get_subcommands().filter(|command| !command.is_hide_set()).collect();
        assert!(visible.len() >= 6);
        for command in visible {
            let alone = Command::alone(command.get_name()).expect("every command can stand alone");
            assert_eq!(lines(&alone), lines(command), "{}", command.get_name());
        }
        assert!(Command::alone("help").is_none());
    }

    #[test]
    fn the_short_way_reads_a_line_as_the_tree_does() {
        let lines = [
            (Brand::Becket, "becket check --offline a b --color never"),
            (Brand::Becket, "becket --quiet check a"),
            (Brand::Becket, "becket call a b c=d --args {} -q"),
            (Brand::Pimpo, "pimpo connector explain P302 --no-input"),
        ];
        for (brand, line) in lines {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let whole = brand.tree().try_get_matches_from(&words).expect(line);
            assert_eq!(read(brand, brand.matches(&words).expect(line)), read(brand, whole), "{line}");
        }
        for line in ["becket check --ofline", "becket chek", "becket check --help", "becket --version"] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let error = |result: Result<ArgMatches, clap::Error>| result.expect_err(line).to_string();
            let whole = Brand::Becket.tree().try_get_matches_from(&words);
            assert_eq!(error(Brand::Becket.matches(&words)), error(whole), "{line}");
        }
    }
}
