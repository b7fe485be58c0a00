//! A picture that may be taller than its place: drawn whole out of sight, shown through a window.

use super::layout::Layout;
use ratatui::backend::{Backend, TestBackend};
use ratatui::layout::{Position, Rect};
use ratatui::{Frame, Terminal};
use tutor_pictures::Picture;
use tutor_pictures::look::Look;

/// Draws what of the picture the scroll shows.
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
    // The cursor of a text field is where the picture put it, if that is in sight.
    if instrument.editing() {
        let Ok(at) = terminal.backend_mut().get_cursor_position();
        if at.y >= from && at.y - from < place.height {
            frame.set_cursor_position(Position::new(place.x + at.x, place.y + at.y - from));
        }
    }
}

/// A place on the screen as a place in the picture, and the picture's own area.
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
