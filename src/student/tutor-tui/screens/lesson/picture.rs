//! Draws a picture that may be higher than its area: first as a whole off the screen, then the visible part is copied.

use super::layout::Layout;
use crate::prelude::*;
use ratatui::Terminal;
use ratatui::backend::{Backend, TestBackend};
use tutor_pictures::Picture;

/// Draws the visible part of the picture.
pub(super) fn render(instrument: &dyn Picture, frame: &mut Frame, layout: &Layout, look: &Look) {
    let place = layout.picture;
    if place.height == 0 || place.width == 0 {
        return;
    }
    if layout.max_picture_scroll == 0 {
        instrument.render(frame, place, look);
        return;
    }
    let whole = whole(layout);
    let Ok(mut terminal) = Terminal::new(TestBackend::new(whole.width, whole.height));
    let Ok(drawn) = terminal.draw(|frame| instrument.render(frame, whole, look));
    let from = layout.picture_scroll as u16;
    for y in 0..place.height.min(whole.height.saturating_sub(from)) {
        for x in 0..place.width {
            let cell = drawn.buffer.cell((x, y + from)).cloned();
            if let (Some(cell), Some(to)) = (cell, frame.buffer_mut().cell_mut((place.x + x, place.y + y))) {
                *to = cell;
            }
        }
    }
    // The cursor of a text field appears where the picture has put it, if that row is visible.
    if instrument.editing() {
        let Ok(at) = terminal.backend_mut().get_cursor_position();
        if at.y >= from && at.y - from < place.height {
            frame.set_cursor_position(Position::new(place.x + at.x, place.y + at.y - from));
        }
    }
}

/// Converts a position on the screen into one in the picture. Also returns the picture's whole area.
pub(super) fn inside(layout: &Layout, at: Position) -> (Position, Rect) {
    if layout.max_picture_scroll == 0 {
        return (at, layout.picture);
    }
    let (x, y) = (at.x.saturating_sub(layout.picture.x), at.y.saturating_sub(layout.picture.y));
    (Position::new(x, y + layout.picture_scroll as u16), whole(layout))
}

fn whole(layout: &Layout) -> Rect {
    Rect::new(0, 0, layout.picture.width, layout.picture.height + layout.max_picture_scroll as u16)
}
