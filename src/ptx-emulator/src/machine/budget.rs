/*! The step budget of a launch. Blocks on several threads share it as if they ran one after another.

Clusters (single blocks, without clusters) begin in order and end in any order. They are *retired* in order: the steps
of a retired cluster are subtracted from the budget. A running cluster may take what the retired ones have left. So the
result is the same as if the clusters ran one after another: a cluster exceeds the budget here exactly when it would
exceed it there, while it runs or, at the latest, when it is retired. Running workers share only one number, which each of
them reads from time to time. */

use super::setup::Setup;
use super::state::Machine;
use crate::{Control, Fault, FaultKind, Limit};
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Maximum distance between the oldest cluster that has not ended and the newest cluster. Their step counts take 8 MiB.
const MAX_AHEAD: u64 = 1 << 20;
/// Warp instructions between two reads of the clock. In the slowest case they take tens of milliseconds.
const CLOCK: u64 = 1 << 14;
const CANCELLED: &str = "The run was cancelled.";
/// Minimum number of warp instructions that a cluster counts for, because beginning one takes as long.
const MIN_STEPS: u64 = 32;
/// Step count of a cluster that has not ended.
const RUNNING: u64 = u64::MAX;

pub(crate) struct Budget<'a> {
    pub(crate) control: &'a Control<'a>,
    /// Maximum number of warp instructions of the launch, and of one block.
    pub(crate) steps: u64,
    pub(crate) block_steps: u64,
    /// Steps of the retired clusters, and their number.
    retired: AtomicU64,
    first: AtomicU64,
    /// Step counts of the clusters after them.
    behind: Mutex<VecDeque<u64>>,
    /// Lowest index of a cluster with a fault.
    lowest: AtomicU64,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(control: &'a Control<'a>, block_steps: Option<u64>) -> Self {
        Self {
            control,
            steps: control.left(),
            block_steps: block_steps.unwrap_or(u64::MAX),
            retired: AtomicU64::new(0),
            first: AtomicU64::new(0),
            behind: Mutex::default(),
            lowest: AtomicU64::new(u64::MAX),
        }
    }

    /// Returns the number of steps that a running cluster may take.
    pub(crate) fn left(&self) -> u64 {
        self.steps.saturating_sub(self.retired())
    }

    /// Returns the number of steps of the retired clusters. Once all workers have ended, these are the clusters before
    /// the first fault.
    pub(crate) fn retired(&self) -> u64 {
        self.retired.load(Ordering::Relaxed)
    }

    /// Records that a cluster has a fault, so that later clusters no longer matter.
    pub(crate) fn fails(&self, index: u64) {
        self.lowest.fetch_min(index, Ordering::Relaxed);
    }

    pub(crate) fn is_idle(&self, index: u64) -> bool {
        index > self.lowest.load(Ordering::Relaxed)
    }

    /// Retires a cluster that has ended after `steps` steps. Returns the first cluster that turns out to have exceeded
    /// the budget.
    pub(crate) fn retire(&self, index: u64, steps: u64) -> Option<u64> {
        if self.steps == u64::MAX {
            return None;
        }
        let mut behind = self.behind.lock().ok()?;
        let mut first = self.first.load(Ordering::Relaxed);
        let place = index.checked_sub(first)? as usize;
        while behind.len() <= place {
            behind.push_back(RUNNING);
        }
        behind[place] = steps.max(MIN_STEPS);
        while let Some(steps) = behind.front().copied().filter(|steps| *steps != RUNNING) {
            let retired = self.retired().saturating_add(steps);
            if retired > self.steps {
                return Some(first);
            }
            behind.pop_front();
            first += 1;
            self.retired.store(retired, Ordering::Relaxed);
            self.first.store(first, Ordering::Relaxed);
        }
        None
    }

    /// Waits while too many clusters have begun after one that has not ended.
    pub(crate) fn wait(&self, index: u64) {
        let ahead = || index - self.first.load(Ordering::Relaxed).min(index) >= MAX_AHEAD;
        while self.steps != u64::MAX && ahead() && !self.is_idle(index) && self.control.stopped().is_none() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
    }
}

