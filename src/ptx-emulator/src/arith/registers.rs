//! A warp's registers, addressed by their slots in its register file.

use super::lanes::{Operands, Width};

/// A warp's register file: rows of 32 lanes of 32 bits, pairs of rows for 64 bits, and predicate words with one bit per
/// lane.
///
/// Methods that read or write check in every build that the slot is inside the file. [`Self::at`], [`Self::row`] and
/// [`Self::wide_row`] return unchecked pointers for the hot loop. Code that dereferences one relies on
/// `Program::verify`, which proves that every slot of the program is inside the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registers {
    words: *mut u32,
    count: u32,
}

impl Registers {
    /// # Safety
    /// `words` points to `count` words, and the first one begins a row. As long as the value or a copy of it is used,
    /// the words exist and nothing else refers to them.
    #[inline(always)]
    pub(crate) unsafe fn new(words: *mut u32, count: u32) -> Self {
        Self { words, count }
    }

    /// True if an operand of this width at `slot` is inside the file.
    #[inline(always)]
    fn has(self, slot: u32, width: Width) -> bool {
        let aligned = width == Width::Predicate || slot.is_multiple_of(32);
        aligned && self.count.checked_sub(slot).is_some_and(|left| left >= width.words())
    }

    /// Returns a pointer to an operand of this width; to the beginning of the file if it is absent. Only builds with
    /// debug assertions check the slot.
    #[inline(always)]
    pub(crate) fn at(self, slot: u32, width: Width) -> *mut u32 {
        let slot = if width == Width::Absent { 0 } else { slot };
        debug_assert!(self.has(slot, width), "{width:?} at {slot} of {}", self.count);
        self.words.wrapping_add(slot as usize)
    }

    /// Returns a row of 32 bits per lane, unchecked as in [`Self::at`].
    #[inline(always)]
    pub(crate) fn row(self, slot: u32) -> *mut [u32; 32] {
        self.at(slot, Width::Row).cast()
    }

    /// Returns a row of 64 bits per lane, unchecked as in [`Self::at`].
    #[inline(always)]
    pub(crate) fn wide_row(self, slot: u32) -> *mut [u64; 32] {
        self.at(slot, Width::Wide).cast()
    }

    /// Returns a pointer to an operand, after a check of the slot.
    #[inline(always)]
    fn checked(self, slot: u32, width: Width) -> *mut u32 {
        assert!(self.has(slot, width), "a register lies outside of its file");
        self.words.wrapping_add(slot as usize)
    }

    #[inline(always)]
    pub(crate) fn lanes(self, slot: u32) -> [u32; 32] {
        // SAFETY: the row has just been checked, and the contract of `new` guarantees the file. The same holds below.
        unsafe { *self.checked(slot, Width::Row).cast() }
    }

    #[inline(always)]
    pub(crate) fn set_lanes(self, slot: u32, lanes: [u32; 32]) {
        // SAFETY: as above.
        unsafe { *self.checked(slot, Width::Row).cast() = lanes };
    }

    #[inline(always)]
    pub(crate) fn wide_lanes(self, slot: u32) -> [u64; 32] {
        // SAFETY: as above.
        unsafe { *self.checked(slot, Width::Wide).cast() }
    }

    #[inline(always)]
    pub(crate) fn set_wide_lanes(self, slot: u32, lanes: [u64; 32]) {
        // SAFETY: as above.
        unsafe { *self.checked(slot, Width::Wide).cast() = lanes };
    }

    /// Computes `logic` of the predicates `a`, `b` and `c` (zero if absent). Writes the result to the lanes of `mask`
    /// in `d`.
    ///
    /// # Safety
    /// The operands are predicates of the file.
    #[inline(always)]
    pub(crate) unsafe fn logic(self, on: &Operands, mask: u32, logic: fn(u32, u32, u32) -> u32) {
        // SAFETY: the caller guarantees the operands.
        unsafe {
            let word = |slot: u32| if slot == u32::MAX { 0 } else { *self.at(slot, Width::Predicate) };
            blend(self.at(on.d, Width::Predicate), mask, logic(word(on.a), word(on.b), word(on.c)));
        }
    }

    /// Returns a checked row, with 64 bits per lane if `wide`.
    #[inline(always)]
    pub(crate) fn row_of(self, slot: u32, wide: bool) -> CheckedRow {
        CheckedRow { words: self.checked(slot, Width::of(wide)), wide }
    }

    /// Returns one lane of a row, with 64 bits if `wide`.
    #[inline(always)]
    pub(crate) fn lane(self, slot: u32, wide: bool, lane: usize) -> u64 {
        self.row_of(slot, wide).lane(lane)
    }

    /// Writes one lane of a row: all of `value` if `wide`, otherwise its lower half.
    #[inline(always)]
    pub(crate) fn set_lane(self, slot: u32, wide: bool, lane: usize, value: u64) {
        self.row_of(slot, wide).set_lane(lane, value);
    }

    /// Returns a predicate, with one bit per lane.
    #[inline(always)]
    pub(crate) fn predicate(self, slot: u32) -> u32 {
        // SAFETY: as above.
        unsafe { *self.checked(slot, Width::Predicate) }
    }

    /// Writes the lanes of `mask` of a predicate.
    #[inline(always)]
    pub(crate) fn set_predicate(self, slot: u32, mask: u32, value: u32) {
        // SAFETY: as above.
        unsafe { blend(self.checked(slot, Width::Predicate), mask, value) };
    }
}

/// Writes the lanes of `mask` of a predicate.
///
/// # Safety
/// `word` belongs to a register file.
#[inline(always)]
pub(crate) unsafe fn blend(word: *mut u32, mask: u32, value: u32) {
    // SAFETY: the caller guarantees that the word belongs to a register file.
    unsafe { *word = (*word & !mask) | (value & mask) };
}

/// A row inside a register file. Only [`Registers::row_of`] makes one, and it checks the slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckedRow {
    words: *mut u32,
    wide: bool,
}

impl CheckedRow {
    /// Returns the value of a lane.
    #[inline(always)]
    pub(crate) fn lane(self, lane: usize) -> u64 {
        // SAFETY: the row has been checked and has 32 lanes. The contract of `Registers::new` guarantees the file.
        unsafe {
            if self.wide { *self.words.cast::<u64>().add(lane & 31) } else { (*self.words.add(lane & 31)).into() }
        }
    }

    /// Writes a lane: all of `value` if lanes have 64 bits, otherwise its lower half.
    #[inline(always)]
    pub(crate) fn set_lane(self, lane: usize, value: u64) {
        // SAFETY: as above.
        unsafe {
            if self.wide {
                *self.words.cast::<u64>().add(lane & 31) = value;
            } else {
                *self.words.add(lane & 31) = value as u32;
            }
        }
    }
}
