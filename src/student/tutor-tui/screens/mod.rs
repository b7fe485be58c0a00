/*! The screens, one file each. A new screen is a file here that implements [`Component`], and a line in [`super::app::Screen`].

A screen changes only itself. It returns everything else as [`Effect`]s.
*/

pub mod gate;
pub mod glossary;
pub mod help;
pub mod lesson;
pub mod map;
pub mod outcome;
pub mod pages;
pub mod palette;
pub mod picture_screen;
pub mod problem;
pub mod problems;
pub mod quiz;
pub mod search;
pub mod variants;
pub mod welcome;
pub mod workshop;

use crate::app::Saving;
use crate::prelude::*;
use jiff::Zoned;
use ratatui::widgets::Clear;
use std::time::Duration;
use tutor_pictures::Picture;
use ui_kit::action::Key;
use ui_kit::code::HighlightRequest;
use ui_kit::look::draw;
use ui_kit::wrap::hang;

/// What a screen may read when it acts or draws.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub data: &'a AppData,
    /// What is not saved yet.
    pub saving: &'a Saving,
    pub look: Look<'a>,
    pub size: Size,
    /// When the tutor started.
    pub started: &'a Zoned,
}

impl Context<'_> {
    /// Returns the time in the student's time zone.
    pub fn time(&self) -> Zoned {
        self.started.saturating_add(self.look.now)
    }
}

/// Something that can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A row of a list. A click moves the cursor there, or opens the row if the cursor is already there.
    Row(usize),
    /// A choice of a question.
    Choice(usize),
    /// The picture, which gets the position of the click.
    Picture,
    Text,
    /// A key of the key bar. A click acts like the key.
    Action(Action),
}

/// Areas that can be clicked.
pub type Hits = Vec<(Rect, Hit)>;

/// Minimum height of a terminal in which the row above the key bar stays free for messages.
const ROOMY: u16 = 28;

/// Returns the terminal's area without the key bar and, in a high terminal, the row above it.
pub fn body_of(size: Size) -> Rect {
    let below = if size.height >= ROOMY { 2 } else { 1 };
    Rect::new(0, 0, size.width, size.height.saturating_sub(below))
}

/// Returns [`body_of`] without a column at each side.
pub fn inner_of(size: Size) -> Rect {
    let body = body_of(size);
    Rect { x: 1, width: body.width.saturating_sub(2), ..body }
}

/// Moves a cursor by one or more rows in a list of `count` rows; after the last row comes the first.
///
/// Without a cursor, a step forward leads to the first row, and a step back to the last.
pub fn step(at: Option<usize>, by: isize, count: usize) -> usize {
    match at {
        _ if count == 0 => 0,
        Some(at) => (at as isize + by).rem_euclid(count as isize) as usize,
        None if by < 0 => count - 1,
        None => 0,
    }
}

/// Returns the actions that select `count` choices by letter.
pub fn letters(count: usize) -> impl Iterator<Item = Action> {
    (0..count.min(8)).map(|at| Action::Choose(at as u8))
}

