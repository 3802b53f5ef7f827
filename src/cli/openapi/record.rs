//! The ledger: everything of a description that is imported, left out, cut or guessed, as JSON and
//! in a few words.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::{Value, json};

use super::super::args::OpenApi;
use super::super::exit::Exit;
use super::super::fault::Fault;
use super::super::paths::MANIFEST;
use super::super::{Session, write_file};
use crate::diag::{count, plural};
use crate::openapi::{Api, At, Concern, LeftOut, Lowered, Note, Operation};
use crate::report::{escaped, visible};

/// What became of a description.
pub(super) struct Ledger<'a, 'd> {
    api: &'a Api<'d>,
    lowered: Option<&'a Lowered>,
    /// What the words choose; nothing when all of the description is looked at.
    concern: Option<Concern>,
    /// What is left out of that.
    left_out: Vec<&'a LeftOut>,
}

impl<'a, 'd> Ledger<'a, 'd> {
    /// Of a whole description.
    pub(super) fn whole(api: &'a Api<'d>) -> Self {
        Self {
            api,
            lowered: None,
            concern: None,
            left_out: api.left_out.iter().collect(),
        }
    }

    /// Of the operations with these numbers.
    pub(super) fn part(api: &'a Api<'d>, chosen: &[usize], missed: Vec<&'a LeftOut>) -> Self {
        Self {
            api,
            lowered: None,
            concern: Some(Concern::of_operations(api, chosen)),
            left_out: missed,
        }
    }

    /// Of a connector.
    pub(super) fn of(api: &'a Api<'d>, lowered: &'a Lowered, missed: Vec<&'a LeftOut>) -> Self {
        Self {
            api,
            lowered: Some(lowered),
            concern: Some(Concern::of(lowered)),
            left_out: missed,
        }
    }

    fn notes(&self) -> impl Iterator<Item = &Note> {
        self.api.notes.iter().chain(self.made())
    }

    fn made(&self) -> impl Iterator<Item = &Note> {
        self.lowered.iter().flat_map(|lowered| &lowered.notes)
    }

    /// The notes on what is chosen.
    fn concerning(&self) -> impl Iterator<Item = &Note> {
        let concerns = |note: &&Note| self.concern.as_ref().is_none_or(|concern| concern.has(self.api, note));
        self.api.notes.iter().filter(concerns).chain(self.made())
    }

    /// How many things that concern the choice are left out or lost.
    pub(super) fn losses(&self) -> usize {
        self.left_out.len() + self.concerning().filter(|note| note.kind.is_loss()).count()
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
        let text = escaped(&serde_json::to_string_pretty(&self.json()).unwrap_or_default()) + "\n";
        write_file::replace(file, &text).map_err(|error| write_file::fault(file, &error))
    }

    /// Everything: one object with a version.
    pub(super) fn json(&self) -> Value {
        let api = self.api;
        let ids = self.ids();
        let mut value = json!({
            "version": 1,
            "title": api.title,
            "api_version": api.version,
            "format": api.format,
            "base": api.base.as_ref().ok().map(crate::model::Base::text),
            "servers": api.servers.iter().map(|server| json!({"url": super::listing::without_keys(&server.url), "about": server.about})).collect::<Vec<_>>(),
            "keys": api.keys.iter().map(|key| json!({"name": key.env, "place": key.place.words(), "declared_as": key.declared_as, "about": key.about})).collect::<Vec<_>>(),
            "counts": {"operations": self.total(), "can_be_imported": api.operations.len(), "left_out": api.left_out.len()},
            "operations": api.operations.iter().map(operation).collect::<Vec<_>>(),
            "left_out": api.left_out.iter().map(|left| self.left_out(left)).collect::<Vec<_>>(),
            "notes": self.notes().map(|note| self.note(note, &ids)).collect::<Vec<_>>(),
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
            value["counts"]["imported"] = lowered.connector.capabilities.len().into();
        }
        value
    }

    fn total(&self) -> usize {
        self.api.operations.len() + self.api.left_out.len()
    }

    fn left_out(&self, left: &LeftOut) -> Value {
        json!({
            "id": left.id,
            "operation_id": left.operation_id,
            "method": left.method,
            "path": left.path,
            "tags": left.tags,
            "deprecated": left.deprecated,
            "reason": left.reason.code(),
            "why": left.reason.words(),
            "place": self.place(left.at),
        })
    }

    fn note(&self, note: &Note, ids: &HashMap<At, &str>) -> Value {
        let mut value = json!({"kind": note.kind.code(), "loss": note.kind.is_loss(), "text": note.text, "place": self.place(note.at)});
        if let Some(id) = note.operation.and_then(|operation| ids.get(&operation)) {
            value["operation"] = (*id).into();
        }
        value
    }

    /// The ids of the operations by their places.
    fn ids(&self) -> HashMap<At, &str> {
        let imported = self.api.operations.iter().map(|operation| (operation.at, operation.id.as_str()));
        let left_out = self.api.left_out.iter().map(|left| (left.at, left.id.as_str()));
        imported.chain(left_out).collect()
    }

    fn place(&self, at: At) -> Value {
        let position = self.api.source(at).position(at.span.start);
        let mut place = json!({"pointer": self.api.pointer(at), "line": position.line, "column": position.column});
        if let Some(file) = self.api.file_name(at) {
            place["file"] = file.into();
        }
        place
    }

    /// What became of every operation, and a line for each kind of note, commonest first.
    pub(super) fn summary(&self, args: &OpenApi) -> String {
        let ids = self.ids();
        let mut kinds: BTreeMap<&str, (usize, String)> = BTreeMap::new();
        if let (Some(first), true) = (self.left_out.first(), self.concern.is_some()) {
            kinds.insert(
                "left-out",
                (self.left_out.len(), format!("{}: it {}", first.id, first.reason.words())),
            );
        }
        for note in self.concerning() {
            let id = note.operation.and_then(|operation| ids.get(&operation));
            let first = || id.map_or_else(|| note.text.clone(), |id| format!("{id}: {}", note.text));
            kinds.entry(note.kind.code()).or_insert_with(|| (0, first())).0 += 1;
        }
        let mut kinds: Vec<(&str, usize, String)> = kinds.into_iter().map(|(kind, (n, first))| (kind, n, first)).collect();
        kinds.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let mut text = self.balance();
        text.extend(kinds.iter().map(|(kind, n, first)| line(kind, *n, first)));
        if !kinds.is_empty() && args.output.report.is_none() {
            text += "`--report FILE` writes all of it, each with its place\n";
        }
        text
    }
}

impl Ledger<'_, '_> {
    /// `2 imported + 1 not chosen + 1 left out = 4 operations`.
    fn balance(&self) -> String {
        let (can, left_out) = (self.api.operations.len(), self.api.left_out.len());
        let all = count(self.total(), "operation");
        match self.lowered {
            Some(lowered) => {
                let imported = lowered.connector.capabilities.len();
                format!(
                    "{imported} imported + {} not chosen + {left_out} left out = {all}\n",
                    can - imported
                )
            }
            None => format!("{can} can be imported + {left_out} left out = {all}\n"),
        }
    }
}

fn line(kind: &str, n: usize, first: &str) -> String {
    let first = visible(first);
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
