//! Converts a buffer to text and runs of styles, for all tests that inspect the screen.

use crate::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

/// Returns the rows of a buffer without trailing blanks.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let (mut row, mut x) = (String::new(), 0);
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            row.push_str(symbol);
            x += symbol.width().max(1) as u16;
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Returns a line of style runs for each row that has any: `row: from-to style`.
pub fn styles(buffer: &Buffer) -> String {
    let mut all = String::new();
    for y in 0..buffer.area.height {
        let mut runs: Vec<(u16, u16, Style)> = Vec::new();
        for x in 0..buffer.area.width {
            let style = buffer[(x, y)].style();
            match runs.last_mut() {
                Some((_, to, last)) if *last == style => *to = x,
                _ => runs.push((x, x, style)),
            }
        }
        let named = |(from, to, style): &(u16, u16, Style)| Some(format!("{from}-{to} {}", style_name(*style)?));
        let runs: Vec<String> = runs.iter().filter_map(named).collect();
        if !runs.is_empty() {
            all.push_str(&format!("{y:>2}: {}\n", runs.join(", ")));
        }
    }
    all
}

fn style_name(style: Style) -> Option<String> {
    let mut words = Vec::new();
    words.extend(style.fg.filter(|fg| *fg != Color::Reset).map(|fg| fg.to_string()));
    words.extend(style.bg.filter(|bg| *bg != Color::Reset).map(|bg| format!("on {bg}")));
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
