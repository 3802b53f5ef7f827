//! `test`: the contract alone.

use super::args::Test;
use super::{Ending, Session, manifest, proof, show};
use crate::report::FileReport;

pub(super) fn run(args: &Test, session: &mut Session) -> Ending {
    let manifest = manifest::sound(&args.path, session)?;
    let proof = proof::prove(&manifest.connector, &manifest.source, proof::Lines::Test, session)?;
    let report = FileReport::new(manifest.source, Vec::new()).cases(proof.cases);
    show::findings(&[report], show::format(args.format, args.json), session);
    Ok(proof.exit)
}
