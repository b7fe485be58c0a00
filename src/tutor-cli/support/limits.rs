//! Limits on the time and the memory of a worker.

use std::time::{Duration, Instant};
use tutor_exec::worker::{Spent, processor_time};

/// Limits on all requests to a worker together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum processor time. A worker that uses none is stopped after the same real time.
    pub(crate) time: Duration,
    /// The real time at which a worker is stopped in any case.
    pub(crate) ends: Option<Instant>,
    /// Maximum memory. Enforced only on Linux.
    pub(crate) bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Time,
    Memory,
}

impl Limits {
    /// Returns the limit that a worker exceeds, if any.
    pub(crate) fn exceeded(&self, used: &Used) -> Option<Exceeded> {
        let late = [used.spent.end(self.time), self.ends].into_iter().flatten().any(|end| end < Instant::now());
        if late { Some(Exceeded::Time) } else { (used.bytes > self.bytes).then_some(Exceeded::Memory) }
    }
}

/// What a worker has used so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Used {
    spent: Spent,
    /// Highest memory use in bytes; 0 if the system does not report it.
    pub(crate) bytes: u64,
}

impl Used {
    pub(crate) fn new() -> Self {
        Self { spent: Spent::begin(), bytes: 0 }
    }

    /// Returns what has been used, with the clock started again. Memory stays.
    pub(crate) fn again(self) -> Self {
        Self { bytes: self.bytes, ..Self::new() }
    }

    /// Reads what the process uses now. Its processor time counts only with `here`: another command may start the
    /// worker elsewhere.
    pub(crate) fn measure(&mut self, process: u32, here: bool) {
        self.bytes = self.bytes.max(peak_bytes(process).unwrap_or_default());
        self.spent.observe(processor_time(process).filter(|_| here));
    }
}

/// Returns the peak memory use of a process in bytes, if the system reports it.
fn peak_bytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
