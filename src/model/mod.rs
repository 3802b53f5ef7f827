//! What a connector means, whatever file it came from: an address or a program, keys,
//! capabilities with their requests, and the cases that prove them. Knows neither a file format
//! nor a product. Every part that an author wrote keeps its [`Span`].

pub mod address;
mod connector;
mod nearest;
mod select;
mod template;

pub use connector::{
    Base, Body, Capability, Case, Connector, Each, Http, Limits, Method, Name, Pair, Parameter, Pick, PickField, Redirects, Request, Risk,
    Scheme, Style, Transport,
};
pub use nearest::nearest;
pub use select::{Found, Path, PathError, PickError, pick};
pub use template::{ArgPath, PathTemplate, Slot, Template, TemplateError, Tree};

pub use crate::source::Span;
