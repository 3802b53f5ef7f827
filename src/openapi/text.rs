//! Text of a description made fit for a model and a terminal: links and HTML tags taken out,
//! entities resolved, blanks joined, control and invisible characters dropped, cut. Descriptions lose
//! the marks of Markdown too. Knows nothing of what the text is about.

use super::markdown::{bounded, line_mark, marks};
use crate::model::credential;

/// Tags that real descriptions use; anything else in angle brackets is a placeholder and stays.
const BLOCKS: &[&str] = &[
    "p",
    "br",
    "li",
    "ul",
    "ol",
    "div",
    "tr",
    "td",
    "th",
    "table",
    "tbody",
    "thead",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "dl",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "details",
    "summary",
    "section",
];
const INLINES: &[&str] = &[
    "a", "b", "i", "u", "em", "strong", "code", "span", "sup", "sub", "small", "img", "font", "kbd", "s", "var", "tt", "aside", "mark",
];
/// Longest tag or link address that is looked through.
const LONGEST: usize = 600;

/// The text in one line of at most `most` characters; a cut ends in `…`. What looks like a key
/// becomes `***`.
pub fn clean(text: &str, most: usize) -> String {
    masked(one_line(text, most, false))
}

/// Like [`clean`], for what is written in Markdown: without the marks around its words.
pub(super) fn prose(text: &str, most: usize) -> String {
    masked(one_line(text, most, true))
}

fn masked(line: String) -> String {
    let keys: Vec<_> = credential::find(&line).collect();
    keys.iter().rev().fold(line.clone(), |mut masked, key| {
        masked.replace_range(key.clone(), "***");
        masked
    })
}

fn one_line(text: &str, most: usize, markdown: bool) -> String {
    let mut line = Line::new(most);
    let mut at = 0;
    // Where marks end that were open: what stands there is no text.
    let mut closings: Vec<(usize, usize)> = Vec::new();
    let (mut linked, mut raw) = (0, 0);
    while at < text.len() && !line.full() {
        if let Some(open) = closings.iter().position(|(close, _)| *close == at) {
            at = closings.swap_remove(open).1;
            continue;
        }
        let rest = &text[at..];
        let Some(letter) = rest.chars().next() else { break };
        if markdown && at >= raw {
            if let Some(length) = line_mark(text, at) {
                line.gap = true;
                at += length;
                continue;
            }
            if let Some(marks) = marks(text, at) {
                closings.push(marks.close);
                raw = if marks.raw { marks.close.0 } else { raw };
                at += marks.open;
                continue;
            }
            let escape = letter == '\\' && rest[1..].starts_with(['*', '_', '`']);
            if escape || letter == '!' && at >= linked && link_at(text, at + 1).is_some() {
                at += 1;
                continue;
            }
        }
        at += match letter {
            letter if at < raw => {
                line.push(letter);
                letter.len_utf8()
            }
            '[' if at >= linked && link_at(text, at).is_some() => {
                let (close, end) = link_at(text, at).unwrap_or((at, at));
                closings.push((close, end));
                linked = end;
                1
            }
            '<' if tag_at(rest).is_some() => tag_at(rest).map_or(1, |(length, block)| {
                line.gap |= block;
                length
            }),
            '&' if entity_at(rest).is_some() => entity_at(rest).map_or(1, |(length, letter)| {
                line.push(letter);
                length
            }),
            letter => {
                line.push(letter);
                letter.len_utf8()
            }
        };
    }
    line.finish()
}

struct Line {
    out: String,
    count: usize,
    most: usize,
    gap: bool,
}

impl Line {
    fn new(most: usize) -> Self {
        Self {
            out: String::new(),
            count: 0,
            most,
            gap: false,
        }
    }

    fn full(&self) -> bool {
        self.count > self.most
    }

    fn push(&mut self, letter: char) {
        if letter.is_whitespace() {
            self.gap = true;
        } else if !is_invisible(letter) {
            if self.gap && self.count > 0 {
                self.out.push(' ');
                self.count += 1;
            }
            self.gap = false;
            self.out.push(letter);
            self.count += 1;
        }
    }

    fn finish(mut self) -> String {
        if self.full() {
            let end = self.out.char_indices().nth(self.most.saturating_sub(1)).map_or(0, |(at, _)| at);
            self.out.truncate(end);
            self.out.truncate(self.out.trim_end().len());
            self.out.push('…');
        }
        self.out
    }
}

