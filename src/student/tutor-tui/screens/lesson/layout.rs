/*! Layout of a page: where text and picture are.

A text without a picture is a column in the middle. With a picture, on a screen of 110 columns or more, the text is on the
left. On a narrower screen it is above the picture, and the line between them moves: the part that gets the keys also gets
the rows that it needs, and the other part gets the rest. A part that is higher than its area scrolls.
*/

use super::super::body_of;
use super::text::{Flow, flow};
use super::{Focus, Lesson};
use crate::prelude::*;
use std::sync::Arc;

/// Rows of the title and the line below it.
const HEAD: u16 = 2;
/// Maximum width of running text in cells.
pub(super) const MEASURE: u16 = 68;
/// Minimum width of text next to a picture.
const MIN_COLUMN: u16 = 50;
/// Minimum width of text next to a picture that wants to be wider.
const COLUMN_TIGHT: u16 = 46;
/// Cells around and between text and picture that are side by side.
const BETWEEN: u16 = 6;
/// Minimum width of a screen with text and picture side by side.
const SIDE_BY_SIDE: u16 = 110;
/// Minimum width of a screen on which a text without a picture is centred.
const CENTRED: u16 = 90;
/// Minimum rows of code below a text that gets the keys, and below one that asks a question: its choices come first.
const MIN_CODE_ROWS: u16 = 7;
const MIN_CODE_ROWS_ASKED: u16 = 3;
/// Minimum width of a screen with notes next to a text without a picture; then the gap, and the widths of the notes.
const WITH_ASIDE: u16 = 140;
const GUTTER: u16 = 8;
const MIN_ASIDE: u16 = 48;
const MAX_ASIDE: u16 = 64;
/// Minimum free rows for drawing the beginning of a picture that needs more.
const MIN_PICTURE_ROWS: u16 = 7;
/// Minimum visible rows of text while the picture gets the keys.
const MIN_TEXT_ROWS: u16 = 4;
/// Minimum rows of code for the line above it that describes its launch.
const LAUNCH_ROOM: u16 = 5;

/// The areas of a page on the screen.
#[derive(Debug)]
pub struct Layout {
    pub flow: Arc<Flow>,
    pub text: Rect,
    /// Line with the picture's name; empty if there is none.
    pub rule: Rect,
    /// Area next to a text without a picture on a wide screen; else empty.
    pub aside: Rect,
    /// Column between text and picture that are side by side; else empty.
    pub divider: Rect,
    /// Line that describes the launch of the code; empty if there is none.
    pub launch: Rect,
    /// Area of picture or code; its height is 0 if only its name is visible.
    pub picture: Rect,
    /// First visible line of the text.
    pub scroll: usize,
    /// Maximum of `scroll`.
    pub max_scroll: usize,
    /// First visible row of picture or code.
    pub picture_scroll: usize,
    /// Maximum of `picture_scroll`.
    pub max_picture_scroll: usize,
}

/// The areas before the lengths of text and picture are known.
#[derive(Clone, Copy)]
struct Places {
    text: Rect,
    aside: Rect,
    rule: Rect,
    divider: Rect,
    picture: Rect,
}

impl Layout {
    /// True if the end of the text is visible.
    pub fn shows_end(&self) -> bool {
        self.flow.end <= self.scroll + usize::from(self.text.height) && self.text.height > 0
    }

    /// Returns the number of lines of text below its area.
    pub fn below(&self) -> usize {
        self.flow.lines.len().saturating_sub(self.scroll + usize::from(self.text.height))
    }

    /// Returns the number of rows of picture or code below its area.
    pub fn picture_below(&self) -> usize {
        self.max_picture_scroll - self.picture_scroll
    }

    /// True if scrolling moves the picture, false if it moves the text.
    pub fn scrolls_picture(&self, lesson: &Lesson) -> bool {
        lesson.focus == Focus::Picture && self.max_picture_scroll > 0
    }

    /// Returns position and maximum of the part that scrolls.
    pub fn scrolled(&self, lesson: &Lesson) -> (usize, usize) {
        match self.scrolls_picture(lesson) {
            true => (self.picture_scroll, self.max_picture_scroll),
            false if self.text.height == 0 => (0, 0),
            false => (self.scroll, self.max_scroll),
        }
    }

