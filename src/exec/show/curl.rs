//! A plan as one curl command for a POSIX shell. Whatever came from the manifest or the call
//! stands in single quotes; a key is the variable of its name in double quotes.

use super::address;
use super::parts::{Part, parts};
use crate::exec::plan::{Content, Media, Piece, Pieces, Plan, QueryPair};
use crate::model::Method;

/// The encodings that the sender of plans asks for.
const ENCODINGS: &str = "Accept-Encoding: gzip, br";

/// One command to copy, which sends what the plan sends: curl's own headers are replaced by ours or
/// taken away. A comment line before it says what to know about the keys in it.
pub fn curl(plan: &Plan) -> String {
    let mut words = vec!["curl".to_owned()];
    if plan.method != Method::Get || plan.body.is_some() {
        words.push(format!("-X {}", plan.method.word()));
    }
    words.push(format!("--compressed -H {}", single(ENCODINGS)));
    let form = plan.body.as_ref().and_then(form);
    // Of a multipart body, curl makes its own boundary.
    let said = plan
        .headers
        .iter()
        .filter(|header| form.is_none() || !header.name.eq_ignore_ascii_case("Content-Type"));
    words.extend(said.map(|header| format!("-H {}", quoted(&prefixed(&format!("{}: ", header.name), &header.value)))));
    words.extend(form.unwrap_or_else(|| content(plan)));
    let keyed = plan.query.iter().position(|pair| has_key(&pair.value)).unwrap_or(plan.query.len());
    let (plain, keyed) = plan.query.split_at(keyed);
    words.extend(keyed.iter().map(|pair| format!("--url-query {}", query_word(pair))));
    let pairs: Vec<_> = plain
        .iter()
        .map(|pair| format!("{}={}", pair.name, plain_text(&pair.value)))
        .collect();
    let mark = if pairs.is_empty() { "" } else { "?" };
    let url = format!("{}{}{mark}{}", address(plan), plan.path, pairs.join("&"));
    if url.contains(['[', ']', '{', '}']) {
        words.push("--globoff".to_owned());
    }
    if plan.path.split('/').any(|segment| matches!(segment, "." | "..")) {
        words.push("--path-as-is".to_owned());
    }
    words.push(single(&url));
    comments(plan, !keyed.is_empty()) + &words.join(" ") + "\n"
}

/// A pair after the first one with a key, so that the order stays: curl encodes what has a key and
/// takes the rest as it is.
fn query_word(pair: &QueryPair) -> String {
    if has_key(&pair.value) {
        return quoted(&prefixed(&format!("{}=", pair.name), &decoded(&pair.value)));
    }
    quoted(&prefixed(&format!("+{}=", pair.name), &pair.value))
}

/// The body's words. Without a body these methods still say that its length is 0, and curl would
/// name a type for nothing.
fn content(plan: &Plan) -> Vec<String> {
    match &plan.body {
        Some(content) => body(content),
        None if matches!(plan.method, Method::Post | Method::Put | Method::Patch) => {
            vec!["-H 'Content-Type:' --data-raw ''".to_owned()]
        }
        None => Vec::new(),
    }
}

fn comments(plan: &Plan, keyed_query: bool) -> String {
    let mut text = String::new();
    if keyed_query {
        text.push_str("# --url-query needs curl 7.87 or later\n");
    }
    let json = plan
        .body
        .iter()
        .filter(|body| body.media == Media::Json)
        .flat_map(|body| &body.pieces);
    for name in json.filter_map(key) {
        text.push_str(&format!("# ${name} goes into JSON text: escape each \" and \\ in it\n"));
    }
    text
}

/// A multipart body as curl's own; nothing when a part has a name that curl cannot say.
fn form(body: &Content) -> Option<Vec<String>> {
    let (_, parts) = parts(body)?;
    let sayable = |part: &Part| !part.name().is_empty() && !part.name().contains('=');
    parts.iter().all(sayable).then(|| parts.iter().map(part).collect())
}

