//! What authors write: connector.json and the profiles of packs. A reader takes a [`Doc`] and gives
//! a typed document, in which everything may be absent, with every problem of its fields;
//! [`connector::lower`] makes the model of it and [`write`] is the reverse. What fields mean is
//! judged in `rules`.
//!
//! [`Doc`]: crate::source::Doc

mod block;
pub mod connector;
pub mod pack;
mod word;
pub mod write;

pub(crate) use word::short;
pub use word::{Blank, Word};
