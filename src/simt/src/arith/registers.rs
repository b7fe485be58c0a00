//! The registers of a warp, by their places in its register file.

use super::lanes::Width;

/// A warp's register file: rows of 32 lanes of 32 bits, pairs of them for 64 bits, and words of predicates, a bit a lane.
///
/// Its methods reach whatever place they are asked for, and so are as safe as [`Self::new`] promises: that nothing but
/// places of the program for which the file was laid out is asked for. `Program::verify` proves of a program that its
/// places lie inside of the file; builds with debug assertions look at each access, too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registers {
    words: *mut u32,
    #[cfg(debug_assertions)]
    count: usize,
}

impl Registers {
    /// # Safety
    /// `words` points to `count` words, the first of a row. As long as the value or a copy of it is used, nothing refers to
    /// the words but through it, and every place it is asked for is one of the program that the words were laid out for, of
    /// the width that the program gives it.
    #[inline(always)]
    #[cfg_attr(not(debug_assertions), expect(unused_variables, reason = "looked at by debug assertions only"))]
    pub(crate) unsafe fn new(words: *mut u32, count: usize) -> Self {
        Self {
            words,
            #[cfg(debug_assertions)]
            count,
        }
    }

    /// Where a place of this width begins; the beginning of the file for one that is absent.
    #[inline(always)]
    pub(crate) fn at(self, slot: u32, width: Width) -> *mut u32 {
        let slot = if width == Width::Absent { 0 } else { slot as usize };
        #[cfg(debug_assertions)]
        {
            let (end, row) = (slot + width.words() as usize, width != Width::Predicate);
            assert!(end <= self.count && (!row || slot.is_multiple_of(32)), "{width:?} at {slot} of {}", self.count);
        }
        self.words.wrapping_add(slot)
    }

    /// A row of 32 bits a lane.
    #[inline(always)]
    pub(crate) fn row(self, slot: u32) -> *mut [u32; 32] {
        self.at(slot, Width::Row).cast()
    }

    /// A row of 64 bits a lane.
    #[inline(always)]
    pub(crate) fn wide_row(self, slot: u32) -> *mut [u64; 32] {
        self.at(slot, Width::Wide).cast()
    }

    #[inline(always)]
    pub(crate) fn lanes(self, slot: u32) -> [u32; 32] {
        // SAFETY: by the contract of `new`, as in all that follows.
        unsafe { *self.row(slot) }
    }

    #[inline(always)]
    pub(crate) fn set_lanes(self, slot: u32, lanes: [u32; 32]) {
        // SAFETY: as above.
        unsafe { *self.row(slot) = lanes };
    }

    #[inline(always)]
    pub(crate) fn wide_lanes(self, slot: u32) -> [u64; 32] {
        // SAFETY: as above.
        unsafe { *self.wide_row(slot) }
    }

    #[inline(always)]
    pub(crate) fn set_wide_lanes(self, slot: u32, lanes: [u64; 32]) {
        // SAFETY: as above.
        unsafe { *self.wide_row(slot) = lanes };
    }

    /// One lane of a row, of 64 bits if `wide`.
    #[inline(always)]
    pub(crate) fn lane(self, slot: u32, wide: bool, lane: usize) -> u64 {
        // SAFETY: as above; there are 32 lanes.
        unsafe {
            if wide {
                self.wide_row(slot).cast::<u64>().add(lane & 31).read()
            } else {
                self.row(slot).cast::<u32>().add(lane & 31).read().into()
            }
        }
    }

    /// Writes one lane of a row: all of `value` if `wide`, else its lower half.
    #[inline(always)]
    pub(crate) fn set_lane(self, slot: u32, wide: bool, lane: usize, value: u64) {
        // SAFETY: as above.
        unsafe {
            if wide {
                self.wide_row(slot).cast::<u64>().add(lane & 31).write(value);
            } else {
                self.row(slot).cast::<u32>().add(lane & 31).write(value as u32);
            }
        }
    }

    /// A predicate, a bit a lane.
    #[inline(always)]
    pub(crate) fn predicate(self, slot: u32) -> u32 {
        // SAFETY: as above.
        unsafe { *self.at(slot, Width::Predicate) }
    }

    /// Writes the lanes of `mask` of a predicate.
    #[inline(always)]
    pub(crate) fn set_predicate(self, slot: u32, mask: u32, value: u32) {
        let word = self.at(slot, Width::Predicate);
        // SAFETY: as above.
        unsafe { *word = (*word & !mask) | (value & mask) };
    }
}
