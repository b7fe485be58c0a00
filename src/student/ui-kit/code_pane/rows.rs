//! Lines of code as rows with numbers, colours, notes and the mark of the region.

use super::ptx::{InstructionLine, by_source};
use crate::markdown::spelled;
use crate::prelude::*;
use crate::wrap::{Run, hang, wrap_code, wrap_text};
use std::ops::{Range, RangeInclusive};
use tutor_support::words::spoken_comment;
use unicode_segmentation::UnicodeSegmentation;

/// Minimum cells for notes to the right of the code.
const NOTE_WIDTH: usize = 20;
/// Maximum cells of a line of a note.
const MAX_NOTE_WIDTH: usize = 54;
/// Width from which PTX is to the right of its source line instead of below it.
const BOTH_WIDE: u16 = 96;
/// Maximum number of PTX instructions shown per source line.
const MAX_PTX_LINES: usize = 12;

#[derive(Debug, Clone, Default)]
pub struct Rows {
    pub lines: Vec<Line<'static>>,
    /// Rows of the region that the page is about.
    pub region: Option<Range<usize>>,
}

impl Rows {
    /// Returns the first row to show in a window of `height` rows: the region's start, and two rows before it if they
    /// fit.
    pub fn start(&self, height: usize) -> usize {
        let Some(region) = &self.region else { return 0 };
        let before = height.saturating_sub(region.len()).min(2);
        region.start.saturating_sub(before)
    }

    fn mark(&mut self, from: usize) {
        let first = self.region.as_ref().map_or(from, |region| region.start);
        self.region = Some(first..self.lines.len());
    }
}

pub struct AnnotatedSource<'a> {
    /// The file name, which is the key of its colours.
    pub file: &'a str,
    pub lines: &'a [(u32, &'a str)],
    /// Number of the line that is shown before the first one; 0 if there is none.
    pub before: u32,
    /// Indices of lines with their notes.
    pub notes: &'a [(usize, &'a str)],
    /// Accepts the numbers of the lines that the page is about; None if it is about all lines.
    pub about: Option<&'a dyn Fn(u32) -> bool>,
}

impl AnnotatedSource<'_> {
    fn marked(&self, number: u32) -> bool {
        self.about.is_some_and(|about| about(number))
    }

    /// Returns the number of a line, after a sign if lines of the file before it are not shown: those that mark regions.
    fn label(&self, at: usize, look: &Look) -> String {
        let number = self.lines[at].0;
        let before = at.checked_sub(1).map_or(self.before, |before| self.lines[before].0);
        if number > before + 1 { format!("{}{number}", look.sign("⋮", ":")) } else { number.to_string() }
    }

    fn digits(&self) -> usize {
        self.lines.last().map_or(1, |(number, _)| number.to_string().len()).max(4)
    }
}

pub fn source(code: &AnnotatedSource, width: u16, look: &Look) -> Rows {
    let digits = code.digits();
    let gutter = digits + 3;
    let room = usize::from(width).saturating_sub(gutter).max(8);
    let about = |number: u32| code.about.is_none_or(|about| about(number));
    let longest = code.lines.iter().filter(|(number, _)| about(*number)).map(|(_, text)| text.width()).max();
    let longest = longest.unwrap_or(0);
    let beside = !code.notes.is_empty() && longest + 3 + NOTE_WIDTH <= room;
    let note_at = longest + 2;
    let mut rows = Rows::default();
    for (at, (number, text)) in code.lines.iter().enumerate() {
        let mine = code.notes.iter().filter(|(row, _)| *row == at).map(|(_, note)| *note);
        let marked = code.marked(*number);
        let mut code_rows = cut(coloured(code.file, *number, text, look), room, look);
        let from = rows.lines.len();
        let mut below = Vec::new();
        for note in mine {
            // Only a short first note is next to its line, because a longer one would continue next to the following lines.
            let used = code_rows.first().map_or(room, Line::width);
            let space = if beside && used <= longest { room.saturating_sub(note_at) } else { 0 };
            let whole = note_lines(note, MAX_NOTE_WIDTH, look);
            match (whole.as_slice(), code_rows.as_mut_slice()) {
                ([note], [row]) if note.width() <= space => {
                    row.spans.push(Span::raw(" ".repeat(note_at - used)));
                    row.spans.extend(note.spans.iter().cloned());
                }
                _ => below.extend(notes_below(note, room, gutter, look)),
            }
        }
        rows.lines.extend(with_gutter(code_rows, &code.label(at, look), digits, marked, width, look));
        rows.lines.extend(below);
        if marked {
            rows.mark(from);
        }
    }
    rows
}

