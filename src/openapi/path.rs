//! A path of the description: its fragment dropped, its query taken apart, its blanks found. Says
//! which paths a connector cannot send.

/// A piece of a path segment or a query value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Percent-encoded where it has to be.
    Text(String),
    /// A blank under its name in the description.
    Blank(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Path {
    pub(super) segments: Vec<Vec<Piece>>,
    pub(super) query: Vec<(String, Vec<Piece>)>,
}

impl Path {
    pub(super) fn blanks(&self) -> impl Iterator<Item = &str> {
        let query = self.query.iter().flat_map(|(_, value)| value);
        self.segments.iter().flatten().chain(query).filter_map(|piece| match piece {
            Piece::Blank(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }
}

/// The path, or nothing when it cannot be sent: dot segments, braces that do not close, an address
/// inside it, a query and a fragment at once.
pub(super) fn parse(text: &str) -> Option<Path> {
    let text = without_repeats(text);
    let (text, fragment) = text.split_once('#').unwrap_or((&text, ""));
    if !fragment.is_empty() && text.contains('?') {
        return None;
    }
    let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
    // An address inside a path, whatever it is there for.
    if path.contains("://") {
        return None;
    }
    let path = path.strip_prefix('/').unwrap_or(path);
    let mut out = Path::default();
    let mut segment = Vec::new();
    for piece in pieces(path)? {
        let Piece::Text(text) = piece else {
            segment.push(piece);
            continue;
        };
        for (at, part) in text.split('/').enumerate() {
            if at > 0 {
                out.segments.push(std::mem::take(&mut segment));
            }
            if !part.is_empty() {
                segment.push(Piece::Text(encode(part)));
            }
        }
    }
    out.segments.push(segment);
    if out.segments.iter().any(|segment| is_dots(segment)) {
        return None;
    }
    for pair in query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        out.query.push((decode(name), decoded(pieces(value)?)));
    }
    Some(out)
}

/// The path less `{?a,b}`, `{&a}` and `{#a}`, which only repeat what the parameters say.
fn without_repeats(text: &str) -> std::borrow::Cow<'_, str> {
    let Some(open) = ["{?", "{&", "{#"].iter().filter_map(|start| text.find(start)).min() else {
        return text.into();
    };
    match text[open..].find('}') {
        Some(close) => format!("{}{}", &text[..open], without_repeats(&text[open + close + 1..])).into(),
        None => text.into(),
    }
}

/// Whether a server may read the segment as `.` or `..`, also where it cuts off what follows a `;`.
fn is_dots(segment: &[Piece]) -> bool {
    let Some(Piece::Text(text)) = segment.first() else { return false };
    let name = match text.split_once(';') {
        Some((name, _)) => name,
        None if segment.len() == 1 => text,
        None => return false,
    };
    matches!(name.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

fn pieces(text: &str) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(open);
        if !before.is_empty() {
            out.push(Piece::Text(before.to_owned()));
        }
        let inner = after.strip_prefix('{')?;
        let close = inner.find('}')?;
        // `{{x}}` is one blank as well.
        let doubled = inner.starts_with('{') && inner[close..].starts_with("}}");
        let name = inner[..close].trim_start_matches(['{', '+']).trim_end_matches('*').trim();
        if name.contains(['{', '/']) {
            return None;
        }
        if name.is_empty() {
            return None;
        }
        out.push(Piece::Blank(name.to_owned()));
        rest = &inner[close + if doubled { 2 } else { 1 }..];
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest.to_owned()));
    }
    Some(out)
}

fn decoded(pieces: Vec<Piece>) -> Vec<Piece> {
    let text = |piece| match piece {
        Piece::Text(text) => Piece::Text(decode(&text)),
        blank @ Piece::Blank(_) => blank,
    };
    pieces.into_iter().map(text).collect()
}

fn decode(text: &str) -> String {
    super::files::decode(&text.replace('+', " ")).into_owned()
}

/// Percent-encodes what may not stand in a path; what is encoded already stays.
fn encode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    for (at, byte) in bytes.iter().enumerate() {
        let hex = bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(byte) || (*byte == b'%' && hex) {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Blank(name) => format!("<{name}>"),
        };
        let join = |pieces: &[Piece]| pieces.iter().map(piece).collect::<String>();
        let path = parse(text)?;
        let segments: Vec<String> = path.segments.iter().map(|segment| join(segment)).collect();
        let query: Vec<String> = path.query.iter().map(|(name, value)| format!("{name}={}", join(value))).collect();
        Some(format!(
            "/{}{}{}",
            segments.join("/"),
            if query.is_empty() { "" } else { "?" },
            query.join("&")
        ))
    }

    #[test]
    fn paths_come_apart() {
        for (text, expected) in [
            ("/a/{id}", Some("/a/<id>")),
            ("/a/{Sid}.json", Some("/a/<Sid>.json")),
            ("/compare/{base}...{head}", Some("/compare/<base>...<head>")),
            ("/x/{a-b}/{a_b}", Some("/x/<a-b>/<a_b>")),
            ("/a/", Some("/a/")),
            ("/", Some("/")),
            ("/a#list", Some("/a")),
            ("/a?beta=true", Some("/a?beta=true")),
            ("/a?public", Some("/a?public=")),
            ("/a b/é", Some("/a%20b/%C3%A9")),
            ("/a%20b", Some("/a%20b")),
            ("/{{id}}/b", Some("/<id>/b")),
            ("/a{?limit,page}", Some("/a")),
            ("/a/../b", None),
            ("/a/%2e%2E/b", None),
            ("/a/./b", None),
            ("/a/..;v=1/b", None),
            ("/a/%2e;v={id}", None),
            ("/a/;v={id}", Some("/a/;v=<id>")),
            ("/a://b", None),
            ("/a?b#c", None),
            ("/a/{id", None),
            ("/a/id}", None),
            ("/a/{}", None),
        ] {
            assert_eq!(shown(text).as_deref(), expected, "{text}");
        }
    }
}
