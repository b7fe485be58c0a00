/*! Launches that may overlap: programmatic dependent launch.

A launch normally starts after the launch before it in its stream. Two things let it start earlier. The host permits it
(`cudaLaunchAttributeProgrammaticStreamSerialization`), and the blocks of the earlier grid have executed
`griddepcontrol.launch_dependents` or have ended. Then only `griddepcontrol.wait` orders the two grids (PTX ISA,
*griddepcontrol*):

- `.launch_dependents` "signals that specific dependents the runtime system designated to react to this instruction can be
  scheduled as soon as all other CTAs in the grid issue the same instruction or have completed."
- `.wait` "causes the executing thread to wait until all prerequisite grids in flight have completed and all the memory
  operations from the prerequisite grids are performed and made visible to the current grid."

The end of the earlier grid is not enough for its writes: with or without the trigger, "the secondary thread blocks might
launch before data written by the primary kernel is visible" (CUDA programming guide, *Programmatic Dependent Launch and
Synchronization*). So the rules are:

- Every write of an earlier grid conflicts with an access of a thread that knows of no wait. Knowledge of a wait spreads
  like that of an access: through barriers, fences and releases. It is [`Clock::waited`](super::clock::Clock).
- A read of an earlier grid conflicts with such a write if its block had already executed `launch_dependents`. A read before
  that, or in a block without one, has happened when the later grid starts.
- Strong accesses of both grids to one word do not conflict. A thread that reads such a write with a strong access counts as
  waiting: it may use "other means to verify that the result data from the primary is available" (same section).

In a chain of launches A, B, C, the wait of C is for B only. It also covers A if a thread of B waited. C
cannot start before A has ended if a block of B waits before its trigger, because all blocks of B must trigger or end.

The launches run one after another. A [`Footprint`] keeps a write and a read of each granule of a launch.
*/

use super::Hazards;
use super::clock::{Agent, lanes};
use super::found::{Findings, Nature, Pair};
use super::global::{ByteBudget, PAGE, past, who};
use super::shadow::AccessKind;
use crate::arch::Scope;
use crate::memory::SLOT_BITS;
use crate::probes::{AsyncAccess, Seen};
use crate::program::Program;
use crate::report::{Dim3, HazardKind, HazardSpace, LaunchOf, SourceLocation};
use crate::text::plain_name;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Maximum number of earlier launches that a launch may overlap here.
const MAX_EARLIER: usize = 8;
/// The bit of an access in a [`Footprint`] that is strong for the whole device. Weak ones come first.
const STRONG: u64 = 1 << 63;
const NONE: u64 = u64::MAX;
/// Maximum number of blocks of a launch that is kept.
const MAX_BLOCKS: u64 = (1 << 31) - 2;

type Page = OnceLock<Box<[[AtomicU64; 2]]>>;

/// What a launch did in global memory: for each granule a write and a read.
#[derive(Debug)]
pub(crate) struct Footprint {
    name: LaunchOf,
    grid: Dim3,
    block: Dim3,
    shift: u32,
    pages: Vec<Vec<Page>>,
    /// For each access: representative of its source line, and its place.
    places: Vec<(u32, SourceLocation)>,
    budget: Arc<ByteBudget>,
    /// Number of each block of a cluster, relative to the first.
    offsets: OnceLock<Vec<u64>>,
    /// True if a thread has waited, and if a block triggered only after it had waited.
    waited: AtomicBool,
    held: AtomicBool,
}

impl Footprint {
    fn page(&self, buffer: usize, granule: u64) -> Option<&Page> {
        self.pages.get(buffer)?.get((granule / PAGE) as usize)
    }