/// Lays out the source with the PTX of each line: to the right of the line, or below it if the width is small.
pub(super) fn both(
    code: &AnnotatedSource,
    file: &str,
    text: &str,
    places: &[InstructionLine],
    width: u16,
    look: &Look,
) -> Rows {
    let digits = code.digits();
    let gutter = digits + 3;
    let wide = width >= BOTH_WIDE;
    let left = if wide { usize::from(width) * 11 / 20 } else { usize::from(width) };
    let room = left.saturating_sub(gutter).max(8);
    let compiled: Vec<&str> = text.lines().collect();
    let by_source = by_source(places);
    let mut rows = Rows::default();
    for (at, (number, text)) in code.lines.iter().enumerate() {
        let marked = code.marked(*number);
        let from = rows.lines.len();
        let mut lines = cut(coloured(code.file, *number, text, look), room, look);
        lines = with_gutter(lines, &code.label(at, look), digits, marked, left as u16, look);
        for (_, note) in code.notes.iter().filter(|(row, _)| *row == at) {
            lines.extend(notes_below(note, room, gutter, look));
        }
        let mine = by_source.get(number).map_or(&[][..], Vec::as_slice);
        let ptx_room = if wide { usize::from(width).saturating_sub(left + 3) } else { room.saturating_sub(4) };
        let ptx = instructions(mine, file, &compiled, ptx_room, look);
        if wide {
            let bar = look.span(Meaning::Border, format!(" {} ", look.sign("│", "|")));
            for row in 0..lines.len().max(ptx.len()) {
                let mut line = lines.get(row).cloned().unwrap_or_else(|| blank_row(digits, marked, look));
                line.spans.push(Span::raw(" ".repeat(left.saturating_sub(line.width()))));
                line.spans.push(bar.clone());
                line.spans.extend(ptx.get(row).cloned().unwrap_or_default().spans);
                rows.lines.push(line);
            }
        } else {
            rows.lines.extend(lines);
            rows.lines.extend(ptx.into_iter().map(|line| indented(line, gutter + 4)));
        }
        if marked {
            rows.mark(from);
        }
    }
    rows
}

/// Returns the first instructions of a line, and a count of the others.
fn instructions(mine: &[u32], file: &str, compiled: &[&str], room: usize, look: &Look) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = mine
        .iter()
        .take(MAX_PTX_LINES)
        .filter_map(|number| {
            let text = compiled.get(*number as usize - 1)?;
            let mut runs = coloured(file, *number, text, look);
            let mut blank = text.len() - text.trim_start().len();
            // Removes the indentation, and replaces each tab inside by one blank.
            for (_, run) in &mut runs {
                let cut = if blank > 0 { run.len() - run.trim_start().len() } else { 0 };
                blank = if cut == run.len() { blank } else { 0 };
                *run = run[cut..].replace('\t', " ");
            }
            let mut line = cut(runs, 1000, look).into_iter().next()?;
            shorten(&mut line, room, look);
            Some(line)
        })
        .collect();
    if mine.len() > MAX_PTX_LINES {
        let more = t!("code-more-ptx", count = mine.len() - MAX_PTX_LINES);
        lines.push(Line::from(look.span(Meaning::Muted, format!("{} {more}", look.sign("…", "...")))));
    }
    lines
}

/// Lays out PTX and marks the instructions of the region.
pub(super) fn ptx(
    file: &str,
    text: &str,
    places: &[InstructionLine],
    region: &RangeInclusive<u32>,
    width: u16,
    look: &Look,
) -> Rows {
    let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
    let digits = lines.len().to_string().len().max(4);
    let room = usize::from(width).saturating_sub(digits + 3).max(8);
    let mut rows = Rows::default();
    let mut places = places.iter().peekable();
    let mut first = None;
    for (number, text) in &lines {
        while places.next_if(|place| place.line < *number).is_some() {}
        let marked = places.peek().is_some_and(|place| place.line == *number && region.contains(&place.source));
        if marked && first.is_none() {
            first = Some(rows.lines.len());
        }
        let runs = coloured(file, *number, text, look);
        rows.lines.extend(with_gutter(cut(runs, room, look), &number.to_string(), digits, marked, width, look));
    }
    // Only the first instruction, because the others of the region may be anywhere below.
    rows.region = first.map(|row| row..row + 1);
    rows
}

