//! Which value of a document a place belongs to, as a JSON Pointer (RFC 6901). One walk for all
//! places of a file: many findings in a wide file cost no more than one.

use std::ops::Range;

use super::sheet::{Place, Sheet};
use crate::source::{Doc, Limits, View, parse};

/// For each place the smallest value that holds it, a key standing for its value; nothing when the
/// file cannot be read or a key on the way there is hidden. The places are in the order of the text.
pub(super) fn pointers(sheet: &Sheet<'_>, places: &[&Place]) -> Vec<Option<String>> {
    let mut found = vec![None; places.len()];
    if places.is_empty() {
        return found;
    }
    if let Some(doc) = document(sheet) {
        let walk = &mut Walk {
            sheet,
            places,
            found: &mut found,
        };
        walk.visit(doc.root(), "", &(0..places.len()).collect::<Vec<_>>());
    }
    found
}

fn document(sheet: &Sheet<'_>) -> Option<Doc> {
    parse(sheet.report.source.clone(), Limits::DESCRIPTION).ok()
}

struct Walk<'w> {
    sheet: &'w Sheet<'w>,
    places: &'w [&'w Place],
    found: &'w mut [Option<String>],
}

impl Walk<'_> {
    /// `here` are the places that this value holds.
    fn visit(&mut self, view: View<'_>, pointer: &str, here: &[usize]) {
        for index in here {
            self.found[*index] = Some(pointer.to_owned());
        }
        let mut rest = here;
        for field in view.fields() {
            let mut bytes = field.key_span.range();
            // The value may be an alias for one that stands before its key.
            bytes.end = bytes.end.max(field.value.span().end as usize);
            let held = self.held(&mut rest, &bytes);
            if !held.is_empty() && field.key_span.range().any(|at| self.sheet.hides(at)) {
                held.into_iter().for_each(|index| self.found[index] = None);
            } else {
                self.child(field.value, pointer, field.key, &held);
            }
        }
        for (at, item) in view.items().enumerate() {
            let held = self.held(&mut rest, &item.span().range());
            self.child(item, pointer, &at.to_string(), &held);
        }
    }

    fn child(&mut self, view: View<'_>, pointer: &str, step: &str, held: &[usize]) {
        if !held.is_empty() {
            let step = step.replace('~', "~0").replace('/', "~1");
            self.visit(view, &format!("{pointer}/{step}"), held);
        }
    }

    /// Takes from `rest` what starts before the end of `bytes`; gives back what lies inside.
    fn held(&self, rest: &mut &[usize], bytes: &Range<usize>) -> Vec<usize> {
        let count = rest.partition_point(|index| self.places[*index].bytes.start < bytes.end);
        let (now, later) = rest.split_at(count);
        *rest = later;
        let inside = |index: &usize| bytes.start <= self.places[*index].bytes.start && self.places[*index].bytes.end <= bytes.end;
        now.iter().copied().filter(inside).collect()
    }
}
