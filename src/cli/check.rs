//! `check`: the rules, then the contract.

use std::path::Path;

use super::args::Check;
use super::exit::Exit;
use super::fault::Fault;
use super::proof;
use super::{Ending, Session, mend, paths, show};
use crate::diag::{Level, count, strictly};
use crate::format::connector::{Document, lower};
use crate::model::Connector;
use crate::report::{FileReport, visible};
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
    let mut all = All {
        alone: found.len() == 1,
        ..All::default()
    };
    for manifest in found {
        match manifest {
            Ok(source) => all.add(source, args, session),
            Err(fault) => all.fail(&fault, args, session),
        }
    }
    all.tell(session);
    let format = show::format(args.format, args.json);
    show::findings(&all.reports, format, session);
    if format == crate::report::Format::Human {
        all.close(args, session);
    }
    Ok(all.exit(args))
}

/// What one run has found so far.
#[derive(Default)]
struct All {
    /// Whether there is only one manifest.
    alone: bool,
    /// The lines of sound files that are not yet written.
    heads: String,
    reports: Vec<FileReport>,
    exits: Vec<Exit>,
}

impl All {
    fn tell(&mut self, session: &Session) {
        if !self.heads.is_empty() {
            session.io.say(&std::mem::take(&mut self.heads));
        }
    }

    fn fail(&mut self, fault: &Fault, args: &Check, session: &Session) {
        self.tell(session);
        fault.show(&session.io, args.wants_json());
        self.exits.push(fault.exit);
    }

    fn add(&mut self, source: Source, args: &Check, session: &mut Session) {
        let alone = self.alone;
        let wanted = |document: &Document<'_>| (head(document, alone), (!args.offline).then(|| lower(document)).flatten());
        let (mut checked, mut made) = rules::check(source, wanted);
        if args.fix {
            match mend::fix(&checked, session) {
                Ok(Some(mended)) => (checked, made) = rules::check(mended, wanted),
                Ok(None) => {}
                Err(fault) => self.fail(&fault, args, session),
            }
        }
        let Checked { source, mut findings, .. } = checked;
        if args.strict {
            strictly(&mut findings);
        }
        let wrong = findings.iter().any(|finding| finding.level == Level::Error);
        let mut report = FileReport::new(source, findings);
        if wrong {
            self.exits.push(Exit::Findings);
        } else if let Some((head, connector)) = made {
            if show::format(args.format, args.json) == crate::report::Format::Human {
                self.heads += &head;
            }
            if let Some(connector) = connector {
                self.prove(&connector, &mut report, args, session);
            }
        }
        if report.findings.is_empty() && report.cases.is_empty() {
            report.source = report.source.without_text();
        }
        self.reports.push(report);
    }

    fn prove(&mut self, connector: &Connector, report: &mut FileReport, args: &Check, session: &mut Session) {
        self.tell(session);
        match proof::prove(connector, &report.source, proof::Lines::Check, session) {
            Ok(proof) => {
                self.exits.push(proof.exit);
                report.cases = proof.cases;
            }
            Err(fault) => self.fail(&fault, args, session),
        }
    }

    /// The last line: that the contract was not run, and what explains the first error.
    fn close(&self, args: &Check, session: &Session) {
        let wrong = self
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
        } else if self.exits.is_empty() && args.offline {
            session.io.progress("The contract was not run (--offline).\n");
        }
    }

    fn exit(&self, args: &Check) -> Exit {
        let quiet = args.exit_zero || show::format(args.format, args.json) == crate::report::Format::Sarif;
        let exits = self.exits.iter().copied().filter(|exit| !(quiet && *exit == Exit::Findings));
        Exit::gravest(exits)
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
