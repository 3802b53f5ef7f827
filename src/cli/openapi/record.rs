//! The ledger: everything of a description that is imported, left out, cut or guessed, as JSON and
//! in a few words.

use std::collections::BTreeMap;

use std::path::Path;

use serde_json::{Value, json};

use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::paths::MANIFEST;
use super::super::{Session, write_file};
use crate::diag::{count, plural};
use crate::openapi::{Api, At, Lowered, Note, Operation};

/// What became of a description.
pub(super) struct Ledger<'a, 'd> {
    api: &'a Api<'d>,
    lowered: Option<&'a Lowered>,
}

impl<'a, 'd> Ledger<'a, 'd> {
    pub(super) fn new(api: &'a Api<'d>, lowered: Option<&'a Lowered>) -> Self {
        Self { api, lowered }
    }

    fn notes(&self) -> impl Iterator<Item = &Note> {
        self.api.notes.iter().chain(self.lowered.iter().flat_map(|lowered| &lowered.notes))
    }

    /// How many things are left out or lost.
    pub(super) fn losses(&self) -> usize {
        self.api.left_out.len() + self.notes().filter(|note| note.kind.is_loss()).count()
    }

    pub(super) fn too_lossy(&self, args: &OpenApi, session: &Session) -> Fault {
        let fault = Fault::new(
            Exit::Findings,
            "lossy",
            format!("{} left out or lost; nothing was written", count(self.losses(), "thing")),
        );
        match &args.output.report {
            Some(file) => fault.hint(format!("{} lists them", file.display())),
            None => fault.hint(format!("`{}` lists them", session.brand.command("openapi … --report FILE"))),
        }
    }

    /// Writes the JSON form where `--report` says.
    pub(super) fn save(&self, args: &OpenApi) -> Result<(), Fault> {
        let Some(file) = &args.output.report else { return Ok(()) };
        let same = |other: &Path| matches!((file.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other);
        if same(Path::new(&args.spec)) || file.file_name().is_some_and(|name| name == MANIFEST) {
            return Err(
                Fault::usage("bad_usage", format!("the report would replace {}", file.display())).hint("give `--report` a file of its own")
            );
        }
        let text = serde_json::to_string_pretty(&self.json()).unwrap_or_default() + "\n";
        write_file::replace(file, &text).map_err(|error| write_file::fault(file, &error))
    }

    /// Everything: one object with a version.
    pub(super) fn json(&self) -> Value {
        let api = self.api;
        let mut value = json!({
            "version": 1,
            "title": api.title,
            "api_version": api.version,
            "format": api.format,
            "base": api.base.as_ref().ok().map(crate::model::Base::text),
            "servers": api.servers.iter().map(|server| json!({"url": super::listing::without_keys(&server.url), "about": server.about})).collect::<Vec<_>>(),
            "keys": api.keys.iter().map(|key| json!({"name": key.env, "place": key.place.words(), "declared_as": key.declared_as, "about": key.about})).collect::<Vec<_>>(),
            "operations": api.operations.iter().map(operation).collect::<Vec<_>>(),
            "left_out": api.left_out.iter().map(|left| {
                json!({"id": left.id, "method": left.method, "path": left.path, "reason": left.reason.code(), "why": left.reason.words(), "place": self.place(left.at)})
            }).collect::<Vec<_>>(),
            "notes": self.notes().map(|note| {
                json!({"kind": note.kind.code(), "loss": note.kind.is_loss(), "text": note.text, "place": self.place(note.at)})
            }).collect::<Vec<_>>(),
        });
        if let Err(why) = &api.base {
            value["no_base"] = why.to_string().into();
        }
        if let Some(lowered) = self.lowered {
            value["imported"] = lowered
                .connector
                .capabilities
                .iter()
                .map(|capability| capability.name.as_str())
                .collect();
        }
        value
    }

    fn place(&self, at: At) -> Value {
        let position = self.api.source(at).position(at.span.start);
        let mut place = json!({"pointer": self.api.pointer(at), "line": position.line, "column": position.column});
        if let Some(file) = self.api.file_name(at) {
            place["file"] = file.into();
        }
        place
    }

    /// A line for each kind of note, commonest first.
    pub(super) fn summary(&self, args: &OpenApi) -> String {
        let mut kinds: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for note in self.notes() {
            kinds.entry(note.kind.code()).or_insert((0, &note.text)).0 += 1;
        }
        let mut kinds: Vec<(&str, usize, &str)> = kinds.into_iter().map(|(kind, (n, first))| (kind, n, first)).collect();
        kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut text: String = kinds.iter().map(|(kind, n, first)| line(kind, *n, first)).collect();
        if !kinds.is_empty() && args.output.report.is_none() {
            text += "`--report FILE` writes all of it, each with its place\n";
        }
        text
    }
}

fn line(kind: &str, n: usize, first: &str) -> String {
    match n {
        1 => format!("note: {kind}: {first}\n"),
        _ => format!("note: {kind}: {first}; and {} more {}\n", n - 1, plural(n - 1, "time")),
    }
}

fn operation(operation: &Operation<'_>) -> Value {
    json!({
        "id": operation.id,
        "operation_id": operation.operation_id,
        "method": operation.method.word(),
        "path": operation.path,
        "summary": operation.summary,
        "risk": operation.risk.word(),
        "tags": operation.tags,
        "deprecated": operation.deprecated,
    })
}
