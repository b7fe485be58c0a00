//! Limits on the time and the memory of a worker.
//!
//! On a busy machine, a worker gets little processor time. So a limit on the time applies to processor time as well as
//! to real time, where the system reports it.

use std::time::{Duration, Instant};
use tutor_exec::worker::processor_time;

/// Limits on all requests to a worker together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum processor time. A worker that uses none is stopped after the same real time.
    pub(crate) time: Duration,
    /// Maximum memory. Enforced only on Linux.
    pub(crate) bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Time,
    Memory,
}

impl Limits {
    /// The most real time, as a multiple of the processor time.
    const MAX_REAL: u32 = 20;

    /// Returns the real time after which a worker is stopped in any case.
    pub(crate) fn real(&self) -> Duration {
        self.time.saturating_mul(Self::MAX_REAL)
    }

    /// Returns the limit that a worker exceeds, if any.
    pub(crate) fn exceeded(&self, used: &Used, now: Instant) -> Option<Exceeded> {
        let real = now.saturating_duration_since(used.began);
        let late = match used.processor {
            None => real > self.time,
            Some(processor) => {
                let idle = now.saturating_duration_since(used.worked);
                processor.min(real) > self.time || idle > self.time || real > self.real()
            }
        };
        if late { Some(Exceeded::Time) } else { (used.bytes > self.bytes).then_some(Exceeded::Memory) }
    }
}

/// What a worker has used so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    began: Instant,
    /// Processor time, if the system reports it.
    processor: Option<Duration>,
    /// The last time at which the processor time had grown.
    worked: Instant,
    /// Highest memory use in bytes; 0 if the system does not report it.
    pub(crate) bytes: u64,
}

impl Used {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self { began: now, processor: None, worked: now, bytes: 0 }
    }

    /// Returns what has been used, with the clock started again. Memory stays.
    pub(crate) fn again(self) -> Self {
        Self { bytes: self.bytes, ..Self::new() }
    }

    /// Reads what the process uses now. Its processor time counts only with `here`: another command may start the
    /// worker elsewhere.
    pub(crate) fn measure(&mut self, process: u32, here: bool) {
        self.bytes = self.bytes.max(peak_bytes(process).unwrap_or_default());
        let processor = processor_time(process).filter(|_| here);
        if processor > self.processor {
            (self.processor, self.worked) = (processor, Instant::now());
        }
    }
}

/// Returns the peak memory use of a process in bytes, if the system reports it.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_does_not_use_up_the_time_of_a_worker() {
        let limits = Limits { time: Duration::from_secs(60), bytes: 100 };
        let began = Instant::now();
        let after = |real: u64, processor: Option<u64>, worked: u64| {
            let (processor, worked) = (processor.map(Duration::from_secs), began + Duration::from_secs(worked));
            limits.exceeded(&Used { began, processor, worked, bytes: 1 }, began + Duration::from_secs(real))
        };
        assert_eq!(after(59, None, 0), None);
        assert_eq!(after(61, None, 0), Some(Exceeded::Time));
        assert_eq!(after(600, Some(20), 599), None, "a busy machine");
        assert_eq!(after(59, Some(400), 59), None, "many processors");
        assert_eq!(after(61, Some(61), 61), Some(Exceeded::Time));
        assert_eq!(after(100, Some(2), 39), Some(Exceeded::Time), "a worker that waits for ever");
        assert_eq!(after(1201, Some(20), 1200), Some(Exceeded::Time));
    }
}
