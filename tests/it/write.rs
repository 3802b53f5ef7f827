//! What is written reads back as the same connector.

use becket::format::connector::{load, lower};
use becket::format::write::write;
use becket::model::{
    ArgPath, Base, Body, Capability, Case, Connector, Each, Expects, FormKind, Http, KeyText, Limits, Method, Name, Pair, Parameter,
    PathTemplate, Pick, PickField, Redirects, Request, Reviewed, Risk, Slot, Span, Style, Template, Transport, Tree,
};
use becket::source::{Source, parse_json};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value};

const AT: Span = Span { start: 0, end: 0 };

fn word() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{0,6}"
}

/// Any text without braces: those begin placeholders.
fn text() -> impl Strategy<Value = String> {
    "[ -z|~é\\n\"\\\\/😀]{0,10}"
}

fn names() -> impl Strategy<Value = Vec<Name>> {
    vec("[A-Z][A-Z0-9_]{0,6}", 0..3).prop_map(|names| names.into_iter().map(|text| Name { text, at: AT }).collect())
}

fn placeholder() -> impl Strategy<Value = Slot> {
    prop_oneof![
        vec(word(), 1..3)
            .prop_map(|steps| Slot::Arg(ArgPath(steps)))
            .prop_filter("a key", |slot| !slot.to_string().starts_with("{{env.")),
        "[A-Z][A-Z0-9_]{0,6}".prop_map(Slot::Key),
    ]
}

/// Slots without two literals side by side and without an empty one.
fn slots(literal: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = Vec<Slot>> {
    (literal, vec((placeholder(), "[a-z.-]{0,3}"), 0..3)).prop_map(|(first, rest)| {
        let rest = rest.into_iter().flat_map(|(slot, literal)| [slot, Slot::Literal(literal)]);
        let slots = std::iter::once(Slot::Literal(first)).chain(rest);
        slots.filter(|slot| *slot != Slot::Literal(String::new())).collect()
    })
}

fn template() -> impl Strategy<Value = Template> {
    slots(text()).prop_map(|slots| Template { slots, at: AT })
}

fn path() -> impl Strategy<Value = PathTemplate> {
    vec(slots("[a-z .~%-]{0,5}"), 1..4).prop_map(|segments| PathTemplate { segments, at: AT })
}

fn scalar() -> impl Strategy<Value = Value> {
    let numbers = ["0", "-1", "1.10", "123456789012345678901234567890", "1e400"].map(|text| serde_json::from_str::<Value>(text).unwrap());
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        proptest::sample::select(numbers.to_vec()),
        text().prop_map(Value::from),
    ]
}

fn json() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![vec(inner.clone(), 0..3).prop_map(Value::from), object(inner).prop_map(Value::from)]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    btree_map(text(), inner, 0..3).prop_map(|fields| fields.into_iter().collect())
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        scalar().prop_map(Tree::Literal),
        vec(word(), 1..3)
            .prop_filter("a key", |steps| steps[0] != "env")
            .prop_map(|steps| Tree::Arg {
                path: ArgPath(steps),
                at: AT
            }),
        "[A-Z][A-Z0-9_]{0,6}".prop_map(|name| {
            let slots = vec![Slot::Literal("id ".into()), Slot::Key(name)];
            Tree::Text(Template { slots, at: AT })
        }),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Tree::List),
            btree_map(text(), inner, 0..3).prop_map(|fields| Tree::Map(fields.into_iter().collect())),
        ]
    })
}

fn body() -> impl Strategy<Value = Option<Body>> {
    prop_oneof![
        Just(None),
        tree()
            .prop_filter("no body", |tree| *tree != Tree::Literal(Value::Null))
            .prop_map(|tree| Some(Body::Json { tree, at: AT })),
        (
            proptest::sample::select(vec![FormKind::UrlEncoded, FormKind::Multipart]),
            btree_map(text(), tree(), 0..3)
        )
            .prop_map(|(kind, fields)| Some(Body::Form {
                kind,
                fields: fields.into_iter().collect(),
                at: AT
            })),
    ]
}

fn each() -> impl Strategy<Value = Each> {
    prop_oneof![
        template().prop_map(Each::One),
        vec(template(), 0..3).prop_map(Each::Every),
        (template(), proptest::sample::select(Style::ALL.to_vec())).prop_map(|(template, style)| Each::Styled(template, style)),
    ]
}

fn parameters() -> impl Strategy<Value = Vec<Parameter>> {
    btree_map(text(), each(), 0..3).prop_map(|entries| entries.into_iter().map(|(name, value)| Parameter { name, value, at: AT }).collect())
}

fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    btree_map("[A-Z][a-z-]{0,6}", template(), 0..3).prop_map(|entries| {
        entries
            .into_iter()
            .map(|(name, value)| Pair {
                name,
                value,
                keys: KeyText::AsIs,
                at: AT,
            })
            .collect()
    })
}

fn request() -> impl Strategy<Value = Request> {
    let method = proptest::sample::select(Method::ALL.to_vec());
    (method, path(), parameters(), pairs(), body(), any::<bool>()).prop_map(|(method, path, query, headers, body, safe)| Request {
        method,
        path,
        query,
        headers,
        body,
        safe,
        at: AT,
    })
}

fn pick() -> impl Strategy<Value = Pick> {
    (text(), btree_map(text(), text(), 0..3), 0..9_usize).prop_map(|(path, fields, max)| Pick {
        path,
        path_at: None,
        fields: fields.into_iter().map(|(name, path)| PickField { name, path, at: AT }).collect(),
        max,
        expects: Expects::Anything,
    })
}

fn capability() -> impl Strategy<Value = Capability> {
    let texts = (text(), proptest::option::of(text()), text(), text());
    let schema = proptest::option::of(object(json()).prop_map(Value::from));
    let reviewed = (text(), object(json())).prop_map(|(marks, parts)| Reviewed { marks, parts });
    let reviewed = proptest::option::of(reviewed);
    let risk = proptest::sample::select(Risk::ALL.to_vec());
    (texts, risk, schema, reviewed, request(), proptest::option::of(pick())).prop_map(
        |((name, tool, signature, returns), risk, schema, reviewed, request, pick)| Capability {
            name,
            tool,
            reviewed,
            risk,
            signature,
            returns,
            schema,
            defaults: serde_json::Map::new(),
            schema_at: None,
            request: Some(request),
            pick,
            at: AT,
        },
    )
}

fn case() -> impl Strategy<Value = Case> {
    (text(), object(json()), names()).prop_map(|(capability, args, keys)| Case {
        capability,
        args,
        keys,
        at: AT,
    })
}

fn base() -> impl Strategy<Value = Base> {
    "https://[a-z]{1,5}\\.example(:8443)?(/[a-z0-9%é -]{1,4}){0,2}(\\?[a-z=&]{1,5})?"
        .prop_filter_map("refused", |text| Base::parse(&text, AT).ok().map(|(base, _)| base))
}

fn transport() -> impl Strategy<Value = Transport> {
    prop_oneof![
        (base(), pairs(), parameters()).prop_map(|(base, headers, query)| Transport::Http(Http {
            base,
            headers,
            query,
            limits: Limits::CONNECTOR,
            redirects: Redirects::SameOrigin,
            per_minute: None,
        })),
        (text(), vec(text(), 0..3)).prop_map(|(command, args)| Transport::Program { command, args }),
        (base(), names()).prop_map(|(url, headers)| Transport::Remote { url, headers }),
    ]
}

fn connector() -> impl Strategy<Value = Connector> {
    let texts = (text(), text(), proptest::option::of(text()), any::<bool>());
    (texts, transport(), names(), vec(capability(), 0..3), vec(case(), 0..3)).prop_map(
        |((name, description, source, imported), transport, keys, capabilities, cases)| Connector {
            name,
            description,
            source,
            imported,
            transport,
            keys,
            capabilities,
            cases,
        },
    )
}

/// The connector as text without its places. No generated text has a brace in it.
fn without_places(connector: &Connector) -> String {
    let text = format!("{connector:?}").replace("_at: None", "_at");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap().to_owned();
    let rest = parts.map(|part| part.split_once('}').unwrap().1);
    rest.fold(first, |text, part| text + part).replace("_at: Some()", "_at")
}

proptest! {
    #[test]
    fn what_is_written_reads_back(connector in connector()) {
        let text = write(&connector);
        let doc = parse_json(Source::new("connector.json", text.clone()), becket::source::Limits::MANIFEST).unwrap();
        let loaded = load(&doc);
        prop_assert_eq!(&loaded.findings, &[]);
        let back = lower(&loaded.document).expect("nothing was wrong");
        prop_assert_eq!(without_places(&back), without_places(&connector));
        prop_assert_eq!(write(&back), text);
    }
}

#[test]
fn the_written_form_is_that_of_the_documentation() {
    let text = include_str!("../fixtures/written/connector.json");
    let checked = becket::rules::read(Source::new("connector.json", text));
    assert_eq!(checked.findings, []);
    assert_eq!(write(&checked.connector.unwrap()), text);
}
