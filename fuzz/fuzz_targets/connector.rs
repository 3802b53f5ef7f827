//! Any text is a connector or findings at places in it: every report can be written, fixes keep
//! the text whole, a connector without errors reads back from what is written of it, and its
//! cases and calls make plans without a panic.

#![no_main]

use becket::diag::mend;
use becket::exec::{Mask, curl, dry_run, prepare};
use becket::format::write::write;
use becket::keys::Keys;
use becket::report::{self, FileReport, Format, Look};
use becket::rules;
use becket::source::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let checked = rules::read(Source::new("connector.json", text));
    for finding in &checked.findings {
        assert!(checked.source.text().get(finding.span.range()).is_some(), "{finding:?}");
        assert!(!finding.message.is_empty());
    }
    let (mended, _) = mend(checked.source.text(), &checked.findings);
    let _again = rules::read(Source::new("connector.json", mended));
    let reports = [FileReport::new(checked.source.clone(), checked.findings.clone())];
    for format in Format::ALL {
        report::write(format, &reports, &Look::PLAIN);
    }
    let Some(connector) = checked.connector else { return };
    let written = write(&connector);
    let again = rules::read(Source::new("connector.json", written.clone()));
    let connector = again.connector.unwrap_or_else(|| panic!("{written}\n{:?}", again.findings));
    assert_eq!(write(&connector), written);
    for case in &connector.cases {
        let called = connector.capabilities.iter().find(|capability| capability.name == case.capability);
        let Some(capability) = called else { continue };
        if let Ok(plan) = prepare(&connector, capability, case.args.clone(), &Keys::default()) {
            dry_run(&plan, &Keys::default(), &again.source, Mask::Dots);
            curl(&plan);
        }
    }
});
