/*! Global memory: which parts are watched, and conflicts between clusters that cannot communicate.

Only buffers that the kernel may write are watched ([`crate::program::Writable`]), so a buffer that the kernel only
reads costs nothing. If a store reaches another buffer all the same, that buffer is watched from then on.

Within a cluster, `blocks` decides by happens-before. Between clusters it does so only if the kernel has atomics or
other strong accesses to global memory. Without them, nothing can order one cluster after another. Then two clusters
conflict if they touch the same byte and one of them writes it, in whatever order they ran. A block without a cluster
counts as a cluster.

A granule is the size of the kernel's smallest global access, 1 to 4 bytes. For each granule, the shadow keeps the
minimum and maximum writer and the minimum and maximum reader, as cluster, access and thread. That is as good as keeping
all of them. Two accesses conflict exactly when their clusters differ. A conflict exists exactly when the minimum and
maximum writer differ, or a reader differs from the only writer. The minimum and maximum do not depend on which worker
ran which block when. So blocks run in parallel, and the report is always the same. The first value written, and a flag
for any other value, show whether all writers store the same.

The shadow is allocated page by page, when memory is used: 24 bytes for a granule that is written, and 16 bytes for one
that is read.
*/

use super::Hazards;
use super::clock::lanes;
use super::found::{Findings, Nature, Pair};
use super::granules::Ordered;
use super::launches::Overlap;
use super::shadow::{AccessKind, Past};
use crate::memory::SLOT_BITS;
use crate::probes::Seen;
use crate::program::{Program, StateSpace};
use crate::report::{HazardKind, HazardSpace};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Granules per page.
pub(super) const PAGE: u64 = 1 << 12;
/// Maximum number of accesses of a program, because [`Blocks::who`] has this many bits for them.
const MAX_ACCESSES: usize = 1 << 18;

/// Minimum and maximum of the threads that access a granule. 0 means none, and the minimum is stored as its complement.
type Range = [AtomicU64; 2];

/// The writers of a granule. `value` is 0 before the first write, then the value with [`STORED`] and [`OTHERS`].
#[derive(Debug, Default)]
struct Writers {
    range: Range,
    value: AtomicU64,
}

const STORED: u64 = 1 << 32;
/// Another value was stored, too.
pub(super) const OTHERS: u64 = 1 << 33;

type Pages<T> = Vec<OnceLock<Box<[T]>>>;

/// The memory that the shadows of a launch may take.
#[derive(Debug)]
pub(crate) struct ByteBudget {
    used: AtomicU64,
    limit: u64,
}

impl ByteBudget {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { used: AtomicU64::new(0), limit })
    }

    /// Takes bytes, if they are left. From the first time that they are not, nothing is left.
    pub(super) fn take(&self, bytes: u64) -> bool {
        let fits = self.used.fetch_add(bytes, Relaxed).saturating_add(bytes) <= self.limit;
        if !fits {
            self.close();
        }
        fits
    }

    pub(super) fn close(&self) {
        self.used.store(u64::MAX / 2, Relaxed);
    }

    pub(super) fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Relaxed);
    }

    /// True if `more` bytes do not fit.
    #[inline(always)]
    pub(super) fn lacks(&self, more: u64) -> bool {
        self.used.load(Relaxed).saturating_add(more) > self.limit
    }
}

/// The shadow of all buffers of a launch.
#[derive(Debug)]
pub(crate) struct Blocks {
    pub(super) shift: u32,
    writers: Vec<Pages<Writers>>,
    readers: Vec<Pages<Range>>,
    /// Buffers that the kernel may write.
    watched: Vec<AtomicBool>,
    /// Number of each block of a cluster, relative to the first.
    offsets: OnceLock<Vec<u64>>,
    /// True if blocks may communicate and so run alternately.
    pub(super) ordered: bool,
    /// Size of each buffer in bytes, for the ordered shadow.
    lengths: Vec<u64>,
    budget: Arc<ByteBudget>,
    /// The loads of read-only data, and for each granule the first of them (as 255 minus its index) and whether it is written.
    read_only: Vec<u32>,
    read_only_pages: Vec<Pages<[AtomicU8; 2]>>,
    /// Earlier launches that this one may overlap, if it is in a stream.
    pub(super) overlap: Option<Overlap>,
}

