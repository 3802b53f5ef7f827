//! From a connector and a call to bytes on the wire and a value back: [`plan()`] is pure, [`http`]
//! sends a plan, [`guard`] decides which addresses may be reached.

mod plan;
mod show;

pub use plan::{Content, Header, KeyForm, Media, Piece, Place, Plan, PlanError, QueryPair, plan};
pub use show::{Mask, curl, dry_run};
