//! The rows of a picture, collected from the top and drawn together.

use crate::look::two_ends;
use crate::prelude::*;
use crate::wrap::wrap_text;

/// Rows to be drawn into an area, from the top.
pub struct Sheet<'l> {
    pub look: &'l Look<'l>,
    pub width: u16,
    rows: Vec<Line<'static>>,
    /// Indices of rows that are drawings, not text.
    drawn: Vec<usize>,
}

impl<'l> Sheet<'l> {
    pub fn new(look: &'l Look<'l>, width: u16) -> Self {
        Self { look, width, rows: Vec::new(), drawn: Vec::new() }
    }

    /// Adds the title row: the subject on the left, `result` on the right. The page itself shows the picture's name.
    pub fn title(&mut self, what: &str, result: Vec<Span<'static>>) {
        let left = vec![self.look.span(Meaning::Title, format!(" {what}"))];
        self.ends(left, result);
    }

    /// Adds left and right text on one row, with a blank at both edges. The left text is truncated if necessary.
    pub fn ends(&mut self, left: Vec<Span<'static>>, mut right: Vec<Span<'static>>) {
        right.push(Span::raw(" "));
        self.rows.push(two_ends(left, right, self.width));
    }

    pub fn height(&self) -> u16 {
        self.rows.len() as u16
    }

    pub fn blank(&mut self) {
        self.rows.push(Line::default());
    }

    pub fn rule(&mut self, title: &str) {
        self.rows.push(self.look.rule(title, Meaning::Muted, self.width));
    }

    pub fn row(&mut self, spans: Vec<Span<'static>>) {
        self.rows.push(Line::from(spans));
    }

    /// Adds a row that [`Self::into_words`] leaves out.
    pub fn drawn(&mut self, spans: Vec<Span<'static>>) {
        self.drawn.push(self.rows.len());
        self.row(spans);
    }

    /// Adds a wrapped sentence in one meaning, with a blank before each row.
    pub fn text(&mut self, meaning: Meaning, text: &str) {
        for row in wrap(&self.spelled(text), usize::from(self.width).saturating_sub(2)) {
            self.rows.push(Line::from(self.look.span(meaning, format!(" {row}"))));
        }
    }

    /// Adds an error message with its sign.
    pub fn error(&mut self, text: impl std::fmt::Display) {
        self.text(Meaning::Wrong, &format!("{} {text}", self.look.sign("✘", "x")));
    }

    /// Adds a sentence that is wrapped to the right of its label.
    pub fn labelled(&mut self, label: &str, meaning: Meaning, text: &str) {
        let column = label.width() + 1;
        let rows = wrap(&self.spelled(text), usize::from(self.width).saturating_sub(column + 2));
        for (at, row) in rows.into_iter().enumerate() {
            let head = if at == 0 { label } else { "" };
            self.rows.push(Line::from(vec![
                self.look.span(Meaning::Muted, format!(" {} ", pad(head, column - 1))),
                self.look.span(meaning, row),
            ]));
        }
    }

    /// Adds a row of signs with their meanings, `gap` cells apart. Entries that do not fit are left out.
    pub fn legend(&mut self, entries: Vec<(&str, Meaning, String)>, gap: usize) {
        let (mut spans, mut used) = (Vec::new(), 0);
        for (sign, meaning, text) in entries {
            used += sign.width() + text.width() + 2;
            if used > usize::from(self.width) {
                break;
            }
            used += gap;
            spans.push(self.look.span(meaning, format!(" {sign}")));
            spans.push(self.look.span(Meaning::Muted, format!(" {text}{}", " ".repeat(gap))));
        }
        self.row(spans);
    }

    /// Replaces signs for an ASCII terminal. This happens before wrapping, because it changes widths.
    fn spelled<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        if self.look.ascii { to_ascii(text).into() } else { text.into() }
    }

    /// Draws the rows and clips the rest.
    pub fn draw(self, frame: &mut Frame, area: Rect) {
        crate::look::draw(frame, area, self.into_rows());
    }

    /// Returns the rows, in ASCII if necessary.
    pub fn into_rows(mut self) -> Vec<Line<'static>> {
        if self.look.ascii {
            for span in self.rows.iter_mut().flat_map(|row| &mut row.spans) {
                if !span.content.is_ascii() {
                    span.content = to_ascii(&span.content).into();
                }
            }
        }
        self.rows
    }

    /// Returns the rows that are not empty as text.
    pub fn lines(self) -> Vec<String> {
        let text = self.into_rows().into_iter().map(|row| row.to_string().trim().to_owned());
        text.filter(|row| !row.is_empty()).collect()
    }

    /// Returns the rows as text, without drawings, bars and cursors.
    pub fn into_words(mut self) -> Vec<String> {
        let drawn = std::mem::take(&mut self.drawn);
        let sign = |c: char| matches!(c, '─'..='▟' | '▸' | '◂');
        let word = |word: &&str| !word.contains(sign) && !word.starts_with("··");
        let rows = self.into_rows().into_iter().enumerate().filter(|(at, _)| !drawn.contains(at));
        let text = rows.map(|(_, row)| row.to_string().split_whitespace().filter(word).collect::<Vec<_>>().join(" "));
        text.filter(|row| !row.is_empty()).collect()
    }
}

