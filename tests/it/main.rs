//! All integration tests, one crate.

mod layers;
mod vectors;