impl Setup<'_> {
    /// Returns the fault of a cluster that must not begin, or that was stopped; `had` says which.
    fn limit_fault(&self, limit: Limit, cluster: u64, had: &str) -> Box<Fault> {
        let (block, _) = self.block_of(cluster, 0);
        let [x, y, z] = block;
        let message = match limit {
            Limit::Cancelled => CANCELLED.to_owned(),
            _ => format!("Block ({x},{y},{z}) had not {had} when {limit}: {}.", self.advice()),
        };
        Box::new(Fault { block: Some(block), ..Fault::new(limit.fault(), message) })
    }

    /// Returns the fault of a cluster that must not begin, if the request has been stopped.
    pub(crate) fn not_begun(&self, cluster: u64) -> Option<Box<Fault>> {
        self.budget.control.stopped().map(|limit| self.limit_fault(limit, cluster, "begun"))
    }

    /// Returns the fault of a cluster that took more steps than its predecessors left.
    pub(crate) fn ran_out(&self, cluster: u64) -> Box<Fault> {
        self.limit_fault(self.budget.control.budget(), cluster, "ended")
    }

    fn advice(&self) -> String {
        match self.blocks() {
            1 => "probably an endless loop".to_owned(),
            blocks => format!("a loop may be endless, or a grid of {blocks} blocks too large"),
        }
    }
}

impl<P> Machine<'_, P> {
    /// Returns the number of warp instructions that this machine has executed.
    pub(crate) fn total(&self) -> u64 {
        self.other_steps.wrapping_add(self.block.steps)
    }

    /// Begins the `index`-th cluster of the launch, or all of them.
    pub(crate) fn begins(&mut self, index: u64) {
        (self.index, self.began) = (index, self.total());
    }

    /// Checks that the warp `w`, now at the instruction `at`, may go on.
    pub(crate) fn check(&mut self, at: usize, w: usize) -> Result<(), Box<Fault>> {
        let budget = &self.setup.budget;
        let total = self.total();
        if self.block.steps > budget.block_steps {
            let what = format!(
                "was running when its block had executed {} warp instructions, the most that one may: probably an endless \
                 loop",
                budget.block_steps
            );
            return Err(self.ends(FaultKind::StepBudget, at, w, &what));
        }
        let over = if total - self.began > budget.left() {
            Some(budget.control.budget())
        } else if budget.control.cancelled() || budget.is_idle(self.index) {
            Some(Limit::Cancelled)
        } else if total >= self.clock {
            self.clock = total + CLOCK;
            budget.control.stopped()
        } else {
            None
        };
        match over {
            None => Ok(()),
            Some(limit) => {
                let what = format!("was running when {limit}: {}", self.setup.advice());
                let mut fault = self.ends(limit.fault(), at, w, &what);
                if limit == Limit::Cancelled {
                    CANCELLED.clone_into(&mut fault.message);
                }
                Err(fault)
            }
        }
    }

    fn ends(&self, kind: FaultKind, at: usize, w: usize, what: &str) -> Box<Fault> {
        let lane = self.block.warps[w].live.trailing_zeros() & 31;
        self.fault(kind, at, w, lane, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_retired_in_order_in_whatever_order_they_end() {
        let control = Control::default().steps(1000);
        let budget = Budget::new(&control, None);
        assert_eq!(budget.retire(2, 300), None);
        assert_eq!((budget.retired(), budget.left()), (0, 1000));
        assert_eq!(budget.retire(0, 200), None);
        assert_eq!(budget.left(), 800);
        assert_eq!(budget.retire(1, 0), None, "a block counts for something");
        assert_eq!(budget.left(), 468);
        assert_eq!(budget.retire(5, 900), None);
        assert_eq!(budget.retire(3, 468), None);
        assert_eq!(budget.left(), 0);
        assert_eq!(budget.retire(4, 1), Some(4), "the first that was too much, not the one that is too large");
        assert_eq!(budget.retired(), 1000);
    }

    #[test]
    fn what_one_run_took_is_taken_off_the_next() {
        let control = Control::default().steps(100);
        control.charge(60);
        assert_eq!((Budget::new(&control, None).left(), control.used()), (40, 60));
        assert_eq!(control.reached(), None);
        control.charge(60);
        assert_eq!((control.used(), control.reached()), (100, Some(Limit::Steps(100))));
        assert_eq!(Control::default().reached(), None);
        #[cfg(feature = "threads")]
        assert_eq!(Control::default().time(Duration::ZERO).reached(), Some(Limit::Milliseconds(0)));
    }
}
