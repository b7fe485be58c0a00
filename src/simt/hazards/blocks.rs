/*! Global memory of kernels whose blocks can talk to each other: happens-before between blocks that run in turn.

An access conflicts with one of an earlier block unless its thread knows of it: a strong write after a fence (or a
releasing one) made it known, and a strong access of the same address learnt it. For each granule the last plain write,
the last strong write, and the first and the last plain read of earlier blocks are kept.
*/

use super::clock::{Warp, lanes};
use super::found::{Finds, Pair};
use super::global::PAGE;
use super::shadow::{Kind, Past};
use crate::simt::memory::SLOT_BITS;
use crate::simt::probe::{Scope, Seen};
use crate::simt::report::{HazardKind, HazardSpace};

/// An access: its block plus one, access and thread, and moment.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    block: u32,
    who: u32,
    moment: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Granule {
    write: Mark,
    strong: Mark,
    first_read: Mark,
    read: Mark,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Ordered {
    shift: u32,
    buffers: Vec<Vec<Option<Box<[Granule]>>>>,
}

impl Ordered {
    pub(super) fn new(shift: u32, lengths: &[u64]) -> Self {
        let pages = |bytes: &u64| vec![None; ((bytes >> shift) + 1).div_ceil(PAGE) as usize];
        Self { shift, buffers: lengths.iter().map(pages).collect() }
    }

    pub(super) fn access(
        &mut self,
        seen: &Seen<'_>,
        block: u64,
        threads: &mut [Warp],
        finds: &mut Finds,
        worn: &mut bool,
    ) {
        let Some(warp) = threads.get_mut(seen.warp as usize) else { return };
        if warp.moment == u32::MAX {
            *worn = true;
            return;
        }
        warp.moment += 1;
        finds.next();
        let shift = self.shift;
        let each = (u64::from(seen.access.bytes()) >> shift).max(1);
        let slot = seen.start.wrapping_add(seen.shape.low as u64) >> SLOT_BITS;
        let Some(pages) = self.buffers.get_mut((slot as usize).wrapping_sub(1)) else { return };
        // An atomic of the block's scope is nothing special to another block.
        let strong = seen.access.order.strong && seen.access.order.scope >= Scope::Device;
        let kind = Kind::new(seen.access.writes, strong);
        for lane in lanes(seen.mask) {
            let offset = seen.start.wrapping_add(seen.shape.relative[lane] as u64).wrapping_sub(slot << SLOT_BITS);
            let mark = Mark {
                block: block as u32 + 1,
                who: seen.access_index << 10 | seen.warp << 5 | lane as u32,
                moment: warp.moment,
            };
            for granule in offset >> shift..(offset >> shift) + each {
                let Some(page) = pages.get_mut((granule / PAGE) as usize) else { continue };
                let page = page.get_or_insert_with(|| vec![Granule::default(); PAGE as usize].into_boxed_slice());
                let cell = &mut page[(granule % PAGE) as usize];
                let old = [
                    (cell.write, Kind::Write),
                    (cell.strong, Kind::StrongWrite),
                    (cell.first_read, Kind::Read),
                    (cell.read, Kind::Read),
                ];
                for (old, old_kind) in old {
                    let known = || {
                        let (agent, of) = ((old.who >> 5 & 31) as u16, (old.who & 31) as u8);
                        warp.knows_of_block(lane as u8, u64::from(old.block) - 1, agent, of, old.moment)
                    };
                    if old.block == 0 || old.block == mark.block || !kind.conflicts(old_kind) || known() {
                        continue;
                    }
                    let (first, second) = (past(old, old_kind), past(mark, kind));
                    let hazard = match (old_kind.writes(), kind.writes()) {
                        (true, true) => HazardKind::Waw,
                        (true, false) => HazardKind::Raw,
                        _ => HazardKind::War,
                    };
                    let pair = Pair { kind: hazard, first, second, warps: (first.agent.into(), second.agent.into()) };
                    finds.note(
                        pair,
                        &first,
                        HazardSpace::Global,
                        block,
                        granule << shift | slot << SLOT_BITS,
                        1 << shift,
                    );
                }
                match kind {
                    Kind::Write => cell.write = mark,
                    Kind::StrongWrite => cell.strong = mark,
                    Kind::Read => {
                        if cell.first_read.block == 0 {
                            cell.first_read = mark;
                        }
                        cell.read = mark;
                    }
                    Kind::StrongRead => {}
                }
            }
        }
    }
}

fn past(mark: Mark, kind: Kind) -> Past {
    Past {
        access: mark.who >> 10,
        moment: mark.moment,
        ordinal: mark.block,
        agent: (mark.who >> 5 & 31) as u16,
        lane: (mark.who & 31) as u8,
        kind,
    }
}
