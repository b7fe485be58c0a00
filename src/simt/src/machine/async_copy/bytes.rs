//! Runs of bytes in shared and global memory: checked, read, written.

use super::Here;
use crate::machine::state::Machine;
use crate::memory::SLOT_BITS;
use crate::probes::Probe;
use crate::{Fault, FaultKind};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

impl<P: Probe> Machine<'_, P> {
    /// Checks a run of bytes of the block's own shared memory, by its address; gives its offset.
    pub(super) fn shared_run(
        &self,
        here: Here,
        lane: u32,
        address: u64,
        bytes: u64,
        align: u64,
        verb: &str,
    ) -> Result<u32, Box<Fault>> {
        self.run_of(here, lane, address.wrapping_sub(self.own_window()), bytes, align, verb)
    }

    /// The same by its offset, in the shared memory of whatever block.
    pub(super) fn run_of(
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

    /// Checks a run of bytes of one buffer, and that they have been written if they are read.
    pub(super) fn global_run(
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
        if !writes && !view.written.is_null() {
            for byte in offset..offset + bytes {
                // SAFETY: there is a flag for each byte, and the bounds were just checked.
                if unsafe { (*view.written.add(byte as usize).cast::<AtomicU8>()).load(Relaxed) } == 0 {
                    let name = &self.setup.names[index];
                    let what = format!("reads byte {byte} of buffer `{name}`, which nothing has written");
                    return self.fails(here, lane, FaultKind::Uninitialised, &what);
                }
            }
        }
        Ok(())
    }

    /// Bytes of a buffer to shared memory. Both runs have been checked.
    pub(super) fn fetch(&mut self, from: u64, to: u32, bytes: usize) {
        let view = self.setup.views[(from >> SLOT_BITS) as usize - 1];
        let offset = (from & ((1 << SLOT_BITS) - 1)) as usize;
        let to = to as usize;
        debug_assert!(offset + bytes <= view.len as usize && to + bytes <= 16 * self.shared.len());
        // SAFETY: the runs were checked when the copy was issued, and neither memory changes its size.
        unsafe {
            let source = view.data.add(offset);
            let target = self.shared.as_mut_ptr().cast::<u8>().add(to);
            let mut done = 0;
            if (offset | to).is_multiple_of(8) {
                while done + 8 <= bytes {
                    target.add(done).cast::<u64>().write((*source.add(done).cast::<AtomicU64>()).load(Relaxed));
                    done += 8;
                }
            }
            for i in done..bytes {
                target.add(i).write((*source.add(i).cast::<AtomicU8>()).load(Relaxed));
            }
        }
        self.note_shared(to, bytes);
    }

    /// Zeros to shared memory. The run has been checked.
    pub(super) fn clear(&mut self, to: u32, bytes: usize) {
        debug_assert!(to as usize + bytes <= 16 * self.shared.len());
        // SAFETY: the run was checked when the copy was issued.
        unsafe { self.shared.as_mut_ptr().cast::<u8>().add(to as usize).write_bytes(0, bytes) };
        self.note_shared(to as usize, bytes);
    }

    /// Reads the block's own shared memory. The run has been checked.
    ///
    /// # Safety
    /// The bytes lie inside of shared memory.
    pub(super) unsafe fn read_shared(&self, from: u32, to: &mut [u8]) {
        debug_assert!(from as usize + to.len() <= 16 * self.shared.len());
        // SAFETY: by contract.
        unsafe {
            let source = self.shared.as_ptr().cast::<u8>().add(from as usize);
            to.as_mut_ptr().copy_from_nonoverlapping(source, to.len());
        }
    }

    /// Writes the block's own shared memory. The run has been checked.
    ///
    /// # Safety
    /// As for [`Self::read_shared`].
    pub(super) unsafe fn write_shared(&mut self, from: &[u8], to: u32) {
        debug_assert!(to as usize + from.len() <= 16 * self.shared.len());
        // SAFETY: by contract.
        unsafe {
            let target = self.shared.as_mut_ptr().cast::<u8>().add(to as usize);
            target.copy_from_nonoverlapping(from.as_ptr(), from.len());
        }
        self.note_shared(to as usize, from.len());
    }

    /// Bytes of shared memory have been written.
    pub(super) fn note_shared(&mut self, start: usize, bytes: usize) {
        self.note_landed(self.rank, start, bytes);
    }
}
