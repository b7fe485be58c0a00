//! Runs fused regions (see [`crate::fuse`]). All 32 lanes are active, and no instruction has a guard.

use super::access::{refresh_pattern, seen};
use super::state::Machine;
use super::transfer::{Common, words};
use crate::Fault;
use crate::arith::float::canonical;
use crate::arith::fma::fma8;
use crate::arith::{Operands, Registers};
use crate::memory::SLOT_BITS;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::fused::{FusedRegion, FusedStep};
use crate::program::{Inst, NONE, Op};

pub(super) const ALL: u32 = u32::MAX;

impl<P: Probe> Machine<'_, P> {
    /// Runs a fused region. Returns where the warp continues: after the region, or at an instruction in it that has not
    /// run because the fast path does not apply.
    ///
    /// # Errors
    /// If an instruction faults. The fault is the same as without fusion.
    ///
    /// # Safety
    /// The region was found in the program of this machine. The file and the patterns belong to the warp, and all its
    /// lanes are active. The CPU has the features that `FAST` promises.
    #[inline(always)]
    pub(crate) unsafe fn run_fused_region<const FAST: bool>(
        &mut self,
        warp: usize,
        run: &FusedRegion,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> Result<usize, Box<Fault>> {
        let program = self.setup.program;
        loop {
            if run.product_loop.is_some() {
                // SAFETY: the caller guarantees the contract.
                match unsafe { super::simd_dispatch::run_product_loop::<P, FAST>(self, warp, run, file, patterns) } {
                    Some(true) => continue,
                    Some(false) => return Ok(run.end),
                    None => {}
                }
            }
            for step in &run.steps {
                match *step {
                    FusedStep::MultiplyAdds { first, end } => {
                        let list = &program.multiply_adds[first as usize..end as usize];
                        // SAFETY: verification proves that the slots are rows of this file.
                        unsafe { multiply_add(file, list) };
                    }
                    FusedStep::Product { at, index } => {
                        // SAFETY: the caller guarantees the contract.
                        if !unsafe { self.product(warp, index, file, patterns) } {
                            return Ok(at as usize);
                        }
                    }
                    FusedStep::LoadShared { at } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: the caller guarantees the contract.
                        if !unsafe { self.load_shared(at as usize, warp, inst, ALL, file, patterns) } {
                            return Ok(at as usize);
                        }
                    }
                    // SAFETY: the caller guarantees the contract.
                    FusedStep::LoadGroup { index } => unsafe { self.read_load_group::<FAST>(index, file, patterns) },
                    FusedStep::LoadGlobal { at, group } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: the caller guarantees the contract.
                        unsafe {
                            if group != NONE && self.load_from_group(at as usize, warp, group, inst, file, patterns) {
                                continue;
                            }
                            if !self.load_global::<FAST>(at as usize, warp, inst, file, patterns) {
                                super::simd_dispatch::access::<P, FAST>(
                                    self,
                                    at as usize,
                                    warp,
                                    inst,
                                    ALL,
                                    file,
                                    patterns,
                                )?;
                            }
                        }
                    }
                    FusedStep::Access { at } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: the caller guarantees the contract.
                        unsafe {
                            super::simd_dispatch::access::<P, FAST>(
                                self,
                                at as usize,
                                warp,
                                inst,
                                ALL,
                                file,
                                patterns,
                            )?;
                        };
                    }
                    // SAFETY: the caller guarantees the contract.
                    _ => unsafe { self.in_registers(step, file, patterns) },
                }
            }
            if !self.take_back_edge(run, file) {
                return Ok(run.end);
            }
        }
    }

    /// Runs a step that only changes registers and what is known about address registers.
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    pub(super) unsafe fn in_registers(&self, step: &FusedStep, file: Registers, patterns: *mut AddressPattern) {
        let program = self.setup.program;
        match *step {
            FusedStep::Lanes { at, touched } => {
                let inst = &program.code[at as usize];
                if let Op::Lanes(run, _) = inst.op {
                    // SAFETY: the handler fits this CPU, and the instruction is verified for this file.
                    unsafe { run(file, &inst.operands, ALL) };
                }
                if touched != NONE {
                    // SAFETY: verification proves that this is the index of a pattern.
                    unsafe { (*patterns.add(touched as usize)).valid = false };
                }
            }
            FusedStep::Predicate { at } => {
                let inst = &program.code[at as usize];
                if let Op::Predicate(logic) = inst.op {
                    // SAFETY: verification proves that the operands are predicates of this file.
                    unsafe { file.logic(&inst.operands, ALL, logic) };
                }
            }
            // SAFETY: verification proves that this is the index of a pattern.
            FusedStep::InvalidatePattern { pattern } => unsafe { (*patterns.add(pattern as usize)).valid = false },
            // SAFETY: as above.
            FusedStep::Advance { pattern, by, wide } => unsafe {
                (*patterns.add(pattern as usize)).advance(by.into(), wide);
            },
            _ => debug_assert!(false, "{step:?} reaches more than registers"),
        }
    }

    /// Runs the branch at the end of a region, if all lanes take it back to the beginning and no check of limits is
    /// due. Returns whether it did. If so, also counts the branch and the entry of the block.
    #[inline(always)]
    pub(super) fn take_back_edge(&mut self, run: &FusedRegion, file: Registers) -> bool {
        let Some(block) = run.again else { return false };
        let program = self.setup.program;
        let (branch, length) = (&program.code[run.end], u64::from(program.blocks[block as usize].length));
        let taken = file.predicate(branch.guard) ^ branch.flip;
        if taken != ALL || self.block.steps + length >= self.next_check {
            return false;
        }
        self.block.steps += length;
        self.thread_instructions += length * 32;
        if P::COUNTS {
            self.probe.guarded(run.end, ALL);
            self.probe.enter(block, ALL);
        }
        true
    }

    /// Runs a load of a 32-bit element from global memory. Returns false, having done nothing, unless the fast path
    /// applies (see [`crate::machine`]).
    ///
    /// # Safety
    /// As for [`Machine::run_fused_region`].
    #[inline(always)]
    unsafe fn load_global<const FAST: bool>(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        file: Registers,
        patterns: *mut AddressPattern,
    ) -> bool {
        let access = &self.setup.program.accesses[inst.x as usize];
        // SAFETY: rows and patterns are verified for this file, and the bounds are checked against the buffer.
        unsafe {
            let pattern = &mut *patterns.add(access.pattern as usize);
            if !pattern.valid || pattern.mask != ALL {
                refresh_pattern(pattern, file, access.base, access.base_wide, ALL, self.near_bytes);
            }
            let start = pattern.base.wrapping_add(access.offset as u64);
            let (low, last) = (start.wrapping_add(pattern.low as u64), start.wrapping_add(pattern.high as u64));
            let slot = low >> SLOT_BITS;
            let Some(view) = self.setup.views.get((slot as usize).wrapping_sub(1)) else { return false };
            let end = last.wrapping_sub(slot << SLOT_BITS);
            let inside = !pattern.wide && low <= last && end < view.len && view.len - end >= 4;
            if !inside || (start as u32 | pattern.bits) & 3 != 0 || !view.written.is_null() || P::TRACES {
                return false;
            }
            if P::COUNTS {
                self.probe.request(at);
                self.probe.global(&mut seen(at, warp, inst, ALL, start, pattern, access, file));
            }
            let from = view.data.wrapping_offset(start.wrapping_sub(slot << SLOT_BITS) as isize);
            let value = words::<Common<FAST>>(from, pattern);
            *file.row(access.rows[0]).cast::<[[u32; 8]; 4]>() = value;
        }
        true
    }
}

