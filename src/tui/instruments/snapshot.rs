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
    Setting { description: None, catalog: Catalog::built_in(), best_runs: &[] }
}

/// The rooms in which a picture is kept: below a text at 80×24, on a whole small screen, beside a text, on a wide screen.
pub(super) const SIZES: [(u16, u16); 4] = [(76, 14), (58, 17), (56, 34), (116, 30)];

/// The sizes and themes in which the screens of runs are kept.
pub(super) const CASES: [(u16, u16, &str); 6] =
    [(60, 18, "dark"), (60, 18, "mono"), (80, 24, "dark"), (80, 24, "mono"), (120, 40, "dark"), (120, 40, "mono")];

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

/// Text alone, for tests that look for words.
pub(super) fn text(size: (u16, u16), ascii: bool, render: impl Fn(&mut Frame, Rect, &Look)) -> String {
    let text = snapshot::text(&buffer(size, &Theme::named("mono").unwrap(), ascii, &render));
    text.trim_end().to_owned()
}

/// Draws at every size from nothing to large; passes if nothing panics and ASCII is kept.
pub(super) fn at_every_size(render: impl Fn(&mut Frame, Rect, &Look)) {
    for size in [(0, 0), (1, 1), (3, 40), (20, 5), (56, 14), (59, 11), (60, 12), (81, 25), (200, 60)] {
        for ascii in [false, true] {
            let drawing = text(size, ascii, &render);
            assert!(!ascii || drawing.is_ascii(), "not ASCII at {size:?}: {drawing}");
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
