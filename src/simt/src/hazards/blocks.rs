/*! Happens-before between blocks that can communicate through global memory. Such blocks run alternately.

An access conflicts with an access of another block unless its thread knows of that access. A thread learns of it if a
fenced or releasing strong write publishes it and a strong access of the same address observes that write.

There is one more order. A strong write precedes everything that follows a strong access that observed the write. For
example, the thread that draws the last ticket from a counter may reset the counter with a weak store, without a fence
(PTX ISA, memory consistency model: causality order through observation order). That order applies only to the granule
itself, because it is not transitive.

The shadow of each granule keeps the last weak write. It also keeps *every* weak read, strong read and strong write
that may still matter: an access by a thread that a later access of the same kind does not know. This is enough. A
thread that knows the later access also knows the earlier one. A thread that does not know it conflicts with the later
one.

Of threads that have ended and can publish nothing more, one access of each kind is enough. No thread can learn of it
any more, so it conflicts with everything that the others would conflict with.
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

/// An access, with the number of its cluster and the access's data there. Lanes of a warp that did the same share a
/// mark.
#[derive(Debug, Clone, Copy)]
struct Mark {
    cluster: u32,
    moment: u32,
    access: u32,
    lanes: u32,
    agent: Agent,
    kind: Kind,
}

/// The last accesses of a granule. One mark is stored here, which is usually enough, the others in [`Ordered::more`].
#[derive(Debug, Clone, Copy)]
struct Granule {
    one: Option<Mark>,
    /// Index in [`Ordered::more`]; 0 for none.
    more: u32,
}

/// The shadow of global memory; see the module.
#[derive(Debug)]
pub(crate) struct Ordered {
    shift: u32,
    buffers: Vec<Vec<Option<Box<[Granule]>>>>,
    more: Vec<Vec<Mark>>,
    free: Vec<u32>,
    /// Number of marks in `more`.
    count: usize,
    /// The marks of the granule in work.
    marks: Vec<Mark>,
    /// What was released at each address, with [`NO_RANK`] as the rank.
    pub(super) released_at: HashMap<(u32, u64), Released>,
    /// What each cluster has released to the whole device.
    pub(super) released: HashMap<u64, Clock>,
    /// Clusters that have started and not ended.
    pub(super) alive: HashSet<u64>,
    /// The addresses at which each of these clusters has released something.
    pub(super) release_addresses: HashMap<u64, Vec<u64>>,
}

/// The rank for addresses of global memory in [`Ordered::released_at`].
pub(super) const NO_RANK: u32 = u32::MAX;

/// Maximum number of addresses with releases, about 1 KiB each.
pub(super) const MAX_RELEASE_ADDRESSES: usize = 2 << 20;
/// Maximum number of marks outside the pages: 2 GiB.
const MAX_MARKS: usize = (2 << 30) / size_of::<Mark>();

impl Ordered {
    /// Creates a shadow for buffers of these lengths. Without buffers, it only tracks what orders accesses.
    pub(super) fn new(shift: u32, lengths: &[u64]) -> Self {
        let pages = |bytes: &u64| vec![None; ((bytes >> shift) + 1).div_ceil(PAGE) as usize];
        Self {
            shift,
            buffers: lengths.iter().map(pages).collect(),
            more: vec![Vec::new()],
            free: Vec::new(),
            count: 0,
            marks: Vec::new(),
            released_at: HashMap::new(),
            released: HashMap::new(),
            alive: HashSet::new(),
            release_addresses: HashMap::new(),
        }
    }

    pub(super) fn end(&mut self, cluster: u64) {
        self.alive.remove(&cluster);
        for address in self.release_addresses.remove(&cluster).into_iter().flatten() {
            if let Some(released) = self.released_at.get_mut(&(NO_RANK, address)) {
                released.forget(cluster);
            }
        }
    }

    fn granule(&mut self, buffer: usize, number: u64) -> Option<&mut Granule> {
        let page = self.buffers.get_mut(buffer)?.get_mut((number / PAGE) as usize)?;
        let empty = || vec![Granule { one: None, more: 0 }; PAGE as usize].into_boxed_slice();
        page.get_or_insert_with(empty).get_mut((number % PAGE) as usize)
    }

    /// Moves the marks of a granule to `marks`. Returns false if the granule does not exist.
    fn take(&mut self, buffer: usize, number: u64) -> bool {
        let Some(granule) = self.granule(buffer, number) else { return false };
        let (one, more) = (granule.one, granule.more as usize);
        self.marks.clear();
        if more != 0 {
            self.count -= self.more[more].len();
            let Self { marks, more: all, .. } = self;
            marks.append(&mut all[more]);
        }
        // The latest mark comes last.
        self.marks.extend(one);
        true
    }

    /// Moves the marks back to their granule.
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

    /// Keeps only one mark of each kind among those that no thread can learn of any more.
    fn drop_unknowable(&mut self) {
        let mut lost = [false; 4];
        let (alive, released) = (&self.alive, &self.released);
        self.marks.retain(|mark| {
            let clock = released.get(&u64::from(mark.cluster));
            let may_be_known =
                |lane: usize| clock.is_some_and(|clock| clock.get(mark.agent, lane as u8) >= mark.moment);
            let kept = alive.contains(&u64::from(mark.cluster)) || lanes(mark.lanes).any(may_be_known);
            kept || !std::mem::replace(&mut lost[mark.kind as usize], true)
        });
    }
}

impl Hazards {
    /// Handles an access to global memory in a kernel whose blocks may communicate.
    pub(super) fn ordered_access(&mut self, seen: &Seen<'_>, ordered: &mut Ordered) {
        let by = self.first + seen.warp as usize;
        let cluster = self.cluster() as u32;
        let Some(warp) = self.threads.get_mut(by) else { return };
        if warp.moment == u32::MAX || ordered.count > MAX_MARKS {
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
        // For other blocks, an atomic with block scope is an ordinary access.
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
                self.check_against(&ordered.marks, new, granule << shift | slot << SLOT_BITS, 1 << shift);
                if strong && seen.access.atomic.is_some() {
                    observe(&mut ordered.marks);
                }
                self.note_mark(&mut ordered.marks, new);
                if ordered.marks.len() > 1 {
                    ordered.drop_unknowable();
                }
                ordered.give(buffer, granule);
            }
        }
    }

    /// True if the new mark's lane knows what lane `of` did.
    fn knows(&self, new: &Mark, old: &Mark, of: u8) -> bool {
        let (warp, lane) = (&self.threads[usize::from(new.agent)], (new.lanes.trailing_zeros() & 31) as u8);
        if old.cluster == new.cluster {
            (old.agent, of) == (new.agent, lane) || warp.knows(lane, old.agent, of, old.moment)
        } else {
            warp.knows_of_block(lane, old.cluster.into(), old.agent, of, old.moment)
        }
    }

    fn check_against(&mut self, marks: &[Mark], new: Mark, address: u64, bytes: u32) {
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
            // In every cluster, the blocks have the same positions relative to the first one.
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

    /// True if the new mark's lane knows a strong read that observed the value before `later`.
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
            // A weak write is kept for later accesses. It represents everything that its thread knows.
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

/// Handles an atomic that reads the last write. From then on it replaces that write, because knowing it implies
/// knowing both.
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
