//! Runs fused stretches (see [`crate::fuse`]): all 32 lanes are active, nothing is guarded.

use super::access::{find_shape, seen};
use super::state::Machine;
use super::transfer::{Common, words};
use crate::Fault;
use crate::arith::float::canonical;
use crate::arith::fma::fma;
use crate::arith::{Operands, Registers};
use crate::memory::SLOT_BITS;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::program::fused::{FusedRegion, Step};
use crate::program::{Inst, NONE, Op};

pub(super) const ALL: u32 = u32::MAX;

impl<P: Probe> Machine<'_, P> {
    /// Runs a stretch. Where the warp goes on: after it, or at an instruction in it that a step found not plainly
    /// right, and which has not run.
    ///
    /// # Errors
    /// The fault of the instruction that has one, as without fusion.
    ///
    /// # Safety
    /// The stretch was found in the program of this machine; `file` and `shapes` are the warp's; all of its lanes
    /// are active; the CPU has what `FAST` promises.
    #[inline(always)]
    pub(crate) unsafe fn stretch<const FAST: bool>(
        &mut self,
        warp: usize,
        run: &FusedRegion,
        file: Registers,
        shapes: *mut AddressPattern,
    ) -> Result<usize, Box<Fault>> {
        let program = self.setup.program;
        loop {
            if run.rolled.is_some() {
                // SAFETY: as for the whole.
                match unsafe { super::simd_dispatch::rolled::<P, FAST>(self, warp, run, file, shapes) } {
                    Some(true) => continue,
                    Some(false) => return Ok(run.end),
                    None => {}
                }
            }
            for step in &run.steps {
                match *step {
                    Step::MultiplyAdds { first, end } => {
                        let list = &program.multiply_adds[first as usize..end as usize];
                        // SAFETY: rows of this file.
                        unsafe { multiply_add(file, list) };
                    }
                    Step::Product { at, index } => {
                        // SAFETY: as for the whole.
                        if !unsafe { self.product(warp, index, file, shapes) } {
                            return Ok(at as usize);
                        }
                    }
                    Step::LoadShared { at } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: as for the whole.
                        if !unsafe { self.load_shared(at as usize, warp, inst, ALL, file, shapes) } {
                            return Ok(at as usize);
                        }
                    }
                    // SAFETY: as for the whole.
                    Step::Window { index } => unsafe { self.read_window::<FAST>(index, file, shapes) },
                    Step::LoadGlobal { at, window } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: as for the whole.
                        unsafe {
                            if window != NONE && self.take_word(at as usize, warp, window, inst, file, shapes) {
                                continue;
                            }
                            if !self.load_global::<FAST>(at as usize, warp, inst, file, shapes) {
                                super::simd_dispatch::access::<P, FAST>(
                                    self,
                                    at as usize,
                                    warp,
                                    inst,
                                    ALL,
                                    file,
                                    shapes,
                                )?;
                            }
                        }
                    }
                    Step::Access { at } => {
                        let inst = &program.code[at as usize];
                        // SAFETY: as for the whole.
                        unsafe {
                            super::simd_dispatch::access::<P, FAST>(self, at as usize, warp, inst, ALL, file, shapes)?;
                        };
                    }
                    // SAFETY: as for the whole.
                    _ => unsafe { self.in_registers(step, file, shapes) },
                }
            }
            if !self.goes_back(run, file) {
                return Ok(run.end);
            }
        }
    }

    /// A step that reaches nothing but registers, and what is known of those that hold addresses.
    ///
    /// # Safety
    /// As for [`Machine::stretch`].
    #[inline(always)]
    pub(super) unsafe fn in_registers(&self, step: &Step, file: Registers, shapes: *mut AddressPattern) {
        let program = self.setup.program;
        match *step {
            Step::Lanes { at, touched } => {
                let inst = &program.code[at as usize];
                if let Op::Lanes(run, _) = inst.op {
                    // SAFETY: the handler was chosen for this CPU, the instruction verified for this file.
                    unsafe { run(file, &inst.operands, ALL) };
                }
                if touched != NONE {
                    // SAFETY: verified as the index of a shape.
                    unsafe { (*shapes.add(touched as usize)).valid = false };
                }
            }
            Step::Predicate { at } => {
                let inst = &program.code[at as usize];
                if let Op::Predicate(logic) = inst.op {
                    // SAFETY: the program is verified: the operands are predicates of its file.
                    unsafe { file.logic(&inst.operands, ALL, logic) };
                }
            }
            // SAFETY: verified as the index of a shape.
            Step::InvalidatePattern { shape } => unsafe { (*shapes.add(shape as usize)).valid = false },
            // SAFETY: as above.
            Step::Advance { shape, by, wide } => unsafe {
                (*shapes.add(shape as usize)).advance(by.into(), wide);
            },
            _ => debug_assert!(false, "{step:?} reaches more than registers"),
        }
    }

    /// At the end of a stretch: whether all lanes take the branch back to its beginning, and nothing is to be looked up before. If
    /// so, branch and entry are counted.
    #[inline(always)]
    pub(super) fn goes_back(&mut self, run: &FusedRegion, file: Registers) -> bool {
        let Some(block) = run.again else { return false };
        let program = self.setup.program;
        let (branch, length) = (&program.code[run.end], u64::from(program.blocks[block as usize].length));
        let taken = file.predicate(branch.guard) ^ branch.flip;
        if taken != ALL || self.steps + length >= self.look_up {
            return false;
        }
        self.steps += length;
        self.thread_instructions += length * 32;
        if P::COUNTS {
            self.probe.guarded(run.end, ALL);
            self.probe.enter(block, ALL);
        }
        true
    }

    /// A load of a 32-bit element from global memory. False, and nothing done, if it is not plainly right, or if
    /// it is traced.
    ///
    /// # Safety
    /// As for [`Machine::stretch`].
    #[inline(always)]
    unsafe fn load_global<const FAST: bool>(
        &mut self,
        at: usize,
        warp: usize,
        inst: &Inst,
        file: Registers,
        shapes: *mut AddressPattern,
    ) -> bool {
        let access = &self.setup.program.accesses[inst.x as usize];
        // SAFETY: rows and shapes are verified for this file; bounds are checked against the buffer.
        unsafe {
            let shape = &mut *shapes.add(access.shape as usize);
            if !shape.valid || shape.mask != ALL {
                find_shape(shape, file, access.base, access.base_wide, ALL, self.near_bytes);
            }
            let start = shape.base.wrapping_add(access.offset as u64);
            let (low, last) = (start.wrapping_add(shape.low as u64), start.wrapping_add(shape.high as u64));
            let slot = low >> SLOT_BITS;
            let Some(view) = self.setup.views.get((slot as usize).wrapping_sub(1)) else { return false };
            let end = last.wrapping_sub(slot << SLOT_BITS);
            let inside = !shape.wide && low <= last && end < view.len && view.len - end >= 4;
            if !inside || (start as u32 | shape.bits) & 3 != 0 || !view.written.is_null() || P::TRACES {
                return false;
            }
            if P::COUNTS {
                self.probe.request(at);
                self.probe.global(&mut seen(at, warp, inst, ALL, start, shape, access, file));
            }
            let from = view.data.wrapping_offset(start.wrapping_sub(slot << SLOT_BITS) as isize);
            let value = words::<Common<FAST>>(from, shape);
            *file.row(access.rows[0]).cast::<[[u32; 8]; 4]>() = value;
        }
        true
    }
}

