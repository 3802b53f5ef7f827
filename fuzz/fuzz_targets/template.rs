//! Any text is a template or a fault at a place in it; what was parsed prints as it was written,
//! and a path made of any template and any argument keeps its segments.

#![no_main]

use becket::model::{PathTemplate, Slot, Span, Template, TemplateError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let at = Span::new(0, text.len());
    match Template::parse(text, at) {
        Ok(template) => {
            let again = Template::parse(&template.to_string(), at).expect("what is printed parses");
            assert_eq!(again.slots, template.slots);
            let literals: usize = template.slots.iter().map(|slot| if let Slot::Literal(text) = slot { text.len() } else { 0 }).sum();
            assert!(literals <= text.len());
        }
        Err(TemplateError::Unclosed { start }) => assert!(text.get(start..).is_some_and(|rest| rest.starts_with("{{"))),
        Err(TemplateError::NotAName { start, end, text: named }) => assert_eq!(text.get(start..end), Some(named.as_str())),
    }
    let path = format!("/{text}");
    if let Ok(template) = PathTemplate::parse(&path, at) {
        let again = PathTemplate::parse(&template.to_string(), at).expect("what is printed parses");
        assert_eq!(again.segments, template.segments);
        let slashes = template.slots().all(|slot| !matches!(slot, Slot::Literal(text) if text.contains('/')));
        assert!(slashes, "a slash inside a segment");
    }
});
