//! The registers of a warp, by their places in its register file.

use super::lanes::{Operands, Width};

/// A warp's register file: rows of 32 lanes of 32 bits, pairs of them for 64 bits, and words of predicates, a bit a lane.
///
/// Methods that read or write check that the place lies inside the file, in every build. [`Self::at`] and its kin return
/// pointers for the hot loop and check nothing: whoever dereferences one relies on `Program::verify`, which has proved that
/// every place of the program lies inside the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Registers {
    words: *mut u32,
    count: u32,
}

impl Registers {
    /// # Safety
    /// `words` points to `count` words, the first of a row. As long as the value or a copy of it is used, the words exist and
    /// nothing refers to them except through it.
    #[inline(always)]
    pub(crate) unsafe fn new(words: *mut u32, count: u32) -> Self {
        Self { words, count }
    }

    /// True if a place of this width lies inside the file.
    #[inline(always)]
    fn has(self, slot: u32, width: Width) -> bool {
        let aligned = width == Width::Predicate || slot.is_multiple_of(32);
        aligned && self.count.checked_sub(slot).is_some_and(|left| left >= width.words())
    }

    /// Where a place of this width begins; the beginning of the file for one that is absent. The place is checked in builds
    /// with debug assertions only.
    #[inline(always)]
    pub(crate) fn at(self, slot: u32, width: Width) -> *mut u32 {
        let slot = if width == Width::Absent { 0 } else { slot };
        debug_assert!(self.has(slot, width), "{width:?} at {slot} of {}", self.count);
        self.words.wrapping_add(slot as usize)
    }

    /// A row of 32 bits a lane, as [`Self::at`].
    #[inline(always)]
    pub(crate) fn row(self, slot: u32) -> *mut [u32; 32] {
        self.at(slot, Width::Row).cast()
    }

    /// A row of 64 bits a lane, as [`Self::at`].
    #[inline(always)]
    pub(crate) fn wide_row(self, slot: u32) -> *mut [u64; 32] {
        self.at(slot, Width::Wide).cast()
    }

    /// A place of the file.
    #[inline(always)]
    fn checked(self, slot: u32, width: Width) -> *mut u32 {
        assert!(self.has(slot, width), "a register lies outside of its file");
        self.words.wrapping_add(slot as usize)
    }

    #[inline(always)]
    pub(crate) fn lanes(self, slot: u32) -> [u32; 32] {
        // SAFETY: the row has just been checked; by the contract of `new` the file is there. As in all that follows.
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

    /// Writes what `logic` makes of the predicates `a`, `b` and `c`, zero if absent, to the lanes of `mask` of `d`.
    ///
    /// # Safety
    /// The operands are predicates of the file.
    #[inline(always)]
    pub(crate) unsafe fn logic(self, on: &Operands, mask: u32, logic: fn(u32, u32, u32) -> u32) {
        // SAFETY: by contract.
        unsafe {
            let word = |slot: u32| if slot == u32::MAX { 0 } else { *self.at(slot, Width::Predicate) };
            blend(self.at(on.d, Width::Predicate), mask, logic(word(on.a), word(on.b), word(on.c)));
        }
    }

    /// A row whose place has been checked, of 64 bits a lane if `wide`.
    #[inline(always)]
    pub(crate) fn row_of(self, slot: u32, wide: bool) -> CheckedRow {
        CheckedRow { words: self.checked(slot, Width::of(wide)), wide }
    }

    /// One lane of a row, of 64 bits if `wide`.
    #[inline(always)]
    pub(crate) fn lane(self, slot: u32, wide: bool, lane: usize) -> u64 {
        self.row_of(slot, wide).lane(lane)
    }

    /// Writes one lane of a row: all of `value` if `wide`, else its lower half.
    #[inline(always)]
    pub(crate) fn set_lane(self, slot: u32, wide: bool, lane: usize, value: u64) {
        self.row_of(slot, wide).set_lane(lane, value);
    }

    /// A predicate, a bit a lane.
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
/// `word` is one of a register file.
#[inline(always)]
pub(crate) unsafe fn blend(word: *mut u32, mask: u32, value: u32) {
    // SAFETY: by contract.
    unsafe { *word = (*word & !mask) | (value & mask) };
}

/// A row that lies inside a register file: only [`Registers::row_of`] makes one, and it checks the place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckedRow {
    words: *mut u32,
    wide: bool,
}

impl CheckedRow {
    /// The value of a lane.
    #[inline(always)]
    pub(crate) fn lane(self, lane: usize) -> u64 {
        // SAFETY: the row has been checked and has 32 lanes; by the contract of `Registers::new` the file is there.
        unsafe {
            if self.wide { *self.words.cast::<u64>().add(lane & 31) } else { (*self.words.add(lane & 31)).into() }
        }
    }

    /// Writes a lane: all of `value` if lanes have 64 bits, else its lower half.
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
