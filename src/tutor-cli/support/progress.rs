//! Shows progress in one line of standard error, which each update overwrites. Prints nothing if standard error is not
//! a terminal.

use crate::prelude::*;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};
use tutor_support::text;

/// Width of the line, in columns.
const WIDTH: usize = 76;

/// A progress line. Dropping it clears the line.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    from: Instant,
    shown: bool,
}

impl ProgressLine {
    /// For work that always takes a while.
    pub(crate) fn at_once() -> Self {
        Self::after(Duration::ZERO)
    }

    /// For work that usually ends before `delay`.
    pub(crate) fn after(delay: Duration) -> Self {
        Self { from: Instant::now() + delay, shown: false }
    }

    /// Replaces the text of the line.
    pub(crate) fn show(&mut self, text: &str) {
        if Instant::now() < self.from || !io::stderr().is_terminal() {
            return;
        }
        self.shown = true;
        let _ = write!(io::stderr().lock(), "\r{}", pad(&text::line(text), WIDTH));
    }

    /// Clears the line, so that something else can be printed.
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
