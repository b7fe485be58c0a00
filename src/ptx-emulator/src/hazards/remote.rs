//! Accesses to the shared memory of other blocks in the cluster.

use super::Hazards;
use super::clock::lanes;
use super::shadow::{AccessKind, Past};
use crate::probes::Seen;

impl Hazards {
    /// Handles a warp's access to the shared memory of the block with this rank.
    #[cold]
    pub(super) fn remote(&mut self, rank: u32, seen: &Seen<'_>) {
        let Some(mut past) = self.next_access(seen) else { return };
        let each = (seen.access.bytes() >> self.shift).max(1) as usize;
        self.narrow = false;
        let own = self.rank;
        self.visit(own);
        self.visit(rank);
        if past.kind == AccessKind::StrongRead || past.kind == AccessKind::StrongWrite {
            self.strong(past, each, seen, rank);
        } else {
            for lane in lanes(seen.mask) {
                past.lane = lane as u8;
                let first = self.cell_of(seen, lane);
                for cell in first..(first + each).min(self.shadow.cells) {
                    if past.kind == AccessKind::Write {
                        self.write(cell, past, seen);
                    } else {
                        self.read_written(cell, past);
                        self.note_foreign(cell, past);
                    }
                }
            }
        }
        self.visit(rank);
        self.visit(own);
    }

    /// Records a read by another block's warp. Earlier reads that its thread knew become redundant: any thread that
    /// knows this read also knows them.
    fn note_foreign(&mut self, cell: usize, past: Past) {
        let by = &self.threads[usize::from(past.agent)];
        let known = |agent, packed: u64| {
            let moment = (packed >> 32) as u32;
            by.knows(past.lane, agent, (packed & 31) as u8, moment)
        };
        let all = self.shadow.foreign.entry(cell as u32).or_default();
        all.retain(|(agent, packed)| {
            let same_thread = (*agent, (packed & 31) as u8) == (past.agent, past.lane);
            !same_thread && !known(*agent, *packed)
        });
        all.push((past.agent, past.pack()));
    }
}