/// Indents lines by a number of cells.
pub fn indent(lines: Vec<Line<'static>>, cells: usize) -> Vec<Line<'static>> {
    let margin = Span::raw(" ".repeat(cells));
    hang(lines, &margin, &margin)
}

/// Draws the lines that are visible in an area that is scrolled by `scroll` rows.
pub fn draw_scrolled(frame: &mut Frame, area: Rect, lines: &[Line<'static>], scroll: usize) {
    draw(frame, area, lines.iter().skip(scroll).take(area.height.into()).cloned().collect());
}

/// Makes a row clickable if it is visible in an area that is scrolled by `scroll` rows.
pub fn hit_row(hits: &mut Hits, area: Rect, scroll: usize, row: usize, hit: Hit) {
    if let Some(y) = row.checked_sub(scroll).filter(|y| *y < usize::from(area.height)) {
        hits.push((Rect { y: area.y + y as u16, height: 1, ..area }, hit));
    }
}

/// Draws a mark into the lower right corner of an area: `below` lines below it are hidden, e.g. ` ▼ 3 more `.
///
/// A line that would continue under the mark is hidden, too, because half a line can be misread.
pub fn mark_below(frame: &mut Frame, area: Rect, below: usize, text: impl Fn(usize) -> String, look: &Look) {
    let mark = |below| format!(" {} {} ", look.sign("▼", "v"), text(below));
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1.min(area.height), ..area };
    let corner = |mark: &str| {
        let width = (mark.width() as u16).min(row.width);
        Rect { x: row.right() - width, width, ..row }
    };
    let mut shown = mark(below);
    let from = corner(&shown).x.saturating_sub(1);
    let mut under =
        (from..row.right()).filter_map(|x| frame.buffer_mut().cell((x, row.y)).map(|cell| cell.symbol() != " "));
    if area.height > 2 && under.any(|drawn| drawn) {
        frame.render_widget(Clear, row);
        shown = mark(below + 1);
    }
    draw(frame, corner(&shown), vec![Line::styled(shown, look.style(Meaning::Warning))]);
}

/// Returns the first visible row of a list of `count` rows in `room` rows, so that `cursor` is near the middle.
pub fn first_row(cursor: usize, count: usize, room: usize) -> usize {
    if count <= room { 0 } else { cursor.saturating_sub(room / 2).min(count - room) }
}

/// The methods of a screen. The defaults suit a screen without that feature.
pub trait Component {
    /// Returns the actions that work now, the most important first.
    fn actions(&self, context: &Context) -> Vec<Action>;

    /// Does one of [`Self::actions`].
    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect>;

    /// Draws the screen, except for the last line of the terminal.
    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits);

    /// Describes the screen in lines of at most `width` cells.
    fn text_lines(&self, width: u16, context: &Context) -> Vec<String>;

    /// Identifies the content of the screen. The line-by-line tutor prints a new location from its beginning.
    fn location(&self) -> String {
        String::new()
    }

    /// Returns the signs on the screen and their meanings.
    fn signs(&self, _: &Context) -> Vec<help::Sign> {
        Vec::new()
    }

    /// True if keys go to a text field, that is, to [`Self::key`] first.
    fn editing(&self) -> bool {
        false
    }

    /// Handles a key for the text field. Returns `None` if the key means nothing there.
    fn key(&mut self, _: KeyEvent, _: &Context) -> Option<Vec<Effect>> {
        None
    }

    /// Pastes into the text field. Returns `None` if the characters are to be typed one by one.
    fn paste(&mut self, _: &str, _: &Context) -> Option<Vec<Effect>> {
        None
    }

    /// Explains why a key does nothing here. `None` if there is no particular reason.
    fn silent(&self, _: Key, _: &Context) -> Option<String> {
        None
    }

    /// Handles a click at a position.
    fn click(&mut self, _: Hit, _: Position, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Scrolls or moves the cursor; down is positive.
    fn scroll_by(&mut self, _rows: isize, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Returns the number of rows that the student can choose by number.
    fn rows_to_take(&self, _: &Context) -> usize {
        0
    }

    /// Chooses or opens the row with this index.
    fn take(&mut self, _row: usize, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    fn picture(&mut self) -> Option<&mut dyn Picture> {
        None
    }

    /// True if the screen needs ticks.
    fn animating(&self) -> bool {
        false
    }

    /// Lets time pass. Returns true if the screen now looks different.
    fn tick(&mut self, now: Duration) -> bool {
        self.picture().is_some_and(|picture| picture.animating() && picture.tick(now))
    }

    /// Returns the code on the screen that needs colours.
    fn wants(&self, _: &Context) -> Vec<HighlightRequest> {
        Vec::new()
    }

    /// Updates texts that were copied from the course, after it was read again.
    fn reword(&mut self, _: &AppData) {}

    /// Checks, after every message, whether the student has completed something.
    fn note_done(&mut self, _: &Context) -> Vec<Effect> {
        Vec::new()
    }
}
