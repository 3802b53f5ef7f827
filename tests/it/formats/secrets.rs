//! A key that was typed into a file is in no report, in no form.

use super::*;

const SOURCE: &str =
    "{\n  \"http\": {\"headers\": {\"X-Key\": \"sk_live_CANARY\\u0041é1\"}},\n  \"other\": \"sk_live_CANARY\\u0041é1\"\n}\n";

fn reports() -> Vec<FileReport> {
    let key = at(SOURCE, "sk_live_CANARY\\u0041é1");
    let whole = at(SOURCE, "\"sk_live_CANARY\\u0041é1\"");
    let start = SOURCE.rfind("sk_live").expect("there");
    let again = Span::new(start, start + 23);
    let plain = "sk_live_CANARYAé1";
    let literal = Finding::new(&KEY_IN_PATH, whole, format!("a key is written as `{plain}`"))
        .label(format!("it is {plain}"))
        .related(again, "`sk_live_CANARY\\u0041é1` again")
        .help(format!("revoke {plain}"))
        .fix(
            "move it",
            vec![Edit {
                span: key,
                text: plain.into(),
            }],
        )
        .hide(key)
        .hide(again);
    let neighbour = Finding::new(&SURPRISE, at(SOURCE, "\"other\""), "unknown field `other`");
    let whole_map = Finding::new(&SURPRISE, at(SOURCE, "{\"X-Key\": \"sk_live_CANARY\\u0041é1\"}"), "headers");
    let case = CaseRun {
        capability: "x.y".into(),
        args: format!("{{\"key\":\"{plain}\"}}"),
        outcome: Outcome::Failed(vec![Finding::new(&FAILED, whole, format!("refused {plain}"))]),
        milliseconds: 1,
        bytes: 0,
    };
    let report = FileReport::new(Source::new("x/connector.json", SOURCE), vec![literal, neighbour, whole_map]);
    vec![report.cases(vec![case])]
}

#[test]
fn hidden_text_is_in_no_format() {
    for format in Format::ALL {
        for unicode in [true, false] {
            for width in [40, 60, Look::PAGE] {
                let text = write(
                    format,
                    &reports(),
                    &Look {
                        unicode,
                        width,
                        ..Look::PLAIN
                    },
                );
                for trace in ["CANARY", "sk_live", "u0041", "Aé1"] {
                    assert!(!text.contains(trace), "{format}: {trace} in {text}");
                }
            }
        }
    }
}

#[test]
fn a_mask_is_as_wide_as_what_it_hides() {
    let text = human(&reports(), Look::PLAIN);
    let expected = r#"  × P302: a key is written as `***`
   ╭─[x/connector.json:2:33]
 1 │ {
 2 │   "http": {"headers": {"X-Key": "••••••••••••••••••••••"}},
   ·                                 ────────────┬───────────
   ·                                             ╰── it is ***
 3 │   "other": "••••••••••••••••••••••"
   ·             ───────────┬──────────
   ·                        ╰── `***` again
 4 │ }
   ╰────
  help: revoke ***
"#;
    assert!(text.contains(expected), "{text}");
    let sarif = plain(Format::Sarif, &reports());
    assert!(sarif.contains(r#""text": "\"**********************\"""#), "{sarif}");
    assert!(!sarif.contains("fixes"), "{sarif}");
}