/// Multiply-adds one after the other. A result that is NaN is made the canonical one only at the end, and only if
/// there was one: what reads it meanwhile gives NaN too, whatever its bits.
///
/// # Safety
/// The rows are rows of this file.
#[inline(always)]
unsafe fn multiply_add(file: Registers, list: &[Operands]) {
    let row = |slot: u32| file.row(slot).cast::<[f32; 8]>();
    let mut odd = [0u32; 8];
    for rows in list {
        let (a, b, c, d) = (row(rows.a), row(rows.b), row(rows.c), row(rows.d));
        let mut results = [[0f32; 8]; 4];
        for (g, result) in results.iter_mut().enumerate() {
            // SAFETY: by contract.
            let (x, y, z) = unsafe { (*a.add(g), *b.add(g), *c.add(g)) };
            for i in 0..8 {
                result[i] = fma(x[i], y[i], z[i]);
            }
            // SAFETY: by contract.
            unsafe { *d.add(g) = *result };
        }
        for i in 0..8 {
            // One comparison finds NaN in either of two.
            odd[i] |= nan_mask(results[0][i], results[1][i]) | nan_mask(results[2][i], results[3][i]);
        }
    }
    if odd != [0; 8] {
        for rows in list {
            let d = row(rows.d).cast::<[u32; 32]>();
            // SAFETY: by contract.
            unsafe { *d = (*d).map(|bits| canonical(f32::from_bits(bits))) };
        }
    }
}

/// All ones if one of the two is NaN.
#[inline(always)]
fn nan_mask(x: f32, y: f32) -> u32 {
    if x.partial_cmp(&y).is_none() { u32::MAX } else { 0 }
}
