//! What programs read fits what is published: JSON and SARIF by JSON Schema, JUnit by the part of
//! XML Schema that its file uses.

use std::collections::BTreeMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Value, json};

use super::*;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

/// Everything that a report can hold, and nothing at all.
fn samples() -> Vec<Vec<FileReport>> {
    let related = Finding::new(&SURPRISE, Span::new(0, 3), "\u{1b}[0m <&>]]> \"'").related(Span::new(1, 1), "\u{0}here");
    let odd = FileReport::new(Source::new("./a b/<ü>.json", "[\"\u{1}\"]"), vec![related]);
    let mut everything = pack();
    everything.extend([petstore(), contract(), stopped(), many(2_000), odd]);
    vec![everything, vec![], vec![FileReport::new(Source::new("x", ""), vec![])]]
}

fn assert_fits(schema: &str, format: Format) {
    for reports in samples() {
        assert_value(schema, &serde_json::from_str(&plain(format, &reports)).expect("JSON"));
    }
}

/// A value fits the schema in a file of the project.
pub(crate) fn assert_value(schema: &str, value: &Value) {
    let mut schema: Value = serde_json::from_str(&read(schema)).expect("a schema");
    drop_broken_patterns(&mut schema);
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema that can be used");
    let errors: Vec<_> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

/// SARIF's schema has a pattern for languages, which we do not write, that has a bracket too many.
fn drop_broken_patterns(schema: &mut Value) {
    for owner in ["run", "toolComponent"] {
        if let Some(language) = schema.pointer_mut(&format!("/definitions/{owner}/properties/language")) {
            language.as_object_mut().expect("a schema").remove("pattern");
        }
    }
}

#[test]
fn json_fits_its_schema() {
    assert_fits("docs/schemas/check-report.schema.json", Format::Json);
}

#[test]
fn sarif_fits_its_schema() {
    assert_fits("tests/schemas/sarif-2.1.0.json", Format::Sarif);
}

#[test]
fn the_schema_of_json_is_strict() {
    let schema: Value = serde_json::from_str(&read("docs/schemas/check-report.schema.json")).expect("a schema");
    jsonschema::meta::validate(&schema).expect("a right schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let good: Value = serde_json::from_str(&plain(Format::Json, &[petstore()])).expect("JSON");
    assert!(validator.is_valid(&good));
    for (pointer, value) in [
        ("/version", json!(2)),
        ("/files/0/findings/0/level", json!("fatal")),
        ("/files/0/findings/0/range/start", json!({"line": 0, "column": 1, "offset": 0})),
        ("/files/0/findings/0/related", json!([{"message": "x", "range": null}])),
        ("/summary", json!({"errors": 1, "extra": 1})),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect(pointer) = value;
        assert!(!validator.is_valid(&bad), "{pointer}");
    }
}

/// An element of an XML text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Element>,
    text: bool,
}

/// The root of a text; panics unless it is well-formed.
fn xml(text: &str) -> Element {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(start) => open.push(element(&start)),
            Event::Empty(start) => open.last_mut().expect("the root").children.push(element(&start)),
            Event::End(_) => {
                let closed = open.pop().expect("an open element");
                open.last_mut().expect("the root").children.push(closed);
            }
            Event::Text(text) => open.last_mut().expect("the root").text |= !text.trim_ascii().is_empty(),
            Event::CData(_) | Event::GeneralRef(_) => open.last_mut().expect("the root").text = true,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "an element that is not closed");
    open.remove(0).children.pop().expect("a root")
}

fn element(start: &BytesStart<'_>) -> Element {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.expect("a right attribute");
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let value = String::from_utf8_lossy(&attribute.value).into_owned();
        (key, value)
    });
    Element {
        name: String::from_utf8_lossy(start.name().as_ref()).into_owned(),
        attributes: attributes.collect(),
        ..Element::default()
    }
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    fn below<'e>(&'e self, name: &str, found: &mut Vec<&'e Element>) {
        for child in &self.children {
            if child.name == name {
                found.push(child);
            } else {
                child.below(name, found);
            }
        }
    }
}

/// The part of XML Schema that `junit-10.xsd` uses: which children, attributes and text an element
/// may have, and the pattern of a named type. Order and number are free there, but in one type
/// that we do not write.
struct Xsd {
    root: Element,
}

impl Xsd {
    fn named(&self, kind: &str, name: &str) -> Option<&Element> {
        self.root
            .children
            .iter()
            .find(|child| child.name == kind && child.get("name") == Some(name))
    }

    fn check(&self, element: &Element, faults: &mut Vec<String>) {
        let Some(declared) = self.named("xs:element", &element.name) else {
            faults.push(format!("no element {}", element.name));
            return;
        };
        let mut fault = |what: String| faults.push(format!("{}: {what}", element.name));
        let (mut types, mut attributes, mut children) = (vec![], vec![], vec![]);
        declared.below("xs:complexType", &mut types);
        declared.below("xs:attribute", &mut attributes);
        declared.below("xs:element", &mut children);
        let mixed = types.first().is_none_or(|complex| complex.get("mixed") == Some("true"));
        if element.text && !mixed {
            fault("text".into());
        }
        for attribute in &attributes {
            let name = attribute.get("name").expect("a name");
            if attribute.get("use") == Some("required") && element.get(name).is_none() {
                fault(format!("no {name}"));
            }
        }
        for (name, value) in &element.attributes {
            match attributes.iter().find(|attribute| attribute.get("name") == Some(name)) {
                Some(attribute) if self.matches(attribute.get("type"), value) => {}
                Some(_) => fault(format!("{name} is {value}")),
                None => fault(format!("an attribute {name}")),
            }
        }
        for child in &element.children {
            if !children.iter().any(|known| known.get("ref") == Some(&child.name)) {
                fault(format!("a child {}", child.name));
            }
        }
        element.children.iter().for_each(|child| self.check(child, faults));
    }

    fn matches(&self, kind: Option<&str>, value: &str) -> bool {
        let Some(kind) = kind.and_then(|kind| self.named("xs:simpleType", kind)) else {
            return true;
        };
        let mut patterns = vec![];
        kind.below("xs:pattern", &mut patterns);
        patterns.iter().all(|pattern| {
            let schema = json!({"pattern": format!("^(?:{})$", pattern.get("value").expect("a pattern"))});
            jsonschema::is_valid(&schema, &json!(value))
        })
    }
}

fn xsd() -> Xsd {
    Xsd {
        root: xml(&read("tests/schemas/junit-10.xsd")),
    }
}

/// A text fits the published schema of JUnit.
pub(crate) fn assert_junit(text: &str) {
    let mut faults = Vec::new();
    xsd().check(&xml(text), &mut faults);
    assert!(faults.is_empty(), "{faults:#?}\n{text}");
}

#[test]
fn junit_fits_its_schema() {
    for reports in samples() {
        assert_junit(&plain(Format::Junit, &reports));
    }
    let mut faults = Vec::new();
    let bad = "<testsuites skipped='0'>x<testsuite name='a' tests='1' failures='0' errors='0' time='soon'><case/></testsuite></testsuites>";
    xsd().check(&xml(bad), &mut faults);
    let expected = [
        "testsuites: text",
        "testsuites: an attribute skipped",
        "testsuite: time is soon",
        "testsuite: a child case",
        "no element case",
    ];
    assert_eq!(faults, expected);
}
