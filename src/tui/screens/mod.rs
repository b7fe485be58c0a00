/*! One file per screen, which implements [`Component`]. A new one is a file here and a line in [`super::app::Screen`].

A screen changes only itself. It returns every other wish as an [`Effect`].
*/

pub mod gate;
pub mod glossary;
pub mod help;
pub mod instrument;
pub mod lesson;
pub mod map;
pub mod outcome;
pub mod pages;
pub mod palette;
pub mod problem;
pub mod problems;
pub mod quiz;
pub mod search;
pub mod variants;
pub mod workshop;

use super::app_data::AppData;
use super::effect::Effect;
use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};
use std::time::Duration;
use tutor_pictures::Picture;
use tutor_pictures::action::Action;
use tutor_pictures::code::HighlightRequest;
use tutor_pictures::look::Look;

/// What a screen sees when it acts.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub data: &'a AppData,
    pub look: Look<'a>,
    /// Of the terminal.
    pub size: Size,
}

/// Something that can be clicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A row of a list: the cursor goes there, and opens it if it was there.
    Row(usize),
    /// A choice of a question.
    Choice(usize),
    /// The instrument; it gets the place.
    Instrument,
    Text,
    /// A key of the key bar: the same as pressing it.
    Action(Action),
}

/// Collects where things are drawn that can be clicked.
pub type Hits = Vec<(Rect, Hit)>;

/// Rows of a terminal from which on the row above the key bar is kept free, for what is to be said meanwhile.
const ROOMY: u16 = 28;

/// The whole terminal without the key bar and, where there is room, the row above it.
pub fn body_of(size: Size) -> Rect {
    let below = if size.height >= ROOMY { 2 } else { 1 };
    Rect::new(0, 0, size.width, size.height.saturating_sub(below))
}

/// First row of a list of `count` rows in `room`, so that `cursor` shows with what surrounds it.
pub fn first_row(cursor: usize, count: usize, room: usize) -> usize {
    if count <= room { 0 } else { cursor.saturating_sub(room / 2).min(count - room) }
}

/// What a screen can do. A default means that it has nothing of the kind.
pub trait Component {
    /// What works now, most important first.
    fn actions(&self, context: &Context) -> Vec<Action>;

    /// Does one of [`Self::actions`].
    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect>;

    /// Draws the screen into the terminal without its last line.
    fn render(&self, frame: &mut Frame, context: &Context, hits: &mut Hits);

    /// The screen as lines of at most `width` cells.
    fn text_lines(&self, width: u16, context: &Context) -> Vec<String>;

    /// What is on the screen, for the reader of lines: another place is read from its beginning.
    fn location(&self) -> String {
        String::new()
    }

    /// The signs on the screen and their meanings.
    fn signs(&self, _: &Context) -> Vec<help::Sign> {
        Vec::new()
    }

    /// True if a text field has the keys. They go to [`Self::key`] first.
    fn editing(&self) -> bool {
        false
    }

    /// Handles a key for the text field; none if it means nothing there.
    fn key(&mut self, _: KeyEvent, _: &Context) -> Option<Vec<Effect>> {
        None
    }

    /// Pastes into the text field; none if each character is to be typed.
    fn paste(&mut self, _: &str, _: &Context) -> Option<Vec<Effect>> {
        None
    }

    /// Handles a click.
    fn click(&mut self, _: Hit, _: Position, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Scrolls, or moves the cursor; down is positive.
    fn scroll_by(&mut self, _rows: isize, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// Rows that [`Self::take`] takes by their numbers.
    fn rows_to_take(&self, _: &Context) -> usize {
        0
    }

    /// Chooses or opens a row by its index.
    fn take(&mut self, _row: usize, _: &Context) -> Vec<Effect> {
        Vec::new()
    }

    /// The picture on the screen.
    fn picture(&mut self) -> Option<&mut dyn Picture> {
        None
    }

    /// True if the screen wants ticks.
    fn animating(&self) -> bool {
        false
    }

    /// Lets time pass; true if the screen now looks different.
    fn tick(&mut self, now: Duration) -> bool {
        self.picture().is_some_and(|picture| picture.animating() && picture.tick(now))
    }

    /// Code on the screen, to be coloured.
    fn wants(&self, _: &Context) -> Vec<HighlightRequest> {
        Vec::new()
    }

    /// Takes over the words of a course that was read again.
    fn reword(&mut self, _: &AppData) {}

    /// Notes what every message may have completed.
    fn note_done(&mut self, _: &Context) -> Vec<Effect> {
        Vec::new()
    }
}