    /// Notes an access to whole granules. Which of several is kept does not depend on their order.
    fn note(&self, buffer: usize, granules: Range<u64>, who: u64, writes: bool) {
        for granule in granules {
            let Some(page) = self.page(buffer, granule) else { return };
            if page.get().is_none() && !self.budget.take(PAGE * size_of::<[u64; 2]>() as u64) {
                return;
            }
            let page = page.get_or_init(|| (0..PAGE).map(|_| [AtomicU64::new(NONE), AtomicU64::new(NONE)]).collect());
            let slot = &page[(granule % PAGE) as usize][usize::from(!writes)];
            if slot.load(Relaxed) > who {
                slot.fetch_min(who, Relaxed);
            }
        }
    }

    /// Returns the write and the read of a granule.
    fn at(&self, buffer: usize, granule: u64) -> [u64; 2] {
        let page = self.page(buffer, granule).and_then(OnceLock::get);
        page.map_or([NONE; 2], |page| page[(granule % PAGE) as usize].each_ref().map(|slot| slot.load(Relaxed)))
    }

    fn bytes(&self) -> u64 {
        let pages = self.pages.iter().flatten().filter(|page| page.get().is_some());
        pages.count() as u64 * PAGE * size_of::<[u64; 2]>() as u64
    }

    pub(super) fn line(&self, access: u32) -> u32 {
        self.places.get(access as usize).map_or(0, |place| place.0)
    }

    pub(super) fn place(&self, access: u32) -> SourceLocation {
        self.places.get(access as usize).map(|place| place.1.clone()).unwrap_or_default()
    }

    pub(super) fn name(&self) -> LaunchOf {
        self.name.clone()
    }

    /// Returns the indices of a thread and of its block.
    pub(super) fn thread(&self, (warp, block): (u32, u64), lane: u8) -> [Dim3; 2] {
        let of = |n: u64, [x, y, _]: Dim3| {
            let [x, y] = [x, y].map(u64::from);
            [n % x, n / x % y, n / (x * y)].map(|n| n as u32)
        };
        [of((32 * warp + u32::from(lane)).into(), self.block), of(block, self.grid)]
    }
}

/// Launches of one stream, in order. [`attempt_in`](crate::attempt_in) runs a launch in it, and then finds its races with the
/// launches that it may overlap.
#[derive(Debug, Default)]
pub struct Stream {
    launches: u32,
    /// Launches that the next launch may overlap, if it is [dependent](Stream::dependent), and whether they may still run
    /// after it has waited.
    earlier: Vec<(Arc<Footprint>, bool)>,
    dependent: bool,
}

impl Stream {
    /// Lets the next launch start before the launch before it has ended, as
    /// `cudaLaunchAttributeProgrammaticStreamSerialization` permits.
    pub fn dependent(&mut self) {
        self.dependent = true;
    }

    /// Notes that all launches have ended, for example because the host has waited for them or copies memory in the stream.
    pub fn complete(&mut self) {
        self.earlier.clear();
    }

    /// Returns the number of the last launch, counted from 1.
    pub fn launches(&self) -> u32 {
        self.launches
    }

    /// Returns the bytes that the shadows of the earlier launches take.
    pub(crate) fn bytes(&self) -> u64 {
        self.earlier.iter().map(|(footprint, _)| footprint.bytes()).sum()
    }

    /// Starts a launch. `lengths` are the bytes of the buffers, 0 for those that do not count.
    pub(crate) fn start(
        &mut self,
        program: &Program,
        [grid, block]: [Dim3; 2],
        lengths: &[u64],
        shift: u32,
        budget: &Arc<ByteBudget>,
    ) -> Overlap {
        self.launches += 1;
        if !std::mem::take(&mut self.dependent) {
            self.complete();
        }
        let pages = |bytes: &u64| (0..(bytes >> shift).div_ceil(PAGE)).map(|_| Page::new()).collect();
        let blocks = grid.map(u64::from).iter().product::<u64>();
        let own = Footprint {
            name: LaunchOf { number: self.launches, kernel: plain_name(&program.name) },
            grid,
            block,
            shift,
            pages: if blocks > MAX_BLOCKS { Vec::new() } else { lengths.iter().map(pages).collect() },
            places: Findings::new(program).all_places(program),
            budget: Arc::clone(budget),
            offsets: OnceLock::new(),
            waited: AtomicBool::new(false),
            held: AtomicBool::new(false),
        };
        Overlap { own: Arc::new(own), earlier: self.earlier.clone() }
    }

