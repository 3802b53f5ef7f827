//! How much is done for hostile and for large schemas, counted and not timed, on a small stack.

use super::*;

const STACK: usize = 512 << 10;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(test);
    thread.expect("a thread").join().expect("the thread ends well");
}

fn body(schemas: &str, root: &str) -> String {
    format!(
        "{{openapi: 3.0.3, info: {{title: S, version: '1'}}, paths: {{/x: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/{root}'}}}}}}}}}}}}}}, components: {{schemas: {{{schemas}}}}}}}"
    )
}

#[test]
fn j16_schemas_that_lead_back_to_themselves_end() {
    for schemas in [
        "A: {allOf: [{$ref: '#/components/schemas/A'}]}",
        "A: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}",
        "A: {$ref: '#/components/schemas/A'}",
        "A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}",
        "A: {allOf: [{$ref: '#/components/schemas/B'}]}, B: {anyOf: [{allOf: [{$ref: '#/components/schemas/A'}]}], properties: {a: {$ref: '#/components/schemas/A'}}}",
        "A: {additionalProperties: {$ref: '#/components/schemas/A'}}",
        "A: {not: {$ref: '#/components/schemas/A'}, items: {$ref: '#/components/schemas/A'}}",
    ] {
        let text = body(schemas, "A");
        on_a_small_stack(move || {
            let made = lowered(&text, &fetched());
            assert_eq!(made.work.expansions, made.work.pairs, "{text}");
            assert!(made.work.largest < 400, "{text}: {}", made.work.largest);
        });
    }
}

#[test]
fn j17_a_wide_schema_of_itself_costs_little() {
    let fields: Vec<String> = (0..60).map(|at| format!("p{at}: {{$ref: '#/components/schemas/N'}}")).collect();
    let text = body(&format!("N: {{type: object, properties: {{{}}}}}", fields.join(", ")), "N");
    on_a_small_stack(move || {
        let made = lowered(&text, &fetched());
        assert!(made.work.expansions <= 500, "{}", made.work.expansions);
        assert!(made.work.largest <= 400, "{}", made.work.largest);
        assert!(
            kinds(&made.notes)
                .iter()
                .any(|kind| matches!(kind, NoteKind::Cut | NoteKind::Cycle))
        );
    });
}

#[test]
fn long_chains_end_on_a_small_stack() {
    let chain: Vec<String> = (0..5000)
        .map(|at| format!("A{at}: {{allOf: [{{$ref: '#/components/schemas/A{}'}}]}}", at + 1))
        .collect();
    let deep: Vec<String> = (0..5000)
        .map(|at| {
            format!(
                "D{at}: {{properties: {{a: {{$ref: '#/components/schemas/D{}'}}, b: {{$ref: '#/components/schemas/D{}'}}}}}}",
                at + 1,
                at + 1
            )
        })
        .collect();
    for (schemas, root) in [(chain, "A0"), (deep, "D0")] {
        let text = body(&schemas.join(", "), root);
        on_a_small_stack(move || {
            let made = lowered(&text, &fetched());
            assert_eq!(made.work.expansions, made.work.pairs);
            assert!(made.work.expansions <= 300, "{}", made.work.expansions);
        });
    }
}

#[test]
fn shared_schemas_are_expanded_once() {
    let uses: Vec<String> = (0..100)
        .map(|at| {
            format!("/p{at}: {{post: {{requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/S'}}}}}}}}}}}}")
        })
        .collect();
    let fields: Vec<String> = (0..20)
        .map(|at| format!("f{at}: {{type: object, properties: {{a: {{type: string}}, b: {{type: integer}}}}}}"))
        .collect();
    let text = format!(
        "{{openapi: 3.1.0, info: {{title: S, version: '1'}}, paths: {{{}}}, components: {{schemas: {{S: {{type: object, properties: {{{}}}}}}}}}}}",
        uses.join(", "),
        fields.join(", ")
    );
    let made = lowered(&text, &fetched());
    assert_eq!(made.connector.capabilities.len(), 100);
    assert_eq!((made.work.expansions, made.work.pairs), (60, 60));
}
