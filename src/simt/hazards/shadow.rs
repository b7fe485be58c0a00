//! Shadow of shared memory: for each cell its last plain write, and each warp's last accesses of other kinds.

use super::clock::Agent;

/// What an access does to a byte. *Strong* accesses (atomics, `volatile`, `relaxed`, `acquire`, `release`) do not
/// conflict with each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Read,
    Write,
    StrongRead,
    StrongWrite,
}

impl Kind {
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

    fn strong(self) -> bool {
        matches!(self, Self::StrongRead | Self::StrongWrite)
    }

    /// Whether two accesses conflict if nothing orders them.
    pub(super) fn conflicts(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self.strong() && other.strong())
    }
}

/// An access in the past.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Past {
    pub(super) access: u32,
    /// Number of the access in its agent's own order.
    pub(super) moment: u32,
    /// Which execution of its instruction in the interval, from 1.
    pub(super) ordinal: u32,
    pub(super) agent: Agent,
    pub(super) lane: u8,
    pub(super) kind: Kind,
}

impl Past {
    pub(super) fn same(&self, other: &Self) -> bool {
        (self.agent, self.lane, self.access, self.moment) == (other.agent, other.lane, other.access, other.moment)
    }

    /// Moment in the high word; access, last lane and first lane in the low one. Adding [`NEXT_LANE`] goes on to
    /// the next lane.
    #[inline(always)]
    pub(super) fn pack(&self) -> u64 {
        u64::from(self.moment) << 32 | u64::from(self.access) << 10 | u64::from(self.lane) << 5 | u64::from(self.lane)
    }
}

/// See [`Past::pack`].
pub(super) const NEXT_LANE: u64 = 33;
/// Accesses whose number fits beside two lanes.
pub(super) const MOST_ACCESSES: usize = 1 << 22;

/// Joins two packed accesses of one moment: the first lane of the one, the last lane of the other.
#[inline(always)]
pub(super) fn widen(old: u64, new: u64) -> u64 {
    if old >> 32 == new >> 32 && (old as u32) >> 10 == (new as u32) >> 10 { new & !31 | old & 31 } else { new }
}

/// One row of packed accesses for each agent that has any.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<(Agent, Vec<u64>)>,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = (Agent, &[u64])> {
        self.rows.iter().map(|(agent, row)| (*agent, row.as_slice()))
    }

    /// The agent's row over `cells` cells.
    pub(super) fn row(&mut self, agent: Agent, cells: usize) -> &mut [u64] {
        let at = self.rows.iter().position(|(a, _)| *a == agent).unwrap_or_else(|| {
            self.rows.push((agent, vec![0; cells]));
            self.rows.len() - 1
        });
        &mut self.rows[at].1
    }
}

/// Reads by lanes that had come apart from the rest of their warp: each lane's last, by cell. The rows keep one
/// access of a warp; that is enough as long as its lanes run together.
#[derive(Debug, Default)]
pub(super) struct Apart {
    cells: std::collections::HashMap<u32, Vec<u64>>,
}

/// Cells of a warp for which lanes are kept apart; beyond it the oldest knowledge is given up.
const MOST_APART: usize = 4096;

impl Apart {
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    pub(super) fn note(&mut self, cell: usize, packed: u64) {
        if self.cells.len() >= MOST_APART {
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
