/*! Which of two unordered accesses the program means to come first.

Both accesses stand in one barrier interval, so the order in which the emulator ran them says nothing. What the
program means is told by the warps' own order: the `n`-th execution of the store in one warp corresponds to the
`n`-th execution of the store in the other.

1. If the *reading* warp runs the store too: the hazard is RAW if that warp's own `n`-th store of the interval came
   before its read, and WAR if not. (First barrier missing: store, then read, in every warp: RAW. Second barrier
   missing: read, then the store of the next tile: WAR.)
2. Else, if the *writing* warp runs the load too: WAR if its own corresponding load came before its store, else RAW.
3. Else (producer and consumer warps): the order in the text.

Two lanes of one warp, and asynchronous accesses, stand in the order in which they ran.
*/

/// Executions per interval whose moment is remembered; later ones are compared by their number.
const REMEMBERED: usize = 8;

/// Executions of an access by a warp in the present interval.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Runs {
    interval: u32,
    count: u32,
    ever: bool,
    moments: [u32; REMEMBERED],
}

impl Runs {
    /// Notes an execution; gives its number, from 1.
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

    /// The number of the execution at a moment; one that is not remembered counts as the latest.
    pub(super) fn ordinal(&self, moment: u32) -> u32 {
        self.moments.iter().position(|m| *m == moment).map_or(self.count, |at| at as u32 + 1)
    }

    /// Whether the `n`-th execution in the interval came before the warp's `moment`, which is its access's `ordinal`-th.
    pub(super) fn came_before(&self, interval: u32, n: u32, moment: u32, ordinal: u32) -> bool {
        let count = if self.interval == interval { self.count } else { 0 };
        match n as usize {
            n if n <= REMEMBERED => count as usize >= n && self.moments[n - 1] < moment,
            _ => n <= ordinal,
        }
    }
}
