//! The shadow of shared memory: each cell's last weak write, and each warp's last accesses of other kinds.

use super::clock::Agent;
use std::collections::HashMap;
use std::ops::Range;

/// The kind of an access. *Strong* accesses (atomics, `volatile`, `relaxed`, `acquire`, `release`) do not conflict
/// with each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AccessKind {
    #[default]
    Read,
    Write,
    StrongRead,
    StrongWrite,
}

impl AccessKind {
    pub(super) fn new(writes: bool, strong: bool) -> Self {
        match (writes, strong) {
            (false, false) => Self::Read,
            (true, false) => Self::Write,
            (false, true) => Self::StrongRead,
            (true, true) => Self::StrongWrite,
        }
    }

    pub(super) fn writes(self) -> bool {
        matches!(self, Self::Write | Self::StrongWrite)
    }

    pub(super) fn strong(self) -> bool {
        matches!(self, Self::StrongRead | Self::StrongWrite)
    }

    /// True if two accesses conflict when nothing orders them.
    pub(super) fn conflicts(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self.strong() && other.strong())
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Past {
    pub(super) access: u32,
    /// Number of the access in its agent's program order.
    pub(super) moment: u32,
    /// Which execution of its instruction in the interval this is, counted from 1.
    pub(super) ordinal: u32,
    pub(super) agent: Agent,
    pub(super) lane: u8,
    pub(super) kind: AccessKind,
}

impl Past {
    pub(super) fn same(&self, other: &Self) -> bool {
        (self.agent, self.lane, self.access, self.moment) == (other.agent, other.lane, other.access, other.moment)
    }

    /// Packs the access: moment in the high word; access, last lane and first lane in the low word. Adding
    /// [`NEXT_LANE`] gives the next lane's access.
    #[inline(always)]
    pub(super) fn pack(&self) -> u64 {
        u64::from(self.moment) << 32 | u64::from(self.access) << 10 | u64::from(self.lane) << 5 | u64::from(self.lane)
    }
}

/// Difference between two lanes in [`Past::pack`].
pub(super) const NEXT_LANE: u64 = 33;
/// Number of accesses that fit in a packed access.
pub(super) const MAX_ACCESSES: usize = 1 << 22;

/// Merges two packed accesses of one moment: the first lane of `old`, the last lane of `new`.
#[inline(always)]
pub(super) fn widen(old: u64, new: u64) -> u64 {
    if old >> 32 == new >> 32 && (old as u32) >> 10 == (new as u32) >> 10 { new & !31 | old & 31 } else { new }
}

/// The last strong write of a cell, in a kernel with `volatile` accesses.
#[derive(Debug, Default)]
pub(super) struct Observed {
    /// Its thread, and the threads of earlier writes: agent, lane, moment. The thread of each write had read the write before it.
    pub(super) writers: Vec<(Agent, u8, u32)>,
    /// The lanes of each warp that have read it.
    pub(super) readers: Vec<(Agent, u32)>,
}

impl Observed {
    fn is_read_by(&self, by: &Past) -> bool {
        self.readers.iter().any(|(agent, lanes)| *agent == by.agent && lanes >> (by.lane & 31) & 1 == 1)
    }

    /// Records a write. If its thread has read the last one, it follows all those before it, too.
    pub(super) fn write(&mut self, by: &Past) {
        if !self.is_read_by(by) {
            self.writers.clear();
        }
        self.writers.retain(|(agent, lane, _)| (*agent, *lane) != (by.agent, by.lane));
        self.writers.push((by.agent, by.lane, by.moment));
        self.readers.clear();
    }

    pub(super) fn read(&mut self, by: &Past) {
        match self.readers.iter_mut().find(|(agent, _)| *agent == by.agent) {
            Some((_, lanes)) => *lanes |= 1 << (by.lane & 31),
            None => self.readers.push((by.agent, 1 << (by.lane & 31))),
        }
    }

    /// True if the thread of an access has read what the thread of an earlier one wrote then or later, or what followed.
    /// The coherence of one location (8.9.2, 8.10) then orders the two accesses.
    pub(super) fn orders(&self, old: &Past, new: &Past) -> bool {
        let is_later = |(agent, lane, moment): &(Agent, u8, u32)| {
            (*agent, *lane) == (old.agent, old.lane) && *moment >= old.moment
        };
        self.writers.iter().any(is_later) && self.is_read_by(new)
    }
}

/// The shadow of a block's shared memory.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pub(super) interval: u32,
    pub(super) cells: usize,
    /// The agent of the block's first warp.
    pub(super) first: usize,
    /// Each cell's last weak write, and its interval or [`super::FLIGHT`].
    pub(super) written: Vec<u32>,
    pub(super) writes: Vec<Past>,
    /// The value that a warp's last weak write stored.
    pub(super) values: Vec<u32>,
    /// Interval of each cell's last weak read by any warp of the block.
    pub(super) read: Vec<u32>,
    /// `reads[warp * cells + cell]`: the warp's last weak read, as in [`Past::pack`].
    pub(super) reads: Vec<u64>,
    /// Strong reads and writes by warps, and reads by engines, in the same form.
    pub(super) strong_reads: Rows,
    pub(super) strong_writes: Rows,
    pub(super) engine_reads: Rows,
    /// For each cell, the weak reads by warps of the cluster's other blocks, except reads that a later reader knows.
    pub(super) foreign: HashMap<u32, Vec<(Agent, u64)>>,
    pub(super) apart: Vec<Apart>,
    /// What is known of the last strong write of each cell, in a kernel with `volatile` accesses.
    pub(super) observed: HashMap<u32, Observed>,
    /// Moment at which the interval began in each warp, and interval at which the block began.
    began: Vec<u32>,
    pub(super) first_interval: u32,
    pub(super) flights: bool,
}

