//! Our JSON reader and serde_json accept the same texts and read the same values from them.

#![no_main]

use becket::source::{Limits, Source, parse_json};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let source = Source::new("input", text);
    let text = source.text().to_owned();
    let theirs = serde_json::from_str::<Value>(&text);
    match (parse_json(source, Limits::MANIFEST), theirs) {
        (Ok(doc), Ok(value)) => {
            assert_eq!(doc.root().value(), value);
            for duplicate in doc.duplicates() {
                let place = doc.pointer_at(duplicate.again);
                assert!(doc.at(&place).is_some(), "{place}");
            }
        }
        (Err(error), Err(_)) => {
            assert!(text.get(error.span.range()).is_some(), "{error:?}");
            assert!(!error.message.is_empty());
        }
        // Its limit is 127 levels and ours 128.
        (_, Err(error)) if error.to_string().starts_with("recursion limit exceeded") => {}
        (ours, theirs) => panic!("ours: {:?}, theirs: {:?}", ours.err(), theirs.err()),
    }
});
