//! The least that a program with a screen costs to start: `scripts/study/first-frame` compares the tutor with it.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::read;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use std::io;

fn main() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, BeginSynchronizedUpdate)?;
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    terminal.draw(|frame| frame.render_widget("Any key ends this.", frame.area()))?;
    execute!(io::stdout(), EndSynchronizedUpdate)?;
    read()?;
    execute!(io::stdout(), LeaveAlternateScreen)?;
    disable_raw_mode()
}
