//! The program's streams and the facts about them: what is a terminal, colours, width, letters.
//! Everything that is printed passes through here, and so through the redactor.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};
use serde_json::Value;

use super::args::{ColorChoice, Global};
use crate::keys::{Keys, Redactor, Secret};
use crate::report::escaped;

/// How long work may take before it shows.
const QUIET_START: std::time::Duration = std::time::Duration::from_millis(300);

/// Standard streams with a redactor in front of them.
pub(super) struct Io {
    redactor: Redactor,
    pub facts: Facts,
}

/// What is known of the terminal and the person before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    pub stdout_terminal: bool,
    pub stdout_color: bool,
    pub stderr_color: bool,
    pub unicode: bool,
    pub width: usize,
    pub stdin_terminal: bool,
    pub can_ask: bool,
    pub quiet: bool,
}

/// How JSON is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Pretty,
    OneLine,
}

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Out,
    Err,
}

impl Io {
    pub(super) fn new(global: &Global) -> Self {
        Self {
            redactor: super::keys::likely(),
            facts: Facts::read(global),
        }
    }

    /// From now on these keys are replaced in everything that is printed.
    pub(super) fn protect(&mut self, keys: &Keys) {
        keys.secrets().for_each(|secret| self.redactor.learn(secret));
    }

    pub(super) fn learn(&mut self, secret: &Secret) {
        self.redactor.learn(secret);
    }

    pub(super) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redactor.clean(text)
    }

    /// A result: standard output, letter for letter.
    pub(super) fn out(&self, text: &str) {
        self.write(Stream::Out, &self.clean(text));
    }

    /// A result as JSON: keys are replaced inside its texts, so that it stays JSON.
    pub(super) fn out_json(&self, value: &Value, layout: Layout) {
        let text = match layout {
            Layout::Pretty => serde_json::to_string_pretty(&self.cleaned(value)),
            Layout::OneLine => serde_json::to_string(&self.cleaned(value)),
        };
        let text = text.expect("a Value has text keys only");
        self.write(Stream::Out, &format!("{}\n", escaped(&text)));
    }

    /// JSON that is written already. Only where it holds a key is it taken apart.
    pub(super) fn out_document(&self, json: &str) {
        let text = self.clean(json);
        let holds_a_key = matches!(text, Cow::Owned(_));
        match holds_a_key.then(|| serde_json::from_str(json)) {
            Some(Ok(value)) => self.out_json(&value, Layout::Pretty),
            _ => self.write(Stream::Out, &text),
        }
    }

    fn cleaned(&self, value: &Value) -> Value {
        let text = |text: &str| self.clean(text).into_owned();
        match value {
            Value::String(string) => Value::String(text(string)),
            Value::Number(number) => match self.clean(&number.to_string()) {
                Cow::Owned(masked) => Value::String(masked),
                Cow::Borrowed(_) => value.clone(),
            },
            Value::Array(list) => list.iter().map(|value| self.cleaned(value)).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (text(key), self.cleaned(value))).collect(),
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    /// A result in our own words: standard output.
    pub(super) fn say(&self, text: &str) {
        self.write(Stream::Out, &readable(&self.clean(text), self.facts.unicode));
    }

    /// Progress: standard error, unless `--quiet`.
    pub(super) fn progress(&self, text: &str) {
        if !self.facts.quiet {
            self.err(text);
        }
    }

    /// As [`Io::progress`], worded only when it is shown.
    pub(super) fn progress_with(&self, text: impl FnOnce() -> String) {
        if !self.facts.quiet {
            self.err(&text());
        }
    }

    /// What went wrong: standard error, always.
    pub(super) fn err(&self, text: &str) {
        self.write(Stream::Err, &readable(&self.clean(text), self.facts.unicode));
    }

    fn write(&self, stream: Stream, text: &str) {
        super::interrupt::yield_to_leaving();
        let result = match stream {
            Stream::Out => write_all(&mut io::stdout().lock(), text),
            Stream::Err => write_all(&mut io::stderr().lock(), text),
        };
        if stream == Stream::Out {
            delivered(result);
        }
    }

    /// `error` and the like, in bold and red where colours are wanted on standard error.
    pub(super) fn strong<'t>(&self, text: &'t str, color: AnsiColor) -> Cow<'t, str> {
        if !self.facts.stderr_color {
            return Cow::Borrowed(text);
        }
        let style = Style::new().bold().fg_color(Some(color.into()));
        Cow::Owned(format!("{style}{text}{style:#}"))
    }

    /// Shows that something is going on, on a terminal and after a while.
    pub(super) fn waiting<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        if self.facts.quiet || !self.facts.stderr_color {
            return work();
        }
        let bar = indicatif::ProgressBar::hidden().with_style(indicatif::ProgressStyle::default_spinner());
        let (done, ends) = std::sync::mpsc::channel::<()>();
        let what = self.clean(what).into_owned();
        let spinner = bar.clone();
        let shows = std::thread::spawn(move || {
            if ends.recv_timeout(QUIET_START) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                spinner.set_draw_target(indicatif::ProgressDrawTarget::stderr());
                spinner.set_message(what);
                spinner.enable_steady_tick(std::time::Duration::from_millis(100));
                // Ends when the work does: then the sender is gone.
                let _ended = ends.recv();
            }
        });
        let result = work();
        drop(done);
        drop(shows.join());
        bar.finish_and_clear();
        result
    }

    /// Asks a yes or no question on standard error. Only where `facts.can_ask`.
    pub(super) fn confirm(&self, question: &str) -> bool {
        self.err(&format!("{question} [y/N] "));
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer);
        read.is_ok() && matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }
}

