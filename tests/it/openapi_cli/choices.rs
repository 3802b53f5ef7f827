//! Wrong words on the command line: each says what is right.

use super::*;

const SHELF: &str = "{openapi: 3.0.3, info: {title: Shelf, version: '1'}, servers: [{url: 'https://{region}.shelf.dev/{stage}', variables: {region: {default: eu}, stage: {default: v1}}}], paths: {/a: {get: {tags: [Books]}, post: {}}}}";

#[test]
fn a_variable_that_no_server_has_is_an_error() {
    let folder = folder(&[("shelf.yaml", SHELF), ("pets.yaml", PETS)]);
    let run = |file: &str, words: &[&str]| openapi(folder.path(), &[words, &[file]].concat());
    for (file, word, hint) in [
        ("shelf.yaml", "reigon=us", "did you mean `region`?"),
        ("shelf.yaml", "colour=us", "the variables are `region`, `stage`"),
        ("pets.yaml", "region=us", "leave out `--server-var`: the servers have no variables"),
    ] {
        let name = word.split('=').next().expect("a name");
        let message = format!("error: no server has a variable `{name}`\n\nhint: {hint}\n");
        assert_failed(&run(file, &["--server-var", word]), 2, &message);
    }
    let ended = run("shelf.yaml", &["--server-var", "region=us"]);
    assert!(
        ended.out.starts_with("Shelf — https://us.shelf.dev/v1, 2 operations\n"),
        "{ended:?}"
    );
    let own = run("pets.yaml", &["--server", "https://{a}.pets.dev", "--server-var", "a=x"]);
    assert!(own.out.starts_with("Pet shop — https://x.pets.dev, "), "{own:?}");
}

#[test]
fn the_address_of_the_service_is_asked_for() {
    let folder = folder(&[("pets.yaml", PETS)]);
    let ended = openapi(folder.path(), &["--only", "get", "pets.yaml", "pets"]);
    assert_failed(
        &ended,
        2,
        "error: the server `/api/v3` is relative, and where the description came from is not known\n\nhint: say where the service is: `--base https://…`\n",
    );
    for base in ["ftp://pets.dev", "pets.dev", "/v1"] {
        let ended = openapi(folder.path(), &["--base", base, "--only", "get", "pets.yaml", "pets"]);
        assert_eq!(ended.code, 2, "{base}: {ended:?}");
        assert!(
            ended
                .err
                .contains("write a whole `https` address, such as `https://api.example.com/v1`"),
            "{base}: {ended:?}"
        );
    }
    assert_eq!(entries(folder.path()), ["pets.yaml"]);
}

#[test]
fn a_report_needs_a_file() {
    let folder = folder(&[("pets.yaml", PETS)]);
    let ended = openapi(folder.path(), &["--report", "-", "pets.yaml"]);
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert!(
        ended
            .err
            .contains("give a file; without NAME, `--json` prints the same to standard output"),
        "{ended:?}"
    );
    assert_eq!(entries(folder.path()), ["pets.yaml"]);
}

#[test]
fn everything_is_one_word() {
    let folder = folder(&[("shelf.yaml", SHELF)]);
    let ended = openapi(folder.path(), &["--only", "*", "shelf.yaml", "shelf"]);
    assert!(
        ended.err.starts_with("2 imported + 0 not chosen + 0 left out = 2 operations\n"),
        "{ended:?}"
    );
    let help = openapi(folder.path(), &["--help"]);
    assert!(help.out.contains("`'*'` for all"), "{help:?}");
}

