//! Ends the process if its main loop does not react to a request to end. The loop may be stuck in the layout of a page, in
//! disk access, or in a terminal that accepts no output.

use super::terminal;
use crate::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longest time from the request to the end of the process.
pub(super) const PATIENCE: Duration = Duration::from_millis(1900);

/// Number of events that the main loop has taken.
static TURNS: AtomicU64 = AtomicU64::new(0);
/// Message printed when the watchdog ends the process. It is prepared at the start, because the stuck loop may hold the
/// lock of the message catalogue.
static FAREWELL: OnceLock<String> = OnceLock::new();

/// Prepares the watchdog, which does nothing before that.
pub(super) fn ready() {
    FAREWELL.get_or_init(|| format!("matmul-tutor: {}\n", t!("app-stuck")));
}

/// Notes that the main loop has taken an event.
pub(super) fn turned() {
    TURNS.fetch_add(1, Ordering::Relaxed);
}

/// After a signal: ends the process soon, whatever the main loop does.
pub(super) fn must_end() {
    watch(|| true);
}

/// After Ctrl-C: ends the process only if the main loop takes no event in the meantime.
pub(super) fn must_turn() {
    let turns = TURNS.load(Ordering::Relaxed);
    watch(move || TURNS.load(Ordering::Relaxed) == turns);
}

fn watch(stuck: impl Fn() -> bool + Send + 'static) {
    if FAREWELL.get().is_none() {
        return;
    }
    let deadline = Instant::now() + PATIENCE;
    // If no thread starts, only the main loop can end the process.
    let _ = std::thread::Builder::new().name("watchdog".into()).spawn(move || {
        while Instant::now() < deadline {
            std::thread::park_timeout(deadline.saturating_duration_since(Instant::now()));
        }
        if stuck() {
            end();
        }
    });
}

/// Gives the terminal back and ends the process, without taking a lock that the main loop may hold.
fn end() -> ! {
    terminal::force_give_back();
    terminal::write_stderr(FAREWELL.get().map_or("", String::as_str));
    #[cfg(unix)]
    // SAFETY: `_exit` runs no exit handlers, which could wait for the stuck loop. Committed data is on disk, and the worker
    // ends when its standard input closes.
    unsafe {
        libc::_exit(130)
    }
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "the terminal has been given back, and the loop is stuck")]
    std::process::exit(130)
}