/// Control characters and those that hide or turn text around.
fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// `[text](address)` at `open`: where the text ends and where the address ends.
fn link_at(text: &str, open: usize) -> Option<(usize, usize)> {
    let window = bounded(text.get(open..)?, LONGEST);
    window.starts_with('[').then_some(())?;
    let close = window.find(']')?;
    let address = window[close + 1..].strip_prefix('(')?;
    let end = address.find(')')?;
    let inner = &window[1..close];
    (!inner.contains('[') && !inner.is_empty()).then_some((open + close, open + close + 2 + end + 1))
}

/// An HTML tag or comment: its length and whether it breaks the line.
fn tag_at(rest: &str) -> Option<(usize, bool)> {
    let window = bounded(rest, LONGEST);
    if window.starts_with("<!--") {
        return window.find("-->").map(|end| (end + 3, true));
    }
    let end = window.find('>')?;
    let inner = window[1..end].trim_start_matches('/');
    let name: String = inner
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    let after = inner[name.len()..].chars().next();
    if !after.is_none_or(|letter| letter.is_whitespace() || letter == '/') {
        return None;
    }
    let block = BLOCKS.contains(&name.as_str());
    (block || INLINES.contains(&name.as_str())).then_some((end + 1, block))
}

fn entity_at(rest: &str) -> Option<(usize, char)> {
    [
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&amp;", '&'),
        ("&quot;", '"'),
        ("&#39;", '\''),
        ("&apos;", '\''),
        ("&nbsp;", ' '),
    ]
    .into_iter()
    .find(|(name, _)| rest.starts_with(name))
    .map(|(name, letter)| (name.len(), letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_goes_and_words_stay() {
        for (text, expected) in [
            ("See [the *docs*](https://x.example/a) now", "See the *docs* now"),
            (" a\r\n\tb  c ", "a b c"),
            ("<p>One</p><p>two <b>bo</b>ld</p>", "One two bold"),
            ("Bearer <token> or <your key>", "Bearer <token> or <your key>"),
            ("\u{1b}[31mred\u{200b} text", "[31mred text"),
            ("a &amp; b &lt;c&gt;", "a & b <c>"),
            ("[x] not a link", "[x] not a link"),
            ("{{name}}", "{{name}}"),
        ] {
            assert_eq!(clean(text, 160), expected);
        }
    }

    #[test]
    fn markdown_goes_and_words_stay() {
        for (text, expected) in [
            ("**Note**: see [the *docs*](https://x.example/a) now", "Note: see the docs now"),
            ("**Returns json on error.**", "Returns json on error."),
            ("**Note:**This is ***very*** new, *really*.", "Note:This is very new, really."),
            (
                "**bold with *more* inside** and `code *as* is`",
                "bold with more inside and code *as* is",
            ),
            ("_Deprecated_ and __Note well__", "Deprecated and Note well"),
            ("`` a`b `` and `<id>`", "a`b and <id>"),
            (
                "# 🔄 Again\n# Overview\n\nText\n### Get `it` all\nmore",
                "🔄 Again Overview Text Get it all more",
            ),
            ("Title\n=====\none\n\n---\n\ntwo", "Title one two"),
            ("```json\n{\"a\": 1}\n```\nend", "{\"a\": 1} end"),
            ("![logo](https://x.example/i.png) <https://x.example/a>", "logo https://x.example/a"),
            ("请**注意**这里", "请注意这里"),
            ("a\\_b \\*c\\*", "a_b *c*"),
            ("* one\n* two", "* one * two"),
        ] {
            assert_eq!(prose(text, 160), expected, "{text}");
        }
    }

    #[test]
    fn what_may_be_a_word_stays() {
        for text in [
            "# of items",
            "_id, __typename__ and _links_ of snake_case_names",
            "2 * 3 * 4, 2*3*4, x**2 and y**3",
            "*.example.com and *.test.com",
            "/a/*, /b/** and prefix* or *suffix",
            "**kwargs and *args",
            "a lone ` tick and ** stars",
            "C# and F#",
            "~/*.{a,b}*/",
            "{{name}} [x] not a link",
        ] {
            assert_eq!(prose(text, 160), text);
        }
    }

    /// However often marks open, the time is that of the letters shown.
    #[test]
    fn marks_without_an_end_are_bounded() {
        let text = "*a _B `c ".repeat(100_000);
        assert_eq!(prose(&text, 160).chars().count(), 160);
        let text = "**a**".repeat(100_000);
        assert_eq!(prose(&text, 160).chars().count(), 160);
    }

    #[test]
    fn a_long_text_is_cut_on_a_character() {
        assert_eq!(clean("abcdef", 6), "abcdef");
        assert_eq!(clean("abcdefg", 6), "abcde…");
        assert_eq!(clean("éééé ééé", 6), "éééé…");
        assert_eq!(clean(&"x".repeat(1_000_000), 160).chars().count(), 160);
    }
}
