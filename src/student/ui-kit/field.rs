//! A one-line text field. Cursor and deletion work on graphemes, so Korean and accents behave correctly.

use crate::keys::{KeyCode, KeyEvent, KeyModifiers};
use crate::prelude::*;
use ratatui::style::Stylize as _;
use unicode_segmentation::UnicodeSegmentation;

/// Maximum number of characters in a field.
const MAX_CHARS: usize = 512;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    text: String,
    cursor: usize, // byte offset, on a grapheme's boundary
    /// True until the first key. A character then replaces the text.
    replaces: bool,
}

impl Field {
    /// Creates a field that contains `text`, with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text, replaces: false }
    }

    /// Creates a field whose text the first typed character replaces. Any other key edits it.
    pub fn replacing(text: impl Into<String>) -> Self {
        Self { replaces: true, ..Self::new(text) }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text before the cursor, the grapheme under it (empty at the end), and the text after it.
    pub fn parts(&self) -> (&str, &str, &str) {
        let after = self.after();
        (&self.text[..self.cursor], &self.text[self.cursor..after], &self.text[after..])
    }

    /// Returns the field's text in three spans. If it has the keyboard focus, the grapheme under the cursor is reversed.
    pub fn pieces(&self, focus: bool, look: &Look) -> [Span<'static>; 3] {
        let (before, at, behind) = self.parts();
        let field = |text: &str| look.span(Meaning::Field, text.to_owned());
        let at = match focus {
            true => field(if at.is_empty() { " " } else { at }).reversed(),
            false => field(at),
        };
        [field(before), at, field(behind)]
    }

    /// Handles a key. Returns false if a field has no use for it (Enter, Esc, Tab, up and down).
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let replaces = std::mem::take(&mut self.replaces);
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            KeyCode::Char('k') if control => self.text.truncate(self.cursor),
            KeyCode::Char('w') if control => {
                let kept = self.text[..self.cursor].trim_end();
                let start = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.drain(start..self.cursor);
                self.cursor = start;
            }
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => return false,
            KeyCode::Char(c) if replaces => *self = Self::new(c),
            KeyCode::Char(c) => self.paste(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => {
                let before = self.before();
                self.text.drain(before..self.cursor);
                self.cursor = before;
            }
            KeyCode::Delete => {
                let after = self.after();
                self.text.drain(self.cursor..after);
            }
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return false,
        }
        true
    }

    /// Inserts text at the cursor. Control characters, and characters beyond the maximum, are left out.
    pub fn paste(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            if self.text.chars().count() >= MAX_CHARS {
                break;
            }
            self.text.insert(self.cursor, c);
            self.cursor += c.len_utf8();
        }
        // A combining character may have merged with the grapheme before it.
        while !self.text.grapheme_indices(true).any(|(at, _)| at == self.cursor) && self.cursor < self.text.len() {
            self.cursor += 1;
        }
    }

    /// Returns the field in `width` cells, scrolled to show the cursor, and the cursor's column.
    pub fn spans(&self, width: u16, look: &Look) -> (Vec<Span<'static>>, u16) {
        let width = usize::from(width.max(2));
        let mut start = 0;
        while self.text[start..self.cursor].width() >= width {
            start += self.text[start..].graphemes(true).next().map_or(1, str::len);
        }
        let mut shown = String::new();
        for grapheme in self.text[start..].graphemes(true) {
            if shown.width() + grapheme.width() > width {
                break;
            }
            shown.push_str(grapheme);
        }
        let blank = " ".repeat(width - shown.width());
        let column = self.text[start..self.cursor].width() as u16;
        (vec![Span::styled(format!("{shown}{blank}"), look.style(Meaning::Field))], column)
    }

    fn before(&self) -> usize {
        self.text[..self.cursor].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        self.text[self.cursor..].graphemes(true).next().map_or(self.cursor, |next| self.cursor + next.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_edit_whole_graphemes_at_the_cursor() {
        use KeyCode::{Backspace, Char, Delete, Left};
        let cases: [(&str, &[KeyCode], &str); 3] = [
            ("", &[Char('1'), Char('3'), Left, Char('2')], "123"),
            ("공유", &[Backspace], "공"),
            ("e\u{301}x", &[Left, Left, Delete], "x"),
        ];
        for (text, keys, expected) in cases {
            let mut field = Field::new(text);
            for key in keys {
                field.key(KeyEvent::new(*key, KeyModifiers::NONE));
            }
            assert_eq!(field.text(), expected);
        }
    }

    #[test]
    fn pasted_newlines_and_escapes_are_left_out() {
        let mut field = Field::default();
        field.paste("16\n\u{1b}[31m");
        assert_eq!(field.text(), "16[31m");
    }
}
