/*! One file a screen. Each has its state, `actions` (what works now), `act`, and `render`.

A screen changes only itself; what it wants beyond that it returns as [`super::effect::Effect`]s.
*/

pub mod code_pane;
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

use super::action::Action;
use super::look::Look;
use super::world::World;
use ratatui::layout::{Rect, Size};

/// What a screen sees when it acts.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Course, kernels, progress.
    pub world: &'a World,
    /// How things look.
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
    /// The text.
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
