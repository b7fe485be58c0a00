//! Checks, reads and writes ranges of bytes in shared and global memory.

use super::Here;
use crate::machine::state::{Machine, bytes_of};
use crate::memory::SLOT_BITS;
use crate::probes::Probe;
use crate::{Fault, FaultKind};
use std::sync::atomic::Ordering::Relaxed;

impl<P: Probe> Machine<'_, P> {
    /// Checks a range of the block's own shared memory and returns the offset of `address`.
    pub(super) fn shared_range(
        &self,
        here: Here,
        lane: u32,
        address: u64,
        bytes: u64,
        align: u64,
        verb: &str,
    ) -> Result<u32, Box<Fault>> {
        self.range_of(here, lane, address.wrapping_sub(self.own_window()), bytes, align, verb)
    }

    /// Checks a range that begins at an offset in the shared memory of any block.
    pub(super) fn range_of(
        &self,
        here: Here,
        lane: u32,
        address: u64,
        bytes: u64,
        align: u64,
        verb: &str,
    ) -> Result<u32, Box<Fault>> {
        let size = self.setup.shared_bytes;
        if address.checked_add(bytes).is_none_or(|end| end > size) {
            let what =
                format!("{verb} {bytes} bytes at byte {} of shared memory, which has {size} bytes", address as i64);
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        if !address.is_multiple_of(align) {
            let what =
                format!("{verb} {bytes} bytes at byte {address} of shared memory; that is not a multiple of {align}");
            return self.fails(here, lane, FaultKind::Misaligned, &what);
        }
        Ok(address as u32)
    }

    /// Checks a range of one buffer. For a read, also checks that all its bytes have been written.
    pub(super) fn global_range(
        &self,
        here: Here,
        lane: u32,
        address: u64,
        bytes: u64,
        align: u64,
        writes: bool,
    ) -> Result<(), Box<Fault>> {
        let verb = if writes { "writes" } else { "reads" };
        let (slot, offset) = (address >> SLOT_BITS, address & ((1 << SLOT_BITS) - 1));
        let index = (slot as usize).wrapping_sub(1);
        let view = match self.setup.views.get(index) {
            Some(view) if offset + bytes <= view.len => *view,
            _ => {
                let what = format!("{verb} {bytes} bytes {}", self.describe(address));
                return self.fails(here, lane, FaultKind::OutOfBounds, &what);
            }
        };
        if !address.is_multiple_of(align) {
            let what =
                format!("{verb} {bytes} bytes {}; the address is not a multiple of {align}", self.describe(address));
            return self.fails(here, lane, FaultKind::Misaligned, &what);
        }
        if writes && view.constant {
            let what = format!("writes to the constant `{}`", self.setup.names[index]);
            return self.fails(here, lane, FaultKind::OutOfBounds, &what);
        }
        let unwritten = |byte: &u64| view.flag(*byte).is_some_and(|flag| flag.load(Relaxed) == 0);
        if let Some(byte) = (offset..offset + bytes).find(unwritten).filter(|_| !writes) {
            let name = &self.setup.names[index];
            let what = format!("reads byte {byte} of buffer `{name}`, which has not been written");
            return self.fails(here, lane, FaultKind::Uninitialised, &what);
        }
        Ok(())
    }

    /// Copies bytes of a buffer to shared memory. The caller has checked both ranges.
    pub(super) fn fetch(&mut self, from: u64, to: u32, bytes: usize) {
        self.setup.read(from, &mut bytes_of(&mut self.block.shared)[to as usize..][..bytes]);
        self.note_landed(self.rank, to as usize, bytes);
    }

    /// Fills shared memory with zeros. The caller has checked the range.
    pub(super) fn clear(&mut self, to: u32, bytes: usize) {
        bytes_of(&mut self.block.shared)[to as usize..][..bytes].fill(0);
        self.note_landed(self.rank, to as usize, bytes);
    }
}