/// Width for descriptions in words, so large that no sentence is wrapped.
pub const DESCRIBE_WIDTH: u16 = 400;

/// Returns in words what `write` adds to a sheet.
pub fn describe(write: impl FnOnce(&mut Sheet)) -> Vec<String> {
    crate::look::with_mono_look(|look| {
        let mut sheet = Sheet::new(look, DESCRIBE_WIDTH);
        write(&mut sheet);
        sheet.into_words()
    })
}

/// Returns the number of rows that `write` adds to a sheet of this width.
pub fn rows(width: u16, write: impl FnOnce(&mut Sheet)) -> u16 {
    crate::look::with_mono_look(|look| {
        let mut sheet = Sheet::new(look, width);
        write(&mut sheet);
        sheet.height()
    })
}

/// Replaces typographic and drawn signs by ASCII. An arrow becomes `->`; each other sign becomes one character, so that
/// columns stay aligned.
///
/// Letters of other scripts remain, because a terminal without drawing signs still shows its own language.
pub fn to_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '→' {
            out.push('-');
        }
        out.push(match c {
            '·' => '*',
            '×' => 'x',
            '←' | '‹' | '◂' => '<',
            '→' | '›' | '▸' => '>',
            '–' | '—' | '─' | '┄' | '╌' => '-',
            '═' => '=',
            '…' | '±' => '~',
            '↑' => '^',
            '↓' => 'v',
            'µ' => 'u',
            '“' | '”' => '"',
            '│' | '┊' | '▌' | '▐' | '▍' => '|',
            '╭' | '╮' | '╰' | '╯' | '┬' | '┴' | '┼' | '├' | '┤' => '+',
            '█' | '▓' | '■' | '▀' | '▄' => '#',
            '▒' => '%',
            '░' => ':',
            '□' | '∘' => 'o',
            '▪' => 'r',
            '●' => '@',
            '✔' => '+',
            '✘' => 'x',
            '\u{2800}'..='\u{28ff}' => '/',
            '▲' => '!',
            c => c,
        });
    }
    out
}

/// Returns the rows of a sentence in `width` cells; an empty sentence has one empty row.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let rows: Vec<String> = wrap_text(text, Style::new(), width as u16).iter().map(Line::to_string).collect();
    if rows.is_empty() { vec![String::new()] } else { rows }
}

/// Returns the sign of the lanes in a mask, `cell` cells wide.
///
/// A single lane is a digit or, from 10 on, a letter; three cells show its number instead. Several lanes are a star.
pub fn lane_name(lanes: u32, cell: usize) -> String {
    let lane = lanes.trailing_zeros();
    let name = match (lanes.count_ones(), cell) {
        (1, 0..=2) => char::from_digit(lane, 32).map_or_else(String::new, String::from),
        (1, _) => lane.to_string(),
        _ => "*".to_owned(),
    };
    pad_left(&name, cell)
}

/// Returns the part of `area` from column `x` and row `y` on.
pub fn rest(area: Rect, x: usize, y: usize) -> Rect {
    let (x, y) = ((x as u16).min(area.width), (y as u16).min(area.height));
    Rect { x: area.x + x, y: area.y + y, width: area.width - x, height: area.height - y }
}

/// A row of cells. Neighbouring cells with the same style become one span.
#[derive(Default)]
pub struct Cells {
    spans: Vec<Span<'static>>,
}

impl Cells {
    pub fn push(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => self.spans.push(Span::styled(text.to_owned(), style)),
        }
    }

    pub fn done(self) -> Vec<Span<'static>> {
        self.spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_between_words_by_cells() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("공유 메모리 타일", 11), ["공유 메모리", "타일"]);
        assert_eq!(wrap("unbreakable", 4), ["unbr", "eaka", "ble"]);
        assert_eq!(wrap("", 3), [""]);
    }

    #[test]
    fn an_arrow_stays_an_arrow_in_ascii() {
        assert_eq!(to_ascii("even rows → 5 · 1 × 2 … █"), "even rows -> 5 * 1 x 2 ~ #");
    }

    #[test]
    fn a_labelled_sentence_wraps_behind_its_label() {
        let rows = crate::look::with_mono_look(|look| {
            let mut sheet = Sheet::new(look, 14);
            sheet.labelled("cure", Meaning::Text, "an odd pitch");
            sheet.into_rows().iter().map(ToString::to_string).collect::<Vec<_>>()
        });
        assert_eq!(rows, [" cure an odd", "      pitch"]);
    }
}
