//! `list`: what is installed, the broken ones too.

use serde_json::{Value, json};

use super::args::List;
use super::exit::Exit;
use super::fault::Fault;
use super::io::Layout;
use super::{Ending, Session, installed, keys, paths};
use crate::diag::count;
use crate::install::{Shelf, reaches};
use crate::model::credential;
use crate::report::visible;
use crate::rules::Checked;

/// What is in one folder.
struct Row {
    folder: String,
    found: Result<Checked, Fault>,
}

pub(super) fn run(args: &List, session: &Session) -> Ending {
    let shelf = installed::shelf(&args.placing)?;
    shelf.settle().map_err(|error| installed::fault(&error))?;
    let names = shelf.names().map_err(|error| installed::fault(&error))?;
    let rows: Vec<Row> = names.into_iter().map(|folder| row(folder, &shelf)).collect();
    if args.json {
        let connectors: Vec<Value> = rows.iter().map(json).collect();
        let place = shelf.folder().display().to_string();
        session
            .io
            .out_json(&json!({"version": 1, "folder": place, "connectors": connectors}), Layout::Pretty);
        return Ok(Exit::Success);
    }
    let width = rows.iter().map(|row| row.name().chars().count()).max().unwrap_or(0);
    let text: String = rows.iter().map(|row| line(row, width, &shelf, session)).collect();
    session.io.say(&text);
    if rows.is_empty() {
        session
            .io
            .progress(&format!("No connectors in {}.\n", installed::shown(shelf.folder())));
    }
    Ok(Exit::Success)
}

fn row(folder: String, shelf: &Shelf) -> Row {
    let found = installed::checked(shelf, &folder);
    Row { folder, found }
}

impl Row {
    fn name(&self) -> &str {
        let connector = self.found.as_ref().ok().and_then(|checked| checked.connector.as_ref());
        connector.map_or(&self.folder, |connector| &connector.name)
    }
}

/// `tides   2 capabilities   https://tides.example   needs TIDES_KEY`
fn line(row: &Row, width: usize, shelf: &Shelf, session: &Session) -> String {
    let name = row.name();
    let what = match &row.found {
        Err(fault) => format!("broken: {}", fault.message),
        Ok(Checked {
            connector: Some(connector),
            ..
        }) => {
            let keys = keys::names(connector);
            let keys = if keys.is_empty() {
                String::new()
            } else {
                format!("   needs {}", keys.join(", "))
            };
            let elsewhere = if *name == row.folder {
                String::new()
            } else {
                format!("   in {}", row.folder)
            };
            let capabilities = count(connector.capabilities.len(), "capability");
            format!("{capabilities:<15}   {}{keys}{elsewhere}", credential::masked(&reaches(connector)))
        }
        Ok(checked) => {
            let command = session
                .brand
                .command(&format!("check --offline {}", paths::shown(&shelf.place(&row.folder))));
            format!("broken: {}, see `{command}`", count(checked.errors(), "error"))
        }
    };
    format!("{}\n", visible(&format!("{name:<width$}   {what}")))
}

fn json(row: &Row) -> Value {
    match &row.found {
        Err(fault) => json!({"folder": row.folder, "broken": fault.message}),
        Ok(Checked {
            connector: Some(connector),
            ..
        }) => {
            let capabilities: Vec<Value> = connector
                .capabilities
                .iter()
                .map(|one| json!({"name": one.name, "risk": one.risk.word()}))
                .collect();
            json!({
                "folder": row.folder,
                "name": connector.name,
                "capabilities": capabilities,
                "reaches": credential::masked(&reaches(connector)),
                "source": connector.source.as_deref().map(credential::masked),
                "keys": keys::names(connector),
            })
        }
        Ok(checked) => json!({"folder": row.folder, "broken": count(checked.errors(), "error")}),
    }
}