    /// True if only the picture is below the title. The text has no rows and needs no heading.
    pub fn picture_alone(&self) -> bool {
        self.text.height == 0 && self.rule.height > 0 && self.rule.y < HEAD
    }

    /// True if text and picture are side by side.
    pub fn side_by_side(&self) -> bool {
        self.divider.height > 0
    }
}

pub fn of(lesson: &Lesson, context: &Context) -> Layout {
    let screen = body_of(context.size);
    let body = Rect { y: HEAD, height: screen.height.saturating_sub(HEAD), ..screen };
    let (flow, places) = if !lesson.has_picture() {
        let (text, aside) = alone(body);
        (flow_in(lesson, context, text), Places { text, aside, ..nothing(body) })
    } else if lesson.zoomed() {
        (flow_in(lesson, context, margined(body)), picture_alone(body))
    } else if body.width >= SIDE_BY_SIDE {
        let places = side_by_side(body, lesson.instrument.as_ref().map_or(0, |picture| picture.wished_width()));
        (flow_in(lesson, context, places.text), places)
    } else {
        stacked(lesson, context, body)
    };
    placed(lesson, context, flow, places)
}

fn nothing(body: Rect) -> Places {
    let none = Rect { height: 0, ..body };
    Places { text: none, aside: Rect::ZERO, rule: none, divider: none, picture: none }
}

/// Puts the picture below the title, and its name in the line of the text's heading.
fn picture_alone(body: Rect) -> Places {
    let rule = Rect { y: HEAD - 1, height: 1, ..inset(body) };
    Places { rule, picture: inset(body), ..nothing(body) }
}

/// Removes a column at each side.
fn inset(body: Rect) -> Rect {
    Rect { x: body.x + 1.min(body.width), width: body.width.saturating_sub(2), ..body }
}

/// Returns the area of a text that has the whole width.
fn margined(body: Rect) -> Rect {
    let margin = if body.width >= MEASURE + 4 { 2 } else { 1 };
    Rect { x: margin.min(body.width), width: body.width.saturating_sub(2 * margin), ..body }
}

/// Returns a column in the middle, a little lower on a high screen. On a wide screen, also returns a column for notes.
fn alone(body: Rect) -> (Rect, Rect) {
    if body.width < CENTRED {
        return (margined(body), Rect::ZERO);
    }
    let above = (body.height / 16).min(3);
    let page = Rect { y: body.y + above, height: body.height - above, ..body };
    if body.width < WITH_ASIDE {
        let margin = (body.width - MEASURE) / 2;
        // Lines that cannot be wrapped, such as code, may extend into the right margin.
        return (Rect { x: margin, width: body.width - margin, ..page }, Rect::ZERO);
    }
    let aside = (body.width - MEASURE - 3 * GUTTER).clamp(MIN_ASIDE, MAX_ASIDE);
    let margin = (body.width - MEASURE - GUTTER - aside) / 2;
    let text = Rect { x: margin, width: MEASURE + GUTTER, ..page };
    (text, Rect { x: margin + MEASURE + GUTTER, width: aside, ..page })
}

fn side_by_side(body: Rect, wished: u16) -> Places {
    let column = ((body.width - BETWEEN) * 9 / 20).clamp(MIN_COLUMN, MEASURE);
    let tight = body.width.saturating_sub(BETWEEN + wished).max(COLUMN_TIGHT);
    let column = if wished + tight + BETWEEN <= body.width { column.min(tight) } else { column };
    let text = Rect { x: 2, width: column, ..body };
    let divider = Rect { x: text.right() + 1, width: 1, y: HEAD - 1, height: body.height + 1 };
    let left = divider.x + 2;
    let picture = Rect { x: left, width: body.width.saturating_sub(left + 1), ..body };
    Places { text, rule: Rect { y: HEAD - 1, height: 1, ..picture }, divider, picture, ..nothing(body) }
}

fn stacked(lesson: &Lesson, context: &Context, body: Rect) -> (Arc<Flow>, Places) {
    let text = margined(body);
    let flow = flow_in(lesson, context, text);
    let wide = inset(body);
    let rows = (flow.lines.len() as u16).min(500);
    let (above, below) = if lesson.shows_picture(context) {
        share(lesson, body.height, rows, wanted(lesson, context, wide))
    } else {
        // Only the line that announces the picture.
        (body.height.saturating_sub(1), 0)
    };
    if above == 0 && below > 0 {
        return (flow, picture_alone(body));
    }
    let text = Rect { height: above, ..text };
    let rule = Rect { y: body.y + above, height: 1.min(body.height - above), ..wide };
    let picture = Rect { y: rule.bottom(), height: below, ..wide };
    (flow, Places { text, rule, picture, ..nothing(body) })
}