    /// Ends a launch.
    pub(crate) fn end(&mut self, own: &Arc<Footprint>) {
        let [waited, held] = [&own.waited, &own.held].map(|flag| flag.load(Relaxed));
        // What may run when the next launch starts, and what after its wait.
        self.earlier.retain(|(_, always)| *always || !held);
        self.earlier.iter_mut().for_each(|(_, always)| *always = *always || !waited);
        self.earlier.insert(0, (Arc::clone(own), false));
        self.earlier.truncate(MAX_EARLIER);
    }
}

/// A launch, and the earlier ones that it may overlap.
#[derive(Debug)]
pub(crate) struct Overlap {
    pub(crate) own: Arc<Footprint>,
    pub(super) earlier: Vec<(Arc<Footprint>, bool)>,
}

/// The blocks of a cluster that have triggered, that have triggered before they waited, and that have waited, by rank.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Dependency {
    triggered: u32,
    early: u32,
    waited: u32,
}

/// An access to a range of global memory.
struct Ranged {
    buffer: usize,
    bytes: Range<u64>,
    warp: u32,
    lane: u32,
    access: u32,
    agent: Agent,
    kind: AccessKind,
    /// True if the access is strong and returns what it reads.
    observes: bool,
}

impl Hazards {
    /// Handles `griddepcontrol`.
    pub(super) fn grid_dependency(&mut self, warp: u32, mask: u32, waits: bool) {
        let Some(threads) = self.threads.get_mut(self.first + warp as usize) else { return };
        let block = 1 << self.rank;
        if waits {
            threads.learn_wait(mask);
            self.dependency.waited |= block;
        } else {
            self.dependency.triggered |= block;
            if lanes(mask).any(|lane| !threads.has_waited(lane as u8)) {
                self.dependency.early |= block;
            }
        }
    }

    /// Handles the end of the running block.
    pub(super) fn end_dependency(&mut self) {
        let of = |blocks: u32| blocks >> self.rank & 1 == 1;
        let waited = of(self.dependency.waited);
        if let Some(own) = self.own_footprint().filter(|_| waited) {
            own.waited.store(true, Relaxed);
            own.held.fetch_or(!of(self.dependency.early), Relaxed);
        }
    }

    fn own_footprint(&self) -> Option<Arc<Footprint>> {
        Some(Arc::clone(&self.global.as_ref()?.overlap.as_ref()?.own))
    }

    /// Handles an access to global memory, if launches may overlap.
    pub(super) fn across_launches(&mut self, seen: &Seen<'_>) {
        if self.global.as_ref().is_none_or(|global| global.overlap.is_none()) {
            return;
        }
        self.finds.next();
        let order = seen.access.order;
        let kind = AccessKind::new(seen.access.writes, order.strong && order.scope == Scope::Device);
        for lane in lanes(seen.mask) {
            let start = seen.start.wrapping_add(seen.pattern.relative[lane] as u64);
            let offset = start & ((1 << SLOT_BITS) - 1);
            let access = Ranged {
                buffer: ((start >> SLOT_BITS) as usize).wrapping_sub(1),
                bytes: offset..offset + u64::from(seen.access.bytes()),
                warp: seen.warp,
                lane: lane as u32,
                access: seen.access_index,
                agent: (self.first + seen.warp as usize) as Agent,
                kind,
                observes: kind.strong() && (!seen.access.writes || seen.access.returns),
            };
            self.across(&access, |address, bytes| {
                let stored = seen.stored(lane, address.wrapping_sub(start) as u32, bytes);
                kind == AccessKind::Write && seen.before(address, bytes) == Some(stored)
            });
        }
    }

