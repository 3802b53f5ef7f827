//! The marks of Markdown that stand around words: emphasis, code, headings, rules, images, bare
//! links. Finds where they begin and end; a mark that may be a part of a word is none.

/// Longest text in marks that is looked through.
const LONGEST: usize = 600;
/// Lines of code are longer.
const LONGEST_CODE: usize = 4000;

/// Marks around a text.
pub(super) struct Marks {
    /// How long the opening one is.
    pub(super) open: usize,
    /// Where the closing one begins and ends.
    pub(super) close: (usize, usize),
    /// Whether the text between them is taken as it stands.
    pub(super) raw: bool,
}

/// The marks that open at a place, when they are closed.
pub(super) fn marks(text: &str, at: usize) -> Option<Marks> {
    let rest = &text[at..];
    match rest.as_bytes().first()? {
        b'`' => code(text, at),
        b'*' => emphasis(text, at, '*'),
        b'_' => emphasis(text, at, '_'),
        b'<' if rest.starts_with("<http://") || rest.starts_with("<https://") => {
            let end = bounded(rest, LONGEST).find(|letter: char| letter == '>' || letter.is_whitespace())?;
            rest[end..].starts_with('>').then_some(Marks {
                open: 1,
                close: (at + end, at + end + 1),
                raw: true,
            })
        }
        _ => None,
    }
}

/// The length of what marks a whole line at its first letter: `##`, `---`.
pub(super) fn line_mark(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    if !(before.is_empty() || before.ends_with('\n')) {
        return None;
    }
    let line = text[at..].lines().next()?.trim_end();
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    if let (1..=6, Some(title)) = (hashes, line[hashes..].strip_prefix(' ')) {
        // `# of items` is a text.
        let is_title = hashes > 1 || !title.trim_start().starts_with(char::is_lowercase);
        return is_title.then_some(hashes + 1);
    }
    let first = line.chars().next().filter(|letter| "-=*_".contains(*letter))?;
    (line.len() >= 3 && line.chars().all(|letter| letter == first)).then_some(line.len())
}

fn code(text: &str, at: usize) -> Option<Marks> {
    let ticks = run(&text[at..], '`');
    if text[..at].ends_with(['`', '\\']) {
        return None;
    }
    let start = at + ticks;
    let inner = bounded(&text[start..], if ticks < 3 { LONGEST } else { LONGEST_CODE });
    let mut from = 0;
    while let Some(found) = inner[from..].find('`') {
        let place = from + found;
        let length = run(&text[start + place..], '`');
        if length == ticks {
            let content = &inner[..place];
            let apart = ticks < 3 && content.contains("\n\n");
            return (!content.trim().is_empty() && !apart).then(|| Marks {
                open: ticks + language(content, ticks),
                close: (start + place, start + place + ticks),
                raw: true,
            });
        }
        from = (place + length).min(inner.len());
    }
    None
}

/// The name of the language behind the ticks of a block of code.
fn language(content: &str, ticks: usize) -> usize {
    let word = content.split('\n').next().unwrap_or_default();
    let is_name = word
        .trim_end()
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'+');
    if ticks >= 3 && word.len() < content.len() && is_name {
        word.len()
    } else {
        0
    }
}

fn emphasis(text: &str, at: usize, mark: char) -> Option<Marks> {
    let length = run(&text[at..], mark);
    let before = text[..at].chars().next_back();
    let inner = bounded(&text[at + length..], LONGEST);
    let first = inner.chars().next()?;
    let opens = |before: char| !(before.is_ascii_alphanumeric() || "\\/_*".contains(before) || length == 1 && before.is_alphanumeric());
    if length > 3 || !before.is_none_or(opens) || !(first.is_alphanumeric() || "`[(<\"'{$_*:".contains(first)) {
        return None;
    }
    let end = closing(inner, mark, length)?;
    // `_id` and `__typename__` are words.
    let content = &inner[..end];
    let is_word = mark == '_' && !(first.is_uppercase() && content.contains(char::is_lowercase));
    (!is_word).then_some(Marks {
        open: length,
        close: (at + length + end, at + length + end + length),
        raw: false,
    })
}

/// Where marks of this length end a text, in its paragraph.
fn closing(inner: &str, mark: char, length: usize) -> Option<usize> {
    let mut at = 0;
    let mut before = mark;
    while let Some(letter) = inner[at..].chars().next() {
        if inner[at..].starts_with("\n\n") {
            return None;
        }
        let step = match letter {
            '`' => code(inner, at).map_or(1, |marks| marks.close.1 - at),
            letter if letter == mark => {
                let found = run(&inner[at..], mark);
                let after = inner[at + found..].chars().next();
                let ends = after.is_none_or(|after| !after.is_alphanumeric()) || mark == '*' && length > 1;
                if found == length && ends && !before.is_whitespace() && before != '\\' {
                    return Some(at);
                }
                found
            }
            letter => letter.len_utf8(),
        };
        before = inner[at..at + step].chars().next_back()?;
        at += step;
    }
    None
}

fn run(text: &str, mark: char) -> usize {
    text.chars().take_while(|letter| *letter == mark).count()
}

/// The start of a text, cut on a character.
pub(super) fn bounded(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
