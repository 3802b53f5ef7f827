//! A connector as the text of a connector.json: two blanks a level, fields in the order of the
//! documentation, a newline at the end. Reading it back gives the same connector.

use serde_json::{Map, Value, json};

use crate::model::{
    Body, Capability, Case, Connector, Each, FormKind, Http, Name, Pair, Parameter, Pick, Request, Template, Transport, Tree,
};

/// The text of a connector.json.
pub fn write(connector: &Connector) -> String {
    let mut text = serde_json::to_string_pretty(&top(connector)).expect("a JSON value has a text");
    text.push('\n');
    text
}

/// An object that leaves out what is empty.
#[derive(Default)]
struct Object(Map<String, Value>);

impl Object {
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn with_some(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn with_full(self, name: &str, value: Value) -> Self {
        let empty = match &value {
            Value::Null => true,
            Value::Bool(on) => !on,
            Value::String(text) => text.is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::Number(_) => false,
        };
        if empty { self } else { self.with(name, value) }
    }

    fn value(self) -> Value {
        Value::Object(self.0)
    }
}

fn top(connector: &Connector) -> Value {
    let head = Object::default()
        .with("name", connector.name.as_str())
        .with_full("description", connector.description.as_str().into())
        .with_some("source", connector.source.as_deref())
        .with_full("imported", connector.imported.into());
    let reached = match &connector.transport {
        Transport::Http(http) => head.with_full("env", names(&connector.keys)).with("http", self::http(http)),
        Transport::Program { command, args } => head
            .with("command", command.as_str())
            .with_full("args", args.iter().map(String::as_str).collect())
            .with_full("env", names(&connector.keys)),
        Transport::Remote { url, headers } => head
            .with("url", url.text())
            .with_full("headers", names(headers))
            .with_full("env", names(&connector.keys)),
    };
    reached
        .with("capabilities", connector.capabilities.iter().map(capability).collect::<Value>())
        .with_full("contract", connector.cases.iter().map(case).collect())
        .value()
}

fn names(names: &[Name]) -> Value {
    names.iter().map(|name| name.text.as_str()).collect()
}

fn http(http: &Http) -> Value {
    Object::default()
        .with("base", http.base.text())
        .with_full("headers", pairs(&http.headers))
        .with_full("query", parameters(&http.query))
        .value()
}

fn pairs(pairs: &[Pair]) -> Value {
    let pair = |pair: &Pair| (pair.name.clone(), pair.value.to_string().into());
    Value::Object(pairs.iter().map(pair).collect())
}

fn parameters(parameters: &[Parameter]) -> Value {
    let parameter = |parameter: &Parameter| (parameter.name.clone(), each(&parameter.value));
    Value::Object(parameters.iter().map(parameter).collect())
}

fn each(each: &Each) -> Value {
    match each {
        Each::One(template) => template.to_string().into(),
        Each::Every(templates) => templates.iter().map(Template::to_string).collect(),
        Each::Styled(template, style) => json!({"value": template.to_string(), "style": style.word()}),
    }
}

fn capability(capability: &Capability) -> Value {
    let reviewed = capability.reviewed.as_ref();
    Object::default()
        .with("name", capability.name.as_str())
        .with_some("tool", capability.tool.as_deref())
        .with_some("reviewed", reviewed.map(|reviewed| reviewed.marks.as_str()))
        .with("risk", capability.risk.word())
        .with("signature", capability.signature.as_str())
        .with("returns", capability.returns.as_str())
        .with_some("schema", capability.schema.clone())
        .with_some("request", capability.request.as_ref().map(request))
        .with_some("result", capability.pick.as_ref().map(pick))
        .with_full("as_reviewed", reviewed.map(|reviewed| reviewed.parts.clone()).into())
        .value()
}

fn request(request: &Request) -> Value {
    let (body, form) = match &request.body {
        None => (None, Value::Null),
        Some(Body::Json { tree, .. }) => (Some(tree.to_value()), Value::Null),
        Some(Body::Form { kind, fields, .. }) => (Some(Tree::Map(fields.clone()).to_value()), form(*kind)),
    };
    Object::default()
        .with("method", request.method.word())
        .with("path", request.path.to_string())
        .with_full("query", parameters(&request.query))
        .with_full("headers", pairs(&request.headers))
        .with_some("body", body)
        .with_full("form", form)
        .with_full("safe", request.safe.into())
        .value()
}

fn form(kind: FormKind) -> Value {
    match kind {
        FormKind::UrlEncoded => true.into(),
        FormKind::Multipart => "multipart".into(),
    }
}

fn pick(pick: &Pick) -> Value {
    let fields = pick.fields.iter().map(|field| (field.name.clone(), field.path.as_str().into()));
    Object::default()
        .with_full("path", pick.path.as_str().into())
        .with_full("fields", Value::Object(fields.collect()))
        .with_some("max", (pick.max > 0).then_some(pick.max))
        .value()
}

fn case(case: &Case) -> Value {
    Object::default()
        .with("capability", case.capability.as_str())
        .with_full("args", Value::Object(case.args.clone()))
        .with_full("keys", names(&case.keys))
        .value()
}
