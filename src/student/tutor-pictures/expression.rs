/*! An editor for row and column of an access, typed as expressions.

The picture changes with every key. Enter accepts only a valid access. If it is not valid, the editor stays open, with a
caret at the error and the message below it. Esc restores the previous expressions. Tab goes to the other expression.
*/

use crate::prelude::*;
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
    /// Opens the editor with the current expressions and the cursor in one of them. What is typed replaces them.
    pub(super) fn new(row: &str, column: &str, at: Index) -> Self {
        let before = [row.to_owned(), column.to_owned()];
        Self { row: Field::replacing(row), column: Field::replacing(column), at, before, refused: false }
    }

    pub(super) fn turn(&mut self) {
        self.at = if self.at == Index::Row { Index::Column } else { Index::Row };
    }

    /// Handles a key of the editor, if it is open. `valid` is true if the expressions describe an access.
    ///
    /// Returns row and column if the key changed them. Enter closes the editor if they are valid. Esc closes it and
    /// returns the previous ones.
    pub(super) fn key(open: &mut Option<Self>, key: KeyEvent, valid: bool) -> Option<[String; 2]> {
        let editor = open.as_mut()?;
        match key.code {
            KeyCode::Enter if valid => *open = None,
            KeyCode::Enter => editor.refused = true,
            KeyCode::Esc => return open.take().map(|editor| editor.before),
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => editor.turn(),
            _ => {
                let field = if editor.at == Index::Row { &mut editor.row } else { &mut editor.column };
                let before = field.text().to_owned();
                field.key(key);
                if field.text() != before {
                    editor.refused = false;
                    return Some([&editor.row, &editor.column].map(|field| field.text().to_owned()));
                }
            }
        }
        None
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
            spans.extend(field.pieces(here, look));
            spans.push(Span::raw("  "));
            cells += field.text().width() + usize::from(here && field.parts().1.is_empty()) + 2;
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
