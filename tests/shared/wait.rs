//! How tests wait: for a state, never for a time.

use std::time::{Duration, Instant};

/// Far longer than any step takes on a busy machine. Only a test that fails waits this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// Time between two looks at something that sends no event.
const LOOK: Duration = Duration::from_millis(5);

/// Looks again and again until `look` finds something, and returns it.
#[track_caller]
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        std::thread::park_timeout(LOOK);
    }
}