impl Blocks {
    /// Creates a shadow for buffers of these lengths. The kernel may write those in `watched`. `stream` starts the launch in
    /// its stream, given the granule's shift. Returns `None` if there are too many accesses or blocks.
    pub(crate) fn new(
        program: &Program,
        lengths: &[u64],
        watched: &[bool],
        blocks: u64,
        budget: Arc<ByteBudget>,
        stream: impl FnOnce(u32) -> Option<Overlap>,
    ) -> Option<Arc<Self>> {
        let global =
            |access: &&crate::program::Access| matches!(access.reach, StateSpace::Global | StateSpace::Generic);
        let least = program.accesses.iter().filter(global).map(|access| access.size.min(4)).min().unwrap_or(4);
        let shift = least.trailing_zeros();
        let asynchronous = program.code.iter().filter(|inst| inst.op.is_asynchronous()).count();
        let numbers = program.accesses.len() + asynchronous;
        if blocks >= u64::from(u32::MAX) || numbers >= MAX_ACCESSES {
            return None;
        }
        let ordered = program.ordered_blocks;
        let all = |bytes: &u64| ((bytes >> shift) + 1).div_ceil(PAGE);
        let count = |bytes: &u64| if ordered { 0 } else { all(bytes) };
        let read_only = (0..program.accesses.len()).filter(|at| program.accesses[*at].read_only);
        let read_only: Vec<u32> = read_only.map(|at| at as u32).collect();
        let none = read_only.is_empty();
        fn pages<T>(count: u64) -> Pages<T> {
            (0..count).map(|_| OnceLock::new()).collect()
        }
        Some(Arc::new(Self {
            shift,
            writers: lengths.iter().map(|bytes| pages(count(bytes))).collect(),
            readers: lengths.iter().map(|bytes| pages(count(bytes))).collect(),
            watched: watched.iter().map(|watched| AtomicBool::new(*watched)).collect(),
            offsets: OnceLock::new(),
            ordered,
            lengths: lengths.to_vec(),
            budget,
            overlap: stream(shift),
            read_only_pages: lengths.iter().map(|bytes| pages(if none { 0 } else { all(bytes) })).collect(),
            read_only,
        }))
    }

    /// Creates the shadow of a worker, for happens-before.
    pub(super) fn in_turns(&self) -> Ordered {
        Ordered::new(self.shift, &self.lengths, !self.ordered, Arc::clone(&self.budget))
    }

    /// True if an access to a buffer matters. A store makes the buffer watched.
    #[inline(always)]
    pub(super) fn watches(&self, buffer: usize, writes: bool) -> bool {
        let Some(watched) = self.watched.get(buffer) else { return false };
        if writes && !watched.load(Relaxed) {
            watched.store(true, Relaxed);
        }
        watched.load(Relaxed)
    }

    /// Keeps the numbers of a cluster's blocks, relative to the first.
    pub(super) fn keep_offsets(&self, blocks: &[u64]) {
        self.offsets.get_or_init(|| blocks.iter().map(|of| of.saturating_sub(blocks[0])).collect());
    }

