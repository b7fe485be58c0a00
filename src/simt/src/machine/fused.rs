//! Runs fused stretches (see [`crate::fuse`]): all 32 lanes are active, nothing is guarded.

use super::access::{find_shape, seen};
use super::state::Machine;
use super::transfer::{Common, words};
use crate::Fault;
use crate::arith::float::canonical;
use crate::arith::fma::fma;
use crate::cost::Direction;
use crate::memory::SLOT_BITS;
use crate::probes::AddressPattern;
use crate::probes::Probe;
use crate::probes::address_pattern::Pattern;
use crate::program::fused::{FusedRegion, Kept, MultiplyAdd, Product, Source, Step};
use crate::program::{Inst, NONE, Op};

const ALL: u32 = u32::MAX;

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
        file: *mut u32,
        shapes: *mut AddressPattern,
    ) -> Result<usize, Box<Fault>> {
        let program = self.setup.program;
        let mut steps = run.steps.iter();
        loop {
            let Some(step) = steps.next() else {
                // SAFETY: as for the whole.
                if unsafe { self.goes_back(run, file) } {
                    steps = run.steps.iter();
                    continue;
                }
                return Ok(run.end);
            };
            match *step {
                Step::Lanes { at, touched } => {
                    let inst = &program.code[at as usize];
                    if let Op::Lanes(run, _) = inst.op {
                        // SAFETY: the handler was chosen for this CPU, the instruction lowered for this file.
                        unsafe { run(file, &inst.operands, ALL) };
                    }
                    if touched != NONE {
                        // SAFETY: lowered as the index of a shape.
                        unsafe { (*shapes.add(touched as usize)).valid = false };
                    }
                }
                Step::MultiplyAdds { first, end } => {
                    let list = &program.multiply_adds[first as usize..end as usize];
                    // SAFETY: rows of this file.
                    unsafe { multiply_add(file, list) };
                }
                Step::Product { at, index } => {
                    // SAFETY: as for the whole.
                    if !unsafe { self.product::<FAST>(warp, index, file, shapes) } {
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
                            super::simd_dispatch::access::<P, FAST>(self, at as usize, warp, inst, ALL, file)?;
                        }
                    }
                }
                Step::Access { at } => {
                    let inst = &program.code[at as usize];
                    // SAFETY: as for the whole.
                    unsafe { super::simd_dispatch::access::<P, FAST>(self, at as usize, warp, inst, ALL, file)? };
                }
                Step::Predicate { at } => {
                    let inst = &program.code[at as usize];
                    if let Op::Predicate(logic) = inst.op {
                        // SAFETY: operands are predicate words of this file, or absent.
                        unsafe {
                            let word = |slot: u32| if slot == NONE { 0 } else { *file.add(slot as usize) };
                            *file.add(inst.operands.d as usize) =
                                logic(word(inst.operands.a), word(inst.operands.b), word(inst.operands.c));
                        }
                    }
                }
                // SAFETY: lowered as the index of a shape.
                Step::InvalidatePattern { shape } => unsafe { (*shapes.add(shape as usize)).valid = false },
                // SAFETY: as above.
                Step::Advance { shape, by, wide } => unsafe { (*shapes.add(shape as usize)).advance(by, wide) },
            }
        }
    }

    /// At the end of a stretch: whether all lanes take the branch back to its beginning, and nothing is to be looked up before. If
    /// so, branch and entry are counted.
    ///
    /// # Safety
    /// As for [`Machine::stretch`].
    #[inline(always)]
    unsafe fn goes_back(&mut self, run: &FusedRegion, file: *mut u32) -> bool {
        let Some(block) = run.again else { return false };
        let program = self.setup.program;
        let (branch, length) = (&program.code[run.end], u64::from(program.blocks[block as usize].length));
        // SAFETY: the guard is a predicate word of this file.
        let taken = unsafe { *file.add(branch.guard as usize) } ^ branch.flip;
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
        file: *mut u32,
        shapes: *mut AddressPattern,
    ) -> bool {
        let access = &self.setup.program.accesses[inst.x as usize];
        // SAFETY: rows and shapes were lowered for this file; bounds are checked against the buffer.
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
            *file.add(access.rows[0] as usize).cast::<[[u32; 8]; 4]>() = value;
        }
        true
    }

    /// A product. False, and nothing done, if it is not plainly right.
    ///
    /// # Safety
    /// As for [`Machine::stretch`].
    #[inline(always)]
    unsafe fn product<const FAST: bool>(
        &mut self,
        warp: usize,
        index: u32,
        file: *mut u32,
        shapes: *mut AddressPattern,
    ) -> bool {
        let program = self.setup.program;
        let product: &Product = &program.products[index as usize];
        let near_bytes = self.near_bytes;
        // SAFETY: slots and shapes were lowered for this file; `x` and `y` may be one shape, of which only one
        // reference is alive at a time.
        unsafe {
            let ready = |source: &Source, [low, high]: [i32; 2]| {
                let shape = &mut *shapes.add(source.shape as usize);
                if !shape.valid || shape.mask != ALL {
                    find_shape(shape, file, source.slot, source.wide, ALL, near_bytes);
                }
                let first = shape.lowest.wrapping_add(low as u64);
                let last = shape.lowest.wrapping_add(high as u64);
                let inside = first <= last && last <= shape.room && shape.lowest != u64::MAX;
                inside && (shape.base as u32 | shape.bits) & 3 == 0
            };
            let right = ready(&product.x, product.x_range) && ready(&product.y, product.y_range);
            if !right || self.setup.uninitialised_shared || P::TRACES {
                return false;
            }
            let one_by_one = P::WATCHES && {
                let of = |source: &Source, range| {
                    let shape = &*shapes.add(source.shape as usize);
                    (shape.base, source.shape, shape, range)
                };
                let reads = [of(&product.x, product.x_range), of(&product.y, product.y_range)];
                !self.probe.product_reads(warp, index, reads)
            };
            if one_by_one {
                self.watch_product(warp, product, file, shapes);
            } else if P::COUNTS {
                let cost = |source: &Source| {
                    let shape = &mut *shapes.add(source.shape as usize);
                    let start = shape.base as u32;
                    shape.shared_cost(Direction::Load, 4, start)
                };
                self.probe.product(index, [cost(&product.x), cost(&product.y)]);
            }
            let (x, y) = (&*shapes.add(product.x.shape as usize), &*shapes.add(product.y.shape as usize));
            let shared = self.shared.as_ptr().cast::<u8>();
            let factor = |shape: &AddressPattern| {
                let from = shared.wrapping_add(shape.base as usize);
                std::array::from_fn(|g| from.wrapping_offset(shape.relative[8 * g] as isize))
            };
            let (from_x, from_y) = (factor(x), factor(y));
            let sum = file.add(product.d as usize).cast::<[u32; 8]>();
            let start = file.add(product.c as usize).cast::<[u32; 8]>();
            let (terms, kept) = (product.terms.as_slice(), product.kept.as_slice());
            let work = Work { file, start, sum, terms, kept, x: from_x, y: from_y };
            match (x.pattern, y.pattern) {
                (Pattern::Same, Pattern::Unit) => work.run::<true, false>(),
                (Pattern::Unit, Pattern::Same) => work.run::<false, true>(),
                (Pattern::Same, Pattern::Same) => work.run::<true, true>(),
                (Pattern::Unit, Pattern::Unit) => work.run::<false, false>(),
                _ => work.run_mixed(x, y),
            }
        }
        true
    }

    /// Tells a probe that watches shared accesses of each load of a product.
    ///
    /// # Safety
    /// As for [`Machine::stretch`].
    #[inline(always)]
    unsafe fn watch_product(&mut self, warp: usize, product: &Product, file: *const u32, shapes: *mut AddressPattern) {
        let program = self.setup.program;
        for (index, term) in product.terms.iter().enumerate() {
            for (side, source) in [product.x, product.y].iter().enumerate() {
                let at = product.at as usize + 3 * index + side;
                let inst: &Inst = &program.code[at];
                // SAFETY: lowered as the index of a shape.
                let shape = unsafe { &mut *shapes.add(source.shape as usize) };
                let start = shape.base.wrapping_add(term[side] as u64);
                self.probe.request(at);
                let access = &program.accesses[inst.x as usize];
                self.probe.shared(&mut seen(at, warp, inst, ALL, start, shape, access, file));
            }
        }
    }
}

