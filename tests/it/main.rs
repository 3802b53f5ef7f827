//! All integration tests, one crate.

mod build;
mod formats;
mod layers;
mod request_properties;
mod requests;
mod show;
mod vectors;
