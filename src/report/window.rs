//! The part of a source that stands around a finding, small enough to draw: few lines, cropped
//! around the marked text, keys masked, every character visible. A renderer gets a [`Window`]
//! and never the source.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::Look;
use super::sheet::{Place, Sheet};
use super::text::{columns, push, show, wrap};

/// The longest line that is shown whole where nothing wraps.
const WHOLE: usize = 200;
/// Columns of the frame beside a line, without the line number.
const FRAME: usize = 4;
/// From the middle of an underline to the text under it: `╰── `.
const STEM: usize = 4;
const TAB: usize = 4;
/// Columns that a label gets at least.
const LABEL: usize = 24;

/// A place to underline, with the text under it.
pub(super) struct Mark<'s> {
    pub(super) place: &'s Place,
    pub(super) label: Option<&'s str>,
}

/// Neighbouring lines as text, and where in it the marks are.
pub(super) struct Window {
    pub(super) first_line: usize,
    pub(super) text: String,
    pub(super) marks: Vec<Drawn>,
}

/// A mark in the text of a window.
pub(super) struct Drawn {
    pub(super) bytes: Range<usize>,
    pub(super) label: Option<String>,
    /// `path:line:column` of the place in the source.
    pub(super) name: String,
    /// Which of the marks handed in this is.
    pub(super) index: usize,
}

/// One character of a line as it is shown.
struct Cell {
    /// Where the character starts in the source.
    at: usize,
    text: String,
    columns: usize,
}

/// The windows for the marks, that of the first mark first. Marks on near lines share one.
pub(super) fn windows(sheet: &Sheet<'_>, marks: &[Mark<'_>], look: &Look) -> Vec<Window> {
    let mut groups: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for (index, mark) in marks.iter().enumerate() {
        let line = mark.place.start.line;
        let around = line.saturating_sub(1).max(1)..(line + 1).min(sheet.last_line()) + 1;
        let near = |lines: &Range<usize>| around.start <= lines.end && lines.start <= around.end;
        match groups
            .iter_mut()
            .find(|(lines, members)| near(lines) && shares(sheet, marks, members, line))
        {
            Some((lines, members)) => {
                *lines = lines.start.min(around.start)..lines.end.max(around.end);
                members.push(index);
            }
            None => groups.push((around, vec![index])),
        }
    }
    let pen = Pen { sheet, marks, look };
    groups.into_iter().map(|(lines, members)| pen.window(lines, &members)).collect()
}

/// Whether a mark on `line` can stand in the window of the others: a line that is cropped has
/// room for one mark.
fn shares(sheet: &Sheet<'_>, marks: &[Mark<'_>], members: &[usize], line: usize) -> bool {
    let short = sheet.line(line).len() <= Look::PAGE / 2;
    short || members.iter().all(|index| marks[*index].place.start.line != line)
}

struct Pen<'a> {
    sheet: &'a Sheet<'a>,
    marks: &'a [Mark<'a>],
    look: &'a Look,
}