#[test]
fn nothing_to_import_is_said_as_it_is() {
    let webhooks = "{openapi: 3.1.0, info: {title: Hooks, version: '1'}, servers: [{url: 'https://h.dev'}], webhooks: {a: {post: {}}}}";
    let empty = "{openapi: 3.0.3, info: {title: Hooks, version: '1'}, servers: [{url: 'https://h.dev'}], paths: {}}";
    let files = "{openapi: 3.0.3, info: {title: Files, version: '1'}, servers: [{url: 'https://h.dev'}], paths: {/a: {post: {requestBody: {content: {image/png: {}}}}}}}";
    let folder = folder(&[("webhooks.yaml", webhooks), ("empty.yaml", empty), ("files.yaml", files)]);
    let none = "error: the description has no operations\n\nhint: give a description whose `paths` lists them; webhooks are not imported\n";
    for name in ["webhooks.yaml", "empty.yaml"] {
        let listed = openapi(folder.path(), &[name]);
        assert_eq!((listed.code, listed.out.as_str()), (1, "Hooks — https://h.dev, 0 operations\n"));
        assert!(listed.err.ends_with(none), "{listed:?}");
        assert_failed(&openapi(folder.path(), &["--only", "get", name, "hooks"]), 1, none);
    }
    assert_eq!(openapi(folder.path(), &["files.yaml"]).code, 0);
    assert_failed(
        &openapi(folder.path(), &["--only", "post", "files.yaml", "files"]),
        1,
        "error: none of the operations can be imported\n\nhint: list them, each with its reason, by leaving out NAME and DIR\n",
    );
    assert_failed(
        &openapi(folder.path(), &["--only", "post", "--except", "post", "files.yaml", "files"]),
        1,
        "error: none of the operations can be imported\n\nhint: list them, each with its reason, by leaving out NAME and DIR\n",
    );
}

#[test]
fn wrong_operations_and_names_are_told() {
    let folder = folder(&[("pets.yaml", PETS)]);
    for (words, err) in [
        (
            &["--only", "findPet", "pets.yaml", "pets"][..],
            "no operation `findPet`\n\nhint: did you mean `findPets`?",
        ),
        (
            &["--only", "tag:pets", "pets.yaml", "pets"],
            "no operation `tag:pets`\n\nhint: did you mean `tag:pet`?",
        ),
        (
            &["--only", "uploadImage", "pets.yaml", "pets"],
            "`upload_image` is left out: it sends application/octet-stream\n\nhint: list the operations by leaving out NAME and DIR",
        ),
        (
            &["--only", "get", "pets.yaml", "My-Pets"],
            "a connector name is 2 to 31 lowercase letters and digits, starting with a letter\n\nhint: try `mypets`",
        ),
        (
            &["pets.yaml", "pets"],
            "choose the operations: this is not a terminal\n\nhint: add `--only get` for all reads, `--only '*'` for everything, or `--only` with ids, `tag:NAME` or `path:/x/**`",
        ),
    ] {
        let words = [&["--base", "https://pets.dev"], words].concat();
        assert_failed(&openapi(folder.path(), &words), 2, &format!("error: {err}\n"));
    }
    assert_eq!(entries(folder.path()), ["pets.yaml"]);
}

#[test]
fn more_than_a_hundred_says_how_to_narrow() {
    let paths: Vec<String> = (0..130)
        .map(|at| format!("/{}/p{at}: {{get: {{tags: [T{}]}}}}", if at < 70 { "a" } else { "b" }, at / 65))
        .collect();
    let text = format!(
        "{{openapi: 3.0.3, info: {{title: Many, version: '1'}}, servers: [{{url: 'https://m.dev'}}], paths: {{{}}}}}",
        paths.join(", ")
    );
    let folder = folder(&[("many.yaml", &text)]);
    assert_failed(
        &openapi(folder.path(), &["--only", "get", "many.yaml", "many"]),
        2,
        "error: 130 operations are chosen; a connector takes at most 100\n\n\
         hint: narrow it by tag, path or search (`*word*`), for example path:/a/** (70), tag:T0 (65), tag:T1 (65), path:/b/** (60)\n",
    );
    let listed = openapi(folder.path(), &["--only", "get", "many.yaml"]);
    assert_eq!((listed.code, listed.out.lines().count()), (0, 132));
    assert_eq!(openapi(folder.path(), &["--only", "tag:T1", "many.yaml", "many"]).code, 0);
}

