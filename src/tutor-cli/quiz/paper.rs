//! Formats Markdown for a terminal or a pipe: wraps at words, and adds colours if they are wanted.

use crate::paint::rows;
use crate::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::io::IsTerminal as _;
use std::time::Duration;
use ui_kit::code::Highlights;
use ui_kit::look::{Look, TEXT_WIDTH};
use ui_kit::markdown;
use ui_kit::theme::{Meaning, Theme};
use ui_kit::wrap::hang;

/// The style and width of the quiz's output.
pub(crate) struct Paper {
    theme: Theme,
    highlights: Highlights,
    ascii: bool,
    /// True if escape sequences may be written.
    styled: bool,
    width: u16,
}

impl Paper {
    /// Takes style and width from the options and the terminal. `terminal` is true if the output goes to a terminal.
    ///
    /// # Errors
    /// If no theme has the requested name.
    pub(crate) fn new(globals: &Globals, terminal: bool) -> anyhow::Result<Self> {
        let no_color = globals.no_color || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let named = globals.theme.as_deref().unwrap_or(if no_color { "mono" } else { "dark" });
        let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
        let size = if terminal { crossterm::terminal::size().ok().map(|(width, _)| width) } else { None };
        let width = size.filter(|width| *width > 0).or_else(columns).unwrap_or(80);
        Ok(Self {
            theme: Theme::named(named)?,
            highlights: Highlights::default(),
            ascii: globals.ascii,
            styled: terminal && !no_color,
            width: width.saturating_sub(1).clamp(20, TEXT_WIDTH + 8),
        })
    }

    /// Returns the paper for standard output or, with `--json`, for standard error.
    pub(crate) fn of_stream(globals: &Globals, error: bool) -> anyhow::Result<Self> {
        let terminal = if error { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
        Self::new(globals, terminal)
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

    /// Returns code without wrapping or truncating its lines.
    pub(crate) fn code(&self, text: &str) -> String {
        let style = self.look().style(Meaning::Code);
        self.lines(&text.trim_end().lines().map(|line| Line::styled(format!("    {line}"), style)).collect::<Vec<_>>())
    }

    /// Returns a horizontal rule with a title.
    pub(crate) fn rule(&self, title: &str) -> String {
        self.lines(&[self.look().rule(title, Meaning::Accent, self.width)])
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
