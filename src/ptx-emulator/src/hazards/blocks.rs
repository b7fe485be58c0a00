/*! Happens-before in global memory.

An access conflicts with an access of another thread unless its thread knows of that access. Threads of a block learn of
each other as in shared memory. A thread learns of another block's access if a fenced or releasing strong write publishes
it and a strong access of the same address observes that write.

There is one more order. A strong write precedes everything that follows a strong access that observed the write and
returned its value. For example, the thread that draws the last ticket from a counter may reset the counter with a weak
store, without a fence (PTX ISA, memory consistency model: causality order through observation order). That order applies
only to the granule itself, because it is not transitive. `red` returns no value. So its thread cannot depend on the
order that it saw in this run.

The shadow of each granule keeps the last weak write. It also keeps *every* weak read, strong read and strong write
that may still matter: an access by a thread that a later access of the same kind does not know. This is enough. A
thread that knows the later access also knows the earlier one. A thread that does not know it conflicts with the later
one. Usually one access is left, and it takes 24 bytes.

For all threads that have ended and can publish nothing more, one access of each kind is enough. No thread can learn of
this access any more, so it conflicts with every access with which the others would conflict.

If the kernel's clusters cannot communicate, each worker has such a shadow, and checks only its running cluster with it.
`global` finds the other conflicts. Accesses of earlier clusters stay in the shadow, but the check ignores them.
*/

use super::Hazards;
use super::clock::{Agent, lanes};
use super::found::{Nature, Pair};
use super::global::{OTHERS, who};
use super::granules::{Granule, LONG, Mark, Ordered, Strength};
use super::shadow::{AccessKind, Past};
use crate::arch::{Role, Scope};
use crate::memory::SLOT_BITS;
use crate::probes::{AsyncAccess, Seen};
use crate::report::{HazardKind, HazardSpace};

/// Distance in bytes between the first and the last lane from which on an access first reads all its granules. So the
/// processor waits for them together, and not for one after the other.
const SCATTERED: i32 = 1 << 12;

/// An access to a granule of a buffer.
struct Entry<'a> {
    seen: Option<&'a Seen<'a>>,
    buffer: usize,
    granule: u64,
    new: Mark,
    /// True for an atomic that returns the value that it has observed.
    observes: bool,
}

