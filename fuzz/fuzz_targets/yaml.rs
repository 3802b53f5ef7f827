//! Any text is a document or a clear error; places are in the text, pointers lead back, the
//! limits hold, and what is JSON has the value that JSON says.

#![no_main]

use becket::source::{Doc, Kind, Limits, Source, View, parse_json, parse_yaml};
use libfuzzer_sys::fuzz_target;

const LIMITS: Limits = Limits {
    bytes: 1 << 20,
    depth: 64,
    nodes: 20_000,
    aliased: 20_000,
};

fuzz_target!(|text: &str| {
    let source = Source::new("input", text);
    let text = source.text().to_owned();
    let doc = match parse_yaml(source, LIMITS) {
        Ok(doc) => doc,
        Err(error) => {
            assert!(text.get(error.span.range()).is_some(), "{error:?}");
            assert!(!error.message.is_empty());
            return;
        }
    };
    assert!(doc.len() <= LIMITS.nodes);
    let mut count = 0;
    walk(doc.root(), 0, &mut count);
    places(&doc);
    if let Ok(json) = parse_json(Source::new("input", text), LIMITS) {
        assert_eq!(doc.root().value(), json.root().value());
    }
});

/// Visits all that a rule would visit, shared values each time.
fn walk(view: View<'_>, depth: usize, count: &mut usize) {
    *count += 1;
    assert!(*count <= LIMITS.nodes + LIMITS.aliased && depth <= LIMITS.depth);
    assert!(view.doc().source().text().get(view.span().range()).is_some(), "{view:?}");
    view.items().for_each(|item| walk(item, depth + 1, count));
    for field in view.fields() {
        assert!(view.doc().source().text().get(field.key_span.range()).is_some());
        walk(field.value, depth + 1, count);
    }
    if let (Kind::Number, Some(digits)) = (view.kind(), view.as_number()) {
        assert!(serde_json::from_str::<serde_json::Number>(digits).is_ok(), "{digits}");
    }
}

fn places(doc: &Doc) {
    let mut view = doc.root();
    while let Some(inner) = view.items().last().or_else(|| view.fields().last().map(|field| field.value)) {
        view = inner;
        assert_eq!(doc.at(&view.pointer()).map(View::id), Some(view.id()));
    }
    for trap in doc.traps() {
        assert_eq!(doc.source().slice(trap.span), trap.text);
    }
    for duplicate in doc.duplicates() {
        assert!(duplicate.first < duplicate.again);
    }
}
