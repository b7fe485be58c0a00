//! 32-bit addresses, for PTX with `.address_size 32`. The buffers follow each other with gaps between them, after
//! windows for shared and local memory. Each access converts its address to the 64-bit address that it stands for, so
//! nothing else changes.

use super::SLOT_BITS;
use crate::arch::{LOCAL_WINDOW, LOCAL_WINDOW_32, SHARED_WINDOW, SHARED_WINDOW_32, WINDOW_32};

/// Where the buffers start, and where they must end.
const FIRST: u64 = 0x1000_0000;
const END: u64 = 0xffff_0000;
/// Gap between buffers. An address that misses a buffer by less than half a gap still identifies that buffer.
const GAP: u64 = 1 << 16;

#[derive(Debug, Clone)]
pub(crate) struct Addresses32(Vec<u32>);

impl Addresses32 {
    /// Places buffers of these lengths. `None` if they do not all fit.
    pub(crate) fn new(lengths: impl Iterator<Item = u64>) -> Option<Self> {
        let mut next = FIRST;
        let mut starts = Vec::new();
        for length in lengths {
            starts.push(u32::try_from(next).ok()?);
            next = next.checked_add(length)?.checked_next_multiple_of(GAP)?.checked_add(GAP)?;
            if next > END {
                return None;
            }
        }
        Some(Self(starts))
    }

    /// Returns the 32-bit address that stands for a 64-bit one.
    pub(crate) fn short(&self, address: u64) -> u32 {
        let slot = (address >> SLOT_BITS) as usize;
        let start = slot.checked_sub(1).and_then(|index| self.0.get(index)).copied().unwrap_or(0);
        start.wrapping_add(address as u32)
    }

    /// Returns the 64-bit address that a 32-bit one stands for.
    pub(crate) fn long(&self, address: u32, generic: bool) -> u64 {
        if generic {
            for (from, to) in [(SHARED_WINDOW_32, SHARED_WINDOW), (LOCAL_WINDOW_32, LOCAL_WINDOW)] {
                if address.wrapping_sub(from) < WINDOW_32 {
                    return to + u64::from(address - from);
                }
            }
        }
        let behind = self.0.partition_point(|start| u64::from(*start) <= u64::from(address) + GAP / 2);
        match behind.checked_sub(1) {
            Some(index) => {
                let start = (index as u64 + 1) << SLOT_BITS;
                start.wrapping_add(u64::from(address)).wrapping_sub(self.0[index].into())
            }
            None => address.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_come_back_and_near_misses_keep_their_buffer() {
        let addresses = Addresses32::new([10, 1 << 20, 0].into_iter()).unwrap();
        for (slot, offset) in [(1u64, 0i64), (1, 9), (1, 4096), (2, -8), (2, 0), (2, 1 << 20), (3, 0)] {
            let long = (slot << SLOT_BITS).wrapping_add(offset as u64);
            let short = addresses.short(slot << SLOT_BITS).wrapping_add(offset as u32);
            assert_eq!(addresses.long(short, true), long, "{slot} {offset}");
        }
        assert_eq!(addresses.long(SHARED_WINDOW_32 + 5, true), SHARED_WINDOW + 5);
        assert_eq!(addresses.long(SHARED_WINDOW_32 + 5, false), u64::from(SHARED_WINDOW_32) + 5);
        assert_eq!(addresses.long(12, true), 12);
        assert!(Addresses32::new([1 << 31, 1 << 31].into_iter()).is_none());
    }
}
