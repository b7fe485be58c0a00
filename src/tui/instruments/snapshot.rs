//! Draws an instrument at a size and in a theme, as text with its styles.

use super::Setting;
use crate::kernels::Catalog;
use crate::tui::code::Highlights;
use crate::tui::look::Look;
use crate::tui::theme::Theme;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::{Frame, Terminal};
use std::fmt::Write as _;
use std::time::Duration;

/// A world without a worker, with the built-in kernels.
pub(super) fn setting() -> Setting<'static> {
    Setting { description: None, catalog: Catalog::built_in(), best_runs: &[] }
}

/// The sizes and themes in which every screen is kept: 60×18, 80×24, 120×40, dark and mono.
pub(super) const CASES: [(u16, u16, &str); 6] =
    [(60, 18, "dark"), (60, 18, "mono"), (80, 24, "dark"), (80, 24, "mono"), (120, 40, "dark"), (120, 40, "mono")];

/// Text of the drawing, then one line a row that has styles: `row: from-to style`.
pub(super) fn drawn(
    (width, height, theme): (u16, u16, &str),
    ascii: bool,
    render: impl Fn(&mut Frame, Rect, &Look),
) -> String {
    let theme = Theme::named(theme).unwrap();
    let highlights = Highlights::default();
    let look = Look { theme: &theme, ascii, now: Duration::ZERO, highlights: &highlights };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| render(frame, frame.area(), &look)).unwrap();
    let buffer = terminal.backend().buffer();
    let (mut text, mut styles) = (String::new(), String::new());
    for y in 0..height {
        let mut row = String::new();
        let mut runs: Vec<(u16, u16, Style)> = Vec::new();
        for x in 0..width {
            let cell = &buffer[(x, y)];
            row.push_str(cell.symbol());
            let style = Style { underline_color: None, ..cell.style() };
            match runs.last_mut() {
                Some((_, to, last)) if *last == style => *to = x,
                _ => runs.push((x, x, style)),
            }
        }
        writeln!(text, "{}", row.trim_end()).unwrap();
        let runs: Vec<String> = runs
            .iter()
            .filter_map(|(from, to, style)| named(*style).map(|style| format!("{from}-{to} {style}")))
            .collect();
        if !runs.is_empty() {
            writeln!(styles, "{y}: {}", runs.join(", ")).unwrap();
        }
    }
    format!("{}\n\n{styles}", text.trim_end())
}

/// Text alone, for tests that look for words.
pub(super) fn text(size: (u16, u16), ascii: bool, render: impl Fn(&mut Frame, Rect, &Look)) -> String {
    let all = drawn((size.0, size.1, "mono"), ascii, render);
    all.split("\n\n").take(all.matches("\n\n").count()).collect::<Vec<_>>().join("\n\n")
}

/// Draws at every size from nothing to large; passes if nothing panics.
pub(super) fn at_every_size(render: impl Fn(&mut Frame, Rect, &Look)) {
    for (width, height) in [(0, 0), (1, 1), (3, 40), (20, 5), (59, 11), (60, 12), (81, 25), (200, 60)] {
        for ascii in [false, true] {
            let drawing = text((width, height), ascii, &render);
            assert!(!ascii || drawing.is_ascii(), "not ASCII at {width}×{height}: {drawing}");
        }
    }
}

fn named(style: Style) -> Option<String> {
    let mut words = Vec::new();
    if let Some(fg) = style.fg.filter(|fg| *fg != Color::Reset) {
        words.push(fg.to_string());
    }
    if let Some(bg) = style.bg.filter(|bg| *bg != Color::Reset) {
        words.push(format!("on {bg}"));
    }
    for (name, modifier) in [
        ("bold", Modifier::BOLD),
        ("dim", Modifier::DIM),
        ("italic", Modifier::ITALIC),
        ("underline", Modifier::UNDERLINED),
        ("reverse", Modifier::REVERSED),
    ] {
        if style.add_modifier.contains(modifier) {
            words.push(name.to_owned());
        }
    }
    (!words.is_empty()).then(|| words.join(" "))
}
