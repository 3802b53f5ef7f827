//! What one run of `check` or `test` has found so far, and the exit code that it comes to.

use super::exit::Exit;
use super::fault::Fault;
use super::proof::{self, Lines};
use super::{Session, args, interrupt, show};
use crate::mcp::Era;
use crate::model::Connector;
use crate::report::{FileReport, Format, Stop};
use crate::source::Source;

pub(super) struct Gathered {
    pub reports: Vec<FileReport>,
    exits: Vec<Exit>,
    pub format: Format,
    /// Whether a failure is one JSON line on standard error.
    as_json: bool,
    /// Whether findings leave the exit code alone.
    lenient: bool,
    /// Which protocol servers are spoken to in.
    era: Era,
}

impl Gathered {
    pub(super) fn new(format: args::Format, as_json: bool) -> Self {
        let as_json = as_json || format == args::Format::Json;
        Self {
            reports: Vec::new(),
            exits: Vec::new(),
            format: show::format(format, as_json),
            as_json,
            lenient: false,
            era: Era::Auto,
        }
    }

    #[must_use]
    pub(super) fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    #[must_use]
    pub(super) fn speaking(mut self, era: Era) -> Self {
        self.era = era;
        self
    }

    /// Notes how a part of the run ended.
    pub(super) fn end(&mut self, exit: Exit) {
        if !(self.lenient && exit == Exit::Findings) {
            self.exits.push(exit);
            interrupt::know(self.exit());
        }
    }

    /// A failure about one file: on standard error, and in the report of that file.
    pub(super) fn fail(&mut self, fault: &Fault, report: &mut FileReport, session: &Session) {
        self.say(fault, session);
        report.stop = Some(stop(fault));
    }

    /// A failure about a file that was not read. People see it on standard error; a program's
    /// report has it too.
    pub(super) fn miss(&mut self, name: &str, fault: &Fault, session: &Session) {
        if matches!(self.format, Format::Human | Format::Concise) {
            return self.say(fault, session);
        }
        let mut report = FileReport::new(Source::new(name, ""), Vec::new());
        self.fail(fault, &mut report, session);
        self.reports.push(report);
    }

    /// A failure that no report holds.
    pub(super) fn say(&mut self, fault: &Fault, session: &Session) {
        fault.show(&session.io, self.as_json);
        self.end(fault.exit);
    }

    /// Runs the contract of one file.
    pub(super) fn prove(&mut self, connector: &Connector, report: &mut FileReport, lines: Lines, session: &mut Session) {
        match proof::prove(connector, &report.source, self.era, lines, session) {
            Ok(proof) => {
                self.end(proof.exit);
                report.cases = proof.cases;
            }
            Err(fault) => self.fail(&fault, report, session),
        }
    }

    /// Writes the report.
    pub(super) fn show(&self, session: &Session) {
        show::findings(&self.reports, self.format, session);
    }

    pub(super) fn exit(&self) -> Exit {
        Exit::gravest(self.exits.iter().copied())
    }

    /// Whether nothing has failed.
    pub(super) fn is_well(&self) -> bool {
        self.exits.is_empty()
    }
}

fn stop(fault: &Fault) -> Stop {
    let parts: Vec<&str> = std::iter::once(fault.message.as_str())
        .chain(fault.causes.iter().map(String::as_str))
        .collect();
    Stop {
        code: fault.code,
        exit: fault.exit.code(),
        message: parts.join(": "),
        help: fault.hint.clone(),
    }
}