fn note_lines(note: &str, width: usize, look: &Look) -> Vec<Line<'static>> {
    let style = look.style(Meaning::Note);
    let sign = look.sign("◂ ", "< ");
    hang(wrap_text(&spelled(note, look), style, width as u16), &Span::styled(sign.to_owned(), style), &Span::raw("  "))
}

/// Returns a note on separate rows.
fn notes_below(note: &str, room: usize, gutter: usize, look: &Look) -> impl Iterator<Item = Line<'static>> {
    let lines = note_lines(note, room.min(MAX_NOTE_WIDTH + 6).saturating_sub(6), look);
    lines.into_iter().map(move |line| indented(line, gutter + 4))
}

fn indented(mut line: Line<'static>, cells: usize) -> Line<'static> {
    line.spans.insert(0, Span::raw(" ".repeat(cells)));
    line
}

/// Adds the line number to a line's first row. Marked rows have a bar and a background.
fn with_gutter(
    rows: Vec<Line<'static>>,
    number: &str,
    digits: usize,
    marked: bool,
    width: u16,
    look: &Look,
) -> Vec<Line<'static>> {
    let style = look.style(if marked { Meaning::Accent } else { Meaning::CodeLineNumber });
    let bar = if marked { look.sign("▌", "#") } else { look.sign("│", "|") };
    let first = Span::styled(format!("{number:>digits$} {bar} "), style);
    let rest = Span::styled(format!("{} {bar} ", " ".repeat(digits)), style);
    let mut rows = hang(rows, &first, &rest);
    if marked {
        for row in &mut rows {
            let blank = usize::from(width).saturating_sub(row.width());
            row.spans.push(Span::raw(" ".repeat(blank)));
            let style = look.style(Meaning::CodeMarked);
            row.spans.iter_mut().skip(1).for_each(|span| span.style = style.patch(span.style));
        }
    }
    rows
}

/// Returns a row without code, to put next to an instruction.
fn blank_row(digits: usize, marked: bool, look: &Look) -> Line<'static> {
    with_gutter(vec![Line::default()], "", digits, marked, 0, look).pop().unwrap_or_default()
}

/// Returns the runs of a line, coloured if its colours are ready, and its comment in the current language.
fn coloured(file: &str, number: u32, text: &str, look: &Look) -> Vec<(Meaning, String)> {
    let runs = look.highlights.line(file, number, text).unwrap_or_else(|| vec![(Meaning::Code, text)]);
    runs.into_iter().map(|(meaning, run)| (meaning, spoken_comment(run).replace('\t', "    "))).collect()
}

/// Truncates a line to `width` cells and marks the cut.
fn shorten(line: &mut Line<'static>, width: usize, look: &Look) {
    if line.width() <= width {
        return;
    }
    let mut room = width.saturating_sub(1);
    let mut kept = Vec::new();
    for span in std::mem::take(&mut line.spans) {
        let mut part = String::new();
        for grapheme in span.content.graphemes(true) {
            if grapheme.width() > room {
                room = 0;
                break;
            }
            room -= grapheme.width();
            part.push_str(grapheme);
        }
        kept.push(Span::styled(part, span.style));
        if room == 0 {
            break;
        }
    }
    kept.push(look.span(Meaning::Muted, look.sign("…", "~").to_owned()));
    line.spans = kept;
}

/// Breaks runs into rows of `width` cells. The rows after the first are indented further.
fn cut(runs: Vec<(Meaning, String)>, width: usize, look: &Look) -> Vec<Line<'static>> {
    let runs: Vec<Run> =
        runs.into_iter().map(|(meaning, run)| Run::new(spelled(&run, look), look.style(meaning))).collect();
    wrap_code(&runs, width)
}
