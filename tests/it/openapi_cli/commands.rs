//! The three commands of the authors' guide, as written there, and what the flags for output do.

use std::process::Command;

use serde_json::{Value, json};

use super::*;

fn pimpo(folder: &Path, words: &[&str]) -> Command {
    let mut command = clean(Command::new(crate::program::path("pimpo")));
    command.current_dir(folder).arg("connector").args(words);
    command
}

#[test]
fn the_three_commands_of_the_guide() {
    let service = shop(nothing);
    let folder = folder(&[]);
    let spec = at(&service, "/api/v3/openapi.yaml");
    let port = service.port();
    let listed = run(&mut pimpo(folder.path(), &["openapi", &spec]));
    let expected = format!(
        "Pet shop — http://127.0.0.1:{port}/api/v3, 5 operations\n  \
         key KEY: header api_key\n  \
         find_pets     GET     /pets             read          Pets by status\n  \
         add_pet       POST    /pets             irreversible  A new pet\n  \
         get_pet       GET     /pets/{{id}}        read          One pet\n  \
         upload_image  POST    /pets/{{id}}/image  (left out: it sends application/octet-stream)\n  \
         head_pets     HEAD    /pets             (left out: it is a HEAD; connectors send GET, POST, PUT, PATCH and DELETE)\n\
         choose with --only op1,op2 (or --only get, --only '*') and give NAME DIR\n"
    );
    assert_eq!((listed.code, listed.out), (0, expected));
    assert_eq!(listed.err, "3 can be imported + 2 left out = 5 operations\n");
    let wrote = run(&mut pimpo(
        folder.path(),
        &["openapi", "--only", "get", &spec, "petstore", "./petstore"],
    ));
    let expected = format!(
        "Pet shop — http://127.0.0.1:{port}/api/v3, 5 operations\n  key KEY: header api_key\n\
         wrote ./petstore/connector.json with 2 capabilities; review each risk, then: pimpo connector check ./petstore\n"
    );
    assert_eq!((wrote.code, wrote.out), (0, expected));
    assert_eq!(
        wrote.err,
        "2 imported + 1 not chosen + 2 left out = 5 operations\n\
         note: dropped-argument: find_pets: `tags` has a form that the released host cannot send; `--target becket` can\n\
         `--report FILE` writes all of it, each with its place\n\
         key to fill: KEY (header api_key), in the environment\n\
         next: KEY=… pimpo connector check ./petstore\n\
         next: KEY=… pimpo connector call ./petstore find_pets status=…\n"
    );
    assert_eq!(entries(folder.path()), ["petstore"]);
    assert_eq!(entries(&folder.path().join("petstore")), ["connector.json"]);
    let checked = run(pimpo(folder.path(), &["check", "./petstore"]).env("KEY", "s3cretvalue"));
    assert_eq!(
        (checked.code, checked.out.as_str()),
        (
            0,
            "petstore: 2 capabilities, 1 contract case\n  \
             petstore.find_pets  read          petstore.find_pets({status})\n  \
             petstore.get_pet    read          petstore.get_pet({id})\n\
             contract ok\n"
        )
    );
    let seen = service.seen();
    let call = seen.last().expect("a call");
    assert_eq!(
        (call.target.as_str(), call.header("api_key")),
        ("/api/v3/pets?status=free", Some("s3cretvalue"))
    );
    let manifest: Value = serde_json::from_str(&read(folder.path(), "petstore/connector.json")).expect("JSON");
    assert_eq!(
        (&manifest["imported"], &manifest["source"], &manifest["env"]),
        (&json!(true), &json!(spec), &json!(["KEY"]))
    );
    // Flags may stand anywhere.
    let again = run(&mut pimpo(
        folder.path(),
        &["openapi", &spec, "petstore", "./petstore", "--only", "get"],
    ));
    assert!(
        again.out.contains("\nkept ./petstore/connector.json with 2 capabilities"),
        "{again:?}"
    );
}

#[test]
fn an_existing_file_that_differs_is_kept_unless_forced() {
    let folder = folder(&[("pets.yaml", PETS)]);
    let base = ["--base", "https://pets.dev"];
    let write = |words: &[&str]| openapi(folder.path(), &[&base[..], words, &["pets.yaml", "pets"]].concat());
    assert_eq!(write(&["--only", "get"]).code, 0);
    let before = read(folder.path(), "pets/connector.json");
    assert_failed(
        &write(&["--only", "get,post"]),
        2,
        "error: pets/connector.json exists and differs\n\nhint: `--diff` shows the difference, `--force` writes over it\n",
    );
    let diff = write(&["--only", "get,post", "--diff"]);
    assert_eq!((diff.code, diff.err.as_str()), (1, ""));
    assert!(
        diff.out.starts_with("--- pets/connector.json\n+++ pets/connector.json\n@@ "),
        "{}",
        diff.out
    );
    assert!(diff.out.contains("\n+      \"name\": \"pets.add_pet\",\n"), "{}", diff.out);
    assert_eq!(read(folder.path(), "pets/connector.json"), before);
    let same = write(&["--only", "get", "--diff"]);
    assert_eq!((same.code, same.out.as_str(), same.err.as_str()), (0, "", ""));
    let both = write(&["--only", "get", "--diff", "--force"]);
    assert_eq!(both.code, 2);
    assert_eq!(write(&["--only", "get,post", "--force"]).code, 0);
    assert!(read(folder.path(), "pets/connector.json").contains("pets.add_pet"));
    assert_eq!(entries(&folder.path().join("pets")), ["connector.json"]);
}

