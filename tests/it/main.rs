//! All integration tests, one crate.

mod answers;
mod authority;
mod brotli;
mod build;
mod canary;
mod child;
mod connector;
mod corpus;
mod corpus_openapi;
mod edges;
mod examples;
mod faults;
mod formats;
mod layers;
mod openapi;
mod program;
mod reading;
mod request_properties;
mod requests;
mod rules;
mod service;
mod show;
mod transcripts;
mod twelve;
mod vectors;
mod write;
