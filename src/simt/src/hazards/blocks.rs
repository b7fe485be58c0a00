/*! Global memory of kernels whose blocks can talk to each other: happens-before between blocks that run in turns.

An access conflicts with one of another block unless its thread knows of it: a strong write after a fence (or a
releasing one) made it known, and a strong access of the same address learnt it. Besides, a strong write lies before all that
comes after a strong access that observed it: whoever draws the last ticket from a counter may reset it by a plain store, with
no fence between (PTX ISA, memory consistency model: causality order by way of observation order). Of the granule itself
alone, as that order is not transitive. For each granule the last plain write is kept, and beside it *every* plain read, strong read and strong write that may still matter: one of a thread that a later
one of the same kind does not know. (Who knows the later one knows the earlier one too, and who does not is in conflict
with the later one.) Of threads that have ended and can make nothing known any more, one access of each kind is enough:
nobody will ever know of it, so it conflicts with all that the others would.
*/

use super::Hazards;
use super::clock::{Agent, Clock, lanes};
use super::found::Pair;
use super::global::PAGE;
use super::shadow::{Kind, Past};
use super::sync::Released;
use crate::arch::Scope;
use crate::memory::SLOT_BITS;
use crate::probes::Seen;
use crate::report::{HazardKind, HazardSpace};
use std::collections::{HashMap, HashSet};

/// An access: the number of its cluster, and what is known of it there. Lanes of a warp that did the same are one.
#[derive(Debug, Clone, Copy)]
struct Mark {
    cluster: u32,
    moment: u32,
    access: u32,
    lanes: u32,
    agent: Agent,
    kind: Kind,
}

/// What was last done to a granule: one mark beside it, which most have no more than, others in [`Ordered::more`].
#[derive(Debug, Clone, Copy)]
struct Granule {
    one: Option<Mark>,
    /// Index, 0 for none.
    more: u32,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Ordered {
    shift: u32,
    buffers: Vec<Vec<Option<Box<[Granule]>>>>,
    more: Vec<Vec<Mark>>,
    free: Vec<u32>,
    /// Marks in `more`.
    count: usize,
    /// The marks of the granule at hand.
    marks: Vec<Mark>,
    /// By address, under a rank that no block has.
    pub(super) told: HashMap<(u32, u64), Released>,
    /// What each cluster has made known to all.
    pub(super) released: HashMap<u64, Clock>,
    /// Clusters that have begun and not ended.
    pub(super) alive: HashSet<u64>,
    /// Addresses at which each of them has made something known.
    pub(super) tellers: HashMap<u64, Vec<u64>>,
}

/// The rank under which [`Ordered::told`] has addresses of global memory.
pub(super) const NO_RANK: u32 = u32::MAX;

/// Most addresses at which something is made known: about 1 KiB each.
pub(super) const MOST_TOLD: usize = 2 << 20;
/// Most marks beside those in the pages: 2 GiB of them.
const MOST_MARKS: usize = (2 << 30) / size_of::<Mark>();

impl Ordered {
    /// A shadow of buffers of these lengths; of none if only what orders accesses is of interest.
    pub(super) fn new(shift: u32, lengths: &[u64]) -> Self {
        let pages = |bytes: &u64| vec![None; ((bytes >> shift) + 1).div_ceil(PAGE) as usize];
        Self {
            shift,
            buffers: lengths.iter().map(pages).collect(),
            more: vec![Vec::new()],
            free: Vec::new(),
            count: 0,
            marks: Vec::new(),
            told: HashMap::new(),
            released: HashMap::new(),
            alive: HashSet::new(),
            tellers: HashMap::new(),
        }
    }

    /// A cluster has ended.
    pub(super) fn end(&mut self, cluster: u64) {
        self.alive.remove(&cluster);
        for address in self.tellers.remove(&cluster).into_iter().flatten() {
            if let Some(told) = self.told.get_mut(&(NO_RANK, address)) {
                told.forget(cluster);
            }
        }
    }

