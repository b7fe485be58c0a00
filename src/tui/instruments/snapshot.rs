//! Draws a picture at a size and in a theme, and holds what it promises against what it does.

use super::{Picture, Setting};
use crate::kernels::Catalog;
use crate::tui::action::TABLE;
use crate::tui::code::Highlights;
use crate::tui::look::Look;
use crate::tui::snapshot;
use crate::tui::theme::Theme;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal};
use std::time::Duration;

/// A world without a worker, with the built-in kernels.
pub(super) fn setting() -> Setting<'static> {
    Setting::of(Catalog::built_in())
}

/// The rooms in which a picture is kept: below a text at 80×24, on a whole small screen, beside a text, on a wide screen.
pub(super) const SIZES: [(u16, u16); 4] = [(76, 14), (58, 17), (56, 34), (116, 30)];

fn buffer((width, height): (u16, u16), theme: &Theme, ascii: bool, render: &dyn Fn(&mut Frame, Rect, &Look)) -> Buffer {
    let highlights = Highlights::default();
    let look = Look { theme, ascii, now: Duration::ZERO, highlights: &highlights };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| render(frame, frame.area(), &look)).unwrap();
    terminal.backend().buffer().clone()
}

/// Keeps a picture in each of [`SIZES`]: its text once, its styles in each theme.
pub(super) fn kept(picture: &dyn Picture) -> String {
    let render = |frame: &mut Frame, area: Rect, look: &Look| picture.render(frame, area, look);
    let sizes = SIZES.map(|size| {
        format!("{}×{}\n{}", size.0, size.1, snapshot::in_themes(|theme| buffer(size, theme, false, &render)))
    });
    sizes.join("\n")
}

fn text(picture: &dyn Picture, size: (u16, u16), ascii: bool) -> String {
    let render = |frame: &mut Frame, area: Rect, look: &Look| picture.render(frame, area, look);
    let text = snapshot::text(&buffer(size, &Theme::named("mono").unwrap(), ascii, &render));
    text.trim_end().to_owned()
}

/// A picture's text alone, for tests that look for words.
pub(super) fn screen(picture: &dyn Picture, size: (u16, u16)) -> String {
    text(picture, size, false)
}

/// The same with `--ascii`.
pub(super) fn in_ascii(picture: &dyn Picture, size: (u16, u16)) -> String {
    text(picture, size, true)
}

/// The same in one line, for sentences that are wrapped.
pub(super) fn flowing(picture: &dyn Picture, size: (u16, u16)) -> String {
    screen(picture, size).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Draws at every size from nothing to large; passes if nothing panics and ASCII is kept.
pub(super) fn at_every_size(picture: &dyn Picture) {
    for size in [(0, 0), (1, 1), (3, 40), (20, 5), (56, 14), (59, 11), (60, 12), (81, 25), (200, 60)] {
        text(picture, size, false);
        let drawing = text(picture, size, true);
        assert!(drawing.is_ascii(), "not ASCII at {size:?}: {drawing}");
    }
}

/// Draws in as few rows as the picture says that it needs, beside a text, below one and alone; passes if all of
/// `words` show.
pub(super) fn needs_no_more_than_it_says(picture: &dyn Picture, words: &[&str]) {
    for width in [58, 62, 68, 76, 116] {
        let height = picture.min_height(width);
        let drawing = flowing(picture, (width, height));
        for words in words {
            assert!(
                drawing.contains(words),
                "{words:?} is cut at {width}×{height}:\n{}",
                screen(picture, (width, height))
            );
        }
    }
}

/// What a student can notice of a picture.
fn noticed(picture: &dyn Picture) -> (String, String, bool, bool) {
    let render = |frame: &mut Frame, area: Rect, look: &Look| picture.render(frame, area, look);
    let buffer = buffer((116, 30), &Theme::named("dark").unwrap(), false, &render);
    (snapshot::text(&buffer), snapshot::styles(&buffer), picture.animating(), picture.editing())
}

/// Every action of the table: listed, it shows; unlisted, it does nothing. And no key has two meanings.
pub(super) fn keeps_its_word<P: Picture>(make: impl Fn() -> P) {
    let listed = make().actions();
    for (at, action) in listed.iter().enumerate() {
        assert!(!listed[..at].contains(action), "{action:?} is listed twice");
        for other in &listed[..at] {
            let shared = other.entry().keys.iter().find(|key| action.entry().keys.contains(key));
            assert!(shared.is_none(), "{shared:?} is {other:?} and {action:?}");
        }
    }
    for action in TABLE.iter().map(|entry| entry.action) {
        let mut picture = make();
        let (state, before) = (format!("{picture:?}"), noticed(&picture));
        let effects = picture.act(action);
        if listed.contains(&action) {
            picture.settle();
            assert!(!effects.is_empty() || noticed(&picture) != before, "{action:?} is listed and does nothing");
        } else {
            assert!(
                effects.is_empty() && format!("{picture:?}") == state,
                "{action:?} is not listed and does something"
            );
        }
    }
    assert!(!make().describe().is_empty(), "it is not said in words");
    for (sign, meaning) in make().signs() {
        assert!(!sign.is_empty() && !meaning.is_empty());
    }
}
