//! Connectors where the host looks for them. A change appears whole or not at all: what is new is
//! written and synced in a folder beside the others, then exchanged with what was there in one
//! rename; a change of several is written down first and finished by whoever comes next
//! (`journal`). One process changes the folder at a time. Asks nothing and prints nothing.

mod bench;
mod difference;
mod error;
mod fs;
mod journal;
mod shelf;

pub use bench::Bench;
pub use difference::{Difference, Widened, reaches};
pub use error::InstallError;
pub use fs::copy;
pub use shelf::{Locked, Shelf};

/// How far a change has come. Tests stop the program there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The folder is locked and leftovers are gone.
    Locked,
    /// A file is written and not yet synced.
    Written,
    /// All files and folders are synced.
    Synced,
    /// The change is half written down.
    Journaling,
    /// The change is written down.
    Journaled,
    /// What was there is out of the way.
    Aside,
    /// What is new is in its place.
    Placed,
    /// The connectors folder is synced.
    Settled,
    /// What was there is half removed.
    Removing,
}

impl Step {
    pub const ALL: [Self; 9] = [
        Self::Locked,
        Self::Written,
        Self::Synced,
        Self::Journaling,
        Self::Journaled,
        Self::Aside,
        Self::Placed,
        Self::Settled,
        Self::Removing,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Written => "written",
            Self::Synced => "synced",
            Self::Journaling => "journaling",
            Self::Journaled => "journaled",
            Self::Aside => "aside",
            Self::Placed => "placed",
            Self::Settled => "settled",
            Self::Removing => "removing",
        }
    }
}

/// How a change is made.
#[derive(Clone, Copy)]
pub struct Manner<'m> {
    /// Told of every step.
    pub reached: &'m dyn Fn(Step),
    /// Do without the exchange of two folders in one rename, as file systems without it must.
    pub without_exchange: bool,
}

impl std::fmt::Debug for Manner<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Manner")
            .field("without_exchange", &self.without_exchange)
            .finish_non_exhaustive()
    }
}

impl Manner<'_> {
    pub const PLAIN: Self = Manner {
        reached: &|_| {},
        without_exchange: false,
    };
}
