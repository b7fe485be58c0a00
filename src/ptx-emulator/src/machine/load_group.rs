//! Runs load groups (see [`crate::fuse`]): adjacent words of global memory for each lane of a whole warp. If the lanes
//! are far apart, one load reads all words of a lane, so that a line comes from the CPU's second-level cache only once.

use super::access::{refresh_pattern, seen};
use super::state::{LOAD_GROUPS, Machine, Quads};
use crate::arith::Registers;
use crate::memory::SLOT_BITS;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::probes::address_pattern::Spacing;
use crate::program::fused::{LOAD_GROUP_BYTES, LoadGroup};
use crate::program::{Inst, NONE};

const ALL: u32 = u32::MAX;

impl<P: Probe> Machine<'_, P> {
    /// Reads a load group, if its lanes are far apart and the fast path applies (see [`crate::machine`]). Otherwise
    /// each load reads its own word.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    pub(super) unsafe fn read_load_group<const FAST: bool>(
        &mut self,
        index: u32,
        file: Registers,
        patterns: *mut AddressPattern,
    ) {
        let program = self.setup.program;
        let group: &LoadGroup = &program.load_groups[index as usize];
        let place = &mut self.load_groups[index as usize % LOAD_GROUPS];
        place.0 = NONE;
        if !FAST || P::TRACES {
            return;
        }
        let Some(first) = group.loads.first() else { return };
        let access = &program.accesses[program.code[*first as usize].x as usize];
        // SAFETY: rows and patterns are verified for this file, and the bounds are checked against the buffer.
        unsafe {
            let pattern = &mut *patterns.add(access.pattern as usize);
            if !pattern.valid || pattern.mask != ALL {
                refresh_pattern(pattern, file, access.base, access.base_wide, ALL, self.near_bytes);
            }
            let start = pattern.base.wrapping_add(group.start as u64);
            let (low, last) = (start.wrapping_add(pattern.low as u64), start.wrapping_add(pattern.high as u64));
            let slot = low >> SLOT_BITS;
            let Some(view) = self.setup.views.get((slot as usize).wrapping_sub(1)) else { return };
            let end = last.wrapping_sub(slot << SLOT_BITS);
            let inside = !pattern.wide && low <= last && end < view.len && view.len - end >= LOAD_GROUP_BYTES;
            let aligned = (start as u32 | pattern.bits) & 3 == 0;
            if pattern.spacing != Spacing::Mixed || !inside || !aligned || !view.written.is_null() {
                return;
            }
            let from = view.data.wrapping_offset(start.wrapping_sub(slot << SLOT_BITS) as isize);
            read_quads(from, &pattern.relative, &mut place.1);
            place.0 = index;
        }
    }

    /// Runs a load whose group has been read. Returns false, having done nothing, if it has not.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    pub(super) unsafe fn load_from_group(
        &mut self,
        at: usize,
        warp: usize,
        index: u32,
        inst: &Inst,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> bool {
        let (owner, quads) = &self.load_groups[index as usize % LOAD_GROUPS];
        if *owner != index {
            return false;
        }
        let program = self.setup.program;
        let access = &program.accesses[inst.x as usize];
        let word = (access.offset - program.load_groups[index as usize].start) as usize / 4 % 4;
        // SAFETY: the row and the pattern are verified for this file. The pattern has not changed since the group was
        // read.
        unsafe {
            *file.row(access.rows[0]).cast::<[[u32; 8]; 4]>() = quads[word];
            if P::COUNTS {
                let pattern = &mut *patterns.add(access.pattern as usize);
                let start = pattern.base.wrapping_add(access.offset as u64);
                self.probe.request(at);
                self.probe.global(&mut seen(at, warp, inst, ALL, start, pattern, access, file));
            }
        }
        true
    }
}

/// Reads four words for each lane: first all first words, then all second ones, and so on.
///
/// # Safety
/// Each lane's 16 bytes are readable, at an address aligned to 4.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn read_quads(from: *const u8, relative: &[i32; 32], quads: &mut Quads) {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    for (lane, relative) in relative.iter().enumerate() {
        for (word, quad) in quads.iter_mut().enumerate() {
            let at = from.wrapping_offset(*relative as isize).wrapping_add(4 * word);
            // SAFETY: the caller guarantees the contract, and all accesses to this memory are atomic.
            quad[lane / 8][lane % 8] = unsafe { (*at.cast::<AtomicU32>()).load(Relaxed) };
        }
    }
}

/// Reads four words for each lane with vector loads.
///
/// # Safety
/// As for the variant without vectors. The CPU has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn read_quads(from: *const u8, relative: &[i32; 32], quads: &mut Quads) {
    use std::arch::x86_64::*;
    for g in 0..4 {
        // SAFETY: the caller guarantees the contract.
        let two = |i: usize| unsafe {
            let at = |lane: usize| super::transfer::vector::quad(from.wrapping_offset(relative[8 * g + lane] as isize));
            _mm256_set_m128i(at(i + 4), at(i))
        };
        let (a, b, c, d) = (two(0), two(1), two(2), two(3));
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        let all = [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_high, cd_high),
            _mm256_unpackhi_epi64(ab_high, cd_high),
        ];
        for (quad, words) in quads.iter_mut().zip(all) {
            // SAFETY: eight words have the size of the vector.
            quad[g] = unsafe { std::mem::transmute::<__m256i, [u32; 8]>(words) };
        }
    }
}
