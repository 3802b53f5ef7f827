//! Which of the notes on a description are about the operations that were chosen.

use std::collections::HashSet;

use super::files::At;
use super::ledger::{Note, NoteKind};
use super::{Api, Lowered};

/// What a connector is made of.
pub struct Concern {
    operations: HashSet<At>,
    keys: HashSet<At>,
}

impl Concern {
    pub fn of(lowered: &Lowered) -> Self {
        Self {
            operations: lowered.operations.iter().copied().collect(),
            keys: lowered.keys.iter().map(|key| key.at).collect(),
        }
    }

    /// Operations that are only looked at, by their numbers.
    pub fn of_operations(api: &Api<'_>, chosen: &[usize]) -> Self {
        Self {
            operations: chosen.iter().map(|at| api.operations[*at].at).collect(),
            keys: api.keys.iter().map(|key| key.at).collect(),
        }
    }

    /// Whether a note on the description is about something in the connector.
    pub fn has(&self, api: &Api<'_>, note: &Note) -> bool {
        use NoteKind::{KeyParameter, PastedToken, PrefixFound, PrefixUnknown, UnsupportedScheme};
        match (note.kind, note.operation) {
            (PrefixUnknown | PrefixFound | PastedToken | KeyParameter, _) => self.keys.contains(&note.at),
            (_, Some(operation)) => self.operations.contains(&operation),
            (UnsupportedScheme, None) => false,
            _ => !api.pointer(note.at).starts_with("/paths/") || self.is_inside(note.at),
        }
    }

    fn is_inside(&self, at: At) -> bool {
        let holds =
            |operation: &At| operation.file == at.file && operation.span.start <= at.span.start && at.span.end <= operation.span.end;
        self.operations.iter().any(holds)
    }
}
