/*! An editor for row and column of an access, typed as expressions.

The picture changes with every key. Enter accepts only a valid access. If it is not valid, the editor stays open, with a
caret at the error and the message below it. Esc restores the previous expressions. Tab goes to the other expression.
*/

use crate::prelude::*;
use ratatui::style::Modifier;
use tutor_course::AccessError;
use ui_kit::field::Field;
use ui_kit::keys::{KeyCode, KeyEvent};

/// The expression that is being typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Index {
    Row,
    Column,
}

impl Index {
    /// Returns the name that [`AccessError::field`] uses.
    fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
        }
    }

    fn label(self) -> String {
        match self {
            Self::Row => t!("pictures-row"),
            Self::Column => t!("pictures-column"),
        }
    }
}

/// The outcome of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    Changed,
    Taken,
    /// Esc: the caller restores the previous expressions.
    Dropped,
    /// Only the cursor moved, or Enter was refused.
    Nothing,
}

/// An editor of two expressions.
#[derive(Debug)]
pub(super) struct Expressions {
    row: Field,
    column: Field,
    at: Index,
    before: [String; 2],
    /// True after Enter was pressed while the expressions were invalid.
    refused: bool,
}

impl Expressions {
    /// Opens the editor with the current expressions and the cursor in one of them.
    pub(super) fn new(row: &str, column: &str, at: Index) -> Self {
        let before = [row.to_owned(), column.to_owned()];
        Self { row: Field::new(row), column: Field::new(column), at, before, refused: false }
    }

    pub(super) fn row(&self) -> &str {
        self.row.text()
    }

    pub(super) fn column(&self) -> &str {
        self.column.text()
    }

    /// Returns row and column as they were before typing.
    pub(super) fn before(&self) -> [&str; 2] {
        [&self.before[0], &self.before[1]]
    }

    /// Moves the cursor to the other expression.
    pub(super) fn turn(&mut self) {
        self.at = if self.at == Index::Row { Index::Column } else { Index::Row };
    }

    /// Handles a key. `valid` is true if the expressions describe an access.
    pub(super) fn key(&mut self, key: KeyEvent, valid: bool) -> Typed {
        match key.code {
            KeyCode::Enter if valid => return Typed::Taken,
            KeyCode::Enter => self.refused = true,
            KeyCode::Esc => return Typed::Dropped,
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => self.turn(),
            _ => {
                let field = if self.at == Index::Row { &mut self.row } else { &mut self.column };
                let before = field.text().to_owned();
                field.key(key);
                if field.text() != before {
                    self.refused = false;
                    return Typed::Changed;
                }
            }
        }
        Typed::Nothing
    }

    /// Draws `row = ty + 1   column = 5`. Below are a caret at the error and its message.
    pub(super) fn draw(&self, error: Option<&AccessError>, sheet: &mut Sheet) {
        let look = sheet.look;
        let (mut spans, mut cells, mut starts) = (Vec::new(), 0, [0; 2]);
        for (which, field, start) in [(Index::Row, &self.row, 0), (Index::Column, &self.column, 1)] {
            let label = format!(" {} = ", which.label());
            cells += label.width();
            starts[start] = cells;
            let here = which == self.at;
            spans.push(look.span(if here { Meaning::Strong } else { Meaning::Muted }, label));
            let (before, at, behind) = field.parts();
            spans.push(look.span(Meaning::Field, before.to_owned()));
            if here {
                let style = look.style(Meaning::Field).add_modifier(Modifier::REVERSED);
                spans.push(Span::styled(if at.is_empty() { " ".to_owned() } else { at.to_owned() }, style));
            } else {
                spans.push(look.span(Meaning::Field, at.to_owned()));
            }
            spans.push(look.span(Meaning::Field, behind.to_owned()));
            spans.push(Span::raw("  "));
            cells += field.text().width() + usize::from(here && at.is_empty()) + 2;
        }
        let names = t!("pictures-expression-names");
        if cells + names.width() + 1 < usize::from(sheet.width) {
            spans.push(look.span(Meaning::Muted, names));
        }
        sheet.row(spans);
        let Some(error) = error else { return };
        let of = |index: Index| error.field == index.name();
        if let Some(offset) = error.offset.filter(|_| of(Index::Row) || of(Index::Column)) {
            let (field, start) = if of(Index::Row) { (&self.row, starts[0]) } else { (&self.column, starts[1]) };
            let text = field.text();
            let before = text.get(..offset.min(text.len())).unwrap_or(text);
            sheet.row(vec![Span::raw(" ".repeat(start + before.width())), look.span(Meaning::Wrong, "^")]);
        }
        sheet.error(&error.message);
        if self.refused {
            sheet.text(Meaning::Warning, &t!("pictures-expression-refused"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui_kit::keys::KeyModifiers;

    fn press(editor: &mut Expressions, code: KeyCode, valid: bool) -> Typed {
        editor.key(KeyEvent::new(code, KeyModifiers::NONE), valid)
    }

    #[test]
    fn enter_accepts_only_a_valid_access() {
        let mut editor = Expressions::new("ty", "5", Index::Row);
        assert_eq!(press(&mut editor, KeyCode::Char('+'), true), Typed::Changed);
        assert_eq!(press(&mut editor, KeyCode::Enter, false), Typed::Nothing);
        assert!(editor.refused);
        assert_eq!(press(&mut editor, KeyCode::Backspace, false), Typed::Changed);
        assert!(!editor.refused);
        assert_eq!(press(&mut editor, KeyCode::Enter, true), Typed::Taken);
        assert_eq!(press(&mut editor, KeyCode::Esc, true), Typed::Dropped);
        assert_eq!(editor.before(), ["ty", "5"]);
    }

    #[test]
    fn tab_goes_to_the_column_and_a_syllable_is_removed_whole() {
        let mut editor = Expressions::new("ty", "", Index::Row);
        press(&mut editor, KeyCode::Tab, true);
        press(&mut editor, KeyCode::Char('한'), true);
        press(&mut editor, KeyCode::Char('k'), true);
        press(&mut editor, KeyCode::Left, true);
        assert_eq!(press(&mut editor, KeyCode::Backspace, true), Typed::Changed);
        assert_eq!((editor.row(), editor.column()), ("ty", "k"));
    }
}
