//! What the machine gives on which the emulator runs: threads and a clock. Without the feature `threads` there is one
//! thread, and no time passes.

use std::time::Duration;
#[cfg(feature = "threads")]
use std::time::Instant;

/// Measures time from its start on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    #[cfg(feature = "threads")]
    began: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(feature = "threads")]
            began: Instant::now(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        #[cfg(feature = "threads")]
        return self.began.elapsed();
        #[cfg(not(feature = "threads"))]
        Duration::ZERO
    }
}

/// Threads that work can be spread over.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Does the same work on so many threads at once, and waits for all of them.
pub(crate) fn on_threads(count: usize, work: impl Fn() + Sync) {
    #[cfg(feature = "threads")]
    if count > 1 {
        return rayon::scope(|scope| (0..count).for_each(|_| scope.spawn(|_| work())));
    }
    // The first does all that there is to do.
    let _ = count;
    work();
}
