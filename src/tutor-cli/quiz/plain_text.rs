//! Formats Markdown for a terminal or a pipe: wraps at words, and adds colours if they are wanted.

use crate::ansi::rows;
use crate::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::time::Duration;
use ui_kit::code::Highlights;
use ui_kit::look::{Look, TEXT_WIDTH};
use ui_kit::markdown;
use ui_kit::theme::{Meaning, Theme};
use ui_kit::wrap::hang;

/// The style and width of standard output.
pub(crate) struct PlainText {
    theme: Theme,
    highlights: Highlights,
    ascii: bool,
    /// True if escape sequences may be written.
    styled: bool,
    width: u16,
}

impl PlainText {
    /// Takes style and width from the options and from standard output.
    ///
    /// # Errors
    /// If no theme has the requested name.
    pub(crate) fn new(globals: &Globals) -> anyhow::Result<Self> {
        let named = globals.theme.as_deref().unwrap_or(if globals.colourless() { "mono" } else { "dark" });
        Ok(Self {
            theme: Theme::named(named)?,
            highlights: Highlights::default(),
            ascii: globals.ascii,
            styled: globals.colours(),
            width: output::columns().unwrap_or(80).saturating_sub(1).clamp(20, usize::from(TEXT_WIDTH) + 8) as u16,
        })
    }

    fn look(&self) -> Look<'_> {
        Look { theme: &self.theme, ascii: self.ascii, now: Duration::ZERO, highlights: &self.highlights }
    }

    /// Returns formatted Markdown. `first` precedes its first line, and the other lines are indented as far.
    pub(crate) fn markdown(&self, text: &str, first: &str, meaning: Meaning) -> String {
        let look = self.look();
        let before = Span::styled(first.to_owned(), look.style(meaning));
        let rest = Span::raw(" ".repeat(before.width()));
        let lines = markdown::render(text, self.width.saturating_sub(before.width() as u16), &look);
        let lines = if lines.is_empty() { vec![Line::default()] } else { lines };
        self.lines(&hang(lines, &before, &rest))
    }

    /// Returns a wrapped sentence.
    pub(crate) fn sentence(&self, text: &str, meaning: Meaning) -> String {
        let look = self.look();
        self.lines(&ui_kit::wrap::wrap_text(text, look.style(meaning), self.width))
    }

    fn lines(&self, lines: &[Line<'_>]) -> String {
        let width = lines.iter().map(Line::width).max().unwrap_or(0).max(usize::from(self.width));
        let mut buffer = Buffer::empty(Rect::new(0, 0, width as u16, lines.len() as u16));
        for (row, line) in (0..).zip(lines) {
            buffer.set_line(0, row, line, width as u16);
        }
        rows(&buffer, self.styled).into_iter().map(|row| row + "\n").collect()
    }
}
