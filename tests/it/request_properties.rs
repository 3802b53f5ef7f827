//! Whatever an argument holds, the server sees it back unchanged and nothing else changes, or the
//! call is refused before anything is sent.

use becket::exec::{Piece, Plan};
use becket::model::{Each, Style};
use proptest::prelude::*;
use serde_json::json;

use crate::build::{body, call, form, form_body, header, header_of, json_body, one, parameter, path, query, segments, template, with, x};

/// Any text, and often one that means something somewhere.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[./\\\\%2eEfF;?#&=+ {}\\[\\]|,:@é\r\n\t\"']{0,12}",
        Just("{{env.SHELF_TOKEN}}".to_owned()),
        Just("{{ x }}".to_owned()),
    ]
}

fn key_pieces(plan: &Plan) -> usize {
    let headers = plan.headers.iter().flat_map(|header| &header.value);
    let pieces = plan.query.iter().flat_map(|pair| &pair.value).chain(headers);
    let pieces = pieces.chain(plan.body.iter().flat_map(|body| &body.pieces));
    pieces.filter(|piece| matches!(piece, Piece::Key { .. })).count()
}

proptest! {
    #[test]
    fn a_path_argument_fills_its_place(text in texts()) {
        for (template, before, after) in [("/v/{{x}}/n", "", ""), ("/v/a-{{x}}.json/n", "a-", ".json"), ("/v/%2e{{x}}/n", ".", "")] {
            let Ok(plan) = call(&with(|_, request| request.path = path(template)), x(text.clone())) else { continue };
            let filled = format!("{before}{text}{after}");
            prop_assert_eq!(segments(&plan), ["api", "v", filled.as_str(), "n"]);
            prop_assert_eq!(plan.path.matches('/').count(), 4);
            prop_assert!(!matches!(filled.as_str(), "" | "." | ".."));
            prop_assert!(plan.path.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#\\".contains(&byte)));
            prop_assert!(plan.query.is_empty());
        }
    }

    #[test]
    fn a_query_argument_is_one_value(text in texts()) {
        let connector = with(|_, request| {
            request.query = vec![one("a", "1"), one("q", "{{x}}"), one("t", "<{{x}}>"), one("z", "2")];
        });
        let plan = call(&connector, x(text.clone())).unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut expected = vec![pair("a", "1"), pair("q", &text), pair("t", &format!("<{text}>")), pair("z", "2")];
        expected.retain(|(_, value)| !value.is_empty());
        prop_assert_eq!(query(&plan), expected);
        prop_assert_eq!(key_pieces(&plan), 1);
    }

    #[test]
    fn listed_arguments_are_their_items(items in prop::collection::vec(texts(), 0..4)) {
        let sent = |value: Each| {
            let connector = with(|_, request| request.query = vec![parameter("q", value)]);
            call(&connector, json!({"x": items})).map(|plan| (query(&plan), plan))
        };
        let (pairs, _) = sent(Each::Every(vec![template("{{x}}")])).unwrap();
        let values: Vec<_> = pairs.into_iter().map(|(name, value)| { assert_eq!(name, "q"); value }).collect();
        prop_assert_eq!(values, items.iter().filter(|item| !item.is_empty()).cloned().collect::<Vec<_>>());
        for (style, delimiter) in [(Style::Comma, ','), (Style::Pipe, '|')] {
            let (pairs, plan) = sent(Each::Styled(template("{{x}}"), style)).unwrap();
            prop_assert!(pairs.len() <= 1);
            let Some(pair) = plan.query.first() else { continue };
            let raw = crate::build::text(&pair.value);
            prop_assert_eq!(raw.split(delimiter).count(), items.len());
        }
        if let Ok((pairs, _)) = sent(Each::Styled(template("{{x}}"), Style::Space)) {
            prop_assert_eq!(pairs.first().map_or(0, |(_, value)| value.split(' ').count()), if pairs.is_empty() { 0 } else { items.len() });
        }
    }

    #[test]
    fn an_object_in_brackets_stays_in_its_parameter(field in texts(), value in texts()) {
        let connector = with(|_, request| request.query = vec![parameter("f", Each::Styled(template("{{x}}"), Style::DeepObject)), one("z", "1")]);
        let args = json!({"x": {field.clone(): {"in": value.clone()}}});
        if let Ok(plan) = call(&connector, args) {
            let mut expected = vec![(format!("f[{field}][in]"), value.clone()), ("z".to_owned(), "1".to_owned())];
            expected.retain(|(_, value)| !value.is_empty());
            prop_assert_eq!(query(&plan), expected);
        }
    }

    #[test]
    fn a_header_argument_is_one_header(text in texts()) {
        let connector = with(|_, request| request.headers = vec![header("X-Who", "{{x}}")]);
        if let Ok(plan) = call(&connector, x(text.clone())) {
            // Blanks around it are no part of a header's value.
            let text = text.trim_matches([' ', '\t']);
            prop_assert_eq!(header_of(&plan, "X-Who").unwrap_or_default(), text);
            prop_assert_eq!(plan.headers.len(), if text.is_empty() { 3 } else { 4 });
            prop_assert_eq!(key_pieces(&plan), 1);
        }
    }

    #[test]
    fn a_body_argument_is_one_value(text in texts(), key in texts()) {
        let template = json!({"a": "{{x}}", "b": ["<{{x}}>"], "c": 1});
        let plan = call(&with(|_, request| request.body = json_body(&template)), x(text.clone())).unwrap();
        let read: serde_json::Value = serde_json::from_str(&body(&plan).unwrap()).unwrap();
        prop_assert_eq!(read, json!({"a": text.clone(), "b": [format!("<{text}>")], "c": 1}));
        prop_assert_eq!(key_pieces(&plan), 1);

        let plan = call(&with(|_, request| request.body = form_body(&template)), x(text.clone())).unwrap();
        let list = json!([format!("<{text}>")]).to_string();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        prop_assert_eq!(form(&plan), [pair("a", &text), pair("b", &list), pair("c", "1")]);

        let nested = json!({"x": {key.clone(): text.clone()}});
        let plan = call(&with(|_, request| request.body = json_body(&json!("{{x}}"))), nested).unwrap();
        let read: serde_json::Value = serde_json::from_str(&body(&plan).unwrap()).unwrap();
        prop_assert_eq!(read, json!({key: text}));
    }
}