/// Multiply-adds one after the other. A result that is NaN is made the canonical one only at the end, and only if
/// there was one: what reads it meanwhile gives NaN too, whatever its bits.
///
/// # Safety
/// The rows are rows of this file.
#[inline(always)]
unsafe fn multiply_add(file: *mut u32, list: &[MultiplyAdd]) {
    let row = |at: u32| file.cast::<u8>().wrapping_add(at as usize).cast::<[f32; 8]>();
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

/// The pointers of a product: first elements of each group of eight lanes, and rows.
struct Work<'a> {
    file: *mut u32,
    start: *const [u32; 8],
    sum: *mut [u32; 8],
    terms: &'a [[i32; 2]],
    kept: &'a [Kept],
    x: [*const u8; 4],
    y: [*const u8; 4],
}

impl Work<'_> {
    /// Groups at one address (`true`) or side by side.
    ///
    /// # Safety
    /// Bounds of every term are checked.
    #[inline(always)]
    unsafe fn run<const X_SAME: bool, const Y_SAME: bool>(&self) {
        // SAFETY: by contract.
        unsafe {
            let mut sum: [[f32; 8]; 4] = std::array::from_fn(|g| (*self.start.add(g)).map(f32::from_bits));
            let (first, last) = self.terms.split_at(self.terms.len() - self.kept.len());
            for [x_at, y_at] in first {
                for (g, sum) in sum.iter_mut().enumerate() {
                    let x = group::<X_SAME>(self.x[g], *x_at);
                    let y = group::<Y_SAME>(self.y[g], *y_at);
                    for i in 0..8 {
                        sum[i] = fma(x[i], y[i], sum[i]);
                    }
                }
            }
            for ([x_at, y_at], kept) in last.iter().zip(self.kept) {
                for (g, sum) in sum.iter_mut().enumerate() {
                    let x = group::<X_SAME>(self.x[g], *x_at);
                    let y = group::<Y_SAME>(self.y[g], *y_at);
                    for i in 0..8 {
                        sum[i] = fma(x[i], y[i], sum[i]);
                    }
                    self.keep(kept, g, x, y, sum);
                }
            }
            self.end(&sum);
        }
    }

    /// Any pattern.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    unsafe fn run_mixed(&self, x: &AddressPattern, y: &AddressPattern) {
        // SAFETY: by contract.
        unsafe {
            let mut sum: [[f32; 8]; 4] = std::array::from_fn(|g| (*self.start.add(g)).map(f32::from_bits));
            let x_first = self.x[0].wrapping_offset(-(x.relative[0] as isize));
            let y_first = self.y[0].wrapping_offset(-(y.relative[0] as isize));
            let without = self.terms.len() - self.kept.len();
            for (index, [x_at, y_at]) in self.terms.iter().enumerate() {
                for (g, sum) in sum.iter_mut().enumerate() {
                    let x = gather(x, g, x_first, self.x[g], *x_at);
                    let y = gather(y, g, y_first, self.y[g], *y_at);
                    for i in 0..8 {
                        sum[i] = fma(x[i], y[i], sum[i]);
                    }
                    if let Some(kept) = index.checked_sub(without).and_then(|at| self.kept.get(at)) {
                        self.keep(kept, g, x, y, sum);
                    }
                }
            }
            self.end(&sum);
        }
    }

    /// Writes the rows of a term that something may read later.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    unsafe fn keep(&self, kept: &Kept, g: usize, x: [f32; 8], y: [f32; 8], sum: &[f32; 8]) {
        // SAFETY: rows of this file.
        unsafe {
            let row = |slot: u32| self.file.add(slot as usize + 8 * g);
            row(kept.x).cast::<[f32; 8]>().write(x);
            row(kept.y).cast::<[f32; 8]>().write(y);
            row(kept.d).cast::<[u32; 8]>().write(sum.map(canonical));
        }
    }

    /// NaN goes from sum to sum, whatever its bits; only those of the last one are seen.
    ///
    /// # Safety
    /// As for `run`.
    #[inline(always)]
    unsafe fn end(&self, sum: &[[f32; 8]; 4]) {
        for (g, sum) in sum.iter().enumerate() {
            // SAFETY: by contract.
            unsafe { *self.sum.add(g) = sum.map(canonical) };
        }
    }
}

#[inline(always)]
unsafe fn group<const SAME: bool>(from: *const u8, at: i32) -> [f32; 8] {
    // SAFETY: by the contract of `Work::run`.
    unsafe {
        let from = from.offset(at as isize).cast::<f32>();
        if SAME { [from.read(); 8] } else { from.cast::<[f32; 8]>().read() }
    }
}

#[inline(always)]
unsafe fn gather(shape: &AddressPattern, g: usize, base: *const u8, first: *const u8, at: i32) -> [f32; 8] {
    use crate::probes::Group;
    // SAFETY: by the contract of `Work::run`.
    unsafe {
        match shape.groups[g] {
            Group::Same => group::<true>(first, at),
            Group::Unit => group::<false>(first, at),
            Group::Other => {
                let from = base.offset(at as isize);
                std::array::from_fn(|i| from.offset(shape.relative[8 * g + i] as isize).cast::<f32>().read())
            }
        }
    }
}
