//! Connectors made by hand, and a plan read as a server would read it.

use becket::exec::{Piece, Plan, PlanError, plan};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{
    Base, Body, Capability, Connector, Each, FormKind, Http, KeyText, Limits, Method, Name, Pair, Parameter, PathTemplate, Redirects,
    Request, Risk, Scheme, Span, Template, Transport, Tree,
};
use serde_json::{Map, Value, json};
use url::form_urlencoded;

/// `shelf`, whose one capability `shelf.go` has the request that a test needs.
pub(crate) fn shelf() -> Connector {
    let request = Request {
        method: Method::Get,
        path: path("/b"),
        query: Vec::new(),
        headers: Vec::new(),
        body: None,
        safe: false,
        at: Span::default(),
    };
    let capability = Capability {
        name: "shelf.go".to_owned(),
        tool: None,
        reviewed: None,
        risk: Risk::Read,
        signature: "shelf.go({})".to_owned(),
        returns: "{}".to_owned(),
        schema: None,
        defaults: serde_json::Map::new(),
        schema_at: None,
        request: Some(request),
        pick: None,
        at: Span::default(),
    };
    Connector {
        name: "shelf".to_owned(),
        description: String::new(),
        source: None,
        imported: false,
        transport: Transport::Http(Http {
            base: base("http://127.0.0.1:9/api"),
            headers: vec![header("X-Shelf", "tok {{env.SHELF_TOKEN}}")],
            query: Vec::new(),
            limits: Limits::CONNECTOR,
            redirects: Redirects::SameOrigin,
            per_minute: None,
        }),
        keys: vec![Name {
            text: "SHELF_TOKEN".to_owned(),
            at: Span::default(),
        }],
        capabilities: vec![capability],
        cases: Vec::new(),
    }
}

/// `shelf` with its request changed.
pub(crate) fn with(change: impl FnOnce(&mut Http, &mut Request)) -> Connector {
    let mut connector = shelf();
    let Transport::Http(http) = &mut connector.transport else {
        unreachable!("shelf is an HTTP connector")
    };
    let request = connector.capabilities[0].request.as_mut().expect("shelf.go has a request");
    change(http, request);
    connector
}

pub(crate) fn base(text: &str) -> Base {
    let url = url::Url::parse(text).unwrap();
    Base {
        scheme: if url.scheme() == "https" { Scheme::Https } else { Scheme::Http },
        host: url.host_str().unwrap().to_owned(),
        port: url.port_or_known_default().unwrap(),
        path: url.path().trim_end_matches('/').to_owned(),
        query: url.query().map(str::to_owned),
        local: url.host_str() == Some("127.0.0.1"),
        at: Span::default(),
    }
}

pub(crate) fn path(text: &str) -> PathTemplate {
    PathTemplate::parse(text, Span::default()).unwrap()
}

pub(crate) fn template(text: &str) -> Template {
    Template::parse(text, Span::default()).unwrap()
}

pub(crate) fn header(name: &str, value: &str) -> Pair {
    Pair {
        name: name.to_owned(),
        value: template(value),
        keys: KeyText::AsIs,
        at: Span::default(),
    }
}

pub(crate) fn parameter(name: &str, value: Each) -> Parameter {
    Parameter {
        name: name.to_owned(),
        value,
        at: Span::default(),
    }
}

pub(crate) fn one(name: &str, value: &str) -> Parameter {
    parameter(name, Each::One(template(value)))
}

pub(crate) fn json_body(value: &Value) -> Option<Body> {
    Some(Body::Json {
        tree: Tree::from_value(value, Span::default()).unwrap(),
        at: Span::default(),
    })
}

pub(crate) fn form_body(value: &Value) -> Option<Body> {
    form_of(FormKind::UrlEncoded, value)
}

pub(crate) fn form_of(kind: FormKind, value: &Value) -> Option<Body> {
    let fields = value.as_object().unwrap().iter();
    Some(Body::Form {
        kind,
        fields: fields
            .map(|(name, value)| (name.clone(), Tree::from_value(value, Span::default()).unwrap()))
            .collect(),
        at: Span::default(),
    })
}

/// The keys of `shelf`, with a value or without.
pub(crate) fn keys(value: &str) -> Keys {
    let mut keys = Keys::default();
    keys.insert("SHELF_TOKEN", Secret::new(value), Origin::Keyring);
    keys
}

pub(crate) fn call(connector: &Connector, args: Value) -> Result<Plan, PlanError> {
    call_with(connector, args, &keys("s3"))
}

pub(crate) fn call_with(connector: &Connector, args: Value, keys: &Keys) -> Result<Plan, PlanError> {
    let args: Map<String, Value> = args.as_object().cloned().unwrap_or_default();
    plan(connector, "shelf.go", &args, keys)
}

/// Pieces as text with each key as `<NAME>`.
pub(crate) fn text(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Key { name, .. } => format!("<{name}>"),
        })
        .collect()
}

/// The request target as it goes on the wire, keys as `<NAME>`.
pub(crate) fn target(plan: &Plan) -> String {
    text(&plan.target())
}

/// The path's segments after decoding.
pub(crate) fn segments(plan: &Plan) -> Vec<String> {
    let path = target(plan);
    let path = path.split('?').next().unwrap_or_default();
    path.split('/').skip(1).map(decoded).collect()
}

fn decoded(text: &str) -> String {
    // A form decoder that is not told of `+`.
    let pair = format!("={}", text.replace('+', "%2B").replace('&', "%26"));
    form_urlencoded::parse(pair.as_bytes())
        .map(|(_, value)| value.into_owned())
        .collect()
}

/// The query after decoding.
pub(crate) fn query(plan: &Plan) -> Vec<(String, String)> {
    let target = target(plan);
    let query = target.split_once('?').map_or("", |(_, query)| query);
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// A header's text, whatever the case of its name.
pub(crate) fn header_of(plan: &Plan, name: &str) -> Option<String> {
    let found = plan.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    found.map(|header| text(&header.value))
}

/// The body's text.
pub(crate) fn body(plan: &Plan) -> Option<String> {
    plan.body.as_ref().map(|body| text(&body.pieces))
}

/// The pairs of a form body after decoding.
pub(crate) fn form(plan: &Plan) -> Vec<(String, String)> {
    let body = body(plan).unwrap_or_default();
    form_urlencoded::parse(body.as_bytes()).into_owned().collect()
}

/// Arguments with one text.
pub(crate) fn x(value: impl Into<Value>) -> Value {
    json!({"x": value.into()})
}
