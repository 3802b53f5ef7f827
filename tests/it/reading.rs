//! Properties of the readers: JSON is what serde_json says it is, and nothing makes them panic.

use becket::source::{Doc, Limits, Source, View, parse, parse_json, parse_yaml};
use proptest::prelude::*;
use serde_json::Value;

fn json(text: &str) -> Result<Doc, String> {
    parse_json(Source::new("x", text), Limits::MANIFEST).map_err(|error| {
        assert!(text.get(error.span.range()).is_some(), "{error:?} is not in {text:?}");
        error.message
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[ -~\n\t\"\\\\é😀]{0,40}"];
    json_of(text.boxed())
}

fn json_of(text: BoxedStrategy<String>) -> impl Strategy<Value = Value> {
    let key = prop_oneof!["[a-z]{0,3}", "a common beginning [a-z]{0,3} and end", text.clone()].boxed();
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?".prop_map(|digits| serde_json::from_str(&digits).unwrap()),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 12, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..40)
                .prop_map(|fields| fields.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// Characters that JSON and YAML give a meaning, so that random texts get somewhere.
const SIGNS: &str = "[\\[\\]{}\",:\\\\0-9eE.+-truefalsn \n\r\t'#&*!|>%@`~<?é\u{0}\u{85}\u{feff}\u{2028}-]{0,60}";

fn pointers_lead_back(view: View<'_>) {
    assert_eq!(view.doc().at(&view.pointer()).map(View::id), Some(view.id()));
    view.items().for_each(pointers_lead_back);
    view.fields().for_each(|field| pointers_lead_back(field.value));
}

proptest! {
    #[test]
    fn written_json_comes_back(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let doc = json(&text).unwrap();
        prop_assert_eq!(doc.root().value(), serde_json::from_str::<Value>(&text).unwrap());
        prop_assert!(doc.duplicates().is_empty());
        pointers_lead_back(doc.root());
    }

    /// YAML reads JSON too, but for characters that no YAML text may hold and long keys.
    #[test]
    fn written_json_is_yaml(value in json_of("[ -~à-ÿ\n\t\"\\\\😀]{0,40}".boxed())) {
        let text = serde_json::to_string(&value).unwrap();
        let doc = parse_yaml(Source::new("x", text.as_str()), Limits::MANIFEST).unwrap();
        prop_assert_eq!(doc.root().value(), serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn changed_json_is_refused_when_serde_json_refuses_it(value in any_json(), at in any::<prop::sample::Index>(), change in SIGNS, cut in 0usize..4) {
        let text = serde_json::to_string(&value).unwrap();
        let mut characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        let end = (at + cut).min(characters.len());
        characters.splice(at..end, change.chars().take(3));
        let changed: String = characters.into_iter().collect();
        agree(&changed)?;
    }

    #[test]
    fn texts_of_signs_agree(text in SIGNS) {
        agree(&text)?;
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in prop_oneof![any::<String>(), SIGNS.prop_map(String::from)]) {
        for read in [parse, parse_json, parse_yaml] {
            let source = Source::new("x", text.as_str());
            let kept = source.text().to_owned();
            match read(source, Limits::MANIFEST) {
                Ok(doc) => {
                    doc.root().value();
                    pointers_lead_back(doc.root());
                }
                Err(error) => {
                    let placed = kept.get(error.span.range()).is_some();
                    prop_assert!(placed, "{:?} is not in {:?}", error, kept);
                }
            }
        }
    }

    #[test]
    fn places_agree_with_counting(text in "[a-é\r\n😀]{0,80}", offset in 0u32..300) {
        let source = Source::new("x", text.as_str());
        let mut end = (offset as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let ends = |at: usize, char: char| char == '\n' || (char == '\r' && text.as_bytes().get(at + 1) != Some(&b'\n'));
        let (mut line, mut column) = (1, 1);
        for (at, char) in text[..end].char_indices() {
            column = if ends(at, char) { 1 } else { column + 1 };
            line += usize::from(ends(at, char));
        }
        let found = source.position(offset);
        prop_assert_eq!((found.line, found.column), (line, column));
    }
}

fn agree(text: &str) -> Result<(), TestCaseError> {
    let text = text.trim_start_matches('\u{feff}');
    match (json(text), serde_json::from_str::<Value>(text)) {
        (Ok(doc), Ok(value)) => prop_assert_eq!(doc.root().value(), value),
        (Err(_), Err(_)) => {}
        (ours, theirs) => prop_assert!(false, "{:?}: {:?} against {:?}", text, ours.err(), theirs.err()),
    }
    Ok(())
}
