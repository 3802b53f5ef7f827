//! The parts of a multipart body, read back from its pieces: for people who see it, and for curl,
//! which writes its own boundary.

use crate::exec::plan::{Boundary, Content, Media, Piece, Pieces};

/// One part of a multipart body.
pub(super) struct Part {
    /// Its header lines.
    pub(super) head: String,
    pub(super) value: Vec<Piece>,
}

impl Part {
    /// The name as it is written between its quotes.
    pub(super) fn name(&self) -> &str {
        let name = self.head.split_once("name=\"").map_or("", |(_, name)| name);
        name.split('"').next().unwrap_or_default()
    }

    pub(super) fn is_json(&self) -> bool {
        self.head.contains("\r\n")
    }
}

/// The boundary and the parts, when the body has some.
pub(super) fn parts(body: &Content) -> Option<(Boundary, Vec<Part>)> {
    let Media::Multipart(boundary) = body.media else { return None };
    let line = format!("--{boundary}");
    let mut parts: Vec<Pieces> = Vec::new();
    for piece in &body.pieces {
        let Piece::Text(text) = piece else {
            parts.last_mut()?.extend(vec![piece.clone()]);
            continue;
        };
        // Only a key may stand before the first boundary of a text.
        for (at, text) in text.split(&line).enumerate() {
            match parts.last_mut() {
                Some(part) if at == 0 => part.text(text),
                _ if at > 0 => parts.push(part_of(text)),
                _ => {}
            }
        }
    }
    // The last line ends the body.
    parts.pop();
    Some((boundary, parts.into_iter().filter_map(read).collect()))
}

fn part_of(text: &str) -> Pieces {
    let mut pieces = Pieces::default();
    pieces.text(text);
    pieces
}

/// A part from the end of its boundary to the next one.
fn read(pieces: Pieces) -> Option<Part> {
    let mut pieces = pieces.0;
    let Some(Piece::Text(last)) = pieces.last_mut() else { return None };
    last.truncate(last.strip_suffix("\r\n")?.len());
    let (first, rest) = pieces.split_first()?;
    let (head, text) = first.text().strip_prefix("\r\n")?.split_once("\r\n\r\n")?;
    let mut value = part_of(text);
    value.extend(rest.to_vec());
    Some(Part {
        head: head.to_owned(),
        value: value.0,
    })
}
