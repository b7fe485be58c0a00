//! The rows of a question or of the review.

use super::super::lesson::text::letter;
use crate::prelude::*;

/// Rows, and the positions in them that matter.
#[derive(Default)]
pub struct Sheet {
    pub(super) lines: Vec<Line<'static>>,
    /// Rows that can be clicked: index of the line, and row of the panel.
    pub(super) choices: Vec<(usize, usize)>,
    /// Row and column of the terminal's cursor.
    pub(super) cursor: Option<(usize, u16)>,
    /// Row that must be visible: the feedback, the problem, or the row under the cursor.
    pub(super) keep: Option<usize>,
    /// Width of a row in cells. The row under the cursor is highlighted over this width.
    pub(super) width: u16,
}

impl Sheet {
    /// Adds a wrapped row of the panel. Its first line begins with `before`, the others with `rest`.
    pub(super) fn row(
        &mut self,
        at: usize,
        here: bool,
        before: Vec<Span<'static>>,
        rest: &Span<'static>,
        text: Vec<Line<'static>>,
        look: &Look,
    ) {
        let text = if text.is_empty() { vec![Line::default()] } else { text };
        let mut before = Some(before);
        for mut line in text {
            self.choices.push((self.lines.len(), at));
            line.spans.splice(0..0, before.take().unwrap_or_else(|| vec![rest.clone()]));
            if here {
                line = look.selected(line, self.width);
                self.keep = Some(self.lines.len());
            }
            self.lines.push(line);
        }
    }

    /// Adds a choice with its letter, mark and text.
    #[expect(clippy::too_many_arguments, reason = "a row of a table")]
    pub(super) fn choice(
        &mut self,
        at: usize,
        here: bool,
        chosen: bool,
        mark: &'static str,
        text: &str,
        look: &Look,
        width: u16,
    ) {
        let meaning = if chosen { Meaning::Accent } else { Meaning::Muted };
        let before = vec![
            look.cursor(here),
            look.span(Meaning::Key, format!("{}  ", letter(at))),
            look.span(meaning, mark.to_owned()),
        ];
        let rest = Span::raw(" ".repeat(5 + Span::raw(mark).width()));
        let text = markdown::render(text, width.saturating_sub(9), look);
        self.row(at, here, before, &rest, text, look);
    }
}
