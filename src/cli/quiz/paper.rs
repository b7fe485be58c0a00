//! Markdown on a terminal or in a pipe: wrapped at words, in colour where that is wanted.

use crate::Globals;
use crate::paint::rows;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::io::IsTerminal as _;
use std::time::Duration;
use tutor_pictures::code::Highlights;
use tutor_pictures::look::{Look, TEXT_WIDTH};
use tutor_pictures::markdown;
use tutor_pictures::theme::{Meaning, Theme};
use tutor_pictures::wrap::hang;

/// Where `quiz` writes.
pub(crate) struct Paper {
    theme: Theme,
    highlights: Highlights,
    ascii: bool,
    /// Whether escape sequences may be written at all.
    styled: bool,
    width: u16,
}

impl Paper {
    /// As the terminal and the options ask for; `terminal` if what is written reaches a person's terminal.
    ///
    /// # Errors
    /// If there is no theme of the name that was asked for.
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

    /// For standard output or, with `--json`, for standard error.
    pub(crate) fn of_stream(globals: &Globals, error: bool) -> anyhow::Result<Self> {
        let terminal = if error { std::io::stderr().is_terminal() } else { std::io::stdout().is_terminal() };
        Self::new(globals, terminal)
    }

    fn look(&self) -> Look<'_> {
        Look { theme: &self.theme, ascii: self.ascii, now: Duration::ZERO, highlights: &self.highlights }
    }

    /// Markdown, with `first` before its first line and as much room before the others.
    pub(crate) fn markdown(&self, text: &str, first: &str, meaning: Meaning) -> String {
        let look = self.look();
        let before = Span::styled(first.to_owned(), look.style(meaning));
        let rest = Span::raw(" ".repeat(before.width()));
        let lines = markdown::render(text, self.width.saturating_sub(before.width() as u16), &look);
        let lines = if lines.is_empty() { vec![Line::default()] } else { lines };
        self.lines(&hang(lines, &before, &rest))
    }

    /// A sentence of the program.
    pub(crate) fn sentence(&self, text: &str, meaning: Meaning) -> String {
        let look = self.look();
        self.lines(&tutor_pictures::wrap::wrap_text(text, look.style(meaning), self.width))
    }

    /// Code, cut nowhere: what is too long for the terminal goes on where the terminal puts it.
    pub(crate) fn code(&self, text: &str) -> String {
        let style = self.look().style(Meaning::Code);
        self.lines(&text.trim_end().lines().map(|line| Line::styled(format!("    {line}"), style)).collect::<Vec<_>>())
    }

    /// A rule with a title.
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