impl Hazards {
    /// Handles an access to a watched buffer.
    pub(super) fn ordered_access(&mut self, seen: &Seen<'_>, ordered: &mut Ordered, buffer: usize) {
        let by = self.first + seen.warp as usize;
        let cluster = self.cluster() as u32;
        let Some(warp) = self.threads.get_mut(by) else { return };
        if warp.moment == u32::MAX || ordered.is_full() {
            self.exhausted = true;
            return;
        }
        let access = seen.access_index;
        self.issuer = by as Agent;
        let (agent, moment) = match seen.engine {
            Some((engine, number)) => (self.engine(engine, by as Agent), number),
            None => {
                warp.moment += 1;
                let moment = warp.moment;
                if let Some(runs) = self.runs.get_mut(by * self.accesses + access as usize) {
                    runs.run(self.shadow.interval, moment);
                }
                (by as Agent, moment)
            }
        };
        self.finds.next();
        let shift = ordered.shift;
        let each = (u64::from(seen.access.bytes()) >> shift).max(1);
        let base = (buffer as u64 + 1) << SLOT_BITS;
        let kind = AccessKind::new(seen.access.writes, seen.access.order.strong);
        let size = if kind.strong() { seen.access.size } else { 0 };
        let strength = Strength::new(seen.access.order.scope, size, seen.access.order.role);
        let observes = kind == AccessKind::StrongWrite && seen.access.returns;
        let new = Mark { cluster, moment, access, lanes: 0, agent, kind, strength };
        let offset = |lane: usize| seen.start.wrapping_add(seen.pattern.relative[lane] as u64).wrapping_sub(base);
        if seen.pattern.high.wrapping_sub(seen.pattern.low) > SCATTERED {
            let touched =
                lanes(seen.mask).filter_map(|lane| Some(ordered.granule(buffer, offset(lane) >> shift)?.more));
            std::hint::black_box(touched.fold(0, |all, more| all ^ more));
        }
        let mut rest = seen.mask;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            let offset = offset(lane);
            let new = Mark { lanes: 1 << lane, ..new };
            for granule in offset >> shift..(offset >> shift) + each {
                self.mark(ordered, &Entry { seen: Some(seen), buffer, granule, new, observes });
            }
        }
    }

    /// Handles the global side of a bulk copy. A granule that the copy covers only in part is left out.
    pub(super) fn asynchronous_global(&mut self, access: &AsyncAccess, start: u64, bytes: u64, ordered: &mut Ordered) {
        let Some(global) = self.global.clone() else { return };
        let (by, buffer) = (self.first + access.warp as usize, (start >> SLOT_BITS) as usize);
        let buffer = buffer.wrapping_sub(1);
        if by >= self.threads.len() || !global.watches(buffer, access.writes) {
            return;
        }
        if ordered.is_full() {
            self.exhausted = true;
            return;
        }
        let by = by as Agent;
        let (agent, number) = (self.engine(access.engine, by), self.finds.number(access.at));
        self.issuer = by;
        self.through_proxy = !access.writes;
        self.finds.next();
        let new = Mark {
            cluster: self.cluster() as u32,
            moment: access.number,
            access: number,
            lanes: 1 << (access.lane & 31),
            agent,
            kind: AccessKind::new(access.writes, access.reduces),
            strength: Strength::new(Scope::Device, 0, Role::Other),
        };
        let who = who(self.cluster(), self.rank, access.warp, access.lane, number);
        global.keep_offsets(&self.blocks);
        let (shift, offset) = (ordered.shift, start & ((1 << SLOT_BITS) - 1));
        if access.writes {
            global.note_read_only(buffer, offset >> shift..(offset + bytes).div_ceil(1 << shift), None);
        }
        for granule in offset.div_ceil(1 << shift)..(offset + bytes) >> shift {
            match (global.ordered, access.writes) {
                (true, _) => {}
                (false, true) => global.note_write(buffer, granule, who, OTHERS),
                (false, false) => global.note_read(buffer, granule, who),
            }
            self.mark(ordered, &Entry { seen: None, buffer, granule, new, observes: false });
        }
        self.through_proxy = false;
    }

    /// Adds a mark to a granule, and checks it against the others there.
    #[inline(always)]
    fn mark(&mut self, ordered: &mut Ordered, entry: &Entry<'_>) {
        let (alone, new) = (ordered.alone, entry.new);
        let Some(place) = ordered.granule(entry.buffer, entry.granule) else { return };
        let Granule { one, more } = *place;
        let Some(old) = one.filter(|old| !alone || old.cluster == new.cluster) else {
            *place = Granule { one: Some(new), more: 0 };
            return;
        };
        if more == 0
            && let Some(one) = self.joined(&old, &new, entry.observes)
        {
            place.one = Some(one);
            return;
        }
        // If no thread can learn of a mark any more, it represents all like it. See `Ordered::represents`.
        let like =
            more == 0 && old.is_like(&new) && new.kind != AccessKind::Write && !entry.observes && !observer(&new);
        if like && !self.may_conflict(&old, &new) && ordered.is_over(&old) {
            if old.is_one()
                && let Some(Granule { one: Some(one), .. }) = ordered.granule(entry.buffer, entry.granule)
            {
                one.add_another();
            }
            return;
        }
        self.check_granule(ordered, entry);
    }

    /// Returns the mark that represents an earlier access and a new one, if they do not conflict and one is enough.
    #[inline(always)]
    fn joined(&self, old: &Mark, new: &Mark, observes: bool) -> Option<Mark> {
        let same_kind = (old.kind, old.strength) == (new.kind, new.strength);
        if old.same_execution(new) && new.kind != AccessKind::Write && !observes && !exchange_data(old, new) {
            return Some(Mark { lanes: old.lanes | new.lanes, ..*old });
        }
        let known = self.known(new, old) == old.lanes;
        if !known && self.may_conflict(old, new) {
            return None;
        }
        let replaces = known && (same_kind || new.kind == AccessKind::Write);
        (replaces || observes && old.kind == AccessKind::StrongWrite && old.is_one()).then_some(*new)
    }

    /// Checks an access of a granule against all marks.
    #[inline(never)]
    fn check_granule(&mut self, ordered: &mut Ordered, entry: &Entry<'_>) {
        let Entry { buffer, granule, new, observes, .. } = *entry;
        if !ordered.take(buffer, granule) {
            return;
        }
        let address = (granule << ordered.shift) + ((buffer as u64 + 1) << SLOT_BITS);
        self.check_against(entry.seen, &ordered.marks, new, address, 1 << ordered.shift);
        if observes {
            observe(&mut ordered.marks);
        } else if new.kind == AccessKind::StrongWrite && new.strength.role() != Role::Other {
            supersede(&mut ordered.marks, &new);
        }
        if observes || observer(&new) || new.kind == AccessKind::Write || !ordered.represents(&new) {
            self.note_mark(&mut ordered.marks, new);
            if is_due(ordered.marks.len()) {
                ordered.drop_unknowable();
            }
        }
        ordered.give(buffer, granule);
    }

    /// Returns the lanes of `old` whose accesses happened before `new`, as far as `new`'s lane knows.
    #[inline(always)]
    fn known(&self, new: &Mark, old: &Mark) -> u32 {
        if self.through_proxy && old.kind == AccessKind::Write && old.cluster == new.cluster && self.is_warp(old.agent)
        {
            let fenced = &self.threads[usize::from(self.issuer)].fenced;
            return lanes(old.lanes)
                .filter(|of| fenced.get(old.agent, *of as u8) >= old.moment)
                .fold(0, |mask, of| mask | 1 << of);
        }
        let (warp, lane) = (&self.threads[usize::from(self.issuer)], new.lane());
        if old.cluster != new.cluster {
            let knows = |of: &usize| warp.knows_of_block(lane, old.cluster.into(), old.agent, *of as u8, old.moment);
            let any = warp.knows_blocks(lane);
            return if any { lanes(old.lanes).filter(knows).fold(0, |mask, of| mask | 1 << of) } else { 0 };
        }
        if warp.floor(old.agent) >= old.moment {
            return old.lanes;
        }
        let own = if old.agent == self.issuer { old.lanes & 1 << lane } else { 0 };
        if warp.uniform(old.agent) {
            return own;
        }
        let knows = |of: &usize| warp.knows(lane, old.agent, *of as u8, old.moment);
        lanes(old.lanes).filter(knows).fold(own, |mask, of| mask | 1 << of)
    }

    /// True if two accesses conflict when nothing orders them.
    #[inline(always)]
    fn may_conflict(&self, old: &Mark, new: &Mark) -> bool {
        self.may_race(old, new) || exchange_data(old, new)
    }

    /// True if two accesses are a data race when nothing orders them. Strong accesses are one if their scopes do not
    /// include each other's thread, or if their sizes differ.
    #[inline(always)]
    fn may_race(&self, old: &Mark, new: &Mark) -> bool {
        if !old.kind.conflicts(new.kind) {
            let both = match old.cluster == new.cluster {
                true if self.rank_of(old.agent) == self.rank_of(new.agent) => Scope::Block,
                true => Scope::Cluster,
                false => Scope::Device,
            };
            let strong = [old, new].iter().all(|mark| mark.strength.reaches(both));
            return (old.kind.writes() || new.kind.writes()) && !(strong && old.strength.same_size(new.strength));
        }
        true
    }

    fn check_against(&mut self, seen: Option<&Seen<'_>>, marks: &[Mark], new: Mark, address: u64, bytes: u32) {
        for (index, old) in marks.iter().enumerate() {
            if !self.may_conflict(old, &new) || self.finds.has_enough(old.access) {
                continue;
            }
            let unknown = old.lanes & !self.known(&new, old);
            if unknown == 0 {
                continue;
            }
            if old.kind == AccessKind::StrongWrite && old.is_one() && self.knows_an_observer(&new, &marks[index + 1..])
            {
                continue;
            }
            // A pair without any order is a better example than one whose fence is missing.
            let unobserved = lanes(unknown).find(|lane| !self.has_observed(&new, old, *lane));
            let old = Mark { lanes: unobserved.map_or(unknown, |lane| 1 << lane), ..*old };
            let is_race = self.may_race(&old, &new);
            let (weak, both_write) = (!old.kind.strong() && !new.kind.strong(), old.kind.writes() && new.kind.writes());
            let values = weak || ![&old, &new].iter().any(|mark| mark.strength.role() == Role::Other);
            let equal =
                || both_write && values && seen.is_some_and(|seen| same_value(seen, &old, &new, address, bytes));
            let nature = match unobserved {
                _ if weak && equal() => Nature::SameValue,
                _ if !is_race && equal() => continue,
                // The GPU keeps the order of `volatile` accesses after a signal.
                _ if !is_race && (unobserved.is_none() || self.is_coherent_mark(&new, &old, &marks[index..])) => {
                    continue;
                }
                _ if !is_race && self.follows_atomics(&new, &marks[index + 1..]) => continue,
                Some(_) if !is_race => Nature::Volatile,
                None => Nature::Unfenced,
                Some(_) => Nature::Usual,
            };
            let pair = self.global_pair(&old, &new, nature);
            self.finds.note(pair, &past(&old), HazardSpace::Global, address, bytes);
        }
    }

    /// True if a fence would let the new mark's lane know what lane `of` did.
    fn has_observed(&self, new: &Mark, old: &Mark, of: usize) -> bool {
        self.threads[usize::from(self.issuer)].has_observed(new.lane(), |clock| {
            let moment = match old.cluster == new.cluster {
                true => clock.get(old.agent, of as u8),
                false => clock.of_block(old.cluster.into(), old.agent, of as u8),
            };
            moment >= old.moment
        })
    }

    /// Puts two accesses in the order that the program intends.
    fn global_pair(&self, old: &Mark, new: &Mark, nature: Nature) -> Pair {
        let (a, b) = (self.past_of(old), self.past_of(new));
        let one_block = old.cluster == new.cluster && self.rank_of(old.agent) == self.rank_of(new.agent);
        let warps = self.is_warp(old.agent) && self.is_warp(new.agent);
        let guessed = one_block && old.agent != new.agent && warps;
        let (kind, old_first) = match (old.kind.writes(), new.kind.writes()) {
            (true, true) => (HazardKind::Waw, !guessed || self.comes_first(&a, &b)),
            (true, false) if !guessed => (HazardKind::Raw, true),
            (false, _) if !guessed => (HazardKind::War, true),
            _ => self.intended(&a, &b),
        };
        // In every cluster, the blocks have the same positions relative to the first one.
        let whose = |mark: &Mark| {
            let rank = self.rank_of(mark.agent) as usize;
            let from_first = self.blocks.get(rank).map_or(0, |block| block - self.blocks[0]);
            (u32::from(self.warp_of(mark.agent)) % self.warps.max(1) as u32, u64::from(mark.cluster) + from_first)
        };
        let sides = [(a, whose(old)), (b, whose(new))];
        let [first, second] = if old_first { sides } else { [sides[1], sides[0]] };
        let whose = [first.1, second.1];
        Pair { kind, first: first.0, second: second.0, whose, owner: second.1.1, nature, earlier: 0 }
    }

    /// Returns the access of a mark with the number of its execution.
    fn past_of(&self, mark: &Mark) -> Past {
        let own = u64::from(mark.cluster) == self.cluster();
        let runs = self.runs.get(usize::from(mark.agent) * self.accesses + mark.access as usize).filter(|_| own);
        Past { ordinal: runs.map_or(mark.cluster, |runs| runs.ordinal(mark.moment)), ..past(mark) }
    }

    /// True if the new mark's lane knows a strong access that observed the value before `later` and returned it.
    fn knows_an_observer(&self, new: &Mark, later: &[Mark]) -> bool {
        let mut reads = later.iter().take_while(|mark| !mark.kind.writes());
        reads.any(|read| read.kind == AccessKind::StrongRead && self.known(new, read) != 0)
    }

    /// True if the new mark's thread has already read what the thread of an earlier mark wrote to the granule then or later.
    /// The coherence of one location then orders the two accesses. `later` begins with the earlier mark.
    fn is_coherent_mark(&self, new: &Mark, old: &Mark, later: &[Mark]) -> bool {
        let own = |mark: &Mark| (mark.cluster, mark.agent) == (old.cluster, old.agent) && mark.lanes & old.lanes != 0;
        let wrote = |mark: &Mark| mark.kind == AccessKind::StrongWrite && mark.is_one() && own(mark);
        (0..later.len()).any(|at| wrote(&later[at]) && self.knows_an_observer(new, &later[at + 1..]))
    }

    /// True if only atomics have written since an earlier write, and the new mark's lane knows a strong read of what one of
    /// them wrote. Each atomic has read what the one before it wrote.
    fn follows_atomics(&self, new: &Mark, later: &[Mark]) -> bool {
        let atomic = |mark: &&Mark| mark.kind == AccessKind::StrongWrite && mark.strength.role() == Role::Other;
        let mut chain = later.iter().take_while(|mark| !mark.kind.writes() || atomic(mark));
        chain.any(|mark| mark.kind == AccessKind::StrongRead && self.known(new, mark) != 0)
    }

    fn note_mark(&self, marks: &mut Vec<Mark>, new: Mark) {
        let mut noted = false;
        let due = new.kind == AccessKind::Write || is_due(marks.len());
        marks.retain_mut(|old| {
            if old.same_execution(&new) && old.kind == new.kind {
                old.lanes |= new.lanes;
                noted = true;
                return true;
            }
            // A weak write represents everything that its thread knows, and every earlier weak write.
            if old.kind == AccessKind::Write && new.kind == AccessKind::Write {
                return false;
            }
            if (old.kind, old.strength) == (new.kind, new.strength) || new.kind == AccessKind::Write {
                let own = [old.agent, new.agent] == [self.issuer; 2] && old.cluster == new.cluster;
                old.lanes &= !match due {
                    true => self.known(&new, old),
                    false => u32::from(own) * new.lanes,
                };
            }
            old.lanes != 0
        });
        if !noted {
            marks.push(new);
        }
    }
}