impl Shadow {
    /// Starts a block whose warps are at these moments. Returns false if intervals have reached their limit.
    pub(super) fn start(&mut self, cells: usize, first: usize, moments: impl Iterator<Item = u32> + Clone) -> bool {
        let warps = moments.clone().count();
        if self.cells != cells || self.interval > u32::MAX / 2 || self.apart.len() != warps {
            *self = Self {
                cells,
                written: vec![0; cells],
                writes: vec![Past::default(); cells],
                values: vec![0; cells],
                read: vec![0; cells],
                reads: vec![0; cells * warps],
                apart: (0..warps).map(|_| Apart::default()).collect(),
                ..Self::default()
            };
        } else if self.flights {
            self.written.fill(0);
        }
        self.first = first;
        self.flights = false;
        self.strong_reads.clear();
        self.strong_writes.clear();
        self.engine_reads.clear();
        self.foreign.clear();
        self.observed.clear();
        let more = self.next_interval(moments);
        self.first_interval = self.interval;
        more
    }

    /// Discards everything recorded. Returns false if intervals have reached their limit.
    pub(super) fn next_interval(&mut self, moments: impl Iterator<Item = u32>) -> bool {
        if self.interval >= super::FLIGHT - 1 {
            return false;
        }
        self.interval += 1;
        self.began.clear();
        self.began.extend(moments);
        self.apart.iter_mut().for_each(Apart::clear);
        true
    }

    /// True if the cells from `first` to `last` may have had strong accesses or reads by engines.
    #[inline(always)]
    pub(super) fn has_others(&self, first: usize, last: usize) -> bool {
        [&self.strong_writes, &self.strong_reads, &self.engine_reads].iter().any(|rows| rows.may_have_any(first, last))
    }

    /// Returns the moment up to which the accesses of a warp of the block are discarded.
    #[inline(always)]
    pub(super) fn began(&self, warp: usize) -> u32 {
        self.began[warp]
    }

    /// True if an agent's moment is in the interval. For agents other than the block's warps, it always is.
    pub(super) fn counts(&self, agent: Agent, moment: u32) -> bool {
        let began = usize::from(agent).checked_sub(self.first).and_then(|warp| self.began.get(warp));
        began.is_none_or(|began| moment > *began)
    }
}

/// One row of packed accesses for each agent that has any.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<(Agent, Vec<u64>)>,
    /// Range of all cells recorded so far.
    noted: Range<usize>,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.noted = 0..0;
    }

    /// True if the cell may have been recorded.
    #[inline(always)]
    pub(super) fn may_have(&self, cell: usize) -> bool {
        self.noted.contains(&cell)
    }

    /// True if a cell from `first` to `last` may have been recorded.
    #[inline(always)]
    pub(super) fn may_have_any(&self, first: usize, last: usize) -> bool {
        self.noted.start <= last && first < self.noted.end
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = (Agent, &[u64])> {
        self.rows.iter().map(|(agent, row)| (*agent, row.as_slice()))
    }

    /// Returns the agent at index `place`, and its entry for a cell.
    #[inline(always)]
    pub(super) fn at(&self, place: usize, cell: usize) -> (Agent, u64) {
        let (agent, row) = &self.rows[place];
        (*agent, row[cell])
    }

    /// Returns the agent's row of `cells` cells, in which the caller will record those from `first` to `last`.
    pub(super) fn row(&mut self, agent: Agent, cells: usize, first: usize, last: usize) -> &mut [u64] {
        self.noted = if self.noted.is_empty() {
            first..last + 1
        } else {
            self.noted.start.min(first)..self.noted.end.max(last + 1)
        };
        let at = self.rows.iter().position(|(a, _)| *a == agent).unwrap_or_else(|| {
            self.rows.push((agent, vec![0; cells]));
            self.rows.len() - 1
        });
        &mut self.rows[at].1
    }
}

/// Reads by lanes that had diverged from their warp: each lane's last read, by cell. The rows keep one access per
/// warp, which is enough only while its lanes run together.
#[derive(Debug, Default)]
pub(super) struct Apart {
    cells: HashMap<u32, Vec<u64>>,
}

/// Maximum number of cells per warp with separate lanes. Beyond it, the old entries are dropped.
const MAX_APART: usize = 4096;

impl Apart {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    pub(super) fn note(&mut self, cell: usize, packed: u64) {
        if self.cells.len() >= MAX_APART {
            self.cells.clear();
        }
        let all = self.cells.entry(cell as u32).or_default();
        match all.iter_mut().find(|known| (**known & 31) == (packed & 31)) {
            Some(known) => *known = packed,
            None => all.push(packed),
        }
    }

    pub(super) fn at(&self, cell: usize) -> &[u64] {
        if self.cells.is_empty() { &[] } else { self.cells.get(&(cell as u32)).map_or(&[], Vec::as_slice) }
    }
}