/// Runs multiply-adds one after another. NaN results become the canonical NaN only at the end, if there are any. Until
/// then their bits do not matter: every result computed from a NaN is NaN, too.
///
/// # Safety
/// The slots are rows of this file.
#[inline(always)]
unsafe fn multiply_add(file: Registers, list: &[Operands]) {
    let row = |slot: u32| file.row(slot).cast::<[f32; 8]>();
    let mut odd = [0u32; 8];
    for rows in list {
        let (a, b, c, d) = (row(rows.a), row(rows.b), row(rows.c), row(rows.d));
        let mut results = [[0f32; 8]; 4];
        for (g, result) in results.iter_mut().enumerate() {
            // SAFETY: the caller guarantees that the slots are rows of this file.
            let (x, y, z) = unsafe { (*a.add(g), *b.add(g), *c.add(g)) };
            *result = fma8(x, y, z);
            // SAFETY: as above.
            unsafe { *d.add(g) = *result };
        }
        for i in 0..8 {
            // One comparison finds a NaN in either operand.
            odd[i] |= nan_mask(results[0][i], results[1][i]) | nan_mask(results[2][i], results[3][i]);
        }
    }
    if odd != [0; 8] {
        for rows in list {
            let d = row(rows.d).cast::<[u32; 32]>();
            // SAFETY: as above.
            unsafe { *d = (*d).map(|bits| canonical(f32::from_bits(bits))) };
        }
    }
}

/// Returns all ones if `x` or `y` is NaN, otherwise zero.
#[inline(always)]
fn nan_mask(x: f32, y: f32) -> u32 {
    if x.partial_cmp(&y).is_none() { u32::MAX } else { 0 }
}
