//! Threads and clock of the machine that runs the emulator. Without the feature `threads` there is one thread, and
//! elapsed time is always zero.

use std::time::Duration;
#[cfg(feature = "threads")]
use std::time::Instant;

/// Measures the time since its start.
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

/// Returns the number of threads that can share work.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Runs `work` on `count` threads at once and waits for all of them.
pub(crate) fn on_threads(count: usize, work: impl Fn() + Sync) {
    #[cfg(feature = "threads")]
    if count > 1 {
        return rayon::scope(|scope| (0..count).for_each(|_| scope.spawn(|_| work())));
    }
    // Without threads, one call does all the work.
    let _ = count;
    work();
}
