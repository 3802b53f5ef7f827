//! A plan for people: what would be sent with keys masked ([`dry_run`]) and the same request as a
//! curl command ([`curl`]). Prints nothing and knows no key's value.

mod curl;
mod parts;

use self::parts::parts;
use super::{Content, Piece, Plan};
use crate::keys::Keys;
use crate::source::{Source, Span};

pub use curl::curl;

/// What stands for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mask {
    /// `•••`
    Dots,
    /// `***`, for terminals without UTF-8.
    Stars,
}

impl Mask {
    fn word(self) -> &'static str {
        match self {
            Self::Dots => "•••",
            Self::Stars => "***",
        }
    }
}

/// The longest line that has its comment beside it; a longer one has it on a line before.
const BESIDE: usize = 76;

/// A line and where the manifest says so.
struct Line {
    text: String,
    from: String,
}

/// The request as it would be sent: request line, each query pair, headers, body. Each part that
/// the manifest has says where: `# connector.json:12`.
pub fn dry_run(plan: &Plan, keys: &Keys, manifest: &Source, mask: Mask) -> String {
    let from = |at: Option<Span>| at.map_or_else(String::new, |at| origin(manifest, &[at]));
    let named = |value: &[Piece]| masked(value, |name| known(name, keys, mask));
    let hidden = |value: &[Piece]| masked(value, |_| mask.word().to_owned());
    let mut lines = vec![Line {
        text: format!("{} {}{}", plan.method.word(), address(plan), hidden(&plan.target())),
        from: origin(manifest, &[plan.base.at, plan.at]),
    }];
    lines.extend(plan.query.iter().map(|pair| Line {
        text: format!("  {}={}", pair.name, named(&pair.value)),
        from: from(Some(pair.at)),
    }));
    lines.extend(plan.headers.iter().map(|header| Line {
        text: format!("{}: {}", header.name, named(&header.value)),
        from: from(header.at),
    }));
    let body = plan.body.as_ref().filter(|body| !body.pieces.is_empty()).map(|body| Line {
        text: written(body, named),
        from: from(Some(body.at)),
    });
    page(&lines, body.as_ref())
}

/// A body's text. The lines of a multipart body stand as lines; those inside a value do not.
fn written(body: &Content, value: impl Fn(&[Piece]) -> String) -> String {
    let Some((boundary, parts)) = parts(body) else {
        return value(&body.pieces);
    };
    let head = |head: &str| head.split("\r\n").map(|line| visible(line) + "\n").collect::<String>();
    let part = |part: &parts::Part| format!("--{boundary}\n{}\n{}\n", head(&part.head), value(&part.value));
    parts.iter().map(part).collect::<String>() + &format!("--{boundary}--")
}

/// `https://host:port` of the base.
fn address(plan: &Plan) -> String {
    format!("{}://{}", plan.base.scheme.word(), plan.base.authority())
}

/// `# connector.json:4, 11`: the lines of the places, each once.
fn origin(manifest: &Source, places: &[Span]) -> String {
    let mut lines: Vec<_> = places.iter().map(|at| manifest.position(at.start).line).collect();
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
    let file = manifest.name().rsplit(['/', '\\']).next().unwrap_or_default();
    format!("# {}:{}", visible(file), lines.join(", "))
}

fn known(name: &str, keys: &Keys, mask: Mask) -> String {
    match keys.origin(name) {
        Some(origin) => format!("{} ({name}, from {})", mask.word(), origin.words()),
        None => format!("{} ({name}, not set)", mask.word()),
    }
}

fn masked(value: &[Piece], mask: impl Fn(&str) -> String) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => visible(text),
        Piece::Key { name, .. } => mask(name),
    };
    value.iter().map(piece).collect()
}

/// Characters that could move or hide text on a terminal, as JSON writes them: `\u202e`.
fn visible(text: &str) -> String {
    let hides =
        |letter: char| letter.is_control() || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().fold(String::with_capacity(text.len()), |mut out, letter| {
        if hides(letter) {
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            out.push(letter);
        }
        out
    })
}

fn page(lines: &[Line], body: Option<&Line>) -> String {
    let width = |line: &&Line| line.text.chars().count();
    let all = || lines.iter().chain(body);
    let column = all()
        .filter(|line| !line.from.is_empty())
        .map(|line| width(&line))
        .filter(|width| *width <= BESIDE)
        .max();
    let shown = |line: &Line| match column {
        _ if line.from.is_empty() => format!("{}\n", line.text),
        Some(column) if width(&line) <= column => {
            let blanks = " ".repeat(column - width(&line) + 2);
            format!("{}{blanks}{}\n", line.text, line.from)
        }
        _ => format!("{}\n{}\n", line.from, line.text),
    };
    let head: String = lines.iter().map(shown).collect();
    match body {
        Some(body) => format!("{head}\n{}", shown(body)),
        None => head,
    }
}