    /// Handles the global side of a bulk copy, if launches may overlap.
    pub(super) fn copy_across_launches(&mut self, access: &AsyncAccess, start: u64, bytes: u64) {
        self.finds.next();
        let offset = start & ((1 << SLOT_BITS) - 1);
        let ranged = Ranged {
            buffer: ((start >> SLOT_BITS) as usize).wrapping_sub(1),
            bytes: offset..offset + bytes,
            warp: access.warp,
            lane: access.lane,
            access: self.finds.number(access.at),
            agent: (self.first + access.warp as usize) as Agent,
            kind: AccessKind::new(access.writes, access.reduces),
            observes: false,
        };
        self.across(&ranged, |_, _| false);
    }

    /// Compares an access with those of earlier launches, and keeps it for later ones. `same` is true if the access stores
    /// what is at an address already.
    fn across(&mut self, access: &Ranged, same: impl Fn(u64, u32) -> bool) {
        let Some(global) = self.global.clone() else { return };
        let Some(Overlap { own, earlier }) = &global.overlap else { return };
        let Some(threads) = self.threads.get(usize::from(access.agent)) else { return };
        let waited = threads.has_waited(access.lane as u8);
        let whole = |shift: u32| access.bytes.start.div_ceil(1 << shift)..access.bytes.end >> shift;
        let touched = |shift: u32| access.bytes.start >> shift..access.bytes.end.div_ceil(1 << shift);
        let new = who(self.cluster(), self.rank, access.warp, access.lane, access.access);
        let strong = if access.kind.strong() { STRONG } else { 0 };
        if access.kind.writes() || self.dependency.triggered >> self.rank & 1 == 1 {
            own.offsets.get_or_init(|| self.blocks.iter().map(|of| of.saturating_sub(self.blocks[0])).collect());
            own.note(access.buffer, whole(own.shift), new | strong, access.kind.writes());
        }
        let mut observed = false;
        for (number, (footprint, always)) in earlier.iter().enumerate() {
            if waited && !always {
                continue;
            }
            for granule in touched(footprint.shift) {
                let [write, read] = footprint.at(access.buffer, granule);
                let conflicts = |old: u64| old != NONE && old & strong == 0;
                observed |= access.observes && write != NONE && write & STRONG != 0;
                let (kind, old) = match access.kind.writes() {
                    false if conflicts(write) => (HazardKind::Raw, write),
                    true if conflicts(write) => (HazardKind::Waw, write),
                    true if conflicts(read) => (HazardKind::War, read),
                    _ => continue,
                };
                let (address, bytes) = (granule << footprint.shift, 1u32 << footprint.shift);
                let address = address | (access.buffer as u64 + 1) << SLOT_BITS;
                let first =
                    past(old & !STRONG, if kind == HazardKind::War { AccessKind::Read } else { AccessKind::Write });
                let second = past(new, access.kind);
                let offset = |who: u64| (who >> 10 & 15) as usize;
                let block = |offsets: Option<&u64>, who: u64| ((who & !STRONG) >> 32) - 1 + offsets.unwrap_or(&0);
                let offsets = footprint.offsets.get();
                let first_block = block(offsets.and_then(|all| all.get(offset(old))), old);
                let second_block = self.blocks.get(self.rank as usize).copied().unwrap_or(0);
                let whose = [((old >> 5 & 31) as u32, first_block), (access.warp, second_block)];
                let equal = kind == HazardKind::Waw && same(address, bytes);
                let nature = if equal { Nature::SameValue } else { Nature::Usual };
                let earlier = number as u8 + 1;
                let pair = Pair { kind, first, second, whose, owner: second_block, nature, earlier };
                self.finds.note(pair, &first, HazardSpace::Global, address, bytes);
            }
        }
        if observed && let Some(threads) = self.threads.get_mut(usize::from(access.agent)) {
            threads.learn_wait(1 << access.lane);
        }
    }
}