#[test]
fn strict_counts_what_concerns_the_choice() {
    let folder = folder(&[("pets.yaml", PETS)]);
    let strict = |only: &str, target: &str| {
        let words = [
            "--base",
            "https://pets.dev",
            "--strict",
            "--target",
            target,
            "--only",
            only,
            "pets.yaml",
            "pets",
        ];
        openapi(folder.path(), &words)
    };
    let refused = |things: &str| {
        format!("error: {things} left out or lost; nothing was written\n\nhint: `becket openapi … --report FILE` lists them\n")
    };
    // The list that the released host does not send.
    assert_failed(&strict("get", "pimpo"), 1, &refused("1 thing"));
    assert_failed(&strict("tag:pet,post", "pimpo"), 1, &refused("2 things"));
    assert_failed(&strict("*", "becket"), 1, &refused("2 things"));
    assert_eq!(entries(folder.path()), ["pets.yaml"]);
    assert_eq!(strict("getPet", "pimpo").code, 0, "what is lost elsewhere does not count");
    fs::remove_dir_all(folder.path().join("pets")).expect("a folder of this test");
    assert_eq!(strict("add_pet,getPet", "pimpo").code, 0);
    let listed = |words: &[&str]| openapi(folder.path(), &[&["--strict", "pets.yaml"], words].concat()).code;
    assert_eq!((listed(&[]), listed(&["--only", "getPet"]), listed(&["--only", "post"])), (1, 0, 1));
}

#[test]
fn strict_knows_the_keys_of_the_choice() {
    let text = "{openapi: 3.0.3, info: {title: S, version: '1'}, servers: [{url: 'https://s.dev'}], paths: {
        /a: {get: {security: [{plain: []}]}}, /b: {get: {security: [{auth: []}]}}, /c: {get: {security: [{client: []}]}}, /d: {$ref: '#/gone'}},
        components: {securitySchemes: {plain: {type: apiKey, in: header, name: X-A}, auth: {type: apiKey, in: header, name: Authorization}, client: {type: mutualTLS}}}}";
    let folder = folder(&[("s.yaml", text)]);
    let losses = |only: &str| {
        let ended = openapi(folder.path(), &["--strict", "--only", only, "--diff", "s.yaml", "shelf"]);
        ended
            .err
            .split(" left out or lost")
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .to_owned()
    };
    assert_eq!(
        (losses("get_a"), losses("get_b"), losses("get_c")),
        (String::new(), "1 thing".to_owned(), "1 thing".to_owned())
    );
}

#[test]
fn a_report_balances() {
    let folder = folder(&[("pets.yaml", PETS)]);
    let ended = openapi(
        folder.path(),
        &[
            "--base",
            "https://pets.dev",
            "--only",
            "get",
            "--report",
            "report.json",
            "pets.yaml",
            "pets",
        ],
    );
    assert_eq!(ended.code, 0);
    let report: Value = serde_json::from_str(&read(folder.path(), "report.json")).expect("JSON");
    assert_eq!(
        report["counts"],
        json!({"operations": 5, "can_be_imported": 3, "left_out": 2, "imported": 2})
    );
    assert_eq!(report["imported"], json!(["pets.find_pets", "pets.get_pet"]));
    assert_eq!(
        report["left_out"][1],
        json!({"id": "head_pets", "operation_id": null, "method": "HEAD", "path": "/pets", "tags": [], "deprecated": false, "reason": "method",
            "why": "is a HEAD; connectors send GET, POST, PUT, PATCH and DELETE",
            "place": {"pointer": "/paths/~1pets/head", "line": 21, "column": 11}})
    );
    assert_eq!(
        report["notes"],
        json!([{"kind": "dropped-argument", "loss": true, "operation": "find_pets",
            "text": "`tags` has a form that the released host cannot send; `--target becket` can",
            "place": {"pointer": "/paths/~1pets/get/parameters/1", "line": 13, "column": 11}}])
    );
    for name in ["pets.yaml", "pets/connector.json", "./pets.yaml"] {
        let ended = openapi(folder.path(), &["--report", name, "pets.yaml"]);
        let message = format!("error: the report would replace {name}\n\nhint: give `--report` a file of its own\n");
        assert_failed(&ended, 2, &message);
    }
    let ended = openapi(
        folder.path(),
        &[
            "--base",
            "https://pets.dev",
            "--only",
            "get",
            "--report",
            "none/r.json",
            "pets.yaml",
            "more",
        ],
    );
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.err.starts_with("error: cannot write none/r.json\n"), "{ended:?}");
    assert_eq!(entries(folder.path()), ["pets", "pets.yaml", "report.json"]);
}

#[test]
fn failures_are_json_on_request() {
    let folder = folder(&[
        ("pets.yaml", PETS),
        ("none.json", r#"{"openapi": "3.1.0", "webhooks": {"a": {"post": {}}}}"#),
    ]);
    for (words, code, error) in [
        (&["pets.yaml", "pets", "--only", "get"][..], 2, "bad_choice"),
        (&["pets.yaml", "Pets", "--only", "get"], 2, "bad_choice"),
        (&["none.json"], 1, "nothing_to_import"),
        (&["gone.yaml"], 2, "unreadable"),
        (&["pets.yaml", "pets"], 2, "nothing_chosen"),
    ] {
        let ended = openapi(folder.path(), &[words, &["--json"]].concat());
        let failure: Value = serde_json::from_str(&ended.err).unwrap_or_else(|error| panic!("{error}: {ended:?}"));
        assert_eq!(
            (ended.code, failure["error"]["code"].as_str()),
            (code, Some(error)),
            "{words:?}: {failure}"
        );
    }
}
