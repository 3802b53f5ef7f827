//! `openapi` as a person runs it: the real program, real services on loopback, real files.

mod choices;
mod commands;
mod fetching;
mod folders;
mod shapes;
#[cfg(unix)]
pub(crate) mod ticking;

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::program::{Ended, becket, clean, run};
use crate::service::{Line, Seen, Service, Then};

/// A shop: reads, changes, a list that the released host cannot send, a file, a HEAD.
const PETS: &str = r#"openapi: 3.0.3
info: {title: Pet shop, version: "1"}
servers: [{url: /api/v3}]
security: [{key: []}]
paths:
  /pets:
    get:
      operationId: findPets
      summary: Pets by status
      tags: [pet]
      parameters:
        - {name: status, in: query, required: true, schema: {type: string, enum: [free, sold]}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
      responses:
        200: {description: ok, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}}}
    post:
      operationId: addPet
      summary: A new pet
      tags: [pet]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
    head: {summary: Nothing}
  /pets/{id}:
    get:
      operationId: getPet
      summary: One pet
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
  /pets/{id}/image:
    post:
      operationId: uploadImage
      requestBody: {content: {application/octet-stream: {}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: api_key}}}
"#;

const YAML: (&str, &str) = ("Content-Type", "application/yaml");
const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");

/// The shop with its description; other paths are the test's own.
fn shop(other: impl Fn(&Seen, &mut Line) -> io::Result<Then> + Send + Sync + 'static) -> Service {
    Service::start(move |seen, line| match seen.target.as_str() {
        "/api/v3/openapi.yaml" => line.answer(200, &[YAML], PETS.as_bytes()),
        "/api/v3/pets?status=free" => line.answer(200, &[("Content-Type", "application/json")], br#"[{"id": 1, "name": "Rex"}]"#),
        _ => other(seen, line),
    })
}

fn nothing(_: &Seen, line: &mut Line) -> io::Result<Then> {
    line.answer(404, &[], b"no such place")
}

fn at(service: &Service, path: &str) -> String {
    format!("http://127.0.0.1:{}{path}", service.port())
}

/// A folder of the test with some files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for this test");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of this test");
        fs::write(path, text).expect("a file of this test");
    }
    folder
}

fn openapi(folder: &Path, words: &[&str]) -> Ended {
    run(becket().current_dir(folder).arg("openapi").args(words))
}

/// The names of everything in a folder, hidden ones too.
fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder of this test")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn assert_failed(ended: &Ended, code: i32, err: &str) {
    assert_eq!((ended.code, ended.err.as_str(), ended.out.as_str()), (code, err, ""));
}