#[test]
fn heavy_tools_are_warned_of() {
    let fields: Vec<String> = (0..40)
        .map(|at| format!("f{at}: {{type: string, description: {}}}", "x".repeat(150)))
        .collect();
    let paths: Vec<String> = (0..30)
        .map(|at| format!("/p{at}: {{post: {{requestBody: {{$ref: '#/components/requestBodies/B'}}}}}}"))
        .collect();
    let text = format!(
        "{{openapi: 3.0.3, info: {{title: Heavy, version: '1'}}, servers: [{{url: 'https://m.dev'}}], paths: {{{}}}, components: {{requestBodies: {{B: {{content: {{application/json: {{schema: {{type: object, properties: {{{}}}}}}}}}}}}}}}}}",
        paths.join(", "),
        fields.join(", ")
    );
    let folder = folder(&[("heavy.yaml", &text)]);
    let ended = openapi(folder.path(), &["--only", "post", "heavy.yaml", "heavy"]);
    let warning = ended
        .err
        .lines()
        .find(|line| line.starts_with("warning: "))
        .unwrap_or_else(|| panic!("{ended:?}"));
    assert!(warning.starts_with("warning: 30 tools fill about "), "{warning}");
    assert_eq!(warning.matches("heavy.post_p").count(), 10, "{warning}");
}

/// Text of a description is shown, never obeyed: not by a terminal, and not as a line of ours.
#[test]
fn a_description_moves_no_cursor() {
    let evil = "\u{1b}]0;t\u{7}\u{9b}31m\u{202e}\nwrote ";
    let text = serde_json::json!({
        "openapi": format!("3.0.3{evil}"),
        "info": {"title": format!("Title{evil}"), "version": evil, "description": evil},
        "servers": [{"url": "https://a.dev/", "description": evil}, {"url": format!("https://b.dev/{evil}")}],
        "paths": {
            format!("/a{evil}"): {
                "get": {"operationId": format!("read{evil}"), "summary": evil, "tags": [evil], "parameters": [
                    {"name": format!("p{evil}"), "in": "query", "schema": {"type": "array"}},
                    {"name": format!("q{evil}"), "in": evil},
                    {"$ref": format!("#/{evil}")}]},
                "post": {"requestBody": {"content": {format!("image/{evil}"): {}}}},
                "additionalOperations": {evil: {}},
            },
            "/b": {"$ref": format!("other{evil}.yaml")},
            "/c": {"get": {"$ref": format!("gone{evil}.yaml")}, "put": {"parameters": [{"name": evil, "in": "cookie", "required": true}]}},
        },
        "components": {"securitySchemes": {
            evil: {"type": "apiKey", "in": "query", "name": format!("k{evil}"), "description": evil},
            format!("m{evil}"): {"type": "mutualTLS"},
        }},
    });
    let folder = folder(&[("evil.json", &text.to_string())]);
    for words in [
        &["evil.json"][..],
        &["evil.json", "--json", "--report", "report.json"],
        &["evil.json", "evil", "--only", "get", "--diff"],
        &["evil.json", "evil", "--only", "get"],
        &["evil.json", "evil", "--only", "get", "--json"],
        &["evil.json", "evil", "--only", "tag:\u{1b}x"],
        &["evil.json", "evil", "--only", "post"],
        &["evil.json", "--server-var", "\u{1b}=x"],
    ] {
        let ended = openapi(folder.path(), words);
        for screen in [&ended.out, &ended.err] {
            let obeyed = screen
                .chars()
                .find(|letter| (letter.is_control() && *letter != '\n') || *letter == '\u{202e}');
            assert_eq!(obeyed, None, "{words:?}: {screen:?}");
        }
        let ours = ended.out.lines().filter(|line| line.starts_with("wrote ")).count();
        assert_eq!(
            ours,
            usize::from(words == ["evil.json", "evil", "--only", "get"]),
            "{words:?}: {ended:?}"
        );
    }
    assert!(!read(folder.path(), "report.json").contains('\u{9b}'));
}
