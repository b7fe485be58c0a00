//! One line of typed text with a cursor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Text being typed.
#[derive(Debug, Clone, Default)]
pub(super) struct LineEdit {
    text: String,
    /// Byte offset of the cursor, on a character boundary.
    at: usize,
    limit: usize,
}

impl LineEdit {
    /// Starts with `text`, the cursor behind it; at most `limit` bytes can be typed.
    pub(super) fn new(text: &str, limit: usize) -> Self {
        Self { text: text.to_owned(), at: text.len(), limit }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text before and behind the cursor.
    pub(super) fn around(&self) -> (&str, &str) {
        self.text.split_at(self.at)
    }

    /// Does what the key says; true if the text changed.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let before = self.text[..self.at].chars().next_back();
        let behind = self.text[self.at..].chars().next();
        match (key.code, before, behind) {
            (KeyCode::Char('u'), ..) if control => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            (KeyCode::Char('a'), ..) if control => return self.go(0),
            (KeyCode::Char('e'), ..) if control => return self.go(self.text.len()),
            (KeyCode::Char(c), ..) if !control && !c.is_control() && self.text.len() + c.len_utf8() <= self.limit => {
                self.text.insert(self.at, c);
                self.at += c.len_utf8();
            }
            (KeyCode::Backspace, Some(c), _) => {
                self.at -= c.len_utf8();
                self.text.remove(self.at);
            }
            (KeyCode::Delete, _, Some(_)) => {
                self.text.remove(self.at);
            }
            (KeyCode::Left, Some(c), _) => return self.go(self.at - c.len_utf8()),
            (KeyCode::Right, _, Some(c)) => return self.go(self.at + c.len_utf8()),
            (KeyCode::Home, ..) => return self.go(0),
            (KeyCode::End, ..) => return self.go(self.text.len()),
            _ => return false,
        }
        true
    }

    fn go(&mut self, at: usize) -> bool {
        self.at = at;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(start: &str, keys: &[KeyCode]) -> String {
        let mut edit = LineEdit::new(start, 12);
        for key in keys {
            edit.key(KeyEvent::new(*key, KeyModifiers::NONE));
        }
        let (before, behind) = edit.around();
        format!("{before}|{behind}")
    }

    #[test]
    fn text_is_typed_and_deleted_at_the_cursor() {
        use KeyCode::*;
        assert_eq!(typed("ty", &[Char('+'), Char('1')]), "ty+1|");
        assert_eq!(typed("ty", &[Home, Char('2'), Right, Delete]), "2t|");
        assert_eq!(typed("é", &[Backspace, Backspace, Char('k')]), "k|");
        assert_eq!(typed("공유", &[Left, Left, Left, Delete]), "|유");
    }

    #[test]
    fn typing_stops_at_the_limit() {
        assert_eq!(typed("123456789012", &[KeyCode::Char('3')]), "123456789012|");
    }
}
