/*! Conflicts between blocks in global memory.

This module is for kernels without atomics and strong accesses, where nothing can order one block after another. Then
two blocks conflict if they touch the same byte and one of them writes it, in whatever order they ran.

A granule is the size of the kernel's smallest global access, 1 to 4 bytes. For each granule, the shadow keeps the
minimum and maximum writer and the minimum and maximum reader, as block, access and thread. That is as good as keeping
all of them. Nothing orders blocks, so two accesses conflict exactly when their blocks differ. A conflict exists
exactly when the minimum and maximum writer differ, or a reader differs from the only writer. The minimum and maximum
do not depend on which worker ran which block when. So blocks run in parallel, and the report is always the same.

If blocks can communicate, they run alternately, and `blocks` uses happens-before.

The shadow is allocated page by page, when memory is used. A granule takes 32 bytes. In `blocks` it takes 28 bytes,
plus the marks of additional threads.
*/

use super::Hazards;
use super::blocks::Ordered;
use super::found::{Findings, Pair};
use super::shadow::{Kind, Past};
use crate::memory::SLOT_BITS;
use crate::probes::Seen;
use crate::program::{Program, StateSpace};
use crate::report::{HazardKind, HazardSpace};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// Granules per page.
pub(super) const PAGE: u64 = 1 << 12;
/// Maximum size of the shadow in bytes.
const MAX_BYTES: u64 = 4 << 30;

/// Minimum writer, maximum writer, minimum reader, maximum reader. 0 means none, and minimums are stored as
/// complements.
type Granule = [AtomicU64; 4];

/// The shadow of all buffers of a launch.
#[derive(Debug)]
pub(crate) struct Blocks {
    shift: u32,
    buffers: Vec<Vec<OnceLock<Box<[Granule]>>>>,
    /// True if blocks may communicate and so run alternately.
    pub(super) ordered: bool,
    /// Size of each buffer in bytes, for the ordered shadow.
    lengths: Vec<u64>,
}

impl Blocks {
    /// Creates a shadow for buffers of these lengths. Returns `None` if it could become too large or there are too
    /// many blocks.
    pub(crate) fn new(program: &Program, lengths: &[u64], blocks: u64) -> Option<Arc<Self>> {
        let global =
            |access: &&crate::program::Access| matches!(access.reach, StateSpace::Global | StateSpace::Generic);
        let least = program.accesses.iter().filter(global).map(|access| access.size.min(4)).min().unwrap_or(4);
        let shift = least.trailing_zeros();
        let granules: u64 = lengths.iter().map(|bytes| (bytes >> shift) + 1).sum();
        if granules.saturating_mul(48) > MAX_BYTES || blocks >= u64::from(u32::MAX) {
            return None;
        }
        let ordered = program.ordered_blocks;
        let pages = |bytes: &u64| {
            let pages = if ordered { 0 } else { ((bytes >> shift) + 1).div_ceil(PAGE) };
            (0..pages).map(|_| OnceLock::new()).collect()
        };
        Some(Arc::new(Self { shift, buffers: lengths.iter().map(pages).collect(), ordered, lengths: lengths.to_vec() }))
    }

    /// Creates the shadow for blocks that run alternately.
    pub(super) fn in_turns(&self) -> Ordered {
        Ordered::new(self.shift, &self.lengths)
    }

    fn note(&self, block: u64, seen: &Seen<'_>) {
        let shift = self.shift;
        let each = (u64::from(seen.access.bytes()) >> shift).max(1);
        let slot = seen.start.wrapping_add(seen.shape.low as u64) >> SLOT_BITS;
        let Some(pages) = self.buffers.get((slot as usize).wrapping_sub(1)) else { return };
        let base = usize::from(!seen.access.writes) * 2;
        let mut last = u64::MAX;
        for lane in super::clock::lanes(seen.mask) {
            let offset = seen.start.wrapping_add(seen.shape.relative[lane] as u64).wrapping_sub(slot << SLOT_BITS);
            let first = offset >> shift;
            if first == last && !seen.access.writes {
                continue;
            }
            last = first;
            let who = (block + 1) << 32 | u64::from(seen.access_index) << 10 | u64::from(seen.warp) << 5 | lane as u64;
            for granule in first..first + each {
                let Some(page) = pages.get((granule / PAGE) as usize) else { continue };
                let page =
                    page.get_or_init(|| (0..PAGE).map(|_| Granule::default()).collect::<Vec<_>>().into_boxed_slice());
                let cell = &page[(granule % PAGE) as usize];
                for (slot, value) in [(&cell[base], !who), (&cell[base + 1], who)] {
                    if slot.load(Relaxed) < value {
                        slot.fetch_max(value, Relaxed);
                    }
                }
            }
        }
    }

    /// Adds the conflicts in the shadow to `finds`, after all blocks have run.
    pub(super) fn finish(&self, finds: &mut Findings) {
        for (buffer, pages) in self.buffers.iter().enumerate() {
            for (number, page) in pages.iter().enumerate() {
                for (index, granule) in page.get().into_iter().flat_map(|page| page.iter().enumerate()) {
                    let at = (number as u64 * PAGE + index as u64) << self.shift;
                    self.conflict(granule, finds, buffer as u32, at);
                }
            }
        }
    }

    fn conflict(&self, granule: &Granule, finds: &mut Findings, buffer: u32, at: u64) {
        let [least_writer, writer, least_reader, reader] = granule.each_ref().map(|who| who.load(Relaxed));
        if writer == 0 {
            return;
        }
        let (least_writer, least_reader) = (!least_writer, !least_reader);
        let block = |who: u64| who >> 32;
        let bytes = 1u32 << self.shift;
        let mut note = |kind, (a, a_kind), (b, b_kind)| {
            let (first, second) = (past(a, a_kind), past(b, b_kind));
            let whose = [(first.agent.into(), block(a) - 1), (second.agent.into(), block(b) - 1)];
            let pair = Pair { kind, first, second, whose, owner: block(b) - 1 };
            finds.next();
            finds.note(pair, &first, HazardSpace::Global, at | u64::from(buffer + 1) << SLOT_BITS, bytes);
        };
        if block(least_writer) != block(writer) {
            note(HazardKind::Waw, (least_writer, Kind::Write), (writer, Kind::Write));
        }
        if reader == 0 {
            return;
        }
        let pairs = [(least_writer, least_reader), (least_writer, reader), (writer, least_reader)];
        let apart = pairs.into_iter().find(|(w, r)| block(*w) != block(*r));
        match apart {
            Some((w, r)) if block(w) < block(r) => note(HazardKind::Raw, (w, Kind::Write), (r, Kind::Read)),
            Some((w, r)) => note(HazardKind::War, (r, Kind::Read), (w, Kind::Write)),
            None => {}
        }
    }
}

fn past(who: u64, kind: Kind) -> Past {
    Past {
        access: (who as u32) >> 10,
        moment: (who >> 32) as u32,
        ordinal: (who >> 32) as u32,
        agent: (who >> 5 & 31) as u16,
        lane: (who & 31) as u8,
        kind,
    }
}

impl Hazards {
    /// Handles an access to global memory. `ordered` tracks blocks that may communicate.
    pub(super) fn global_access(&mut self, seen: &Seen<'_>, ordered: Option<&mut Ordered>) {
        match ordered {
            Some(ordered) => {
                if self.global.is_some() {
                    self.ordered_access(seen, ordered);
                }
                if seen.access.order.strong {
                    self.synchronise(seen, None, Some(ordered));
                }
            }
            None => {
                if let Some(global) = &self.global {
                    global.note(self.blocks[self.rank as usize], seen);
                }
            }
        }
    }
}
