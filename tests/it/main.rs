//! All integration tests, one crate.

mod build;
mod layers;
mod request_properties;
mod requests;
mod show;
mod vectors;
