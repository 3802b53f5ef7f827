//! Requests, read back as a server would read them.

use becket::exec::{Mask, Plan, PlanError, curl, dry_run};
use becket::keys::{Keys, Origin, Secret};
use becket::model::{Method, Risk};
use becket::source::Source;
use serde_json::{Value, json};

use super::{figures, load};
use crate::build::{base, body, call, call_with, form, form_body, header, header_of, json_body, one, path, query, segments, target, with};

type Verdict = Result<(), String>;
type Judge = fn(&Value) -> Verdict;

#[test]
fn plan() {
    let Some(vectors) = load("request.json") else { return };
    let classes: [(&str, Judge); 7] = [
        ("path-arg", path_argument),
        ("header-arg", header_argument),
        ("header-secret", header_key),
        ("query", query_parameter),
        ("base-join", joined_base),
        ("json-body", typed_body),
        ("form-body", form_fields),
    ];
    for (class, judge) in classes {
        let mine: Vec<_> = vectors.iter().filter(|vector| vector["what"] == class).collect();
        let failures: Vec<_> = mine
            .iter()
            .filter_map(|vector| judge(vector).err().map(|why| format!("{}: {why}", vector["id"])))
            .collect();
        figures(&format!("request {class}"), mine.len(), &failures);
    }
}

fn holds(right: bool, why: impl FnOnce() -> String) -> Verdict {
    if right { Ok(()) } else { Err(why()) }
}

fn args(vector: &Value) -> Value {
    vector.get("args").cloned().unwrap_or_else(|| json!({}))
}

fn keys(value: &str) -> Keys {
    let mut keys = Keys::default();
    keys.insert("K", Secret::new(value), Origin::Environment);
    keys
}

fn path_argument(vector: &Value) -> Verdict {
    let connector = with(|http, request| {
        http.base = base("https://api.example.com");
        request.path = path(vector["template"].as_str().unwrap());
    });
    let outcome = call(&connector, args(vector));
    let expect = &vector["expect"];
    if let Some(error) = expect["error"].as_str() {
        return refused(&outcome, error, &args(vector));
    }
    let (segments_expected, may_fail) = match expect.get("segments_or_error") {
        Some(segments) => (segments, true),
        None => (&expect["segments"], false),
    };
    match outcome {
        Ok(plan) => same_segments(&segments(&plan), segments_expected),
        Err(error) => holds(may_fail, || error.to_string()),
    }
}

fn refused(outcome: &Result<Plan, PlanError>, error: &str, args: &Value) -> Verdict {
    let message = match outcome {
        Ok(plan) => return Err(format!("planned {}", plan.path)),
        Err(error) => error.to_string(),
    };
    let named = args.as_object().unwrap().keys().any(|name| message.contains(&format!("`{name}`")));
    let right = message.contains(error) || (error == "argument" && (named || message.starts_with("missing ")));
    holds(right, || message)
}

fn same_segments(seen: &[String], expected: &Value) -> Verdict {
    let expected = expected.as_array().unwrap();
    let same = |seen: &String, expected: &Value| {
        let text = expected.as_str().unwrap();
        seen == text || text.split('|').any(|text| seen == text)
    };
    let right = seen.len() == expected.len() && seen.iter().zip(expected).all(|(seen, expected)| same(seen, expected));
    holds(right, || format!("{seen:?} and not {expected:?}"))
}

fn header_argument(vector: &Value) -> Verdict {
    let connector = with(|_, request| request.headers = vec![header("X-V", vector["template"].as_str().unwrap())]);
    let expect = vector["expect"]["call"].as_str().unwrap();
    match (call(&connector, args(vector)), expect) {
        (Err(error), "error" | "error-or-utf8") => holds(
            !args(vector)["v"]
                .as_str()
                .is_some_and(|value| error.to_string().contains(value) && !value.is_empty()),
            || "the message has the value".to_owned(),
        ),
        (Ok(plan), "dropped") => holds(header_of(&plan, "X-V").is_none(), || "sent".to_owned()),
        (Ok(plan), "ok" | "error-or-utf8") => {
            let value = header_of(&plan, "X-V");
            holds(value.as_deref() == args(vector)["v"].as_str(), || format!("{value:?}"))
        }
        (outcome, _) => Err(format!("{outcome:?} and not {expect}")),
    }
}

/// The part that a plan has in it: it holds the key's name and never its value. What is sent is
/// judged where keys are read.
fn header_key(vector: &Value) -> Verdict {
    let secret = vector["secret"].as_str().unwrap();
    let connector = with(|http, _| http.headers = vec![header("X-Key", "{{env.K}}")]);
    let keys = keys(secret);
    let plan = call_with(&connector, json!({}), &keys).map_err(|error| error.to_string())?;
    let expected = (!secret.is_empty()).then(|| "<K>".to_owned());
    holds(header_of(&plan, "X-Key") == expected, || format!("{:?}", plan.headers))?;
    shows_no_key(&plan, &keys, secret)
}

fn shows_no_key(plan: &Plan, keys: &Keys, secret: &str) -> Verdict {
    let manifest = Source::new("connector.json", "{}");
    let shown = [
        format!("{plan:?}"),
        dry_run(plan, keys, &manifest, Mask::Dots),
        dry_run(plan, keys, &manifest, Mask::Stars),
        curl(plan),
    ];
    // `K` alone is the key's own name.
    let hidden = secret.trim().len() < 2 || shown.iter().all(|text| !text.contains(secret.trim()));
    holds(hidden, || "the key is shown".to_owned())
}