/// True if two accesses that do not race exchange data by a `volatile` one: see [`Role::conflicts`].
#[inline(always)]
fn exchange_data(old: &Mark, new: &Mark) -> bool {
    let writes = [old, new].map(|mark| mark.kind.writes());
    writes != [false; 2] && old.strength.role().conflicts(new.strength.role(), writes == [true; 2])
}

/// True if a list of marks of this length is to be cleaned of all that a thread knows. Its own marks always go.
fn is_due(length: usize) -> bool {
    length < LONG || length.is_power_of_two()
}

/// True if two weak writes store the same bytes at `address`. The earlier one is the last write there, or another lane
/// of the same instruction.
fn same_value(seen: &Seen<'_>, old: &Mark, new: &Mark, address: u64, bytes: u32) -> bool {
    let stored = |lane: u8| {
        let start = seen.start.wrapping_add(seen.pattern.relative[usize::from(lane & 31)] as u64);
        seen.stored(lane.into(), address.wrapping_sub(start) as u32, bytes)
    };
    let value = stored(new.lane());
    if old.same_execution(new) { stored(old.lane()) == value } else { seen.before(address, bytes) == Some(value) }
}

/// Handles an atomic that reads the last write. From then on it replaces that write, because knowing it implies
/// knowing both.
fn observe(marks: &mut Vec<Mark>) {
    let is_one = |mark: &Mark| mark.kind == AccessKind::StrongWrite && mark.is_one();
    if let Some(at) = marks.iter().rposition(|mark| mark.kind.writes()).filter(|at| is_one(&marks[*at])) {
        marks.remove(at);
    }
}

/// Handles a `volatile` write whose thread has read the last write. As in [`observe`], it replaces that write, and what the
/// thread of that write did before.
fn supersede(marks: &mut Vec<Mark>, new: &Mark) {
    let Some(at) = marks.iter().rposition(|mark| mark.kind.writes()) else { return };
    let write = marks[at];
    let of = |mark: &Mark, other: &Mark| (mark.cluster, mark.agent) == (other.cluster, other.agent);
    let has_read = |read: &Mark| of(read, new) && read.lanes & new.lanes != 0 && read.kind == AccessKind::StrongRead;
    if write.kind == AccessKind::StrongWrite && write.is_one() && marks[at + 1..].iter().any(has_read) {
        let mut index = 0..;
        let before = |mark: &Mark| of(mark, &write) && mark.lanes & !write.lanes == 0 && mark.kind.strong();
        marks.retain(|mark| index.next().is_none_or(|index| index > at) || !before(mark));
    }
}

/// True for a `volatile` read. It stays in the list while its thread runs, because it shows what the thread has read.
fn observer(mark: &Mark) -> bool {
    mark.kind == AccessKind::StrongRead && mark.strength.role() != Role::Other
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