    fn note(&self, (cluster, rank): (u64, u32), seen: &Seen<'_>, buffer: usize) {
        let shift = self.shift;
        let each = (u64::from(seen.access.bytes()) >> shift).max(1);
        let base = (buffer as u64 + 1) << SLOT_BITS;
        let mut last = u64::MAX;
        for lane in lanes(seen.mask) {
            let offset = seen.start.wrapping_add(seen.pattern.relative[lane] as u64).wrapping_sub(base);
            let first = offset >> shift;
            if first == last && !seen.access.writes {
                continue;
            }
            last = first;
            let who = who(cluster, rank, seen.warp, lane as u32, seen.access_index);
            for granule in first..first + each {
                if seen.access.writes {
                    let into = ((granule << shift) - offset) as u32;
                    self.note_write(buffer, granule, who, STORED | u64::from(seen.stored(lane, into, 1 << shift)));
                } else {
                    self.note_read(buffer, granule, who);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn note_read(&self, buffer: usize, granule: u64, who: u64) {
        if let Some(page) = self.page(&self.readers[buffer], granule) {
            widen(&page[(granule % PAGE) as usize], who);
        }
    }

    /// `value` contains [`STORED`] and the value, or [`OTHERS`] if the value is not known.
    #[inline(always)]
    pub(super) fn note_write(&self, buffer: usize, granule: u64, who: u64, value: u64) {
        let Some(page) = self.page(&self.writers[buffer], granule) else { return };
        let Writers { range, value: known } = &page[(granule % PAGE) as usize];
        widen(range, who);
        let old = known.load(Relaxed);
        if old == 0 && known.compare_exchange(0, value, Relaxed, Relaxed).is_ok() || old & OTHERS != 0 {
            return;
        }
        if known.load(Relaxed) & !OTHERS != value {
            known.fetch_or(OTHERS, Relaxed);
        }
    }

    /// Keeps that granules are written, or that a load reads them as read-only data.
    pub(super) fn note_read_only(&self, buffer: usize, granules: std::ops::Range<u64>, load: Option<u32>) {
        let pages = self.read_only_pages.get(buffer).filter(|pages| !pages.is_empty());
        for granule in pages.map_or(0..0, |_| granules) {
            let page = pages.and_then(|pages| self.page(pages, granule));
            let Some([first, written]) = page.map(|page| &page[(granule % PAGE) as usize]) else { return };
            match load.and_then(|load| self.read_only.binary_search(&load).ok()) {
                Some(index) => _ = first.fetch_max(255 - index.min(254) as u8, Relaxed),
                None => written.store(1, Relaxed),
            }
        }
    }

    /// Returns the loads of read-only data that the kernel writes: access, first address and number of granules.
    pub(super) fn written_read_only(&self) -> Vec<(u32, u64, u64)> {
        let mut found: Vec<(u32, u64, u64)> = Vec::new();
        for (buffer, pages) in self.read_only_pages.iter().enumerate() {
            let all = pages.iter().enumerate().flat_map(|(number, page)| page.get().map(|page| (number, page)));
            for (number, index, [first, written]) in
                all.flat_map(|(number, page)| page.iter().enumerate().map(move |(index, slot)| (number, index, slot)))
            {
                let (first, written) = (first.load(Relaxed), written.load(Relaxed));
                let load = self.read_only.get(usize::from(255 - first)).filter(|_| first != 0);
                if let (Some(load), 1) = (load, written) {
                    let address = (number as u64 * PAGE + index as u64) << self.shift;
                    match found.iter_mut().find(|known| known.0 == *load) {
                        Some(known) => known.2 += 1,
                        None => found.push((*load, address | (buffer as u64 + 1) << SLOT_BITS, 1)),
                    }
                }
            }
        }
        found
    }

    /// Returns the page of a granule, and allocates it if necessary.
    #[inline(always)]
    fn page<'p, T: Default>(&self, pages: &'p Pages<T>, granule: u64) -> Option<&'p [T]> {
        let page = pages.get((granule / PAGE) as usize)?;
        match page.get() {
            Some(page) => Some(page),
            None if !self.budget.take(PAGE * size_of::<T>() as u64) => None,
            None => Some(page.get_or_init(|| (0..PAGE).map(|_| T::default()).collect())),
        }
    }

    /// True if the search needs more memory than it may take.
    pub(super) fn is_full(&self) -> bool {
        self.budget.lacks(0)
    }

    /// Adds the conflicts in the shadow to `finds`, after all blocks have run.
    pub(super) fn finish(&self, finds: &mut Findings) {
        for (buffer, pages) in self.writers.iter().enumerate() {
            for (number, page) in pages.iter().enumerate() {
                let readers = self.readers[buffer][number].get();
                for (index, writers) in page.get().into_iter().flat_map(|page| page.iter().enumerate()) {
                    let at = (number as u64 * PAGE + index as u64) << self.shift;
                    let at = at | (buffer as u64 + 1) << SLOT_BITS;
                    self.conflict(writers, readers.map(|readers| &readers[index]), finds, at);
                }
            }
        }
    }

    fn conflict(&self, writers: &Writers, readers: Option<&Range>, finds: &mut Findings, address: u64) {
        let range = |range: &Range| -> [u64; 2] { [!range[0].load(Relaxed), range[1].load(Relaxed)] };
        let [least_writer, writer] = range(&writers.range);
        if writer == 0 {
            return;
        }
        let cluster = |who: u64| who >> 32;
        let bytes = 1u32 << self.shift;
        let mut note = |kind, (a, a_kind), (b, b_kind), nature| {
            let (first, second) = (past(a, a_kind), past(b, b_kind));
            let whose = [self.whose(a), self.whose(b)];
            let pair = Pair { kind, first, second, whose, owner: whose[1].1, nature, earlier: 0 };
            finds.next();
            finds.note(pair, &first, HazardSpace::Global, address, bytes);
        };
        if cluster(least_writer) != cluster(writer) {
            let equal = writers.value.load(Relaxed) & OTHERS == 0;
            let nature = if equal { Nature::SameValue } else { Nature::Usual };
            note(HazardKind::Waw, (least_writer, AccessKind::Write), (writer, AccessKind::Write), nature);
        }
        let Some([least_reader, reader]) = readers.map(range).filter(|readers| readers[1] != 0) else { return };
        let pairs = [(least_writer, least_reader), (least_writer, reader), (writer, least_reader)];
        match pairs.into_iter().find(|(w, r)| cluster(*w) != cluster(*r)) {
            Some((w, r)) if cluster(w) < cluster(r) => {
                note(HazardKind::Raw, (w, AccessKind::Write), (r, AccessKind::Read), Nature::Usual);
            }
            Some((w, r)) => note(HazardKind::War, (r, AccessKind::Read), (w, AccessKind::Write), Nature::Usual),
            None => {}
        }
    }

    /// Returns the warp and the block of a thread in the shadow.
    fn whose(&self, who: u64) -> (u32, u64) {
        let offset = self.offsets.get().and_then(|offsets| offsets.get((who >> 10 & 15) as usize)).copied();
        ((who >> 5 & 31) as u32, (who >> 32) - 1 + offset.unwrap_or(0))
    }
}

/// Packs a thread and its access.
pub(super) fn who(cluster: u64, rank: u32, warp: u32, lane: u32, access: u32) -> u64 {
    (cluster + 1) << 32 | u64::from(access) << 14 | u64::from(rank) << 10 | u64::from(warp) << 5 | u64::from(lane)
}

fn widen(range: &Range, who: u64) {
    for (slot, value) in range.iter().zip([!who, who]) {
        if slot.load(Relaxed) < value {
            slot.fetch_max(value, Relaxed);
        }
    }
}

pub(super) fn past(who: u64, kind: AccessKind) -> Past {
    Past {
        access: (who as u32) >> 14,
        moment: (who >> 32) as u32,
        ordinal: (who >> 32) as u32,
        agent: (who >> 5 & 31) as u16,
        lane: (who & 31) as u8,
        kind,
    }
}

impl Hazards {
    /// Handles an access to global memory. `ordered` tracks what happens before.
    pub(super) fn global_access(&mut self, seen: &Seen<'_>, ordered: &mut Ordered) {
        self.across_launches(seen);
        if let Some(global) = &self.global {
            let slot = seen.start.wrapping_add(seen.pattern.low as u64) >> SLOT_BITS;
            let buffer = (slot as usize).wrapping_sub(1);
            if global.watches(buffer, seen.access.writes) {
                if !global.read_only.is_empty() && (seen.access.writes || seen.access.read_only) {
                    let load = seen.access.read_only.then_some(seen.access_index);
                    for lane in lanes(seen.mask) {
                        let address = seen.start.wrapping_add(seen.pattern.relative[lane] as u64);
                        let first = (address & ((1 << SLOT_BITS) - 1)) >> global.shift;
                        let each = (u64::from(seen.access.bytes()) >> global.shift).max(1);
                        global.note_read_only(buffer, first..first + each, load);
                    }
                }
                if !global.ordered {
                    global.keep_offsets(&self.blocks);
                    global.note((self.cluster(), self.rank), seen, buffer);
                }
                self.ordered_access(seen, ordered, buffer);
            }
        }
        if seen.access.order.strong {
            self.synchronise(seen, None, Some(ordered));
        }
    }
}
