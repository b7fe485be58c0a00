/*! Decides which of two unordered accesses the program intends to come first.

Both accesses are in one barrier interval, so the order in which the emulator ran them means nothing. The intended
order follows from the warps' program order. The `n`-th execution of the store in one warp corresponds to the `n`-th
execution of the store in another.

1. If the *reading* warp also runs the store: RAW if its own `n`-th store of the interval came before its read,
   otherwise WAR. (First barrier missing: every warp stores and then reads, so RAW. Second barrier missing: every warp
   reads and then stores the next tile, so WAR.)
2. Otherwise, if the *writing* warp also runs the load: WAR if its own corresponding load came before its store,
   otherwise RAW.
3. Otherwise (producer and consumer warps): the order in the PTX.

For two lanes of one warp, and for asynchronous accesses, the order in which they ran is the intended one.
*/

/// Number of executions per interval whose moment is stored. Later ones are compared by their number.
const REMEMBERED: usize = 8;

/// Executions of an access by a warp in the current interval.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Runs {
    interval: u32,
    count: u32,
    ever: bool,
    moments: [u32; REMEMBERED],
}

impl Runs {
    /// Records an execution and returns its number, from 1.
    #[inline(always)]
    pub(super) fn run(&mut self, interval: u32, moment: u32) -> u32 {
        if self.interval != interval {
            *self = Self { interval, ever: true, ..Self::default() };
        }
        if let Some(slot) = self.moments.get_mut(self.count as usize) {
            *slot = moment;
        }
        self.count = self.count.saturating_add(1);
        self.count
    }

    pub(super) fn ever(&self) -> bool {
        self.ever
    }

    /// Returns the number of the execution at a moment. An execution that is not stored counts as the latest.
    pub(super) fn ordinal(&self, moment: u32) -> u32 {
        self.moments.iter().position(|m| *m == moment).map_or(self.count, |at| at as u32 + 1)
    }

    /// True if the `n`-th execution in the interval came before `moment`, the moment of the warp's `ordinal`-th
    /// access.
    pub(super) fn came_before(&self, interval: u32, n: u32, moment: u32, ordinal: u32) -> bool {
        let count = if self.interval == interval { self.count } else { 0 };
        match n as usize {
            n if n <= REMEMBERED => count as usize >= n && self.moments[n - 1] < moment,
            _ => n <= ordinal,
        }
    }
}