impl Pen<'_> {
    fn window(&self, lines: Range<usize>, members: &[usize]) -> Window {
        let last = self.last_line(&lines, members);
        let room = self.look.width.saturating_sub(FRAME + last.to_string().len()).max(20);
        let mut window = Window {
            first_line: lines.start,
            text: String::new(),
            marks: Vec::new(),
        };
        for line in lines.start..=last {
            let here: Vec<_> = members
                .iter()
                .copied()
                .filter(|index| self.marks[*index].place.start.line == line)
                .collect();
            self.line(&mut window, line, &here, room);
            window.text.push('\n');
        }
        window
    }

    /// The empty line after the last line end is shown only if something is marked there.
    fn last_line(&self, lines: &Range<usize>, members: &[usize]) -> usize {
        let last = lines.end - 1;
        let marked = members.iter().any(|index| self.marks[*index].place.start.line == last);
        let blank = last == self.sheet.last_line() && self.sheet.line(last).is_empty();
        if blank && !marked { last - 1 } else { last }
    }

    fn line(&self, window: &mut Window, line: usize, here: &[usize], room: usize) {
        let bytes = self.sheet.line(line);
        let focus = here.first().map(|index| self.cut(&bytes, self.marks[*index].place));
        let label = here.first().and_then(|index| self.marks[*index].label);
        let (cells, open) = self.cells(&bytes, focus.clone());
        let crop = self.crop(&cells, focus, label, room, open);
        let dots = show("…", self.look.unicode);
        if crop.start > 0 || open.start {
            window.text.push_str(&dots);
        }
        let start = window.text.len();
        for cell in &cells[crop.clone()] {
            window.text.push_str(&cell.text);
        }
        for index in here {
            self.mark(window, &cells[crop.clone()], *index, start, room);
        }
        if crop.end < cells.len() || open.end {
            window.text.push_str(&dots);
        }
    }

    /// The bytes of a place on its first line.
    fn cut(&self, line: &Range<usize>, place: &Place) -> Range<usize> {
        let start = place.bytes.start.min(line.end);
        start..place.bytes.end.min(line.end).max(start)
    }

    /// The line as cells: all of it, or what is near the focus; and whether either end is open.
    fn cells(&self, line: &Range<usize>, focus: Option<Range<usize>>) -> (Vec<Cell>, Open) {
        let text = self.sheet.text();
        let focus = focus.unwrap_or(line.start..line.start);
        let near = self.look.width.max(WHOLE) + 1;
        let before = text[line.start..focus.start].char_indices().rev().take(near).last();
        let start = before.map_or(focus.start, |(at, _)| line.start + at);
        let after = text[focus.start..line.end].char_indices().nth(near);
        let end = after.map_or(line.end, |(at, _)| focus.start + at);
        let mut cells = Vec::new();
        let mut column = 0;
        for (at, letter) in text[start..end].char_indices() {
            let cell = self.cell(start + at, letter, column);
            column += cell.columns;
            cells.push(cell);
        }
        let open = Open {
            start: start > line.start,
            end: end < line.end,
        };
        (cells, open)
    }

    fn cell(&self, at: usize, letter: char, column: usize) -> Cell {
        let mut text = String::new();
        if self.sheet.hides(at) {
            let mask = if self.look.unicode { "•" } else { "*" };
            text = mask.repeat(columns(letter).max(1));
        } else if letter == '\t' {
            text = " ".repeat(TAB - column % TAB);
        } else {
            push(&mut text, letter, self.look.unicode);
        }
        let columns = text.chars().map(columns).sum();
        Cell { at, text, columns }
    }

    /// Which cells fit: all of them if they may, else a stretch that starts a little before the
    /// focus, or nearer where its label needs the room.
    fn crop(&self, cells: &[Cell], focus: Option<Range<usize>>, label: Option<&str>, room: usize, open: Open) -> Range<usize> {
        let paged = self.look.width == Look::PAGE;
        let total: usize = cells.iter().map(|cell| cell.columns).sum();
        let limit = if paged { WHOLE.max(room) } else { room };
        let focus = focus.unwrap_or_default();
        let first = cells.partition_point(|cell| cell.at < focus.start);
        let wide: usize = cells[first..]
            .iter()
            .take_while(|cell| cell.at < focus.end)
            .map(|cell| cell.columns)
            .sum();
        let before: usize = cells[..first].iter().map(|cell| cell.columns).sum();
        let label = label.map_or(0, |label| label.width().min(LABEL) + STEM);
        let fits = total <= limit && !open.start && !open.end;
        if fits && (paged || before + wide / 2 + label <= room) {
            return 0..cells.len();
        }
        let lead = room
            .saturating_sub(wide / 2 + label)
            .min(if total > limit { room / 4 } else { before });
        let dots = columns_of_dots(self.look);
        let start = back(cells, first, lead.saturating_sub(dots));
        let room = if start > 0 || open.start { room - dots } else { room };
        match forth(cells, start, room) {
            end if end == cells.len() && !open.end => start..end,
            _ => start..forth(cells, start, room - dots),
        }
    }

    fn mark(&self, window: &mut Window, cells: &[Cell], index: usize, start: usize, room: usize) {
        let mark = &self.marks[index];
        let offset = |at: usize| {
            start
                + cells
                    .iter()
                    .take_while(|cell| cell.at < at)
                    .map(|cell| cell.text.len())
                    .sum::<usize>()
        };
        let bytes = offset(mark.place.bytes.start)..offset(mark.place.bytes.end);
        if bytes.end == window.text.len() && bytes.is_empty() {
            // A mark after the last character needs something to stand under.
            window.text.push(' ');
        }
        let begin = window.text.rfind('\n').map_or(0, |at| at + 1);
        let middle = window.text[begin..bytes.start].width() + window.text[bytes.clone()].width() / 2;
        window.marks.push(Drawn {
            bytes,
            label: mark.label.map(|label| self.label(label, room.saturating_sub(middle + STEM))),
            name: self.name(mark.place),
            index,
        });
    }

    fn label(&self, label: &str, room: usize) -> String {
        let label = show(label, self.look.unicode);
        if self.look.width == Look::PAGE {
            label
        } else {
            wrap(&label, room.max(LABEL / 2))
        }
    }

    fn name(&self, place: &Place) -> String {
        let name = show(self.sheet.name(), self.look.unicode);
        format!("{name}:{}:{}", place.start.line, place.start.column)
    }
}

/// Whether a line goes on beyond the cells that were taken from it.
#[derive(Clone, Copy)]
struct Open {
    start: bool,
    end: bool,
}

fn columns_of_dots(look: &Look) -> usize {
    if look.unicode { 1 } else { 3 }
}

/// The first cell of a stretch of at most `room` columns that ends before `end`.
fn back(cells: &[Cell], end: usize, room: usize) -> usize {
    let mut used = 0;
    let taken = cells[..end].iter().rev().take_while(|cell| {
        used += cell.columns;
        used <= room
    });
    end - taken.count()
}

/// The cell after a stretch of at most `room` columns that begins at `start`.
fn forth(cells: &[Cell], start: usize, room: usize) -> usize {
    let mut used = 0;
    let taken = cells[start..].iter().take_while(|cell| {
        used += cell.columns;
        used <= room
    });
    start + taken.count()
}
