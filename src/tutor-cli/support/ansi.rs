//! Converts a picture of the tutor to lines of text with terminal colours.

use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use ratatui::{Frame, Terminal};
use std::fmt::Write as _;
use std::time::Duration;
use ui_kit::code::Highlights;
use ui_kit::look::Look;
use ui_kit::theme::Theme;

/// Draws on a sheet of this size. Returns its lines without blank lines at the end.
pub(crate) fn draw(
    theme: &Theme,
    ascii: bool,
    colours: bool,
    size: (u16, u16),
    draw: impl Fn(&mut Frame, Rect, &Look),
) -> Vec<String> {
    let highlights = Highlights::default();
    let look = Look { theme, ascii, now: Duration::ZERO, highlights: &highlights };
    let Ok(mut terminal) = Terminal::new(TestBackend::new(size.0, size.1));
    let Ok(_) = terminal.draw(|frame| draw(frame, frame.area(), &look));
    let mut lines = rows(terminal.backend().buffer(), colours);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns the rows of a buffer as text.
pub(crate) fn rows(buffer: &Buffer, colours: bool) -> Vec<String> {
    buffer.content.chunks(usize::from(buffer.area.width).max(1)).map(|cells| row(cells, colours)).collect()
}

/// Returns a row as text without blanks at its end.
fn row(cells: &[Cell], colours: bool) -> String {
    use unicode_width::UnicodeWidthStr as _;
    let blank = |cell: &&Cell| cell.symbol() == " " && (!colours || codes(cell).is_empty());
    let cells = &cells[..cells.len() - cells.iter().rev().take_while(blank).count()];
    let (mut out, mut style, mut covered) = (String::new(), String::new(), 0);
    for cell in cells {
        if covered > 0 {
            // This is the second cell of a wide character.
            covered -= 1;
            continue;
        }
        covered = cell.symbol().width().saturating_sub(1);
        let next = if colours { codes(cell) } else { String::new() };
        if next != style {
            let _ = write!(out, "\x1b[0{next}m");
            style = next;
        }
        out.push_str(cell.symbol());
    }
    if !style.is_empty() {
        out.push_str("\x1b[0m");
    }
    out
}

/// Returns the numbers that select a cell's style (ECMA-48, SGR), each after a semicolon.
fn codes(cell: &Cell) -> String {
    let mut codes = String::new();
    for (colour, of_eight, of_bright, of_more) in [(cell.fg, 30, 90, 38), (cell.bg, 40, 100, 48)] {
        let named = |code: u8| format!(";{code}");
        codes.push_str(&match colour {
            Color::Reset => String::new(),
            Color::Black => named(of_eight),
            Color::Red => named(of_eight + 1),
            Color::Green => named(of_eight + 2),
            Color::Yellow => named(of_eight + 3),
            Color::Blue => named(of_eight + 4),
            Color::Magenta => named(of_eight + 5),
            Color::Cyan => named(of_eight + 6),
            Color::Gray => named(of_eight + 7),
            Color::DarkGray => named(of_bright),
            Color::LightRed => named(of_bright + 1),
            Color::LightGreen => named(of_bright + 2),
            Color::LightYellow => named(of_bright + 3),
            Color::LightBlue => named(of_bright + 4),
            Color::LightMagenta => named(of_bright + 5),
            Color::LightCyan => named(of_bright + 6),
            Color::White => named(of_bright + 7),
            Color::Indexed(index) => format!(";{of_more};5;{index}"),
            Color::Rgb(red, green, blue) => format!(";{of_more};2;{red};{green};{blue}"),
        });
    }
    for (modifier, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ] {
        if cell.modifier.contains(modifier) {
            let _ = write!(codes, ";{code}");
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn a_row_is_its_text_and_its_colours_and_nothing_behind() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
        buffer.set_string(0, 0, "ab", Style::new());
        buffer.set_string(2, 0, "공유", Style::new().fg(Color::Red).add_modifier(Modifier::BOLD));
        buffer.set_string(6, 0, "c", Style::new().fg(Color::Indexed(9)).bg(Color::Rgb(1, 2, 3)));
        assert_eq!(rows(&buffer, false), ["ab공유c", ""]);
        assert_eq!(rows(&buffer, true), ["ab\x1b[0;31;1m공유\x1b[0;38;5;9;48;2;1;2;3mc\x1b[0m", ""]);
    }
}