fn flow_in(lesson: &Lesson, context: &Context, text: Rect) -> Arc<Flow> {
    flow(lesson, context, text.width.min(MEASURE))
}

/// Returns the rows that the picture needs, and the rows that it can use.
fn wanted(lesson: &Lesson, context: &Context, place: Rect) -> (u16, u16) {
    match &lesson.instrument {
        Some(instrument) => (instrument.min_height(place.width), u16::MAX),
        None => {
            let Some(code) = &lesson.code else { return (0, 0) };
            let rows = code.rows(&context.data.catalog, place.width, &context.look);
            let asked = code.held_back && lesson.focus == Focus::Text;
            let count = match &rows.region {
                // Below a question, only the lines that it is about are needed.
                Some(region) if asked => region.len(),
                _ => rows.lines.len() + usize::from(!code.held_back),
            };
            (count.min(1000) as u16, count.min(1000) as u16)
        }
    }
}

/// Divides `height` rows, one of which is the line between, into rows of text and rows of the picture.
fn share(lesson: &Lesson, height: u16, text: u16, (needed, useful): (u16, u16)) -> (u16, u16) {
    let room = height.saturating_sub(1);
    if text.saturating_add(needed) <= room {
        // The text gets the rows that the picture cannot use.
        let picture = (room - text).min(useful);
        return (room - picture, picture);
    }
    match lesson.focus {
        Focus::Picture => {
            let kept = room.saturating_sub(needed).max(MIN_TEXT_ROWS.min(room / 3)).min(text);
            // If the instrument does not fit next to that many rows, the text gets only what the instrument leaves.
            let kept =
                if lesson.instrument.is_some() && room - kept < needed { room.saturating_sub(needed) } else { kept };
            (kept, room - kept)
        }
        Focus::Text if let Some(code) = &lesson.code => {
            let least = if code.held_back { MIN_CODE_ROWS_ASKED } else { MIN_CODE_ROWS };
            let code = needed.min(least.max(room.saturating_sub(text))).min(room);
            (room - code, code)
        }
        Focus::Text if room.saturating_sub(text) >= MIN_PICTURE_ROWS => (text, room - text),
        Focus::Text => (room, 0),
    }
}

fn placed(lesson: &Lesson, context: &Context, flow: Arc<Flow>, places: Places) -> Layout {
    let Places { text, aside, rule, divider, mut picture } = places;
    let mut max_scroll = flow.lines.len().saturating_sub(text.height.into());
    if lesson.focus == Focus::Picture && divider.height == 0 {
        // The few visible rows begin with a block, even if some rows at the bottom stay empty.
        max_scroll = (max_scroll..flow.lines.len()).find(|row| flow.begins_block(*row)).unwrap_or(max_scroll);
    }
    let mut launch = Rect { height: 0, ..picture };
    let (mut max_picture_scroll, mut start) = (0, 0);
    if let Some(code) = &lesson.code {
        if picture.height >= LAUNCH_ROOM && !code.held_back {
            launch.height = 1;
            picture = Rect { y: picture.y + 1, height: picture.height - 1, ..picture };
        }
        if picture.height > 0 {
            let rows = code.rows(&context.data.catalog, picture.width, &context.look);
            max_picture_scroll = rows.lines.len().saturating_sub(picture.height.into());
            start = rows.start(picture.height.into());
        }
    } else if let Some(instrument) = &lesson.instrument
        && picture.height > 0
        && lesson.shows_picture(context)
    {
        let rows = instrument.min_height(picture.width);
        max_picture_scroll = usize::from(rows.saturating_sub(picture.height));
    }
    Layout {
        scroll: lesson.scroll.min(max_scroll),
        picture_scroll: lesson.picture_scroll.unwrap_or(start).min(max_picture_scroll),
        max_picture_scroll,
        flow,
        text,
        aside,
        rule,
        divider,
        launch,
        picture,
        max_scroll,
    }
}