    fn granule(&mut self, buffer: usize, number: u64) -> Option<&mut Granule> {
        let page = self.buffers.get_mut(buffer)?.get_mut((number / PAGE) as usize)?;
        let empty = || vec![Granule { one: None, more: 0 }; PAGE as usize].into_boxed_slice();
        page.get_or_insert_with(empty).get_mut((number % PAGE) as usize)
    }

    /// Takes the marks of a granule to hand. False if there is no such granule.
    fn take(&mut self, buffer: usize, number: u64) -> bool {
        let Some(granule) = self.granule(buffer, number) else { return false };
        let (one, more) = (granule.one, granule.more as usize);
        self.marks.clear();
        if more != 0 {
            self.count -= self.more[more].len();
            let Self { marks, more: all, .. } = self;
            marks.append(&mut all[more]);
        }
        // The latest comes last.
        self.marks.extend(one);
        true
    }

    /// Gives the marks at hand back to their granule.
    fn give(&mut self, buffer: usize, number: u64) {
        let Some(granule) = self.granule(buffer, number) else { return };
        let index = granule.more;
        let mut marks = std::mem::take(&mut self.marks);
        let one = marks.pop();
        let more = match (marks.is_empty(), index) {
            (true, 0) => 0,
            (true, index) => {
                self.more[index as usize] = Vec::new();
                self.free.push(index);
                0
            }
            (false, 0) => self.free.pop().unwrap_or_else(|| {
                self.more.push(Vec::new());
                (self.more.len() - 1) as u32
            }),
            (false, index) => index,
        };
        if more != 0 {
            self.count += marks.len();
            self.more[more as usize].append(&mut marks);
        }
        self.marks = marks;
        if let Some(granule) = self.granule(buffer, number) {
            *granule = Granule { one, more };
        }
    }

    /// Leaves one mark of each kind of those that nobody can come to know any more.
    fn spare(&mut self) {
        let mut lost = [false; 4];
        let (alive, released) = (&self.alive, &self.released);
        self.marks.retain(|mark| {
            let told = released.get(&u64::from(mark.cluster));
            let may_be_known = |lane: usize| told.is_some_and(|told| told.get(mark.agent, lane as u8) >= mark.moment);
            let kept = alive.contains(&u64::from(mark.cluster)) || lanes(mark.lanes).any(may_be_known);
            kept || !std::mem::replace(&mut lost[mark.kind as usize], true)
        });
    }
}

impl Hazards {
    /// An access to global memory, of a kernel whose blocks may talk to each other.
    pub(super) fn ordered_access(&mut self, seen: &Seen<'_>, ordered: &mut Ordered) {
        let by = self.first + seen.warp as usize;
        let cluster = self.cluster() as u32;
        let Some(warp) = self.threads.get_mut(by) else { return };
        if warp.moment == u32::MAX || ordered.count > MOST_MARKS {
            self.exhausted = true;
            return;
        }
        warp.moment += 1;
        let moment = warp.moment;
        self.finds.next();
        let shift = ordered.shift;
        let each = (u64::from(seen.access.bytes()) >> shift).max(1);
        let slot = seen.start.wrapping_add(seen.shape.low as u64) >> SLOT_BITS;
        let buffer = (slot as usize).wrapping_sub(1);
        // An atomic of the block's scope is nothing special to another block.
        let strong = seen.access.order.strong && seen.access.order.scope >= Scope::Device;
        let kind = Kind::new(seen.access.writes, strong);
        let new = Mark { cluster, moment, access: seen.access_index, lanes: 0, agent: by as Agent, kind };
        for lane in lanes(seen.mask) {
            let offset = seen.start.wrapping_add(seen.shape.relative[lane] as u64).wrapping_sub(slot << SLOT_BITS);
            let new = Mark { lanes: 1 << lane, ..new };
            for granule in offset >> shift..(offset >> shift) + each {
                if !ordered.take(buffer, granule) {
                    continue;
                }
                self.hold_against(&ordered.marks, new, granule << shift | slot << SLOT_BITS, 1 << shift);
                if strong && seen.access.atomic.is_some() {
                    observe(&mut ordered.marks);
                }
                self.note_mark(&mut ordered.marks, new);
                if ordered.marks.len() > 1 {
                    ordered.spare();
                }
                ordered.give(buffer, granule);
            }
        }
    }

