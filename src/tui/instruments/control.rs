//! The numbers of a picture that the student changes: one a row, with a cursor, and arrows where the keys go.

use crate::tui::look::{Look, pad, pad_left};
use crate::tui::theme::Meaning;
use ratatui::text::Span;

/// Cells of the columns in which labels and values stand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Controls {
    pub(super) label: usize,
    pub(super) value: usize,
}

impl Controls {
    /// Cells of a row.
    pub(super) const fn width(self) -> usize {
        self.arrows() + 3
    }

    /// Column of the arrow that makes a value smaller; the other one is next to it.
    const fn arrows(self) -> usize {
        3 + self.label + self.value + 1
    }

    /// A row: cursor, label, value; the arrows stand where the keys go.
    pub(super) fn row(self, look: &Look, chosen: bool, label: &str, value: &str) -> Vec<Span<'static>> {
        let meaning = if chosen { Meaning::Strong } else { Meaning::Text };
        let arrows = if chosen { look.sign("◂▸", "<>") } else { "  " };
        vec![
            Span::raw(" "),
            look.cursor(chosen),
            look.span(meaning, pad(label, self.label)),
            look.span(meaning, pad_left(value, self.value)),
            Span::raw(" "),
            look.span(Meaning::Key, arrows.to_owned()),
            Span::raw(" "),
        ]
    }

    /// What a click in a column of a row asks for: a larger value, a smaller one, or neither.
    pub(super) fn turn(self, x: usize) -> Option<bool> {
        match x.checked_sub(self.arrows()) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        }
    }
}