/// JSON text, which never has a key in it, stands in quotes of curl's: `;type=` comes after it.
fn part(part: &Part) -> String {
    let name = part.name();
    if !part.is_json() {
        return format!("--form-string {}", quoted(&prefixed(&format!("{name}="), &part.value)));
    }
    let json = plain_text(&part.value).replace('\\', "\\\\").replace('"', "\\\"");
    format!("--form {}", single(&format!("{name}=\"{json}\";type=application/json")))
}

/// The body's words: form fields with a key are encoded by curl.
fn body(body: &Content) -> Vec<String> {
    if body.media != Media::Form || !has_key(&body.pieces) {
        return vec![format!("--data-raw {}", quoted(&body.pieces))];
    }
    let field = |pieces: &Vec<Piece>| {
        if has_key(pieces) {
            format!("--data-urlencode {}", quoted(&decoded_field(pieces)))
        } else {
            format!("--data-raw {}", quoted(pieces))
        }
    };
    fields(&body.pieces).iter().map(field).collect()
}

/// The pieces of a form body, field by field.
fn fields(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut fields = vec![Vec::new()];
    for piece in pieces {
        let Piece::Text(text) = piece else {
            fields.last_mut().expect("never empty").push(piece.clone());
            continue;
        };
        for (at, part) in text.split('&').enumerate() {
            if at > 0 {
                fields.push(Vec::new());
            }
            if !part.is_empty() {
                fields.last_mut().expect("never empty").push(Piece::Text(part.to_owned()));
            }
        }
    }
    fields
}

/// A field whose name stays encoded and whose value is not, as curl wants it.
fn decoded_field(pieces: &[Piece]) -> Vec<Piece> {
    let Some((Piece::Text(first), rest)) = pieces.split_first() else {
        return pieces.to_vec();
    };
    let (name, value) = first.split_once('=').unwrap_or((first, ""));
    let value = prefixed(value, rest);
    prefixed(&format!("{name}="), &decoded(&value))
}

/// The text that query and form encoding stand for: no `&`, `=` or `+` of ours is in it.
fn decoded(pieces: &[Piece]) -> Vec<Piece> {
    let plain = |text: &str| {
        let pair = format!("={text}");
        url::form_urlencoded::parse(pair.as_bytes())
            .map(|(_, value)| value.into_owned())
            .collect::<String>()
    };
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => Piece::Text(plain(text)),
            key @ Piece::Key { .. } => key.clone(),
        })
        .collect()
}

fn prefixed(text: &str, pieces: &[Piece]) -> Vec<Piece> {
    let mut all = Pieces::default();
    all.text(text);
    all.extend(pieces.to_vec());
    all.0
}

fn key(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Text(_) => None,
        Piece::Key { name, .. } => Some(name),
    }
}

fn has_key(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| key(piece).is_some())
}

fn plain_text(pieces: &[Piece]) -> String {
    pieces.iter().map(Piece::text).collect()
}

/// One word of the shell.
fn quoted(pieces: &[Piece]) -> String {
    if !has_key(pieces) {
        return single(&plain_text(pieces));
    }
    if plain_text(pieces).bytes().all(is_tame) {
        return format!("\"{}\"", braced(pieces));
    }
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => single(text),
            Piece::Key { name, .. } => format!("\"${name}\""),
        })
        .collect()
}

/// What means nothing to any shell between double quotes.
fn is_tame(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" :=.,/_-+%".contains(&byte)
}

fn braced(pieces: &[Piece]) -> String {
    let letter = |text: &str| text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let follows = |at: usize| matches!(pieces.get(at + 1), Some(Piece::Text(text)) if letter(text));
    pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Key { name, .. } if follows(at) => format!("${{{name}}}"),
            Piece::Key { name, .. } => format!("${name}"),
        })
        .collect()
}

fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
