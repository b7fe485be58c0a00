//! Where text and picture stand on a page.

use super::super::{Context, body_of};
use super::text::{Flow, flow};
use super::{Focus, Lesson};
use crate::tui::look::TEXT_WIDTH;
use ratatui::layout::Rect;

/// Rows of the title and of the line below it.
const HEAD: u16 = 2;
/// Rows of code that are worth showing beside a text that has the keys.
const CODE_LEAST: u16 = 6;
/// Rows of text that stay in sight while the picture has the keys.
const TEXT_LEAST: u16 = 4;
/// Narrowest screen on which text and picture stand side by side.
const SIDE_BY_SIDE: u16 = TEXT_WIDTH + 78;

/// A page's places on the screen.
#[derive(Debug)]
pub struct Layout {
    /// The text, laid out.
    pub flow: Flow,
    /// Where the text stands.
    pub text: Rect,
    /// Where the line between text and picture stands; empty if there is none.
    pub rule: Rect,
    /// Where the picture stands; of no height if only its rule shows.
    pub picture: Rect,
    /// Furthest that the text scrolls.
    pub scroll_most: usize,
    /// Furthest that the code scrolls.
    pub code_scroll_most: usize,
    /// First line of the text that is shown.
    pub scroll: usize,
    /// Rows of the text that were added last.
    pub added: (usize, usize),
}

impl Layout {
    /// Whether the text is longer than its place.
    pub fn overflows(&self) -> bool {
        self.scroll_most > 0
    }

    /// Whether the end of the text is in sight.
    pub fn shows_end(&self) -> bool {
        self.scroll >= self.scroll_most
    }

    /// Lines of text below its place.
    pub fn below(&self) -> usize {
        self.scroll_most - self.scroll
    }
}

/// Places a page.
pub fn of(lesson: &Lesson, context: &Context) -> Layout {
    let screen = body_of(context.size);
    let margin = if screen.width > 100 { 2 } else { 1 };
    let body = Rect {
        x: margin,
        y: HEAD,
        width: screen.width.saturating_sub(2 * margin),
        height: screen.height.saturating_sub(HEAD),
    };
    let nothing = Rect { height: 0, ..body };
    if !lesson.shows_picture(context) {
        return placed(lesson, flow(lesson, context, body.width), body, nothing, nothing, 0);
    }
    if body.width >= SIDE_BY_SIDE && !lesson.zoomed() {
        let text = Rect { width: TEXT_WIDTH, ..body };
        let left = TEXT_WIDTH + 3;
        let right = Rect { x: body.x + left, width: body.width - left, ..body };
        // On the row of the line below the title, which ends where the picture's begins.
        let rule = Rect { y: HEAD - 1, height: 1, ..right };
        let picture = right;
        return placed(
            lesson,
            flow(lesson, context, text.width),
            text,
            rule,
            picture,
            code_rows(lesson, context, picture),
        );
    }
    if lesson.zoomed() {
        // The picture's own line takes the place of the one below the title.
        let rule = Rect { y: HEAD - 1, height: 1, ..body };
        let nothing = Rect { y: HEAD, ..nothing };
        let code = code_rows(lesson, context, body);
        return placed(lesson, flow(lesson, context, body.width), nothing, rule, body, code);
    }
    let flow = flow(lesson, context, body.width);
    let text_rows = (flow.lines.len() as u16).min(500);
    let wanted = wanted(lesson, context, body);
    let (text, picture) = share(lesson, body.height, text_rows, wanted);
    let text = Rect { height: text, ..body };
    let rule = Rect { y: body.y + text.height, height: 1.min(body.height - text.height), ..body };
    let picture = Rect { y: rule.y + rule.height, height: picture, ..body };
    let code = code_rows(lesson, context, picture);
    placed(lesson, flow, text, rule, picture, code)
}

/// Rows that the picture needs, and rows that it can use.
fn wanted(lesson: &Lesson, context: &Context, body: Rect) -> (u16, u16) {
    match &lesson.instrument {
        Some(instrument) => (instrument.min_height(body.width), u16::MAX),
        None => {
            let rows = code_rows(lesson, context, body).min(1000) as u16;
            (rows, rows)
        }
    }
}

fn code_rows(lesson: &Lesson, context: &Context, area: Rect) -> usize {
    lesson.code.as_ref().map_or(0, |code| code.rows(&context.world.catalog, area.width, &context.look).len())
}

/// Divides `height` rows, one of which is the line between: rows of text, rows of the picture.
fn share(lesson: &Lesson, height: u16, text: u16, (needed, useful): (u16, u16)) -> (u16, u16) {
    let room = height.saturating_sub(1);
    if text.saturating_add(needed) <= room {
        return (text, (room - text).min(useful));
    }
    match lesson.focus {
        Focus::Picture => {
            let kept = room.saturating_sub(needed).max(TEXT_LEAST.min(room / 3)).min(text);
            // An instrument that needs the whole screen gets it.
            let kept =
                if lesson.instrument.is_some() && room - kept < needed { room.saturating_sub(needed) } else { kept };
            (kept, room - kept)
        }
        Focus::Text if lesson.code.is_some() => {
            let code = needed.min(CODE_LEAST.max(room.saturating_sub(text)));
            (room.saturating_sub(code), code.min(room))
        }
        Focus::Text => (room, 0),
    }
}

fn placed(lesson: &Lesson, flow: Flow, text: Rect, rule: Rect, picture: Rect, code_rows: usize) -> Layout {
    let scroll_most = flow.lines.len().saturating_sub(text.height.into());
    Layout {
        scroll: lesson.scroll.min(scroll_most),
        code_scroll_most: code_rows.saturating_sub(picture.height.into()),
        added: flow.added,
        flow,
        text,
        rule,
        picture,
        scroll_most,
    }
}
