//! `check`: the rules, then the contract.

use std::path::Path;

use super::args::Check;
use super::exit::Exit;
use super::fault::Fault;
use super::gathered::Gathered;
use super::{Ending, Session, mend, paths, proof};
use crate::diag::{Level, count, strictly};
use crate::format::connector::{Document, lower};
use crate::model::{Connector, credential};
use crate::report::{FileReport, Format, Veil, visible};
use crate::rules::{self, Checked};
use crate::source::Source;

pub(super) fn run(args: &Check, session: &mut Session) -> Ending {
    if args.fix && args.paths.iter().any(|path| path == Path::new("-")) {
        return Err(Fault::usage("bad_usage", "`--fix` cannot write to standard input").hint("give the file's path, or use `--diff`"));
    }
    let found = paths::manifests(&args.paths);
    if args.diff {
        return Ok(mend::diff(found, session));
    }
    let mut all = All::new(found.len() == 1, args);
    for (path, manifest) in found {
        match manifest {
            Ok(source) => all.add(source, args, session),
            Err(fault) => all.miss(&path, &fault, session),
        }
    }
    all.tell(session);
    all.gathered.show(session);
    if all.gathered.format == Format::Human {
        all.close(args, session);
    }
    Ok(all.gathered.exit())
}

/// What one run has found so far.
struct All {
    /// Whether there is only one manifest.
    alone: bool,
    /// The lines of sound files that are not yet written.
    heads: String,
    gathered: Gathered,
}

impl All {
    fn new(alone: bool, args: &Check) -> Self {
        let gathered = Gathered::new(args.format, args.json);
        let lenient = args.exit_zero || gathered.format == Format::Sarif;
        Self {
            alone,
            heads: String::new(),
            gathered: gathered.lenient(lenient).speaking(args.speaking.era()),
        }
    }

    fn tell(&mut self, session: &Session) {
        if !self.heads.is_empty() {
            session.io.say(&std::mem::take(&mut self.heads));
        }
    }

    fn miss(&mut self, path: &Path, fault: &Fault, session: &Session) {
        self.tell(session);
        self.gathered.miss(&paths::shown(path), fault, session);
    }

    fn add(&mut self, source: Source, args: &Check, session: &mut Session) {
        let alone = self.alone;
        let wanted = |document: &Document<'_>| (head(document, alone), (!args.offline).then(|| lower(document)).flatten());
        let (mut checked, mut made) = rules::check(source, wanted);
        if args.fix {
            match mend::fix(&checked, session) {
                Ok(Some(mended)) => (checked, made) = rules::check(mended, wanted),
                Ok(None) => {}
                Err(fault) => self.gathered.say(&fault, session),
            }
        }
        let Checked { source, mut findings, .. } = checked;
        if args.strict {
            strictly(&mut findings);
        }
        let wrong = findings.iter().any(|finding| finding.level == Level::Error);
        let mut report = FileReport::new(source, findings);
        if wrong {
            self.gathered.end(Exit::Findings);
        } else if let Some((head, connector)) = made {
            self.sound(&head, connector, &mut report, session);
        }
        if report.findings.is_empty() && report.cases.is_empty() {
            report.source = report.source.without_text();
        }
        self.gathered.reports.push(report);
    }

    /// A file without errors: what it is, then its contract.
    fn sound(&mut self, head: &str, connector: Option<Connector>, report: &mut FileReport, session: &mut Session) {
        if self.gathered.format == Format::Human {
            // What a rule took for a key has a finding; without one, the letters of the head decide.
            self.heads += &match report.findings.is_empty() {
                true => credential::masked(head),
                false => Veil::new(&report.source, &report.findings).masked(head),
            };
        }
        if let Some(connector) = connector {
            self.tell(session);
            self.gathered.prove(&connector, report, proof::Lines::Check, session);
        }
    }

    /// The last line: that the contract was not run, and what explains the first error.
    fn close(&self, args: &Check, session: &Session) {
        let wrong = self
            .gathered
            .reports
            .iter()
            .flat_map(|report| &report.findings)
            .find(|finding| finding.level == Level::Error);
        if let Some(finding) = wrong {
            let not_run = if args.offline { "" } else { "The contract was not run. " };
            session.io.progress(&format!(
                "{not_run}`{}` says more.\n",
                session.brand.command(&format!("explain {}", finding.rule.code))
            ));
        } else if self.gathered.is_well() && args.offline {
            session.io.progress("The contract was not run (--offline).\n");
        }
    }
}

/// `petstore: 2 capabilities, 1 contract case`, and a line for each capability where there is only
/// one manifest.
fn head(document: &Document<'_>, with_capabilities: bool) -> String {
    let mut text = format!(
        "{}: {}, {}\n",
        document.name.map_or("", |name| name.text),
        count(document.capabilities.len(), "capability"),
        count(document.cases.len(), "contract case")
    );
    let capabilities = document.capabilities.iter().filter(|_| with_capabilities);
    let lines = capabilities.filter_map(|capability| Some((capability.name?.text, capability.risk?.text, capability.signature?.text)));
    let width = lines.clone().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    for (name, risk, signature) in lines {
        text += &format!("  {name:<width$}  {risk:<12}  {}\n", visible(signature));
    }
    text
}
