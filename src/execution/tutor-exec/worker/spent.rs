/*! The time that a process takes.

On a busy machine, a process gets little processor time. So a limit applies to processor time as well as to real time,
where the system reports it.
*/

use std::time::{Duration, Instant};

/// The most real time, as a multiple of the limit.
const MAX_REAL: u32 = 20;

/// The time that a process has taken since a moment.
#[derive(Debug, Clone, Copy)]
pub struct Spent {
    pub(super) began: Instant,
    /// Its processor time when it was first and last looked at, if the system reports it.
    processor: Option<[Duration; 2]>,
    /// The last time at which the processor time had grown.
    worked: Instant,
}

impl Spent {
    pub fn begin() -> Self {
        let now = Instant::now();
        Self { began: now, processor: None, worked: now }
    }

    /// Takes what [`processor_time`](super::processor_time) returns now.
    pub fn observe(&mut self, processor: Option<Duration>) {
        let Some(now) = processor else { return };
        let [first, last] = *self.processor.get_or_insert([now; 2]);
        if now > last {
            (self.processor, self.worked) = (Some([first, now]), Instant::now());
        }
    }

    /// Returns when the process reaches the limit, or `None` while it waits for a processor. It does if it computes, but
    /// has had less processor time than the limit.
    pub fn end(&self, limit: Duration) -> Option<Instant> {
        self.end_at(limit, Instant::now())
    }

    fn end_at(&self, limit: Duration, now: Instant) -> Option<Instant> {
        let computes = self.processor.is_some_and(|[first, last]| last - first <= limit) && now - self.worked <= limit;
        let waits = computes && now - self.began <= Self::most(limit);
        if waits { None } else { self.began.checked_add(limit) }
    }

    /// Returns the real time after which a process has reached the limit in any case.
    pub fn most(limit: Duration) -> Duration {
        limit.saturating_mul(MAX_REAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_does_not_use_up_the_time_of_a_process() {
        let seconds = Duration::from_secs;
        let began = Instant::now();
        let is_over = |real: u64, processor: Option<u64>, worked: u64| {
            let processor = processor.map(|processor| [seconds(7), seconds(7 + processor)]);
            let now = began + seconds(real);
            let spent = Spent { began, processor, worked: began + seconds(worked) };
            spent.end_at(seconds(60), now).is_some_and(|end| end < now)
        };
        assert!(!is_over(59, None, 0));
        assert!(is_over(61, None, 0), "no processor time is known");
        assert!(!is_over(600, Some(20), 599), "a busy machine");
        assert!(!is_over(59, Some(400), 59), "many processors");
        assert!(is_over(61, Some(61), 61));
        assert!(is_over(100, Some(2), 39), "it waits for ever");
        assert!(is_over(1201, Some(20), 1200), "not for ever");
        let mut spent = Spent::begin();
        spent.observe(None);
        assert!(spent.end(seconds(60)).is_some());
        spent.observe(Some(seconds(3)));
        assert!(spent.end(seconds(60)).is_none());
    }
}