    /// Whether the lane of a new mark knows what a lane did.
    fn knows(&self, new: &Mark, old: &Mark, of: u8) -> bool {
        let (warp, lane) = (&self.threads[usize::from(new.agent)], (new.lanes.trailing_zeros() & 31) as u8);
        if old.cluster == new.cluster {
            (old.agent, of) == (new.agent, lane) || warp.knows(lane, old.agent, of, old.moment)
        } else {
            warp.knows_of_block(lane, old.cluster.into(), old.agent, of, old.moment)
        }
    }

    fn hold_against(&mut self, marks: &[Mark], new: Mark, address: u64, bytes: u32) {
        for (index, old) in marks.iter().enumerate() {
            let own_block = old.cluster == new.cluster && self.rank_of(old.agent) == self.rank;
            if own_block || !new.kind.conflicts(old.kind) {
                continue;
            }
            let Some(lane) = lanes(old.lanes).find(|lane| !self.knows(&new, old, *lane as u8)) else { continue };
            if old.kind == Kind::StrongWrite && self.knows_an_observer(&new, &marks[index + 1..]) {
                continue;
            }
            let old = Mark { lanes: 1 << lane, ..*old };
            let hazard = match (old.kind.writes(), new.kind.writes()) {
                (true, true) => HazardKind::Waw,
                (true, false) => HazardKind::Raw,
                _ => HazardKind::War,
            };
            // The blocks of all clusters lie in the same way from the first one.
            let whose = |mark: &Mark| {
                let rank = self.rank_of(mark.agent) as usize;
                let from_first = self.blocks.get(rank).map_or(0, |block| block - self.blocks[0]);
                (u32::from(mark.agent) % self.warps.max(1) as u32, u64::from(mark.cluster) + from_first)
            };
            let whose = [whose(&old), whose(&new)];
            let pair = Pair { kind: hazard, first: past(&old), second: past(&new), whose, owner: whose[1].1 };
            self.finds.note(pair, &past(&old), HazardSpace::Global, address, bytes);
        }
    }

    /// Whether the lane of a new mark knows a strong read of what stood there before any of these.
    fn knows_an_observer(&self, new: &Mark, later: &[Mark]) -> bool {
        let mut reads = later.iter().take_while(|mark| !mark.kind.writes());
        reads.any(|read| {
            read.kind == Kind::StrongRead && lanes(read.lanes).any(|lane| self.knows(new, read, lane as u8))
        })
    }

    fn note_mark(&self, marks: &mut Vec<Mark>, new: Mark) {
        let mut noted = false;
        marks.retain_mut(|old| {
            let same_warp = (old.cluster, old.agent, old.kind) == (new.cluster, new.agent, new.kind);
            if same_warp && old.moment == new.moment {
                old.lanes |= new.lanes;
                noted = true;
                return true;
            }
            // A plain write is kept for whatever comes after it; it stands for all that its thread knows.
            if old.kind == new.kind || new.kind == Kind::Write {
                let known = lanes(old.lanes).filter(|lane| self.knows(&new, old, *lane as u8));
                old.lanes &= !known.fold(0, |mask, lane| mask | 1 << lane);
            }
            old.lanes != 0
        });
        if !noted {
            marks.push(new);
        }
    }
}

/// An atomic reads what the last write left. It stands for that write from now on: who knows the atomic may rely on both.
fn observe(marks: &mut Vec<Mark>) {
    if let Some(at) =
        marks.iter().rposition(|mark| mark.kind.writes()).filter(|at| marks[*at].kind == Kind::StrongWrite)
    {
        marks.remove(at);
    }
}

fn past(mark: &Mark) -> Past {
    Past {
        access: mark.access,
        moment: mark.moment,
        ordinal: mark.cluster,
        agent: mark.agent,
        lane: (mark.lanes.trailing_zeros() & 31) as u8,
        kind: mark.kind,
    }
}
