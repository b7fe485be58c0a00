//! Ends a tutor that does not heed a wish to end: its loop may be stuck in a page, a disk or a terminal that takes nothing.

use super::terminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tutor_base::t;

/// How long a tutor may take to end once it was asked to.
pub(super) const PATIENCE: Duration = Duration::from_millis(1900);

/// How often the loop has taken an event.
static TURNS: AtomicU64 = AtomicU64::new(0);
/// What is said of a tutor that is ended. Made at the start: later its catalogue may be in the stuck loop's hands.
static FAREWELL: OnceLock<String> = OnceLock::new();

/// Gets ready; before this, nothing is watched.
pub(super) fn ready() {
    FAREWELL.get_or_init(|| format!("matmul-tutor: {}\n", t!("app-stuck")));
}

/// The loop has taken an event.
pub(super) fn turned() {
    TURNS.fetch_add(1, Ordering::Relaxed);
}

/// A signal came: whatever the loop does, the tutor has ended soon.
pub(super) fn must_end() {
    watch(|| true);
}

/// Ctrl-C was pressed: a loop that turns says what comes of it; one that does not has its tutor ended.
pub(super) fn must_turn() {
    let turns = TURNS.load(Ordering::Relaxed);
    watch(move || TURNS.load(Ordering::Relaxed) == turns);
}

fn watch(stuck: impl Fn() -> bool + Send + 'static) {
    if FAREWELL.get().is_none() {
        return;
    }
    let deadline = Instant::now() + PATIENCE;
    // Without a thread there is no watch; the wish is still on its way to the loop.
    let _ = std::thread::Builder::new().name("watchdog".into()).spawn(move || {
        while Instant::now() < deadline {
            std::thread::park_timeout(deadline.saturating_duration_since(Instant::now()));
        }
        if stuck() {
            end();
        }
    });
}

/// Gives the terminal back and ends the process, without a lock that the loop may hold.
fn end() -> ! {
    terminal::force_give_back();
    terminal::write_stderr(FAREWELL.get().map_or("", String::as_str));
    #[cfg(unix)]
    // SAFETY: handlers of the process's end could wait for the stuck loop; what was committed is on the disk, and a
    // worker ends when its standard input does.
    unsafe {
        libc::_exit(130)
    }
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "the terminal has been given back, and the loop is stuck")]
    std::process::exit(130)
}
