//! The rows of an instrument, collected from the top and drawn at once.

use crate::look::{Look, pad, pad_left, two_ends};
use crate::theme::Meaning;
use crate::wrap::wrap_text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// Rows to be drawn into an area, top down.
pub(super) struct Sheet<'l> {
    pub(super) look: &'l Look<'l>,
    pub(super) width: u16,
    rows: Vec<Line<'static>>,
    /// Rows that are a drawing and not words, by their numbers.
    drawn: Vec<usize>,
}

impl<'l> Sheet<'l> {
    pub(super) fn new(look: &'l Look<'l>, width: u16) -> Self {
        Self { look, width, rows: Vec::new(), drawn: Vec::new() }
    }

    /// What is shown on the left, `result` on the right. What the picture is called stands above it, on the page.
    pub(super) fn title(&mut self, what: &str, result: Vec<Span<'static>>) {
        let left = vec![self.look.span(Meaning::Title, format!(" {what}"))];
        self.ends(left, result);
    }

    /// Left and right text on one row, a blank at both edges; the left gives way.
    pub(super) fn ends(&mut self, left: Vec<Span<'static>>, mut right: Vec<Span<'static>>) {
        right.push(Span::raw(" "));
        self.rows.push(two_ends(left, right, self.width));
    }

    /// Rows so far.
    pub(super) fn len(&self) -> u16 {
        self.rows.len() as u16
    }

    pub(super) fn blank(&mut self) {
        self.rows.push(Line::default());
    }

    pub(super) fn rule(&mut self, title: &str) {
        self.rows.push(self.look.rule(title, Meaning::Muted, self.width));
    }

    pub(super) fn row(&mut self, spans: Vec<Span<'static>>) {
        self.rows.push(Line::from(spans));
    }

    /// A row that is not said where the picture is said in words.
    pub(super) fn drawn(&mut self, spans: Vec<Span<'static>>) {
        self.drawn.push(self.rows.len());
        self.row(spans);
    }

    /// A sentence in one meaning, wrapped, with a blank before each row.
    pub(super) fn text(&mut self, meaning: Meaning, text: &str) {
        for row in wrap(&self.spelled(text), usize::from(self.width).saturating_sub(2)) {
            self.rows.push(Line::from(self.look.span(meaning, format!(" {row}"))));
        }
    }

    /// Adds a sentence that says what is wrong, behind its sign.
    pub(super) fn error(&mut self, text: &str) {
        self.text(Meaning::Wrong, &format!("{} {text}", self.look.sign("✘", "x")));
    }

    /// A label in a column of its own, then a sentence, wrapped behind the label.
    pub(super) fn labelled(&mut self, label: &str, meaning: Meaning, text: &str) {
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

    /// Text in the signs that the terminal has, before it is broken into rows.
    fn spelled<'t>(&self, text: &'t str) -> std::borrow::Cow<'t, str> {
        if self.look.ascii { to_ascii(text).into() } else { text.into() }
    }

    /// Draws the rows; what does not fit is cut.
    pub(super) fn draw(self, frame: &mut Frame, area: Rect) {
        crate::look::draw(frame, area, self.into_rows());
    }

    /// The rows, in the signs that the terminal has.
    pub(super) fn into_rows(mut self) -> Vec<Line<'static>> {
        if self.look.ascii {
            for span in self.rows.iter_mut().flat_map(|row| &mut row.spans) {
                if !span.content.is_ascii() {
                    span.content = to_ascii(&span.content).into();
                }
            }
        }
        self.rows
    }

    /// The rows as text, without those that are empty.
    pub(super) fn lines(self) -> Vec<String> {
        let text = self.into_rows().into_iter().map(|row| row.to_string().trim().to_owned());
        text.filter(|row| !row.is_empty()).collect()
    }

    /// The rows in words: without drawings, bars and cursors.
    pub(super) fn into_words(mut self) -> Vec<String> {
        let drawn = std::mem::take(&mut self.drawn);
        let sign = |c: char| matches!(c, '─'..='▟' | '▸' | '◂');
        let word = |word: &&str| !word.contains(sign) && !word.starts_with("··");
        let rows = self.into_rows().into_iter().enumerate().filter(|(at, _)| !drawn.contains(at));
        let said = rows.map(|(_, row)| row.to_string().split_whitespace().filter(word).collect::<Vec<_>>().join(" "));
        said.filter(|row| !row.is_empty()).collect()
    }
}

/// Cells of a row that is said and not drawn: no sentence is wrapped.
pub(super) const DESCRIBE_WIDTH: u16 = 400;

/// What is written, in words.
pub(super) fn describe(write: impl FnOnce(&mut Sheet)) -> Vec<String> {
    super::with_mono_look(|look| {
        let mut sheet = Sheet::new(look, DESCRIBE_WIDTH);
        write(&mut sheet);
        sheet.into_words()
    })
}

/// The rows of what is written at a width.
pub(super) fn rows(width: u16, write: impl FnOnce(&mut Sheet)) -> u16 {
    super::with_mono_look(|look| {
        let mut sheet = Sheet::new(look, width);
        write(&mut sheet);
        sheet.len()
    })
}

/// Typographic and drawn signs in ASCII: an arrow is `->`, all others are one character, so that columns stay where they are.
///
/// Letters of other scripts pass: a terminal that is set to ASCII drawing still shows its own language.
pub(super) fn to_ascii(text: &str) -> String {
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
            '▲' => '!',
            c => c,
        });
    }
    out
}

/// The rows of a sentence in `width` cells; one blank row of an empty one.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let rows: Vec<String> = wrap_text(text, Style::new(), width as u16).iter().map(Line::to_string).collect();
    if rows.is_empty() { vec![String::new()] } else { rows }
}

/// Returns the sign of the lanes in a mask, `cell` cells wide.
///
/// One lane is a digit or, from 10 on, a letter; three cells hold its number. Several lanes are a star.
pub(super) fn lane_name(lanes: u32, cell: usize) -> String {
    let lane = lanes.trailing_zeros();
    let name = match (lanes.count_ones(), cell) {
        (1, 0..=2) => char::from_digit(lane, 32).map_or_else(String::new, String::from),
        (1, _) => lane.to_string(),
        _ => "*".to_owned(),
    };
    pad_left(&name, cell)
}

/// Returns the part of `area` from column `x` and row `y` on.
pub(super) fn rest(area: Rect, x: usize, y: usize) -> Rect {
    let (x, y) = ((x as u16).min(area.width), (y as u16).min(area.height));
    Rect { x: area.x + x, y: area.y + y, width: area.width - x, height: area.height - y }
}

/// Cells of a picture: neighbours of one style become one span.
pub(super) struct Cells {
    spans: Vec<Span<'static>>,
}

impl Cells {
    pub(super) fn new() -> Self {
        Self { spans: Vec::new() }
    }

    pub(super) fn push(&mut self, text: &str, style: Style) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => self.spans.push(Span::styled(text.to_owned(), style)),
        }
    }

    pub(super) fn done(self) -> Vec<Span<'static>> {
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
        let rows = crate::with_mono_look(|look| {
            let mut sheet = Sheet::new(look, 14);
            sheet.labelled("cure", Meaning::Text, "an odd pitch");
            sheet.into_rows().iter().map(ToString::to_string).collect::<Vec<_>>()
        });
        assert_eq!(rows, [" cure an odd", "      pitch"]);
    }
}
