//! What the words of `call` mean: a path and a capability, or both as `tides.today` where no such
//! file is here and `tides` is installed.

use std::path::Path;

use super::args::Call;
use super::fault::Fault;
use super::{Session, installed};

pub(super) struct Target<'w> {
    pub path: &'w Path,
    pub capability: &'w str,
    pub arguments: Vec<String>,
}

pub(super) fn read<'w>(args: &'w Call, session: &Session) -> Result<Target<'w>, Fault> {
    if let Some(name) = joined(&args.path) {
        return Ok(Target {
            path: Path::new(name),
            capability: args.path.to_str().unwrap_or_default(),
            arguments: args.capability.iter().chain(&args.arguments).cloned().collect(),
        });
    }
    match &args.capability {
        Some(capability) => Ok(Target {
            path: &args.path,
            capability,
            arguments: args.arguments.clone(),
        }),
        None => Err(Fault::usage("bad_usage", "which capability is not said").hint(format!(
            "`{}`, or NAME.CAPABILITY of an installed connector",
            session.brand.command("call PATH CAPABILITY")
        ))),
    }
}

/// The `tides` of `tides.today`, when it is installed.
fn joined(path: &Path) -> Option<&str> {
    let (name, method) = path.to_str()?.split_once('.')?;
    let is_here = path.symlink_metadata().is_ok();
    (!is_here && !method.is_empty() && installed::named(Path::new(name)).is_some()).then_some(name)
}