/// Ends the program when standard output takes no more. A reader that has gone is no failure of
/// ours, and what is known stays known; a full disk is one.
fn delivered(result: io::Result<()>) {
    let Err(error) = result else { return };
    if error.kind() == io::ErrorKind::BrokenPipe {
        super::interrupt::unread();
    }
    raw_err(&format!("error: cannot write to standard output\n  cause: {error}\n"));
    super::interrupt::leave(super::Exit::Usage);
}

fn write_all(stream: &mut impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// The few marks of our own texts in ASCII, for a locale that has no others.
fn plain_letters(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '…' => "...".to_owned(),
            '—' | '–' => "-".to_owned(),
            '·' => "|".to_owned(),
            '•' => "*".to_owned(),
            other => other.to_string(),
        })
        .collect()
}

impl Facts {
    fn read(global: &Global) -> Self {
        let stdout_terminal = io::stdout().is_terminal();
        let stderr_terminal = io::stderr().is_terminal();
        let asks = io::stdin().is_terminal() && stderr_terminal && !global.no_input && variable("CI").is_none();
        Self {
            stdout_terminal,
            stdout_color: color(global.color, stdout_terminal),
            stderr_color: color(global.color, stderr_terminal),
            unicode: unicode(),
            width: width(),
            stdin_terminal: io::stdin().is_terminal(),
            can_ask: asks,
            quiet: global.quiet,
        }
    }
}

/// An environment variable that is set and not empty.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `--color`, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then the terminal.
fn color(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if variable("NO_COLOR").is_some() => false,
        ColorChoice::Auto
            if ["FORCE_COLOR", "CLICOLOR_FORCE"]
                .iter()
                .any(|name| variable(name).is_some_and(|value| value != "0")) =>
        {
            true
        }
        ColorChoice::Auto => terminal && variable("TERM").is_none_or(|terminal| terminal != "dumb"),
    }
}

/// Whether the locale has more than ASCII: the first of LC_ALL, LC_CTYPE and LANG that is set.
fn unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name));
    cfg!(windows) || locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

/// COLUMNS, then the terminal, then 100.
fn width() -> usize {
    let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(100).clamp(40, 400)
}

/// Before the flags are read, or when nothing else is left: text that holds no key.
pub(super) fn raw_err(text: &str) {
    drop(write_all(&mut io::stderr().lock(), &readable(text, unicode())));
}

/// Help and version.
pub(super) fn raw_out(text: &str) {
    delivered(write_all(&mut io::stdout().lock(), &readable(text, unicode())));
}

/// With plain letters alone where the locale knows no others.
fn readable(text: &str, unicode: bool) -> Cow<'_, str> {
    if unicode || text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(plain_letters(text))
    }
}
