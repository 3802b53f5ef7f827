//! What a connector means, whatever file it came from: an address or a program, keys,
//! capabilities with their requests, and the cases that prove them. Knows neither a file format
//! nor a product. Every part that an author wrote keeps its [`Span`].

pub mod address;
mod base;
mod connector;
pub mod credential;
mod header;
mod nearest;
mod path;
mod schema;
mod select;
mod template;
mod text;
mod tree;
mod words;

pub use base::{BaseError, BaseWarning};
pub use connector::{
    Base, Body, Capability, Case, Connector, Each, Expects, FormKind, Http, KeyText, Limits, Method, Name, Pair, Parameter, Pick,
    PickField, Redirects, Request, Reviewed, Risk, Scheme, Style, Transport,
};
pub use header::{is_forbidden_header, is_header_name, overrides_method};
pub use nearest::nearest;
pub use path::PathTemplate;
pub use schema::{ArgumentFault, ArgumentProblem, Property, Schema, SchemaFault, SchemaProblem};
pub use select::{Found, Path, PathError, PickError, pick};
pub(crate) use template::twice;
pub use template::{ArgPath, Need, Slot, Template, TemplateError};
pub use text::{number_text, percent_decoded, text_form};
pub use tree::{TemplateFault, Tree};
pub use words::{listed, quoted};

pub use crate::source::Span;