fn query_parameter(vector: &Value) -> Verdict {
    const SECRET: &str = "CANARY-9f3";
    let connector = with(|_, request| {
        request.path = path(vector["path"].as_str().unwrap());
        let pairs = vector["query"].as_object().unwrap().iter();
        request.query = pairs.map(|(name, value)| one(name, value.as_str().unwrap())).collect();
    });
    let keys = keys(SECRET);
    let wire = vector["expect"]["wire"].as_str().unwrap().split(", ").next().unwrap();
    let plan = match call_with(&connector, args(vector), &keys) {
        Err(error) => return holds(wire.contains("error"), || error.to_string()),
        Ok(plan) => plan,
    };
    shows_no_key(&plan, &keys, SECRET)?;
    let line = target(&plan);
    holds(line.bytes().all(|byte| byte.is_ascii_graphic()), || line.clone())?;
    let seen = query(&plan);
    let options: Vec<_> = wire.split("-or-").collect();
    let right = options.iter().any(|option| as_expected(&seen, option, options[0], &args(vector)));
    holds(right, || format!("{seen:?} and not {wire}"))
}

/// Whether the pairs are what one of a vector's words asks for.
fn as_expected(seen: &[(String, String)], option: &str, first: &str, args: &Value) -> bool {
    match option {
        "absent" => seen.is_empty(),
        "empty" => seen.len() == 1 && seen[0].1.is_empty(),
        // A list or an object is its JSON text, as the released host sends it.
        "documented" => seen.iter().all(|(_, value)| {
            args.as_object()
                .unwrap()
                .values()
                .any(|arg| value.parse::<Value>().is_ok_and(|sent| sent == *arg))
        }),
        "error" => false,
        _ => {
            let exact = args
                .as_object()
                .unwrap()
                .values()
                .next()
                .and_then(Value::as_str)
                .unwrap_or_default();
            let option = match option.contains('=') {
                true => option.to_owned(),
                false => format!("{}={option}", first.split('=').next().unwrap_or_default()),
            };
            let pair = |text: &str| {
                let (name, value) = text.split_once('=').unwrap_or((text, ""));
                let value = match value {
                    "<exact>" => exact.to_owned(),
                    "<secret>" => "<K>".to_owned(),
                    value => value.to_owned(),
                };
                (name.trim_matches('\'').to_owned(), value)
            };
            seen == option.split(',').map(pair).collect::<Vec<_>>()
        }
    }
}

fn joined_base(vector: &Value) -> Verdict {
    let address = vector["base"].as_str().unwrap();
    let wire = vector["expect"]["wire"].as_str().unwrap();
    // The vectors have no path; theirs is `/v1/search` with the base's.
    let rest = if base(address).path.starts_with("/v1") {
        "/search"
    } else {
        "/v1/search"
    };
    let connector = with(|http, request| {
        http.base = base(address);
        request.path = path(rest);
        let pairs = vector["query"].as_object().unwrap().iter();
        request.query = pairs.map(|(name, value)| one(name, value.as_str().unwrap())).collect();
    });
    let line = target(&call(&connector, json!({})).map_err(|error| error.to_string())?);
    let expected = match wire {
        "base path kept as written" | "%2f kept" => format!("/{}/v1/search?y=2", address.rsplit('/').next().unwrap()),
        "escaped once" => "/%C3%A9/v1/search?y=2".to_owned(),
        wire if wire.contains('?') => wire.split(' ').next().unwrap().to_owned(),
        wire if wire.starts_with('/') => format!("{wire}?y=2"),
        wire => format!("/v1/search?{}", wire.split(' ').next().unwrap()),
    };
    holds(line == expected, || format!("{line} and not {expected}"))
}

fn typed_body(vector: &Value) -> Verdict {
    let mut connector = with(|_, request| {
        request.method = Method::Post;
        request.body = json_body(&vector["body"]);
    });
    connector.capabilities[0].risk = Risk::Irreversible;
    let keys = keys("CANARY-9f3");
    let plan = call_with(&connector, args(vector), &keys).map_err(|error| error.to_string())?;
    shows_no_key(&plan, &keys, "CANARY-9f3")?;
    let text = body(&plan);
    let Some(expected) = vector["expect"].get("body") else {
        let wire = vector["expect"]["wire"].as_str().unwrap_or_default();
        return holds(wire.starts_with("no body") == text.is_none(), || format!("{text:?} and not {wire}"));
    };
    let expected = expected.to_string().replace("<secret>", "<K>");
    holds(text.as_deref() == Some(expected.as_str()), || {
        format!("{text:?} and not {expected}")
    })
}

fn form_fields(vector: &Value) -> Verdict {
    let connector = with(|_, request| request.body = form_body(&vector["body"]));
    let plan = call(&connector, args(vector)).map_err(|error| error.to_string())?;
    let text = body(&plan).unwrap_or_default();
    let value = args(vector)["a"].clone();
    let right = match vector["expect"]["wire"].as_str().unwrap() {
        "empty body" => text.is_empty(),
        "decodes to the same" => form(&plan) == [("a".to_owned(), value.as_str().unwrap().to_owned())],
        // A list is its JSON text, as the released host sends it.
        "documented" => form(&plan) == [("a".to_owned(), value.to_string())],
        wire => text == wire,
    };
    holds(right, || text)
}
