//! `check`: the rules, then the contract.

use std::path::Path;

use super::args::Check;
use super::exit::Exit;
use super::fault::Fault;
use super::proof;
use super::{Ending, Session, mend, paths, show};
use crate::diag::{Level, count};
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
    reports: Vec<FileReport>,
    exits: Vec<Exit>,
}

impl All {
    fn fail(&mut self, fault: &Fault, args: &Check, session: &Session) {
        fault.show(&session.io, args.wants_json());
        self.exits.push(fault.exit);
    }

    fn add(&mut self, source: Source, args: &Check, session: &mut Session) {
        let mut checked = rules::read(source);
        if args.fix {
            match mend::fix(&checked, session) {
                Ok(Some(mended)) => checked = rules::read(mended),
                Ok(None) => {}
                Err(fault) => self.fail(&fault, args, session),
            }
        }
        let Checked {
            source,
            connector,
            mut findings,
            ..
        } = checked;
        if args.strict {
            findings
                .iter_mut()
                .filter(|finding| finding.level == Level::Warning)
                .for_each(|finding| finding.level = Level::Error);
        }
        let wrong = findings.iter().any(|finding| finding.level == Level::Error);
        let mut report = FileReport::new(source, findings);
        if wrong {
            self.exits.push(Exit::Findings);
        } else if let Some(connector) = &connector {
            self.prove(connector, &mut report, args, session);
        }
        self.reports.push(report);
    }

    fn prove(&mut self, connector: &Connector, report: &mut FileReport, args: &Check, session: &mut Session) {
        if show::format(args.format, args.json) == crate::report::Format::Human {
            session.io.say(&head(connector, self.alone));
        }
        if args.offline {
            return;
        }
        match proof::prove(connector, proof::Lines::Check, session) {
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
fn head(connector: &Connector, with_capabilities: bool) -> String {
    let cases = count(connector.cases.len(), "contract case");
    let mut text = format!(
        "{}: {}, {cases}\n",
        connector.name,
        count(connector.capabilities.len(), "capability")
    );
    let width = connector
        .capabilities
        .iter()
        .map(|capability| capability.name.chars().count())
        .max()
        .unwrap_or(0);
    for capability in connector.capabilities.iter().filter(|_| with_capabilities) {
        text += &format!(
            "  {:<width$}  {:<12}  {}\n",
            capability.name,
            capability.risk.word(),
            visible(&capability.signature)
        );
    }
    text
}
