//! Plans shown to people: `--dry-run` and `--curl`. No key is in either, and no argument of a
//! curl command can run anything.

use becket::exec::{Mask, Plan, curl, dry_run};
use becket::model::{Each, Method, Span, Style};
use becket::source::Source;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::build::{base, call, call_with, form_body, header, json_body, keys, one, parameter, path, template, with, x};

const MANIFEST: &str = "1 base
2 X-Shelf
3 path
4 q
5 key
6 body
";

fn at(line: u8) -> Span {
    let start = MANIFEST.find(char::from(b'0' + line)).unwrap();
    Span::new(start, start + 1)
}

fn everything(args: Value) -> Plan {
    let connector = with(|http, request| {
        http.base = base("https://shelf.example/api");
        http.base.at = at(1);
        http.headers[0].at = at(2);
        request.method = Method::Post;
        request.path = path("/b/{{id}}");
        request.path.at = at(3);
        request.query = vec![one("q", "{{q}}"), one("key", "{{env.SHELF_TOKEN}}")];
        request.query[0].at = at(4);
        request.query[1].at = at(5);
        request.body = json_body(&json!({"t": "{{q}}", "k": "{{env.SHELF_TOKEN}}"}));
        let Some(becket::model::Body::Json { at: place, .. }) = &mut request.body else {
            unreachable!("a JSON body was set")
        };
        *place = at(6);
    });
    call(&connector, args).unwrap()
}

#[test]
fn a_dry_run_shows_each_part_and_its_line() {
    let plan = everything(json!({"id": "a/b", "q": "x y"}));
    let manifest = Source::new("shelf/connector.json", MANIFEST);
    let version = env!("CARGO_PKG_VERSION");
    let shown = dry_run(&plan, &keys("s3"), &manifest, Mask::Dots);
    let expected = format!(
        r#"POST https://shelf.example/api/b/a%2Fb?q=x%20y&key=•••  # connector.json:1, 3
  q=x%20y                                               # connector.json:4
  key=••• (SHELF_TOKEN, from the keyring)               # connector.json:5
Accept: application/json
User-Agent: becket/{version}
Content-Type: application/json
X-Shelf: tok ••• (SHELF_TOKEN, from the keyring)        # connector.json:2

{{"t":"x y","k":"••• (SHELF_TOKEN, from the keyring)"}}   # connector.json:6
"#
    );
    assert_eq!(shown, expected);
    assert!(dry_run(&plan, &keys("s3"), &manifest, Mask::Stars).is_ascii());
}

#[test]
fn a_long_line_has_its_comment_before_it_and_hidden_characters_are_shown() {
    let long = "\u{202e}".to_owned() + &"é".repeat(80);
    let shown = dry_run(
        &everything(json!({"id": 1, "q": long})),
        &keys("s3"),
        &Source::new("c.json", MANIFEST),
        Mask::Dots,
    );
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[0], "# c.json:1, 3");
    assert!(lines[1].starts_with("POST https://shelf.example/api/b/1?q=%E2%80%AE%C3%A9"));
    assert!(shown.contains("\n\n# c.json:6\n{\"t\":\"\\u202eéé"), "{shown}");
    assert!(!shown.contains('\u{202e}'));
}

#[test]
fn curl_has_the_keys_as_variables() {
    let read = with(|http, request| {
        http.base = base("https://shelf.example/api");
        request.query = vec![one("status", "sold")];
    });
    assert_eq!(
        curl(&call(&read, json!({})).unwrap()),
        "curl --compressed -H 'Accept-Encoding: gzip, br' -H 'Accept: application/json' -H 'User-Agent: becket/0.1.0' -H \"X-Shelf: tok $SHELF_TOKEN\" 'https://shelf.example/api/b?status=sold'\n"
    );
    assert_eq!(
        curl(&everything(json!({"id": "it's", "q": "$(id)"}))),
        "# --url-query needs curl 7.87 or later\n\
         # $SHELF_TOKEN goes into JSON text: escape each \" and \\ in it\n\
         curl -X POST --compressed -H 'Accept-Encoding: gzip, br' -H 'Accept: application/json' -H 'User-Agent: becket/0.1.0' -H 'Content-Type: application/json' -H \"X-Shelf: tok $SHELF_TOKEN\" \
         --data-raw '{\"t\":\"$(id)\",\"k\":\"'\"$SHELF_TOKEN\"'\"}' --url-query \"key=$SHELF_TOKEN\" \
         'https://shelf.example/api/b/it%27s?q=%24%28id%29'\n"
    );
    let form = with(|http, request| {
        http.base = base("https://[::1]:9/api");
        http.headers = vec![header("X-Both", "{{env.SHELF_TOKEN}}a-{{x}}")];
        request.method = Method::Post;
        request.body = form_body(&json!({"a b": "{{x}}", "k": "Bearer &{{env.SHELF_TOKEN}}", "z": 1}));
        request.query = vec![parameter("t", Each::Styled(template("{{l}}"), Style::Pipe))];
    });
    let args = json!({"x": "y z", "l": [1, 2]});
    assert_eq!(
        curl(&call(&form, args.clone()).unwrap()),
        "curl -X POST --compressed -H 'Accept-Encoding: gzip, br' -H 'Accept: application/json' -H 'User-Agent: becket/0.1.0' -H 'Content-Type: application/x-www-form-urlencoded' \
         -H \"X-Both: ${SHELF_TOKEN}a-y z\" --data-raw 'a+b=y+z' --data-urlencode 'k=Bearer &'\"$SHELF_TOKEN\" --data-raw 'z=1' \
         --globoff 'https://[::1]:9/api/b?t=1|2'\n"
    );
    let without = call_with(&form, args, &keys("")).unwrap();
    assert!(curl(&without).contains("--data-raw 'a+b=y+z&z=1'"));
}

/// What a shell makes of the command: the words that curl would get.
#[cfg(unix)]
fn words(command: &str) -> Vec<String> {
    let script = format!("curl() {{ printf '%s\\0' \"$@\"; }}\n{command}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .env_clear()
        .env("SHELF_TOKEN", "s3 \"$(x)'`")
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{command}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_shell_runs_nothing_but_curl(text in prop_oneof![any::<String>(), "[$`\"'\\\\!;&|<>(){}*?~# \na-c]{0,16}"]) {
        let connector = with(|_, request| {
            request.method = Method::Post;
            request.query = vec![one("q", "{{x}}-"), one("k", "{{x}}{{env.SHELF_TOKEN}}")];
            request.headers = vec![header("X-Who", "{{x}}{{env.SHELF_TOKEN}}")];
            request.body = json_body(&json!({"t": "{{x}}", "k": "{{x}}{{env.SHELF_TOKEN}}"}));
        });
        let Ok(plan) = call(&connector, x(text.clone())) else { return Ok(()) };
        let words = words(&curl(&plan));
        prop_assert_eq!(words.len(), 20);
        let key = "s3 \"$(x)'`";
        let who = format!("X-Who: {}{key}", text.trim_start_matches([' ', '\t']));
        prop_assert!(words.contains(&who), "{words:?}");
        prop_assert!(words.contains(&format!("k={text}{key}")), "{words:?}");
        let json = Value::from(text.as_str()).to_string();
        let json = &json[1..json.len() - 1];
        prop_assert!(words.contains(&format!("{{\"t\":\"{json}\",\"k\":\"{json}{key}\"}}")), "{words:?}");
    }
}
