//! How far a command is: one line of stderr that is written over. In a file it would only be noise.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};
use tutor_base::text;
use tutor_pictures::look::pad;

/// Columns of the line.
const WIDTH: usize = 76;

/// The line. It is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    from: Instant,
    shown: bool,
}

impl ProgressLine {
    /// For what always takes a while.
    pub(crate) fn at_once() -> Self {
        Self::after(Duration::ZERO)
    }

    /// For what is mostly done before.
    pub(crate) fn after(delay: Duration) -> Self {
        Self { from: Instant::now() + delay, shown: false }
    }

    /// Writes over what was told before.
    pub(crate) fn tell(&mut self, said: &str) {
        if Instant::now() < self.from || !io::stderr().is_terminal() {
            return;
        }
        self.shown = true;
        let _ = write!(io::stderr().lock(), "\r{}", pad(&text::line(said), WIDTH));
    }

    /// Makes room for a line of something else.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr().lock(), "\r{:<WIDTH$}\r", "");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
