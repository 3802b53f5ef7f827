//! From an MCP server of others to a connector: what its tools offer and claim, which are chosen,
//! and the connector of those, with the marks of what was reviewed. Also what the command that
//! starts it says: its version, and what is dangerous in it. Starts, asks and prints nothing.

mod choose;
mod command;
mod described;
mod lower;
mod names;
mod offer;
mod pin;
mod remarks;

pub use choose::{ChoiceError, Chosen, Selection, choose};
pub use command::command_line;
pub use described::Described;
pub use lower::lower;
pub use offer::{Offered, Unfit, offered};
pub use pin::{Kind, Loose, Package, Pin, pin};
pub use remarks::remarks;

/// How many capabilities one connector takes at most.
pub const MOST: usize = 100;
